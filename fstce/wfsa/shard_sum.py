"""One shard's part of a sum: a function of the scores, and of those that its potential is of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Ints32
from fstce.wfsa.batch import Batch
from fstce.wfsa.resources import KEPT_IN_MEMORY, Keeper
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
    ngram, emission : ndarray of int32, shape (cells,)
        The two of them that make up each cell.
    """

    def __init__(
        self,
        ngram: Ints,
        emission: Ints,
        batch: Batch,
        coefficient: Floats,
        keeper: Keeper = KEPT_IN_MEMORY,
    ) -> None:
        rows, place = np.unique(np.concatenate((ngram, emission)), return_inverse=True)
        own = np.split(place.astype(np.int32), 2)
        self._take(rows.astype(np.int32), own[0], own[1], batch, coefficient, keeper)

    @classmethod
    def of_rows(
        cls,
        rows: Ints32,
        ngram: Ints32,
        emission: Ints32,
        batch: Batch,
        share: Floats,
        keeper: Keeper = KEPT_IN_MEMORY,
    ) -> ShardSum:
        """The part of a sum whose rows are known, `ngram` and `emission` being places among them."""
        found = cls.__new__(cls)
        found._take(rows, ngram, emission, batch, share, keeper)
        return found

    def _take(
        self, rows: Ints32, ngram: Ints32, emission: Ints32, batch: Batch, share: Floats, keeper: Keeper
    ) -> None:
        self.rows, self.ngram, self.emission = map(keeper.keep, (rows, ngram, emission))
        self.coefficient = share
        self.sums = SumProduct(batch, keeper.allocate)

    def __call__(self, scores: Floats) -> ShardAnswer:
        """The part's value, and the expected counts of its rows."""
        own = scores[self.rows]
        log_z, counts = self.sums(own[self.ngram] + own[self.emission], self.coefficient)
        found = total(self.ngram, counts, len(own))
        found += total(self.emission, counts, len(own))
        # Without BLAS, whose sums may depend on its threads.
        return ShardAnswer(float(np.sum(self.coefficient * log_z)), found, self.sums.renewed)

    def anchor(self, scores: Floats) -> None:
        """Renew the potential by these scores."""
        own = scores[self.rows]
        self.sums.anchor(own[self.ngram] + own[self.emission])
