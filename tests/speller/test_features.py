"""Features of edits: the shortest scripts, what letters have in common, and where they stand."""

from __future__ import annotations

import pytest

from fstce.speller.features import base, features, scripts


@pytest.mark.parametrize(
    ("observed", "intended", "edits", "ways"),
    [
        ("teh", "the", 1, 1),
        ("comit", "commit", 1, 2),
        ("fonetik", "phonetic", 0, 0),
        ("nite", "night", 0, 0),
        ("fone", "phone", 2, 2),
    ],
)
def test_scripts_are_the_shortest(observed: str, intended: str, edits: int, ways: int) -> None:
    rows = scripts(observed, intended)
    assert len(rows) == ways
    assert all(len(row) == edits for row in rows)


def test_features_say_place_class_and_strings() -> None:
    [[script]] = [scripts("gaskoe", "gaskoeh")]
    assert {"deletion", "deletion end", ">h end", "context e>eh"} <= set(
        features("gaskoe", "gaskoeh", script)
    )
    names = [features("fone", "phone", script) for script in scripts("fone", "phone")]
    assert all("string f>ph" in row and "two" in row for row in names)


def test_letters_have_a_base_by_their_names() -> None:
    assert [base(letter) for letter in "Åøđ7"] == ["a", "o", "d", "7"]
