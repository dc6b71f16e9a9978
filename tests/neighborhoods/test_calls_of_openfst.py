"""How often training asks OpenFst: once a length and a pattern, or once a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from fstce import TagDictionary, Tagger, neighborhood
from fstce.corpora.vocabulary import Vocabulary
from fstce.machines import Symbols, algebra
from fstce.machines.openfst import pynini, pywrapfst

SENTENCES = [
    ["the", "dog", "saw", "a", "cat"],
    ["a", "cat", "saw", "the", "dog"],
    ["the", "the", "dog"],
]
SENTENCES += [["the", "dog", "saw", "a", "cat"], ["the", "cat", ",", "a", "dog"]]
WORDS = [word for sentence in SENTENCES for word in sentence]


ONCE = ("compositions of a sentence", "determinizations", "minimizations")
# Two lengths; "the the dog" makes arcs of three different words alike.
ALIKE = {**dict.fromkeys(ONCE, 3), "compositions of a sentence": 2}
APART = dict.fromkeys(ONCE, 2)
EACH = dict.fromkeys(ONCE, 4)


class Determinized:
    """A lattice that counts how often it is minimized, until it is sorted."""

    def __init__(self, fst: pynini.Fst, counter: Counter[str]) -> None:
        self.fst = fst
        self.counter = counter

    def minimize(self) -> Determinized:
        self.counter["minimizations"] += 1
        self.fst.minimize()
        return self

    def topsort(self) -> pynini.Fst:
        return self.fst.topsort()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The calls of OpenFst's operations by name, from now on."""
    counter: Counter[str] = Counter()

    def counted(module: Any, name: str, what: str) -> None:
        function: Callable[..., Any] = getattr(module, name)

        def call(*arguments: Any, **options: Any) -> Any:
            counter[what] += 1
            return function(*arguments, **options)

        monkeypatch.setattr(module, name, call)

    counted(pywrapfst, "compose", "compositions of a sentence")
    counted(pywrapfst, "determinize", "determinizations")
    counted(pynini, "compose", "compositions of a word")

    determinize = algebra.determinize
    nonempty = algebra.nonempty

    def determinized(*arguments: Any, **options: Any) -> Any:
        return Determinized(determinize(*arguments, **options), counter)

    def opened(lattice: Any, *arguments: Any) -> Any:
        return nonempty(getattr(lattice, "fst", lattice), *arguments)

    monkeypatch.setattr(algebra, "determinize", determinized)
    monkeypatch.setattr(algebra, "nonempty", opened)
    return counter


def expanded(name: str, vocabulary: Vocabulary | None = None) -> None:
    kind = neighborhood(name).changed()
    if vocabulary is not None:
        kind = kind.with_vocabulary(vocabulary)
    symbols = Symbols(dict.fromkeys([*WORDS, *kind.introduced(WORDS)]))
    assert len(list(kind.expand(SENTENCES, symbols))) == len(SENTENCES)


@pytest.mark.parametrize(
    "name", ["trans1", "del1word", "delortrans1", "del1subseq", "rotations", "window3"]
)
def test_composed_once_a_length_and_minimized_once_a_pattern(
    name: str, calls: Counter[str]
) -> None:
    expanded(name)
    assert calls == ALIKE


def test_once_a_sentence_where_marks_are_named(calls: Counter[str]) -> None:
    expanded("punc1")
    assert calls == EACH


def test_once_a_sentence_and_twice_a_word_by_its_letters(calls: Counter[str]) -> None:
    vocabulary = Vocabulary(Counter([*WORDS, "cats", "dig"]))
    expanded("spell1", vocabulary)
    n_words = len(set(WORDS))
    assert calls == {**EACH, "compositions of a word": 2 * n_words}

    calls.clear()
    expanded("spell1", vocabulary)  # what is near a word is remembered
    assert calls["compositions of a word"] == 0


@pytest.mark.parametrize(
    ("name", "expected"), [("trans1", ALIKE), ("punc1", EACH), ("length", APART)]
)
def test_a_training_asks_no_more(name: str, expected: dict[str, int], calls: Counter[str]) -> None:
    dictionary = TagDictionary({word: ["N", "V"] for word in WORDS} | {"a": ["D"]})
    kind = neighborhood(name).changed()  # which remembers no lattices
    tagger = Tagger(criterion="contrastive", neighborhood=kind, max_iterations=5)
    tagger.fit(SENTENCES, dictionary=dictionary)
    assert calls == expected
