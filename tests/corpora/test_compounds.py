"""Compounds by hunspell's rules, against words by hand and against hunspell's own library."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from oracles_hunspell import LIBRARY, Hunspell

from fstce.corpora.compounds import LONGEST, Compounds
from fstce.corpora.hunspell import read_hunspell
from fstce.corpora.hunspell_files import read_dictionary
from fstce.corpora.word_files import read_word_file

needs_hunspell = pytest.mark.skipif(LIBRARY is None, reason="hunspell's library is not here")
GERMAN = (
    "COMPOUNDBEGIN x\nCOMPOUNDMIDDLE y\nCOMPOUNDEND z\nCOMPOUNDPERMITFLAG c\nONLYINCOMPOUND o\n"
    "SFX S Y 1\nSFX S 0 s/xyoc .\nSFX N Y 1\nSFX N 0 en .\n"
)
ENTRIES = "Arbeit/S arbeit/So platz/ozN Haus/x haus/oy tür/ozN Tür/N"
# Rules and entries, what are compounds, what are none.
CASES = {
    "parts by their places": (
        GERMAN,
        ENTRIES,
        "Haustür Haustüren Arbeitsplatz Arbeitshaustür Arbeitsarbeitsplatz",
        "Türhaus Arbeitplatz Haushaus Arbeits Haustürs türhaus Tür",
    ),
    "any part anywhere": ("COMPOUNDFLAG c\n", "sol/c dag/c år", "soldag dagsol soldagsol", "solår år sol"),
    "the fewest letters": ("COMPOUNDFLAG c\nCOMPOUNDMIN 2\n", "ab/c d/c efg/c", "abefg efgab", "abd dab"),
    "the most parts": ("COMPOUNDFLAG c\nCOMPOUNDWORDMAX 2\n", "abc/c def/c", "abcdef", "abcdefabc"),
    "no part twice": ("COMPOUNDFLAG c\nCHECKCOMPOUNDDUP\n", "abc/c def/c", "abcdef abcdefabc", "abcabc"),
    "no letter thrice": ("COMPOUNDFLAG c\nCHECKCOMPOUNDTRIPLE\n", "bass/c see/c", "seebass", "bassspur basssee"),
    "no capital within": ("COMPOUNDFLAG c\nCHECKCOMPOUNDCASE\n", "foo/c Bar/c", "foofoo Barfoo", "fooBar"),
    "what may not meet": (
        "COMPOUNDFLAG c\nCHECKCOMPOUNDPATTERN 1\nCHECKCOMPOUNDPATTERN nny ny\n",
        "könny/c nyak/c szem/c",
        "szemnyak könnyszem",
        "könnynyak",
    ),
    "stems that need an affix": (
        "COMPOUNDFLAG c\nNEEDAFFIX n\nSFX S Y 1\nSFX S 0 s .\n",
        "abc/c defg/cnS",
        "abcdefgs",
        "abcdefg defgabc",
    ),
    "suffixes that part no compound": (
        "COMPOUNDFLAG c\nCOMPOUNDFORBIDFLAG f\nSFX S Y 1\nSFX S 0 s/f .\n",
        "abc/cS def/cS",
        "abcdef",
        "abcdefs",
    ),
    "forbidden ones": (
        "COMPOUNDFLAG c\nFORBIDDENWORD f\n",
        "abc/c def/c abcdef/f ghi/cf",
        "defabc",
        "abcdef abcghi",
    ),
    "what is no number": ("COMPOUNDFLAG c\nCOMPOUNDMIN x\n", "abc/c d/c", "abcd dabc", "abcx"),
}  # fmt: skip


def write(folder: Path, aff: str, entries: str) -> Path:
    lines = entries.split()
    (folder / "x.aff").write_text(f"SET UTF-8\n{aff}\n", encoding="utf-8")
    (folder / "x.dic").write_text("\n".join([str(len(lines)), *lines, ""]), encoding="utf-8")
    return folder / "x.dic"


@pytest.mark.parametrize("name", CASES)
def test_compounds_are_those_that_hunspell_accepts(name: str, tmp_path: Path) -> None:
    aff, entries, compounds, others = CASES[name]
    dic = write(tmp_path, aff, entries)
    ours = Compounds(read_dictionary(dic))
    assert [word for word in compounds.split() if word not in ours] == []
    assert [word for word in others.split() if word in ours] == []
    if LIBRARY is not None:
        assert Hunspell(dic).accepted(compounds.split()) == compounds.split()


def test_without_flags_of_compounds_there_are_none(tmp_path: Path) -> None:
    dic = write(tmp_path, "", "abc def")
    assert not Compounds(read_dictionary(dic))
    assert read_hunspell(dic).left_out == []
    assert read_word_file(dic).with_compounds(["abcdef"]).counts == {"abc": 1, "def": 1}


def test_a_compound_has_a_hundred_letters_at_most(tmp_path: Path) -> None:
    compounds = Compounds(read_dictionary(write(tmp_path, "COMPOUNDFLAG c\n", "abcd/c")))
    assert "abcd" * (LONGEST // 4) in compounds
    assert "abcd" * (LONGEST // 4 + 1) not in compounds


def random_dictionary(seed: int) -> tuple[str, str]:
    """Stems and suffixes over two letters, whose flags say where in a compound they may stand."""
    rng = random.Random(seed)
    roles = {"COMPOUNDBEGIN": "x", "COMPOUNDMIDDLE": "y", "COMPOUNDEND": "z"}
    if rng.random() < 0.5:
        roles = {"COMPOUNDFLAG": "x"}
    roles |= {"COMPOUNDPERMITFLAG": "p", "ONLYINCOMPOUND": "o", "COMPOUNDFORBIDFLAG": "f"}
    lines = ["BREAK 0", f"COMPOUNDMIN {rng.choice('123')}"]
    lines += [f"{role} {flag}" for role, flag in roles.items()]
    for name in ("CHECKCOMPOUNDDUP", "CHECKCOMPOUNDTRIPLE"):
        lines += [name] * (rng.random() < 0.3)

    def flags(among: str) -> str:
        return "".join(flag for flag in among if rng.random() < 0.4)

    for flag in "AB":
        add = rng.choice(["0", "a", "b", "ba"])
        leads = flags("".join(roles.values()))
        lines += [f"SFX {flag} Y 1", f"SFX {flag} {rng.choice('0ab')} {add}/{leads} ."]
    stems = {"".join(rng.choices("ab", k=rng.randint(1, 3))) for _ in range(3)}
    entries = [f"{stem}/{flags('ABxyzp')}" for stem in sorted(stems)]
    return "\n".join(lines), " ".join(entries)


@needs_hunspell
@pytest.mark.parametrize("seed", range(60))
def test_no_compound_is_refused(seed: int, tmp_path: Path) -> None:
    """Every string of up to eight letters, asked of the library."""
    dic = write(tmp_path, *random_dictionary(seed))
    strings = ["".join(word) for n in range(1, 9) for word in product("ab", repeat=n)]
    compounds = Compounds(read_dictionary(dic))
    ours = [word for word in strings if word in compounds]
    assert Hunspell(dic).accepted(ours) == ours


def test_a_lexicon_has_the_compounds_that_are_used(tmp_path: Path) -> None:
    file = read_word_file(write(tmp_path, GERMAN, ENTRIES))
    assert str(file).endswith("hunspell's dictionary, 4 words; left out: compounds")
    met = file.with_compounds(["Haustür", "Türhaus", "Haustüren", "Haus", "Haustür"])
    assert set(met.counts) - set(file.counts) == {"Haustür", "Haustüren"}
    assert str(met).endswith("6 words; left out: compounds but 2 that are used")
