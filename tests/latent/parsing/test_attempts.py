"""Batches, and what is tried with a sentence that has no parse."""

from __future__ import annotations

import warnings

import numpy as np
import oracles_charts as brute
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.parsing import coarse_to_fine
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser, ParseWarning, in_batches


def of_tiny(threshold: float = 1e-4) -> CoarseToFineParser:
    hierarchy = brute.tiny_hierarchy(np.random.default_rng(0))
    return CoarseToFineParser([hierarchy], coarse_threshold=threshold, edge_threshold=1e-5)


@given(st.lists(st.integers(1, 250), max_size=60))
def test_batches_hold_every_sentence_once_and_no_more_than_they_may(lengths: list[int]) -> None:
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    found = in_batches(order, lengths)
    assert [at for batch in found for at in batch] == order
    efforts = [sum(lengths[at] ** 2 for at in batch) for batch in found]
    limit = coarse_to_fine._EFFORT
    assert all(
        effort <= limit or len(batch) == 1 for effort, batch in zip(efforts, found, strict=True)
    )
    follows = zip(efforts, found[1:], strict=False)
    assert all(effort + lengths[batch[0]] ** 2 > limit for effort, batch in follows)


@pytest.mark.parametrize(
    ("none_below", "outcome"), [(1.0, ""), (0.005, "retried"), (5e-4, "retried"), (0.0, "flat")]
)
def test_less_pruning_comes_first_then_a_flat_tree(none_below: float, outcome: str) -> None:
    tried: list[tuple[float, float]] = []

    class Watched(CoarseToFineParser):
        def trees(self, sentences, symbols, edges):
            tried.append((symbols, edges))
            found = super().trees(sentences, symbols, edges)
            return found if symbols < none_below else [None]

    one = Watched(
        [brute.tiny_hierarchy(np.random.default_rng(0))], coarse_threshold=0.01, edge_threshold=1e-5
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParseWarning)
        (found,) = one.parse_all([list("abc")])
    ladder = [(0.01, 1e-5), (1e-3, 1e-6), (1e-4, 0.0)]
    n = {1.0: 1, 0.005: 2}.get(none_below, 3)
    assert tried == [pytest.approx(step) for step in ladder[:n]] and found.leaves() == tuple("abc")
    for name in ("retried", "flat", "long"):
        assert getattr(one.report, name) == ([1] if name == outcome else [])


def test_what_fails_is_in_the_report_by_its_number() -> None:
    one = of_tiny(0.5)
    found = one.parse_all([["a"], list("abcab")])
    assert [tree.leaves() for tree in found] == [("a",), tuple("abcab")]
    assert one.report.retried == [2] and not one.report.flat
