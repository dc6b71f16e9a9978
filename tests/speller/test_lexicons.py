"""Lexicons by name and by file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fstce import Corrector
from fstce.errors import CorpusError, MissingToolError
from fstce.speller.lexicons import lexicon_file, read_words

AFF = "SET UTF-8\nNEEDAFFIX Z\nSFX S Y 1\nSFX S 0 s .\nSFX E Y 1\nSFX E 0 er/S .\n"
DIC = "3\nlock/E\nbake/Z\n3D\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.aff").write_text(AFF, encoding="utf-8")
    (tmp_path / "x.dic").write_text(DIC, encoding="utf-8")
    return tmp_path


def test_a_dictionary_is_a_lexicon(folder: Path) -> None:
    found = lexicon_file(folder / "x.dic").counts
    assert found == {"lock": 1, "locker": 1, "lockers": 1}


def test_a_language_is_a_list_of_a_package() -> None:
    pytest.importorskip("spellchecker")
    english = lexicon_file("English").counts
    assert english["the"] > english["becoming"] > 0 and "becuse" not in english


def test_another_module_of_the_package_s_name_is_none(tmp_path: Path, monkeypatch) -> None:
    """As a script of the user's with that name; the verb leaves the list out then."""
    (tmp_path / "spellchecker.py").write_text("mine = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "spellchecker", raising=False)
    with pytest.raises(MissingToolError, match="pip install pyspellchecker"):
        lexicon_file("english")
    monkeypatch.delitem(sys.modules, "spellchecker")


def test_a_table_is_no_list_of_words(tmp_path: Path) -> None:
    """All first columns of a list of typos would be protected."""
    (tmp_path / "words.txt").write_text("the\nof \n", encoding="utf-8")
    assert read_words(tmp_path / "words.txt") == ("the", "of")
    (tmp_path / "typos.tsv").write_text("thi\tthe\n", encoding="utf-8")
    with pytest.raises(
        CorpusError, match=r"typos\.tsv:1: expected one word, not 'thi\\tthe': it holds"
    ):
        read_words(tmp_path / "typos.tsv")


def test_empty_columns_of_a_spreadsheet_are_none(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("the\t9\t\t \ncat\t2\t\t\n", encoding="utf-8")
    assert lexicon_file(tmp_path / "t.tsv").counts == {"the": 9, "cat": 2}


def test_what_is_no_lexicon_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no such lexicon; give a file, or one of arabic, basque"):
        lexicon_file("englisch")
    (tmp_path / "y.dic").write_text("1\nword/S\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"y\.aff: cannot be read .*it has the affix rules"):
        lexicon_file(tmp_path / "y.dic")
    (tmp_path / "t.tsv").write_text("word\t3\nword\n", encoding="utf-8")
    with pytest.raises(
        CorpusError, match=r"t\.tsv:2: '' is no count; a line is a word, a tab and its count"
    ):
        lexicon_file(tmp_path / "t.tsv")
    (tmp_path / "t.tsv").write_text("New York\t3\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"t\.tsv: holds no word but 1 that are no single word"):
        lexicon_file(tmp_path / "t.tsv")
    (tmp_path / "t.tsv").write_text("\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"t\.tsv: holds no word"):
        lexicon_file(tmp_path / "t.tsv")


def test_counts_of_the_web_are_counts(tmp_path: Path) -> None:
    """Lists of the web's words count in billions; those above 2³¹ were refused without the file's name."""
    (tmp_path / "web.tsv").write_text(f"the\t23135851162\ndog\t{2**53}\n", encoding="utf-8")
    lexicon = lexicon_file(tmp_path / "web.tsv").counts
    corrector = Corrector(criterion="none").fit([["the", "dog", "barks"]] * 3, lexicon=lexicon)
    assert corrector.lexicon_ == {"the": 23135851162, "dog": 2**53}
    assert corrector.predict([["the", "dgo", "barks"]]) == [["the", "dog", "barks"]]
