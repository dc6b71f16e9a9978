"""Sums over cyclic machines equal power series, OpenFst and LENGTH's limit, or are refused as infinite."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
import pywrapfst
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from plot_10_all_sentences import (
    DivergenceError,
    PathSums,
    TagUniverse,
    UniverseSum,
    partition,
    spectral_radius,
)
from tagging_cases import DICTIONARY, ORDERS, length_sums, random_theta

from fstce.errors import MachineError
from fstce.grammars import tag_ngrams
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.symbols import Symbols
from fstce.wfsa.features import EmissionTable, TagFeatures, tag_pairs

Floats = NDArray[np.float64]
NONE = -np.inf
EACH = pytest.mark.parametrize("order", ORDERS)
pytestmark = pytest.mark.filterwarnings("error")


class Machine(NamedTuple):
    """Arcs in the real semiring; the sums take their logarithms."""

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    weight: Floats
    start: Floats
    final: Floats

    def scaled(self, factor: float) -> Machine:
        return self._replace(weight=self.weight * factor)

    def logs(self) -> tuple[Floats, Floats, Floats]:
        with np.errstate(divide="ignore"):
            return np.log(self.weight), np.log(self.start), np.log(self.final)

    def sums(self) -> PathSums:
        return partition(self.source, self.target, *self.logs(), len(self.start))

    def matrix(self) -> Floats:
        dense = np.zeros((len(self.start),) * 2)
        np.add.at(dense, (self.source, self.target), self.weight)
        return dense

    def on_paths(self) -> Floats:
        """The matrix of the states that some path uses."""
        dense = self.matrix()
        reach = np.linalg.matrix_power((dense > 0) + np.eye(len(dense)), len(dense)) > 0
        kept = np.flatnonzero((self.start > 0) @ reach & (reach @ (self.final > 0)))
        return dense[np.ix_(kept, kept)]


def radius(matrix: Floats) -> float:
    return float(np.abs(np.linalg.eigvals(matrix)).max()) if len(matrix) else 0.0


def power_series(machine: Machine) -> tuple[float, Floats]:
    """Z and the expected counts of the arcs from s·Mᵏ and Mᵏ·f, term by term."""
    dense = machine.matrix()
    row, column = machine.start.copy(), machine.final.copy()
    alpha, beta = row.copy(), column.copy()
    for _ in range(1500):
        row, column = row @ dense, dense @ column
        alpha, beta = alpha + row, beta + column
    z = float(machine.start @ beta)
    with np.errstate(divide="ignore", invalid="ignore"):
        counts = alpha[machine.source] * machine.weight * beta[machine.target] / z
    return z, counts if z > 0 else np.zeros(len(counts))


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """A machine with loops, parallel and weightless arcs, dead ends and states out of reach."""
    n = draw(st.integers(1, 6))
    state = st.integers(0, n - 1)
    arcs = draw(st.lists(st.tuples(state, state), max_size=14))
    weight = st.sampled_from([0.0, 0.01, 0.3, 1.0, 2.5])
    columns = [np.array(draw(st.lists(weight, min_size=k, max_size=k))) for k in (len(arcs), n, n)]
    ends = np.array(arcs, dtype=np.int64).reshape(-1, 2).T
    return Machine(ends[0], ends[1], *columns)


def loop(weight: float) -> Machine:
    return Machine(np.array([0]), np.array([0]), np.array([weight]), np.ones(1), np.ones(1))


def ring(n: int, weight: float) -> Machine:
    """A cycle through n states, whose radius is its weight, of period n."""
    number = np.arange(n)
    return Machine(number, (number + 1) % n, np.full(n, weight), np.eye(n)[0], np.eye(n)[-1])


def mesh(n: int, rho: float) -> Machine:
    """All states joined at random, with spectral radius ρ to within rounding."""
    rng = np.random.default_rng(n)
    source, target = (end.ravel() for end in np.indices((n, n)))
    machine = Machine(source, target, rng.random(n * n) + 0.1, rng.random(n), rng.random(n))
    return machine.scaled(rho / radius(machine.matrix()))


@pytest.mark.parametrize("a", [1e-300, 0.25, 0.5, 0.999])
def test_a_loop_sums_to_the_geometric_series(a: float) -> None:
    sums = loop(a).sums()
    assert sums.log_z == pytest.approx(-np.log1p(-a), rel=1e-12)
    assert_allclose(sums.arcs, [a / (1 - a)], rtol=1e-12)
    assert_allclose((sums.start, sums.final), 1.0)


@given(machines(), st.floats(0.05, 0.97))
def test_convergent_sums_equal_the_power_series(machine: Machine, rho: float) -> None:
    full = radius(machine.matrix())
    machine = machine.scaled(rho / full) if full > 1e-3 else machine
    z, counts = power_series(machine)
    sums = machine.sums()
    assert np.exp(sums.log_z) == pytest.approx(z, rel=1e-10)
    assert_allclose(sums.arcs, counts, rtol=1e-9, atol=1e-12)
    assert sums.start.sum() == pytest.approx(float(z > 0))
    assert sums.final.sum() == pytest.approx(float(z > 0))


@given(machines())
def test_a_sum_is_refused_if_and_only_if_cycles_on_paths_diverge(machine: Machine) -> None:
    rho = radius(machine.on_paths())
    assume(abs(rho - 1) > 1e-6)
    if rho < 1:
        assert np.isfinite(machine.sums().log_z) == (len(machine.on_paths()) > 0)
    else:
        with pytest.raises(DivergenceError, match=r"sum to infinity.*lower the weights") as caught:
            machine.sums()
        assert caught.value.radius == pytest.approx(rho, rel=1e-2)


@given(machines(), st.integers(0, 999), st.sampled_from([1.0, 300.0, 5000.0]))
def test_pushing_weights_changes_nothing(machine: Machine, seed: int, scale: float) -> None:
    full = radius(machine.matrix())
    machine = machine.scaled(0.9 / full) if full > 1e-3 else machine
    push = np.random.default_rng(seed).normal(0, scale, len(machine.start))
    (scores, start, final), sums = machine.logs(), machine.sums()
    moved = scores + push[machine.target] - push[machine.source]
    ends = machine.source, machine.target
    pushed = partition(*ends, moved, start + push, final - push, len(push))
    assert pushed.log_z == pytest.approx(sums.log_z, rel=1e-9, abs=1e-9)
    assert_allclose(pushed.arcs, sums.arcs, rtol=1e-8, atol=1e-12)
    found, expected = spectral_radius(*ends, moved, len(push)), radius(machine.matrix())
    assert found == pytest.approx(expected, rel=1e-2, abs=1e-2)


def in_fractions(machine: Machine) -> float:
    """log Z by elimination in rational numbers, without any rounding."""
    n = len(machine.start)
    rows = [
        [Fraction(int(p == q)) for q in range(n)] + [Fraction(machine.final[p])] for p in range(n)
    ]
    for p, q, w in zip(machine.source, machine.target, machine.weight, strict=True):
        rows[p][q] -= Fraction(float(w))
    for k in range(n):
        for p in range(n):
            factor = rows[p][k] / rows[k][k]
            if p != k and factor:
                rows[p] = [x - factor * y for x, y in zip(rows[p], rows[k], strict=True)]
    z = sum(Fraction(machine.start[p]) * rows[p][n] / rows[p][p] for p in range(n))
    return math.log(z.numerator) - math.log(z.denominator)


@pytest.mark.parametrize("rho", [0.3, 0.999])
@pytest.mark.parametrize("seed", range(6))
def test_wild_weights_equal_rational_arithmetic(seed: int, rho: float) -> None:
    rng = np.random.default_rng(seed)
    n, arcs = 20, 100
    machine = Machine(
        *rng.integers(0, n, (2, arcs)), np.exp(rng.normal(0, 10, arcs)), np.ones(n), np.ones(n)
    )
    machine = machine.scaled(rho / radius(machine.matrix()))
    assert machine.sums().log_z == pytest.approx(in_fractions(machine), abs=1e-11)


@pytest.mark.parametrize("machine", [loop(0.75), ring(3, 0.9), mesh(4, 0.5), mesh(9, 0.9)])
def test_openfst_gives_the_same_sum(machine: Machine) -> None:
    n = len(machine.start)
    scores, start, final = machine.logs()
    begin = np.flatnonzero(machine.start)
    source, target = (
        np.append(a, b)
        for a, b in ((machine.source, np.full(len(begin), n)), (machine.target, begin))
    )
    label = np.ones(len(source), np.int32)
    cost = -np.append(scores, start[begin])
    fst = arrays_to_fst(
        Arrays(n, np.append(-final, np.inf), source, label, label, cost, target), "log64"
    )
    distance = pywrapfst.shortestdistance(fst, delta=1e-13, reverse=True)
    assert machine.sums().log_z == pytest.approx(-float(distance[n]), rel=1e-7)


@pytest.mark.parametrize("shape", ["loop", "ring", "mesh"])
@pytest.mark.parametrize("delta", [1e-9, 1e-6])
def test_near_divergence_on_either_side(shape: str, delta: float) -> None:
    make = {"loop": loop, "ring": lambda rho: ring(5, rho), "mesh": lambda rho: mesh(5, rho)}[shape]
    sums = make(1 - delta).sums()
    slope = make(1 - 2 * delta).sums()
    # near the pole Z = c/(1 − ρ), so half the distance is twice the sum
    assert sums.log_z - slope.log_z == pytest.approx(np.log(2), abs=10 * delta + 1e-6)
    with pytest.raises(DivergenceError) as caught:
        make(1 + delta).sums()
    assert caught.value.radius == pytest.approx(1 + delta, rel=1e-11)
    if shape == "loop":
        assert sums.log_z == pytest.approx(-np.log(delta), abs=1e-6)


@pytest.mark.parametrize("machine", [loop(1.0), ring(4, 1.0), loop(1 - 1e-16), mesh(5, 1.0)])
def test_a_radius_of_one_is_refused(machine: Machine) -> None:
    with pytest.raises(DivergenceError, match=r"the cycles is (1|0.99999)"):
        machine.sums()


@pytest.mark.parametrize("rho", [2.0, 1e200])
@pytest.mark.parametrize("n", [2, 7, 300])
def test_a_strongly_divergent_ring_is_refused_at_once(n: int, rho: float) -> None:
    with pytest.raises(
        DivergenceError, match=f"{np.log(rho):.6g} from the log weight of every arc"
    ):
        ring(n, rho).sums()


def test_divergent_loops_that_no_path_uses_are_ignored() -> None:
    # 0 → 1 is the path; 2 is out of reach, 3 a dead end, 4 → 4 alone
    source, target = np.array([0, 2, 2, 0, 3, 4]), np.array([1, 2, 1, 3, 3, 4])
    scores = np.log([0.5, 9.0, 1.0, 1.0, 9.0, 9.0])
    start, final = np.full(5, NONE), np.full(5, NONE)
    start[0], final[1] = 0.25, -0.5
    sums = partition(source, target, scores, start, final, 5)
    assert sums.log_z == pytest.approx(np.log(0.5) - 0.25)
    assert_allclose(sums.arcs, [1, 0, 0, 0, 0, 0])
    assert_allclose(sums.start, [1, 0, 0, 0, 0])
    assert_allclose(sums.final, [0, 1, 0, 0, 0])
    assert spectral_radius(source, target, scores, 5) == pytest.approx(9.0)


def test_arcs_of_weight_zero_are_no_arcs() -> None:
    sums = partition([0, 0, 1], [1, 0, 0], [np.log(0.5), NONE, NONE], [0.0, NONE], [NONE, 0.0], 2)
    assert sums.log_z == pytest.approx(np.log(0.5))
    assert_allclose(sums.arcs, [1, 0, 0])
    assert spectral_radius([0, 0, 1], [1, 0, 0], [0.0, NONE, NONE], 2) == 0.0


@pytest.mark.parametrize("parallel", [255, 256, 257])
def test_parallel_arcs_add(parallel: int) -> None:
    ones = np.ones(parallel, dtype=int)
    sums = partition(0 * ones, ones, np.zeros(parallel), [0.0, NONE], [NONE, 0.0], 2)
    assert sums.log_z == pytest.approx(np.log(parallel))
    assert_allclose(sums.arcs, 1 / parallel)


@pytest.mark.parametrize("n_states", [0, 1, 3])
def test_a_machine_without_paths_sums_to_nothing(n_states: int) -> None:
    none = np.full(n_states, NONE)
    arcs = [0] if n_states else []
    for start, final in ((none, none), (none, np.zeros(n_states)), (np.zeros(n_states), none)):
        sums = partition(arcs, arcs, np.ones(len(arcs)), start, final, n_states)
        assert sums.log_z == NONE
        assert not (sums.arcs.any() or sums.start.any() or sums.final.any())


@pytest.mark.parametrize(("weight", "ends"), [(1.9, 1.0), (1e-3, 1.0), (1e4, 1e-4), (0.5, 0.0)])
def test_a_long_chain_leaves_the_floating_point_range(weight: float, ends: float) -> None:
    n = 2500
    with np.errstate(divide="ignore"):
        final = np.log(np.append(np.full(n - 1, ends), 1.0))
    source = np.repeat(np.arange(n - 1), 2)
    scores = np.full(len(source), np.log(weight / 2))
    sums = partition(source, source + 1, scores, np.zeros(n), final, n)
    beta, total = final[-1], [final[-1]]
    for q in reversed(range(n - 1)):
        beta = np.logaddexp(final[q], beta + np.log(weight))
        total.append(beta)
    assert sums.log_z == pytest.approx(np.logaddexp.reduce(total), rel=1e-12)
    assert sums.final.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": [5]}, "source state is outside the machine's 2 states"),
        ({"target": [-1]}, "target state is outside"),
        ({"scores": [np.nan]}, "arc weights: NaN or"),
        ({"start": [np.inf, 0.0]}, "start weights: NaN or"),
        ({"final": [0.0]}, "one each a state"),
        ({"scores": [0.0, 0.0]}, "one each an arc"),
    ],
)
def test_machines_that_are_none_are_refused(change: dict[str, list[float]], message: str) -> None:
    good = {
        "source": [0],
        "target": [1],
        "scores": [0.0],
        "start": [0.0, NONE],
        "final": [NONE, 0.0],
    }
    assert partition(**good, n_states=2).log_z == 0.0
    with pytest.raises(MachineError, match=message):
        partition(**{**good, **change}, n_states=2)


def test_the_error_survives_pickling() -> None:
    with pytest.raises(DivergenceError) as caught:
        loop(2.0).sums()
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.radius == pytest.approx(2.0)


# --- All tagged sentences --------------------------------------------------------------------------------


def universe_scores(n_tags: int, order: int, seed: int, total: float) -> tuple[Floats, Floats]:
    """Random n-gram scores, and words so rare that no history's steps sum to more than `total`."""
    rng = np.random.default_rng(seed)
    table = np.full((n_tags + 1) ** order, NONE)
    codes = tag_ngrams.possible(n_tags, order) - 1
    table[codes] = rng.normal(0, 1, len(codes))
    wild = rng.normal(0, 1, n_tags)
    step = table.reshape(-1, n_tags + 1)[:, :-1] + wild
    return table, wild - np.logaddexp.reduce(step, axis=1).max() + np.log(total)


