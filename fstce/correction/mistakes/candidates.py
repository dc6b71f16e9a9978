"""Candidates: the vocabulary words that may have been intended by an observed one (Eq. 4).

By definition they are the words of observed ∘ edits ∘ lexicon, which the tests compose; here they
are found in automata of words, all new words of a batch at once, and remembered.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise, starmap
from typing import NamedTuple

import numpy as np

from fstce.corpora.casing import capitalized, capitals
from fstce.corpora.words import is_spelt
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.nearby import near
from fstce.correction.mistakes.wordlist import WordList, word_list
from fstce.numeric.types import Bools, Floats, Ints
from fstce.storage.memo import Numbered, remembered

LONGEST = 64
MOST = 50  # candidates of a word
WIDER = 2  # times as many are compared by more than counts and edits
INITIALS = 2  # letters of which one is a capital are hardly a word that is misspelt
REMEMBERED = 100_000


class Candidate(NamedTuple):
    """A word that may have been intended.

    ``cost``: of the cheapest way to mistype it so, in nats. ``frequency``: how often the vocabulary
    has it, in any case that was looked up.
    """

    word: str
    cost: float
    frequency: int


class Entry(NamedTuple):
    """The candidates of a word: numbers of spellings, costs, counts; itself first."""

    spelling: Ints
    cost: Floats
    frequency: Ints


class Candidates:
    """The vocabulary words within k edits of an observed word.

    Every word is a candidate of itself, known or not, at no cost. At most `limit` are kept,
    the word itself and the most frequent others; of equal counts the cheaper, then the first in
    the alphabet.

    ``k``: the greatest number of edits (Levenshtein 1966); the transposition of two adjacent
    characters is one (Damerau 1964). ``limit``: the greatest number of candidates of a word.
    ``channel``: what edits cost; by default one nat each, so that costs are distances. A word with
    a capital, or all in capitals, is also looked up in lower case; its candidates then are given
    the same capitals. What is not spelt with letters alone (numbers, initials such as ``N.Y.``,
    pieces of contractions, the Penn Treebank's ``-LRB-``) neither has candidates nor is any, and
    what has more than 64 characters has none; nor are words that differ in capitals alone
    candidates of each other. ``kept``: words that, in any capitals, have no candidates but
    themselves. ``accents``: whether a letter that was written without its accent is no edit.
    ``spellings``: all words seen so far, by number.

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
        kept: Sequence[str] = (),
        lexicon: WordList | None = None,
        accents: bool = False,
    ) -> None:
        self.k = k
        self.limit = limit
        self.channel: Channel = channel or Channel()
        self.vocabulary = vocabulary
        self.lexicon = lexicon
        self.accents = accents
        self.spellings: list[str] = []
        self._number: dict[str, int] = {}
        self._entries: dict[str, Entry] = {}
        self._protected = frozenset(word.lower() for word in kept)
        self._placed: list[dict[int, int]] = [{}, {}]
        self._lowers: dict[str, int] = {}
        self._lower = Numbered(self._lower_numbers)

    def of(self, words: Iterable[str]) -> dict[str, list[Candidate]]:
        """The candidates of each distinct word, itself first, then by falling count."""
        distinct = list(dict.fromkeys(words))
        rows = {}
        for word, entry in zip(distinct, self.entries(distinct), strict=True):
            columns = zip(*(column.tolist() for column in entry), strict=True)
            rows[word] = [Candidate(self.spellings[i], cost, count) for i, cost, count in columns]
        return rows

    def entries(self, words: Sequence[str]) -> list[Entry]:
        """The candidates as arrays, one entry for each word of the sequence; for hot paths."""
        return remembered(self._entries, words, REMEMBERED, self._new_entries)

    @cached_property
    def _lists(self) -> list[WordList]:
        """The words that may be candidates; a lexicon's are looked at when they are near."""
        counts = {word: count for word, count in self.vocabulary.items() if self._fits(word)}
        lists = [word_list(counts)]
        if self.lexicon is not None:
            lists.append(self.lexicon)
        return lists

    def _times(self, word: str) -> int:
        """How often vocabulary and lexicon have a word."""
        times = self.vocabulary.get(word, 0)
        return times if self.lexicon is None else times + self.lexicon.get(word, 0)

    @staticmethod
    def _fits(word: str) -> bool:
        """Whether a word may be, and have, a candidate."""
        is_edited = word.isalpha() or is_spelt(word)  # a lexicon's words are many
        return is_edited and len(word) <= LONGEST

    def _forms(self, word: str) -> list[tuple[str, str]]:
        """The forms to look up, each with the capitals that its candidates are given."""
        lower = word.lower()
        has_initials = len(word) <= INITIALS and word != lower
        if not self._fits(word) or has_initials or _is_camel(word) or lower in self._protected:
            return []

        how = capitals(word)
        return [(word, ""), (lower, how)] if how else [(word, "")]

    def _reach(self, form: str) -> int:
        """Within how many edits of a form candidates are looked for."""
        return self.k

    def _new_entries(self, words: Sequence[str]) -> list[Entry]:
        """The entries of words, whose forms are looked up together."""
        if not words:
            return []
        forms = [self._forms(word) for word in words]
        queries = list(dict.fromkeys(form for form, _ in chain.from_iterable(forms)))
        near_of_form = dict(zip(queries, self._looked_up(queries), strict=True))

        near_words = []
        times = []
        for word, row in zip(words, forms, strict=True):
            near_words.append(self._merged([(near_of_form[form], how) for form, how in row]))
            times.append(max(map(self._times, [form for form, _ in row] or [word])))
        return self._entries_of(words, np.array(times, dtype=np.int64), near_words)

    def _looked_up(self, queries: Sequence[str]) -> list[Entry]:
        """For each query the words within k edits, best first."""
        if not queries:
            return []
        reach = [self._reach(query) for query in queries]
        parts = [
            self._near(words, placed, queries, reach)
            for words, placed in zip(self._lists, self._placed, strict=False)
        ]
        query, number, cost, count = map(np.concatenate, zip(*parts, strict=True))

        if len(parts) > 1:  # what both lists have is one word
            key = query * (len(self.spellings) + 1) + number
            _, first, place = np.unique(key, return_index=True, return_inverse=True)
            count = np.bincount(place, count, len(first)).astype(np.int64)
            query = query[first]
            number = number[first]
            cost = cost[first]

        distinct, place = np.unique(number, return_inverse=True)
        words = np.array([self.spellings[i] for i in distinct.tolist()] or [""])
        alphabetic = np.argsort(np.argsort(words))[place]
        order = np.lexsort((alphabetic, cost, -count, query))
        ends = np.searchsorted(query[order], np.arange(1, len(queries)))
        columns = (np.split(column[order], ends) for column in (number, cost, count))
        return list(starmap(Entry, zip(*columns, strict=True)))

    def _near(
        self, words: WordList, placed: dict[int, int], queries: Sequence[str], reach: Sequence[int]
    ) -> tuple[Ints, Ints, Floats, Ints]:
        """The most frequent words of a list that are near queries: query, number, cost, count."""
        query, place, cost = near(words, queries, reach, self.channel, self.accents)
        count = words.counted(place)
        order = np.lexsort((place, cost, -count, query))

        rank = np.arange(len(order)) - np.searchsorted(query[order], query[order])
        best = order[rank < WIDER * self.limit]  # more than are kept are not spelt out
        number = self._numbers(words, placed, place[best])
        best = best[number >= 0]
        number = number[number >= 0]
        return query[best], number, cost[best], count[best]

    def _numbers(self, words: WordList, placed: dict[int, int], place: Ints) -> Ints:
        """The numbers of a list's words by their place there; −1 for one that is no candidate."""
        distinct, row = np.unique(place, return_inverse=True)
        new = [at for at in distinct.tolist() if at not in placed]
        for at, word in zip(new, words.words(np.array(new, dtype=np.int64)), strict=True):
            placed[at] = self._numbered(word) if self._fits(word) else -1
        return np.array([placed[at] for at in distinct.tolist()], dtype=np.int64)[row]

    def _entries_of(
        self, words: Sequence[str], frequency: Ints, near_words: Sequence[Entry]
    ) -> list[Entry]:
        """The best of the near words of each word, behind the word itself."""
        numbers = np.array([self._numbered(word) for word in words], dtype=np.int64)
        sizes = np.array([len(entry.spelling) for entry in near_words])
        number, cost, count = map(np.concatenate, zip(*near_words, strict=True))
        word = np.repeat(np.arange(len(words)), sizes)

        kept = np.zeros(0, dtype=bool)
        if len(number):
            kept = self._lower.of(number) != self._lower.of(numbers)[word]
        n_before = np.cumsum(kept) - kept  # candidates kept before each, of earlier words, too
        n_of_earlier = np.append(n_before, kept.sum())[np.cumsum(sizes) - sizes]
        kept &= n_before - n_of_earlier[word] < self.limit - 1

        # The words themselves, then their candidates, are put in the order of words.
        observed = np.concatenate((np.arange(len(words)), word[kept]))
        order = np.argsort(observed, kind="stable")
        observed = observed[order]
        spelling = np.concatenate((numbers, number[kept]))[order]
        cost = np.concatenate((np.zeros(len(words)), cost[kept]))[order]
        count = np.concatenate((frequency, count[kept]))[order]

        chosen = self._chosen(words, observed, spelling, cost)
        ends = np.cumsum(np.bincount(observed[chosen], minlength=len(words)))[:-1]
        columns = (np.split(column[chosen], ends) for column in (spelling, cost, count))
        return list(starmap(Entry, zip(*columns, strict=True)))

    def _chosen(self, words: Sequence[str], observed: Ints, spelling: Ints, cost: Floats) -> Bools:
        """Which candidates of words stay, the words among them, shape (candidates,)."""
        return np.ones(len(observed), dtype=bool)

    def _merged(self, forms: Sequence[tuple[Entry, str]]) -> Entry:
        """Candidates of a word's forms, capitals put on, each with least cost, greatest count."""
        if not forms:
            return Entry(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64))
        if len(forms) == 1:
            return forms[0][0]

        best: dict[str, tuple[int, float]] = {}
        for entry, how in forms:
            for number, cost, count in zip(*(row.tolist() for row in entry), strict=True):
                word = capitalized(self.spellings[number], how)
                most, least = best.get(word, (0, math.inf))
                best[word] = max(most, count), min(least, cost)

        ranked = sorted((-count, cost, word) for word, (count, cost) in best.items())
        ranked = ranked[: self.limit + 1]
        return Entry(
            np.array([self._numbered(word) for _, _, word in ranked], dtype=np.int64),
            np.array([cost for _, cost, _ in ranked], dtype=np.float64),
            -np.array([count for count, _, _ in ranked], dtype=np.int64),
        )

    def _lower_numbers(self, spelling: Ints) -> list[int]:
        """The number of each spelling in small letters."""
        words = (self.spellings[i].lower() for i in spelling.tolist())
        return [self._lowers.setdefault(word, len(self._lowers)) for word in words]

    def _numbered(self, word: str) -> int:
        number = self._number.setdefault(word, len(self.spellings))
        if number == len(self.spellings):
            self.spellings.append(word)
        return number


def _is_camel(word: str) -> bool:
    """Whether a capital follows a small letter, as in the name ``SpaceX``."""
    return any(a.islower() and b.isupper() for a, b in pairwise(word))
