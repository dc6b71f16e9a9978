"""Terms as functions of θ: contrastive objectives against lists of neighbors."""

from __future__ import annotations

import numpy as np
import oracles
import pytest
from chart_cases import MODEL, SYMBOLS, brute, by_number, compiled, sentence, theta_of
from numpy.testing import assert_allclose

from fstce import neighborhood
from fstce.chart.terms import ChartSum, TreeLengthSum, lattice_terms
from fstce.errors import ParameterError
from fstce.estimation.maximize import maximize
from fstce.estimation.objective import GaussianPrior, Objective
from fstce.machines.lattice import Lattice

CORPUS = [tuple(s) for s in ("NVDN", "DNV", "V", "NVN", "DNV", "NNVD")]
NEIGHBOURS = {
    "trans1": oracles.trans1,
    "del1word": oracles.del1word,
    "delortrans1": oracles.delortrans1,
    "del1subseq": oracles.del1subseq,
}


def contrast(kind: str) -> Objective:
    observed = [sentence(*tags) for tags in CORPUS]
    contrasted = list(neighborhood(kind).expand(CORPUS, SYMBOLS))
    terms = [*lattice_terms(observed, MODEL), *lattice_terms(contrasted, MODEL, -1.0)]
    return Objective(terms, GaussianPrior(None))


def expected(kind: str, theta: np.ndarray) -> tuple[float, np.ndarray]:
    """The objective from the sets of neighbors, a string at a time."""
    value, gradient = 0.0, np.zeros(MODEL.size)
    for tags in CORPUS:
        neighbours = (
            NEIGHBOURS[kind](tags) if kind in NEIGHBOURS else oracles.length(tags, list(SYMBOLS))
        )
        for strings, sign in (({tags}, 1.0), (neighbours, -1.0)):
            twins = [brute(sentence(*string), theta) for string in sorted(strings)]
            log_z = np.array([twin.log_z for twin in twins])
            whole = oracles.log_sum(log_z)
            value += sign * whole
            for twin, share in zip(twins, np.exp(log_z - whole), strict=True):
                gradient += sign * share * by_number(twin.expected_counts())
    return value, gradient


@pytest.mark.parametrize("kind", [*NEIGHBOURS, "length"])
def test_contrastive_objectives(kind: str) -> None:
    theta = theta_of(1)
    value, gradient = contrast(kind)(theta)
    expected_value, expected_gradient = expected(kind, theta)
    assert value == pytest.approx(expected_value, rel=1e-11)
    assert_allclose(gradient, expected_gradient, rtol=1e-9, atol=1e-10)


def test_what_sums_what() -> None:
    length = list(neighborhood("length").expand(CORPUS, SYMBOLS))
    (only,) = lattice_terms(length, MODEL)
    assert isinstance(only, TreeLengthSum)
    mixed = lattice_terms([*length, sentence("V")], MODEL, np.arange(7.0))
    assert [type(term) for term in mixed] == [ChartSum, TreeLengthSum]
    theta = theta_of(2)
    value = sum(term(theta)[0] for term in mixed)
    alone = [
        sum(term(theta)[0] for term in lattice_terms([x], MODEL)) for x in (*length, sentence("V"))
    ]
    assert value == pytest.approx(np.arange(7.0) @ alone, rel=1e-12)


def test_wildcards_over_part_of_the_tagset_are_no_length() -> None:
    lattice = neighborhood("length")(["N", "V"])
    (term,) = lattice_terms([lattice], MODEL)
    assert isinstance(term, ChartSum)
    theta = theta_of(3)
    assert term(theta)[0] == pytest.approx(brute(lattice, theta).log_z, abs=1e-11)


def test_no_lattices_no_terms() -> None:
    assert lattice_terms([], MODEL) == []


def test_training_climbs() -> None:
    objective = Objective(contrast("trans1").terms, GaussianPrior(1.0))
    start = np.zeros(MODEL.size)
    training = maximize(objective, start, tolerance=1e-8)
    assert training.stopped == "converged" and training.objective > objective(start)[0] + 0.1
    assert np.abs(objective(training.theta)[1]).max() < 1e-2


def test_a_term_of_one_sentence_is_its_log_z() -> None:
    lattice: Lattice = sentence(*"NVDN")
    value, gradient = ChartSum(compiled([lattice]), np.array([2.0]))(theta_of(4))
    twin = brute(lattice, theta_of(4))
    assert value == pytest.approx(2 * twin.log_z, abs=1e-11)
    assert_allclose(gradient, 2 * by_number(twin.expected_counts()), rtol=1e-9, atol=1e-11)


def test_length_has_no_bias() -> None:
    lattices = [neighborhood("length")(list(MODEL.tags))]
    with pytest.raises(ParameterError, match="there is no structural bias in LENGTH"):
        lattice_terms(lattices, MODEL, length_bias=-0.5)
