"""Tables: one reader for corpora, dictionaries, answers and typos."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fstce.corpora import TagDictionary, read_corpus
from fstce.corpora.tables import bundled_rows, table_rows
from fstce.errors import FstceError
from fstce.speller.typos import read_typos
from fstce.tagging.answers import read_answers


def test_a_hash_alone_is_data_and_a_hash_with_a_space_is_not() -> None:
    lines = ["# comment\twith tab\n", "#\tN\r\n", "  \n", "#x\tN\n"]
    assert list(table_rows(lines)) == [(2, ["#", "N"]), (4, ["#x", "N"])]


def test_an_empty_last_field_is_kept() -> None:
    assert list(table_rows(["FRAG\tright\t"])) == [(1, ["FRAG", "right", ""])]


def test_bundled_tables_have_rows_of_one_width() -> None:
    assert {len(row) for row in bundled_rows("ptb45_coarse17.tsv")} == {2}
    assert {len(row) for row in bundled_rows("collins_heads.tsv")} == {3}


@pytest.mark.parametrize(
    "text",
    [
        "word,tags\nsaw,NN VBD\nthe,DT\n",
        "id;Word;POS\n1;saw;NN,VBD\n2;the;DT\n",
        "\n\nword\ttags\tnote\nsaw\tNN VBD\tx\nthe\tDT\t\n",
        '"word","tags"\n"saw","NN VBD"\n"the","DT"\n',
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a"])
def test_a_table_with_a_header_is_read_alike_by_all(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / name).write_text(text)
    expected = {"saw": ["NN", "VBD"], "the": ["DT"]}
    answers = read_answers(tmp_path / name)
    assert {word: answer.tags for word, answer in answers.items()} == expected
    if name != "a":
        found = TagDictionary.from_file(tmp_path / name)
        assert {word: list(tags) for word, tags in found.items()} == expected
    (tmp_path / name).write_text(text.replace(",VBD", "").replace(" VBD", ""))
    (sentence,) = read_corpus(tmp_path / name)
    assert (sentence.words, sentence.tags) == (("saw", "the"), ("NN", "DT"))


def test_empty_rows_of_a_spreadsheet_separate_nothing_in_a_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("word;tags\nsaw;NN VBD\n;\nthe;DT\n;\n")
    assert dict(TagDictionary.from_file(path)) == {"saw": ("NN", "VBD"), "the": ("DT",)}
    assert [*read_answers(path)] == ["saw", "the"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "typo,correction\nteh,the\nrecieve,receive\n"),
        ("a.csv", "teh,the\nrecieve,receive\n"),
        ("a.tsv", "n\tmisspelling\tcorrect\n1\tteh\tthe\n2\trecieve\treceive\n"),
        ("a.txt", "typo;correction\nteh;the\nrecieve;receive\n"),
        ("a.csv", "typo;correction\n;\nteh;the\nrecieve;receive\n;\n"),
        ("a.tsv", "teh\tthe\tx\n# a\tb\nrecieve\treceive\n"),
    ],
)
def test_tables_of_typos(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert read_typos(tmp_path / name) == (("teh", "the"), ("recieve", "receive"))


@pytest.mark.parametrize("read", [read_corpus, read_answers, read_typos, TagDictionary.from_file])
def test_a_line_that_is_no_row_is_named_with_its_file(
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("word,tag\nsaw,NN\n" + "y" * 150_000 + ",NN\n")
    with pytest.raises(FstceError, match=r"a\.csv:3: no row of a table \(field larger"):
        read(path)


def test_exports_quote_every_text(tmp_path: Path) -> None:
    """The marks became part of words and tags, in silence."""
    (tmp_path / "a.tsv").write_text('"saw"\t"NN VBD"\n"the"\t"DT"\n')
    assert dict(TagDictionary.from_file(tmp_path / "a.tsv")) == {
        "saw": ("NN", "VBD"),
        "the": ("DT",),
    }
    (tmp_path / "a.tsv").write_text('"word"\t"tag"\t"n"\n"saw"\t"NN"\t3\n""""\t"Q"\t1\n')
    (sentence,) = read_corpus(tmp_path / "a.tsv")
    assert (sentence.words, sentence.tags) == (("saw", '"'), ("NN", "Q"))
    (tmp_path / "a.vert").write_text('"saw"\t"NN"\n"\t"\n')
    (sentence,) = read_corpus(tmp_path / "a.vert")
    assert (sentence.words, sentence.tags) == (("saw", '"'), ("NN", '"'))
