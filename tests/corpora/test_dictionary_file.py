"""Tagging dictionaries as text."""

from __future__ import annotations

import resource
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import TagDictionary
from fstce.corpora.words import is_fit
from fstce.errors import DictionaryError
from fstce.processes.guarded import guarded

_WORDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1
).filter(is_fit)
_TAGS = ["#", "NN", "VB"]


@given(
    st.dictionaries(_WORDS, st.sets(st.sampled_from(_TAGS), min_size=1)),
    st.sets(st.sampled_from(_TAGS), min_size=1),
    st.sampled_from(["open", "all"]),
)
def test_what_is_written_is_read_back(
    words: dict[str, set[str]], open_class: set[str], unseen: str
) -> None:
    dictionary = TagDictionary(words, _TAGS, open_class, unseen)
    with tempfile.TemporaryDirectory() as folder:
        dictionary.to_tsv(Path(folder) / "d.tsv")
        assert TagDictionary.from_file(Path(folder) / "d.tsv") == dictionary


def test_the_file_as_text(tmp_path: Path) -> None:
    TagDictionary({"saw": ["VBD", "NN"], "#": "#"}, open_class=["NN"]).to_tsv(tmp_path / "d.tsv")
    assert (tmp_path / "d.tsv").read_text() == (
        "# tagset\t# NN VBD\n# open_class\tNN\n# unseen\topen\nsaw\tNN VBD\n#\t#\n"
    )


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text("# my words\n\nsaw\tVBD  NN\r\n#\tN\n")
    dictionary = TagDictionary.from_file(tmp_path / "d.tsv")
    assert dict(dictionary) == {"saw": ("NN", "VBD"), "#": ("N",)}
    assert (dictionary.open_class, dictionary.unseen) == (("N", "NN", "VBD"), "open")


def test_a_row_for_each_tag_of_a_word_needs_no_header(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text("saw\tV\nsaw\tN\nsaw\tV\nthe\tDT\na\tDT\nmill\tN V\n")
    assert dict(TagDictionary.from_file(tmp_path / "d.tsv")) == {
        "saw": ("N", "V"),
        "the": ("DT",),
        "a": ("DT",),
        "mill": ("N", "V"),
    }
    (tmp_path / "swapped.tsv").write_text("N\tmill\nV\tsaw\nN\thouse\nDT\tthe\n")
    with pytest.raises(DictionaryError, match=r"swapped.tsv:3: the word 'N' is listed a second"):
        TagDictionary.from_file(tmp_path / "swapped.tsv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the\tDT\nsaw\n", "d.tsv:2: the word 'saw' has no tags; write word, tab, tags"),
        ("the\tDT\nsaw\t \n", "d.tsv:2: the field of the tags is empty"),
        ("\n\tDT\n", "d.tsv:2: the field of the word is empty"),
        (
            "# tagset\tDT NN\na\tDT\nthe\tDT\nthe\tNN\nb\tDT\n",
            "d.tsv:4: the word 'the' is listed a",
        ),
        ("the\tDT\nthe\tNN\n", "d.tsv:2: the word 'the' is listed a second time"),
        ("the\tDT\tNN\n", "d.tsv:1: 3 fields where two are due"),
        (
            "# tagset\tDT NN\nthe\tDT\nsaw\tNM\n",
            "d.tsv:3: word 'saw': tag 'NM' is not in the tagset; the nearest",
        ),
        (
            "# tagset\t\nthe\tDT\n",
            "d.tsv:2: word 'the': tag 'DT' is not in the tagset, which is empty",
        ),
        ("# unseen\tnone\nthe\tDT\n", "d.tsv: unseen='none': choose one of open, all"),
        ("# only a comment\n", "d.tsv: lists no word"),
        ("New York\tNNP\n", "d.tsv: lists no word"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "d.tsv").write_text(text)
    with pytest.raises(DictionaryError) as caught:
        TagDictionary.from_file(tmp_path / "d.tsv")
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


def test_bad_bytes_and_missing_files_are_errors_of_the_dictionary(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_bytes(b"the\tDT\n\xff\tNN\n")
    with pytest.raises(DictionaryError, match=r"d\.tsv:2: byte 0xff"):
        TagDictionary.from_file(tmp_path / "d.tsv")
    with pytest.raises(DictionaryError, match=r"gone\.tsv: cannot be read"):
        TagDictionary.from_file(tmp_path / "gone.tsv")
    with pytest.raises(DictionaryError, match=r"d\.tsv: cannot be written"):
        TagDictionary({"a": "NN"}).to_tsv(tmp_path / "gone" / "d.tsv")


def test_a_dictionary_that_does_not_fit_on_the_disk_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "d.tsv"
    path.write_text("the old one")

    def work(send: Callable[[dict[str, Any]], None]) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        try:
            TagDictionary({f"w{i}": "N" for i in range(100)}).to_tsv(path)
        except DictionaryError as error:
            send({"refused": str(error)})

    assert "File too large" in str(list(guarded(work, seconds=60, megabytes=500)))
    assert [file.name for file in tmp_path.iterdir()] == ["d.tsv"]
    assert path.read_text() == "the old one"


def test_a_colon_is_a_tag_and_counts_stand_behind_one(tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text("saw\tNN:45 VB:3\n;\tNN :\n", encoding="utf-8")
    found = TagDictionary.from_file(tmp_path / "d.tsv")
    assert dict(found) == {"saw": ("NN", "VB"), ";": (":", "NN")}
    assert found.counts == {"saw": {"NN": 45.0, "VB": 3.0}}
