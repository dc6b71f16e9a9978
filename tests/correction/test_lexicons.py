"""Lexicons by name and by file, and hunspell's affix rules against rules applied one by one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fstce import Corrector
from fstce.corpora import hunspell
from fstce.corpora.hunspell import hunspell_words
from fstce.correction.lexicons import read_lexicon, read_words
from fstce.errors import CorpusError, MissingToolError

AFF = """SET UTF-8
NEEDAFFIX Z
PFX U Y 1
PFX U 0 un .
PFX N N 1
PFX N 0 pre .
SFX S Y 4
SFX S y ies [^aeiou]y
SFX S 0 s [aeiou]y
SFX S 0 es [sxz]
SFX S 0 s [^sxzy]
SFX E Y 2
SFX E 0 er/S [^e]
SFX E e er/S e
SFX A Y 1
SFX A 0 's .
"""
DIC = "7\ntie/USA\nlock/USE\nfly/S\nday/SN\nbox/S\nbake/ZE\nélan\n2nd/S\n"


def by_hand() -> set[str]:
    """Every stem with every rule, one by one: suffixes, suffixes of suffixed forms, and prefixes."""
    rules = [fields for line in AFF.splitlines() if len(fields := line.split()) == 5]

    def applied(word: str, flags: str, suffix: bool) -> set[tuple[str, str]]:
        found = set()
        for kind, flag, strip, added, edge in rules:
            strip, (add, _, leads) = strip.replace("0", ""), added.partition("/")
            fits = re.search(f"{edge}$" if suffix else f"^{edge}", word)
            usable = flag in flags and (kind == "SFX") == suffix and "'" not in add
            if fits and usable and (word.endswith if suffix else word.startswith)(strip):
                stem = word[: len(word) - len(strip)] if suffix else word[len(strip) :]
                found.add((stem + add if suffix else add + stem, leads))
        return found

    words = set()
    for line in DIC.splitlines()[1:]:
        stem, _, flags = line.partition("/")
        if not stem.isalpha():
            continue
        once = applied(stem, flags, True)
        twice = {more for form, leads in once for more in applied(form, leads, True)}
        words |= {form for form, _ in once | twice} | ({stem} if "Z" not in flags else set())
        words |= {form for form, _ in applied(stem, flags, False)}
        crossing = flags.replace("N", "")  # which alone says that it does not cross
        crossed = applied(stem, crossing, True)
        words |= {f for form, _ in crossed for f, _ in applied(form, crossing, False)}
    return words


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.aff").write_text(AFF, encoding="utf-8")
    (tmp_path / "x.dic").write_text(DIC, encoding="utf-8")
    return tmp_path


def test_the_words_are_the_forms_of_rules_applied_one_by_one(folder: Path) -> None:
    words = set(hunspell_words(folder / "x.dic"))
    assert words == by_hand()
    assert {
        "ties",
        "untie",
        "unties",
        "locker",
        "lockers",
        "flies",
        "days",
        "preday",
        "boxes",
    } <= words
    assert {"baker", "bakers", "élan"} <= words
    assert not words & {"bake", "tie's", "flys", "predays", "2nd", "2nds"}


@pytest.mark.skipif(shutil.which("hunspell") is None, reason="hunspell is not here")
def test_hunspell_knows_them_all(folder: Path) -> None:
    words = "\n".join(hunspell_words(folder / "x.dic"))
    command = ["hunspell", "-d", str(folder / "x"), "-i", "UTF-8", "-l"]
    assert (
        subprocess.run(command, input=words, capture_output=True, text=True, check=True).stdout
        == ""
    )


def test_a_dictionary_of_too_many_forms_keeps_its_layers(folder: Path, monkeypatch) -> None:
    """Arabic's has fifty million, which filled the memory."""
    monkeypatch.setattr(hunspell, "WORDS", len(by_hand()) - 1)
    with pytest.warns(
        UserWarning, match=r"x\.dic: has more than .* forms; its prefixed forms are left out"
    ):
        words = set(hunspell_words(folder / "x.dic"))
    assert {"ties", "lockers", "flies"} <= words < by_hand()
    assert not {"untie", "unties", "preday"} & words


