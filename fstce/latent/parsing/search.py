"""The best derivations of a batch of sentences over one pruned forest, by one grammar or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.maxrule import (
    Combination,
    best_edges,
    derivation_of,
    instance_weights,
)
from fstce.latent.parsing.pruned_forest import PrunedForest
from fstce.latent.parsing.refine import SplitCharts
from fstce.numeric.types import Floats, Ints

Derivation = tuple[int, ...]


@dataclass(eq=False)
class Search:
    """The best derivations of the sentences of one forest.

    ``scores``: P(word | subcategory) a grammar, for the words of all sentences, end to end.
    """

    forest: PrunedForest
    grammars: Sequence[SplitGrammar]
    scores: Sequence[Floats]
    combination: Combination

    def log_probabilities(self) -> Floats:
        """log P(sentence | G), shape (n_grammars, n_sentences)."""
        return np.stack([charts.log_probability for charts in self._charts()])

    def derivation(self, sentence: int) -> Derivation | None:
        """The best derivation of a sentence; None if it has no parse."""
        score, edge = self._best
        root = int(self.forest.root[sentence])
        if root < 0 or np.isneginf(score[root]):
            return None
        return derivation_of(self.forest, edge, root)

    def _charts(self) -> Iterator[SplitCharts]:
        for grammar, scores in zip(self.grammars, self.scores, strict=True):
            yield SplitCharts(self.forest, grammar, scores)

    @cached_property
    def _best(self) -> tuple[Floats, Ints]:
        """The score of each node's best derivation, and its first edge."""
        posteriors = [charts.posteriors()[0] for charts in self._charts()]
        return best_edges(self.forest, instance_weights(posteriors, self.forest, self.combination))
