"""The edit transducers of tests and of marks against the definition of weighted edit distance."""

from __future__ import annotations

import math

import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost, edit_transducer

from fstce.correction.mistakes.punctuation import Punctuate
from fstce.machines.symbols import FIRST_WORD_ID, Symbols
from fstce.speller.channel import Channel

WORD = st.text("abc", min_size=1, max_size=5)
CHANNEL = Channel(1.0, 1.5, 2.0, 0.75)


def best(observed: str, intended: str, machine: pynini.Fst) -> float:
    found = pynini.compose(pynini.compose(observed, machine), intended)
    return (
        float(pynini.shortestdistance(found, reverse=True)[found.start()])
        if found.start() >= 0
        else math.inf
    )


@pytest.mark.parametrize("damerau", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
@given(observed=WORD, intended=WORD)
def test_the_best_path_is_the_cheapest_way_to_edit(
    k: int, damerau: bool, observed: str, intended: str
) -> None:
    machine = edit_transducer("abc", k, damerau, CHANNEL)
    assert math.isclose(
        best(observed, intended, machine),
        edit_cost(observed, intended, k, damerau, CHANNEL),
        rel_tol=1e-6,
    )


@pytest.mark.parametrize("symbols", [1, 2, 5])
@pytest.mark.parametrize("k", [1, 2])
def test_its_size(symbols: int, k: int) -> None:
    """k + 1 levels of copies; on each but the last all pairs of unequal symbols, ε being one."""
    machine = Punctuate(k, list("abcde")).build(Symbols("abcde"[:symbols]))
    arcs = sum(map(machine.num_arcs, machine.states()))
    assert machine.num_states() == k + 1
    assert arcs == (k + 1) * symbols + k * symbols * (symbols + 1)


def test_one_symbol_has_no_transpositions_but_is_sound() -> None:
    machine = edit_transducer("a", 2, True, CHANNEL)
    assert machine.verify()
    assert machine.num_states() == 3


def test_words_are_copied_and_never_edited() -> None:
    machine = Punctuate(1, [",", "--"]).build(Symbols([",", "--", "word"]))
    out = {(arc.ilabel, arc.olabel) for state in machine.states() for arc in machine.arcs(state)}
    a, b, word = range(FIRST_WORD_ID, FIRST_WORD_ID + 3)
    assert out == {(a, a), (b, b), (word, word), (a, b), (b, a), (a, 0), (b, 0), (0, a), (0, b)}
