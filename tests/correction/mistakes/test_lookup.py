"""The deletion dictionary finds every word within k edits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost

from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.lookup import DeletionIndex, spelt

WORDS = st.lists(st.text("abcd", min_size=1, max_size=6), min_size=1, max_size=12, unique=True)


@pytest.mark.parametrize("k", [1, 2, 3])
@given(words=WORDS, queries=WORDS)
def test_no_word_within_k_edits_is_missed(k: int, words: list[str], queries: list[str]) -> None:
    found = set(
        zip(
            *(column.tolist() for column in DeletionIndex(spelt(words), k).pairs(spelt(queries))), strict=True
        )
    )
    near = {
        (i, j)
        for i, query in enumerate(queries)
        for j, word in enumerate(words)
        if edit_cost(query, word, k, True, Channel()) < math.inf
    }
    assert near <= found
    assert all(edit_cost(queries[i], words[j], 2 * k, False, Channel()) < math.inf for i, j in found)


def test_large_groups_are_cut(monkeypatch) -> None:
    words = [a + b + c for a in "abcd" for b in "abcd" for c in "abcd"]
    whole = DeletionIndex(spelt(words), 2).pairs(spelt(["abz", "q"]))
    monkeypatch.setattr("fstce.correction.mistakes.lookup.CHUNK", 10)
    parts = DeletionIndex(spelt(words), 2).pairs(spelt(["abz", "q"]))
    assert [column.tolist() for column in whole] == [column.tolist() for column in parts]
    assert len(whole[0])


def test_words_of_any_script_keep_their_code_points() -> None:
    words = spelt(["naïve", "\U0001f600", "日本"])
    assert words.length.tolist() == [5, 1, 2]
    assert words.codes[1].tolist() == [0x1F600, 0, 0, 0, 0]
    assert words.take(words.length.argsort()[:2]).codes.shape == (2, 2)