@EACH
@pytest.mark.parametrize(("n_tags", "total"), [(1, 0.5), (3, 0.7), (4, 0.3)])
def test_the_universe_is_the_limit_of_length(order: int, n_tags: int, total: float) -> None:
    table, wild = universe_scores(n_tags, order, 7, total)
    log_z, ngrams, wildcards = TagUniverse(n_tags, order)(table, wild)
    lengths = np.arange(1, 200)
    of_length = length_sums(order, table, wild, lengths, np.ones(len(lengths)))[0]
    assert log_z == pytest.approx(np.logaddexp.reduce(of_length), rel=1e-13, abs=1e-13)
    share = np.exp(of_length - log_z)
    _, expected_ngrams, expected_wildcards = length_sums(order, table, wild, lengths, share)
    assert_allclose(ngrams, expected_ngrams, rtol=1e-11, atol=1e-15)
    assert_allclose(wildcards, expected_wildcards, rtol=1e-11)


@EACH
def test_the_universe_of_all_the_tags_of_a_treebank(order: int) -> None:
    table, wild = universe_scores(20, order, 3, 0.9)
    log_z, ngrams, wildcards = TagUniverse(20, order)(table, wild)
    of_length = length_sums(order, table, wild, np.arange(1, 500), np.ones(499))[0]
    assert log_z == pytest.approx(np.logaddexp.reduce(of_length), rel=1e-12)
    assert ngrams.sum() == pytest.approx(wildcards.sum() + 1)
    mean = np.exp(of_length - log_z) @ np.arange(1, 500)
    assert wildcards.sum() == pytest.approx(mean)


