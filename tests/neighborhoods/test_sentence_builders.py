"""Builders that take the sentence: linear machines, the same lattices, and what combines with them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pynini
import pytest
from neighbor_cases import short_sentences

from fstce import Neighborhood, neighborhood
from fstce.errors import MachineError, NeighborhoodError
from fstce.machines import Lattice, Symbols
from fstce.neighborhoods.author import SentenceUse
from fstce.neighborhoods.check import check
from fstce.transducers import delortrans1, move2, rotate1, trans1

MODULES = [trans1, delortrans1, move2, rotate1]
MINE = '''"""SWAP: two adjacent words transposed, or none."""
from itertools import pairwise

import pynini

EQUIVARIANT = True


def build(symbols, sentence):
    copy = pynini.closure(symbols.any())
    words = [symbols.union([label]) for label in sentence]
    pairs = [pynini.cross(a, b) + pynini.cross(b, a) for a, b in pairwise(words)]
    return copy + pynini.closure(pynini.union(copy, *pairs), 0, 1) + copy
'''


def assert_same_machine(left: Lattice, right: Lattice) -> None:
    """Equal up to the names of states: as many states and arcs, and the same strings."""
    assert (len(left), len(left.arrays.source)) == (len(right), len(right.arrays.source))
    assert pynini.isomorphic(left.to_fst(), right.to_fst()), left.name


@pytest.mark.parametrize("module", MODULES)
def test_lattices_are_those_of_the_machine_over_any_sentence(module: ModuleType) -> None:
    def build(symbols: Symbols) -> pynini.Fst:
        return module.build(symbols)

    own, general = (Neighborhood(made, "own", equivariant=True) for made in (module.build, build))
    assert own.sentence_use is SentenceUse.DEFAULT
    assert general.sentence_use is SentenceUse.NEVER
    for words in [*short_sentences(), [f"w{i * i % 11}" for i in range(30)]]:
        assert_same_machine(own(words), general(words))


@pytest.mark.parametrize("m", [2, 40, 200])
def test_trans1_has_the_arcs_of_the_papers_figure_and_no_silent_one(m: int) -> None:
    """Copies before and behind, and an arc pair for each bigram (2005a, Figure 1b)."""
    fst = neighborhood("trans1").transducer([f"w{i}" for i in range(m)])
    arcs = [arc for state in fst.states() for arc in fst.arcs(state)]
    assert len(arcs) == m + 2 * (m - 1) + m
    assert all(arc.ilabel and arc.olabel for arc in arcs)


@pytest.mark.parametrize(
    ("name", "count"), [("trans1", 5_000), ("delortrans1", 10_000), ("move2", 3 * 5_000 - 4)]
)
def test_five_thousand_distinct_words_take_a_moment(name: str, count: int) -> None:
    lattice = neighborhood(name)([f"w{i}" for i in range(5_000)])
    assert lattice.count() == count
    assert len(lattice) < 6 * 5_000


def test_a_limit_holds_for_them() -> None:
    with pytest.raises(MachineError, match="the composition needs more than 10 states"):
        neighborhood("trans1").changed(limit=10)(list("abcdefgh"))


@pytest.mark.parametrize("name", ["trans1", "move2", "rotate1", "window3", "rotations"])
def test_they_apply_to_the_neighbors_of_another(name: str) -> None:
    kind, words = neighborhood(name), list("abcb")
    first = neighborhood("del1word")(words).strings()
    after = {string for row in first for string in kind(row).strings()}
    assert set(neighborhood(f"del1word @ {name}")(words).strings()) == after


class TestAuthors:
    @pytest.fixture
    def mine(self, tmp_path: Path) -> str:
        path = tmp_path / "swap.py"
        path.write_text(MINE)
        return str(path)

    def test_a_file_is_given_the_sentence(self, mine: str) -> None:
        kind = neighborhood(mine)
        assert kind.sentence_use is SentenceUse.ALWAYS
        for words in short_sentences(4):
            assert_same_machine(kind(words), neighborhood("trans1")(words))
        assert pickle.loads(pickle.dumps(kind))(["a", "b"]).count() == 2

    def test_it_is_checked_with_the_sentence(self, mine: str) -> None:
        report = check(mine, sentence=list("abcd"))
        assert report.holds, report.errors
        assert report.lattice["strings"] == 4

    def test_what_needs_the_sentence_goes_string_by_string(self, mine: str) -> None:
        twice = neighborhood(f"{mine} @ {mine}")
        assert set(twice(list("abcd")).strings()) == set(
            neighborhood("trans1 @ trans1")(list("abcd")).strings()
        )
        with pytest.raises(
            NeighborhoodError, match="needs the sentence itself, and there are more"
        ):
            neighborhood(f"window9 @ {mine}")(list("abcdefgh"))

    def test_a_claim_that_words_are_alike_is_tried_with_the_sentence(self, tmp_path: Path) -> None:
        path = tmp_path / "looks.py"
        path.write_text(
            MINE.replace("pairwise(words)]", 'pairwise(words)] if "cat" in symbols else []')
        )
        report = check(str(path))
        assert any("EQUIVARIANT = True is not true" in error for error in report.errors)

    def test_a_function_with_a_default_is_asked_for_any_sentence(self) -> None:
        asked: list[Sequence[int] | None] = []

        def build(symbols: Symbols, sentence: Sequence[int] | None = None) -> pynini.Fst:
            asked.append(sentence)
            return trans1.build(symbols, sentence)

        kind = Neighborhood(build, "mine", equivariant=True)
        kind(["a", "b"])
        (neighborhood("del1word") @ kind)(["a", "b"])
        assert asked[-1] is None
        assert [list(pairwise(labels)) for labels in asked if labels] == [[(5, 6)]]
