"""PUNC≤k against brute force."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import punctuated

from fstce.correction.mistakes.punctuation import Punctuate, english_marks, read_marks
from fstce.errors import CorpusError, MachineError, NeighborhoodError, ParameterError
from fstce.machines import Lattice, Symbols, check_lattice
from fstce.speller.channel import Channel

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


def readings(words: list[str], k: int) -> Iterator[tuple[tuple[str, ...], float]]:
    """Each way to mistake at most k marks, from left to right, with what it costs."""
    if not words:
        yield (), 0.0
    else:
        first, *rest = words
        for behind, cost in readings(rest, k):
            yield (first, *behind), cost
        for new in [*MARKS, None] if k and first in MARKS else ():
            for behind, cost in readings(rest, k - 1) if new != first else ():
                price = TABLE.insertion if new is None else TABLE.substitution
                yield (*([new] if new else []), *behind), cost + price
    for new in MARKS if k else ():
        for behind, cost in readings(words, k - 1):
            yield (new, *behind), cost + TABLE.deletion


@pytest.mark.parametrize("k", [1, 2])
@given(words=SENTENCE)
def test_weights_are_those_of_all_ways_to_mistake_it_so(k: int, words: list[str]) -> None:
    lattice = Punctuate(k, MARKS, channel=TABLE, weighted=True)(words)
    wanted: dict[tuple[str, ...], float] = {}
    for sentence, cost in readings(words, k):
        if sentence:
            wanted[sentence] = -np.logaddexp(-cost, -wanted.get(sentence, np.inf))
    assert weights(lattice) == pytest.approx(wanted, abs=1e-4)
    assert lattice.arc_type == "log64"


@given(st.integers(1, 12))
def test_the_number_of_neighbours_of_words_alone(words: int) -> None:
    assert Punctuate(1, MARKS)([f"w{i}" for i in range(words)]).count() == 1 + len(MARKS) * (
        words + 1
    )


def test_a_mark_that_the_alphabet_lacks_is_not_inserted() -> None:
    lattice = next(Punctuate(1, MARKS).expand([["so"]], Symbols(["so", "."])))
    assert set(lattice.strings()) == {("so",), ("so", "."), (".", "so")}


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
    with pytest.raises(ParameterError):
        Punctuate(marks=["a b"])


def test_it_survives_pickling() -> None:
    kind = Punctuate(1, MARKS, channel=TABLE, weighted=True)
    again = pickle.loads(pickle.dumps(kind))
    assert np.array_equal(again(["a", ","]).arrays.weight, kind(["a", ","]).arrays.weight)
    assert math.isfinite(again(["a"]).arrays.weight.sum())
