"""Pruning: what is hardly probable without the model is left out before it is composed with it."""

from __future__ import annotations

import numpy as np

from fstce.correction.factors.columns import Weighed
from fstce.numeric.types import Bools, Floats
from fstce.wfsa.batch import Columns, pack
from fstce.wfsa.paths import best_paths
from fstce.wfsa.sumproduct import SumProduct


def pruned(found: Weighed, exponents: Floats, least: float) -> Weighed:
    """Leave out the arcs of less posterior probability, but for those of the best path.

    Parameters
    ----------
    found : Weighed
    exponents : ndarray, shape (columns,)
        All but the model's are asked.
    least : float
    """
    laid = found.laid
    batch = pack(laid._replace(ngram=laid.ngram + 1, bias=exponents[1:] @ found.columns))
    nothing = np.zeros(len(batch.ngram))
    number = batch.ngram[batch.cell] - 1
    kept = np.zeros(len(laid.word), dtype=bool)
    kept[number[SumProduct(batch).posteriors(nothing) >= least]] = True
    best, _ = best_paths(batch, nothing)
    kept[number[best[best >= 0]]] = True
    return found.over(_trimmed(laid, kept))


def _trimmed(laid: Columns, kept: Bools) -> Columns:
    """The machines of the arcs kept, without states that lie on no path."""
    while True:
        live = np.zeros((2, laid.states), dtype=bool)
        live[0, laid.start] = live[1, laid.final] = True
        live[0, laid.next[kept]] = live[1, laid.source[kept]] = True
        through = kept & live[0, laid.source] & live[1, laid.next]
        if np.array_equal(through, kept):
            break
        kept = through
    used = np.zeros(laid.states, dtype=bool)
    used[laid.source[kept]] = used[laid.next[kept]] = True
    number = np.cumsum(used) - 1
    return laid._replace(
        start=number[laid.start],
        final=number[laid.final],
        size=np.bincount(laid.machine[used], minlength=len(laid.size)),
        source=number[laid.source[kept]].astype(np.int32),
        next=number[laid.next[kept]].astype(np.int32),
        word=laid.word[kept],
        ngram=laid.ngram[kept],
    )
