"""The questions of a check, each by itself: what is answered of sound and of faulty machines."""

from __future__ import annotations

import pynini
import pytest

from fstce import Neighborhood, neighborhood
from fstce.errors import MachineError
from fstce.machines import Symbols
from fstce.neighborhoods import check_questions as ask

WORDS = ("a", "b", "c")


def test_sizes_are_those_of_the_machines() -> None:
    kind = neighborhood("trans1")
    ((name, size),) = ask.transducer(kind, WORDS)
    transducer = kind.transducer(WORDS)
    assert name == "transducer" and size["states"] == transducer.num_states()
    (_, of_lattice), *_ = ask.lattice(kind, WORDS)
    assert of_lattice == {
        "states": len(kind(WORDS)),
        "arcs": len(kind(WORDS).arrays.source),
        "strings": 3,
    }
    ((_, n),) = ask.strings(kind, WORDS, Symbols(WORDS), 1)
    assert n == 3


def test_the_strangest_neighbor_is_the_farthest() -> None:
    rows = [row for _, row in ask.strangest(neighborhood("del1subseq"), WORDS)]
    assert [edits for edits, _ in rows] == sorted((edits for edits, _ in rows), reverse=True)
    assert rows[0][0] == 2 and len(rows) == 5
    assert not list(ask.strangest(neighborhood("identity"), WORDS))


def test_a_false_claim_is_found_and_a_true_one_is_not() -> None:
    def build(symbols: Symbols) -> pynini.Fst:
        copy = pynini.closure(symbols.any())
        named = symbols.labels if "a" in symbols else []
        extra = pynini.cross(symbols.union(named), "")
        return copy + pynini.closure(extra, 0, 1) + copy

    false = Neighborhood(build, "mine", equivariant=True)
    assert any("EQUIVARIANT" in message for _, message in ask.equivariance(false, WORDS))
    assert not list(ask.equivariance(neighborhood("trans1"), WORDS))


def test_a_lost_sentence_breaks_the_contract() -> None:
    lost = Neighborhood(lambda symbols: pynini.cross(symbols.any(), symbols.any()), "mine")
    with pytest.raises(MachineError):
        list(ask.contract(lost, WORDS))