def test_a_dictionary_of_stems_that_need_affixes_has_its_forms_alone(folder: Path) -> None:
    """A union of no shown stem was an error of the machine's library."""
    (folder / "x.dic").write_text("1\nbake/ZE\n", encoding="utf-8")
    assert sorted(hunspell_words(folder / "x.dic")) == ["baker", "bakers"]
    (folder / "x.dic").write_text("1\nbake/Z\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"x\.dic: all of its stems need affixes that it has not"):
        hunspell_words(folder / "x.dic")


def test_a_dictionary_of_too_many_forms_says_each_that_it_leaves_out(
    folder: Path, monkeypatch
) -> None:
    monkeypatch.setattr(hunspell, "WORDS", 7)
    left = "suffixed forms and forms of two suffixes and prefixed forms"
    with pytest.warns(UserWarning, match=f"its {left} are left out"):
        words = set(hunspell_words(folder / "x.dic"))
    assert words == {"tie", "lock", "fly", "day", "box", "élan"}


def test_what_is_left_out_is_not_made(folder: Path, monkeypatch) -> None:
    """To name the layers of Hungarian's dictionary all forms of two suffixes were made, for minutes."""
    monkeypatch.setattr(hunspell, "WORDS", 7)
    made = []
    layers = hunspell.layers

    def noted(affixes, stems):
        for name, words in zip(hunspell.LAYERS, layers(affixes, stems), strict=True):
            made.append(name)
            yield words

    monkeypatch.setattr(hunspell, "layers", noted)
    with pytest.warns(UserWarning, match="left out"):
        hunspell_words(folder / "x.dic")
    assert made == ["stems", "suffixed forms"]


def test_a_dictionary_is_a_lexicon(folder: Path) -> None:
    found = read_lexicon(folder / "x.dic")
    assert found["lockers"] == 1 and "bake" not in found


def test_a_language_is_a_list_of_a_package() -> None:
    pytest.importorskip("spellchecker")
    english = read_lexicon("English")
    assert english["the"] > english["becoming"] > 0 and "becuse" not in english


def test_another_module_of_the_package_s_name_is_none(tmp_path: Path, monkeypatch) -> None:
    """As a script of the user's with that name; the verb leaves the list out then."""
    (tmp_path / "spellchecker.py").write_text("mine = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "spellchecker", raising=False)
    with pytest.raises(MissingToolError, match="pip install pyspellchecker"):
        read_lexicon("english")
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
    assert read_lexicon(tmp_path / "t.tsv") == {"the": 9, "cat": 2}


def test_what_is_no_lexicon_is_told(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no such lexicon; give a file, or one of arabic, basque"):
        read_lexicon("englisch")
    (tmp_path / "y.dic").write_text("1\nword/S\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"y\.aff: cannot be read .*it has the affix rules"):
        read_lexicon(tmp_path / "y.dic")
    for encoding in ("punycode", "hex", "utf-99", "\xe9", "undefined"):
        (tmp_path / "y.aff").write_text(f"SET {encoding}\n", encoding="utf-8")
        with pytest.raises(CorpusError, match=r"y\.(aff|dic): is not in .* as its SET line says"):
            read_lexicon(tmp_path / "y.dic")
    (tmp_path / "y.aff").write_text("SET UTF-8\nAF 1\nAF S\n", encoding="utf-8")
    (tmp_path / "z.dic").write_text(f"1\nword/{'9' * 5000}\n", encoding="utf-8")
    (tmp_path / "z.aff").write_bytes((tmp_path / "y.aff").read_bytes())
    assert read_lexicon(tmp_path / "z.dic") == {"word": 1}  # a flag that is none
    (tmp_path / "y.aff").write_text("SFX S Y 1\nSFX S 0\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"y\.aff:2: expected a rule"):
        read_lexicon(tmp_path / "y.dic")
    (tmp_path / "t.tsv").write_text("word\t3\nword\n", encoding="utf-8")
    with pytest.raises(
        CorpusError, match=r"t\.tsv:2: '' is no count; a line is a word, a tab and its count"
    ):
        read_lexicon(tmp_path / "t.tsv")
    (tmp_path / "t.tsv").write_text("New York\t3\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"t\.tsv:1: 'New York' is no word: it holds white space"):
        read_lexicon(tmp_path / "t.tsv")
    (tmp_path / "t.tsv").write_text("\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"t\.tsv: no words"):
        read_lexicon(tmp_path / "t.tsv")


def test_counts_of_the_web_are_counts(tmp_path: Path) -> None:
    """Lists of the web's words count in billions; those above 2³¹ were refused without the file's name."""
    (tmp_path / "web.tsv").write_text(f"the\t23135851162\ndog\t{2**53}\n", encoding="utf-8")
    lexicon = read_lexicon(tmp_path / "web.tsv")
    corrector = Corrector(criterion="none").fit([["the", "dog", "barks"]] * 3, lexicon=lexicon)
    assert corrector.lexicon_ == {"the": 23135851162, "dog": 2**53}
    assert corrector.predict([["the", "dgo", "barks"]]) == [["the", "dog", "barks"]]


def test_the_words_of_hunspell_come_in_one_order(tmp_path: Path) -> None:
    (tmp_path / "x.aff").write_text(AFF, encoding="utf-8")
    (tmp_path / "x.dic").write_text(DIC, encoding="utf-8")
    program = "import sys; from fstce.corpora.hunspell import hunspell_words as words; print(words(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(tmp_path / "x.dic")]
    runs = [
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        for seed in ("1", "2", "3", "4")
    ]
    assert len({run.stdout for run in runs}) == 1
