"""The sum over all sentences, Σ*: what a log-linear tagger is normalized by where nothing else is given.

The partition function of a cyclic machine (:mod:`fstce.wfsa.cyclic`), whose states are tag
histories. It diverges at θ = 0 already; start from log-probabilities, such as an HMM's.
"""

from __future__ import annotations

import numpy as np

from fstce.errors import MachineError
from fstce.numeric.types import Floats
from fstce.wfsa.cyclic import DivergenceError, partition
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.terms import EmissionTable, WildcardScores

TABLE_LIMIT = 1_100_000


class TagUniverse:
    """All tagged sentences of Σ*, of every length but zero, under an n-gram tagger.

    States are tag histories, and each step to a tag carries the log-sum over the words that
    the tag may emit; the sum is the limit of that of
    :class:`~fstce.wfsa.chain.WildcardChain` over all lengths.
    """

    def __init__(self, n_tags: int, order: int) -> None:
        base = n_tags + 1
        if base**order > TABLE_LIMIT:
            raise MachineError(
                f"the sum over all sentences has {base**order:,} tag n-grams, more than {TABLE_LIMIT:,}; "
                "project the tags to a coarser set or lower the order"
            )
        self.n_tags = n_tags
        self._copies = base if order == 1 else 1  # unigrams become bigrams that ignore the history
        self._histories = base ** max(order - 1, 1)
        number = np.arange(self._histories * base).reshape(-1, base)[:, :-1].ravel()
        self._source, self._target = number // base, number % self._histories
        self._start = np.full(self._histories, -np.inf)
        self._start[-1] = 0.0  # nothing but boundaries

    def __call__(self, ngram_scores: Floats, wildcard_scores: Floats) -> tuple[float, Floats, Floats]:
        """Sum over all tagged sentences.

        ``ngram_scores`` ((T + 1)^order,): log weights by n-gram number (code − 1); −inf where no sentence has
        it. ``wildcard_scores`` (T,): the log-sum of the emission weights of each tag. ``ngram_counts`` is ((T
        + 1)^order,). ``wildcard_counts`` (T,): expected counts in a sentence.
        """
        table = np.tile(ngram_scores, self._copies).reshape(self._histories, -1)
        steps = (table[:, :-1] + wildcard_scores).ravel()
        stops = table[:, -1].copy()
        stops[-1] = -np.inf  # the empty sentence
        try:
            sums = partition(self._source, self._target, steps, self._start, stops, self._histories)
        except DivergenceError as error:
            raise DivergenceError.at(np.log(error.radius), "tagged sentences", "step to a tag") from None
        counts = np.column_stack((sums.arcs.reshape(self._histories, -1), sums.final))
        ngram_counts = counts.reshape(self._copies, -1).sum(axis=0)
        return sums.log_z, ngram_counts, counts[:, :-1].sum(axis=0)


class UniverseSum:
    """coefficient · log Z(θ) of Σ*: what a log-linear tagger of all sentences normalizes by.

    ``features``, ``emissions``: as of :class:`~fstce.wfsa.terms.WildcardScores`.
    """

    def __init__(self, features: TagFeatures, emissions: EmissionTable, coefficient: float) -> None:
        self.coefficient = coefficient
        self._scores = WildcardScores(features, emissions)
        self._universe = TagUniverse(len(features.tags), features.order)

    def bound_to(self, features: TagFeatures, emissions: EmissionTable) -> UniverseSum:
        """The same sum as a function of another model's weights."""
        return UniverseSum(features, emissions, self.coefficient)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        log_z, gradient = self._scores.through(theta, self._universe)
        return self.coefficient * log_z, self.coefficient * gradient
