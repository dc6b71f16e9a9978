"""What the parameters may be: others are named when they are used, with what to give."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fstce import Speller
from fstce.errors import ParameterError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"candidates": 0}, "candidates=0: give a whole number from 1"),
        ({"penalty": -1.0}, "penalty=-1.0: give a number from 0"),
        ({"penalty": "x"}, "penalty='x': give a number from 0"),
    ],
)
def test_a_wrong_value_is_named(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        Speller(**parameters).fit([("teh", "the")], lexicon={"the": 1})
