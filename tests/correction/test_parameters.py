"""What both correctors say of parameters that are out of range."""

from __future__ import annotations

from typing import Any

import pytest

from fstce import Corrector
from fstce.errors import ParameterError

TEXT, TAGS = [["the", "dog"], ["a", "dog"]] * 10, [["D", "N"]] * 20


@pytest.mark.parametrize("share", [1.0, 1, -0.1, float("nan"), "half"])
def test_what_is_held_out_leaves_something_to_train_on(share: Any) -> None:
    with pytest.raises(
        ParameterError, match=f"held_out={share!r}: give a number from 0 to below 1"
    ):
        Corrector(held_out=share).fit(TEXT, TAGS)


@pytest.mark.parametrize("name", ["rate", "threshold", "prune"])
def test_other_shares_may_be_whole(name: str) -> None:
    Corrector(**{name: 1.0})._check_parameters()
    with pytest.raises(ParameterError, match=f"{name}=1.1: give a number from 0 to 1"):
        Corrector(**{name: 1.1}).fit(TEXT)
