"""The words of hunspell's dictionaries, against words by hand and against hunspell's own library."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from oracles_hunspell import LIBRARY, Hunspell, random_dictionary

from fstce.corpora import hunspell
from fstce.corpora.hunspell import hunspell_words, read_hunspell
from fstce.errors import CorpusError

needs_hunspell = pytest.mark.skipif(LIBRARY is None, reason="hunspell's library is not here")
S = "SFX S Y 1\nSFX S 0 s .\n"
CASES = {
    "suffixes by their conditions": (
        "SFX S Y 3\nSFX S y ies [^aeiou]y\nSFX S 0 s [aeiou]y\nSFX S 0 es [sx]\n",
        "fly/S day/S box/S",
        "fly flies day days box boxes",
    ),
    "two suffixes, and a prefix before them": (
        f"PFX U Y 1\nPFX U 0 un .\nSFX E Y 1\nSFX E 0 er/S .\n{S}",
        "lock/UE",
        "lock locker lockers unlock unlocker unlockers",
    ),
    "what does not cross": (f"PFX P N 1\nPFX P 0 pre .\n{S}", "day/PS", "day days preday"),
    "both sides of a flag": (f"PFX S Y 1\nPFX S 0 re .\n{S}", "act/S", "act acts react reacts"),
    "marks of vowels": ("SFX A Y 1\nSFX A 0 ों .\n", "काम/A", "काम कामों"),
    "niqqud and the Catalan point": ("SFX A Y 1\nSFX A 0 l·la .\n", "שָׁלוֹם ti/A", "שָׁלוֹם ti til·la"),
    "joiners": ("SFX A Y 1\nSFX A 0 \u200cها .\n", "خانه/A", "خانه خانه\u200cها"),
    "apostrophes and figures": ("SFX A Y 1\nSFX A 0 's .\n", "3D tie/A", "3D tie tie's"),
    "a stem that needs an affix": (f"NEEDAFFIX Z\n{S}", "bake/ZS", "bakes"),
    "an affix that needs one": (
        f"NEEDAFFIX Z\nSFX E Y 1\nSFX E 0 er/ZS .\n{S}",
        "lock/E",
        "lock lockers",
    ),
    "parts of compounds": (f"ONLYINCOMPOUND o\nCOMPOUNDFLAG c\n{S}", "berg/oSc Berg/S", "Berg Bergs"),
    "forbidden forms": (f"FORBIDDENWORD X\n{S}", "ox/S oxs/X foot/S feet", "ox foot foots feet"),
    "a forbidden stem with its forms": (f"FORBIDDENWORD X\n{S}", "ye/S yes wu/SX", "ye yes"),
    "circumfixes": (
        "CIRCUMFIX X\nPFX A Y 1\nPFX A 0 leg/X .\nSFX B Y 2\nSFX B 0 bb .\nSFX B 0 ebb/AX .\n",
        "nag/B",
        "nag nagbb legnagebb",
    ),
    "prefixes that a suffix leads to": (
        "PFX P Y 1\nPFX P 0 re .\nSFX S Y 1\nSFX S 0 ing/P .\n",
        "do/S",
        "do doing redoing",
    ),
    "suffixes that a prefix leads to": (
        "PFX P Y 1\nPFX P 0 re/S .\nSFX S Y 1\nSFX S 0 ing .\n",
        "do/P",
        "do redo redoing",
    ),
    "two prefixes": (
        "COMPLEXPREFIXES\nPFX A Y 1\nPFX A 0 ka/B .\nPFX B Y 1\nPFX B 0 mi .\nSFX C Y 1\nSFX C a e .\n",
        "nola/AC",
        "nola kanola mikanola nole kanole mikanole",
    ),
    "aliases": ("AF 2\nAF S\nAF ES\nSFX E Y 1\nSFX E 0 en/1 .\n" + S, "ox/2 cat/1", "ox oxen oxens oxs cat cats"),
    "aliases of numbers": (
        "FLAG num\nAF 3\nAF 3\nAF 1,3\nAF 1\nSFX 1 Y 1\nSFX 1 0 da .\nSFX 3 Y 1\nSFX 3 0 na .\n",
        "ga/1 ho/2 mi/3",
        "ga gana ho hoda hona mi mida",
    ),
    "flags of two letters": ("FLAG long\nSFX Aa Y 1\nSFX Aa 0 s .\n", "cat/AaBb dog/Aa", "cat cats dog dogs"),
    "flags of any letter": ("FLAG UTF-8\nSFX ő Y 1\nSFX ő 0 s .\n", "cat/ő dog/ö", "cat cats dog"),
    "a slash before all": (S, "/xS //S /etc/x lamp", "/ /s lamp"),
    "slashes": (S, r"km\/h/S kmh", "km/h km/hs kmh"),
    "what is no letter to hunspell": ("IGNORE ~\n" + S, "a~b/S", "ab abs"),
    "what is none in affixes": (
        "IGNORE ·-\nSFX D Y 2\nSFX D o ·i- o\nSFX D 0 e·n [^o]\nPFX G Y 1\nPFX G 0 g- .\n",
        "t·o-/D -ka·m/DG",
        "to ti kam kamen gkam gkamen",
    ),
    "a whole word stripped": ("FULLSTRIP\nSFX A Y 1\nSFX A go went .\n", "go/A", "go went"),
    "no whole word stripped": ("SFX A Y 1\nSFX A go went .\n", "go/A ergo/A", "go ergo erwent"),
    "a table of another length": (f"{S}SFX T Y 2\nSFX T 0 t .\n\nSFX U Y 1\nSFX U 0 u .\n", "a/STU", "a as"),
}  # fmt: skip


def write(folder: Path, aff: str | bytes, dic: str | bytes) -> Path:
    for suffix, text in (("aff", aff), ("dic", dic)):
        data = text if isinstance(text, bytes) else text.encode()
        (folder / f"x.{suffix}").write_bytes(data)
    return folder / "x.dic"


@pytest.mark.parametrize("name", CASES)
def test_the_words_are_those_that_hunspell_accepts(name: str, tmp_path: Path) -> None:
    aff, entries, words = CASES[name]
    lines = entries.split()
    dic = write(tmp_path, f"SET UTF-8\n{aff}", "\n".join([str(len(lines)), *lines]))
    assert sorted(read_hunspell(dic).words) == sorted(words.split())
    if LIBRARY is not None:
        assert Hunspell(dic).accepted(words.split()) == words.split()


@needs_hunspell
@pytest.mark.parametrize("letters", ["ab", "aé"])
@pytest.mark.parametrize("seed", range(100))
def test_no_other_word_is_accepted(seed: int, letters: str, tmp_path: Path) -> None:
    """Every string of up to seven letters, asked of the library."""
    dic = write(tmp_path, *random_dictionary(seed, letters))
    strings = ["".join(word) for n in range(1, 8) for word in product(letters, repeat=n)]
    accepted = set(Hunspell(dic).accepted(strings))
    try:
        words = set(read_hunspell(dic).words)
    except CorpusError:
        words = set()
    assert {word for word in words if len(word) < 8} == accepted


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("ISO8859-2", "iso8859-2"),
        ("microsoft-cp1251", "cp1251"),
        ("TIS620-2533", "tis-620"),
        ("KOI8-U", "koi8-u"),
        ("", "latin-1"),
    ],
)
def test_encodings_have_the_names_of_hunspell(name: str, encoding: str, tmp_path: Path) -> None:
    word = {"cp1251": "дом", "tis-620": "บ้าน", "koi8-u": "дім", "latin-1": "hüs"}.get(
        encoding, "dół"
    )
    aff = f"# von Lászlós\nSET {name}\n{S}" if name else S
    dic = write(tmp_path, aff.encode(encoding, "replace"), f"1\n{word}/S\n".encode(encoding))
    assert read_hunspell(dic).words == [word, f"{word}s"]
    if LIBRARY is not None:
        assert Hunspell(dic).accepted([word, f"{word}s"]) == [word, f"{word}s"]


def test_marks_and_stray_bytes_do_no_harm(tmp_path: Path) -> None:
    """A byte order mark stood before SET, and a remark had bytes of another encoding."""
    aff = b"\xef\xbb\xbfSET UTF-8\n# L\xe1szl\xf3\n" + S.encode()
    dic = write(tmp_path, aff, "\ufeff2\r\nblé/S\r\nx\r\n".encode() + b"\xe1b/S\n")
    words, left_out, _ = read_hunspell(dic)
    assert words == ["blé", "x", "blés"]
    assert left_out == ["1 stems (it holds a lone surrogate, which no text file can)"]


def test_what_is_left_out_is_said_in_one_line(tmp_path: Path) -> None:
    dic = write(tmp_path, f"COMPOUNDFLAG c\n{S}", "3\nice cream/S\nhors duty\nlamp/Sc po:noun\n")
    assert read_hunspell(dic)[:2] == (
        ["lamp", "lamps"],
        ["2 stems (it holds white space)", "compounds"],
    )


def test_too_many_forms_are_left_out_by_layers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arabic's has fifty million, which filled the memory; what is left out is not made."""
    aff = f"PFX U Y 1\nPFX U 0 un .\nSFX E Y 1\nSFX E 0 er/S .\n{S}"
    dic = write(tmp_path, aff, "1\nlock/UE\n")
    for most, words in ((4, "lock locker lockers"), (2, "lock locker"), (1, "lock")):
        monkeypatch.setattr(hunspell, "WORDS", most)
        found, left_out, _ = read_hunspell(dic)
        assert found == words.split() and f"more than {most} words" in left_out[0]


