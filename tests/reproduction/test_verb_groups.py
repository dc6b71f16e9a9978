"""Verb groups against trees written out by hand, and their laws on the sample."""

from __future__ import annotations

import pytest

from fstce.corpora import Tree, parse_tree, sample
from fstce.reproduction.distribution_filled import flat_noun_phrases, verb_groups


@pytest.mark.parametrize(
    ("tree", "wanted"),
    [
        (
            "(S (NP (NN a)) (VP (VBD saw) (NP (NN b))))",
            "(S (NP (NN a)) (VP (VBD saw)) (NP (NN b)))",
        ),
        (
            "(S (VP (VBZ has) (ADVP (RB now)) (VP (VBN been) (VP (VBN seen) (ADVP (RB often))))))",
            "(S (VP (VBZ has) (ADVP (RB now)) (VBN been) (VBN seen)) (ADVP (RB often)))",
        ),
        (
            "(S (NP (NN a)) (VP (VP (VBZ sings)) (CC and) (VP (VBZ plays) (NP (NN b)))))",
            "(S (NP (NN a)) (VP (VBZ sings)) (CC and) (VP (VBZ plays)) (NP (NN b)))",
        ),
        (
            "(S (VP (VBZ wants) (S (VP (TO to) (VP (VB go) (PP (TO to) (NP (NN b))))))))",
            "(S (VP (VBZ wants)) (S (VP (TO to) (VB go)) (PP (TO to) (NP (NN b)))))",
        ),
        ("(NP (DT the) (VBN used) (NN car))", "(NP (DT the) (VBN used) (NN car))"),
        ("(VP (VB go) (NP (NN home)))", "(VP (VP (VB go)) (NP (NN home)))"),
    ],
)
def test_written_out(tree: str, wanted: str) -> None:
    assert str(verb_groups(parse_tree(tree))) == wanted


def test_words_stay_and_other_phrases_too() -> None:
    for sentence in sample():
        found = verb_groups(sentence.tree)
        assert found.pos() == sentence.tree.pos()
        assert others(found) == others(sentence.tree)


def others(tree: Tree) -> list[tuple[str, int, int]]:
    return sorted(span for span in tree.spans() if span[0] != "VP")


@pytest.mark.parametrize(
    ("tree", "wanted"),
    [
        (
            "(NP (NP (NP (NN a)) (PP (IN of) (NP (NN b)))) (SBAR (WDT c)))",
            "(NP (NN a) (PP (IN of) (NP (NN b))) (SBAR (WDT c)))",
        ),
        ("(NP (NP (NN a)) (CC and) (NP (NN b)))", "(NP (NP (NN a)) (CC and) (NP (NN b)))"),
        ("(NP (NP (NN a)))", "(NP (NP (NN a)))"),
        ("(S (NP (NN a)) (VP (VB b)))", "(S (NP (NN a)) (VP (VB b)))"),
        ("(NPX (NP (NN a)) (PP (IN b)))", "(NPX (NP (NN a)) (PP (IN b)))"),
    ],
)
def test_flat_noun_phrases(tree: str, wanted: str) -> None:
    assert str(flat_noun_phrases(parse_tree(tree))) == wanted