@EACH
def test_a_universe_that_diverges_says_how_far(order: int) -> None:
    table, wild = universe_scores(3, order, 1, 0.9)
    with pytest.raises(
        DivergenceError, match=r"all tagged sentences.*from the log weight of every step"
    ) as caught:
        TagUniverse(3, order)(table, wild + 3.0)
    excess = np.log(caught.value.radius)
    assert excess > 0
    assert np.isfinite(TagUniverse(3, order)(table, wild + 3.0 - 1.001 * excess)[0])
    with pytest.raises(DivergenceError):
        TagUniverse(3, order)(table, wild + 3.0 - 0.999 * excess)


@EACH
def test_tags_without_words_and_universes_without_sentences(order: int) -> None:
    universe = TagUniverse(2, order)
    log_z, _, wildcards = universe(np.zeros(3**order), np.array([np.log(0.5), NONE]))
    assert log_z == pytest.approx(0.0)
    assert_allclose(wildcards, [2.0, 0.0])
    log_z, ngrams, wildcards = universe(np.zeros(3**order), np.full(2, NONE))
    assert log_z == NONE and not ngrams.any() and not wildcards.any()


def test_a_universe_too_large_is_refused() -> None:
    with pytest.raises(
        MachineError, match=r"1,124,864 tag n-grams.*coarser set or lower the order"
    ):
        TagUniverse(103, 3)


