"""Batches, and what is tried with a sentence that has no parse."""

from __future__ import annotations

import numpy as np
import oracles_charts as brute
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.parsing import coarse_to_fine
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser, Job, in_batches


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


@pytest.mark.parametrize("may_be_whole", [True, False])
@pytest.mark.parametrize(
    ("none_below", "outcome"),
    [(0.01, "retried"), (1e-4, "retried"), (0.0, "retried"), (-1.0, "flat")],
)
def test_less_pruning_comes_first_then_none_then_the_coarse_grammar(
    none_below: float, outcome: str, may_be_whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence of too many rule instances is never without pruning."""
    if not may_be_whole:
        monkeypatch.setattr(coarse_to_fine, "UNPRUNED", 0)
    tried: list[tuple[float, float, bool]] = []

    class Watched(CoarseToFineParser):
        def search(self, jobs, pruning, coarse=False, through=False):
            tried.append((*pruning, coarse))
            found = super().search(jobs, pruning, coarse, through)
            if pruning.symbols > none_below or coarse:
                found.forest.root[:] = -1
            return found

    one = Watched(
        [brute.tiny_hierarchy(np.random.default_rng(0))], coarse_threshold=0.01, edge_threshold=1e-5
    )
    one.trees([Job(1, list("abc"))])
    fine = [(1e-4, 0.0, False), (0.0, 0.0, False)]
    ladder = [
        (0.01, 1e-5, False),
        (1e-3, 1e-6, False),
        *fine,
        *((*step[:2], True) for step in fine),
    ]
    ladder = [step for step in ladder if step[0] or may_be_whole]
    n = {0.01: 1, 1e-4: 3}.get(none_below, 4 if none_below == 0.0 and may_be_whole else len(ladder))
    assert tried == [pytest.approx(step) for step in ladder[:n]]
    if none_below == 0.0 and not may_be_whole:
        outcome = "flat"
    assert getattr(one.report, outcome) == ([] if n == 1 else [1])


def test_what_fails_is_in_the_report_by_its_number() -> None:
    one = of_tiny(0.9)
    found = one.trees([Job(7, list("abcab")), Job(9, ["a"])])
    assert [tree.leaves() for tree in found] == [tuple("abcab"), ("a",)]
    assert 7 in one.report.retried and not one.report.flat
