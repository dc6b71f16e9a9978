"""The machines between a sentence and its lattice, against OpenFst's own operations."""

from __future__ import annotations

import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import Neighborhood, neighborhood
from fstce.errors import NeighborhoodError
from fstce.machines import Symbols
from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary

STAGES = ("sentence", "transducer", "composed", "projected", "determinized", "minimized")
WORDS = ["the", "dog", "saw", "the", "cat"]


def labels(fst: pynini.Fst) -> set[str]:
    table = fst.input_symbols()
    return {table.find(arc.ilabel) for state in fst.states() for arc in fst.arcs(state)}


@pytest.mark.parametrize("words", [["a", "b", "c"], ("a",), WORDS])
def test_a_transducer_is_over_the_words_that_are_given(words: list[str]) -> None:
    fst = neighborhood("del1word").transducer(words)
    assert labels(fst) == set(words)
    assert fst.output_symbols().labeled_checksum() == fst.input_symbols().labeled_checksum()


@pytest.mark.parametrize("name", [*names(), *names_over_vocabulary()])
def test_the_last_stage_is_the_lattice(name: str) -> None:
    kind = neighborhood(name)
    stages = kind.stages(WORDS)
    assert tuple(stages) == STAGES
    for fst in stages.values():
        assert fst.input_symbols() is not None and fst.output_symbols() is not None
    assert pynini.isomorphic(stages["minimized"], kind(WORDS).to_fst())
    composed = pynini.compose(stages["sentence"], stages["transducer"])
    assert pynini.isomorphic(stages["composed"], composed)
    output = pynini.determinize(pynini.project(composed, "output").rmepsilon())
    assert pynini.equivalent(output, stages["determinized"])


@pytest.mark.parametrize(
    "name", [*filter(lambda n: neighborhood(n).equivariant, names()), "window4"]
)
@given(words=st.lists(st.sampled_from("abc"), min_size=1, max_size=8))
def test_words_may_repeat(name: str, words: list[str]) -> None:
    """Lattices are renamed ones of different words; the stages compose the sentence itself."""
    kind = neighborhood(name)
    composed = kind.stages(words)["minimized"]
    assert pynini.isomorphic(composed, kind(words).to_fst())


@pytest.mark.parametrize("name", [*direct_names(), "trans1 & del1word", "trans1 - del1word"])
def test_what_has_no_transducer_says_so_by_name(name: str) -> None:
    kind = neighborhood(name)
    for ask in (kind.transducer, kind.stages):
        with pytest.raises(NeighborhoodError, match="has no transducer of its own") as caught:
            ask(WORDS)
        assert str(caught.value).startswith(kind.name)


def test_weights_are_in_the_stages() -> None:
    def build(symbols: Symbols) -> pynini.Fst:
        copy = pynini.closure(symbols.any())
        return (
            copy
            + pynini.closure(pynini.cross(symbols.any(), ""), 0, 1)
            + pynini.accep("", weight=1)
            + copy
        )

    kind = Neighborhood(build, "mine", weighted=True)
    stages = kind.stages(["a", "b"])
    assert {fst.arc_type() for fst in stages.values()} == {"log64"}
    assert pynini.isomorphic(stages["minimized"], kind(["a", "b"]).to_fst())