def term_of(
    order: int, coefficient: float
) -> tuple[TagFeatures, EmissionTable, UniverseSum, Floats]:
    words = ("The", "dogs", "B52s")
    symbols, tags = Symbols(words), DICTIONARY.tagset
    pairs = tag_pairs(symbols, words, DICTIONARY, tags)
    features = TagFeatures.from_pairs(
        tags, order, symbols, tag_ngrams.possible(len(tags), order), *pairs, True
    )
    emissions = EmissionTable(features, symbols, *pairs, wildcards=True)
    theta = random_theta(features, order, 0.3)
    theta[: len(features.ngrams)] -= 4.0
    return features, emissions, UniverseSum(features, emissions, coefficient), theta


@EACH
def test_the_gradient_of_the_term_equals_five_point_differences(order: int) -> None:
    features, _, term, theta = term_of(order, -2.5)
    value, gradient = term(theta)
    assert value == -2.5 * term_of(order, 1.0)[2](theta)[0]
    h = 1e-3
    for i in range(features.size):
        e = np.eye(features.size)[i] * h
        values = [term(theta + k * e)[0] for k in (-2, -1, 1, 2)]
        slope = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)
        assert gradient[i] == pytest.approx(slope, rel=1e-7, abs=1e-9)


def test_a_term_moves_to_another_models_weights() -> None:
    features, emissions, term, theta = term_of(2, 3.0)
    assert term.bound_to(features, emissions)(theta)[0] == term(theta)[0]
    with pytest.raises(DivergenceError):
        term(theta + 10.0)
