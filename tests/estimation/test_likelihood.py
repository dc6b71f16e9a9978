"""EM: a known answer, the tagger's steps by enumeration, the climb, and what zeros and interruptions do."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteHMM, distribution, relative_frequencies
from tagging_cases import CORPUS, DICTIONARY, ORDERS

from fstce import Tagger
from fstce.errors import ParameterError
from fstce.estimation.maximize import Interrupted, Step
from fstce.estimation.objective import Likelihood, Multinomials

Floats = NDArray[np.float64]
LAMBDAS = (0.0, 0.1, 1.0)
GOLD = [
    ("D", "N", "V"),
    ("N", "V"),
    ("D", "N", "V"),
    ("V",),
    ("N", "V", "D"),
    ("N", "V"),
    ("V", "N"),
]

# Do & Batzoglou (2008), "What is the expectation maximization algorithm?", Figure 1: five sets of ten
# tosses of coin A or B, nobody knows which. Weights: A heads, A tails, B heads, B tails.
HEADS = np.array([5, 9, 8, 4, 7])
TOSSES = np.column_stack((HEADS, 10 - HEADS)).astype(float)
COINS = Multinomials(np.array([0, 0, 1, 1]))
BEGIN = np.log([0.6, 0.4, 0.5, 0.5])


def tossed(theta: Floats) -> tuple[float, Floats]:
    """Σ log ½ Σ over coins of p(tosses), and the expected counts."""
    with np.errstate(invalid="ignore"):
        log_p = np.where(TOSSES[:, None] > 0, TOSSES[:, None] * theta.reshape(1, 2, 2), 0.0).sum(
            axis=-1
        )
    log_z = np.logaddexp(log_p[:, 0], log_p[:, 1])
    share = np.exp(log_p - log_z[:, None])
    return float(log_z.sum() - 5 * math.log(2)), (share.T @ TOSSES).ravel()


def compiled(order: int, smoothing: float, **options) -> tuple[Tagger, Likelihood, Floats]:
    """An HMM over the tiny corpus, its likelihood, and a start off the uniform one."""
    tagger = Tagger(
        order=order,
        criterion="em",
        smoothing=smoothing,
        start="random",
        seed=order,
        tolerance=0,
        unknown_word_model=False,
    )
    likelihood = tagger.compile(CORPUS, dictionary=DICTIONARY, **options)
    assert isinstance(likelihood, Likelihood)
    return tagger, likelihood, tagger.initial_weights()


def brute_of(tagger: Tagger, theta: Floats) -> BruteHMM:
    """The same HMM as probabilities by event."""
    probability = dict(zip(tagger.features_.names, np.exp(theta).tolist(), strict=True))
    return BruteHMM(probability, DICTIONARY, tagger.features_.order)


def test_the_two_coins_of_do_and_batzoglou() -> None:
    likelihood = Likelihood([tossed], COINS)
    once = likelihood.climb(BEGIN, max_iterations=1, tolerance=0)
    assert np.exp(once.theta[[0, 2]]).round(2).tolist() == [0.71, 0.58]
    ten = likelihood.climb(BEGIN, max_iterations=10, tolerance=0)
    assert np.exp(ten.theta[[0, 2]]).round(2).tolist() == [0.80, 0.52]


@pytest.mark.parametrize("smoothing", LAMBDAS)
@pytest.mark.parametrize("order", ORDERS)
def test_the_e_step_is_the_expectation_over_all_taggings(order: int, smoothing: float) -> None:
    tagger, likelihood, theta = compiled(order, smoothing)
    brute = brute_of(tagger, theta)
    value, counts = likelihood.value_and_gradient(theta)
    expected = brute.expected_counts(CORPUS)
    uniform = relative_frequencies({}, brute.probability)
    prior = sum(math.log(p / uniform[name]) for name, p in brute.probability.items())
    assert value == pytest.approx(brute.log_likelihood(CORPUS) + smoothing * prior, rel=1e-12)
    assert_allclose(counts, [expected[name] + smoothing for name in brute.probability], atol=1e-12)
    assert expected["word", "<unk>", "N"] == 0


@pytest.mark.parametrize("smoothing", LAMBDAS)
@pytest.mark.parametrize("order", ORDERS)
def test_every_step_of_em_is_the_brute_step(order: int, smoothing: float) -> None:
    tagger, likelihood, theta = compiled(order, smoothing)
    brute = brute_of(tagger, theta)
    for iterations in (1, 2, 3):
        brute = brute.em_step(CORPUS, smoothing)
        training = likelihood.climb(theta, max_iterations=iterations, tolerance=0)
        assert_allclose(
            np.exp(training.theta), list(brute.probability.values()), rtol=1e-9, atol=1e-15
        )
    names = tagger.features_.names
    unknown = [p for name, p in zip(names, np.exp(training.theta), strict=True) if "<unk>" in name]
    assert len(unknown) == 3
    assert all(p == 0 if smoothing == 0 else p > 0 for p in unknown)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(ORDERS),
    st.sampled_from(LAMBDAS),
    st.integers(0, 10_000),
    st.floats(0.1, 5),
    st.sampled_from([1.0, 0.3]),
)
def test_the_objective_never_falls(
    order: int, smoothing: float, seed: int, deviation: float, beta: float
) -> None:
    _, likelihood, _ = compiled(order, smoothing)
    start = likelihood.multinomials.perturbed(np.random.default_rng(seed), deviation)
    problem = likelihood if beta == 1 else likelihood.annealed(beta)
    training = problem.climb(start, tolerance=0, max_iterations=30)
    values = [step.objective for step in training.steps]
    assert all(after >= before - 1e-10 * abs(before) for before, after in pairwise(values))
    assert values[-1] > values[0]
    assert training.objective == max(values)
    assert problem(training.theta)[0] == pytest.approx(training.objective, rel=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_the_expected_counts_are_the_gradient(order: int) -> None:
    _, likelihood, theta = compiled(order, 0.5, labelled=(CORPUS[:2], GOLD[:2]))
    counts, h = likelihood(theta)[1], 1e-3
    for i in np.random.default_rng(0).choice(len(theta), 12, replace=False):
        moved = [theta + k * h * (np.arange(len(theta)) == i) for k in (-2, -1, 1, 2)]
        far, near, next_, last = (likelihood(point)[0] for point in moved)
        assert counts[i] == pytest.approx(
            (far - 8 * near + 8 * next_ - last) / (12 * h), rel=1e-6, abs=1e-7
        )


@pytest.mark.parametrize("alpha", [1.0, 0.25])
@pytest.mark.parametrize("smoothing", [0.0, 0.5])
def test_labelled_sentences_add_their_counts(smoothing: float, alpha: float) -> None:
    raw, tagged, tags = CORPUS[2:], CORPUS[:2], GOLD[:2]
    tagger = Tagger(
        order=2,
        criterion="em",
        smoothing=smoothing,
        alpha=alpha,
        start="random",
        unknown_word_model=False,
    )
    likelihood = tagger.compile(raw, dictionary=DICTIONARY, labelled=(tagged, tags))
    theta = tagger.initial_weights()
    brute = brute_of(tagger, theta)
    value, counts = likelihood(theta)
    expected, seen = (
        brute.expected_counts(raw),
        [brute.events(*pair) for pair in zip(tagged, tags, strict=True)],
    )
    mass = {name: alpha * expected[name] + sum(s[name] for s in seen) for name in brute.probability}
    assert_allclose(counts, [n + smoothing for n in mass.values()], atol=1e-12)
    uniform = relative_frequencies({}, brute.probability)
    prior = sum(math.log(p / uniform[name]) for name, p in brute.probability.items())
    whole = brute.log_joint(tagged, tags) + alpha * brute.log_likelihood(raw) + smoothing * prior
    assert value == pytest.approx(whole, rel=1e-12)
    step = likelihood.climb(theta, max_iterations=1, tolerance=0).theta
    wanted = relative_frequencies(mass, mass, smoothing)
    assert_allclose(np.exp(step), list(wanted.values()), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("beta", [0.05, 0.5])
@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_an_annealed_step_weighs_taggings_by_a_power(beta: float, smoothing: float) -> None:
    tagger, likelihood, theta = compiled(2, smoothing)
    flat = BruteHMM(
        {n: p**beta for n, p in brute_of(tagger, theta).probability.items()}, DICTIONARY, 2
    )
    value, counts = likelihood.annealed(beta)(theta)
    expected = flat.expected_counts(CORPUS)
    assert_allclose(counts, [expected[name] + smoothing for name in flat.probability], atol=1e-12)
    prior = likelihood(theta)[0] - brute_of(tagger, theta).log_likelihood(CORPUS)
    assert value == pytest.approx(flat.log_likelihood(CORPUS) / beta + prior, rel=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_impossible_stays_so(order: int) -> None:
    tagger, likelihood, _ = compiled(order, 0.0)
    names = tagger.features_.names
    # No sentence needs these, so that every sentence stays possible.
    barred = {
        ("word", "dogs", "V"),
        ("word", "B52s", "D"),
        ("ngram", "D", "D"),
        ("ngram", "N", "N", "N"),
    }
    allowed = np.array([name not in barred for name in names], dtype=float)
    start = likelihood.multinomials.normalize(allowed)
    brute = brute_of(tagger, start)
    assert np.isneginf(start).sum() == len(barred & set(names)) >= 2
    closed = np.isneginf(start)
    for iterations in range(1, 6):
        brute = brute.em_step(CORPUS)
        training = likelihood.climb(start, max_iterations=iterations, tolerance=0)
        assert np.all(np.isneginf(training.theta[closed]))
        assert not np.any(np.isnan(training.theta))
        assert_allclose(
            np.exp(training.theta), list(brute.probability.values()), rtol=1e-9, atol=1e-15
        )
        assert all(np.isfinite([step.objective for step in training.steps]))


@pytest.mark.parametrize("order", ORDERS)
def test_long_training_without_smoothing_keeps_distributions(order: int) -> None:
    tagger, likelihood, theta = compiled(order, 0.0)
    training = likelihood.climb(theta, max_iterations=500, tolerance=0)
    assert not np.any(np.isnan(training.theta))
    sums: dict[tuple[str, ...], float] = {}
    for name, p in zip(tagger.features_.names, np.exp(training.theta).tolist(), strict=True):
        sums[distribution(name)] = sums.get(distribution(name), 0.0) + p
    assert list(sums.values()) == pytest.approx([1.0] * len(sums))
    assert training.objective == pytest.approx(
        brute_of(tagger, training.theta).log_likelihood(CORPUS), rel=1e-9
    )


def test_a_coin_that_is_never_used_becomes_fair() -> None:
    start = np.array([0.0, -np.inf, *BEGIN[2:]])  # coin A shows no tails, but every set has some
    once = Likelihood([tossed], COINS).climb(start, max_iterations=1, tolerance=0)
    assert_allclose(np.exp(once.theta), [0.5, 0.5, 0.66, 0.34])


def test_it_stops_where_the_relative_change_falls_to_the_tolerance() -> None:
    for tolerance in (1e-2, 1e-5):
        training = Likelihood([tossed], COINS).climb(BEGIN, tolerance=tolerance)
        values = [step.objective for step in training.steps]
        change = [abs(b - a) / max(abs(a), abs(b), 1.0) for a, b in pairwise(values)]
        assert training.stopped == "converged"
        assert change[-1] <= tolerance
        assert all(c > tolerance for c in change[:-1])


def test_the_iteration_limit() -> None:
    training = Likelihood([tossed], COINS).climb(BEGIN, tolerance=0, max_iterations=4)
    assert training.stopped == "iteration limit"
    assert [step.iteration for step in training.steps] == [0, 1, 2, 3, 4]


def test_the_monitor_hears_every_iteration() -> None:
    heard: list[Step] = []
    training = Likelihood([tossed], COINS).climb(BEGIN, monitor=heard.append)
    assert heard == training.steps
    assert [step.iteration for step in heard] == list(range(len(heard)))
    assert heard[0].objective == tossed(BEGIN)[0]
    assert heard[0].gradient_norm == 0
    after = Likelihood([tossed], COINS).climb(BEGIN, max_iterations=1, tolerance=0).theta
    assert heard[1].gradient_norm == pytest.approx(np.linalg.norm(np.exp(after) - np.exp(BEGIN)))
    assert heard[-1].objective == training.objective
    assert [step.seconds for step in heard] == sorted(step.seconds for step in heard)


@pytest.mark.parametrize("iteration", [0, 1, 3])
def test_an_interruption_in_the_monitor_keeps_the_best_weights(iteration: int) -> None:
    def monitor(step: Step) -> None:
        if step.iteration == iteration:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        Likelihood([tossed], COINS).climb(BEGIN, tolerance=0, monitor=monitor)
    training = caught.value.training
    assert training.stopped == "interrupted"
    assert [step.iteration for step in training.steps] == list(range(iteration + 1))
    assert tossed(training.theta)[0] == training.objective == training.steps[-1].objective


def test_an_interruption_in_the_likelihood_keeps_the_best_weights() -> None:
    seen: list[Floats] = []

    def interrupted(theta: Floats) -> tuple[float, Floats]:
        if len(seen) == 3:
            raise KeyboardInterrupt
        seen.append(theta)
        return tossed(theta)

    with pytest.raises(Interrupted) as caught:
        Likelihood([interrupted], COINS).climb(BEGIN, tolerance=0)
    assert_array_equal(caught.value.training.theta, seen[-1])


def test_a_monitor_may_stop_the_training() -> None:
    def monitor(step: Step) -> None:
        if step.iteration == 2:
            raise StopIteration

    training = Likelihood([tossed], COINS).climb(BEGIN, tolerance=0, monitor=monitor)
    assert training.stopped == "monitor"
    two = Likelihood([tossed], COINS).climb(BEGIN, tolerance=0, max_iterations=2)
    assert_array_equal(training.theta, two.theta)
    assert training.objective == two.objective


def test_a_start_that_makes_a_sentence_impossible_is_refused() -> None:
    tagger, likelihood, theta = compiled(2, 0.0)
    words = [i for i, name in enumerate(tagger.features_.names) if name[:2] == ("word", "run")]
    theta[words] = -np.inf
    message = "a sentence has probability zero under the weights at which EM starts"
    with pytest.raises(ParameterError, match=message):
        likelihood.climb(theta)
    with pytest.raises(ParameterError, match=message):  # λ > 0 makes any zero impossible
        Likelihood([tossed], COINS, 1.0).climb(np.array([0.0, -np.inf, *BEGIN[2:]]))


@pytest.mark.parametrize(
    "wrong", [{"tolerance": -1.0}, {"tolerance": float("nan")}, {"max_iterations": 0}]
)
def test_parameters_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=f"{next(iter(wrong))}=.*: give"):
        Likelihood([tossed], COINS).climb(BEGIN, **wrong)


def test_a_bad_smoothing_is_refused_before_training() -> None:
    with pytest.raises(ParameterError, match="smoothing=-1"):
        Likelihood([tossed], COINS, -1)


def test_the_start_is_left_as_it_was() -> None:
    start = BEGIN.copy()
    Likelihood([tossed], COINS).climb(start)
    assert_array_equal(start, BEGIN)
