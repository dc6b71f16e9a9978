"""How words are spelt that no lexicon has: of what characters, and made of what known words.

An unknown word w is often a known stem s with something before or behind it, or two stems:

    p(w) = λ₁ Σ p(s) p(ending) + λ₂ Σ p(opening) p(s) + λ₃ Σ p(s) p(s′)

over all ways to cut w in two, p(s) being the same for all stems. Endings and openings, how
probable each is, and λ are learned by EM from words such as will be unknown, besides a model of
characters that explains the others. So ``photoreceptors`` is a probable word where
``photoreceptor`` is known, ``afternoon`` where ``after`` and ``noon`` are, and neither need be a
mistake for what it is made of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

import numpy as np

from fstce.corpora.casing import capitals
from fstce.correction.factors.ngrams import NgramModel
from fstce.numeric.kernels import places
from fstce.numeric.types import Floats, Ints

SHORTEST = 3  # letters of a stem
SHARED = 3  # words, at least, that have an ending or an opening in common
LONGEST = 64  # letters of a word that is cut
STEPS = 20  # of EM
FIRST = 0.1  # λ, each, before it
KINDS = ENDING, OPENING, COMPOUND = range(3)
CASES = ("", "first", "upper")


class Stems(Protocol):
    """The known words in small letters, however many."""

    def __contains__(self, word: object) -> bool: ...
    def __len__(self) -> int: ...


class _Cuts(NamedTuple):
    """Ways to cut words in two, one part a stem: word, kind, the other part; (cuts,)."""

    word: Ints
    kind: Ints
    part: Ints


class DerivedWords:
    """log p of words that are made of known ones.

    ``words``: such as will be unknown, to learn from. ``characters`` (words,): log p of each by its
    characters alone, nats.
    """

    def __init__(self, words: Sequence[str], characters: Floats, stems: Stems) -> None:
        self._stems = stems
        self._number: dict[tuple[int, str], int] = {}  # of parts; that of all compounds is 0
        self._mass: Floats = np.zeros(1)
        self._case: Floats = np.zeros(len(CASES))
        if words and len(stems):
            self._learn(words, characters)

    @property
    def share(self) -> float:
        """λ₁ + λ₂ + λ₃: the share of such words that are made of known ones, from 0 to 1."""
        return float(self._mass.sum())

    def __call__(self, words: Iterable[str]) -> Floats:
        """log p of each word, nats, shape (words,); −inf of one that is not made of known ones."""
        rows = list(words)
        cuts = self._cuts(rows)
        p = np.bincount(cuts.word, self._terms(cuts), len(rows)) * self._case[_cases(rows)]
        return np.log(p, out=np.full(len(rows), -np.inf), where=p > 0)

    def _learn(self, words: Sequence[str], characters: Floats) -> None:
        """EM: p(cut | word) ∝ λ p(s) p(part), λ p(part) ∝ Σ p(cut | word), besides characters."""
        self._number = self._common_parts(words)
        kinds = np.array([kind for kind, _ in self._number])
        times = np.bincount(_cases(words), minlength=len(CASES)).astype(np.float64)
        self._case = (times + 0.5) / (len(words) + 1.5)
        self._mass = FIRST / np.bincount(kinds)[kinds].astype(np.float64)

        cuts = self._cuts(words)
        p_case = self._case[_cases(words)][cuts.word]
        p_characters = np.exp(characters)
        for _ in range(STEPS):
            terms = self._terms(cuts) * p_case
            p = np.bincount(cuts.word, terms, len(words)) + (1 - self.share) * p_characters
            expected = np.bincount(cuts.part, terms / p[cuts.word], len(kinds))
            self._mass = expected / (len(words) + 1)

    def _common_parts(self, words: Sequence[str]) -> dict[tuple[int, str], int]:
        """A number for each kind and part that enough of the words have, 0 for all compounds."""
        lower = (word.lower() for word in words if len(word) <= LONGEST)
        times = Counter(chain.from_iterable(map(self._parts, lower)))
        common = [part for part, number in times.items() if number >= SHARED]
        return places(dict.fromkeys([(COMPOUND, ""), *common]))

    def _cuts(self, words: Sequence[str]) -> _Cuts:
        """The cuts of words into stems and numbered parts; other parts are left out."""
        rows = []
        for i, word in enumerate(words):
            parts = self._parts(word.lower()) if len(word) <= LONGEST else ()
            rows += [(i, part[0], self._number[part]) for part in parts if part in self._number]
        return _Cuts(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)

    def _parts(self, lower: str) -> Iterator[tuple[int, str]]:
        """By kind what stands before or behind a stem, for all ways to cut a word in two."""
        for at in range(1, len(lower)):
            before, behind = lower[:at], lower[at:]
            begins, ends = self._is_stem(before), self._is_stem(behind)
            if begins:
                yield ENDING, behind
            if ends:
                yield OPENING, before
            if begins and ends:
                yield COMPOUND, ""

    def _is_stem(self, part: str) -> bool:
        return len(part) >= SHORTEST and part in self._stems

    def _terms(self, cuts: _Cuts) -> Floats:
        """λ p(stems) p(part) of each cut."""
        n_stems = np.where(cuts.kind == COMPOUND, 2, 1)
        return np.asarray(self._mass[cuts.part] * np.float64(len(self._stems)) ** -n_stems)


def _cases(words: Sequence[str]) -> Ints:
    return np.array([CASES.index(capitals(word)) for word in words], dtype=np.int64)


ENOUGH = 100  # words that are rare, to learn from them alone
MANY = 2000  # words are enough to learn what such are made of
HALVES = 2  # of them, each seen by the characters of the other


class SpellingModel:
    """p(spelling) of unknown words: (1 − λ) p(characters) + λ p(made of known words).

    Words that a text has once are most like those that it has not (Good 1953), so that the
    model is trained on them; on all words where fewer than a hundred are that rare.

    ``counts``: the words of a text and how often it has them. ``known``: the words that others may
    be made of; see :mod:`fstce.correction.factors.spelled`.
    """

    def __init__(self, counts: Mapping[str, int], known: Stems = ()) -> None:
        rare = [word for word, count in counts.items() if count == 1]
        words = rare if len(rare) >= ENOUGH else list(counts)
        self._model = NgramModel(map(list, words), order=3)

        words = [word for word in words if "-" not in word]  # others are known by their parts
        words = words[:: max(len(words) // MANY, 1)]
        self._derived = None
        if len(known) and len(words) >= ENOUGH:
            self._derived = DerivedWords(words, _by_others(words), known)

    def __call__(self, words: Sequence[str]) -> Floats:
        """log p of the spelling of each word, nats, shape (words,)."""
        characters = self._model.log_likelihoods(words)
        if self._derived is None or not words:
            return characters
        return np.logaddexp(np.log1p(-self._derived.share) + characters, self._derived(words))


def _by_others(words: list[str]) -> Floats:
    """log p of each word by the characters of the other half of the words."""
    log_p = np.zeros(len(words))
    for half in range(HALVES):
        rows = [list(word) for i, word in enumerate(words) if i % HALVES != half]
        model = NgramModel(rows, order=3)
        log_p[half::HALVES] = model.log_likelihoods(words[half::HALVES])
    return log_p
