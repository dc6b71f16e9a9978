"""Machines that people have in hand: in memory, with weights, foma's and HFST's text; authors' mistakes."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pynini
import pytest
import pywrapfst

import fstce
from fstce import neighborhood
from fstce.errors import CorpusError, MachineError, NeighborhoodError
from fstce.machines import Lattice, Symbols, write_fst
from fstce.neighborhoods.base import Neighborhood


def table(*words: str) -> pywrapfst.SymbolTable:
    found = pywrapfst.SymbolTable()
    for word in ("<eps>", *words):
        found.add_symbol(word)
    return found


def replaces(weight: float | None = None) -> pynini.Fst:
    """Copies cats and dogs; one cat may be a dog."""
    symbols = table("cat", "dog")
    cat, dog = (pynini.accep(word, token_type=symbols) for word in ("cat", "dog"))
    one = (
        pynini.cross(cat, dog)
        if weight is None
        else pynini.cross(cat, dog) + pynini.accep("", weight=weight)
    )
    copy = pynini.closure(cat | dog)
    fst = copy + pynini.closure(one, 0, 1) + copy
    fst.set_input_symbols(symbols)
    fst.set_output_symbols(symbols)
    return fst.optimize()


def strings(kind: Neighborhood, text: str) -> set[str]:
    return {" ".join(words) for words in kind(text.split()).strings()}


CATS = {"cat dog cat", "dog dog cat", "cat dog dog"}


class TestInMemory:
    def test_a_pynini_machine_is_a_neighbourhood(self) -> None:
        assert strings(fstce.neighborhood(replaces()), "cat dog cat") == CATS

    @pytest.mark.parametrize("arc_type", ["log", "log64"])
    def test_so_is_one_of_another_library_and_arc_type(self, arc_type: str) -> None:
        fst = pywrapfst.arcmap(replaces(), map_type=f"to_{arc_type}")
        assert strings(neighborhood(fst), "cat dog cat") == CATS

    def test_it_pickles_and_combines(self) -> None:
        kind = neighborhood(replaces())
        assert strings(pickle.loads(pickle.dumps(kind)), "cat dog cat") == CATS
        assert strings(kind | neighborhood("identity"), "cat dog cat") == CATS

    def test_a_machine_without_symbols_says_so(self) -> None:
        with pytest.raises(MachineError, match="machine in memory: no symbols"):
            neighborhood(pynini.accep("cat"))

    def test_an_unsound_machine_is_no_neighbourhood(self) -> None:
        fst = replaces()
        fst.add_arc(0, pynini.Arc(1, 1, 0, 99))
        with pytest.raises(MachineError, match="leads to no state"):
            neighborhood(fst)


class TestWeights:
    def test_they_are_refused_unless_they_are_wanted(self, tmp_path: Path) -> None:
        write_fst(replaces(0.7), tmp_path / "x.fst")
        with pytest.raises(MachineError, match=r"weights; .* weighted=True\), .* --weighted"):
            neighborhood(str(tmp_path / "x.fst"))

    def test_a_compiled_machine_may_have_them(self, tmp_path: Path) -> None:
        write_fst(replaces(0.7), tmp_path / "x.fst")
        kind = neighborhood(str(tmp_path / "x.fst"), weighted=True)
        for one in (
            kind,
            pickle.loads(pickle.dumps(kind)),
            neighborhood(replaces(0.7), weighted=True),
        ):
            lattice = one(["cat"])
            assert lattice.arc_type == "log64"
            costs = sorted(lattice.arrays.weight + lattice.arrays.final[lattice.arrays.next])
            assert costs == pytest.approx([0, 0.7])

    def test_what_has_none_says_so(self) -> None:
        with pytest.raises(NeighborhoodError, match="trans1 has no weights"):
            neighborhood("trans1", weighted=True)


def text_machine(folder: Path, *lines: str) -> Neighborhood:
    (folder / "mine.att").write_text("".join(f"{line}\n" for line in lines).replace(" ", "\t"))
    return neighborhood(str(folder / "mine.att"))


class TestFomaAndHfst:
    # foma: regex [a:b | \[a]]*; as `write att` prints it.
    IDENTITY = ("0 0 @_IDENTITY_SYMBOL_@ @_IDENTITY_SYMBOL_@", "0 0 a b", "0 0 b b", "0 0 a a", "0")

    def test_identity_is_a_word_that_no_arc_names(self, tmp_path: Path) -> None:
        kind = text_machine(tmp_path, *self.IDENTITY)
        assert strings(kind, "a x a") == {"a x a", "b x a", "a x b", "b x b"}
        without = text_machine(tmp_path, *self.IDENTITY[:1], "1 1 a a", "0")
        with pytest.raises(MachineError, match="accepts nothing"):
            without(["a"])  # named, though on no useful arc: a itself is not among the others

    def test_unknown_is_another_word_that_no_arc_names(self, tmp_path: Path) -> None:
        lines = (
            "0 0 @_IDENTITY_SYMBOL_@ @_IDENTITY_SYMBOL_@",
            "0 1 @_UNKNOWN_SYMBOL_@ @_UNKNOWN_SYMBOL_@",
        )
        kind = text_machine(tmp_path, *lines, "0 1 a a", "0 0 a a", "0", "1")
        assert strings(kind, "a x y") == {"a x y", "a x x"}
        dropped = text_machine(tmp_path, lines[0], "0 1 @_UNKNOWN_SYMBOL_@ @0@", "0", "1")
        assert strings(dropped, "x y") == {"x y", "x"}

    def test_hfst_writes_weights_of_nothing(self, tmp_path: Path) -> None:
        identity = "0 0 @_IDENTITY_SYMBOL_@ @_IDENTITY_SYMBOL_@ 0.000000"
        kind = text_machine(
            tmp_path,
            identity,
            "0 1 @_IDENTITY_SYMBOL_@ @_EPSILON_SYMBOL_@ 0.000000",
            "0 0.0",
            "1 0.0",
        )
        assert kind.equivariant
        assert strings(kind, "x y") == {"x y", "x"}


class TestLattices:
    @pytest.mark.parametrize("arc_type", ["standard", "log", "log64"])
    def test_openfst_tables_are_converted(self, arc_type: str) -> None:
        symbols = table("the", "cat", "saw")
        fst = pynini.arcmap(pynini.accep("cat saw", token_type=symbols), map_type=f"to_{arc_type}")
        lattice = Lattice.from_fst(fst, symbols)
        assert lattice.strings() == [("cat", "saw")]
        assert Lattice.from_fst(lattice.to_fst()).strings() == lattice.strings()

    def test_without_symbols_words_are_numbers(self) -> None:
        lattice = Lattice.from_fst(pynini.accep("ab"))
        assert lattice.strings() == [("97", "98")]

    def test_weights_add_up_as_probabilities(self) -> None:
        a = pynini.accep("a", weight=1.0)
        lattice = Lattice.from_fst(pynini.union(a, a))
        assert lattice.arc_type == "log64"
        total = lattice.arrays.weight.sum() + lattice.arrays.final[-1]
        assert total == pytest.approx(1.0 - np.log(2), abs=1e-6)

    def test_a_label_without_a_symbol_is_named(self) -> None:
        with pytest.raises(MachineError, match="the label 97 has no symbol"):
            Lattice.from_fst(pynini.accep("a"), table("x"))

    def test_a_table_of_words_spelt_as_ours(self) -> None:
        symbols = Symbols(["a", "b"])
        fst = symbols.any()
        assert set(Lattice.from_fst(fst, symbols).strings()) == {("a",), ("b",)}


class TestMistakes:
    def fails(
        self, here: Path, source: str, message: str, words: Sequence[str] = ("a", "b")
    ) -> None:
        (here / "mine.py").write_text(source)
        with pytest.raises((MachineError, NeighborhoodError), match=message) as caught:
            neighborhood("./mine.py")(words)
        assert "\n" not in str(caught.value)

    def test_a_word_that_is_not_there(self, here: Path) -> None:
        source = "def build(symbols):\n    return symbols.union(symbols.ids(['zebra']))\n"
        message = r"mine.py:2: the word 'zebra' is not in .* INTRODUCES = \[\.\.\.\], and asks `if word in symbols`"
        self.fails(here, source, message)

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ("'not'", r"INTRODUCES = 'not' is no list of words"),
            ("7", "INTRODUCES = 7 is no list of words"),
            (
                "['not now']",
                "INTRODUCES has 'not now', which cannot be a word: it holds white space",
            ),
        ],
    )
    def test_introduces_is_a_list_of_words(self, here: Path, value: str, message: str) -> None:
        self.fails(
            here, f"INTRODUCES = {value}\ndef build(symbols):\n    return symbols.any()\n", message
        )

    def test_a_helper_beside_the_file_is_imported(self, here: Path) -> None:
        (here / "fstce_test_helper.py").write_text("WORDS = ['a']\n")
        source = "import fstce_test_helper as h\nimport pynini\nINTRODUCES = h.WORDS\n"
        (here / "mine.py").write_text(
            source + "def build(symbols):\n    return pynini.closure(symbols.any())\n"
        )
        assert neighborhood("./mine.py").introduces == ("a",)
        assert not (here / "__pycache__").exists()

    def test_a_name_of_a_file_without_its_suffix(self, here: Path) -> None:
        (here / "determiner.py").write_text("")
        with pytest.raises(NeighborhoodError, match=r"did you mean the file \./determiner\.py\?"):
            neighborhood("determiner")


@pytest.mark.parametrize("words", ["the dog", "dog"])
def test_a_sentence_in_one_string_is_not_cut_into_letters(words: str) -> None:
    with pytest.raises(CorpusError, match="is one string; give a list of words"):
        neighborhood("trans1")(words)
