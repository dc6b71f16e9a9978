"""Analysers of foma and HFST against the tools' own lookup."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pynini
import pytest
from machine_cases import run

import fstce
from fstce import Analyser, TagDictionary
from fstce.errors import DictionaryError, MachineError, ParameterError
from fstce.machines.convert import read_machine

LEXC = """\
Multichar_Symbols +N +V +Pl +Sg +Inf +3P +Det
LEXICON Root
dog Noun ;
saw Noun ;
saw Verb ;
bark Noun ;
bark Verb ;
the+Det:the # ;
LEXICON Noun
+N+Sg:0 # ;
+N+Pl:s # ;
LEXICON Verb
+V+Inf:0 # ;
+V+3P:s # ;
"""
FLAGS = """\
Multichar_Symbols +N @P.SIDE.UN@ @R.SIDE.UN@ @D.SIDE@
LEXICON Root
@P.SIDE.UN@un Stem ;
Stem ;
LEXICON Stem
tie End ;
do End ;
LEXICON End
+N@R.SIDE.UN@:@R.SIDE.UN@ing # ;
+N@D.SIDE@:@D.SIDE@s # ;
"""
WORDS = ("dog", "dogs", "saws", "bark", "the", "wug", "dogss", "s")
FLAGGED = ("untieing", "tieing", "ties", "unties", "undoing", "dos")


def foma(folder: Path, text: str) -> Path:
    """A lexicon compiled by foma: AT&T text, and its own file for flookup."""
    (folder / "x.lexc").write_text(text)
    commands = [
        f"read lexc {folder}/x.lexc",
        f"save stack {folder}/x.foma",
        f"write att {folder}/x.att",
    ]
    run("foma", "-q", *(part for command in commands for part in ("-e", command)), "-s")
    return folder / "x.att"


def hfst(folder: Path, text: str) -> Path:
    """The same by HFST, turned so that words are read."""
    (folder / "x.lexc").write_text(text)
    run("hfst-lexc", str(folder / "x.lexc"), "-o", str(folder / "up.hfst"))
    run("hfst-invert", str(folder / "up.hfst"), "-o", str(folder / "x.hfst"))
    return folder / "x.hfst"


def looked_up(program: tuple[str, ...], words: tuple[str, ...]) -> dict[str, set[str]]:
    """What a tool's lookup says of each word."""
    printed = run(*program, input="".join(f"{word}\n" for word in words))
    found: dict[str, set[str]] = {word: set() for word in words}
    for line in printed.splitlines():
        word, *fields = line.split("\t")
        if fields and not fields[0].endswith("+?"):
            found[word].add(fields[0])
    return found


def ours(analyser: Analyser, words: tuple[str, ...]) -> dict[str, set[str]]:
    return {word: {"".join(analysis) for analysis in analyser(word)} for word in words}


