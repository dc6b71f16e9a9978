"""Tags that nothing tells apart: training leaves the saddle at which they are alike."""

from __future__ import annotations

import tracemalloc
import warnings
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from fstce import Tagger
from fstce.errors import CorpusError, DictionaryError

TEXT = [list("abc" * 20), list("xy" * 20)]
FREE = dict.fromkeys("abcxy", ("P", "Q"))
SADDLE = -178.7  # nats: every letter of every sentence as likely under both tags


@pytest.mark.parametrize("start", ["uniform", "random"])
@pytest.mark.parametrize("seed", range(4))
def test_em_does_not_converge_at_the_saddle(start: str, seed: int) -> None:
    tagger = Tagger(criterion="em", order=2, unknown_word_model=False, start=start, seed=seed)
    with pytest.warns(UserWarning, match="the tags P, Q are interchangeable"):
        tagger.fit(TEXT, dictionary=FREE)
    assert tagger.training_.stopped == "converged"
    assert tagger.training_.objective > SADDLE + 10
    assert {tag for tags in tagger.predict(TEXT) for tag in tags} == {"P", "Q"}


def test_one_of_two_seeds_finds_what_tells_the_sentences_apart() -> None:
    tagger = Tagger(criterion="em", order=2, unknown_word_model=False, seed=1)
    with pytest.warns(UserWarning, match="interchangeable"):
        tagger.fit(TEXT, dictionary=FREE)
    assert tagger.training_.objective == pytest.approx(-133.007, abs=1e-3)


def test_iterations_are_those_that_are_allowed() -> None:
    tagger = Tagger(criterion="em", order=2, unknown_word_model=False, max_iterations=7)
    with pytest.warns(UserWarning, match="interchangeable"):
        tagger.fit(TEXT, dictionary=FREE)
    assert len({step.iteration for step in tagger.training_.steps}) <= 7 + 3


@pytest.mark.parametrize(
    "how",
    [
        {"dictionary": {**FREE, "a": "P", "b": "P", "c": "P"}},
        {"dictionary": FREE, "tags": [["P"] * 60, ["Q"] * 40], "criterion": "conditional"},
    ],
)
def test_what_tells_tags_apart_is_no_saddle(how: dict[str, Any]) -> None:
    criterion = how.pop("criterion", "em")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Tagger(criterion=criterion, order=2, unknown_word_model=False).fit(TEXT, **how)


def test_words_and_tags_the_wrong_way_round() -> None:
    words = [[f"w{n}" for n in range(20)]]
    with pytest.raises(CorpusError, match="give the words first, and then their tags"):
        Tagger(criterion="joint").fit([["N", "V"] * 10], words)


@pytest.mark.parametrize(
    ("dictionary", "message"),
    [
        ({"gato": "N", "perro": "N"}, r"the dictionary: lists 0 of 120 words of the text"),
        ({"N": ("dog", "runs", "sleeps"), "D": ("the", "a")}, "the columns look swapped"),
    ],
)
def test_a_dictionary_that_lists_next_to_nothing(dictionary: Any, message: str) -> None:
    text = [["the", "dog", "runs"], ["a", "dog", "sleeps"]] * 20
    with pytest.raises(DictionaryError, match=message):
        Tagger(order=2).fit(text, dictionary=dictionary)
    assert Tagger(order=2, max_iterations=2).fit(text, dictionary={"dog": "N"}).tags_ == ("N",)


THREE = [list("abc" * 20), list("xy" * 20), list("mn" * 15)]
SOME = {**dict.fromkeys("abxy", ("P", "Q")), "c": "N", "m": "N", "n": ("N", "P", "Q")}
PAIRS = {**dict.fromkeys("abc", ("P", "Q")), **dict.fromkeys("xymn", ("R", "S"))}


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize(
    ("dictionary", "groups", "saddle"),
    [
        (dict.fromkeys("abcxymn", tuple("PQR")), "P, Q, R", -270),
        (dict.fromkeys("abcxymn", tuple("PQRS")), "P, Q, R, S", -270),
        (SOME, "P, Q", -252),
        (PAIRS, "P, Q and R, S", -211),
    ],
)
def test_groups_of_tags_are_told_apart(
    dictionary: Any, groups: str, saddle: float, order: int
) -> None:
    tagger = Tagger(criterion="em", order=order, unknown_word_model=False)
    with pytest.warns(UserWarning, match=f"the tags {groups} are interchangeable"):
        tagger.fit(THREE, dictionary=dictionary)
    assert tagger.training_.objective > saddle + 10


