"""The shared data structures."""

from __future__ import annotations

import numpy as np

from fstce.corpora import sample
from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.training.treebank import read_treebank, treebank_grammar


def test_offsets() -> None:
    assert offsets_of(np.array([], dtype=np.int64)).tolist() == [0]
    assert offsets_of(np.array([2, 1, 3])).tolist() == [0, 2, 3, 6]


def test_a_hierarchy_of_one() -> None:
    grammar = treebank_grammar(read_treebank(sample()))
    hierarchy = SplitHierarchy((grammar,))
    assert hierarchy.finest is grammar
    assert grammar.n_subcategories == len(grammar.symbols)


def test_the_promises_of_a_grammar() -> None:
    grammar = treebank_grammar(read_treebank(sample()))
    assert grammar.symbols[0] == "ROOT" and grammar.sizes[0] == 1
    assert sorted(grammar.binary.tolist()) == grammar.binary.tolist()
    assert sorted(grammar.unary.tolist()) == grammar.unary.tolist()
    assert len(np.unique(grammar.binary, axis=0)) == len(grammar.binary)
    assert not set(grammar.tags) & {*grammar.binary[:, 0], *grammar.unary[:, 0]}
    assert (grammar.unary[:, 0] != grammar.unary[:, 1]).all()
    assert 0 not in grammar.binary and 0 not in grammar.unary[:, 1]
    rules = [*zip(*grammar.unary.T.tolist(), grammar.chains, strict=True)]
    assert len(set(rules)) == len(rules) and rules == sorted(rules)
