"""Plain text."""

from __future__ import annotations

import pytest
from text_cases import sentences_of

from fstce.errors import CorpusError


def test_a_line_is_a_sentence_and_blank_lines_are_skipped() -> None:
    lines = ["The  dog\tbarks .", "", "   ", "No/slash is special"]
    first, second = sentences_of(enumerate(lines, start=1), "a.txt", "plain")
    assert first.words == ("The", "dog", "barks", ".")
    assert (first.tags, first.tree, first.source) == (None, None, "a.txt:1")
    assert (second.words[0], second.source) == ("No/slash", "a.txt:4")


def test_a_reserved_word_is_refused_with_its_line() -> None:
    with pytest.raises(CorpusError, match=r"a\.txt:2: '<unk>' is a reserved symbol"):
        list(sentences_of(iter([(1, "fine"), (2, "an <unk> word")]), "a.txt", "plain"))
