"""Lattices that another program made, one a sentence, as a neighborhood."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import oracles
import pytest

from fstce import Tagger, neighborhood
from fstce.corpora import TagDictionary
from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import (
    Symbols,
    check_lattice,
)
from fstce.machines.files import write_far

CORPUS = [["the", "dog", "runs"], ["runs", "a", "dog"], ["the", "dog", "runs"]]


def archive(path: Path, corpus: Sequence[Sequence[str]] = CORPUS) -> None:
    write_far(
        {str(i): neighborhood("trans1")(words).to_fst() for i, words in enumerate(corpus)}, path
    )


def test_ready_lattices(here: Path) -> None:
    archive(here / "ready.far")
    kind = neighborhood("ready.far")
    lattices = list(kind.expand(CORPUS, Symbols(word for words in CORPUS for word in words)))
    for words, lattice in zip(CORPUS, lattices, strict=True):
        assert set(lattice.strings()) == oracles.trans1(words)
        check_lattice(lattice.to_fst(), lattice.name)
    assert [lattice.name.rpartition("/")[2] for lattice in lattices] == [
        "ready.far:0",
        "ready.far:1",
        "ready.far:2",
    ]
    assert kind(["runs", "a", "dog"]).name == "ready.far:1"
    with pytest.raises(NeighborhoodError, match="none of 3 lattices holds 'runs'"):
        kind(["runs"])


def test_ready_lattices_are_reported_by_the_sentence_s_number(here: Path) -> None:
    archive(here / "ready.far")
    symbols = Symbols(word for words in CORPUS for word in words)
    (second,) = neighborhood("ready.far").expand([CORPUS[1]], symbols, [2])
    assert set(second.strings()) == oracles.trans1(CORPUS[1])
    with pytest.raises(
        NeighborhoodError, match=r"sentence 1 \(runs a dog\): ready.far:0 does not hold it"
    ):
        list(neighborhood("ready.far").expand([CORPUS[1]], symbols))
    with pytest.raises(
        NeighborhoodError, match=r"sentence 4 \(the dog runs\): ready.far has 3 lattices"
    ):
        list(neighborhood("ready.far").expand([*CORPUS, CORPUS[0]], symbols))
    with pytest.raises(NeighborhoodError, match=r"ready.far has 3 lattices for 2 sentences"):
        list(neighborhood("ready.far").expand(CORPUS[:2], symbols))
    with pytest.raises(
        MachineError, match=r"sentence 1 .*ready.far:0: the word 'runs' is not in the alphabet"
    ):
        list(neighborhood("ready.far").expand([["the", "dog"]], Symbols(["the", "dog"])))


def test_a_tagger_learns_from_ready_lattices_as_from_the_transducer(here: Path) -> None:
    archive(here / "ready.far")
    dictionary = TagDictionary(
        {"the": ["D"], "a": ["D", "N"], "dog": ["N", "V"], "runs": ["N", "V"]}
    )
    values = []
    for name in ("trans1", "ready.far"):
        tagger = Tagger(name, order=2, max_iterations=8).fit(CORPUS, dictionary=dictionary)
        values.append(tagger.training_.objective)
    assert values[0] == pytest.approx(values[1], rel=1e-12)


def test_ready_lattices_are_not_combined(here: Path) -> None:
    archive(here / "ready.far")
    with pytest.raises(NeighborhoodError, match=r"ready.far is no transducer"):
        neighborhood("ready.far | trans1")
