"""Packed forests of tiny grammars, for tests of latent-variable parsing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.coarse import CoarseTables, coarse_charts
from fstce.latent.parsing.pruned_forest import PrunedForest, pruned_forest


def forest_of(
    grammar: SplitGrammar,
    sentences: Sequence[Sequence[str]],
    threshold: float = 0.0,
    edge_threshold: float = 0.0,
) -> PrunedForest:
    """The forest of sentences under an unsplit grammar."""
    tables = CoarseTables(grammar)
    charts = coarse_charts(tables, [grammar.lexicon.scores(words) for words in sentences])
    return pruned_forest(tables, charts, threshold, edge_threshold)


def scores_of(grammar: SplitGrammar, sentences: Sequence[Sequence[str]]) -> np.ndarray:
    """Lexicon scores of the words of all sentences, end to end."""
    return np.concatenate([grammar.lexicon.scores(words) for words in sentences])
