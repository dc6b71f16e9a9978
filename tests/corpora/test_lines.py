"""Lines of the files that a command takes: where they end, and in which encoding they are."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from fstce.corpora import Sentence, TagDictionary, read_corpus
from fstce.corpora.conll import conllu_sentence
from fstce.corpora.documents import ENCODING, lines_of
from fstce.corpora.faults import Faults
from fstce.corpora.read import iter_passages
from fstce.corpora.streams import StreamSentence
from fstce.errors import CorpusError, DictionaryError

LINE_LIKE = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e"


def _written(path: Path, text: str, encoding: str) -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252", "utf-8"])
def test_a_list_is_read_as_the_corpus(tmp_path: Path, encoding: str) -> None:
    """Latin-1 in a dictionary was refused, whatever was named."""
    path = _written(tmp_path / "marks.tsv", "señal\tN\ncomió\tV\n", encoding)
    token = ENCODING.set(encoding)
    try:
        assert lines_of(path) == ["señal\tN", "comió\tV"]
        assert TagDictionary.from_file(path)["comió"] == ("V",)
    finally:
        ENCODING.reset(token)


def test_a_list_in_utf8_is_read_beside_any_corpus(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.tsv", "\ufeffseñal\tN\n", "utf-8")
    token = ENCODING.set("latin-1")
    try:
        assert lines_of(path) == ["señal\tN"]
    finally:
        ENCODING.reset(token)


def test_what_cannot_be_decoded_is_refused_with_its_line(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.tsv", "la\tD\nseñal\tN\n", "latin-1")
    with pytest.raises(DictionaryError, match=r"a\.tsv:2: byte 0xf1 .*convert the file to UTF-8$"):
        TagDictionary.from_file(path)
    token = ENCODING.set("utf-8")
    try:
        # The option would be of the text, too, which has been read.
        with pytest.raises(CorpusError, match=r"a\.tsv:2: byte 0xf1 .*convert the file to UTF-8$"):
            lines_of(path)
    finally:
        ENCODING.reset(token)


def test_the_option_reaches_the_dictionary(fstce: Any, tmp_path: Path) -> None:
    text = _written(tmp_path / "a.txt", "la señal vuelve .\n" * 3, "latin-1")
    listed = _written(tmp_path / "a.tsv", "la\tD\nseñal\tN\nvuelve\tV\n.\tP\n", "latin-1")
    code, out, err = fstce("info", text, "--dictionary", listed, "--encoding", "latin-1")
    assert code == 0 and "12 (100.0 %)" in out, err
    code, _, err = fstce("info", text, "--dictionary", listed, "--faulty", "skip")
    assert code == 2


def test_a_word_of_a_stream_with_a_line_separator_is_read() -> None:
    """Training refused its tag, without the file."""
    for mark in LINE_LIKE:
        text = f"^via{mark}m/vi{mark}a<n{mark}f><sg>$ ^./.<sent>$\n"
        (sentence,) = read_corpus(io.StringIO(text, newline="\n"), format="apertium")
        assert (sentence.words, sentence.tags) == (("via_m", "."), ("n_f", "sent"))
        assert isinstance(sentence, StreamSentence) and sentence.written() == text


def test_entries_of_json_hold_line_separators(tmp_path: Path) -> None:
    entry = json.dumps({"word": "vía", "pos": "noun", "note": LINE_LIKE}, ensure_ascii=False)
    path = _written(tmp_path / "a.jsonl", f"{entry}\n" * 2, "utf-8")
    assert TagDictionary.from_file(path)["vía"] == ("noun",)


@pytest.mark.parametrize("mark", LINE_LIKE)
def test_a_tree_that_cannot_be_read_keeps_its_lines(mark: str) -> None:
    text = f"(S (N a{mark}b c)\n (V d))\n(S (V e))\n"
    stream = io.StringIO(text, newline="\n")
    passage, _ = iter_passages(stream, "penn", faults=Faults("pass"))
    assert passage.lines == (f"(S (N a{mark}b c)\n", " (V d))\n")


def test_a_comment_with_a_line_separator_is_one() -> None:
    lines = conllu_sentence(Sentence(["a"]), comments=[f"b{LINE_LIKE}c", "d\r\ne"]).split("\n")
    assert lines[:3] == [f"# b{LINE_LIKE}c", "# d", "# e"]
