"""What the parameters may be: others are named when they are used, with what to give."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fstce import DependencyParser
from fstce.errors import ParameterError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"criterion": "emm"}, "did you mean 'em'"),
        ({"sigma2": 0}, "sigma2=0: give a number above 0"),
        ({"smoothing": -0.1}, "smoothing=-0.1"),
        ({"restarts": 0}, "restarts=0"),
    ],
)
def test_a_wrong_value_is_named(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        DependencyParser(**parameters).fit([["N", "V"]])
