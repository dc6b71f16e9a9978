"""How words are spelt: characters under the same n-grams as words, and what is rare teaches them."""

from __future__ import annotations

import pytest
from oracles_correction import KneserNey

from fstce.correction.factors.spelled import SpellingModel

FEW = {"walking": 1, "talking": 5, "walked": 1}


def test_words_are_sequences_of_characters() -> None:
    twin = KneserNey(list(FEW), 3)
    words = ["talked", "walking", "zz", "talked", "w"]
    assert SpellingModel(FEW)(words) == pytest.approx([twin.log_p(list(word)) for word in words])


def test_rare_words_alone_teach_it_where_there_are_a_hundred() -> None:
    rare = {f"ab{i}": 1 for i in range(100)}
    often = {f"zyx{i}": 9 for i in range(100)}
    twin = KneserNey([*rare], 3)
    assert SpellingModel({**often, **rare})(["ab7", "zyx7"]) == pytest.approx(
        [twin.log_p(list("ab7")), twin.log_p(list("zyx7"))]
    )


def test_it_remembers_without_changing_its_mind() -> None:
    model = SpellingModel(FEW)
    first = model(["walked", "new"])
    assert model(["new", "walked"]).tolist() == first[::-1].tolist()
    assert model([]).shape == (0,)
    assert model(["x" * 10_000]).shape == (1,)
