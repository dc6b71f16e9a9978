"""Neighborhoods: the papers' counts and figure, laws, and what an author's own machine may get wrong."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from itertools import groupby, permutations
from pathlib import Path

import oracles
import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import Neighborhood, neighborhood
from fstce.errors import FstceError, MachineError, NeighborhoodError, ParameterError
from fstce.machines import Lattice, Symbols, check_lattice, write_machine
from fstce.neighborhoods.shipped import names

GOLDEN = Path(__file__).parents[1] / "golden"
FIGURE_1 = ["natural", "language", "is", "a", "delicate", "thing"]
ORACLES: dict[str, Callable[[Sequence[str]], set[tuple[str, ...]]]] = {
    "del1word": oracles.del1word,
    "trans1": oracles.trans1,
    "delortrans1": oracles.delortrans1,
    "del1subseq": oracles.del1subseq,
    "identity": oracles.identity,
}
# The papers' counts for m > 1 distinct words.
COUNTS: dict[str, Callable[[int], int]] = {
    "del1word": lambda m: m + 1,
    "trans1": lambda m: m,
    "delortrans1": lambda m: 2 * m,
    "del1subseq": lambda m: m * (m + 1) // 2,
    "identity": lambda m: 1,
}
# For r runs of equal words the same with r for m: deleting any word of a run is one
# string, transposing within a run none. DEL1SUBSEQ depends on more than the runs.
RUN_COUNTS = {name: COUNTS[name] for name in ("del1word", "trans1", "delortrans1", "identity")}
WORDS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=8)
NAMES = st.sampled_from(sorted(ORACLES))


@pytest.mark.parametrize("name", sorted(COUNTS))
@given(m=st.integers(2, 40))
def test_distinct_words_have_as_many_neighbours_as_the_papers_say(name: str, m: int) -> None:
    assert neighborhood(name)([f"w{i}" for i in range(m)]).count() == COUNTS[name](m)


@pytest.mark.parametrize("name", sorted(RUN_COUNTS))
@given(words=WORDS.filter(lambda words: len(words) > 1))
def test_runs_of_equal_words_count_as_one(name: str, words: list[str]) -> None:
    runs = len(list(groupby(words)))
    assert neighborhood(name)(words).count() == RUN_COUNTS[name](runs)


@given(st.integers(1, 6), st.integers(0, 6))
def test_length_has_the_vocabulary_to_the_power_of_the_length(m: int, more: int) -> None:
    words = [f"w{i}" for i in range(m)]
    lattice = neighborhood("length")(words, vocabulary=[f"v{i}" for i in range(more)])
    assert lattice.count() == (m + more) ** m


@given(NAMES, WORDS)
def test_a_lattice_holds_the_neighbours_of_the_definition(name: str, words: list[str]) -> None:
    lattice = neighborhood(name)(words)
    assert set(lattice.strings()) == ORACLES[name](words)
    check_lattice(lattice.to_fst(), name)


@given(st.sampled_from(names()), WORDS)
def test_the_sentence_is_a_neighbour_and_the_empty_string_is_none(
    name: str, words: list[str]
) -> None:
    lattice = neighborhood(name)(words)
    assert lattice.accepts(words)
    assert not lattice.accepts([])
    assert () not in lattice.strings(limit=1_000)


@given(NAMES, WORDS, st.permutations("abcd"))
def test_renaming_the_words_renames_the_neighbours(
    name: str, words: list[str], renamed: list[str]
) -> None:
    rename = dict(zip("abcd", renamed, strict=True))
    # Built anew for every sentence, so that no lattice is shared.
    alone = Neighborhood(neighborhood(name).build, name, equivariant=False)
    neighbours = {tuple(rename[word] for word in string) for string in alone(words).strings()}
    assert neighbours == set(alone([rename[word] for word in words]).strings())


@given(NAMES, WORDS)
def test_the_vocabulary_changes_no_neighbour(name: str, words: list[str]) -> None:
    apart = neighborhood(name)(words, vocabulary=["z", "y"])
    assert set(apart.strings()) == set(neighborhood(name)(words).strings())


def test_one_word_has_only_itself() -> None:
    for name in ORACLES:
        assert neighborhood(name)(["word"]).strings() == [("word",)]


@pytest.mark.parametrize("name", ["del1word", "trans1", "del1subseq"])
def test_figure_1(name: str, tmp_path: Path) -> None:
    write_machine(neighborhood(name)(FIGURE_1).to_fst(), tmp_path / "lattice.txt")
    assert (tmp_path / "lattice.txt").read_text() == (GOLDEN / f"figure1_{name}.txt").read_text()


@pytest.mark.parametrize("name", ["del1word", "trans1", "del1subseq"])
def test_the_golden_lattices_are_right(name: str) -> None:
    """Read without fstce, so that a change of the reader and the golden file together is seen."""
    arcs, final = [], set()
    for line in (GOLDEN / f"figure1_{name}.txt").read_text().splitlines():
        source, *rest = line.split("\t")
        if rest:
            arcs.append((source, rest[0], rest[1]))
        else:
            final.add(source)

    def strings(state: str) -> list[tuple[str, ...]]:
        here: list[tuple[str, ...]] = [()] if state in final else []
        return here + [(word, *tail) for p, q, word in arcs if p == state for tail in strings(q)]

    found = strings("0")
    assert len(found) == len(set(found))
    assert set(found) == ORACLES[name](FIGURE_1)


def test_expanding_a_corpus_shares_its_symbols() -> None:
    corpus = [["the", "dog", "runs"], ["dog", "the"], ["the", "dog", "runs"]]
    symbols = Symbols(word for sentence in corpus for word in sentence)
    lattices = list(neighborhood("trans1").expand(corpus, symbols))
    assert [lattice.count() for lattice in lattices] == [3, 2, 3]
    assert all(lattice.symbols is symbols for lattice in lattices)
    assert set(lattices[1].strings()) == {("dog", "the"), ("the", "dog")}
    assert [lattice.name for lattice in lattices][2] == "sentence 3 ∘ trans1"


@pytest.mark.parametrize("spelling", ["trans1", "TRANS1", "Trans1"])
def test_names_are_found_in_any_case(spelling: str) -> None:
    assert neighborhood(spelling) is neighborhood("trans1")
    assert neighborhood(neighborhood(spelling)) is neighborhood("trans1")


def test_every_shipped_machine_has_a_name() -> None:
    assert {"del1subseq", "del1word", "delortrans1", "identity", "length", "trans1"} <= set(names())


def test_an_unknown_name_gives_the_nearest() -> None:
    with pytest.raises(
        NeighborhoodError, match=r"unknown neighborhood 'tran1'; did you mean 'trans1'\?"
    ):
        neighborhood("tran1")
    with pytest.raises(NeighborhoodError, match=r"unknown neighborhood 'xyzzy'; known: .*del1word"):
        neighborhood("xyzzy")


def test_an_empty_sentence_is_named() -> None:
    with pytest.raises(NeighborhoodError, match="sentence 2 is empty and has no neighborhood"):
        list(neighborhood("trans1").expand([["a"], []], Symbols("a")))


def test_an_unknown_word_is_named_with_its_sentence() -> None:
    with pytest.raises(
        MachineError, match=r"sentence 2 \(b a\): the word 'b' is not in the alphabet"
    ):
        list(neighborhood("trans1").expand([["a"], ["b", "a"]], Symbols("a")))


def _pairs(symbols: Symbols) -> pynini.Fst:
    """Copies sentences of two words and accepts no others."""
    return symbols.any() + symbols.any()


def _loses_the_sentence(symbols: Symbols) -> pynini.Fst:
    return pynini.cross(symbols.any(), "") + pynini.closure(symbols.any())


def _runs_on(symbols: Symbols) -> pynini.Fst:
    return pynini.closure(symbols.any()) + pynini.closure(pynini.cross("", symbols.any()))


def _unsound(symbols: Symbols) -> pynini.Fst:
    fst = symbols.any()
    fst.add_arc(0, pynini.Arc(5, 5, 0, 99))
    return fst


def _wide(symbols: Symbols) -> pynini.Fst:
    return pynini.arcmap(pynini.closure(symbols.any()), map_type="to_log64")


def _weighted(symbols: Symbols) -> pynini.Fst:
    return pynini.closure(symbols.any() + pynini.accep("", weight=0.5))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (_weighted, "transducer mine: the machine has weights"),
        (_loses_the_sentence, "the sentence is not in its own neighborhood"),
        (_runs_on, "sentence ∘ mine: the neighborhood has a cycle, so it is infinite"),
        (_pairs, "sentence ∘ mine: the composition accepts nothing"),
        (lambda symbols: pynini.Fst(), "transducer mine: the builder accepts nothing"),
        (lambda symbols: None, "transducer mine: expected a machine, not NoneType"),
        (_unsound, "transducer mine: the machine is unsound"),
    ],
)
@pytest.mark.parametrize("equivariant", [True, False])
def test_an_authors_mistake_is_named(
    build: Callable[[Symbols], pynini.Fst], message: str, equivariant: bool
) -> None:
    mine = Neighborhood(build, "mine", equivariant=equivariant)
    with pytest.raises(FstceError, match=rf"sentence 1 \(three more words\): .*{message}"):
        mine(["three", "more", "words"])


def test_an_author_may_treat_words_unalike() -> None:
    def only_the(symbols: Symbols) -> pynini.Fst:
        copy = pynini.closure(symbols.any())
        the = symbols.union(symbols.ids(["the"]).tolist()) if "the" in symbols else pynini.accep("")
        return copy + pynini.closure(pynini.cross(the, ""), 0, 1) + copy

    mine = Neighborhood(only_the, "delthe", equivariant=False)
    assert set(mine(["see", "the", "dog"]).strings()) == {("see", "the", "dog"), ("see", "dog")}
    assert mine(["a", "dog"]).strings() == [("a", "dog")]


def test_a_lattice_over_the_limit_names_sentence_and_machine() -> None:
    small = Neighborhood(neighborhood("trans1").build, "trans1", equivariant=True, limit=10)
    with pytest.raises(
        MachineError, match=r"sentence 1 \(natural .* …\): sentence ∘ trans1: .* 10 states"
    ):
        small(FIGURE_1)


@pytest.mark.parametrize("name", ["del1word", "trans1"])
def test_a_sentence_of_5000_words_has_a_lattice(name: str) -> None:
    # 200 distinct words, each next to each other word but never to itself.
    words = [f"w{(i * i + i // 200) % 200}" for i in range(5_000)]
    lattice = neighborhood(name)(words)
    assert lattice.accepts(words)
    assert lattice.count() == COUNTS[name](len(list(groupby(words))))


def test_del1subseq_of_5000_distinct_words_is_stopped_by_the_limit_of_arcs() -> None:
    with pytest.raises(
        MachineError, match="the removal of ε needs more than 10,000,000 arcs; shorten"
    ):
        neighborhood("del1subseq")([f"w{i}" for i in range(5_000)])


def test_every_order_of_three_words_is_within_two_transpositions() -> None:
    trans1 = neighborhood("trans1")
    once = trans1(["a", "b", "c"]).strings()
    twice = {string for words in once for string in trans1(words).strings()}
    assert twice == set(permutations("abc")) - {("c", "b", "a")}


def test_labels_that_are_no_words_are_named() -> None:
    def bytes_for_words(symbols: Symbols) -> pynini.Fst:
        return pynini.closure(symbols.any()) + pynini.closure(pynini.cross("", "xyz"), 0, 1)

    with pytest.raises(
        MachineError, match=r"transducer mine: label 120 is no word .* stands for its bytes"
    ):
        Neighborhood(bytes_for_words, "mine")(["three", "more", "words"])


def test_sentences_are_named_by_the_numbers_given() -> None:
    small = Neighborhood(neighborhood("trans1").build, "trans1", equivariant=True, limit=5)
    with pytest.raises(MachineError, match=r"^sentence 40 \(natural"):
        list(small.expand([["a"], FIGURE_1], Symbols(["a", *FIGURE_1]), [39, 40]))


def test_strings_are_made_one_by_one() -> None:
    words = [f"w{i}" for i in range(3000)]
    assert neighborhood("length")(words).strings(2) == [("w0",) * 3000, (*("w0",) * 2999, "w1")]


def test_a_neighborhood_pickles() -> None:
    copy = pickle.loads(pickle.dumps(neighborhood("trans1")))
    assert copy(FIGURE_1).strings() == neighborhood("trans1")(FIGURE_1).strings()


@pytest.mark.parametrize("name", [3, None])
def test_a_neighborhood_is_a_name_or_a_neighborhood(name: object) -> None:
    with pytest.raises(
        ParameterError, match=f"name={name}: give a name, a Neighborhood or a machine"
    ):
        neighborhood(name)  # type: ignore[arg-type]


def test_the_same_within_a_limit() -> None:
    trans1 = neighborhood("trans1")
    small = trans1.changed(limit=10)
    assert (small.limit, small.name, small.build) == (10, "trans1", trans1.build)
    assert small(["a", "b"]).strings() == trans1(["a", "b"]).strings()
    with pytest.raises(MachineError, match="more than 10 states"):
        small(FIGURE_1)
    assert trans1(FIGURE_1).count() == 6


@pytest.mark.parametrize("equivariant", [True, False])
def test_a_lattice_over_placeholders(equivariant: bool) -> None:
    """Pattern and words are numbered from 0, and what is asked again is not made again."""
    trans1 = Neighborhood(neighborhood("trans1").build, "trans1", equivariant=equivariant)
    words = (("a", "b"), ("z",))
    arrays = trans1.over((1, 0), words)
    found = Lattice(arrays, Symbols(["a", "b", "z"])).strings()
    assert set(found) == {("b", "a"), ("a", "b")}
    assert trans1.over((1, 0), words) is arrays


def test_what_introduces_words_by_name_does_not_treat_all_alike() -> None:
    with pytest.raises(NeighborhoodError, match="mine introduces words by name"):
        Neighborhood(neighborhood("trans1").build, "mine", equivariant=True, introduces=["the"])


def test_a_notebook_shows_the_neighbors_of_the_papers_example():
    assert "6 strings" in neighborhood("trans1")._repr_html_()


def test_a_notebook_names_a_neighborhood_that_cannot_be_shown():
    own = Neighborhood(lambda symbols: symbols.union([99]), "mine")
    assert own._repr_html_() == "<code>&lt;Neighborhood mine&gt;</code>"


@pytest.mark.parametrize("equivariant", [True, False])
def test_a_builder_may_choose_its_arc_type_where_it_has_no_weights(equivariant: bool) -> None:
    lattice = Neighborhood(_wide, "mine", equivariant=equivariant)(["three", "more", "words"])
    assert lattice.arc_type == "standard"
    assert ("three", "more", "words") in lattice.strings()
