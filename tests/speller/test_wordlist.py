"""Word lists against dictionaries, and the words near others against the least cost of each pair."""

from __future__ import annotations

import math
import pickle
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import edit_cost

from fstce.correction.factors.respacing import written_in
from fstce.speller import nearby
from fstce.speller.channel import Channel
from fstce.speller.nearby import near
from fstce.speller.wordlist import NAMES, WordList, word_list

WORD = st.text("abeéè", min_size=1, max_size=5)
COUNTS = st.dictionaries(WORD, st.integers(0, 9), max_size=25)
QUERIES = st.lists(st.text("abeéx", min_size=1, max_size=5), max_size=4)
TABLE = Channel(1.0, 1.5, 2.0, 0.75)


@given(COUNTS, st.lists(st.text("abcéx", max_size=5), max_size=9))
def test_a_list_is_the_mapping_that_it_is_made_of(
    counts: dict[str, int], others: list[str]
) -> None:
    words = word_list(counts)
    assert dict(words) == counts and list(words) == sorted(counts) and len(words) == len(counts)
    assert words.total == sum(counts.values())
    for word in others:
        assert words.get(word) == counts.get(word) and (word in words) == (word in counts)


@given(COUNTS)
def test_no_smaller_automaton_has_the_words(counts: dict[str, int]) -> None:
    prefixes = {word[:i] for word in counts for i in range(len(word) + 1)} or {""}
    ends = {frozenset(word[len(p) :] for word in counts if word.startswith(p)) for p in prefixes}
    assert len(word_list(counts).final) == (len(ends) if counts else 0)


@pytest.mark.parametrize("channel", [Channel(), TABLE], ids=["distances", "costs"])
@pytest.mark.parametrize("accents", [False, True])
@given(
    counts=COUNTS,
    asked=st.lists(
        st.tuples(st.text("abeéx", min_size=1, max_size=5), st.integers(1, 3)), max_size=4
    ),
)
def test_what_is_near_is_what_k_edits_reach(
    accents: bool, channel: Channel, counts: dict[str, int], asked: list[tuple[str, int]]
) -> None:
    words = word_list(counts)
    query, number, cost = near(
        words, [observed for observed, _ in asked], [k for _, k in asked], channel, accents
    )
    listed = sorted(counts)
    found = {
        (i, listed[j]): c
        for i, j, c in zip(query.tolist(), number.tolist(), cost.tolist(), strict=True)
    }
    wanted = {
        (i, word): value
        for i, (observed, k) in enumerate(asked)
        for word in listed
        if (value := edit_cost(observed, word, k, True, channel, accents)) < math.inf
    }
    assert found.keys() == wanted.keys()
    assert all(found[pair] == pytest.approx(value) for pair, value in wanted.items())


def test_accents_that_are_missing_are_no_edits() -> None:
    words = word_list({"książkę": 3, "się": 9, "sie": 1, "Łódź": 2})
    asked = ["ksiazke", "sie", "Lodz", "ksiazka", "się"]
    query, number, cost = near(words, asked, [1] * 5, Channel(), accents=True)
    assert list(zip(query.tolist(), words.words(number), cost.tolist(), strict=True)) == [
        (0, "książkę", 0.0),
        (1, "sie", 0.0),
        (1, "się", 0.0),
        (2, "Łódź", 0.0),
        (3, "książkę", 1.0),
        (4, "sie", 1.0),
        (4, "się", 0.0),
    ]
    assert not len(near(words, asked[:1], [1], Channel())[0])


def test_an_edit_is_no_missing_accent_where_edits_cost_nothing() -> None:
    _, _, cost = near(word_list({"the": 1}), ["teh"], [1], Channel(0.0, 0.0, 0.0, 0.0))
    assert 0 < cost < 1e-5


def test_a_list_is_saved_as_it_is_and_told_from_nonsense() -> None:
    words = word_list({"the": 9, "ten": 2, "tents": 1})
    assert dict(pickle.loads(pickle.dumps(words))) == dict(words)
    assert dict(WordList(words.arrays)) == dict(words)
    assert len(word_list({})) == 0 and not list(word_list({})) and word_list({}).get("a") is None
    for name in NAMES[1:-1]:
        with pytest.raises((ValueError, IndexError)):
            WordList({**words.arrays, name: np.append(words.arrays[name], 99)})


def test_how_a_word_is_written() -> None:
    words = word_list({"Paris": 1, "NATO": 2, "the": 3})
    assert [written_in(words, word) for word in ("paris", "nato", "the", "a")] == [
        "Paris",
        "NATO",
        "the",
        None,
    ]


def _none(array: np.ndarray) -> np.ndarray:
    return np.zeros_like(array)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *((name, _none) for name in ("final", "label", "letters")),
        *((name, lambda array: array[::-1].copy()) for name in ("final", "letters")),
        ("final", lambda array: np.full_like(array, 120)),
        ("label", lambda array: array.astype(np.float64)),
        ("counts", lambda array: array[:0]),
        ("counts", lambda array: array[:1].repeat(3)),
        ("counts", lambda array: -array),
    ],
)
def test_arrays_of_no_list_are_refused(
    name: str, change: Callable[[np.ndarray], np.ndarray]
) -> None:
    """Listing the words of some of them never ended."""
    arrays = word_list({"zebra": 3, "cats": 1}).arrays
    WordList(arrays)
    with pytest.raises(ValueError):
        WordList({**arrays, name: change(arrays[name])})


def test_a_large_alphabet_needs_no_table_of_its_letters() -> None:
    """Of Chinese it took gigabytes for each call; the words are found in parts, too."""
    letters = [chr(0x4E00 + i) for i in range(5000)]
    words = word_list({"".join(letters[i + j] for j in range(3)): 1 for i in range(0, 4900, 7)})
    queries = [letters[i] + letters[i + 1] for i in range(0, 4900, 7)]
    tracemalloc.start()
    query, number, cost = near(words, queries, [1] * len(queries), Channel())
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()
    assert query.tolist() == list(range(len(queries))) and set(cost.tolist()) == {1.0}
    assert [words.words(number[i : i + 1])[0][:2] for i in range(len(queries))] == queries


def test_queries_in_parts_are_answered_as_together(monkeypatch: pytest.MonkeyPatch) -> None:
    words = word_list({"the": 3, "then": 2, "cat": 1, "hat": 1})
    asked, k = ["teh", "ct", "", "hhat", "then", "x"], [1, 2, 1, 1, 1, 1]
    whole = near(words, asked, k, Channel())
    monkeypatch.setattr(nearby, "TOGETHER", 2)
    for parts, together in zip(near(words, asked, k, Channel()), whole, strict=True):
        assert parts.tolist() == together.tolist() and len(together) > 4
    assert not len(near(words, [], [], Channel())[0])
