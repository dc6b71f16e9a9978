"""Lattices split by word histories: every sentence keeps its arcs and gains its n-gram score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_correction import KneserNey, costs_of
from tagging_cases import to_columns, with_end

from fstce.correction.factors.columns import numbers, split, words_before
from fstce.correction.factors.ngrams import BOUNDARY, NgramModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.punctuation import Punctuate
from fstce.correction.mistakes.spelling import Spell
from fstce.machines import check_lattice
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID
from fstce.speller.channel import Channel
from fstce.wfsa.batch import Columns

TEXT = [row.split() for row in ("the cat , sat", "a cat sat .", "the hat", "the cat , the hat .")]
COUNTS = {"the": 4, "cat": 3, "sat": 2, "hat": 2, "a": 1, "at": 1}
ORDERS = (1, 2, 3)
MODELS = {order: NgramModel(TEXT, order) for order in ORDERS}
SENTENCES = st.lists(
    st.sampled_from(["the", "cta", "hat", ",", ".", "teh", "zz"]), min_size=1, max_size=4
)


def neighborhood(kind: str) -> Spell | Punctuate:
    if kind == "marks":
        return Punctuate(2, [",", "."], weighted=True)
    return Spell(Candidates(COUNTS, channel=Channel(0.7, 1.3, 0.9, 0.4)), weighted=True)


class Histories:
    """Machines split until each state knows the order − 1 words before it; ``arc``: which each arc was."""

    def __init__(
        self, machines: Columns, word: np.ndarray, model: NgramModel | None, order: int
    ) -> None:
        self.machines, self.arc = machines, np.arange(len(word))
        for length in range(1, order):
            now = word[self.arc]
            before = words_before(self.machines, now, length)[-1]
            self.machines = split(self.machines, np.where(now == BOUNDARY, BOUNDARY, before))
            self.arc = self.arc[self.machines.ngram]
        ngrams = np.stack(words_before(self.machines, word[self.arc], order)[::-1], axis=1)
        self.log_p = (
            np.zeros(0) if model is None else model.log_probabilities(ngrams[:, -model.order :])
        )


def weighted(lattice: Lattice, model: NgramModel, exponent: float = 1.0) -> Lattice:
    """The lattice with −exponent · log p(sentence) added to the weight of each of its sentences."""
    ended = with_end(lattice.arrays)
    word = numbers(lattice.symbols, ended.ilabel, model)
    found = Histories(to_columns([ended]), word, model, model.order)
    cost = ended.weight[found.arc] - exponent * found.log_p
    stays = ended.ilabel[found.arc] != END_ID
    final = np.full(found.machines.states, np.inf)
    final[found.machines.source[~stays]] = cost[~stays]
    label = ended.ilabel[found.arc][stays]
    source, target = (column[stays] for column in (found.machines.source, found.machines.next))
    arrays = Arrays(0, final[:-1], source, label, label, cost[stays], target)
    return Lattice(arrays, lattice.symbols, f"{lattice.name} weighted by {model.order}-grams")


@settings(deadline=None, max_examples=25)
@given(
    SENTENCES,
    st.sampled_from(ORDERS),
    st.sampled_from(["spell", "marks"]),
    st.sampled_from([1.0, 0.3]),
)
def test_each_sentence_gains_its_score(
    words: list[str], order: int, kind: str, exponent: float
) -> None:
    lattice, twin = neighborhood(kind)(words), KneserNey(TEXT, order)
    found = costs_of(weighted(lattice, MODELS[order], exponent))
    wanted = {row: cost - exponent * twin.log_p(row) for row, cost in costs_of(lattice).items()}
    assert found == pytest.approx(wanted)


@settings(deadline=None, max_examples=25)
@given(SENTENCES, st.sampled_from(ORDERS))
def test_it_stays_a_deterministic_sorted_lattice(words: list[str], order: int) -> None:
    lattice = weighted(neighborhood("marks")(words), MODELS[order])
    arrays = lattice.arrays
    assert arrays.start == 0 and np.all(arrays.source < arrays.next)
    assert len(set(zip(arrays.source.tolist(), arrays.ilabel.tolist(), strict=True))) == len(
        arrays.source
    )
    assert lattice.count() == len(costs_of(lattice))


@settings(deadline=None, max_examples=25)
@given(st.lists(SENTENCES, min_size=2, max_size=3), st.sampled_from(ORDERS))
def test_many_machines_are_split_as_each_alone(rows: list[list[str]], order: int) -> None:
    kind = neighborhood("marks")
    lattices = [kind(row) for row in rows]
    symbols = kind([word for row in rows for word in row] + [*COUNTS]).symbols
    lattices = list(kind.expand(rows, symbols))
    laid = to_columns([with_end(lattice.arrays) for lattice in lattices])
    word = numbers(symbols, laid.word, MODELS[order])
    found = Histories(laid, word, MODELS[order], order)
    machine = found.machines.machine[found.machines.source]
    for i, lattice in enumerate(lattices):
        alone = weighted(lattice, MODELS[order])
        assert np.sum((machine == i) & (laid.word[found.arc] != END_ID)) == len(alone.arrays.source)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_states_know_the_words_before_them(order: int) -> None:
    lattice = neighborhood("marks")(["the", "cta", ","])
    ended = with_end(lattice.arrays)
    word = ended.ilabel.astype(np.int64)
    found = Histories(to_columns([ended]), np.where(word == END_ID, BOUNDARY, word), None, order)
    start = int(found.machines.start[0])
    ways: dict[int, set[tuple[int, ...]]] = {start: {(0,) * (order - 1)}}
    columns = (
        column.tolist() for column in (found.machines.source, found.machines.next, found.arc)
    )
    for source, target, arc in sorted(zip(*columns, strict=True)):
        label = 0 if word[arc] == END_ID else int(word[arc])
        for way in ways[source]:
            ways.setdefault(target, set()).add((*way, label)[1:] if order > 1 else ())
    final = int(found.machines.final[0])
    assert all(len(before) == 1 for state, before in ways.items() if state != final)


def test_a_longer_split_changes_no_probability() -> None:
    lattice = neighborhood("marks")(["the", "cta", ",", "hat"])
    ended = with_end(lattice.arrays)
    word = numbers(lattice.symbols, ended.ilabel, MODELS[2])
    short, long = (Histories(to_columns([ended]), word, MODELS[2], order) for order in (2, 3))
    pairs = [
        set(zip(f.arc.tolist(), f.log_p.round(9).tolist(), strict=True)) for f in (short, long)
    ]
    assert pairs[0] == pairs[1] and len(long.arc) > len(short.arc)


def test_the_weighted_lattice_keeps_its_contract() -> None:
    lattice = weighted(neighborhood("spell")(["the", "cta", "hat"]), MODELS[1])
    check_lattice(lattice.to_fst(), "weighted")
