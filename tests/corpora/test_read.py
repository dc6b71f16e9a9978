"""Corpora by path and by name."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from fstce.corpora import iter_corpus, read_corpus, sample
from fstce.errors import CorpusError, ParameterError

_TEXTS = {
    "a.mrg": ("(S (PRP We) (VBP walk))", ("PRP", "VBP")),
    "a.conllu": (
        "1\tWe\t_\tPRON\t_\t_\t2\tx\t_\t_\n2\twalk\t_\tVERB\t_\t_\t0\tx\t_\t_\n",
        ("PRON", "VERB"),
    ),
    "a.dp": ("We\tPRP\t2\nwalk\tVBP\t0\n", ("PRP", "VBP")),
    "a.tagged": ("We/PRP walk/VBP", ("PRP", "VBP")),
    "a.txt": ("We walk", None),
    "a.unknown": ("We walk", None),
}


@pytest.mark.parametrize("name", _TEXTS)
def test_a_file_is_read_by_its_suffix(tmp_path: Path, name: str) -> None:
    text, tags = _TEXTS[name]
    path = tmp_path / name
    path.write_text(text)
    for spec in (path, str(path)):
        (sentence,) = read_corpus(spec)
        assert (sentence.words, sentence.tags, sentence.source) == (
            ("We", "walk"),
            tags,
            f"{path}:1",
        )
    with path.open() as stream:
        assert read_corpus(stream) == [sentence]


def test_a_given_format_goes_before_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("We/PRP walk/VBP")
    assert read_corpus(path, format="tagged")[0].tags == ("PRP", "VBP")
    assert read_corpus(io.StringIO("(X (NN dog))"), format="penn")[0].tags == ("NN",)


def test_options_reach_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes("1\tnaïf\t_\tADJ\tJJ\t_\t0\tx\t_\t_\n".encode("latin-1"))
    (sentence,) = read_corpus(path, encoding="latin-1", tag_column="upos")
    assert (sentence.words, sentence.tags) == (("naïf",), ("ADJ",))


def test_a_folder_and_an_archive_are_read_in_order_with_sources(tmp_path: Path) -> None:
    texts = {"b/1.mrg": "\n(X (NN two))", "a.mrg": "(X (NN one))", "README.txt": "not this"}
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
            (tmp_path / "t" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "t" / name).write_text(text)
    for path in (tmp_path / "t", tmp_path / "t.zip"):
        found = [(sentence[0], sentence.source) for sentence in read_corpus(path)]
        assert found == [("one", f"{path}/a.mrg:1"), ("two", f"{path}/b/1.mrg:2")]


def test_an_empty_file_in_a_folder_is_no_fault_but_an_empty_folder_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(CorpusError, match=r"holds no sentence"):
        read_corpus(tmp_path)
    (tmp_path / "b.txt").write_text("We walk")
    assert len(read_corpus(tmp_path)) == 1


@pytest.mark.parametrize("name", ["a.mrg", "a.conllu", "a.conll", "a.pos", "a.txt"])
@pytest.mark.parametrize("text", ["", "\n \n\n", "\ufeff"])
def test_a_file_without_a_sentence(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError) as caught:
        read_corpus(path)
    assert str(caught.value) == f"{path}: holds no sentence"


@pytest.mark.parametrize("name", ["a.mrg", "a.conllu", "a.conll", "a.pos", "a.txt"])
@pytest.mark.parametrize(
    ("data", "message"), [(b"\n\xff\n", "byte 0xff"), (b"\n\0\n", "a NUL byte")]
)
def test_every_reader_names_the_line_of_bad_bytes(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(CorpusError) as caught:
        read_corpus(path)
    assert str(caught.value).startswith(f"{path}:2: {message}")


@pytest.mark.parametrize("name", _TEXTS)
def test_every_reader_takes_crlf_and_a_byte_order_mark(tmp_path: Path, name: str) -> None:
    text, tags = _TEXTS[name]
    path = tmp_path / name
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (sentence,) = read_corpus(path)
    assert (sentence.words, sentence.tags) == (("We", "walk"), tags)


def test_a_missing_path_is_said_at_the_call(tmp_path: Path) -> None:
    with pytest.raises(
        CorpusError, match=r"gone\.txt: no such file or folder \(corpora with a name: sample, nltk:"
    ):
        iter_corpus(tmp_path / "gone.txt")


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = tmp_path / "a.pos"
    path.write_text("We/PRP walk/VBP\nno tag\n")
    sentences = iter_corpus(path)
    assert next(sentences).words == ("We", "walk")
    with pytest.raises(CorpusError, match=r"a\.pos:2: the token 'no'"):
        next(sentences)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"spec": "x", "format": "pen"}, "format='pen': choose one of .*; did you mean 'penn'"),
        ({"spec": "x", "encoding": "utf-9"}, "encoding='utf-9': give one that Python knows"),
        (
            {"spec": "x", "tag_column": "pos"},
            "tag_column='pos': choose one of xpos, upos, or None; did you mean",
        ),
        (
            {"spec": "nltk:treebnak"},
            "NLTK corpus='treebnak': choose one of .*; did you mean 'treebank'",
        ),
        ({"spec": 3}, "a corpus is a path, a name or an open stream, not int"),
    ],
)
def test_unknown_choices(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        iter_corpus(**options)


def test_the_sample_by_name() -> None:
    assert read_corpus("sample") == sample()
