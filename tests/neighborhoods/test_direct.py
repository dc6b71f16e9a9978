"""Rotations and windows against enumeration; the machines over positions of shipped transducers."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import permutations
from types import ModuleType

import oracles_neighbors
import pynini
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neighbor_cases import short_sentences

from fstce import Neighborhood, neighborhood
from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import Lattice, Symbols, check_lattice
from fstce.machines.positions import PositionAutomaton, lattice_of
from fstce.neighborhoods.base import COMPOSED_WORDS
from fstce.neighborhoods.shipped import Windowed
from fstce.transducers import delortrans1, move2, trans1

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=7)
LONG_SENTENCES = [
    [f"w{i}" for i in range(40)],
    [f"w{i % 7}" for i in range(40)],
    [f"w{i * i % 11}" for i in range(60)],
]
DISTINCT = st.integers(1, 30).map(lambda m: [f"w{i}" for i in range(m)])


def test_rotations_of_every_short_sentence() -> None:
    for words in short_sentences():
        lattice = neighborhood("rotations")(words)
        assert set(lattice.strings()) == oracles_neighbors.rotations(words), words
        assert lattice.count() == len(lattice.strings()), words
        check_lattice(lattice.to_fst(), " ".join(words))
        assert lattice.to_fst().minimize().num_states() == len(lattice), words


@given(DISTINCT)
def test_distinct_words_have_as_many_rotations(words: list[str]) -> None:
    lattice = neighborhood("rotations")(words)
    assert lattice.count() == len(words)
    assert len(lattice) == len(words) * (len(words) - 1) + 2


@given(WORDS)
def test_a_rotation_has_the_rotations_of_the_sentence(words: list[str]) -> None:
    one, other = (
        set(neighborhood("rotations")(x).strings()) for x in (words, words[2:] + words[:2])
    )
    assert one == other


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
    assert neighborhood("window2")(words).strings() == neighborhood("transall")(words).strings()
    assert set(neighborhood("window9")(words).strings()) == set(permutations(words))


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


@pytest.mark.parametrize("size", [1, 10, 2.5, True])
def test_a_window_has_a_size(size: int) -> None:
    with pytest.raises(NeighborhoodError, match="its size is 2 to 9"):
        Windowed(size)


@pytest.mark.parametrize("name", ["window1", "window10", "window", "windows3", "window3x"])
def test_other_names_are_none(name: str) -> None:
    with pytest.raises(NeighborhoodError, match="unknown neighborhood"):
        neighborhood(name)


@pytest.mark.parametrize("kind", [neighborhood("rotations").limited(20), Windowed(4).limited(20)])
def test_a_machine_that_would_be_too_large_is_not_made(kind: Neighborhood) -> None:
    assert kind(["a", "b"]).count() == 2
    with pytest.raises(MachineError, match=r"sentence 1 \(.*: the machine needs more than 20"):
        kind([f"w{i}" for i in range(1000)])


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


class TestOverPositions:
    @pytest.mark.parametrize("module", [trans1, delortrans1, move2])
    def test_they_are_the_transducers(self, module: ModuleType) -> None:
        name = module.__name__.rpartition(".")[2]
        composed = Neighborhood(module.build, name, equivariant=True)
        assert neighborhood(name).orders is module.orders
        for words in [*short_sentences(6), *LONG_SENTENCES]:
            assert_same_machine(composed(words), over_positions(module, words))

    @pytest.mark.parametrize("module", [trans1, delortrans1, move2])
    def test_shipped_ones_are_composed_as_long_as_the_transducer_fits(
        self, module: ModuleType
    ) -> None:
        name = module.__name__.rpartition(".")[2]
        used: list[int] = []

        def orders(length: int) -> PositionAutomaton:
            used.append(length)
            return module.orders(length)

        def build(symbols: Symbols) -> pynini.Fst:
            used.append(-len(symbols))
            return module.build(symbols)

        kind = Neighborhood(build, name, equivariant=True, orders=orders)
        fits = [f"w{i}" for i in range(COMPOSED_WORDS)]
        for words in (fits, [*fits, "w0"], [*fits, "one"]):
            assert_same_machine(kind(words), over_positions(module, words))
        assert used == [-COMPOSED_WORDS, COMPOSED_WORDS + 1]

    @pytest.mark.parametrize("name", ["trans1", "delortrans1", "move2"])
    def test_five_thousand_distinct_words_take_a_moment(self, name: str) -> None:
        counts = {"trans1": 5_000, "delortrans1": 10_000, "move2": 3 * 5_000 - 4}
        lattice = neighborhood(name)([f"w{i}" for i in range(5_000)])
        assert lattice.count() == counts[name]
        assert len(lattice) < 6 * 5_000

    def test_a_limit_holds_for_them(self) -> None:
        with pytest.raises(MachineError, match="the composition needs more than 10 states"):
            neighborhood("limit(trans1, 10)")(list("abcdefgh"))

    def test_what_loses_the_sentence_is_named(self) -> None:
        def reversed_order(length: int) -> PositionAutomaton:
            place = trans1.orders(length).position[:length]
            return PositionAutomaton([length], place, place[::-1], place + 1)

        backward = Neighborhood(trans1.build, "backward", equivariant=True, orders=reversed_order)
        with pytest.raises(NeighborhoodError, match="the sentence is not in its own neighborhood"):
            backward([f"w{i}" for i in range(COMPOSED_WORDS + 1)])


def over_positions(module: ModuleType, words: Sequence[str]) -> Lattice:
    """The lattice by the machine over positions, whatever the number of words."""
    symbols = Symbols(words)
    place = {word: i for i, word in enumerate(symbols)}
    pattern = tuple(place[word] for word in words)
    return Lattice(lattice_of(module.orders, pattern, module.__name__, 100_000), symbols)


def assert_same_machine(one: Lattice, other: Lattice) -> None:
    """Equal up to the names of states: as many states and arcs, and the same strings."""
    assert (len(one), len(one.arrays.source)) == (len(other), len(other.arrays.source)), one.name
    assert pynini.isomorphic(one.to_fst(), other.to_fst()), one.name
