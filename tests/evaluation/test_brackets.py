"""Packed brackets against comparing them two by two."""

from __future__ import annotations

from collections import Counter

import numpy as np
from bracket_cases import crosses
from hypothesis import given
from hypothesis import strategies as st

from fstce.evaluation.bracket_scores import (
    Brackets,
    Numbers,
    around_same,
    crossing,
    distinct,
    matches,
    pack,
    per_sentence,
    select,
    without_labels,
)

Row = list[tuple[int, int, int]]
N_WORDS = np.array([6, 4, 5])


@st.composite
def sides(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """Any brackets, nested or not, on two sides of three sentences."""

    def row(n: int) -> st.SearchStrategy[Row]:
        span = st.tuples(st.integers(0, 2), st.integers(0, n - 1), st.integers(1, n))
        return st.lists(span.map(lambda s: (s[0], min(s[1], s[2] - 1), s[2])), max_size=6)

    return tuple([draw(row(n)) for n in N_WORDS.tolist()] for _ in range(2))


def packed(rows: tuple[list[Row], list[Row]]) -> tuple[Brackets, Brackets]:
    return pack(rows[0], N_WORDS), pack(rows[1], N_WORDS)


@given(sides())
def test_matches_are_the_smaller_counts(rows: tuple[list[Row], list[Row]]) -> None:
    found = matches(*packed(rows))
    expected: Counter[tuple[int, int]] = Counter()
    for sentence, (gold, predicted) in enumerate(zip(*rows, strict=True)):
        for (label, *_), times in (Counter(gold) & Counter(predicted)).items():
            expected[sentence, label] += times
    counted: Counter[tuple[int, int]] = Counter()
    for sentence, label, times in zip(*(column.tolist() for column in found), strict=True):
        counted[sentence, label] += times
    assert counted == expected


@given(sides())
def test_crossing_is_found_for_any_brackets(rows: tuple[list[Row], list[Row]]) -> None:
    expected = [
        any(crosses(bracket[1:], other[1:]) for other in gold)
        for gold, predicted in zip(*rows, strict=True)
        for bracket in predicted
    ]
    assert crossing(*packed(rows)).tolist() == expected


@given(sides())
def test_brackets_around_the_same_words(rows: tuple[list[Row], list[Row]]) -> None:
    expected = [
        bracket[1:] in {other[1:] for other in there}
        for here, there in zip(*rows, strict=True)
        for bracket in here
    ]
    assert around_same(*packed(rows)).tolist() == expected


@given(sides())
def test_distinct_brackets_are_a_set(rows: tuple[list[Row], list[Row]]) -> None:
    found, _ = packed(rows)
    sizes = [len(set(row)) for row in rows[0]], [len({span[1:] for span in row}) for row in rows[0]]
    for brackets, size in zip((found, without_labels(found)), sizes, strict=True):
        assert per_sentence(distinct(brackets).sentence, 3).tolist() == size


def test_a_bracket_at_the_end_is_none_at_the_start_of_the_next() -> None:
    found = pack([[(0, 3, 5)], [(0, 0, 2)]], np.array([5, 2]))
    assert len(set(found.start.tolist() + found.end.tolist())) == 4


def test_weights_are_summed_by_sentence() -> None:
    assert per_sentence(np.array([0, 2, 2]), 4, np.array([True, True, False])).tolist() == [1, 0, 1, 0]
    assert select(pack([[(7, 0, 1), (8, 0, 1)]], np.array([1])), np.array([False, True])).label.tolist() == [
        8
    ]


def test_names_of_one_category_share_a_number() -> None:
    numbers = Numbers(str.lower)
    assert [numbers[name] for name in ("NP", "np", "VP", "Np")] == [0, 0, 1, 0]
    assert numbers.names == ["np", "vp"]
