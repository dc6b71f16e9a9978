"""Files of hunspell's dictionaries: flags, letters, conditions and tables as its sources read them."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from fstce.corpora.hunspell_files import Dictionary, read_dictionary
from fstce.errors import CorpusError


def read(folder: Path, affixes: str, stems: str) -> Dictionary:
    (folder / "x.aff").write_text(f"SET UTF-8\n{affixes}", encoding="utf-8")
    (folder / "x.dic").write_text(stems, encoding="utf-8")
    return read_dictionary(folder / "x.dic")


@pytest.mark.parametrize(
    ("kind", "written", "flags"),
    [("", "AB", {"A", "B"}), ("FLAG long\n", "AaBb", {"Aa", "Bb"}), ("FLAG num\n", "1,20", None)],
)
def test_flags_of_a_stem(tmp_path: Path, kind: str, written: str, flags: set[str] | None) -> None:
    ((found, stems),) = read(tmp_path, kind, f"1\nwug/{written}\n").stems.items()
    assert stems == ["wug"] and len(found) == 2
    assert flags is None or found == flags


def test_a_slash_behind_a_backslash_and_what_is_said_of_a_stem(tmp_path: Path) -> None:
    dictionary = read(tmp_path, "", "2\nand\\/or/A\nwug\tpo:noun\n")
    assert sorted(chain.from_iterable(dictionary.stems.values())) == ["and/or", "wug"]


@pytest.mark.parametrize(
    ("asked", "fits", "unfit"),
    [("y", "fly", "play"), ("[^ao]y", "fly", "play"), ("[ao]y", "play", "fly"), (".", "x", "")],
)
def test_conditions_of_a_suffix(tmp_path: Path, asked: str, fits: str, unfit: str) -> None:
    rules = read(tmp_path, f"SFX A Y 1\nSFX A 0 s {asked}\n", "1\nx/A\n").suffixes["A"]
    (rule,) = rules
    assert rule.add == "s" and rule.condition.search(fits)
    if unfit and asked != "y":
        assert not rule.condition.search(unfit)


def test_a_table_that_is_too_short_is_said_and_ends_the_reading(tmp_path: Path) -> None:
    affixes = "SFX A Y 1\nSFX A 0 s .\nSFX B Y 3\nSFX B 0 t .\n"
    dictionary = read(tmp_path, affixes, "1\nx/AB\n")
    assert set(dictionary.suffixes) == {"A"}
    assert any("x.aff:4" in said for said in dictionary.left_out)


def test_without_its_affixes_a_dictionary_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.dic").write_text("1\nwug\n")
    with pytest.raises(CorpusError, match=r"x\.aff.*affix rules of a hunspell dictionary"):
        read_dictionary(tmp_path / "x.dic")
