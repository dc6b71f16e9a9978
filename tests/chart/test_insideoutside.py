"""Sums over trees: log Z, counts and posteriors against enumeration, whatever the scores."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from chart_cases import (
    MODEL,
    SYMBOLS,
    all_sentences,
    brute,
    by_number,
    compiled,
    lattice_of,
    lattices,
    sentence,
    theta_of,
)
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles_trees import log_z_by_spans, projective_trees

from fstce import neighborhood
from fstce.chart import InsideOutside, attachments, compile_charts, insideoutside
from fstce.chart.insideoutside import NARROW, RealChart
from fstce.grammars.dmv import ADJACENT, GO, LEFT, NOT_ADJACENT, RIGHT, STOP, DependencyModel
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols

SEEDS = st.integers(0, 1000)


def in_log_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(insideoutside, "SAFE", -1.0)


def no_log_space(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("this should have stayed in the real semiring")

    monkeypatch.setattr(insideoutside, "posteriors", refuse)


@pytest.fixture(params=["real", "log"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the test runs in the real semiring alone, then in log space alone."""
    (no_log_space if request.param == "real" else in_log_space)(monkeypatch)


def test_numbers_of_projective_trees() -> None:
    known = [1, 2, 7, 30, 143]
    assert [len(projective_trees(n)) for n in range(1, 6)] == known
    batch = compiled([sentence(*"N" * n) for n in range(1, 9)])
    log_z = InsideOutside(batch)(np.zeros(MODEL.size)).log_z
    assert_allclose(np.exp(log_z), [*known, 728, 3876, 21318], rtol=1e-12)


@pytest.mark.parametrize(("tags", "longest"), [("NVD", 4), ("NV", 5)])
def test_every_short_string(tags: str, longest: int, either: None) -> None:
    strings = all_sentences(longest, tags)
    theta = theta_of(1)
    coefficient = np.random.default_rng(2).normal(size=len(strings))
    sums = InsideOutside(compiled(strings))(theta, coefficient)
    expected = np.zeros(MODEL.size)
    for log_z, weight, lattice in zip(sums.log_z, coefficient, strings, strict=True):
        twin = brute(lattice, theta)
        assert log_z == pytest.approx(twin.log_z, abs=1e-11)
        expected += weight * by_number(twin.expected_counts())
    assert_allclose(sums.counts, expected, rtol=1e-9, atol=1e-10)


@given(st.lists(lattices() | lattices(weighted=True), min_size=1, max_size=3), SEEDS, st.booleans())
def test_random_lattices(found: list[Lattice], seed: int, zeros: bool) -> None:
    theta = theta_of(seed, zeros=0.1 if zeros else 0.0)
    coefficient = np.random.default_rng(seed).normal(size=len(found))
    twins = [brute(lattice, theta) for lattice in found]
    batch = compiled(found)
    sums = InsideOutside(batch)(theta, coefficient)
    assert_allclose(sums.log_z, [twin.log_z for twin in twins], rtol=1e-10, atol=1e-10)
    counts = sum(
        w * by_number(twin.expected_counts()) for w, twin in zip(coefficient, twins, strict=True)
    )
    assert_allclose(sums.counts, counts, rtol=1e-9, atol=1e-10)
    tables = attachments(batch, InsideOutside(batch).posteriors(theta))
    for lattice, table, twin in zip(found, tables, twins, strict=True):
        assert_allclose(table, twin.attachments(len(lattice.arrays.source)), atol=1e-10)


@pytest.mark.parametrize("kind", ["trans1", "del1word", "delortrans1", "del1subseq"])
def test_neighborhoods(kind: str, either: None) -> None:
    lattice = neighborhood(kind)(["D", "N", "V", "N", "N"])
    symbols = Symbols(["D", "N", "V"])
    model = DependencyModel(symbols)
    theta = theta_of(3, model=model)
    sums = InsideOutside(compile_charts([lattice], model))(theta)
    twin = brute(lattice, theta, model)
    assert sums.log_z[0] == pytest.approx(twin.log_z, abs=1e-11)
    assert_allclose(sums.counts, by_number(twin.expected_counts(), model), rtol=1e-9, atol=1e-11)


