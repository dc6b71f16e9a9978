"""SPELL≤k over tags by every candidate and each of its tags; training with it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from parsed_cases import CASED, CASED_COUNTS, TAGS

from fstce import DependencyParser
from fstce.chart import DependencyModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parsed.emissions import Emissions
from fstce.correction.parsed.tagged_spell import TaggedSpell
from fstce.errors import NeighborhoodError
from fstce.machines import Symbols, check_lattice


@pytest.mark.parametrize("exponent", [None, 0.7])
def test_the_neighborhood_is_every_tag_of_every_candidate(exponent: float | None) -> None:
    candidates, emissions = Candidates(CASED_COUNTS, damerau=True), Emissions(CASED, TAGS)
    kind = TaggedSpell(CASED, Spell(candidates, exponent), emissions)
    symbols = Symbols(["Z", *emissions.tags])
    for words, tags, lattice in zip(CASED, TAGS, kind.expand(TAGS, symbols), strict=True):
        check_lattice(lattice.to_fst(), "tags")
        weight = {}
        for path in itertools.product(*(candidates.of([w])[w] for w in words)):
            rows = [
                [
                    (emissions.tags[t], p - (exponent or 0) * cost)
                    for t, p in zip(*emissions(w, not i), strict=True)
                ]
                for i, (w, cost, _) in enumerate(path)
            ]
            for found in itertools.product(*rows):
                key = tuple(tag for tag, _ in found)
                weight[key] = weight.get(key, 0.0) + math.exp(sum(p for _, p in found))
        assert set(lattice.strings()) == set(weight)
        assert tuple(tags) in weight
        arrays = lattice.arrays
        for key, total in weight.items():
            labels, cost = symbols.ids(list(key)), 0.0
            for state, label in enumerate(labels):
                (arc,) = np.flatnonzero((arrays.source == state) & (arrays.ilabel == label))
                cost += float(arrays.weight[arc])
            assert cost == pytest.approx(-math.log(total) if exponent is not None else 0.0)


def test_it_trains_a_parser_and_its_gradient_is_right() -> None:
    kind = TaggedSpell(CASED, Spell(Candidates(CASED_COUNTS)), Emissions(CASED, TAGS))
    parser = DependencyParser(neighborhood=kind, sigma2=1.0).fit(TAGS)
    assert parser.training_.objective > parser.training_.steps[0].objective
    theta = np.random.default_rng(1).normal(size=DependencyModel("DNV").size)
    _, gradient = parser.objective(TAGS, theta)
    for i in range(0, len(theta), 5):
        step = np.zeros(len(theta))
        step[i] = 1e-5
        slope = parser.objective(TAGS, theta + step)[0] - parser.objective(TAGS, theta - step)[0]
        assert gradient[i] == pytest.approx(slope / 2e-5, abs=1e-5)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (TAGS[:2], "2 tag sequences for 5 sentences"),
        ([*TAGS[:-1], ["D", "N"]], r"sentence 5 \(a wug-2 ran\) has other words or tags"),
        ([["V", "N", "V"], *TAGS[1:]], r"sentence 1 \(the dogs run\) has other words or tags"),
    ],
)
def test_other_sentences_than_its_own_are_refused(rows: list[list[str]], message: str) -> None:
    kind = TaggedSpell(CASED, Spell(Candidates(CASED_COUNTS)), Emissions(CASED, TAGS))
    with pytest.raises(NeighborhoodError, match=message):
        list(kind.expand(rows, Symbols("DNV")))
