"""Counts and paths of vocabularies that cannot be."""

from __future__ import annotations

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