def test_what_is_no_dictionary_is_told(tmp_path: Path) -> None:
    dic = write(tmp_path, "NEEDAFFIX Z\n", "1\nbake/Z\n")
    with pytest.raises(CorpusError, match=r"x\.dic: holds no word"):
        read_hunspell(dic)
    for encoding in ("punycode", "hex", "utf-99", "undefined"):
        write(tmp_path, f"SET {encoding}\n", "1\nbake\n")
        with pytest.raises(CorpusError, match=r"x\.aff: is not in .* as its SET line says"):
            read_hunspell(dic)
    (tmp_path / "x.aff").write_bytes(b"SET UTF-7\n# \xff\xff+\n")
    with pytest.raises(CorpusError, match=r"x\.aff: is not in utf-7, as its SET line says"):
        read_hunspell(dic)
    write(tmp_path, "SET UTF-8\nAF 1\nAF S\n", f"1\nword/{'9' * 5000}\n")
    assert read_hunspell(dic).words == ["word"]
    (tmp_path / "x.aff").unlink()
    with pytest.raises(CorpusError, match=r"x\.aff: cannot be read .*it has the affix rules"):
        read_hunspell(dic)


def test_the_words_come_in_one_order(tmp_path: Path) -> None:
    dic = write(tmp_path, *random_dictionary(3))
    program = "import sys; from fstce.corpora.hunspell import read_hunspell as w; print(w(sys.argv[1]).words)"
    runs = set()
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", program, str(dic)]
        runs.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(runs) == 1


