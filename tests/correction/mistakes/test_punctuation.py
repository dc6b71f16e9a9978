"""PUNC≤k against brute force."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import punctuated

from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.punctuation import Punctuate, english_marks, read_marks
from fstce.errors import CorpusError, MachineError, NeighborhoodError, ParameterError
from fstce.machines import Lattice, Symbols, check_lattice

MARKS = (",", ".", "--")
TABLE = Channel(1.0, 1.5, 2.0)
SENTENCE = st.lists(st.sampled_from([*MARKS, ",", "yes", "no", "no"]), min_size=1, max_size=6)


def weights(lattice: Lattice) -> dict[tuple[str, ...], float]:
    """Each sentence of a lattice with its weight."""
    fst = lattice.to_fst()
    return {
        tuple(words.split()): float(weight)
        for _, words, weight in fst.paths(output_token_type=lattice.symbols.table).items()
    }


@pytest.mark.parametrize("k", [1, 2])
@given(words=SENTENCE)
def test_the_set_is_the_definition(k: int, words: list[str]) -> None:
    lattice = Punctuate(k, MARKS)(words)
    assert set(lattice.strings()) == set(punctuated(words, MARKS, k, Channel()))
    assert lattice.arc_type == "standard"
    check_lattice(lattice.to_fst(), "punc")


@pytest.mark.parametrize("k", [1, 2])
@given(words=SENTENCE)
def test_weights_are_those_of_the_cheapest_mistakes(k: int, words: list[str]) -> None:
    lattice = Punctuate(k, MARKS, channel=TABLE, weighted=True)(words)
    assert weights(lattice) == pytest.approx(punctuated(words, MARKS, k, TABLE), abs=1e-5)
    assert lattice.arc_type == "log64"
    check_lattice(lattice.to_fst(), "punc")


@given(st.integers(1, 12))
def test_the_number_of_neighbours_of_words_alone(words: int) -> None:
    assert Punctuate(1, MARKS)([f"w{i}" for i in range(words)]).count() == 1 + len(MARKS) * (
        words + 1
    )


def test_a_mark_that_the_alphabet_lacks_is_not_inserted() -> None:
    lattice = next(Punctuate(1, MARKS).expand([["so"]], Symbols(["so", "."])))
    assert set(lattice.strings()) == {("so",), ("so", "."), (".", "so")}


def test_sentences_with_marks_in_the_same_places_share_a_lattice() -> None:
    kind = Punctuate(1, MARKS)
    sentences = [["a", ",", "b"], ["c", ",", "a"], ["a", ",", "a"]]
    lattices = list(kind.expand(sentences, Symbols([*"abc", *MARKS])))
    assert kind._lattice.cache_info().misses == 1
    for sentence, lattice in zip(sentences, lattices, strict=True):
        assert set(lattice.strings()) == set(punctuated(sentence, MARKS, 1, Channel()))


def test_the_shipped_marks_are_marks() -> None:
    assert {",", ".", "--", "``", "''", "-LRB-"} <= set(english_marks())
    assert len(set(english_marks())) == len(english_marks())


def test_a_file_of_marks(tmp_path) -> None:
    path = tmp_path / "marks.tsv"
    path.write_text("# mine\n,\tcomma\n\n。\n", encoding="utf-8")
    assert read_marks(path) == (",", "。")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# none\n", "no punctuation mark"),
        (b",\na b\n", "marks.tsv:2: expected one punctuation mark, not 'a b'"),
        (b"\xff", ":1: byte 0xff"),
    ],
)
def test_a_wrong_file_of_marks(tmp_path, content: bytes, message: str) -> None:
    path = tmp_path / "marks.tsv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        read_marks(path)


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(NeighborhoodError, match="sentence 2 is empty"):
        list(Punctuate().expand([["a"], []], Symbols("a")))
    with pytest.raises(MachineError, match=r"sentence 1 \(a z\).*'z'"):
        list(Punctuate().expand([["a", "z"]], Symbols("a")))
    with pytest.raises(MachineError, match="more than 3 states"):
        Punctuate(1, MARKS).changed(limit=3)(["a", "b", "c"])
    for options in ({"k": 0}, {"k": True}, {"marks": []}, {"marks": ["a b"]}, {"weighted": 1.0}):
        with pytest.raises(ParameterError):
            Punctuate(**options)


def test_it_survives_pickling() -> None:
    kind = Punctuate(1, MARKS, channel=TABLE, weighted=True)
    again = pickle.loads(pickle.dumps(kind))
    assert np.array_equal(again(["a", ","]).arrays.weight, kind(["a", ","]).arrays.weight)
    assert math.isfinite(again(["a"]).arrays.weight.sum())
