"""Counts by sentence: limits, categories, columns."""

from __future__ import annotations

from bracket_cases import column, tree_pairs
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Tree
from fstce.evaluation import evalb_scores

Pairs = list[tuple[Tree, Tree | None]]


@given(st.lists(tree_pairs(), min_size=1, max_size=8), st.integers(0, 10))
def test_a_limit_is_a_choice_of_sentences(pairs: Pairs, limit: int) -> None:
    scores = evalb_scores([gold for gold, _ in pairs], [found for _, found in pairs])
    chosen = [pair for pair, length in zip(pairs, scores.lengths, strict=True) if length <= limit]
    short = scores.up_to(limit)
    assert len(short) == len(chosen)
    if chosen:
        again = evalb_scores([gold for gold, _ in chosen], [found for _, found in chosen])
        assert short.total() == again.total()
        assert short.by_category() == again.by_category()
        assert short.up_to(limit - 1).by_category() == again.up_to(limit - 1).by_category()


@given(st.lists(tree_pairs(), min_size=1, max_size=8))
def test_categories_share_out_the_total(pairs: Pairs) -> None:
    scores = evalb_scores([gold for gold, _ in pairs], [found for _, found in pairs])
    rows, total = scores.by_category().values(), scores.total()
    for side in ("gold", "predicted", "matched"):
        assert sum(getattr(row, side) for row in rows) == getattr(total, side)
    assert [row.gold for row in rows] == sorted((row.gold for row in rows), reverse=True)


@given(st.lists(tree_pairs(), min_size=1, max_size=8))
def test_statistics_of_the_sums_are_the_scores_of_the_total(pairs: Pairs) -> None:
    scores = evalb_scores([gold for gold, _ in pairs], [found for _, found in pairs])
    total = scores.total()
    assert column(scores, "matched").sum() == total.matched
    assert str(float(scores.statistic("f1")(scores.matrix.sum(axis=0)))) == str(float(total.f1))
