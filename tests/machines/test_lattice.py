"""Lattices as sets of sentences."""

from __future__ import annotations

import os
import time
import tracemalloc
from pathlib import Path

import numpy as np
import oracles
import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st
from machine_cases import SENTENCE

from fstce import neighborhood
from fstce.errors import MachineError
from fstce.machines import Lattice, Symbols, algebra, check_lattice
from fstce.machines.image import arrays_to_const, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import is_minimal
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID

WORDS = st.text("abc", min_size=1, max_size=4)


def _lattice(strings: set[str], symbols: Symbols) -> Lattice:
    chains = []
    for string in strings:
        chain = pynini.accep("")
        for label in symbols.ids(list(string)).tolist():
            chain = chain + symbols.union([label])
        chains.append(chain)
    return Lattice.from_fst(pynini.union(*chains), symbols, "test")


@given(st.sets(WORDS, min_size=1, max_size=8))
def test_a_lattice_is_the_set_it_was_made_of(strings: set[str]) -> None:
    lattice = _lattice(strings, Symbols("abc"))
    assert {"".join(words) for words in lattice.strings()} == strings
    assert lattice.count() == len(strings)
    check_lattice(lattice.to_fst(), "it")


@given(st.sets(WORDS, min_size=1, max_size=8), WORDS)
def test_it_accepts_what_it_holds(strings: set[str], word: str) -> None:
    assert _lattice(strings, Symbols("abc")).accepts(list(word)) == (word in strings)


def test_words_outside_the_alphabet_and_reserved_symbols_are_not_accepted() -> None:
    lattice = neighborhood("length")(["a", "b"])
    assert not lattice.accepts(["a", "unheard"])
    assert not lattice.accepts(["a", "<sigma>"])


def test_strings_stop_at_the_limit() -> None:
    lattice = neighborhood("del1subseq")(SENTENCE)
    assert len(lattice.strings(limit=5)) == 5
    assert lattice.strings(limit=5) == lattice.strings()[:5]


def test_counts_are_exact_beyond_64_bits() -> None:
    assert neighborhood("length")(["a", "b"] * 50).count() == 2**100


def test_a_wildcard_beside_a_word_is_not_counted_twice() -> None:
    symbols = Symbols("abc")
    either = pynini.union(symbols.union([SIGMA_ID]), symbols.union(symbols.ids(["a"]).tolist()))
    lattice = Lattice.from_fst(either + symbols.union([SIGMA_ID]), symbols)
    assert lattice.count() == 9
    assert set(lattice.strings()) == oracles.length("xy", "abc")
    assert lattice.accepts(["a", "c"])


def test_a_wildcard_behind_a_word_is_found_where_the_words_way_ends() -> None:
    symbols = Symbols("ab")
    a, b = (symbols.union([label]) for label in symbols.labels)
    lattice = Lattice.from_fst(pynini.union(a + a, symbols.union([SIGMA_ID]) + b), symbols)
    assert set(lattice.strings()) == {("a", "a"), ("a", "b"), ("b", "b")}
    assert all(lattice.accepts(words) for words in lattice.strings())


def test_weights_survive_as_log64() -> None:
    symbols = Symbols("ab")
    fst = pynini.arcmap(symbols.any(), map_type="to_log64")
    lattice = Lattice.from_fst(fst, symbols)
    assert lattice.arc_type == "log64"
    assert lattice.to_fst().arc_type() == "log64"
    assert lattice.arrays.weight.dtype == np.float64


def test_each_machine_is_the_callers_own() -> None:
    lattice = neighborhood("trans1")(SENTENCE)
    lattice.to_fst().delete_states()
    assert lattice.to_fst().num_states() == len(lattice)


def test_a_machine_that_is_no_lattice_is_named() -> None:
    with pytest.raises(MachineError, match="the loop: the neighborhood has a cycle"):
        Lattice.from_fst(pynini.closure(Symbols("a").any()), Symbols("a"), "the loop")


def test_jupyter_gets_a_picture_and_people_a_size() -> None:
    lattice = neighborhood("del1word")(SENTENCE)
    assert "<svg" in lattice._repr_html_()
    assert repr(lattice) == "<Lattice sentence 1 ∘ del1word: 11 states, 15 arcs>"
    large = neighborhood("del1word")(["a", "b"] * 1_000)
    assert (
        large._repr_html_().startswith("<div><p>sentence 1 ∘ del1word: ")
        and "<svg" not in large._repr_html_()
    )


def test_notebooks_show_a_lattice_without_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    lattice = Lattice.of_sentence(["<b>", "猫"], Symbols(["<b>", "猫"]), "<i> & more")
    html = lattice._repr_html_()
    assert "<p>&lt;i&gt; &amp; more: 1 strings, 3 states, 2 arcs</p>" in html
    assert ">&lt;b&gt;</text>" in html and ">猫</text>" in html
    assert lattice.draw(engine="layered") in html
    assert ">猫 0.25</title>" in lattice.draw([1.0, 0.25])
    with pytest.raises(MachineError, match="for each of the 2 arcs; these are 1"):
        lattice.draw([1.0])


