"""Schedules in and out of range."""

from __future__ import annotations

import pytest

from fstce.errors import ParameterError
from fstce.latent.training.estimates import Schedule


@pytest.mark.parametrize(
    "wrong",
    [
        {"cycles": -1},
        {"cycles": 1.5},
        {"cycles": True},
        {"merged": 1.1},
        {"merged": "half"},
        {"rule_smoothing": -0.1},
        {"lexicon_smoothing": 2},
        {"noise": 0},
        {"noise": float("nan")},
        {"split_iterations": -2},
        {"smooth_iterations": None},
    ],
)
def test_out_of_range(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Schedule(**wrong)


def test_the_ends_of_ranges() -> None:
    assert Schedule(cycles=0, merged=0, rule_smoothing=1, lexicon_smoothing=0.0).cycles == 0
