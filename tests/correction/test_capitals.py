"""Capitals, digits and accents: what today's users saw changed that nobody had mistyped."""

from __future__ import annotations

import pytest

from fstce.correction.corrector import Corrector

TEXT = [
    row.split()
    for row in (
        "it is actually the cafes that I like",
        "If we go to the 7th street we do not eat",
        "they came from N.J. to eat in cafes",
        "I actually do like the street",
    )
] * 8
LEXICON = {word.lower(): 9 for row in TEXT for word in row} | {"donot": 2, "becoming": 5}


@pytest.fixture(scope="module")
def corrector() -> Corrector:
    return Corrector(criterion="none").fit(TEXT, lexicon=LEXICON)


@pytest.mark.parametrize(
    "word",
    [
        "Actually",
        "IF",
        "DON’T",
        "DON'T",
        "47th",
        "N.Y.",
        "cafés",
        "THE",
        "N'T",
        "'s",
        "Street-eat",
        "aCtually",
    ],
)
def test_what_is_right_stays(corrector: Corrector, word: str) -> None:
    rows = [["we", word, "go"], [word, "we", "go"], [word]]
    assert corrector.predict(rows) == rows


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("Acually", "Actually"), ("strete", "street"), ("Becomming", "Becoming")],
)
def test_capitals_do_not_hide_a_mistake(corrector: Corrector, typed: str, meant: str) -> None:
    assert corrector.predict([["we", typed, "eat"]]) == [["we", meant, "eat"]]


def test_a_text_in_capitals_is_looked_up_in_small_letters(corrector: Corrector) -> None:
    typed, meant = "IT IS ACTUALY THE STRETE", "IT IS ACTUALLY THE STREET"
    assert corrector.predict([typed.split()]) == [meant.split()]
