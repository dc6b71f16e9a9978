"""Unlabeled scores against sets of spans, and against EVALB without labels."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bracket_cases import brackets_of, column, crosses, grow
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Tree, parse_tree
from fstce.errors import CorpusError
from fstce.evaluation import constituents, unlabelled_scores
from fstce.evaluation.bracket_scores import CategoryCounts

GOLD = parse_tree("(S (NP (DT the) (NN dog)) (, ,) (VP (VBZ eats) (NP (NN fish))) (. .))")


@st.composite
def tree_pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """Two trees over the same words and tags, at least one of which is no punctuation."""
    random = Random(draw(st.integers(0, 2**32)))
    tags = draw(st.lists(st.sampled_from(("NN", "VB", "DT", ",")), max_size=7))
    words = [(random.choice("ab"), tag) for tag in ["NN", *tags]]
    return grow(words, random), grow(words, random)


def counted(gold: Tree, predicted: Tree, single_words: bool) -> tuple[int, int, int, int]:
    """Gold, predicted, matched and crossing spans, each once."""
    sides = []
    for tree in (gold, predicted):
        spans, words = brackets_of(tree)
        sides.append(
            {
                (start, end)
                for _, start, end in spans
                if (single_words or end - start > 1) and end - start < len(words)
            }
        )
    right, found = sides
    crossing = sum(any(crosses(span, other) for other in right) for span in found)
    return len(right), len(found), len(right & found), crossing


def test_by_hand() -> None:
    # Without punctuation: the dog eats fish. Gold S 0-4, NP 0-2, VP 2-4, NP 3-4: 0-2 and 2-4 count.
    # Right-branching 0-4, 1-4, 2-4: 1-4 and 2-4 count; 2-4 matches, 1-4 crosses 0-2.
    scores = unlabelled_scores([GOLD], [[(0, 4), (1, 4), (2, 4)]])
    total = scores.total()
    assert (total.gold, total.predicted, total.matched, total.crossing) == (2, 2, 1, 1)
    assert scores.by_category() == {"NP": CategoryCounts(1, 0, 0), "VP": CategoryCounts(1, 0, 1)}
    # With single words: 3-4, too.
    total = unlabelled_scores([GOLD], [[(1, 4), (2, 4), (3, 4)]], single_words=True).total()
    assert (total.gold, total.predicted, total.matched) == (3, 3, 2)


def test_a_category_is_found_whatever_the_label_and_once_for_all_around_the_words() -> None:
    gold = parse_tree("(S (NP (NNS dogs)) (VP (TO to) (S (VP (VB eat) (NP (NN fish))))))")
    rows = unlabelled_scores([gold], [[("C7", 2, 4)]]).by_category()
    # S and the lower VP are both around "eat fish"; the upper VP is not found.
    assert (rows["S"].recall, rows["VP"].recall) == (100, 50)
    assert unlabelled_scores([gold], [[(2, 4)]]).total().gold == 2


def test_trees_may_hold_the_punctuation_or_not() -> None:
    bare = parse_tree("(X (C1 (DT the) (NN dog)) (C2 (VBZ eats) (NN fish)))")
    full = parse_tree("(X (C1 (W the) (W dog)) (W ,) (C2 (W eats) (W fish)) (W .))")
    spans = [("C1", 0, 2), ("C2", 2, 4)]
    found = [unlabelled_scores([GOLD], [parse]).total() for parse in (bare, full, spans)]
    assert found[0] == found[1] == found[2]
    assert found[0].exact == 100


@given(st.lists(tree_pairs(), min_size=1, max_size=5), st.booleans())
def test_counts_are_those_of_sets(pairs: list[tuple[Tree, Tree]], single_words: bool) -> None:
    gold, found = zip(*pairs, strict=True)
    scores = unlabelled_scores(gold, found, single_words=single_words)
    names = ("gold", "predicted", "matched", "crossing")
    rows = zip(*(column(scores, name).tolist() for name in names), strict=True)
    assert list(rows) == [counted(*pair, single_words) for pair in pairs]


@given(st.lists(tree_pairs(), min_size=1, max_size=5))
def test_recall_by_category_is_that_of_sets(pairs: list[tuple[Tree, Tree]]) -> None:
    right, hit = Counter[str](), Counter[str]()
    for gold, found in pairs:
        spans, words = brackets_of(gold)
        predicted = {span[1:] for span in brackets_of(found)[0]}
        for label, start, end in set(spans):
            if 1 < end - start < len(words):
                right[label] += 1
                hit[label] += (start, end) in predicted
    scores = unlabelled_scores(*zip(*pairs, strict=True))
    rows = scores.by_category()
    assert {name: row.gold for name, row in rows.items()} == dict(right)
    assert {name: row.matched for name, row in rows.items()} == {name: hit[name] for name in right}


def test_constituents_that_were_found_before_serve_as_their_trees() -> None:
    bare = parse_tree("(S (NP (DT the) (NN dog)) (VP (VBZ eats) (NP (NN fish))))")
    for found in (bare, [(0, 4), (2, 4)]):
        scores = [unlabelled_scores([gold], [found]) for gold in (GOLD, constituents(GOLD))]
        assert scores[0].total() == scores[1].total()


def test_one_word_has_nothing_to_find() -> None:
    tree = parse_tree("(NP (NN fish) (. .))")
    assert unlabelled_scores([tree], [[(0, 1)]]).total().gold == 0
    assert constituents(tree).spans == (("NP", 0, 1),)


def test_other_words_and_spans_outside_are_errors_that_name_the_sentence() -> None:
    with pytest.raises(CorpusError, match="sentence 1: the predicted tree has other words"):
        unlabelled_scores([GOLD], [parse_tree("(X (A the) (B cat) (C eats) (D fish))")])
    with pytest.raises(
        CorpusError, match=r"sentence 2: the span \(2, 5\) is not within its 4 words"
    ):
        unlabelled_scores([GOLD, GOLD], [[], [(2, 5)]])
    with pytest.raises(CorpusError, match="1 gold trees but 0 predicted"):
        unlabelled_scores([GOLD], [])
    with pytest.raises(CorpusError, match="no trees"):
        unlabelled_scores([], [])
