"""What latent grammars take as trees; what they share when they parse is tested with each of them."""

from __future__ import annotations

import pytest

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import Sentence, Tree, parse_tree, sample
from fstce.errors import CorpusError
from fstce.latent.tree_parser import TreeParser, with_trees

TREE = parse_tree("(NP (DT a) (NN dog))")


def test_sentences_trees_and_words_beside_trees() -> None:
    text = sample()[:3]
    assert with_trees(text) == text
    assert with_trees(iter([TREE]))[0].tree is TREE
    beside = with_trees([s.words for s in text], [s.tree for s in text])
    assert [(s.words, s.tree) for s in beside] == [(s.words, s.tree) for s in text]


@pytest.mark.parametrize(
    ("given", "trees", "message"),
    [
        ([TREE, "a dog"], None, "item 2 is neither"),
        ([TREE, Tree("S", ())], None, "tree 2 has no words"),
        ([["a", "cat"]], [TREE], "sentence 1: the words are not those of its tree"),
        ([["a", "dog"]], ["(NP a dog)"], "sentence 1 is .*: give a fstce.corpora.Tree"),
        ([["a", "dog"]], [TREE, TREE], "1 sentences but 2 trees"),
    ],
)
def test_what_has_no_tree(given: list[object], trees: list[object] | None, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        with_trees(given, trees)


def test_both_kinds_of_parsers_are_one() -> None:
    text = [Sentence(TREE.leaves(), tree=TREE)]
    one = LatentGrammar(cycles=0).fit(text)
    for parser in (one, GrammarProduct([one])):
        assert isinstance(parser, TreeParser)
        assert parser.predict([["a", "dog"]]) == [TREE]
        assert parser.score([["a", "dog"]], [TREE]) == 1.0