def test_forbidden_features(either: None) -> None:
    strings = all_sentences(4)
    batch = compiled(strings)
    for seed in range(3):
        theta = theta_of(seed, zeros=0.25)
        sums = InsideOutside(batch)(theta)
        twins = [brute(lattice, theta) for lattice in strings]
        assert 0 < sum(np.isneginf(twin.log_z) for twin in twins) < len(twins)
        assert_allclose(sums.log_z, [twin.log_z for twin in twins], rtol=1e-11, atol=1e-11)
        counts = sum(by_number(twin.expected_counts()) for twin in twins)
        assert_allclose(sums.counts, counts, rtol=1e-9, atol=1e-10)


def test_everything_forbidden(either: None) -> None:
    sums = InsideOutside(compiled(all_sentences(3)))(np.full(MODEL.size, -np.inf))
    assert np.all(np.isneginf(sums.log_z)) and not np.any(sums.counts)


def test_an_arc_of_weight_zero_is_not_there(either: None) -> None:
    arcs = [(0, 1, 0), (0, 1, 1), (1, 2, 2)]
    with_it = lattice_of(3, arcs, {2: 0.0}, [0.5, np.inf, -1.0])
    without = lattice_of(3, [arcs[0], arcs[2]], {2: 0.0}, [0.5, -1.0])
    sums = InsideOutside(compiled([with_it, without]))(theta_of(4))
    assert sums.log_z[0] == pytest.approx(sums.log_z[1], abs=1e-12)


@pytest.mark.parametrize("scale", [0.0, 1.0, 50.0])
@pytest.mark.parametrize("zeros", [0.0, 0.02])
def test_a_long_sentence_against_another_recurrence(scale: float, zeros: float) -> None:
    rng = np.random.default_rng(5)
    tags = rng.integers(0, 3, 20 if zeros or not scale else 40)
    theta = scale * np.random.default_rng(6).uniform(-1, 1, MODEL.size)
    theta[rng.random(MODEL.size) < zeros] = -np.inf
    t, sides, valences = (
        np.arange(3),
        np.array([[LEFT], [RIGHT]]),
        np.array([ADJACENT, NOT_ADJACENT]),
    )
    child = theta[MODEL.child(t[:, None], t, sides[:, :, None])]
    choice = [theta[MODEL.stop(t, sides[:, :, None], valences[:, None], c)] for c in (STOP, GO)]
    expected = log_z_by_spans(tags.tolist(), theta[:3], child, *choice)
    found = InsideOutside(compiled([sentence(*("NVD"[tag] for tag in tags))]))(theta)
    assert np.isfinite(expected)
    assert found.log_z[0] == pytest.approx(expected, rel=1e-12, abs=1e-10)
    words = (
        found.counts[:3].sum() + found.counts[MODEL.child(t[:, None], t, sides[:, :, None])].sum()
    )
    assert words == pytest.approx(len(tags), rel=1e-9)


