"""The oracle of k-best lists: what the best parse of each list would score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fstce.corpora.trees import Tree
from fstce.errors import ParameterError
from fstce.evaluation.bracket_scores import BracketCounts, columns, percent
from fstce.evaluation.evalb import evalb_scores
from fstce.evaluation.evalb_parameters import EvalbParameters
from fstce.numeric.types import Floats, Ints


class Oracle(NamedTuple):
    """The scores of the best parses, and the rank of each in its list, from 0.

    ``totals``: with lists cut to 1, 2, …, k parses: the first is the system's own score. ``ranks``: of the
    best parse of each whole list; of equals the first.
    """

    totals: tuple[BracketCounts, ...]
    ranks: tuple[int, ...]


def oracle_scores(
    gold: Sequence[Tree],
    lists: Sequence[Sequence[Tree]],
    parameters: EvalbParameters | None = None,
    *,
    disagreement: str = "error",
) -> Oracle:
    """The scores of the parses with the best labelled F1 of each sentence's list.

    The best of each sentence, as usual (Charniak & Johnson 2005, §5); the set of parses with the best F1 of
    the whole corpus may be another by a hair.

    ``lists``: the parses of each sentence, the system's first choice first; an empty list is no parse.
    ``parameters``, ``disagreement``: as of :func:`evalb_scores`. A parse that is not scored is never chosen
    while there is another.
    """
    longest = max(map(len, lists), default=0)
    if not longest:
        raise ParameterError("all k-best lists are empty")
    tables = (_counts(gold, lists, rank, parameters, disagreement) for rank in range(longest))
    best, ranks = next(tables), np.zeros(len(gold), dtype=np.int64)
    totals = [_total(best)]
    for rank, found in enumerate(tables, 1):
        better = _f1(found) > _f1(best)
        best = np.where(better[:, None], found, best)
        ranks[better] = rank
        totals.append(_total(best))
    return Oracle(tuple(totals), tuple(ranks.tolist()))


def _counts(
    gold: Sequence[Tree],
    lists: Sequence[Sequence[Tree]],
    rank: int,
    parameters: EvalbParameters | None,
    disagreement: str,
) -> Ints:
    parses = [parses[rank] if rank < len(parses) else None for parses in lists]
    return evalb_scores(gold, parses, parameters, disagreement=disagreement).matrix


def _total(matrix: Ints) -> BracketCounts:
    return BracketCounts(*matrix.sum(axis=0).tolist())


def _f1(matrix: Ints) -> Floats:
    """The F1 of each sentence; 100 where there is nothing to find, −1 where it is not scored."""
    column = dict(zip(columns(BracketCounts), matrix.T, strict=True))
    f1 = percent(2 * column["matched"], column["gold"] + column["predicted"])
    return np.where(column["sentences"] > 0, np.where(np.isnan(f1), 100.0, f1), -1.0)
