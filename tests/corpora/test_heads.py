"""Collins's head rules, on trees worked by hand."""

from __future__ import annotations

import pytest

from fstce.corpora import Sentence, parse_tree
from fstce.corpora.heads import head_child, head_indices, head_rules, with_heads
from fstce.errors import CorpusError


@pytest.mark.parametrize(
    ("phrase", "head"),
    [
        ("(NP (DT the) (NN dog) (POS 's))", "'s"),
        ("(NP (DT the) (JJ old) (NN dog) (NN days))", "days"),
        ("(NP (NN dog) (JJR better) (JJ old))", "better"),
        ("(NP (NP (NN one)) (NP (NN two)))", "one"),
        ("(NP (DT the) ($ $) (CD five))", "$"),
        ("(NP (DT the) (CD five) (JJ old))", "five"),
        ("(NP (DT the) (JJ rich) (RB here))", "here"),
        ("(NP (DT this) (PRP it))", "it"),
        ("(NX (NN a) (NN b))", "b"),
        ("(S (NP (PRP we)) (VP (VBP go)) (. .))", "go"),
        ("(S (VP (TO to)) (S (NN x)))", "to"),
        ("(VP (MD will) (VP (VB go)))", "will"),
        ("(VP (VBZ has) (TO to) (VBN gone))", "to"),
        ("(PP (IN of) (TO to))", "of"),
        ("(PP (RB just) (IN before) (RP up))", "before"),
        ("(ADVP (RB very) (RB well))", "well"),
        ("(ADJP (RB so) (JJ good) (NNS years))", "years"),
        ("(QP (IN about) (CD ten) ($ $))", "$"),
        ("(WHNP (JJ x) (WP who) (WDT which))", "which"),
        ("(SBAR (IN that) (S (NN x)))", "that"),
        ("(FRAG (NN a) (NN b) (. .))", "b"),
        ("(PRN (-LRB- -LRB-) (NN a) (NN b))", "a"),
        ("(UNKNOWN (`` ``) (NN a) (NN b))", "a"),
        ("(LST (LS 1) (. .))", "1"),
        ("(X (, ,) (. .))", ","),
    ],
)
def test_the_head_of_a_phrase(phrase: str, head: str) -> None:
    tree = parse_tree(phrase)
    assert tree.leaves()[head_indices(tree).index(0)] == head


@pytest.mark.parametrize(
    ("phrase", "child"),
    [
        ("(NP (NNS cats) (CC and) (NNS dogs))", 0),
        ("(NP (NN a) (, ,) (NN b) (, ,) (CC and) (NN c))", 2),
        ("(UCP (NN a) (CONJP (RB as) (RB well)) (JJ b))", 0),
        ("(NP (CC both) (NNS dogs))", 1),
        ("(VP (VBP sit) (CC and) (VBP eat))", 0),
    ],
)
def test_the_first_conjunct_heads_a_coordination(phrase: str, child: int) -> None:
    assert head_child(parse_tree(phrase)) == child


def test_the_heads_of_a_sentence() -> None:
    text = """(S (NP (NP (DT The) (NN owner)) (PP (IN of) (NP (NNS cats) (CC and) (NNS dogs))))
      (VP (MD will) (VP (VB walk) (NP (PRP them)) (ADVP (RB today)))) (. .))"""
    tree = parse_tree(text)
    assert tree.leaves() == (
        "The",
        "owner",
        "of",
        "cats",
        "and",
        "dogs",
        "will",
        "walk",
        "them",
        "today",
        ".",
    )
    assert head_indices(tree) == (2, 7, 2, 3, 4, 4, 0, 7, 8, 8, 7)


def test_a_word_alone_is_the_root() -> None:
    assert head_indices(parse_tree("(UH Yes)")) == (0,)


def test_the_table_knows_its_manners_and_resolves_its_references() -> None:
    assert {manner for rules in head_rules().values() for manner, _ in rules} == {
        "left",
        "right",
        "right-any",
        "last",
    }
    assert head_rules()["NX"] == head_rules()["NML"] == head_rules()["NP"]
    assert [manner for manner, _ in head_rules()["NP"]][:2] == ["last", "right-any"]


def test_a_sentence_gets_the_heads_of_its_tree_unless_it_has_its_own() -> None:
    tree = parse_tree("(S (NP (PRP We)) (VP (VBP walk)))")
    parsed = Sentence(["We", "walk"], tree=tree)
    annotated = Sentence(["We", "walk"], heads=[0, 1], tree=tree)
    assert with_heads(parsed).heads == (2, 0)
    assert with_heads(annotated) is annotated
    assert [with_heads(s).heads for s in (parsed, annotated)] == [(2, 0), (0, 1)]
    with pytest.raises(CorpusError, match=r"a\.txt:2: neither heads nor a tree"):
        with_heads(Sentence(["a"], source="a.txt:2"))


def test_heads_of_the_treebank_are_trees_and_near_its_published_dependencies(
    nltk_treebank: list[Sentence], nltk_dependency_treebank: list[Sentence]
) -> None:
    ours = [sentence.heads or () for sentence in map(with_heads, nltk_treebank)]
    theirs = [sentence.heads or () for sentence in nltk_dependency_treebank]
    assert all(heads.count(0) == 1 for heads in ours)
    assert all(_reaches_root(heads) for heads in ours)
    agreed = sum(
        x == y for a, b in zip(ours, theirs, strict=True) for x, y in zip(a, b, strict=True)
    )
    # Conversions differ in coordination, to-infinitives and QP
    assert agreed / sum(map(len, ours)) > 0.8


def _reaches_root(heads: tuple[int, ...]) -> bool:
    reached = {0}
    for start in range(1, len(heads) + 1):
        path: list[int] = []
        word = start
        while word not in reached and len(path) <= len(heads):
            path.append(word)
            word = heads[word - 1]
        reached.update(path if word in reached else ())
    return len(reached) == len(heads) + 1
