"""Unknown words that are made of known ones: endings, openings and compounds, learned by EM."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_correction import derived_log_p

from fstce.correction.corrector import Corrector
from fstce.correction.factors.spelled import CASES, DerivedWords, SpellingModel

STEMS = [
    "rain",
    "sea",
    "coat",
    "fish",
    "star",
    "light",
    "walk",
    "jump",
    "play",
    "moon",
    "bow",
    "horse",
]
COMPOUNDS = [a + b for a in STEMS for b in STEMS if a != b]
WORDS = [
    *COMPOUNDS[:60],
    *(f"{stem}ing" for stem in STEMS),
    *(f"un{stem}" for stem in STEMS[:5]),
    "zebra",
    "Walks",
]


def model(characters: float = -20.0) -> DerivedWords:
    return DerivedWords(WORDS, np.full(len(WORDS), characters), STEMS)


@given(
    st.lists(st.sampled_from([*STEMS, "ing", "un", "s", "x"]), min_size=1, max_size=4),
    st.booleans(),
)
def test_a_word_is_the_sum_over_all_ways_to_cut_it(pieces: list[str], capital: bool) -> None:
    word, made = "".join(pieces), model()
    word = word.capitalize() if capital else word
    parts = {key: float(made._mass[number]) for key, number in made._number.items()}
    case = float(made._case[1 if capital else 0])
    assert made([word])[0] == pytest.approx(derived_log_p(word, set(STEMS), parts, case))


def test_what_many_words_have_in_common_is_learnt() -> None:
    made = model()
    assert {part for _, part in made._number} >= {"", "ing", "un"} and (0, "s") not in made._number
    assert 0.9 < made.share < 1 and made._case.sum() == pytest.approx(1)
    assert model(characters=-1.0).share < 0.1  # what characters tell well needs no stems
    assert CASES[int(np.argmax(made._case))] == ""


def test_nothing_is_made_of_nothing() -> None:
    assert DerivedWords(WORDS, np.zeros(len(WORDS)), []).share == 0
    assert DerivedWords([], np.zeros(0), STEMS)(["raining"])[0] == -np.inf
    assert model()([]).shape == (0,)
    assert model()(["x" * 10_000])[0] == -np.inf


def test_a_compound_is_spelt_better_than_its_characters_tell() -> None:
    counts = {**dict.fromkeys(COMPOUNDS[:110], 1), **dict.fromkeys(STEMS, 5)}
    alone, with_stems = SpellingModel(counts), SpellingModel(counts, STEMS)
    new = COMPOUNDS[120]
    assert with_stems([new])[0] > alone([new])[0] + 1
    assert with_stems(["xyz"])[0] == pytest.approx(alone(["xyz"])[0], abs=5)


def test_an_unknown_compound_is_not_taken_apart() -> None:
    rows = [
        ["the", word, "and", "a", STEMS[i % 12], "on", "the", STEMS[i % 7]]
        for i, word in enumerate(COMPOUNDS[:120])
    ]
    exponents = {"unknown": 6.0, "spelling": 0.7, "spaces": 6.5}
    corrector = Corrector(criterion="none", held_out=0, exponents=exponents).fit(rows)
    for new in COMPOUNDS[122:126]:
        assert corrector.predict([["the", new, "and", "a", "coat"]])[0][1] == new
