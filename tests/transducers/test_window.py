"""Rotations and windows against enumeration."""

from __future__ import annotations

import pickle
from itertools import permutations

import oracles_neighbors
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce import neighborhood
from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import Symbols, check_lattice

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=7)
DISTINCT = st.integers(1, 30).map(lambda m: [f"w{i}" for i in range(m)])


@pytest.mark.parametrize("size", range(2, 7))
@given(words=WORDS)
def test_permutations_within_a_window(size: int, words: list[str]) -> None:
    lattice = neighborhood(f"window{size}")(words)
    assert set(lattice.strings()) == oracles_neighbors.window(words, size)
    assert lattice.count() == len(lattice.strings())
    check_lattice(lattice.to_fst(), "window")


@given(WORDS)
@settings(deadline=None)
def test_windows_of_two_and_of_all_words(words: list[str]) -> None:
    swapped = oracles_neighbors.disjoint_swaps(words)
    assert set(neighborhood("window2")(words).strings()) == swapped
    assert set(neighborhood("window9")(words).strings()) == set(permutations(words))


@given(st.integers(1, 40))
def test_a_window_of_two_has_fibonacci_many_orders(m: int) -> None:
    fibonacci = [1, 1]
    while len(fibonacci) < m + 1:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    lattice = neighborhood("window2")([f"w{i}" for i in range(m)])
    assert lattice.count() == fibonacci[m]
    assert len(lattice) == 2 * m  # linear, however many the strings


@pytest.mark.parametrize("size", [2, 3, 4])
def test_no_word_goes_farther_than_the_window(size: int) -> None:
    found = set(neighborhood(f"window{size}")(list("abcdef")).strings())
    near = {
        order
        for order in permutations("abcdef")
        if all(abs("abcdef".index(word) - place) < size for place, word in enumerate(order))
    }
    assert found <= near
    assert (found == near) == (size == 2)  # cdab is near, and in no window of three


@given(st.integers(4, 40))
def test_a_window_is_linear_in_the_sentence(m: int) -> None:
    lattice = neighborhood("window3")([f"w{i}" for i in range(m)])
    assert len(lattice) <= 4 * m + 1
    assert lattice.count() > 2 ** (m // 2)


@pytest.mark.parametrize("name", ["window1", "window10", "window", "windows3", "window3x"])
def test_other_names_are_none(name: str) -> None:
    with pytest.raises(NeighborhoodError, match="unknown neighborhood"):
        neighborhood(name)


@pytest.mark.parametrize("name", ["rotations", "window4"])
def test_a_lattice_that_is_too_large_is_an_error(name: str) -> None:
    kind = neighborhood(name).changed(limit=20)
    assert kind(["a", "b"]).count() == 2
    with pytest.raises(MachineError, match=r"sentence 1 \(.* needs more than 20 states"):
        kind([f"w{i}" for i in range(100)])


@pytest.mark.parametrize(("name", "length"), [("rotations", 1_001), ("window9", 4_000)])
def test_a_machine_that_would_be_too_large_is_not_made(name: str, length: int) -> None:
    with pytest.raises(MachineError, match="the machine needs more than 1,000,000 states"):
        neighborhood(name)([f"w{i}" for i in range(length)])


def test_they_are_shared_by_pattern_and_pickle() -> None:
    for name in ("rotations", "window3"):
        kind = neighborhood(name).changed()
        list(kind.expand([["a", "b"], ["c", "d"], ["d", "c"]], Symbols("abcd")))
        assert kind._pattern.cache_info().misses == 1
        assert pickle.loads(pickle.dumps(kind))(["a", "b"]).strings() == kind(["a", "b"]).strings()


def test_they_combine() -> None:
    words = list("abcd")
    rotations = oracles_neighbors.rotations(words)
    window = oracles_neighbors.window(words, 3)
    assert set(neighborhood("rotations | window3")(words).strings()) == rotations | window
    assert set(neighborhood("rotations & window3")(words).strings()) == rotations & window
    assert set(neighborhood("window3 - rotations")(words).strings()) == window - rotations | {
        tuple(words)
    }
    assert set(neighborhood("rotations @ rotations")(words).strings()) == rotations
