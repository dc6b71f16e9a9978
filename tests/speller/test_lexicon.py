"""Lexicons of spellers: files, machines, counts, and the forms of their letters."""

from __future__ import annotations

from pathlib import Path

import pynini
import pytest

from fstce import Speller
from fstce.errors import MachineError, ParameterError
from fstce.speller.lexicon import Lexicon, lexicon_of, read_lexicon


def test_lexicons_are_files_of_words_and_machines(tmp_path: Path) -> None:
    (tmp_path / "counts.tsv").write_text("the\t9\ncats\t2\n")
    (tmp_path / "text.txt").write_text("The cats, the dogs.\nDon't!\n")
    both = lexicon_of([tmp_path / "counts.tsv", tmp_path / "text.txt"])
    costs = both.costs(["the", "dogs"])
    assert costs["the"] < costs["dogs"]
    (tmp_path / "x.att").write_text("0\t1\tch\tch\t0.5\n1\t2\ta\ta\n2\n")
    machine = lexicon_of(tmp_path / "x.att")
    assert machine.costs(["cha"]) == {"cha": 0.5}
    (tmp_path / "y.att").write_text("0\t1\t@U.CASE.NOM@\t@U.CASE.NOM@\n1\t2\ta\ta\n2\n")
    with pytest.raises(MachineError, match="flag diacritics"):
        lexicon_of(tmp_path / "y.att")
    with pytest.raises(ParameterError, match=r"\S+: an acceptor is a whole lexicon"):
        lexicon_of([tmp_path / "x.att", tmp_path / "text.txt"])


@pytest.mark.parametrize("text", ["0\t1\t@0@\t@0@\n1\n", "0\t1\ta\ta\n"])
def test_a_machine_without_words_is_no_lexicon(text: str, tmp_path: Path) -> None:
    (tmp_path / "none.att").write_text(text)
    with pytest.raises(MachineError, match=r"none\.att: holds no word"):
        lexicon_of(tmp_path / "none.att")


def test_letters_and_marks_meet_however_they_are_written() -> None:
    """A decomposed lexicon was of other words than composed typos."""
    composed, apart = "naïve", "nai\u0308ve"
    for lexicon in ([composed, "nave"], [apart, "nave"], pynini.accep(apart, token_type="utf8")):
        speller = Speller().fit([("nïave", composed), ("nai\u0308vee", apart)], lexicon)
        assert speller.reached_ == 2
        for observed in ("naïvve", "nai\u0308vve"):
            assert speller.predict([observed])[0][0] == composed


def test_counts_of_an_acceptor_are_whole_numbers_however_its_costs_spread() -> None:
    machine = pynini.union(pynini.accep("cat", weight=900), pynini.accep("dog")).optimize()
    counts = lexicon_of(machine).counts()
    assert counts["cat"] == 1 and 2**52 < counts["dog"] < 2**54


def test_a_transducer_is_no_lexicon() -> None:
    """A damaged model was an internal error where its words were read."""
    with pytest.raises(ParameterError, match="an acceptor"):
        Lexicon(pynini.cross("cat", "dog").optimize())


def test_a_weight_beyond_all_costs_is_refused() -> None:
    """Sums of it are no numbers, of which OpenFst failed where words were suggested."""
    with pytest.raises(ParameterError, match=r"a weight beyond 1e\+09, which is no cost"):
        Lexicon(pynini.accep("cat", weight=1e38))


def test_a_right_form_may_be_a_compound(tmp_path: Path) -> None:
    """Hunspell's lists have no compounds, and typos of them taught nothing."""
    (tmp_path / "x.aff").write_text("SET UTF-8\nCOMPOUNDFLAG c\n", encoding="utf-8")
    (tmp_path / "x.dic").write_text("2\nsol/c\nstråle/c\n", encoding="utf-8")
    typos = [("solstrole", "solstråle"), ("solstrale", "solstråle")]
    assert list(lexicon_of(tmp_path / "x.dic", typos).costs(["solstråle", "solsol"])) == [
        "solstråle"
    ]
    _, taken_for = read_lexicon([tmp_path / "x.dic"], typos=typos)
    assert taken_for[0].endswith("3 words; left out: compounds but 1 that are used")
