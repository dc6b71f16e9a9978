"""Counts of any brackets, crossing and repeated ones too, against comparing them two by two."""

from __future__ import annotations

from collections import Counter
from random import Random

from bracket_cases import brackets_of, column, crosses, grow, matched
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Tree
from fstce.evaluation import unlabelled_scores
from fstce.evaluation.bracket_scores import CategoryCounts

Row = list[tuple[int, int]]


@st.composite
def sides(draw: st.DrawFn) -> list[tuple[Tree, Row]]:
    """Gold trees, and any spans of their words, nested or not, some of them several times."""
    random = Random(draw(st.integers(0, 2**32)))
    pairs = []
    for n in draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)):
        gold = grow([(random.choice("ab"), "NN") for _ in range(n)], random)
        ends = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(1, n)), max_size=6))
        pairs.append((gold, [(min(a, b - 1), b) for a, b in ends]))
    return pairs


@given(sides())
def test_matches_and_crossings_of_any_spans(pairs: list[tuple[Tree, Row]]) -> None:
    gold, found = zip(*pairs, strict=True)
    scores = unlabelled_scores(gold, found, single_words=True)
    rows = []
    for tree, spans in pairs:
        n = len(tree.leaves())
        right = sorted({("", a, b) for _, a, b in brackets_of(tree)[0] if b - a < n})
        predicted = sorted({("", a, b) for a, b in spans if b - a < n})
        n_matched = len(matched(right, predicted))
        n_crossing = sum(any(crosses(p[1:], g[1:]) for g in right) for p in predicted)
        complete = len(right) == len(predicted) == n_matched
        rows.append([len(right), len(predicted), n_matched, complete, n_crossing, n_crossing <= 2])
    names = ("gold", "predicted", "matched", "complete", "crossing", "two_crossing")
    assert [
        list(row) for row in zip(*(column(scores, name) for name in names), strict=True)
    ] == rows


@given(sides())
def test_a_gold_bracket_is_found_by_any_around_the_same_words(
    pairs: list[tuple[Tree, Row]],
) -> None:
    scores = unlabelled_scores(*zip(*pairs, strict=True), single_words=True)
    right, hit = Counter[str](), Counter[str]()
    for tree, spans in pairs:
        for label, *span in set(brackets_of(tree)[0]):
            if span[1] - span[0] < len(tree.leaves()):
                right[label] += 1
                hit[label] += tuple(span) in spans
    assert scores.by_category() == {
        name: CategoryCounts(n, 0, hit[name]) for name, n in right.items()
    }