def test_a_rule_of_bytes_that_are_no_text_is_left_out(tmp_path: Path) -> None:
    dic = write(tmp_path, "SET UTF-8\n", "1\nlamp/S\n")
    (tmp_path / "x.aff").write_bytes(b"SET UTF-8\nSFX S Y 2\nSFX S 0 s .\nSFX S 0 \xa0s .\n")
    words, left_out, _ = read_hunspell(dic)
    assert words == ["lamp", "lamps"]
    assert "1 rules whose letters can be in no word" in left_out


def test_a_flag_may_be_left_without_rules(tmp_path: Path) -> None:
    dic = write(tmp_path, "SET UTF-8\n", "1\nlamp/S\n")
    (tmp_path / "x.aff").write_bytes(b"SET UTF-8\nSFX S Y 1\nSFX S 0 \xa0s .\n")
    assert read_hunspell(dic).words == ["lamp"]


def test_words_alone_come_with_a_warning_of_what_is_left_out(tmp_path: Path) -> None:
    dic = write(tmp_path, f"SET UTF-8\n{S}", "1\nlamp/S\n")
    assert hunspell_words(dic) == read_hunspell(dic).words
    dic = write(tmp_path, f"SET UTF-8\nCOMPOUNDFLAG X\n{S}", "1\nlamp/S\n")
    with pytest.warns(UserWarning, match="left out: compounds"):
        assert hunspell_words(dic) == read_hunspell(dic).words


def test_many_rules_of_a_flag_are_found_by_what_they_strip(tmp_path: Path) -> None:
    endings = [a + b + c for a in "bcdfghjklm" for b in "aeiou" for c in "bcdfghjklm"]
    rules = "".join(f"SFX A {ending} x{ending} {ending}\n" for ending in endings)
    (tmp_path / "d.aff").write_text(f"SFX A Y {len(endings)}\n{rules}")
    stems = [f"{start}{ending}" for start in "rstvwz" for ending in endings]
    lines = "".join(f"{stem}/A\n" for stem in stems)
    (tmp_path / "d.dic").write_text(f"{len(stems)}\n{lines}")
    words = set(hunspell_words(tmp_path / "d.dic"))
    assert words == {*stems, *(f"{stem[0]}x{stem[1:]}" for stem in stems)}
