"""One shard's part of a sum: a function of the scores, and of those that its potential is of."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from fstce.estimation.resources import STORED_IN_MEMORY, ArrayStore
from fstce.numeric import kernels
from fstce.numeric.ranges import places
from fstce.numeric.types import Bools, Floats, Ints, Ints32
from fstce.wfsa.batch import Batch
from fstce.wfsa.sumproduct import MODERATE, LogWeights, SumProduct, workspace

_ONE = np.ones(1)


class ShardAnswer(NamedTuple):
    """Σ coefficient · log Z (nats), the expected counts of a shard's rows, whether its potential is fresh."""

    value: float
    counts: Floats
    refreshed: bool


def cell_rows(ngram: Ints, emission: Ints) -> tuple[Ints32, Ints32]:
    """The scores that cells depend on, ascending, and their places: all cells' first, then their second.

    ``ngram``, ``emission`` (cells,): which two of the scores make up each cell.
    """
    pairs = np.concatenate((ngram, emission))
    rows, place = places(pairs, int(pairs.max(initial=0)) + 1)
    return rows.astype(np.int32), place.astype(np.int32)


class ShardSum:
    """One shard's part of a sum, as a function of the scores of n-grams and emissions end to end.

    ``rows`` (R,), ``pairs`` (2 · cells,): as of :func:`cell_rows`. ``coefficient`` is (machines,).
    ``store``: where arrays lie that are kept between two calls.
    """

    def __init__(
        self,
        rows: Ints32,
        pairs: Ints32,
        batch: Batch,
        coefficient: Floats,
        store: ArrayStore = STORED_IN_MEMORY,
    ) -> None:
        self.rows, self.pairs = store.keep(rows), store.keep(pairs)
        self.coefficient = coefficient
        self.sums = SumProduct(batch, store.allocate)

    def __call__(self, scores: Floats) -> ShardAnswer:
        """The part's value, and the expected counts of its rows."""
        own = _Pairs(scores[self.rows], self.pairs)
        log_z, counts = self.sums.sums(own, len(self.pairs) // 2, self.coefficient)
        # E[row] = Σ over the cells c of the row of E[c], (R,)
        of_rows = np.zeros(len(own.rows))
        for row in np.split(self.pairs, 2):
            kernels.scatter(_whole(row), row, counts, _ONE, of_rows)
        # Without BLAS, whose sums may depend on its threads.
        return ShardAnswer(float(np.sum(self.coefficient * log_z)), of_rows, self.sums.refreshed)

    def refresh(self, scores: Floats) -> None:
        """Refresh the potential by these scores."""
        self.sums.refresh(_Pairs(scores[self.rows], self.pairs).scores)


class _Pairs(LogWeights):
    """The log weights of cells that are sums of two rows: exponentials of the rows are fewer."""

    def __init__(self, rows: Floats, pairs: Ints32) -> None:
        self.rows, (self._first, self._second) = rows, np.split(pairs, 2)

    @cached_property
    def scores(self) -> Floats:  # type: ignore[override]
        """The log weight of each cell, shape (cells,)."""
        return np.asarray(self.rows[self._first] + self.rows[self._second])

    def are_moderate(self, closed: Bools | None) -> bool:
        return (closed is None and self._are_half_moderate) or super().are_moderate(closed)

    @cached_property
    def _are_half_moderate(self) -> bool:
        return bool(max(-self.rows.min(), self.rows.max()) < MODERATE / 2)

    def exp(self) -> Floats:
        if not self._are_half_moderate:
            return super().exp()
        rows, weights = np.exp(self.rows), workspace.first("cells", len(self._first))
        kernels.take(self._first, rows, weights)
        kernels.scale(_whole(self._second), self._second, weights, rows)
        return weights


def _whole(row: Ints32) -> Ints32:
    """All of it as one row or column of a sparse matrix, which costs less than a row each."""
    return np.array([0, len(row)], np.int32)