def test_a_notebook_does_not_ask_graphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for dot that notes that it was called."""
    program, calls = tmp_path / "dot", tmp_path / "calls"
    program.write_text(f"#!/bin/sh\necho called >> {calls}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    small = neighborhood("del1word")(["so", "it", "goes"])
    assert small.draw(engine="layered") in small._repr_html_()
    large = neighborhood("del1subseq")([f"w{i}" for i in range(30)])
    assert "<svg" in large._repr_html_()
    assert not calls.exists()


def test_a_machine_of_another_program_keeps_its_words() -> None:
    table = pynini.SymbolTable()
    for symbol, label in (("<eps>", 0), ("the", 7), ("cat", 3), ("<sigma>", 12)):
        table.add_symbol(symbol, label)
    fst = (
        pynini.accep("the", token_type=table)
        + pynini.union(pynini.accep("cat", token_type=table), pynini.accep("[12]"))
    ).optimize()
    given = Lattice.from_fst(fst, table, "theirs")
    assert list(given.symbols) == ["cat", "the"] and SIGMA_ID in given.arrays.ilabel
    assert set(given.strings()) == {("the", "the"), ("the", "cat")}
    own = Lattice.from_fst(fst.set_input_symbols(table).set_output_symbols(table))
    assert own.strings() == given.strings()
    with pytest.raises(MachineError, match="theirs: the label 5 has no symbol"):
        Lattice.from_fst(pynini.accep("[5]"), table, "theirs")


def test_notebooks_get_a_line_where_arcs_pass_too_many_columns() -> None:
    lattice = neighborhood("del1subseq")([f"w{i}" for i in range(40)])
    assert "too large to draw" in lattice._repr_html_()


def test_a_machine_without_symbols_spells_its_labels() -> None:
    fst = pynini.union(pynini.accep("ab", weight=0.5), "c")
    lattice = Lattice.from_fst(fst)
    assert set(lattice.strings()) == {("97", "98"), ("99",)} and lattice.arc_type == "log64"


def test_a_machine_over_positions_is_refused_before_it_is_made() -> None:
    algebra.check_states(10, "machine", "here", 10)
    with pytest.raises(MachineError, match="here: the machine needs more than 1,000 states; raise"):
        algebra.check_states(1001, "machine", "here", 1000)


def test_what_a_lattice_accepts_is_found_in_little_memory() -> None:
    """A tuple for each arc would double the peak of a large neighborhood's building."""
    words = [f"w{i}" for i in range(200)]
    lattice = neighborhood("del1subseq")(words)
    tracemalloc.start()
    assert lattice.accepts(words) and not lattice.accepts(words[::-1])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 * len(lattice.arrays.source)


def test_a_sentence_is_found_about_as_soon_as_all_are_counted() -> None:
    """Where each word looked at all arcs, it took a hundred times as long."""
    words = [f"w{i}" for i in range(16_000)]
    lattice = neighborhood("trans1")(words)
    began = time.process_time()
    assert lattice.count() == 16_000
    counted = time.process_time()
    assert lattice.accepts(words)
    assert time.process_time() - counted < 20 * (counted - began)


@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=9),
    st.sampled_from(["trans1", "del1word", "delortrans1", "del1subseq"]),
)
def test_other_labels_give_what_openfst_gives(pattern: list[int], name: str) -> None:
    """Of lattices of any sentence; those that are minimal as they are need arcs in order alone."""
    different = neighborhood(name)([f"w{place}" for place in range(len(pattern))]).arrays
    labels = np.array(pattern, np.int32)[different.ilabel - FIRST_WORD_ID] + FIRST_WORD_ID
    alike = different._replace(ilabel=labels, olabel=labels)
    lattice = algebra.determinize(arrays_to_const(alike), "a test").minimize().topsort()
    expected = fst_to_arrays(lattice)

    if not is_minimal(alike):
        read_at = set(zip(alike.source.tolist(), labels.tolist(), strict=True))
        assert len(read_at) < len(labels) or len(expected.final) < len(alike.final)
        return

    ordered = fst_to_arrays(arrays_to_fst(alike).arcsort().topsort())
    assert ordered.start == expected.start
    for column, other in zip(ordered[1:], expected[1:], strict=True):
        np.testing.assert_array_equal(column, other)


def test_labels_that_make_states_or_arcs_alike_are_left_to_openfst() -> None:
    lattice = neighborhood("trans1")(["a", "b", "c"]).arrays
    assert is_minimal(lattice)
    alike = np.minimum(lattice.ilabel, FIRST_WORD_ID + 1)
    assert not is_minimal(lattice._replace(ilabel=alike, olabel=alike))
