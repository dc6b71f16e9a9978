"""Checks of single options."""

import math

import pytest

from fstce.cli.options import relative_change, variance
from fstce.errors import ParameterError


@pytest.mark.parametrize(("text", "value"), [("1", 1.0), ("1e-3", 0.001), ("none", None), (" None ", None)])
def test_variances(text, value):
    assert variance(text) == value


@pytest.mark.parametrize("text", ["0", "-1", "nan", "-inf", "x", ""])
def test_no_variances(text):
    with pytest.raises(ParameterError, match=r"--sigma2 .*above 0, or none"):
        variance(text)


def test_tolerances():
    assert relative_change(0.0) == 0.0
    for value in (-1e-9, math.nan):
        with pytest.raises(ParameterError, match=r"--tolerance .* at least 0"):
            relative_change(value)
