"""Pruning: what is hardly probable without the model is left out before it is composed with it."""

from __future__ import annotations

import numpy as np

from fstce.correction.factors.columns import ScoredArcs
from fstce.numeric.types import Bools, Floats
from fstce.wfsa.batch import Columns, pack
from fstce.wfsa.paths import best_paths
from fstce.wfsa.sumproduct import SumProduct

FORGIVING = 0.1  # what asks fewer words than the model knows prunes by so much less


def pruned(found: ScoredArcs, exponents: Floats, least: float) -> ScoredArcs:
    """Leave out the arcs of less posterior probability, but for those of the best path.

    ``exponents`` (columns,): all but the model's are asked.
    """
    machines = found.machines
    batch = pack(machines._replace(ngram=machines.ngram + 1, bias=exponents[1:] @ found.columns))
    nothing = np.zeros(len(batch.ngram))
    number = batch.ngram[batch.cell] - 1
    kept = np.zeros(len(machines.word), dtype=bool)
    kept[number[SumProduct(batch).posteriors(nothing) >= least]] = True
    best, _ = best_paths(batch, nothing)
    kept[number[best[best >= 0]]] = True
    return found.over(trimmed(machines, kept))


def trimmed(machines: Columns, kept: Bools) -> Columns:
    """The machines of the arcs kept, without states that lie on no path."""
    while True:
        live = np.zeros((2, machines.states), dtype=bool)
        live[0, machines.start] = live[1, machines.final] = True
        live[0, machines.next[kept]] = live[1, machines.source[kept]] = True
        through = kept & live[0, machines.source] & live[1, machines.next]
        if np.array_equal(through, kept):
            break
        kept = through
    used = np.zeros(machines.states, dtype=bool)
    used[machines.source[kept]] = used[machines.next[kept]] = True
    number = np.cumsum(used) - 1
    return machines._replace(
        start=number[machines.start],
        final=number[machines.final],
        size=np.bincount(machines.machine[used], minlength=len(machines.size)),
        source=number[machines.source[kept]].astype(np.int32),
        next=number[machines.next[kept]].astype(np.int32),
        word=machines.word[kept],
        ngram=machines.ngram[kept],
    )
