"""Signatures by example, negative cases first."""

from __future__ import annotations

import pytest

from fstce.corpora.signatures import signature

KNOWN = {"the", "ed"}.__contains__


@pytest.mark.parametrize(
    ("word", "first", "expected"),
    [
        ("", False, "UNK"),
        ("%", False, "UNK"),
        ("漢字", False, "UNK"),
        ("ing", False, "UNK-LC"),
        ("boss", False, "UNK-LC"),
        ("analysis", False, "UNK-LC"),
        ("virus", False, "UNK-LC"),
        ("as", False, "UNK-LC"),
        ("red", False, "UNK-LC"),
        ("The", False, "UNK-CAPS"),
        ("The", True, "UNK-INITC-KNOWNLC"),
        ("Ann", True, "UNK-INITC"),
        ("IBM", True, "UNK-CAPS"),
        ("McDonald", True, "UNK-CAPS"),
        ("'N", False, "UNK-CAPS"),
        ("3M", False, "UNK-CAPS-NUM"),
        ("F-16s", False, "UNK-CAPS-NUM-DASH-s"),
        ("80s", False, "UNK-LC-NUM-s"),
        ("1,000", False, "UNK-NUM"),
        ("--", False, "UNK-DASH"),
        ("well-liked", False, "UNK-LC-DASH"),
        ("Walked", True, "UNK-INITC-ed"),
        ("running", False, "UNK-LC-ing"),
        ("nation", False, "UNK-LC-ion"),
        ("worker", False, "UNK-LC-er"),
        ("fastest", False, "UNK-LC-est"),
        ("quickly", False, "UNK-LC-ly"),
        ("ability", False, "UNK-LC-ity"),
        ("happy", False, "UNK-LC-y"),
        ("formal", False, "UNK-LC-al"),
        ("dogs", False, "UNK-LC-s"),
        ("Élysée", False, "UNK-CAPS"),
        ("ǅ", True, "UNK-INITC"),
    ],
)
def test_signature(word: str, first: bool, expected: str) -> None:
    assert signature(word, first, KNOWN) == expected