@pytest.mark.parametrize("scale", [0.1, 1.0, 3.0, 10.0, 30.0])
def test_real_and_log_space_agree_where_real_says_it_is_exact(
    scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(7)
    strings = [sentence(*("NVD"[tag] for tag in rng.integers(0, 3, n))) for n in (3, 8, 25)]
    strings += list(neighborhood("trans1").expand([list("NVDNVDDN"), list("VDNVV")], SYMBOLS))
    batch = compiled(strings, pack_size=1)
    theta, coefficient = theta_of(8, scale), rng.normal(size=len(strings))
    found = InsideOutside(batch)(theta, coefficient)
    in_log_space(monkeypatch)
    expected = InsideOutside(batch)(theta, coefficient)
    assert_allclose(found.log_z, expected.log_z, rtol=1e-12)
    assert_allclose(found.counts, expected.counts, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("height", [1.0, -1.0])
@pytest.mark.parametrize("size", [5.0, 99.0, 300.0, 1e4])
def test_scores_beyond_the_range(height: float, size: float) -> None:
    theta = theta_of(9)
    strings = [sentence(*"NVDNVDNV")] * 2 + [sentence(*"VN")]
    batch = compiled(strings)
    shifted = theta.copy()
    words = np.r_[0 : MODEL.stop(0, 0, 0)]
    shifted[words] += height * size  # each word is a root or a child once
    low, high = InsideOutside(batch)(theta), InsideOutside(batch)(shifted)
    assert_allclose(high.log_z, low.log_z + height * size * np.array([8, 8, 2]), rtol=1e-13)
    assert_allclose(high.counts, low.counts, rtol=1e-8, atol=1e-10)


def test_a_cancellation_of_extremes_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without its small children a tree has no head, so no item that matters may underflow.
    theta = np.zeros(MODEL.size)
    theta[MODEL.child(1, 0, RIGHT)], theta[MODEL.root(1)] = -95.0, 95.0
    theta[MODEL.root(0)], theta[MODEL.root(2)] = -np.inf, -np.inf
    strings = [sentence("V", *"N" * 12)]
    found = InsideOutside(compiled(strings))(theta)
    in_log_space(monkeypatch)
    expected = InsideOutside(compiled(strings))(theta)
    assert found.log_z[0] == pytest.approx(expected.log_z[0], rel=1e-12)
    assert_allclose(found.counts, expected.counts, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("size", [45.0, 95.0, 300.0])
def test_what_is_forbidden_may_be_worth_more_than_a_double(
    size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # V N E D D D: were N the child of V, it could take the others for e^4x; without, all cost e^-4x.
    model, symbols = DependencyModel("VNED"), Symbols("VNED")
    number = {name: i for i, name in enumerate(model.names)}
    theta = np.array([-np.inf if name[0] == "child" else 0.0 for name in model.names])
    theta[number["root", "E"]] = theta[number["root", "D"]] = theta[number["root", "N"]] = -np.inf
    theta[number["child", "E", "N", "left"]] = 0.0
    for child in "ED":
        theta[number["child", "N", child, "right"]] = size
        theta[number["child", "V", child, "right"]] = -size
    if 4 * size < np.log(NARROW):
        no_log_space(monkeypatch)
    batch = compile_charts([Lattice.of_sentence(list("VNEDDD"), symbols)], model)
    log_z, counts = InsideOutside(batch)(theta)
    assert log_z[0] == pytest.approx(-4 * size, rel=1e-12)
    assert_allclose(counts, model.tree_counts("VNEDDD", [0, 3, 1, 1, 1, 1]), atol=1e-12)


@pytest.mark.parametrize("size", [30.0, 95.0])
def test_a_stop_that_is_forbidden_may_be_worth_more_than_a_double(
    size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # N E D D D D D: N would rather be the root and take all others, but may not stop then.
    model, symbols = DependencyModel("NED"), Symbols("NED")
    number = {name: i for i, name in enumerate(model.names)}
    theta = np.array([-np.inf if name[0] == "child" else 0.0 for name in model.names])
    theta[number["root", "N"]], theta[number["root", "E"]], theta[number["root", "D"]] = (
        size,
        -size,
        -np.inf,
    )
    theta[number["stop", "N", "right", "non", "stop"]] = -np.inf
    theta[number["stop", "N", "left", "adj", "stop"]], theta[number["child", "E", "N", "left"]] = (
        size,
        -size,
    )
    theta[number["child", "N", "E", "right"]] = theta[number["child", "N", "D", "right"]] = 0.0
    theta[number["child", "E", "D", "right"]] = -size
    if 6 * size < np.log(NARROW):
        no_log_space(monkeypatch)
    batch = compile_charts([Lattice.of_sentence(list("NEDDDDD"), symbols)], model)
    log_z, counts = InsideOutside(batch)(theta)
    assert log_z[0] == pytest.approx(-6 * size, rel=1e-12)
    assert_allclose(counts, model.tree_counts("NEDDDDD", [2, 0, 2, 2, 2, 2, 2]), atol=1e-12)


def test_no_digit_of_a_lattice_weight_is_lost() -> None:
    theta = np.array([-np.inf if name[0] in ("child", "root") else 0.0 for name in MODEL.names])
    theta[MODEL.root(1)] = 0.0
    theta[MODEL.child(0, 2, LEFT)] = theta[MODEL.child(1, 0, RIGHT)] = 95.0
    arcs = [(0, 1, 1), (1, 2, 2), (2, 3, 2), (3, 4, 0)]  # V D D N
    lattice = lattice_of(5, arcs, {4: 0.0}, [0.0, 0.0, 0.0, 740.0])
    log_z = InsideOutside(compiled([lattice]))(theta).log_z
    assert log_z[0] == pytest.approx(3 * 95 - 740, rel=1e-13)


@pytest.mark.parametrize(("children", "go", "stop"), [(10, -74.0, 0.0), (0, 0.0, -740.0)])
def test_no_digit_is_lost_below_the_normal_doubles(children: int, go: float, stop: float) -> None:
    # V D … D X: either many costly children come before X, or X itself is costly, and X makes up for it.
    model, symbols = DependencyModel("VDX"), Symbols("VDX")
    number = {name: i for i, name in enumerate(model.names)}
    theta = np.array([-np.inf if name[0] == "child" else 0.0 for name in model.names])
    theta[number["child", "V", "D", "right"]] = 0.0
    theta[number["child", "V", "X", "right"]] = 95.0 if children else 200.0
    theta[number["stop", "V", "right", "non", "go"]] = go
    theta[number["stop", "X", "left", "adj", "stop"]] = stop
    batch = compile_charts([Lattice.of_sentence(["V", *"D" * children, "X"], symbols)], model)
    expected = children * go + 95.0 if children else stop + 200.0
    assert InsideOutside(batch)(theta).log_z[0] == pytest.approx(expected, rel=1e-13)


def test_the_check_sees_underflow(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[bool] = []
    in_range = RealChart.in_range
    monkeypatch.setattr(
        RealChart, "in_range", lambda *a: checked.append(in_range(*a)) or checked[-1]
    )
    batch = compiled([sentence(*"NVDNVDNV")])
    for size in (0.0, -10.0, -90.0, 90.0):
        InsideOutside(batch)(np.full(MODEL.size, size))
    assert checked == [True, True, False, False]


def test_gradient_by_finite_differences() -> None:
    found = list(
        neighborhood("delortrans1").expand([list("NVDN"), list("VVN"), list("NVDN")], SYMBOLS)
    )
    coefficient = np.array([1.0, -2.0, 0.5])
    sums, theta, h = InsideOutside(compiled(found)), theta_of(10), 1e-3

    def value(at: np.ndarray) -> float:
        return float(coefficient @ sums(at, coefficient).log_z)

    def five_point(i: int) -> float:
        step = np.zeros(MODEL.size)
        step[i] = h
        a, b, c, d = (value(theta + k * step) for k in (-2, -1, 1, 2))
        return (a - 8 * b + 8 * c - d) / (12 * h)

    slope = [five_point(i) for i in range(MODEL.size)]
    assert_allclose(sums(theta, coefficient).counts, slope, rtol=1e-8, atol=1e-8)


def test_equal_lattices_are_parsed_once_and_counted() -> None:
    once, twice = (
        [sentence(*"NVD"), sentence("V")],
        [sentence(*"NVD"), sentence("V"), sentence(*"NVD")],
    )
    batch, theta = compiled(twice), theta_of(11)
    assert batch.n_distinct == 2 and batch.size == compiled(once).size
    few, many = InsideOutside(compiled(once)), InsideOutside(batch)
    assert_array_equal(many(theta).log_z, few(theta).log_z[[0, 1, 0]])
    assert_array_equal(
        many(theta, np.array([1.0, 3.0, 0.5])).counts, few(theta, np.array([1.5, 3.0])).counts
    )


@pytest.mark.parametrize("pack_size", [1, 50, 10**6])
def test_packs_change_nothing(pack_size: int) -> None:
    found = list(
        neighborhood("trans1").expand([list(s) for s in ("NVDN", "VVN", "D", "NVNV")], SYMBOLS)
    )
    theta, coefficient = theta_of(12), np.array([1.0, -1.0, 2.0, 0.0])
    whole = InsideOutside(compiled(found))(theta, coefficient)
    cut = compiled(found, pack_size)
    assert (len(cut.packs) == 1) == (pack_size == 10**6)
    assert_allclose(InsideOutside(cut)(theta, coefficient).log_z, whole.log_z, rtol=1e-14)
    assert_allclose(
        InsideOutside(cut)(theta, coefficient).counts, whole.counts, rtol=1e-10, atol=1e-12
    )


def test_threads_change_no_bit() -> None:
    found = list(
        neighborhood("trans1").expand([list(s) for s in ("NVDN", "VVN", "D", "NVNV")], SYMBOLS)
    )
    theta, batch = theta_of(12), compiled(found, 10)
    theta[3] = -np.inf
    one, three = InsideOutside(batch)(theta), InsideOutside(batch, jobs=3)(theta)
    assert len(batch.packs) > 3
    assert (
        one.log_z.tobytes() == three.log_z.tobytes()
        and one.counts.tobytes() == three.counts.tobytes()
    )


def test_calls_leave_no_trace() -> None:
    batch = compiled(list(neighborhood("trans1").expand([list("NVDNV"), list("VVN")], SYMBOLS)))
    used, zeros = InsideOutside(batch), theta_of(14, zeros=0.1)
    thetas = [theta_of(13), zeros, theta_of(15, 40.0), zeros, theta_of(16, zeros=0.3), theta_of(13)]
    for theta in thetas:
        for ours, fresh in zip(used(theta), InsideOutside(batch)(theta), strict=True):
            assert_array_equal(ours, fresh)


def test_posteriors_of_arcs_sum_to_one_on_every_cut(either: None) -> None:
    lattice = neighborhood("del1subseq")(list("NVDNV"))
    model = DependencyModel("NVD")
    batch = compile_charts([lattice], model)
    (table,) = attachments(batch, InsideOutside(batch).posteriors(theta_of(17, model=model)))
    used, arrays = table.sum(axis=0), lattice.arrays
    assert used[arrays.source == 0].sum() == pytest.approx(1.0)
    assert table[0].sum() == pytest.approx(1.0)
    for state in range(1, len(arrays.final)):
        into, out = used[arrays.next == state].sum(), used[arrays.source == state].sum()
        assert into >= out - 1e-12
        if not np.isfinite(arrays.final[state]):
            assert into == pytest.approx(out)


def test_no_warnings_at_the_edges() -> None:
    sums = InsideOutside(compiled(all_sentences(2)))
    with np.errstate(all="raise"):
        for value in itertools.chain([0.0, 1e3, -1e3, 60.0, -60.0, -np.inf]):
            sums(np.full(MODEL.size, value))


def test_a_forbidden_choice_beside_large_opposite_weights_stays_at_zero() -> None:
    """V takes one child on its right, X with all of D×6; to go on is forbidden, and its adjoint is infinite.

    A V that went on (0) would meet an X with no child (e⁹⁸) in a link of adjoint e⁵⁷⁰ · e⁹⁸: above e⁷⁰⁹.
    """
    model = DependencyModel("VDX")
    v, d, x = range(3)
    theta = np.zeros(model.size)
    theta[[*model.root([d, x]), *model.child(d, [d, x], [[LEFT], [RIGHT]]).flat]] = -np.inf
    theta[[int(model.child(v, d, RIGHT)), int(model.stop(v, RIGHT, NOT_ADJACENT, GO))]] = -np.inf
    theta[model.child(x, d, LEFT)] = -95.0
    theta[[int(model.stop(x, LEFT, ADJACENT)), int(model.child(v, x, RIGHT))]] = 98.0
    theta[model.stop(v, RIGHT, ADJACENT, GO)] = -98.0
    symbols = Symbols("VDX")
    batch = compile_charts(
        [Lattice.of_sentence(["V", "D", "D", "D", "D", "D", "D", "X"], symbols)], model
    )
    log_z, counts = InsideOutside(batch)(theta)
    assert log_z == pytest.approx([6 * -95.0])
    assert counts[model.child(x, d, LEFT)] == pytest.approx(6.0)
    assert_allclose(counts, np.round(counts), atol=1e-9, equal_nan=False)
    assert counts[model.child(v, x, RIGHT)] == pytest.approx(1.0)
