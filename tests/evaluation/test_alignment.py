"""Alignments against all alignments."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.evaluation.correction import Pair, align, edits, is_mark, word_errors

WORDS = st.lists(st.sampled_from(["a", "b", "c", ",", "."]), max_size=5)


def alignments(old: list[str], new: list[str], i: int = 0, j: int = 0) -> Iterator[list[Pair]]:
    """All of them."""
    if i == len(old) and j == len(new):
        yield []
    if i < len(old) and j < len(new):
        yield from ([(i, j), *rest] for rest in alignments(old, new, i + 1, j + 1))
    if i < len(old):
        yield from ([(i, None), *rest] for rest in alignments(old, new, i + 1, j))
    if j < len(new):
        yield from ([(None, j), *rest] for rest in alignments(old, new, i, j + 1))


def changes(old: list[str], new: list[str], pairs: list[Pair], of_marks: bool) -> tuple[int, int]:
    """The number of changes, a word for a mark being three, and of words moved."""
    count = moved = 0
    for i, j in pairs:
        single = i is None or j is None
        word = old[i] if i is not None else new[j or 0]
        different = single or old[i or 0] != new[j or 0]
        mixed = of_marks and not single and is_mark(old[i or 0]) != is_mark(new[j or 0])
        count += 3 if mixed else different
        moved += single and not is_mark(word)
    return count, moved


@given(WORDS, WORDS)
def test_no_alignment_is_better(old: list[str], new: list[str]) -> None:
    best = min(changes(old, new, pairs, True) for pairs in alignments(old, new))
    assert changes(old, new, align(old, new), True) == best


@given(WORDS, WORDS)
def test_word_errors_are_the_fewest_changes(old: list[str], new: list[str]) -> None:
    assert word_errors(old, new) == min(
        changes(old, new, pairs, False)[0] for pairs in alignments(old, new)
    )


@given(WORDS, WORDS)
def test_edits_make_the_new_of_the_old(old: list[str], new: list[str]) -> None:
    made = list(old)
    for start, end, words in reversed(edits(old, new)):
        assert tuple(old[start:end]) != words
        made[start:end] = words
    assert made == new


def test_marks_move_rather_than_words() -> None:
    assert edits(["well", "then", ",", "go"], ["well", ",", "then", "go"]) == [
        (1, 1, (",",)),
        (2, 3, ()),
    ]


def test_long_equal_ends_cost_nothing() -> None:
    long = ["x"] * 100_000
    assert edits([*long, "a", *long], [*long, "b", *long]) == [(100_000, 100_001, ("b",))]


def test_very_long_lines_are_aligned_in_blocks() -> None:
    old = [f"w{i}" for i in range(20_000)]
    new = [*old[:100], "x", *old[101:9_000], ",", *old[9_000:19_000], *old[19_001:]]
    assert edits(old, new) == [(100, 101, ("x",)), (9_000, 9_000, (",",)), (19_000, 19_001, ())]
    assert edits(["a"] * 2_000, ["b"] * 2_000)


@given(WORDS, WORDS)
def test_blocks_make_the_new_of_the_old_too(old: list[str], new: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fstce.evaluation.correction.LARGEST", 2)
        made = list(old)
        for start, end, words in reversed(edits(old, new)):
            made[start:end] = words
    assert made == new
