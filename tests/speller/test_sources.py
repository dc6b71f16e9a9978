"""A speller as hunspell's files and GiellaLT's sources: what their own programs make of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fstce import Speller
from fstce.cli.main import main
from fstce.errors import ParameterError
from fstce.speller.export import write_speller
from fstce.speller.sources import hunspell_files, write_editdist, write_hunspell, write_strings

WORDS = [
    "phone",
    "phase",
    "graph",
    "phrase",
    "fans",
    "fine",
    "none",
    "gráfé",
    "grafé",
    "km/h",
    "𞤢𞤣",
]
TYPOS = [
    ("fone", "phone"),
    ("fase", "phase"),
    ("graf", "graph"),
    ("frase", "phrase"),
    ("grafe", "grafé"),
    ("fané", "fane"),
    ("nane", "nané"),
]
LEXICON = [*WORDS, "fane", "nané"]


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller(penalty=0.2).fit(TYPOS * 3, LEXICON)


def suggested(name: Path, word: str) -> list[str]:
    command = ["hunspell", "-d", str(name), "-i", "UTF-8", "-a"]
    out = subprocess.run(command, input=f"^{word}\n", capture_output=True, text=True, check=True)
    line = out.stdout.splitlines()[1]
    return line.split(": ", 1)[1].split(", ") if line.startswith("&") else []


@pytest.mark.skipif(shutil.which("hunspell") is None, reason="hunspell is not here")
def test_hunspell_suggests_first_what_is_learned(speller: Speller, tmp_path: Path) -> None:
    """The words are the same with and without the tables; the order is not."""
    for tables in (False, True):
        write_hunspell(speller, tmp_path / f"x.{tables}", tables)
        for word in ("phone", "nané"):
            assert suggested(tmp_path / f"x.{tables}", word) == []
    assert suggested(tmp_path / "x.False", "fone")[0] != "phone"
    assert suggested(tmp_path / "x.True", "fone")[0] == "phone"
    assert "Phone" in suggested(tmp_path / "x.True", "Fone")[:2]
    _, aff = hunspell_files(tmp_path / "x.True")
    lines = aff.read_text(encoding="utf-8").splitlines()
    assert "REP f ph" in lines and "MAP eé" in lines
    assert next(line for line in lines if line.startswith("TRY")).isprintable()
    assert all(ord(letter) < 0x10000 for line in lines for letter in line)


def test_files_of_others_stay(speller: Speller, tmp_path: Path) -> None:
    write_hunspell(speller, tmp_path / "x")
    assert write_hunspell(speller, tmp_path / "x") == 0
    (tmp_path / "y.aff").write_text("SET UTF-8\n")
    for name in ("y.aff", "z.dic"):
        (tmp_path / name).write_text("theirs")
        with pytest.raises(ParameterError, match=rf"{name}: is there and not of fstce"):
            write_hunspell(speller, tmp_path / name[0])
        assert (tmp_path / name).read_text() == "theirs"


def test_sources_of_giellalt_are_whole_numbers_with_what_was_learned(
    speller: Speller, tmp_path: Path
) -> None:
    write_editdist(speller.errors_, tmp_path / "editdist.txt")
    text = (tmp_path / "editdist.txt").read_text(encoding="utf-8")
    letters, rows = text.split("\n@@\n")
    assert set(letters.splitlines()[1:]) == set(speller.errors_.letters)
    weights = {
        tuple(row[:2]): int(row[2]) for row in map(str.split, rows.splitlines()) if row[0] != "##"
    }
    assert weights["e", "é"] < 10
    cost = speller.errors_.cost("e", "é", 1)
    assert f"## {cost:.4f}\ne\té\t{weights['e', 'é']}\n" in text

    write_strings(speller.errors_, tmp_path / "strings.txt")
    strings = (tmp_path / "strings.txt").read_text(encoding="utf-8")
    assert re.search(r"^## [-\d.]+\nf:ph\t\d+$", strings, re.MULTILINE)
    write_strings(speller.errors_, tmp_path / "strings.regex")
    if shutil.which("hfst-regexp2fst") is not None:
        command = ["hfst-regexp2fst", "-S", "-i", str(tmp_path / "strings.regex")]
        machine = subprocess.run(command, capture_output=True, check=True).stdout
        pairs = subprocess.run(["hfst-fst2strings"], input=machine, capture_output=True, check=True)
        assert "f:ph" in pairs.stdout.decode()


@pytest.mark.skipif(shutil.which("hfst-ospell") is None, reason="hfst-ospell is not here")
def test_the_archive_corrects_capitals(tmp_path: Path) -> None:
    words = ["receive", "relieve", "Paris", "the", "weiß"]
    speller = Speller().fit([("recieve", "receive"), ("teh", "the")], words)
    write_speller(speller, tmp_path / "x.zhfst", "en")
    command = ["hfst-ospell", "-S", str(tmp_path / "x.zhfst")]
    for typed, intended in (
        ("recieve", "receive"),
        ("Recieve", "Receive"),
        ("RECIEVE", "RECEIVE"),
        ("Pairs", "Paris"),
        ("PAIRS", "PARIS"),
        ("TEH", "THE"),
    ):
        out = subprocess.run(
            command, input=f"{typed}\n", capture_output=True, text=True, check=True
        )
        lines = [
            line for line in out.stdout.splitlines() if line.startswith(" " * 4) or " " * 4 in line
        ]
        suggestions = [line.split()[0] for line in lines]
        assert suggestions[:1] == [intended], (typed, out.stdout)
    right = "Receive\nRECEIVE\nPARIS\nWEISS\nparis\n"
    out = subprocess.run(command, input=right, capture_output=True, text=True, check=True).stdout
    known = [line for line in out.splitlines() if "is in the lexicon" in line]
    assert len(known) == 4 and '"paris"' not in "".join(known)


def test_the_program_writes_them(
    speller: Speller, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    speller.save(tmp_path / "model")
    command = ["speller", "export", str(tmp_path / "model"), "--hunspell", str(tmp_path / "en.x")]
    assert main([*command, "--strings", str(tmp_path / "s.txt")]) in (None, 0)
    assert capsys.readouterr().err.count("written: ") == 2
    assert (tmp_path / "en.x.dic").read_text(encoding="utf-8").startswith("13\nfane\n")
