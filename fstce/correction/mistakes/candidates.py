"""Candidates: the vocabulary words that may have been intended by an observed one (Eq. 4).

By definition they are the words of observed ∘ edits ∘ lexicon, which the tests compose; here they are found
in automata of words, all new words of a batch at once, and remembered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, starmap
from typing import NamedTuple

import numpy as np

from fstce.corpora.casing import capitalized, capitals, plain
from fstce.corpora.words import fault, is_spelt
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.nearby import near
from fstce.correction.mistakes.wordlist import WordList, check_counts, word_list
from fstce.correction.parameters import CHANNEL
from fstce.numeric.types import Bools, Floats, Ints
from fstce.parameters.rules import FLAG, POSITIVE, Rule, check, integer, mapping, sequence
from fstce.storage.memo import Numbered, remembered

LONGEST = 64
MOST = 50  # candidates of a word
WIDER = 2  # times as many are compared by more than counts and edits
INITIALS = 2  # letters of which one is a capital are hardly a word that is misspelt
REMEMBERED = 100_000
CANDIDATES = {
    "k": integer(1, 3),
    "limit": POSITIVE,
    "kept": sequence(Rule("text")),
    "channel": CHANNEL,
    **dict.fromkeys(("variants", "accents"), FLAG),
}


class Candidate(NamedTuple):
    """A word that may have been intended.

    ``cost``: of the cheapest way to mistype it so, in nats. ``frequency``: how often the vocabulary has it,
    in any case that was looked up.
    """

    word: str
    cost: float
    frequency: int


class Entry(NamedTuple):
    """The candidates of a word as arrays: numbers of spellings, costs, frequencies; the word itself first."""

    spelling: Ints
    cost: Floats
    frequency: Ints


class Candidates:
    """The vocabulary words within k edits of an observed word.

    Every word is a candidate of itself, known or not, at no cost. At most `limit` are kept,
    the word itself and the most frequent others; of equal counts the cheaper, then the first in
    the alphabet.

    ``k``: the greatest number of edits (Levenshtein 1966); the transposition of two adjacent characters is
    one (Damerau 1964). ``limit``: the greatest number of candidates of a word. ``channel``: what edits cost;
    by default one nat each, so that costs are distances. A word with a capital, or all in capitals, is also
    looked up in lower case; its candidates then are given the same capitals. What is not spelt with letters
    alone (numbers, initials such as ``N.Y.``, pieces of contractions, the Penn Treebank's ``-LRB-``) neither
    has candidates nor is any, and what has more than 64 characters has none. ``variants``: whether words that
    differ in capitals or accents alone are candidates of each other. ``kept``: words that, in any
    capitals, have no candidates but themselves. ``spellings``: all words seen so far, by number: the
    vocabulary by falling count, then what was observed.

    >>> candidates = Candidates({"the": 9, "ten": 2, "tea": 1, "dog": 3})
    >>> [(word, cost) for word, cost, _ in candidates.of(["Teh"])["Teh"]]
    [('Teh', 0.0), ('The', 1.0), ('Ten', 1.0), ('Tea', 1.0)]
    """

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        k: int = 1,
        *,
        limit: int = MOST,
        channel: Channel | None = None,
        variants: bool = True,
        kept: Sequence[str] = (),
        lexicon: WordList | None = None,
        accents: bool = False,
    ) -> None:
        check(
            CANDIDATES,
            k=k,
            limit=limit,
            channel=channel,
            variants=variants,
            kept=kept,
            accents=accents,
        )
        mapping(least=1).check(vocabulary=vocabulary)
        check_counts("vocabulary", vocabulary)
        self.k, self.limit, self.variants = int(k), limit, variants
        self.channel = channel or Channel()
        self.vocabulary = dict(vocabulary)
        self.lexicon, self.accents = lexicon, accents
        self.spellings: list[str] = []
        self._number: dict[str, int] = {}
        self._entries: dict[str, Entry] = {}
        self._protected = frozenset(word.lower() for word in kept)
        self._placed: list[dict[int, int]] = [{}, {}]
        self._plains: dict[str, int] = {}
        self._plain = Numbered(self._plain_numbers)

    def of(self, words: Iterable[str]) -> dict[str, list[Candidate]]:
        """The candidates of each distinct word, itself first, then by falling count."""
        distinct = list(dict.fromkeys(words))
        rows = {}
        for word, entry in zip(distinct, self.entries(distinct), strict=True):
            columns = zip(*(column.tolist() for column in entry), strict=True)
            rows[word] = [Candidate(self.spellings[i], cost, count) for i, cost, count in columns]
        return rows

    def entries(self, words: Sequence[str]) -> list[Entry]:
        """The same as arrays, one entry for each word of the sequence; for hot paths."""
        return remembered(self._entries, words, REMEMBERED, self._found)

    @cached_property
    def _lists(self) -> list[WordList]:
        """The words that may be candidates; those of the lexicon are looked at when they are near."""
        own = word_list(
            {word: count for word, count in self.vocabulary.items() if self._fits(word)}
        )
        return [own, *([] if self.lexicon is None else [self.lexicon])]

    def _fits(self, word: str) -> bool:
        return self._is_edited(word) and len(word) <= LONGEST

    def _times(self, word: str) -> int:
        """How often vocabulary and lexicon have a word."""
        return self.vocabulary.get(word, 0) + (
            0 if self.lexicon is None else self.lexicon.get(word, 0)
        )

    def _is_edited(self, word: str) -> bool:
        return word.isalpha() or is_spelt(word)  # a lexicon's words are many

    def _forms(self, word: str) -> list[tuple[str, str]]:
        """The forms to look up, each with the capitals that its candidates are given."""
        if not self._is_edited(word) or fault(word) is not None:
            return []
        initials = len(word) <= INITIALS and word != word.lower()
        if initials or _is_camel(word) or word.lower() in self._protected or len(word) > LONGEST:
            return []
        how = capitals(word)
        return [(word, ""), (word.lower(), how)] if how else [(word, "")]

    def _reach(self, form: str) -> int:
        """Within how many edits of a form candidates are looked for."""
        return self.k

    def _found(self, words: Sequence[str]) -> list[Entry]:
        forms = [self._forms(word) for word in words]
        queries = list(dict.fromkeys(form for row in forms for form, _ in row))
        rows = dict(zip(queries, self._looked_up(queries), strict=True))
        found = [self._merged([(*rows[form], how) for form, how in row]) for row in forms]
        counts = [
            max([self._times(form) for form, _ in row or [(w, "")]])
            for w, row in zip(words, forms, strict=True)
        ]
        return self._entries_of(words, np.array(counts, dtype=np.int64), found)

    def _looked_up(self, queries: Sequence[str]) -> list[tuple[Ints, Floats, Ints]]:
        """For each query the words within k edits, best first, their costs and counts."""
        reach = [self._reach(query) for query in queries]
        parts = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))]
        for words, placed in zip(self._lists, self._placed, strict=False):
            query, place, cost = near(words, queries, reach, self.channel, self.accents)
            count = words.counted(place)
            order = np.lexsort((place, cost, -count, query))  # more than are kept are not spelt out
            rank = np.arange(len(order)) - np.searchsorted(query[order], query[order])
            best = order[rank < WIDER * self.limit]
            number = self._numbers(words, placed, place[best])
            fits = number >= 0
            parts.append((query[best][fits], number[fits], cost[best][fits], count[best][fits]))
        query, number, cost, count = (np.concatenate(column) for column in zip(*parts, strict=True))
        if len(self._lists) > 1:  # what both have is one word
            _, first, same = np.unique(query * (len(self.spellings) + 1) + number, True, True)
            count = np.bincount(same, count, len(first)).astype(np.int64)
            query, number, cost = query[first], number[first], cost[first]
        distinct, of = np.unique(number, return_inverse=True)
        spelt = np.array([self.spellings[i] for i in distinct.tolist()] or [""])
        order = np.lexsort((np.argsort(np.argsort(spelt))[of], cost, -count, query))
        ends = np.searchsorted(query[order], np.arange(1, len(queries)))
        columns = (np.split(column[order], ends) for column in (number, cost, count))
        return list(zip(*columns, strict=True)) if queries else []

    def _numbers(self, words: WordList, placed: dict[int, int], place: Ints) -> Ints:
        """The numbers of a list's words, by their numbers there; −1 for one that is no candidate."""
        distinct, of = np.unique(place, return_inverse=True)
        new = [at for at in distinct.tolist() if at not in placed]
        for at, word in zip(new, words.words(np.array(new, dtype=np.int64)), strict=True):
            placed[at] = self._numbered(word) if self._fits(word) else -1
        return np.array([placed[at] for at in distinct.tolist()], dtype=np.int64)[of]

    def _entries_of(
        self, words: Sequence[str], frequency: Ints, found: Sequence[tuple[Ints, Floats, Ints]]
    ) -> list[Entry]:
        """The best of what was found for each word, behind the word itself."""
        if not words:
            return []
        own = np.array([self._numbered(word) for word in words], dtype=np.int64)
        sizes = np.array([len(row[0]) for row in found])
        number, cost, count = (np.concatenate(column) for column in zip(*found, strict=True))
        word = np.repeat(np.arange(len(words)), sizes)
        kept = number != own[word]
        if not self.variants and len(number):
            varies = self._plain.of(number) == self._plain.of(own)[word]
            kept &= ~varies | self._restored(words, word, number, varies)
        before = np.cumsum(kept) - kept  # candidates kept before each, those of earlier words, too
        start = np.append(before, kept.sum())[np.cumsum(sizes) - sizes]
        kept &= before - start[word] < self.limit - 1
        observed = np.concatenate((np.arange(len(words)), word[kept]))
        order = np.argsort(observed, kind="stable")
        rows = ((own, number), (np.zeros(len(words)), cost), (frequency, count))
        columns = [np.concatenate((first, others[kept]))[order] for first, others in rows]
        kept = self._chosen(words, observed[order], columns[0], columns[1])
        ends = np.cumsum(np.bincount(observed[order][kept], minlength=len(words)))[:-1]
        return list(
            starmap(Entry, zip(*(np.split(column[kept], ends) for column in columns), strict=True))
        )

    def _chosen(self, words: Sequence[str], observed: Ints, spelling: Ints, cost: Floats) -> Bools:
        """Which candidates of the words stay, the words themselves among them, shape (candidates,)."""
        return np.ones(len(observed), dtype=bool)

    def _restored(self, words: Sequence[str], word: Ints, number: Ints, varies: Bools) -> Bools:
        """Which candidates are observed words with the accents that these have not, shape (candidates,)."""
        restored = np.zeros(len(number), dtype=bool)
        for i in np.flatnonzero(varies).tolist() if self.accents else ():
            observed, other = words[word[i]], self.spellings[number[i]]
            restored[i] = other.lower() != observed.lower() == plain(observed)
        return restored

    def _merged(self, found: Sequence[tuple[Ints, Floats, Ints, str]]) -> tuple[Ints, Floats, Ints]:
        """Candidates of a word's forms, capitals put on: the least cost and the greatest count of each."""
        if len(found) < 2:
            return (
                found[0][:3]
                if found
                else (np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))
            )
        best: dict[str, tuple[int, float]] = {}
        for numbers, costs, counts, how in found:
            for number, cost, count in zip(
                numbers.tolist(), costs.tolist(), counts.tolist(), strict=True
            ):
                word = capitalized(self.spellings[number], how)
                most, least = best.get(word, (0, math.inf))
                best[word] = max(most, count), min(least, cost)
        ranked = sorted((-count, cost, word) for word, (count, cost) in best.items())[
            : self.limit + 1
        ]
        number = np.array([self._numbered(word) for _, _, word in ranked], dtype=np.int64)
        cost = np.array([cost for _, cost, _ in ranked], dtype=np.float64)
        return number, cost, -np.array([count for count, _, _ in ranked], dtype=np.int64)

    def _plain_numbers(self, spelling: Ints) -> list[int]:
        """The number of each spelling without capitals and accents, which its variants have, too."""
        words = (self.spellings[i] for i in spelling.tolist())
        return [self._plains.setdefault(plain(word), len(self._plains)) for word in words]

    def _numbered(self, word: str) -> int:
        number = self._number.setdefault(word, len(self.spellings))
        if number == len(self.spellings):
            self.spellings.append(word)
        return number


def _is_camel(word: str) -> bool:
    """Whether a capital follows a small letter, as in ``SpaceX``: a name, whose parts are no mistake."""
    return any(a.islower() and b.isupper() for a, b in pairwise(word))
