"""Documents: bytes to numbered lines, what can be wrong with them, formats, the files of a folder."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from text_cases import checked_lines

from fstce.corpora.documents import (
    check_encoding,
    checked,
    choose_members,
    from_file,
    from_stream,
    members,
    open_members,
)
from fstce.errors import CorpusError, ParameterError


def test_line_ends_and_byte_order_mark_are_dropped(tmp_path: Path) -> None:
    assert checked_lines(tmp_path / "a.txt", b"\xef\xbb\xbfone\r\ntwo\n\nfour") == [
        (1, "one"),
        (2, "two"),
        (3, ""),
        (4, "four"),
    ]


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "utf-32"])
def test_other_encodings(tmp_path: Path, encoding: str) -> None:
    data = "No C\nnaïve\n".encode(encoding)
    assert checked_lines(tmp_path / "a.txt", data, encoding)[:2] == [(1, "No C"), (2, "naïve")]


def test_a_byte_that_is_not_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"a\.txt:2: byte 0xef is not valid utf-8"):
        checked_lines(tmp_path / "a.txt", b"fine\nna\xefve\n")


def test_a_nul_byte_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"a\.txt:3: a NUL byte"):
        checked_lines(tmp_path / "a.txt", b"a\nb\nc\0d\n")


def test_broken_utf16_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"a\.txt: after line 0: not valid utf-16"):
        checked_lines(tmp_path / "a.txt", b"a\0b", "utf-16-le")
    with pytest.raises(CorpusError, match=r"a\.txt: after line 0: not valid utf-16"):
        # Without its mark, which is an error of another kind
        checked_lines(tmp_path / "a.txt", b"ab\nc", "utf-16")


def test_text_and_byte_streams_are_read_from_where_they_stand_and_left_open() -> None:
    text, raw = io.StringIO("a\nb\n"), io.BytesIO(b"a\nb\n")
    text.readline()
    assert list(from_stream(text).lines()) == [(1, "b\n")]
    assert list(from_stream(raw).lines()) == [(1, "a\n"), (2, "b\n")]
    assert not text.closed
    assert not raw.closed


def test_a_text_stream_in_the_wrong_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"na\xefve\n")
    with (
        path.open(encoding="utf-8") as stream,
        pytest.raises(CorpusError, match=r"a\.txt: after line 0: not valid"),
    ):
        list(from_stream(stream).lines())
    with (
        path.open(encoding="utf-8", errors="surrogateescape") as stream,
        pytest.raises(CorpusError, match=r"a\.txt:1: byte 0xef is not valid utf-8"),
    ):
        list(checked(from_stream(stream).lines(), "a.txt"))


def test_members_are_sorted_and_hidden_ones_left_out(tmp_path: Path) -> None:
    names = ["b/2.txt", "b/10.txt", "a.txt", ".git/x.txt", "b/.hidden"]
    for name in names:
        (tmp_path / "f" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "f" / name).write_text(name)
    with zipfile.ZipFile(tmp_path / "f.zip", "w") as archive:
        for name in [*names, "__MACOSX/a.txt"]:
            archive.writestr(name, name)
    for path in (tmp_path / "f", tmp_path / "f.zip"):
        found = members(path)
        assert found == ["a.txt", "b/10.txt", "b/2.txt"]
        texts = {text.name: list(text.lines()) for text in open_members(path, found)}
        assert texts == {f"{path}/{name}": [(1, name)] for name in found}


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"no archive")
    with pytest.raises(CorpusError, match=r"a\.zip: cannot be read"):
        members(path)


def test_a_damaged_member_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.txt", "one two three")
    path.write_bytes(path.read_bytes().replace(b"one two", b"one 2wo", 1))
    with pytest.raises(CorpusError, match=r"a\.zip/x\.txt: cannot be read"):
        [list(text.lines()) for text in open_members(path, ["x.txt"])]


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"gone\.txt: cannot be read"):
        list(from_file(tmp_path / "gone.txt").lines())


def test_an_unknown_encoding() -> None:
    with pytest.raises(ParameterError, match="encoding='utf-9': give one that Python knows"):
        check_encoding("utf-9")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_stream_of_lines_alone_is_read(encoding: str) -> None:
    """Standard input, as it comes, has no readline."""

    class Lines:
        name = "lines"

        def read(self) -> bytes:
            return b"".join(self)

        def __iter__(self) -> Iterator[bytes]:
            yield from "one\ntwo".encode(encoding).splitlines(keepends=True)

    stream = Lines()
    read = checked(from_stream(cast(Any, stream)).lines(encoding), "lines", encoding)
    assert list(read) == [(1, "one"), (2, "two")]


def test_text_files_beside_a_treebank_are_passed_over() -> None:
    assert choose_members(["LICENSE.txt", "README.md", "a.conllu"], None, "f") == (
        ["a.conllu"],
        "conllu",
    )
    assert choose_members(["LICENSE.txt", "a.conllu"], "plain", "f") == (["LICENSE.txt"], "plain")
    assert choose_members(["a.txt", "b.md"], None, "f") == (["a.txt"], "plain")


def test_untagged_trees_are_passed_over_beside_tagged_ones() -> None:
    assert choose_members(["a.mrg", "a.prd"], "penn", "f") == (["a.mrg"], "penn")
    assert choose_members(["a.prd", "b.psd"], None, "f") == (["a.prd", "b.psd"], "penn")


def test_several_formats_need_a_choice() -> None:
    with pytest.raises(
        CorpusError, match=r"f: files of several formats \(penn, tagged\); choose one"
    ):
        choose_members(["a.mrg", "a.pos"], None, "f")
    assert choose_members(["a.mrg", "a.pos"], "tagged", "f") == (["a.pos"], "tagged")


@pytest.mark.parametrize(
    ("format", "sought"),
    [(None, r"\.mrg .*\.conllu .*\.txt"), ("conllx", r"\.conll \.conllx \.dp$")],
)
def test_a_folder_without_a_readable_file_says_what_was_sought(
    format: str | None, sought: str
) -> None:
    with pytest.raises(CorpusError, match=rf"f: no file to read; sought the suffixes {sought}"):
        choose_members(["README.doc"], format, "f")


def test_every_file_is_taken_where_the_format_is_given_and_no_suffix_known() -> None:
    assert choose_members(["LICENSE", "a.xyz", "b"], "penn", "f") == (["a.xyz", "b"], "penn")


def test_utf8_that_is_read_as_something_else_is_said(tmp_path: Path) -> None:
    """Every letter with an accent became two, in silence."""
    path = tmp_path / "a.txt"
    path.write_text("le café\nà l' été\n", encoding="utf-8")
    for encoding, shown in (("latin-1", "cafÃ©"), ("cp1252", "cafÃ©"), ("koi8-r", "café as")):
        with pytest.warns(UserWarning, match=f"a.txt: the text is UTF-8 .*{shown}"):
            list(from_file(path).lines(encoding))
    path.write_text("le café\nà l' été\n", encoding="latin-1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [line for _, line in from_file(path).lines("latin-1")] == ["le café\n", "à l' été\n"]
        path.write_text("ascii\n")
        list(from_file(path).lines("latin-1"))