@pytest.mark.parametrize(("text", "words"), [(LEXC, WORDS), (FLAGS, FLAGGED)])
def test_foma_looks_up_the_same(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    analyser = Analyser(foma(tmp_path, text))
    expected = looked_up(("flookup", str(tmp_path / "x.foma")), words)
    assert ours(analyser, words) == expected
    assert any(expected.values()) and not all(expected.values())


@pytest.mark.parametrize(("text", "words"), [(LEXC, WORDS), (FLAGS, FLAGGED)])
def test_hfst_looks_up_the_same(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    path = hfst(tmp_path, text)
    expected = looked_up(("hfst-lookup", "-q", str(path)), words)
    assert ours(Analyser(path), words) == expected
    (tmp_path / "y.att").write_text(run("hfst-fst2txt", str(path)))
    assert ours(Analyser(tmp_path / "y.att"), words) == expected
    assert any(expected.values())


def test_other_letters_are_any_other(tmp_path: Path) -> None:
    run("foma", "-q", "-e", 'regex a:"+A" ?* ;', "-e", f"write att {tmp_path}/g.att", "-s")
    analyser = Analyser(tmp_path / "g.att", side="input")
    assert analyser("a")[0][0] == "+A"
    assert analyser("azz")[0][0] == "+A" and analyser("za") == []


def test_a_text_becomes_a_dictionary(tmp_path: Path) -> None:
    analyser = Analyser(foma(tmp_path, LEXC))
    words = ["The", "dogs", "saw", "the", "wug"]
    found = TagDictionary.from_analyser(analyser, words)
    assert dict(found) == {"The": ("Det",), "dogs": ("N",), "saw": ("N", "V"), "the": ("Det",)}
    mapped = TagDictionary.from_analyser(analyser, words, tag={"N": "NOUN", "+V": "VERB"})
    assert dict(mapped) == {"dogs": ("NOUN",), "saw": ("NOUN", "VERB")}
    fine = TagDictionary.from_analyser(analyser, words, tag=r"\+(N\+..|V|Det)")
    assert fine["dogs"] == ("N+Pl",) and fine["saw"] == ("N+Sg", "V")
    assert TagDictionary.from_analyser(analyser, words, tag=lambda a: a[-1])["saw"] == (
        "+Inf",
        "+Sg",
    )
    with pytest.raises(DictionaryError, match="analyser knows no word"):
        TagDictionary.from_analyser(analyser, ["wug"])
    with pytest.raises(DictionaryError, match="analyses give no tag"):
        TagDictionary.from_analyser(analyser, ["dog"], tag="X")
    with pytest.raises(DictionaryError, match="is no regular expression"):
        TagDictionary.from_analyser(analyser, ["dog"], tag="(")


def test_a_tagger_trains_with_it(tmp_path: Path) -> None:
    analyser = Analyser(foma(tmp_path, LEXC))
    text = [s.split() for s in ("the dogs saw the saws", "the dog barks", "the saws bark")]
    entries = TagDictionary.from_analyser(analyser, [word for s in text for word in s])
    tagger = fstce.Tagger(order=2).fit(text, dictionary=entries)
    assert tagger.predict([["the", "dog"]]) == [["Det", "N"]]


def test_what_is_no_analyser_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="it has no symbols"):
        Analyser(pynini.accep("a"))
    with pytest.raises(MachineError, match="not a file of HFST's or foma's"):
        (tmp_path / "x.foma").write_bytes(b"x")
        Analyser(tmp_path / "x.foma")
    with pytest.raises(ParameterError, match="side='up': choose one of auto, input, output"):
        Analyser(tmp_path / "x.att", side="up")
    (tmp_path / "x.hfst").write_bytes(b"OpenFst")
    with pytest.raises(MachineError, match="not a file of HFST's or foma's"):
        Analyser(tmp_path / "x.hfst")
    if shutil.which("hfst-fst2fst") is None:
        pytest.skip("no program hfst-fst2fst")
    path = hfst(tmp_path, LEXC)
    data = path.read_bytes()
    for size in range(0, len(data), 7):
        (tmp_path / "cut.hfst").write_bytes(data[:size])
        with pytest.raises(MachineError, match=r"cut\.hfst"):
            Analyser(tmp_path / "cut.hfst")
    fast = tmp_path / "fast.hfst"
    subprocess.run(
        ["hfst-fst2fst", "-O", str(path), "-o", str(fast)], check=True, capture_output=True
    )
    assert Analyser(fast)("dogs") == Analyser(path)("dogs") != []


ALONE = ("0 1 @P.X.A@ @P.X.A@\n0 1 u u\n1 2 a b\n2 3 @C.X@ @C.X@\n2 4 <eps> <eps>\n3 4 <eps> <eps>\n"
         "4 5 @R.X.A@ @R.X.A@\n4 6 @D.X@ @D.X@\n5 7 r r\n6 7 d d\n7\n")  # fmt: skip


def test_a_flag_that_is_cleared_is_neither_there_nor_another(tmp_path: Path) -> None:
    (tmp_path / "x.att").write_text(ALONE)
    analyser = Analyser(tmp_path / "x.att", side="input")
    assert {word: analyser(word) for word in ("ar", "ad", "uar", "uad")} == {
        "ar": [("b", "r")],  # by the way that does not clear it
        "ad": [("b", "d")],  # by the one that does
        "uar": [],
        "uad": [("u", "b", "d")],
    }


def test_an_analyser_of_log_weights_gives_the_best_first() -> None:
    table = pynini.SymbolTable()
    for label, symbol in enumerate(("<epsilon>", "a", "+N", "+V")):
        table.add_symbol(symbol, label)

    def way(tag: str, weight: float) -> pynini.Fst:
        return pynini.cross("[1]", f"[1][{tag}]") + pynini.accep("", weight=weight)

    fst = pynini.union(way("2", 2.0), way("3", 0.5)).optimize()
    wide = (
        pynini.arcmap(fst, map_type="to_log64").set_input_symbols(table).set_output_symbols(table)
    )
    assert Analyser(wide, side="input")("a") == [("a", "+V"), ("a", "+N")]


def test_a_feature_is_unified_with_itself_alone(tmp_path: Path) -> None:
    (tmp_path / "x.att").write_text("0 1 @U.X.A@ @U.X.A@\n0 1 @N.X.A@ @N.X.A@\n1 2 a a\n2 3 @U.X.A@ @U.X.A@\n"
                                    "2 4 @U.X.B@ @U.X.B@\n3 5 r r\n4 5 d d\n5\n")  # fmt: skip
    (tmp_path / "y.att").write_text("0 1 @U.X.A@ @U.X.A@\n1 2 a a\n2 3 @U.X.A@ @U.X.A@\n2 4 @U.X.B@ @U.X.B@\n"
                                    "3 5 r r\n4 5 d d\n5\n")  # fmt: skip
    either, one = (Analyser(tmp_path / name, side="input") for name in ("x.att", "y.att"))
    assert [len(one(word)) for word in ("ar", "ad")] == [1, 0]
    assert [len(either(word)) for word in ("ar", "ad")] == [1, 1]  # what is not A may be B


def test_of_endless_outputs_the_shortest_come_first_and_the_rest_is_said(tmp_path: Path) -> None:
    (tmp_path / "endless.att").write_text("0\t1\ta\tb\n1\t1\t@0@\tc\n1\n")
    analyser = Analyser(read_machine(tmp_path / "endless.att"))
    assert [*map("".join, analyser("a"))][:3] == ["b", "bc", "bcc"]
    assert analyser.is_cut
    assert analyser("x") == [] and not analyser.is_cut
