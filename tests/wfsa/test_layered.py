"""Products laid out level by level against OpenFst's composition: the same machines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from tagging_cases import (
    CORPUS,
    DICTIONARY,
    ORDERS,
    composed,
    packed,
    paths_of,
    to_columns,
    with_end,
)

from fstce import neighborhood
from fstce.errors import MachineError
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.wfsa import batch as module
from fstce.wfsa.batch import Batch, TagAutomaton, pack_ended, pack_products
from fstce.wfsa.features import tag_pairs
from fstce.wfsa.sumproduct import LogWeights, SumProduct

TAGS = DICTIONARY.tagset
SYMBOLS = Symbols(word for sentence in CORPUS for word in sentence)
KINDS = ("trans1", "del1word", "delortrans1", "del1subseq", "length", "window3")


PAIRS = tag_pairs(SYMBOLS, SYMBOLS, DICTIONARY, TAGS)


def automaton(order: int) -> TagAutomaton:
    return TagAutomaton(SYMBOLS, PAIRS, TAGS, order)


def strings(batch: Batch, number: int) -> list[tuple[tuple[int, int], ...]]:
    """The (n-gram, word) of every arc of every path of a machine."""
    labels = list(zip(batch.ngram.tolist(), batch.word.tolist(), strict=True))
    return sorted(
        tuple(labels[batch.cell[arc]] for arc in path) for path in paths_of(batch, number)
    )


@given(
    st.lists(st.sampled_from(CORPUS), min_size=1, max_size=3),
    st.sampled_from(KINDS),
    st.sampled_from(ORDERS),
)
def test_the_machines_are_those_that_openfst_composes(rows, kind: str, order: int) -> None:
    tagger = automaton(order)
    lattices = list(neighborhood(kind).expand([row[:5] for row in rows], SYMBOLS))
    ours, theirs = (
        pack_products(tagger, lattices),
        packed(composed(PAIRS, len(TAGS), order, lattices)),
    )
    assert (ours.n_states, ours.n_arcs, ours.n_machines) == (
        theirs.n_states,
        theirs.n_arcs,
        theirs.n_machines,
    )
    assert len(ours.word) == len(theirs.word)
    if ours.n_arcs < 400:
        for number in range(ours.n_machines):
            assert strings(ours, number) == strings(theirs, number)
    weights = np.random.default_rng(0).normal(size=2 * 10**6)
    log_z, counts = [], []
    for one in (ours, theirs):
        scores = weights[one.ngram % 10**6] + weights[10**6 + one.word]
        sums = SumProduct(one).sums(LogWeights(scores))
        log_z.append(sums.log_z)
        counts.append(np.bincount(one.ngram, sums.counts))
    assert_allclose(*log_z, rtol=1e-12)
    assert_allclose(*counts, rtol=1e-10, atol=1e-12)


def test_arcs_are_sorted_and_go_up(order: int = 3) -> None:
    batch = pack_products(automaton(order), neighborhood("delortrans1").expand(CORPUS, SYMBOLS))
    assert np.all(np.diff(batch.target) >= 0) and np.all(
        batch.level[batch.source] < batch.level[batch.target]
    )
    assert_array_equal(np.repeat(np.arange(batch.n_states), np.diff(batch.indptr)), batch.target)
    assert_array_equal(batch.machine[batch.source], batch.machine[batch.target])
    assert_array_equal(batch.machine[batch.start], np.arange(len(CORPUS)))


def test_weighted_lattices_bring_their_weights() -> None:
    rng, lattices = np.random.default_rng(1), []
    for lattice in neighborhood("del1word").expand(CORPUS[:3], SYMBOLS):
        arrays = lattice.arrays
        cost = {
            "final": arrays.final + rng.random(len(arrays.final)),
            "weight": rng.random(len(arrays.source)),
        }
        lattices.append(Lattice(arrays._replace(**cost), SYMBOLS))
    lattices.append(Lattice.of_sentence(CORPUS[3], SYMBOLS))
    ours, theirs = (
        pack_products(automaton(2), lattices),
        packed(composed(PAIRS, len(TAGS), 2, lattices)),
    )
    assert ours.bias is not None
    log_z = [SumProduct(one).log_z(np.zeros(len(one.word))) for one in (ours, theirs)]
    assert_allclose(*log_z, rtol=1e-12)


@given(
    st.lists(st.sampled_from(CORPUS), min_size=1, max_size=3),
    st.sampled_from(KINDS[:4]),
    st.sampled_from(ORDERS),
    st.integers(1, len(SYMBOLS)),
)
def test_words_without_tags_are_on_no_path(rows, kind: str, order: int, n: int) -> None:
    """The lattices keep what has tags, as composition does."""
    pairs = tag_pairs(SYMBOLS, list(SYMBOLS)[:n], DICTIONARY, TAGS)
    lattices = list(neighborhood(kind).expand([row[:5] for row in rows], SYMBOLS))
    theirs = composed(pairs, len(TAGS), order, lattices)
    tagger = TagAutomaton(SYMBOLS, pairs, TAGS, order)
    if any(machine.start < 0 for machine in theirs):
        with pytest.raises(
            MachineError, match=r"sentence \d ∘ .* ∘ emissions: the composition accepts no"
        ):
            pack_products(tagger, lattices)
        return
    ours, whole = pack_products(tagger, lattices), packed(theirs)
    assert (ours.n_states, ours.n_arcs) == (whole.n_states, whole.n_arcs)
    log_z = [SumProduct(one).log_z(np.zeros(len(one.word))) for one in (ours, whole)]
    assert_allclose(*log_z, rtol=1e-12)


def test_what_cannot_be_built_names_the_lattice(monkeypatch: pytest.MonkeyPatch) -> None:
    symbols = Symbols([*SYMBOLS, "unheard"])
    lattice = Lattice.of_sentence(("unheard",), symbols, "sentence 7")
    with pytest.raises(MachineError, match="sentence 7"):
        pack_products(automaton(2), [lattice])
    with pytest.raises(MachineError, match="empty batch"):
        pack_products(automaton(2), [])
    lattices = list(neighborhood("trans1").expand(CORPUS[1::-1], SYMBOLS))
    arcs = [pack_products(automaton(2), [lattice]).n_arcs for lattice in lattices]
    assert arcs[0] < arcs[1]
    monkeypatch.setattr(module, "ARC_LIMIT", arcs[1] - 1)
    assert pack_products(automaton(2), lattices[:1] * 9).n_arcs == 9 * arcs[0]  # each for itself
    with pytest.raises(
        MachineError, match=rf"sentence 2 ∘ .* needs more than {arcs[1] - 1:,} arcs"
    ):
        pack_products(automaton(2), lattices)


@pytest.mark.parametrize(("n_tags", "length"), [(3, 5), (1200, 1600)])
def test_machines_in_columns_are_those_of_the_same_lattices(n_tags: int, length: int) -> None:
    """The second has more states times histories, 2.3 · 10⁹, than four bytes number."""
    words = [f"w{i}" for i in range(length)]
    symbols = Symbols(words)
    pairs = symbols.ids(words).astype(np.int64), np.arange(length) % n_tags
    tagger = TagAutomaton(symbols, pairs, [f"T{i}" for i in range(n_tags)], 3)
    lattice = Lattice.of_sentence(words, symbols, "sentence 1")
    columns = to_columns([with_end(lattice.arrays)])
    ours = pack_ended(tagger, columns._replace(bias=-np.arange(1.0, length + 2)), ["sentence 1"])
    assert ours.bias is not None
    theirs = pack_products(tagger, [lattice])
    for name in ("source", "target", "start", "final", "cell", "ngram", "word"):
        assert_array_equal(getattr(ours, name), getattr(theirs, name))
    assert sorted(-ours.bias) == list(range(1, length + 2))
