"""Capitals of a speller's words, against every way to write them; hfst-ospell and hunspell run them."""

from __future__ import annotations

import random
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from oracles_hunspell import LIBRARY, Hunspell

from fstce import Speller
from fstce.machines.openfst import pynini
from fstce.speller.capitals import Cases
from fstce.speller.export import write_speller
from fstce.speller.lexicon import Lexicon, acceptor, read_lexicon, strings
from fstce.speller.sources import write_hunspell

TURKISH = ["Ankara", "ılık", "kısık", "ışık", "iğne", "istif", "İzmir", "balık"]
WORDS = ["NATO", "UNESCO", "al-Qaida", "McDonald", "iPhone", "Paris", "straße", "οδός", "Häuser"]


def spelt(word: str, machine: pynini.Fst) -> set[str]:
    made = pynini.compose(acceptor([*map(ord, word)]), machine).project("output")
    return {text for text, _ in strings(made.rmepsilon())}


@pytest.mark.parametrize("dotted", [False, True])
def test_letters_alike_are_those_of_one_capital(dotted: bool) -> None:
    """Every string of three letters leads to those that have its capitals, changed so often."""
    cases = Cases("iıIİaAσς", dotted)
    words = list(map("".join, product(cases.letters, repeat=3)))
    for word in words[::7]:
        alike = {one for one in words if cases.upper(one) == cases.upper(word)}
        assert spelt(word, cases.alike) == alike
        for least in (1, 3):
            changed = {
                one for one in alike if sum(a != b for a, b in zip(one, word, strict=True)) >= least
            }
            assert spelt(word, cases.changed(least)) == changed


@pytest.mark.parametrize("dotted", [False, True])
def test_variants_are_what_may_be_typed(dotted: bool) -> None:
    cases = Cases("abiıIAB-ß", dotted)
    for word in map("".join, product(cases.letters, repeat=3)):
        ways = spelt(word, cases.variants)
        assert ways | {word} == {word, cases.capitalized(word, "first"), cases.upper(word)}
        assert all(cases.allows(word, way) for way in ways)
        has_small = any(letter == cases.lower(letter) for letter in word)
        assert spelt(word, cases.acronyms) == (set() if has_small else {word})


def test_dotless_letters_make_a_lexicon_turkish() -> None:
    assert Lexicon.of_counts(dict.fromkeys(TURKISH, 1)).cases.is_dotted
    rng = random.Random(4)
    english = ["".join(rng.choices("eeaiotnsr", k=6)) for _ in range(200)]
    assert not Lexicon.of_counts(dict.fromkeys([*english, "Işık"], 1)).cases.is_dotted


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        *(("nato", "NATO"), ("Nato", "NATO"), ("unesco", "UNESCO"), ("natO", "NATO")),
        *(("al-qaida", "al-Qaida"), ("Al-qaida", "Al-Qaida"), ("Al-Qadia", "Al-Qaida")),
        *(("AL-QADIA", "AL-QAIDA"), ("mcdonald", "McDonald"), ("Iphone", "iPhone")),
        *(("paris", "Paris"), ("hauser", "Häuser"), ("ΟΔΟΣ", "ΟΔΌΣ"), ("STRASE", "STRASSE")),
        *(("NATO", ""), ("Al-Qaida", ""), ("AL-QAIDA", ""), ("IPHONE", ""), ("STRASSE", "")),
        *(("ΟΔΌΣ", ""), ("Οδός", ""), ("HÄUSER", ""), ("Straße", "")),
    ],
)
def test_capitals_are_known_here_and_in_hfst_ospell(typed: str, word: str, tmp_path: Path) -> None:
    """NATO was not reached from ``nato``, and ``Al-Qaida`` was wrong; no word: it is right."""
    speller = Speller().fit([("pairs", "Paris"), ("iphome", "iPhone")], WORDS)
    assert speller._search.has(typed) == (not word)
    assert not word or speller.predict([typed])[0][0] == word
    if shutil.which("hfst-ospell") is None:
        pytest.skip("hfst-ospell is not installed")

    write_speller(speller, tmp_path / "x.zhfst")
    command = ["hfst-ospell", "-S", str(tmp_path / "x.zhfst")]
    run = subprocess.run(command, input=f"{typed}\n", capture_output=True, text=True, check=True)
    assert ("is in the lexicon" in run.stdout) == (not word)
    assert not word or run.stdout.splitlines()[2].split()[0] == word


def test_turkish_has_two_letters_i(tmp_path: Path) -> None:
    """``İĞNE`` and ``Işık`` were no words, ``Iğne`` was one."""
    speller = Speller().fit([("iğen", "iğne"), ("ışıl", "ışık")], TURKISH)
    for right in ("İğne", "İĞNE", "Işık", "IŞIK", "İZMİR", "ışık", "ANKARA"):
        assert speller._search.has(right), right
    for wrong in ("Iğne", "IĞNE", "İşık", "IZMIR", "izmir"):
        assert not speller._search.has(wrong), wrong
    assert [rows[0] for rows in speller.predict(["İğen", "İĞEN", "izmir"])] == [
        "İğne",
        "İĞNE",
        "İzmir",
    ]

    if LIBRARY is None:
        pytest.skip("hunspell is not installed")
    write_hunspell(speller, tmp_path / "x")
    judge = Hunspell(tmp_path / "x.dic")
    assert judge.accepted(["İğne", "Iğne", "Işık", "IŞIK", "İĞNE"]) == [
        "İğne",
        "Işık",
        "IŞIK",
        "İĞNE",
    ]


def test_words_stand_before_themselves_in_capitals(tmp_path: Path) -> None:
    """A letter that lacks may be a capital, so that ``Åsen`` was first."""
    if shutil.which("hfst-ospell") is None:
        pytest.skip("hfst-ospell is not installed")
    speller = Speller().fit([("teh", "the")], ["åsen", "the", "Åland"])
    write_speller(speller, tmp_path / "x.zhfst")
    command = ["hfst-ospell", "-S", str(tmp_path / "x.zhfst")]
    run = subprocess.run(command, input="sen\n", capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in run.stdout.splitlines()[2:4]] == ["åsen", "Åsen"]


def test_letters_without_capitals_become_an_archive(tmp_path: Path) -> None:
    speller = Speller().fit([("漢漢", "漢字")], ["漢字", "文字"])
    write_speller(speller, tmp_path / "x.zhfst")
    assert read_lexicon([tmp_path / "x.zhfst"])[1] == [
        f"{tmp_path / 'x.zhfst'}: an acceptor, 2 words"
    ]
