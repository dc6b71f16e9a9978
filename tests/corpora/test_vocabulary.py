"""Counts and paths of vocabularies that cannot be."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from fstce.corpora.vocabulary import Vocabulary
from fstce.errors import NeighborhoodError


@pytest.mark.parametrize("count", ["1" * 5000, "100000000000000000000", "1e20", "-1", "\u0663"])
def test_a_count_is_a_number_of_a_size_that_can_be_counted(tmp_path: Path, count: str) -> None:
    (tmp_path / "words").write_text(f"the\t{count}\n", encoding="utf-8")
    with pytest.raises(NeighborhoodError, match=r"words:1: .* is no count"):
        Vocabulary.read(tmp_path / "words")


def test_an_unknown_user_is_told() -> None:
    with pytest.raises(NeighborhoodError, match="~nosuchuser/words: no such user"):
        Vocabulary.read("~nosuchuser/words")


def test_a_builder_may_remember_answers_by_a_vocabulary() -> None:
    calls: list[int] = []

    @cache
    def lengths(vocabulary: Vocabulary) -> set[int]:
        calls.append(1)
        return {len(word) for word in vocabulary}

    vocabulary = Vocabulary({"the": 3, "cat": 1})
    assert lengths(vocabulary) == lengths(vocabulary) == {3} and len(calls) == 1


def test_few_words_are_looked_at_however_far_near_reaches() -> None:
    class Classes(dict[str, str]):
        asked = 0

        def get(self, *arguments: str) -> str:  # type: ignore[override]
            self.asked += 1
            return super().get(*arguments)  # type: ignore[return-value]

    words = [f"w{rank}" for rank in range(1000)]
    classes = Classes({word: "AB"[rank % 2] for rank, word in enumerate(words)})
    vocabulary = Vocabulary({word: 1000 - rank for rank, word in enumerate(words)}, classes)
    assert vocabulary.near("w500", 3, reach=10**9) == ("w499", "w501", "w497")
    assert classes.asked < 10
