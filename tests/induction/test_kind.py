"""What the rest of the house knows of grammar induction is there."""

from __future__ import annotations

from kind_cases import assert_all_is_there

from fstce.induction.kind import KIND


def test_what_the_kind_names_is_there() -> None:
    assert_all_is_there(KIND)
