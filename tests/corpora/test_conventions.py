"""What conventions say of words."""

from __future__ import annotations

import pytest

from fstce.corpora.conventions import Conventions
from fstce.corpora.running_text import tokenize
from fstce.errors import ParameterError

FRENCH = Conventions(
    "ud", ("l'", "d'", "qu'", "amin'"), ("-il", "-t-il"), ("aujourd'hui", "d'abord"), hyphens=True
)


@pytest.mark.parametrize("data", [{"name": 3}, {"foo": "x"}, {"beginnings": "l'"}, {"whole": [1]}])
def test_damaged_conventions_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match="conventions"):
        Conventions.from_dict(data)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("L'a-t-il dit d'abord?", "L'|a|-t-il|dit|d'abord|?"),
        ("Qu’il aille aujourd’hui", "Qu’|il|aille|aujourd’hui"),
        ("d'l'eau, amin' ny", "d'|l'|eau|,|amin'|ny"),
        ("Jean-Claude", "Jean-Claude"),
    ],
)
def test_beginnings_and_endings_are_cut_as_the_conventions_say(line: str, expected: str) -> None:
    assert [token.text for token in tokenize(line, conventions=FRENCH)] == expected.split("|")


def test_a_hyphen_stands_alone_where_the_conventions_say_so() -> None:
    found = tokenize(
        "a state-of-the-art e-mail -", conventions=Conventions(hyphens=False, whole=("e-mail",))
    )
    assert [token.text for token in found] == [
        "a",
        "state",
        "-",
        "of",
        "-",
        "the",
        "-",
        "art",
        "e-mail",
        "-",
    ]