def test_labelled_sentences_tell_tags_apart() -> None:
    tagger = Tagger(criterion="em", order=2, unknown_word_model=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tagger.fit(TEXT, dictionary=FREE, labelled=([list("abc")], [list("PPQ")]))


CRITERIA = [
    {"criterion": "em"},
    *({"neighborhood": name} for name in ("trans1", "length", "sub1band", "del1word", "auto")),
]
FLAT = [
    (TEXT, "abcxy"),
    ([list(row) for row in permutations("abc")], "abc"),  # no word differs from another
    ([["a"] * 5] * 4, "a"),
    ([list("ab" * 6), list("ba" * 6)], "ab"),
]


@pytest.mark.parametrize("how", CRITERIA, ids=str)
@pytest.mark.parametrize("start", ["uniform", "random"])
@pytest.mark.parametrize(("text", "words"), FLAT)
def test_no_training_converges_where_the_tags_are_alike(
    how: dict[str, Any], start: str, text: list[list[str]], words: str
) -> None:
    tagger = Tagger(order=2, unknown_word_model=False, start=start, seed=1, **how)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        tagger.fit(text, dictionary=dict.fromkeys(words, ("P", "Q")))
    weight = tagger.weights()
    far = max(abs(weight["word", w, "P"] - weight["word", w, "Q"]) for w in words)
    has_said = any("training leaves the tags P, Q alike" in str(w.message) for w in said)
    assert has_said == (tagger.training_.stopped == "saddle") == (far < 0.01)


@pytest.mark.parametrize("start", ["uniform", "random"])
@pytest.mark.parametrize(("neighborhood", "least"), [("trans1", -70), ("length", -27_100)])
def test_a_rare_word_leads_contrasts_away_from_the_saddle(
    neighborhood: str, least: float, start: str
) -> None:
    """They ended at −3,454 and −37,299 nats, converged."""
    text, anchored = beside_a_saddle(1500)
    tagger = Tagger(neighborhood, order=2, unknown_word_model=False, start=start, seed=1)
    tagger.fit(text, dictionary=anchored)
    assert tagger.training_.objective > least
    assert tagger.predict(text[:-1]) == [["P", "Q"] * 5] * (len(text) - 1)


def beside_a_saddle(size: int) -> tuple[list[list[str]], dict[str, Any]]:
    """Sentences of words by turns of two classes, of which one rare word has one tag alone."""
    chance = np.random.default_rng(3)
    words = [[f"a{n}" for n in range(6)], [f"b{n}" for n in range(6)]]
    text = [[str(chance.choice(words[i % 2])) for i in range(10)] for _ in range(size)]
    return [*text, ["h", "b1"]], {**dict.fromkeys([*words[0], *words[1]], ("P", "Q")), "h": "P"}


def test_a_rare_word_leads_away_from_the_saddle() -> None:
    text, anchored = beside_a_saddle(40)
    tagger = Tagger(criterion="em", order=2, unknown_word_model=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tagger.fit(text, dictionary=anchored)
    assert tagger.predict(text[:-1]) == [["P", "Q"] * 5] * (len(text) - 1)


def test_the_other_members_of_auto_tell_apart_what_one_does_not() -> None:
    """SUB1BAND is left near the saddle; nothing is said of it, for the mean is not."""
    text, anchored = beside_a_saddle(40)
    right = {}
    for name in ("sub1band", "auto"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tagger = Tagger(name, order=2, spelling=name != "auto", unknown_word_model=False)
            tagger.fit(text, dictionary=anchored)
        right[name] = tagger.score(text[:-1], [["P", "Q"] * 5] * (len(text) - 1))
    assert right["sub1band"] < 0.6
    assert right["auto"] == 1


def test_thousands_of_tags_are_not_compared_each_with_each() -> None:
    """A table of 8,000 tags took a gigabyte."""
    n_tags = 8_000
    words = [f"w{number}" for number in range(n_tags)]
    dictionary = {word: (f"T{n}", f"T{n + 1}") for n, word in enumerate(words)}
    tracemalloc.start()
    Tagger("del1word", order=2, max_iterations=1).fit([words[:50]], dictionary=dictionary)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e8
