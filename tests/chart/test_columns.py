"""Plain sentences: against enumeration, and as the lattices of one path that they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from chart_cases import MODEL, brute, by_number, compiled, sentence, theta_of
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fstce.chart import (
    InsideOutside,
    attachments,
    best_trees,
    compile_charts,
    compile_sentences,
    insideoutside,
    k_best_trees,
    sample_trees,
)
from fstce.chart.columns import chain
from fstce.chart.insideoutside import SAFE
from fstce.errors import CorpusError, MachineError

TEXT = st.lists(
    st.lists(st.sampled_from(MODEL.tags), min_size=1, max_size=9), min_size=1, max_size=6
)
SEEDS = st.integers(0, 1000)


@pytest.fixture(params=["real", "log"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runs in the real semiring, then in log space."""
    monkeypatch.setattr(insideoutside, "SAFE", SAFE if request.param == "real" else -1.0)


@pytest.mark.parametrize("zeros", [0.0, 0.2])
def test_sums_against_all_trees(zeros: float, either: None) -> None:
    text, theta = ["V", "NV", "DNV", "NVDN", "VVNDN", "NV"], theta_of(3, zeros=zeros)
    log_z, counts = InsideOutside(compile_sentences(text, MODEL))(theta, np.arange(6.0))
    twins = [brute(sentence(*tags), theta) for tags in text]
    assert_allclose(log_z, [twin.log_z for twin in twins], rtol=1e-11)
    expected = sum(
        i * by_number(t.expected_counts()) for i, t in enumerate(twins) if t.log_z > -np.inf
    )
    assert_allclose(counts, expected, rtol=1e-9, atol=1e-11)


@given(TEXT, SEEDS, st.sampled_from((0.0, -0.3)), st.sampled_from((0.0, 0.2)))
def test_columns_are_as_lattices_of_one_path(
    text: Sequence[Sequence[str]], seed: int, bias: float, zeros: float
) -> None:
    theta, coefficient = theta_of(seed, zeros=zeros), np.random.default_rng(seed).random(len(text))
    ours = compile_sentences(text, MODEL).with_length_bias(bias)
    theirs = compile_charts([sentence(*tags) for tags in text], MODEL)
    theirs = theirs.with_length_bias(bias)
    assert (ours.n_distinct, len(ours)) == (theirs.n_distinct, len(theirs))
    assert_array_equal(ours.n_arcs, theirs.n_arcs)
    columns, paths = (InsideOutside(batch)(theta, coefficient) for batch in (ours, theirs))
    assert_allclose(columns.log_z, paths.log_z, rtol=1e-11, atol=1e-11)
    assert_allclose(columns.counts, paths.counts, rtol=1e-9, atol=1e-11)

    tables = [attachments(b, InsideOutside(b).posteriors(theta)) for b in (ours, theirs)]
    for of_columns, of_paths in zip(*tables, strict=True):
        assert_allclose(of_columns, of_paths, rtol=1e-9, atol=1e-11)
    for of_columns, of_paths in (
        (best_trees(ours, theta), best_trees(theirs, theta)),
        (k_best_trees(ours, theta, 3), k_best_trees(theirs, theta, 3)),
    ):
        assert_array_equal(of_columns.heads, of_paths.heads)
        assert_array_equal(of_columns.tags, of_paths.tags)
        assert_array_equal(of_columns.arcs, of_paths.arcs)
        assert_allclose(of_columns.score, of_paths.score, rtol=1e-11)


def test_samples_of_columns_follow_the_posterior() -> None:
    theta, draws = theta_of(4), 4000
    trees = sample_trees(compile_sentences(["NVD", "VN"], MODEL), theta, draws, rng_of(0))
    twin = brute(sentence(*"NVD"), theta)
    expected = {tree: np.exp(weight - twin.log_z) for (_, tree), weight in twin.weight.items()}
    drawn = Counter(tuple(row) for row in trees.heads[0].tolist())
    for tree, p in expected.items():
        assert drawn[tree] / draws == pytest.approx(p, abs=0.04)
    assert_allclose(trees.score[1].max(), max(brute(sentence(*"VN"), theta).weight.values()))


def test_shorter_sentences_share_the_chart_of_longer_ones() -> None:
    text = ["NVDN", "NVD", "VND", "NV"]
    batch = compile_sentences(text, MODEL)
    (pack,) = batch.packs
    assert pack.columns == 4 and pack.graph is chain(4, 2)
    assert compile_sentences(["DDDD", "NN"], MODEL).packs[0].graph is pack.graph
    longer = compile_sentences(
        [
            *(
                [
                    "NV"[i % 2] + bin(i)[2:].replace("1", "D").replace("0", "N")
                    for i in range(2**9, 2**9 + 300)
                ]
            ),
            "NV",
        ],
        MODEL,
    )
    assert {len(pack.tag) for pack in longer.packs} == {11}


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def long_text() -> list[list[str]]:
    rng = np.random.default_rng(0)
    return [[MODEL.tags[i] for i in rng.integers(0, 3, n)] for n in (*[7] * 30, 25, 25, 18)]


def test_threads_and_packs() -> None:
    text, theta = long_text(), theta_of(1)
    whole = InsideOutside(compile_sentences(text, MODEL))(theta)
    batch = compiled([sentence(*tags) for tags in text], pack_size=3000)
    assert len(batch.packs) > 4 and batch.n_distinct == sum(
        len(pack.lattices) for pack in batch.packs
    )
    first, *others = (InsideOutside(batch, jobs)(theta) for jobs in (None, 3, 3))
    for other in others:
        assert other.counts.tobytes() == first.counts.tobytes()
        assert other.log_z.tobytes() == first.log_z.tobytes()
    assert_allclose(first.counts, whole.counts, rtol=1e-11)


@pytest.mark.parametrize("shift", [-50.0, 50.0])
def test_beyond_the_range_in_log_space(shift: float) -> None:
    text, theta = long_text(), theta_of(1)
    moved = theta.copy()
    children = slice(3, 3 + 2 * 9)  # one for each word but the root
    moved[children] += shift
    sums = InsideOutside(compile_sentences(text, MODEL))
    plain, far = sums(theta), sums(moved)
    expected = plain.log_z + shift * np.array([len(tags) - 1 for tags in text])
    assert_allclose(far.log_z, expected, rtol=1e-12)
    assert_allclose(far.counts, plain.counts, rtol=1e-8, atol=1e-9)


def test_what_cannot_be_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MachineError, match="no sentence"):
        compile_sentences([], MODEL)
    with pytest.raises(CorpusError, match="'X' is not among the grammar's 3"):
        compile_sentences(["N", "NX"], MODEL)
    monkeypatch.setattr("fstce.chart.shape.HYPEREDGE_LIMIT", 300)
    chain.cache_clear()  # nothing that another test has left
    for numbers, name in ((None, 3), ([2, 5, 8], 8)):
        with pytest.raises(MachineError, match=rf"^sentence {name}: a chart of .* from 9 arcs"):
            compile_sentences(["N", "NV", "NVDNVDNVD"], MODEL, numbers=numbers)


def test_attachments_are_of_each_sentence() -> None:
    batch = compile_sentences(["NV", "D", "NV"], MODEL)
    tables = attachments(batch, InsideOutside(batch).posteriors(theta_of(2)))
    assert [table.shape for table in tables] == [(3, 2), (2, 1), (3, 2)]
    assert_allclose([column for table in tables for column in table.sum(axis=0)], 1.0)
