"""Candidates against the machine that defines them, and against brute force."""

from __future__ import annotations

import math
import pickle
import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_edits import candidate_machine, edit_cost

from fstce.corpora import sample
from fstce.corpora.casing import capitalized, capitals
from fstce.corpora.vocabulary import Vocabulary
from fstce.correction.mistakes import candidates as module
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.misspellings import LearnedChannel
from fstce.speller.channel import Channel
from fstce.speller.error_model import ErrorModel
from fstce.speller.nearby import near
from fstce.speller.wordlist import word_list
from fstce.transducers.spell import Spellings

WORD = st.text("abcABé1-", min_size=1, max_size=5)
VOCABULARY = st.dictionaries(WORD, st.integers(0, 3), min_size=1, max_size=25)
SPELT = "[abcABé]+(-[abcABé]+)*"
TABLE = Channel(1.0, 1.5, 2.0, 0.75)


def brute(
    vocabulary: dict[str, int], word: str, k: int, limit: int, channel: Channel
) -> list[tuple[str, float, int]]:
    """All words within k edits of each form of the word, its capitals put on, the best first."""
    forms = [(word, "")]
    # Hardly a word that is misspelt, or a name such as SpaceX.
    if (len(word) <= 2 and word != word.lower()) or re.search("[abcé][AB]", word):
        return [(word, 0.0, vocabulary.get(word, 0))]
    if capitals(word):
        forms.append((word.lower(), capitals(word)))
    frequency = max(vocabulary.get(form, 0) for form, _ in forms)
    best: dict[str, tuple[float, int]] = {}
    for form, how in forms:
        for other, count in vocabulary.items():
            cost = edit_cost(form, other, k, True, channel)
            if math.isinf(cost) or not re.fullmatch(SPELT, other) or not re.fullmatch(SPELT, word):
                continue
            least, most = best.get(capitalized(other, how), (math.inf, 0))
            best[capitalized(other, how)] = min(least, cost), max(most, count)
    best.pop(word, None)
    best = {other: row for other, row in best.items() if other.lower() != word.lower()}
    ranked = sorted(best.items(), key=lambda row: (-row[1][1], row[1][0], row[0]))
    return [(word, 0.0, frequency), *((other, *row) for other, row in ranked)][:limit]


@pytest.mark.parametrize("channel", [Channel(), TABLE], ids=["distances", "costs"])
@pytest.mark.parametrize("k", [1, 2])
@given(vocabulary=VOCABULARY, words=st.lists(WORD, min_size=1, max_size=5), limit=st.integers(1, 8))
def test_they_equal_the_definition(
    k: int, channel: Channel, vocabulary: dict[str, int], words: list[str], limit: int
) -> None:
    found = Candidates(vocabulary, k, limit=limit, channel=channel).of(words)
    assert found.keys() == set(words)
    for word in words:
        expected = brute(vocabulary, word, k, limit, channel)
        assert [(w, n) for w, _, n in found[word]] == [(w, n) for w, _, n in expected]
        assert [cost for _, cost, _ in found[word]] == pytest.approx(
            [cost for _, cost, _ in expected]
        )


def test_they_equal_the_composition_of_machines() -> None:
    vocabulary = Counter(word for sentence in sample() for word in sentence.words)
    choose = random.Random(5)
    words = choose.sample([word for word in sorted(vocabulary) if word == word.lower()], 12)
    observed = [word[:1] + choose.choice("abet") + word[2:] for word in words]
    for k, channel in ((1, Channel()), (2, TABLE), (1, TABLE)):
        candidates = Candidates(vocabulary, k, channel=channel, limit=10**6)
        for word, found in candidates.of(observed).items():
            paths = candidate_machine(vocabulary, word, k, True, channel).paths(
                output_token_type="utf8"
            )
            machine: dict[str, float] = {}
            for _, intended, weight in paths.items():
                machine[intended] = min(float(weight), machine.get(intended, math.inf))
            assert machine == pytest.approx({intended: cost for intended, cost, _ in found})


def test_a_word_without_letters_is_left_alone_and_is_no_candidate() -> None:
    vocabulary = {"a": 3, ",": 9, "1": 2, "-LRB-": 1, "-LCB-": 1}
    assert [w for w, _, _ in Candidates(vocabulary).of(["b"])["b"]] == ["b", "a"]
    for word in ("2", ";", "-LRB-"):
        assert [w for w, _, _ in Candidates(vocabulary).of([word])[word]] == [word]


def test_a_very_long_word_is_itself_alone() -> None:
    long = "a" * 10_000
    candidates = Candidates({"a" * 65: 1, "a" * 64: 1})
    assert [w for w, _, _ in candidates.of([long])[long]] == [long]
    assert [w for w, _, _ in candidates.of([long, "a" * 63])["a" * 63]] == ["a" * 63, "a" * 64]


@pytest.mark.parametrize("word", ["a\0b", "<s>", "a b", "", "\ud800"])
def test_what_can_be_no_word_is_itself_alone(word: str) -> None:
    assert [w for w, _, _ in Candidates({"ab": 1, "s": 1}).of([word])[word]] == [word]


def test_it_forgets_rather_than_grows_and_finds_the_same_again(monkeypatch) -> None:
    candidates = Candidates({"cat": 2, "car": 1})
    first = candidates.of(["cab", "bat"])
    monkeypatch.setattr(module, "REMEMBERED", 3)
    assert candidates.of(["x", "cab", "rat"])["cab"] == first["cab"]
    assert set(candidates._entries) == {"x", "rat"}
    assert candidates.of(["bat"])["bat"] == first["bat"]


def test_the_order_of_asking_does_not_matter() -> None:
    vocabulary = Counter(word for sentence in sample() for word in sentence.words)
    words = ["teh", "Lamp", "bakr", "OF", "the"]
    together = Candidates(vocabulary).of(words)
    alone = Candidates(vocabulary)
    assert all(alone.of([word])[word] == together[word] for word in reversed(words))


def test_it_survives_pickling() -> None:
    candidates = Candidates({"cat": 2, "car": 1})
    found = candidates.of(["cab"])
    assert pickle.loads(pickle.dumps(candidates)).of(["cab"]) == found


def test_strings_are_their_own_in_large_alphabets() -> None:
    """With more than 4,096 letters a string was taken for another."""
    letters = [chr(0x4E00 + i) for i in range(5000)]
    channel = LearnedChannel(errors=ErrorModel("abcd", {"substitution": 3.0, "string ab>cd": -1.0}))
    words = word_list(dict.fromkeys([*letters, "cd"], 1))
    for observed in ("ab", "a" + letters[4500], letters[4500] + "b"):
        _, number, cost = near(words, [observed], [2], channel)
        costs = dict(zip(words.words(number), cost.tolist(), strict=True))
        assert costs.get("cd") == (5.0 if observed == "ab" else 6.0)


SMALL = st.text("abcdée\u0301שלكت", min_size=1, max_size=5)


@pytest.mark.parametrize("k", [1, 2, 3])
@given(
    counts=st.dictionaries(SMALL, st.integers(0, 3), min_size=1, max_size=25),
    words=st.lists(SMALL, min_size=1, max_size=4),
)
def test_the_index_gives_what_the_composed_spell_gives(
    counts: dict[str, int], words: list[str], k: int
) -> None:
    """Words of letters without capitals, which SPELL≤k of ``transducers/spell.py`` composes (2005b, Eq. 4)."""
    composed = Spellings(Vocabulary(counts), k, transposition=True)
    for word, candidates in Candidates(counts, k).of(words).items():
        assert {candidate.word for candidate in candidates} == set(composed.of(word))
