"""Constituents over the words that count, against a recursive twin."""

from __future__ import annotations

import pytest
from bracket_cases import brackets_of, tree_pairs
from hypothesis import given

from fstce.corpora import Tree, parse_tree
from fstce.errors import CorpusError
from fstce.evaluation import constituents


def test_punctuation_goes_and_spans_close_over_it() -> None:
    tree = parse_tree(
        "(S (`` ``) (S (NP (PRP I)) (VP (VBP go))) (, ,) (PRN (-LRB- -LRB-) (-RRB- -RRB-)) (. .))"
    )
    found = constituents(tree)
    assert (found.words, found.tags) == (("I", "go"), ("PRP", "VBP"))
    assert found.spans == (("S", 0, 2), ("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2))
    assert found.deleted == ("``", ",", "-LRB-", "-RRB-", ".")


def test_words_may_be_chosen_by_place() -> None:
    tree = parse_tree("(S (NP (PRP I)) (VP (VBP go) (ADVP (RB home))))")
    found = constituents(tree, kept=[True, False, True])
    assert (found.words, found.spans) == (
        ("I", "home"),
        (("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2), ("ADVP", 1, 2)),
    )


def test_a_sentence_of_punctuation_is_empty() -> None:
    assert constituents(parse_tree("(X (. .))")) == ((), (), (), (".",))


def test_a_tree_may_be_a_tag_or_very_deep() -> None:
    assert constituents(Tree("NN", ("dog",))) == (("dog",), ("NN",), (), ())
    deep = Tree("NN", ("dog",))
    for _ in range(5000):
        deep = Tree("NP", (deep,))
    assert len(constituents(deep).spans) == 5000


@given(tree_pairs())
def test_spans_are_those_of_the_twin(pair: tuple[Tree, Tree | None]) -> None:
    found = constituents(pair[0], {",", ".", "-NONE-"})
    spans, words = brackets_of(pair[0], (",", ".", "-NONE-"))
    assert [span[1:] for span in found.spans] == [span[1:] for span in spans]
    assert list(zip(found.words, found.tags, strict=True)) == words


@given(tree_pairs())
def test_nothing_deleted_leaves_the_spans_of_the_tree(pair: tuple[Tree, Tree | None]) -> None:
    assert constituents(pair[0], deleted=()).spans == pair[0].spans()


def test_a_word_without_a_tag_is_an_error() -> None:
    with pytest.raises(CorpusError, match="'dog' has no tag"):
        constituents(Tree("NP", (Tree("DT", ("the",)), "dog")))
