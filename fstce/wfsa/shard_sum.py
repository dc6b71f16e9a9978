"""One shard's part of a sum: a function of the scores, and of those that its potential is of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.estimation.resources import KEPT_IN_MEMORY, Keeper
from fstce.numeric import kernels
from fstce.numeric.ranges import places
from fstce.numeric.types import Floats, Ints, Ints32
from fstce.wfsa.batch import Batch
from fstce.wfsa.sumproduct import SumProduct


class ShardAnswer(NamedTuple):
    """Σ coefficient · log Z (nats), the expected counts of a shard's rows, whether its potential is new."""

    value: float
    counts: Floats
    renewed: bool


class ShardSum:
    """One shard's part of a sum, as a function of the scores of n-grams and emissions end to end.

    Parameters
    ----------
    ngram, emission : ndarray of int64, shape (cells,)
        Which two of the scores make up each cell.
    batch : Batch
    coefficient : ndarray, shape (machines,)
    keeper : Keeper
        Where arrays lie that are kept between two calls.

    Attributes
    ----------
    rows : ndarray of int32, shape (R,)
        The scores that the shard depends on, ascending.
    pairs : ndarray of int32, shape (2 · cells,)
        The two of them that make up each cell, one behind the other.
    """

    def __init__(
        self,
        ngram: Ints,
        emission: Ints,
        batch: Batch,
        coefficient: Floats,
        keeper: Keeper = KEPT_IN_MEMORY,
    ) -> None:
        pairs = np.column_stack((ngram, emission)).ravel()
        rows, place = places(pairs, int(pairs.max(initial=0)) + 1)
        self._take(rows.astype(np.int32), place.astype(np.int32), batch, coefficient, keeper)

    @classmethod
    def of_rows(
        cls, rows: Ints32, pairs: Ints32, batch: Batch, share: Floats, keeper: Keeper = KEPT_IN_MEMORY
    ) -> ShardSum:
        """The part of a sum whose rows are known, `pairs` being places among them."""
        found = cls.__new__(cls)
        found._take(rows, pairs, batch, share, keeper)
        return found

    def _take(self, rows: Ints32, pairs: Ints32, batch: Batch, share: Floats, keeper: Keeper) -> None:
        self.rows, self.pairs = keeper.keep(rows), keeper.keep(pairs)
        self.coefficient = share
        self.sums = SumProduct(batch, keeper.allocate)

    def __call__(self, scores: Floats) -> ShardAnswer:
        """The part's value, and the expected counts of its rows."""
        own = scores[self.rows]
        log_z, counts = self.sums(self._cells(own), self.coefficient)
        # E[row] = Σ over the cells c of the row of E[c]: the transpose of _cells, (R,)
        found = np.zeros(len(own))
        kernels.scatter(*_two_a_row(self.pairs), counts, found)
        # Without BLAS, whose sums may depend on its threads.
        return ShardAnswer(float(np.sum(self.coefficient * log_z)), found, self.sums.renewed)

    def anchor(self, scores: Floats) -> None:
        """Renew the potential by these scores."""
        self.sums.anchor(self._cells(scores[self.rows]))

    def _cells(self, own: Floats) -> Floats:
        """The score of each cell, the sum of two: one sparse product, where numpy would gather twice."""
        scores = np.zeros(len(self.pairs) // 2)
        kernels.gather(*_two_a_row(self.pairs), own, scores)
        return scores


_two: tuple[Ints32, Floats] = np.zeros(1, np.int32), np.zeros(0)


def _two_a_row(pairs: Ints32) -> tuple[Ints32, Ints32, Floats]:
    """The matrix of ones in compressed rows whose rows have these two columns each."""
    global _two
    indptr, ones = _two
    if len(ones) < len(pairs):
        _two = indptr, ones = np.arange(0, len(pairs) + 1, 2, dtype=np.int32), np.ones(len(pairs))
    return indptr[: len(pairs) // 2 + 1], pairs, ones[: len(pairs)]
