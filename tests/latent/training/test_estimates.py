"""States of training and the grammars they stand for."""

from __future__ import annotations

import numpy as np

from fstce.corpora import sample
from fstce.latent.training.estimates import grammar_to_estimates, to_grammar
from fstce.latent.training.treebank import read_treebank, treebank_grammar


def test_a_grammar_is_that_of_its_estimates() -> None:
    treebank = read_treebank(sample())
    grammar = treebank_grammar(treebank)
    again = to_grammar(
        treebank, grammar_to_estimates(grammar), np.arange(len(treebank.symbols)), 0.0
    )
    np.testing.assert_array_equal(again.rules, grammar.rules, strict=True)
    words = sample()[0].words
    np.testing.assert_array_equal(again.lexicon.scores(words), grammar.lexicon.scores(words))
    assert (again.lexicon.sides == treebank.tags).all() and (
        grammar.lexicon.sides == treebank.tags
    ).all()
