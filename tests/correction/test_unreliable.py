"""Mistakes of raw text do not become known words; a lexicon of few terms does not speak against the rest."""

from __future__ import annotations

from fstce.correction.corrector import Corrector
from fstce.correction.corrector_model import unreliable_words

TEXT = [row.split() for row in ("we came because it rained", "it rained because we came")] * 200
LEXICON = {word: 5 for row in TEXT for word in row} | {"became": 3}


def test_with_a_lexicon_all_that_it_lacks_and_the_text_has_once() -> None:
    counts = {
        "because": 400,
        "becuse": 3,
        "becase": 1,
        "Vinken": 1,
        "Agnew": 2,
        "47th": 1,
        "rained": 1,
    }
    assert unreliable_words(counts, lambda word: word in LEXICON) == {"becase", "Vinken"}


def test_a_lexicon_of_terms_says_nothing_of_other_words() -> None:
    counts = {"because": 40, "rained": 9, "Vinken": 1}
    assert unreliable_words(counts, lambda word: word == "spirochaete") == set()


def test_a_mistake_of_the_text_is_put_right_in_another() -> None:
    raw = [*TEXT, ["we", "came", "becuse", "it", "rained"]]
    corrector = Corrector(criterion="none", held_out=0).fit(raw, lexicon=LEXICON)
    assert not corrector.known("becuse") and corrector.known("became")
    assert corrector.predict([["it", "rained", "becuse", "we", "came"]]) == [TEXT[1]]
