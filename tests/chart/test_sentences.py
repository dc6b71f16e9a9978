"""Sentences as columns of one chart: against enumeration, and against the charts of lattices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from chart_cases import MODEL, brute, by_number, sentence, theta_of
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fstce.chart import (
    ChartBatch,
    InsideOutside,
    SentenceCharts,
    attachments,
    best_trees,
    compile_charts,
    minimum_risk_trees,
    sentences,
)
from fstce.chart.sentence_trees import (
    best_sentence_trees,
    minimum_risk_of,
    minimum_risk_sentence_trees,
    sentence_attachments,
)
from fstce.chart.sentences import SAFE
from fstce.errors import MachineError, ParameterError

Text = Sequence[Sequence[str]]
TEXT = st.lists(st.lists(st.sampled_from(MODEL.tags), min_size=1, max_size=9), min_size=1, max_size=6)
LINKS, SEEDS = st.sampled_from((None, 1, 2, 5)), st.integers(0, 1000)


def lattices(text: Text, max_link: int | None = None, bias: float = 0.0) -> ChartBatch:
    return compile_charts([sentence(*tags) for tags in text], MODEL, max_link=max_link).with_length_bias(bias)


@pytest.fixture(params=["real", "log"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the test runs in the real semiring, then in log space."""
    monkeypatch.setattr(sentences, "SAFE", SAFE if request.param == "real" else -1.0)


@pytest.mark.parametrize("zeros", [0.0, 0.2])
def test_sums_against_all_trees(zeros: float, either: None) -> None:
    text, theta = ["V", "NV", "DNV", "NVDN", "VVNDN", "NV"], theta_of(3, zeros=zeros)
    log_z, counts = SentenceCharts(MODEL, text).sums(theta, np.arange(6.0))
    twins = [brute(sentence(*tags), theta) for tags in text]
    assert_allclose(log_z, [twin.log_z for twin in twins], rtol=1e-11)
    expected = sum(i * by_number(t.expected_counts()) for i, t in enumerate(twins) if t.log_z > -np.inf)
    assert_allclose(counts, expected, rtol=1e-9, atol=1e-11)


@given(
    TEXT, SEEDS, LINKS, st.sampled_from((0.0, -0.3)), st.sampled_from((0.0, 0.2)), st.sampled_from((1, 60))
)
def test_sums_as_those_of_lattices(
    text: Text, seed: int, max_link: int | None, bias: float, zeros: float, scale: float
) -> None:
    theta, coefficient = theta_of(seed, scale, zeros), np.random.default_rng(seed).random(len(text))
    ours = SentenceCharts(MODEL, text, max_link=max_link, length_bias=bias)
    theirs = lattices(text, max_link, bias)
    assert (ours.size, ours.n_distinct, len(ours)) == (theirs.size, theirs.n_distinct, len(theirs))
    log_z, counts = ours.sums(theta, coefficient)
    expected = InsideOutside(theirs)(theta, coefficient)
    assert_allclose(log_z, expected.log_z, rtol=1e-10, atol=1e-10)
    assert_allclose(counts, expected.counts, rtol=1e-9, atol=1e-10)


@given(TEXT, SEEDS, LINKS, st.sampled_from((0.0, 0.2)), st.booleans())
def test_trees_as_those_of_lattices(
    text: Text, seed: int, max_link: int | None, zeros: float, ties: bool
) -> None:
    theta = theta_of(seed, zeros=zeros)
    theta = np.round(theta) if ties else theta
    ours, theirs = SentenceCharts(MODEL, text, max_link=max_link), lattices(text, max_link)
    found, expected = best_sentence_trees(ours, theta), best_trees(theirs, theta)
    assert_array_equal(found.score, expected.score)
    tables = sentence_attachments(ours, theta)
    for ours_, theirs_ in zip(
        tables, attachments(theirs, InsideOutside(theirs).posteriors(theta)), strict=True
    ):
        assert_allclose(ours_, theirs_, rtol=1e-9, atol=1e-12)
    risk, of_tables = minimum_risk_of(ours, theta), minimum_risk_sentence_trees(ours, tables)
    assert_array_equal(risk.score, found.score)
    safest = minimum_risk_trees(theirs, tables)
    for i in np.flatnonzero(found.score > -np.inf).tolist():
        n = len(text[i])
        assert_array_equal(found.heads[i], expected.heads[i][:n])
        assert_array_equal(risk.heads[i], safest.heads[i][:n])
        assert_array_equal(of_tables.heads[i], safest.heads[i][:n])


def long_text() -> list[list[str]]:
    rng = np.random.default_rng(0)
    return [[MODEL.tags[i] for i in rng.integers(0, 3, n)] for n in (*[7] * 30, 25, 25, 18)]


def test_threads_and_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    text, theta = long_text(), theta_of(1)
    whole = SentenceCharts(MODEL, text).sums(theta)
    monkeypatch.setattr(sentences, "STEP", 1)
    monkeypatch.setattr(sentences, "CHUNK", 30_000)
    one, three = (SentenceCharts(MODEL, text, jobs=jobs) for jobs in (None, 3))
    assert len(one.columns) > 8 and one.n_distinct == sum(len(c.numbers) for c in one.columns)
    first, *others = (charts.sums(theta) for charts in (one, three, three))
    for other in others:
        assert other.counts.tobytes() == first.counts.tobytes()
        assert other.log_z.tobytes() == first.log_z.tobytes()
    assert_allclose(first.counts, whole.counts, rtol=1e-11)
    trees = [best_sentence_trees(charts, theta) for charts in (one, three)]
    assert_array_equal(np.concatenate(trees[0].heads), np.concatenate(trees[1].heads))


@pytest.mark.parametrize("shift", [-50.0, 50.0])
def test_beyond_the_range_in_log_space(shift: float) -> None:
    text, theta = long_text(), theta_of(1)
    moved = theta.copy()
    children = slice(3, 3 + 2 * 9)  # one for each word but the root
    moved[children] += shift
    charts = SentenceCharts(MODEL, text)
    plain, far = charts.sums(theta), charts.sums(moved)
    expected = plain.log_z + shift * np.array([len(tags) - 1 for tags in text])
    assert_allclose(far.log_z, expected, rtol=1e-12)
    assert_allclose(far.counts, plain.counts, rtol=1e-8, atol=1e-9)


def test_what_cannot_be_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MachineError, match="no sentence"):
        SentenceCharts(MODEL, [])
    monkeypatch.setattr(sentences, "LIMIT", 5000)
    with pytest.raises(MachineError, match="sentence 3: 9 words"):
        SentenceCharts(MODEL, ["N", "NV", "NVDNVDNVD"])
    charts = SentenceCharts(MODEL, ["N", "NV"])
    with pytest.raises(ParameterError, match="1 tables of attachments for 2"):
        minimum_risk_sentence_trees(charts, [np.zeros((2, 1))])
    with pytest.raises(ParameterError, match="of 2 words"):
        minimum_risk_sentence_trees(charts, [np.zeros((2, 1)), np.zeros((2, 2))])
