"""What two words written as one, or one as two, may be; and how contractions are written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.correction.factors.respacing import Respacing, never, written
from fstce.correction.mistakes.corruption import corrupted, respaced

TEXT = {
    **{
        "a": 90,
        "lot": 5,
        "always": 9,
        "do": 30,
        "n't": 20,
        "the": 99,
        "cat": 4,
        "I": 50,
        "'s": 30,
        "it": 40,
    },
    **{
        "its": 9,
        "in": 40,
        "to": 60,
        "into": 9,
        "well-known": 2,
        "Paris": 3,
        "College": 9,
        "college": 2,
    },
}
BESIDE = {("a", "lot"), ("do", "n't"), ("it", "'s"), ("in", "to")}


def found(*observed: str, **lexicon: int) -> list[str]:
    names = {word.replace("_", "'"): count for word, count in lexicon.items()}
    respacing = Respacing(TEXT, names, lambda a, b: (a, b) in BESIDE, ["catlot"])
    rows = respacing.apart(*observed) if len(observed) == 1 else respacing.joined(*observed)
    return ["|".join(row) for row in rows]


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        (["alot"], ["a|lot"]),
        (["Alot"], ["A|lot"]),
        (["ALOT"], ["A|LOT"]),
        (["thecat"], ["the|cat"]),
        (["dont"], ["do|n't"]),
        (["Its"], ["It|'s"]),
        (["into"], ["in|to"]),  # known, and the text has them side by side
        (["al", "ways"], ["always"]),
        (["Al", "ways"], ["Always"]),
        (["AL", "WAYS"], ["ALWAYS"]),
        (["well", "known"], ["well-known"]),
        (["co", "llege"], ["college"]),
        (["pa", "ris"], ["Paris"]),
        (["always"], []),
        (["catlot"], []),  # to be left alone
        (["in", "Paris"], []),
        (["al", "Ways"], []),  # a name begins
        (["7", "th"], []),
        (["x7"], []),
    ],
)
def test_what_words_may_be(observed: list[str], expected: list[str]) -> None:
    assert found(*observed) == expected


def test_what_text_and_lexicon_have_is_found_once() -> None:
    both = Respacing({"she's": 2, "she": 4}, {"she's": 900, "she": 9}, never)
    assert both.apart("shes") == [("she's",)]


WORDS = st.sampled_from(
    ["the", "cat", "do", "n't", "don't", ",", "it", "'s", "Paris", "7", "o'clock"]
)


@given(st.lists(WORDS, min_size=1, max_size=6), st.integers(0, 99))
def test_what_is_observed_has_the_letters_of_what_was_intended(words: list[str], seed: int) -> None:
    [one] = corrupted([words], respaced(), seed, 0.8)
    assert one.true == words
    letters = [
        "".join(c for row in side for c in row if c not in "'") for side in (one.true, one.observed)
    ]
    assert letters[0] == letters[1]
    assert "" not in one.observed


@given(st.lists(st.sampled_from(["the", "cat", "do", "n't", "’s", "l'"]), min_size=1, max_size=5))
def test_contractions_are_written_together(words: list[str]) -> None:
    text = written(words)
    assert text.replace(" ", "") == "".join(words)
    assert " n't" not in text and "l' " not in text


def test_a_known_word_lacks_no_apostrophe() -> None:
    text = {"Editor's": 3, "editor": 9, "she'll": 2}
    assert Respacing(text, {"shell": 5}).apart("shell") == []
    assert Respacing({**text, "editors": 1}, {}).apart("editors") == []
    assert Respacing(text, {}).apart("shell") == [("she'll",)]


def test_many_words_with_an_apostrophe_at_an_edge_take_no_longer_each() -> None:
    """Fiction cut at white space has thousands of them; each was looked for in a list of the others."""
    letters = [
        a + b + c + d
        for a in "abcdefghij"
        for b in "klmnopqrst"
        for c in "uvwxyz"
        for d in "abcdefghij"
    ]
    text = {word: 1 for stem in letters for word in (f"'{stem}", f"{stem}'")}
    began = time.process_time()
    pieces = Respacing(text, {}, never, ())._endings
    assert time.process_time() - began < 0.5
    assert len(pieces) == len(letters)
