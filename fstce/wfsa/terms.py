"""Log-linear sums as functions of the weights θ: the terms of which objectives are made.

A term is Σ over machines of coefficient · log Z(θ) with its gradient. Criteria differ
only in the lattices and the signs: contrastive estimation is Σ log Z of the sentence's
taggings minus Σ log Z of the neighborhood's (Smith & Eisner 2005a, Eq. 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fstce.estimation.resources import IN_MEMORY, ArrayStore, Resources
from fstce.numeric.types import Floats, ValueAndGradient
from fstce.processes.workers import in_threads
from fstce.wfsa.batch import Batch, Shard
from fstce.wfsa.features import CellScores, EmissionTable, TagFeatures
from fstce.wfsa.remote import RemoteSums
from fstce.wfsa.sumproduct import ShardSum, cell_rows


class LatticeSum:
    """Σ over the machines of some batches of coefficient · log Z(θ), times a number.

    ``emissions``: scores every (word, tag) of the batches. ``shards``: the automata and their
    coefficients. ``resources``: the threads, or the workers, that add up. ``refreshed``: the
    shards whose potentials the last evaluation has refreshed.
    """

    def __init__(
        self,
        features: TagFeatures,
        emissions: EmissionTable,
        shards: Sequence[Shard],
        scale: float = 1.0,
        resources: Resources = IN_MEMORY,
    ) -> None:
        self.scale = scale
        self.refreshed: list[int] = []
        self._features, self._emissions, self._resources = features, emissions, resources
        self._shards = []
        for shard in shards:
            # What is kept between two evaluations lies where the shard does
            store = ArrayStore(None if shard.path is None else resources.place)
            cells = CellScores(features, emissions, shard.batch)
            rows, pairs = cell_rows(cells.ngram, cells.emission + len(features.ngrams) + 1)
            self._shards.append(ShardSum(rows, pairs, shard.batch, shard.counts, store))
        files = [(shard.path, shard.digest) for shard in shards if shard.path is not None]
        remote = resources.client is not None and len(files) > 0
        self._remote = RemoteSums(resources.client, self._shards, files) if remote else None

    @property
    def batches(self) -> list[Batch]:
        """The packed automata."""
        return [shard.sums.batch for shard in self._shards]

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value in nats and its gradient, shape of θ."""
        scores = self._scores(theta)
        value, counts, self.refreshed = 0.0, np.zeros(len(scores)), []
        if self._remote is None:
            answers = in_threads(lambda shard: shard(scores), self._shards, self._resources.jobs)
        else:
            answers = self._remote(scores)
        for number, (shard, answer) in enumerate(zip(self._shards, answers, strict=True)):
            value += answer.value
            counts[shard.rows] += answer.counts
            if answer.refreshed:
                self.refreshed.append(number)
        ngrams = len(self._features.ngrams)
        slope = self._emissions.gradient(scores[ngrams + 1 :], counts[ngrams + 1 :])
        gradient = np.concatenate((self._features.ngram_gradient(counts[:ngrams]), slope))
        gradient *= self.scale
        return self.scale * value, gradient

    def refresh(self, shards: Iterable[int], theta: Floats) -> None:
        """Refresh the potentials of some shards by these weights, as an evaluation has."""
        scores = self._scores(theta)
        for number in shards:
            if self._remote is None:
                self._shards[number].refresh(scores)
            else:
                self._remote.refresh(number, scores)

    def _scores(self, theta: Floats) -> Floats:
        """The scores of n-grams, of those without a weight, and of emissions, end to end."""
        emissions = self._emissions.scores(theta)
        return np.concatenate((self._features.with_missing(theta), emissions))
