"""Shards: the same machines, cut by size; sums do not depend on where the cuts are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from tagging_cases import CORPUS, DICTIONARY, contrast_of, random_theta

from fstce.machines.symbols import Symbols
from fstce.wfsa import building
from fstce.wfsa.building import cut, path_counts
from fstce.wfsa.features import tag_pairs

COUNTS = st.lists(st.integers(1, 50).map(float), min_size=1, max_size=60).map(np.array)


@given(COUNTS, st.integers(1, 500), st.integers(1, 3))
def test_every_sentence_is_in_one_shard(counts: np.ndarray, arcs: int, times: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "SHARD_ARCS", arcs)
        found, _ = cut(counts, counts.astype(int), lambda i: int(times * counts[i]))
    assert sorted(np.concatenate(found).tolist()) == list(range(len(counts)))
    assert all(np.all(np.diff(shard) > 0) for shard in found)


def test_shards_are_about_equal_and_short_sentences_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(building, "SHARD_ARCS", 10_000)
    rng = np.random.default_rng(0)
    counts, lengths = rng.uniform(1, 50, 2000), rng.integers(1, 30, 2000)
    found, total = cut(counts, lengths, lambda i: int(10 * counts[i]))
    size = [10 * counts[shard].sum() for shard in found]
    assert total == pytest.approx(sum(size), rel=0.02)
    assert min(size) / 10_000 > 0.9 and max(size) / 10_000 < 1.1
    ends = [(lengths[shard].min(), lengths[shard].max()) for shard in found]
    assert all(longest <= shortest for (_, longest), (shortest, _) in pairwise(ends))


def test_a_small_corpus_is_one_shard_and_nothing_is_built_to_know_it() -> None:
    (only,), total = cut(np.ones(5), np.ones(5, int), lambda i: pytest.fail("measured"))
    assert only.tolist() == [0, 1, 2, 3, 4]
    assert total == 0


@pytest.mark.parametrize("order", [1, 2, 3])
def test_path_counts_are_the_tag_ngrams_of_every_place(order: int) -> None:
    symbols = Symbols(word for sentence in CORPUS for word in sentence)
    pairs = tag_pairs(symbols, symbols, DICTIONARY, DICTIONARY.tagset)
    tags = [[len(DICTIONARY.lookup(word)) for word in sentence] for sentence in CORPUS]
    expected = [
        sum(int(np.prod(row[max(0, j - order + 1) : j + 1])) for j in range(len(row)))
        for row in tags
    ]
    assert path_counts(CORPUS, symbols, pairs[0], order).tolist() == expected


@pytest.mark.parametrize("name", ["trans1", "length"])
def test_the_objective_does_not_depend_on_the_cuts(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = contrast_of(name, 3)
    monkeypatch.setattr(building, "SHARD_ARCS", 30)
    parts = contrast_of(name, 3)
    assert len(parts.numerators[0].batches) > len(whole.numerators[0].batches)
    theta = random_theta(whole.features)
    values, gradients = zip(*(term(theta) for term in whole.terms), strict=True)
    others, slopes = zip(*(term(theta) for term in parts.terms), strict=True)
    assert sum(others) == pytest.approx(sum(values), rel=1e-12)
    assert_allclose(sum(slopes), sum(gradients), atol=1e-10)
