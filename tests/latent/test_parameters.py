"""What the parameters may be: others are named when they are used, with what to give."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fstce import LatentGrammar
from fstce.corpora import parse_tree
from fstce.errors import ParameterError


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"cycles": -1}, "cycles=-1: give a whole number from 0"),
        ({"rule_smoothing": 1.5}, "rule_smoothing=1.5: give a number from 0 to 1"),
        ({"max_length": 0}, "max_length=0: give a whole number from 1"),
    ],
)
def test_a_wrong_value_is_named(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        LatentGrammar(**parameters).fit([parse_tree("(S (N a) (V b))")])
