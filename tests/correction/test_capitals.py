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
    ("observed", "intended"),
    [("Acually", "Actually"), ("strete", "street"), ("Becomming", "Becoming")],
)
def test_capitals_do_not_hide_a_mistake(corrector: Corrector, observed: str, intended: str) -> None:
    assert corrector.predict([["we", observed, "eat"]]) == [["we", intended, "eat"]]


def test_a_text_in_capitals_is_looked_up_in_small_letters(corrector: Corrector) -> None:
    observed, intended = "IT IS ACTUALY THE STRETE", "IT IS ACTUALLY THE STREET"
    assert corrector.predict([observed.split()]) == [intended.split()]


def test_accents_that_were_not_observed_come_back() -> None:
    text = [
        row.split() for row in ("się czyta książkę", "mój brat czyta", "to nie jest mój dom")
    ] * 40
    corrector = Corrector(criterion="none").fit(text)
    assert corrector.predict([["sie", "czyta", "ksiazke"], ["Moj", "dom"], ["KSIAZKE"]]) == [
        ["się", "czyta", "książkę"],
        ["Mój", "dom"],
        ["KSIĄŻKĘ"],
    ]
    exponents = corrector.exponents_
    assert 0 < exponents["accents"] < exponents["edited"] + exponents["channel"]
    off = Corrector(criterion="none", exponents={"accents": 0.0}).fit(text)
    assert off.predict([["ksiazke", "czyta"]]) == [["ksiazke", "czyta"]]


def test_a_text_without_accents_has_no_factor_of_them() -> None:
    corrector = Corrector().fit(TEXT * 4, lexicon=LEXICON | {"café": 3, "thé": 9})
    assert corrector.tuning_ is not None and corrector.exponents_["accents"] == 0
    candidates = corrector.neighborhood().candidates.of(["the"])["the"]
    assert ("thé", 1.0, 9) in candidates


def test_a_name_in_camel_case_stays() -> None:
    text = [["the", "Space", "is", "far", "away"]] * 40
    assert Corrector(criterion="none").fit(text).predict([["SpaceX", "is", "far"]]) == [
        ["SpaceX", "is", "far"]
    ]


def test_a_word_that_the_lexicon_has_often_is_no_mistake() -> None:
    """`The quick brown fox` was taken for `for`."""
    text = [["this", "is", "for", "the", "dog"]] * 60
    lexicon = {"fox": 300, "for": 90_000, "the": 99_000, "foz": 0}
    corrector = Corrector(criterion="none").fit(text, lexicon=lexicon)
    assert corrector.predict([["this", "is", "fox", "the", "dog"]])[0][2] == "fox"
    assert corrector.predict([["this", "is", "fpr", "the", "dog"]])[0][2] == "for"


def test_a_word_of_the_text_in_other_capitals_is_no_word_of_the_lexicon_alone() -> None:
    """`WARNIG` was taken for `WARING`, though the text has `warning`."""
    text = [
        row.split() for row in ("a warning was given", "the floor is wet", "he saw a sign")
    ] * 60
    lexicon = {"warning": 43_000, "waring": 223, "the": 90_000_000, "warring": 300}
    corrector = Corrector(criterion="none").fit(text, lexicon=lexicon)
    assert corrector.predict([["A", "WARNIG", "was", "given"]]) == [
        ["A", "WARNING", "was", "given"]
    ]


def test_an_abbreviation_is_no_known_word_in_capitals() -> None:
    """`the AMN complex` was taken for `the AN complex`: what is known cost nothing for its capitals."""
    rows = (
        "the old cat sat on an old mat",
        "an old hat is on the cat",
        "we saw that he was in the old house",
    )
    text = [row.split() for row in (*rows, "it is an old song", "NATO is old")] * 20
    corrector = Corrector(criterion="none", held_out=0).fit([*text, ["THE", "OLD", "SONG"]])
    kept = [row.split() for row in ("we saw AMN in the house", "he saw the AMN house", "μ is old")]
    assert corrector.predict(kept) == kept
    observed = [row.split() for row in ("THE OLD SNOG", "the NTO is old")]
    intended = [row.split() for row in ("THE OLD SONG", "the NATO is old")]
    assert corrector.predict(observed) == intended


def test_words_that_a_list_is_given_later_are_heard(corrector: Corrector) -> None:
    mine = ["stret"]
    own = Corrector(criterion="none", user_dictionary=mine).fit(TEXT, lexicon=LEXICON)
    assert own.predict([["the", "stret", "streeet"]]) == [["the", "stret", "street"]]
    mine.append("streeet")
    assert own.predict([["the", "stret", "streeet"]]) == [["the", "stret", "streeet"]]


def test_words_of_a_user_are_known_and_corrected_to() -> None:
    own = Corrector(criterion="none", user_dictionary=("Quokka",)).fit(TEXT, lexicon=LEXICON)
    assert (
        own.known("Quokka") and own.predict([["the", "quokkka", "eat"]])[0][1].lower() == "quokka"
    )
    without = Corrector(criterion="none").fit(TEXT, lexicon=LEXICON)
    assert not without.known("Quokka")
    kept = Corrector(criterion="none", user_dictionary=("stret",)).fit(TEXT, lexicon=LEXICON)
    assert kept.predict([["the", "Stret"]]) == [["the", "Stret"]]


@pytest.mark.parametrize("lowered", [False, True])
def test_a_word_in_capitals_is_corrected_among_others(lowered: bool) -> None:
    """Of a text without words in capitals their share was next to nothing, so that such words stayed."""
    rows = ("We receive the old letter", "the letters came from Paris", "They receive it at home")
    text = [row.split() for row in rows for _ in range(30)]
    if lowered:
        text = [[word.lower() for word in row] for row in text]
    lexicon = {"receive": 50, "letter": 90, "home": 80, "Paris": 10, "pairs": 70}
    corrector = Corrector(held_out=0).fit(text, lexicon=lexicon)
    observed = ["we RECIEVE the letter", "WE RECIEVE THE LETER", "RECIEVE", "They went to PARIS"]
    intended = ["we RECEIVE the letter", "WE RECEIVE THE LETTER", "RECEIVE", "They went to PARIS"]
    assert [" ".join(row) for row in corrector.predict(map(str.split, observed))] == intended
