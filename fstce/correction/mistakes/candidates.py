"""Candidates: the vocabulary words that may have been intended by an observed one (Eq. 4).

By definition they are the words of observed ∘ edits ∘ lexicon, which the tests compose; here they
are found in automata of words, all new words of a batch at once, and remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise, starmap
from typing import Any, NamedTuple

import numpy as np

from fstce.corpora.casing import capitalized, capitals
from fstce.corpora.words import is_spelt
from fstce.correction.factors.columns import COLUMNS, OF_UNKNOWN, Factors, unknown_columns
from fstce.numeric.kernels import joined, ranges, taken, total
from fstce.numeric.types import Bools, Floats, Ints, Words
from fstce.speller.channel import Channel
from fstce.speller.nearby import near
from fstce.speller.wordlist import WordList, word_list
from fstce.storage.memo import Numbered, remembered

LONGEST = 64
MOST = 50  # candidates of a word
WIDER = 2  # times as many are compared by more than counts and edits
BEYOND = 10  # times as many beyond one edit, where context makes them improbable
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


class _Rows(NamedTuple):
    """Candidates (rows,): of which query, the number of the spelling, its cost and frequency."""

    query: Ints
    spelling: Ints
    cost: Floats
    frequency: Ints

    def merged(self, counts: Any) -> _Rows:
        """Rows of one query and spelling as one, of the least cost; frequencies added up, or so."""
        rows = taken(self, np.lexsort((self.spelling, self.query)))
        is_new = np.diff(rows.query, prepend=-1) != 0
        first = np.flatnonzero(is_new | (np.diff(rows.spelling, prepend=-1) != 0))
        cost = np.minimum.reduceat(rows.cost, first)
        return _Rows(*taken(rows, first)[:2], cost, counts.reduceat(rows.frequency, first))

    def ranked(self, last: Ints, most: int) -> _Rows:
        """So many of each query: the most frequent, of these the cheapest, then by `last`."""
        rows = taken(self, np.lexsort((last, self.cost, -self.frequency, self.query)))
        rank = np.arange(len(rows.query)) - np.searchsorted(rows.query, rows.query)
        return taken(rows, rank < most)


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

    Under unigrams the places of a sentence are independent, so that what
    :func:`fstce.correction.factors.candidate_lattices.pruned` would leave out of a lattice first
    can be said of each observed word alone. ``factors``, ``exponents`` (columns,): what scores a
    candidate so. ``least``: the posterior probability that keeps it; the word itself always stays.

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
        factors: Factors | None = None,
        exponents: Sequence[float] = (),
        least: float = 0.0,
    ) -> None:
        self.k = k
        self.limit: int = limit * (BEYOND if factors is not None and k > 1 else 1)
        self.channel: Channel = channel or Channel()
        self.vocabulary = vocabulary
        self.lexicon = lexicon
        self.accents = accents
        self.spellings: list[str] = []
        self._number: dict[str, int] = {}
        self._entries: dict[str, Entry] = {}
        self._protected = frozenset(word.lower() for word in kept)
        self._placed: list[dict[int, int]] = [{}, {}]
        self._lower = Numbered(self._lower_numbers)
        self._most = limit
        self._factors = factors or Factors()
        self._exponent = dict(zip(COLUMNS, exponents, strict=False))
        self._least = least
        self._alone = Numbered(self._scores_alone)

    def of(self, words: Iterable[str]) -> dict[str, list[Candidate]]:
        """The candidates of each distinct word, itself first, then by falling count."""
        distinct = list(dict.fromkeys(words))
        rows = {}
        for word, entry in zip(distinct, self.entries(distinct), strict=True):
            columns = zip(*(column.tolist() for column in entry), strict=True)
            rows[word] = [Candidate(self.spellings[i], cost, count) for i, cost, count in columns]
        return rows

    def entries(self, words: Words) -> list[Entry]:
        """The candidates as arrays, one entry for each word of the sequence; for hot paths."""
        return remembered(self._entries, words, REMEMBERED, self._new_entries)

    def log_ratio(self, observed: str, other: str) -> float | None:
        """log p(other) / p(observed) of words under unigrams; None if the other is no candidate."""
        entry = self.entries([observed])[0]
        places = np.flatnonzero(entry.spelling == self._number.get(other, -1))
        if not len(places) or self._factors.ngrams is None:
            return None

        rows = np.array([0, places[0]])
        score = self._scores(np.array([False, True]), entry.spelling[rows], entry.cost[rows])
        return float(score[1] - score[0])

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
        is_name = has_initials or _is_camel(word)
        if not self._fits(word) or is_name or lower in self._protected:
            return []
        if self._factors.common(word):
            return []

        how = capitals(word)
        return [(word, ""), (lower, how)] if how else [(word, "")]

    def _new_entries(self, words: Words) -> list[Entry]:
        """The entries of words, whose forms are looked up together."""
        forms = list(map(self._forms, words))
        looked_up = list(chain.from_iterable(forms))
        rows = self._cased(self._looked_up([form for form, _ in looked_up]), looked_up)
        word = np.repeat(np.arange(len(words)), list(map(len, forms)))
        rows = rows._replace(query=word[rows.query]).merged(np.maximum)

        number = np.array(list(map(self._numbered, words)), dtype=np.int64)
        rows = taken(rows, self._lower.of(rows.spelling) != self._lower.of(number)[rows.query])
        rows = rows.ranked(self._alphabetic(rows.spelling), self.limit - 1)

        # The words themselves stand before their candidates.
        times = [
            max(map(self._times, [form for form, _ in row] or [word]))
            for word, row in zip(words, forms, strict=True)
        ]
        query = np.arange(len(words))
        own = _Rows(query, number, np.zeros(len(words)), np.array(times, dtype=np.int64))
        rows = joined((own, rows))
        rows = taken(rows, np.argsort(rows.query, kind="stable"))
        rows = taken(rows, self._chosen(rows))
        columns = (np.split(row, np.searchsorted(rows.query, query[1:])) for row in rows[1:])
        return list(starmap(Entry, zip(*columns, strict=True)))

    def _looked_up(self, forms: Sequence[str]) -> _Rows:
        """The words within k edits of forms, of each in all lists together."""
        queries = list(dict.fromkeys(forms))
        # One edit of a known word: it has been intended, or missed by one.
        reach = [1 if self._factors.known(query) else self.k for query in queries]
        near_queries = [
            self._near(words, placed, queries, reach)
            for words, placed in zip(self._lists, self._placed, strict=False)
        ]
        rows = joined(near_queries).merged(np.add)

        number = {query: i for i, query in enumerate(queries)}
        query = np.array([number[form] for form in forms], dtype=np.int64)
        begin = np.searchsorted(rows.query, query)
        size = np.searchsorted(rows.query, query, "right") - begin
        rows = taken(rows, ranges(begin, size))
        return rows._replace(query=np.repeat(np.arange(len(forms)), size))

    def _cased(self, rows: _Rows, forms: Sequence[tuple[str, str]]) -> _Rows:
        """The rows with the capitals of their forms."""
        how = np.array([how for _, how in forms], dtype=str)[rows.query]
        cased = np.flatnonzero(how != "")
        pairs = zip(rows.spelling[cased].tolist(), how[cased].tolist(), strict=True)
        spelling = rows.spelling
        spelling[cased] = [self._numbered(capitalized(self.spellings[i], how)) for i, how in pairs]
        return rows._replace(spelling=spelling)

    def _alphabetic(self, spelling: Ints) -> Ints:
        """The place of each spelling in the alphabet."""
        distinct, place = np.unique(spelling, return_inverse=True)
        words = np.array([self.spellings[i] for i in distinct.tolist()], dtype=str)
        return np.argsort(np.argsort(words))[place]

    def _near(
        self, words: WordList, placed: dict[int, int], queries: Sequence[str], reach: Sequence[int]
    ) -> _Rows:
        """The most frequent words of a list that are near queries."""
        query, place, cost = near(words, queries, reach, self.channel, self.accents)
        # More than are kept are not spelt out.
        rows = _Rows(query, place, cost, words.counts[place]).ranked(place, WIDER * self.limit)
        rows = rows._replace(spelling=self._numbers(words, placed, rows.spelling))
        return taken(rows, rows.spelling >= 0)

    def _numbers(self, words: WordList, placed: dict[int, int], place: Ints) -> Ints:
        """The numbers of a list's words by their place there; −1 for one that is no candidate."""
        distinct, row = np.unique(place, return_inverse=True)
        new = [at for at in distinct.tolist() if at not in placed]
        for at, word in zip(new, words.words(np.array(new, dtype=np.int64)), strict=True):
            placed[at] = self._numbered(word) if self._fits(word) else -1
        return np.array([placed[at] for at in distinct.tolist()], dtype=np.int64)[row]

    def _chosen(self, rows: _Rows) -> Bools:
        """Which candidates of words stay, the words first, by p(candidate | observed), (rows,)."""
        word = rows.query
        if self._least <= 0 or self._factors.ngrams is None:
            return np.ones(len(word), dtype=bool)

        is_own = np.diff(word, prepend=-1) > 0
        first = np.flatnonzero(is_own)
        score = self._scores(~is_own, rows.spelling, rows.cost)
        weight = np.exp(score - np.maximum.reduceat(score, first)[word])
        posterior = weight / total(word, weight, len(first))[word]
        posterior[is_own] = np.inf

        order = np.lexsort((-posterior, word))
        rank = np.empty(len(word), dtype=np.int64)
        rank[order] = np.arange(len(word)) - first[word]
        return np.asarray((posterior >= self._least) & (rank < self._most))

    def _scores(self, is_other: Bools, spelling: Ints, cost: Floats) -> Floats:
        """The scores of candidates of observed words, shape (candidates,)."""
        exponent = self._exponent
        changed = np.where(cost > 0, exponent["edited"], exponent["accents"]) * is_other
        return self._alone.of(spelling) - exponent["channel"] * cost - changed

    def _scores_alone(self, spelling: Ints) -> Floats:
        """The scores of spellings, whatever was observed, shape (spellings,)."""
        model = self._factors.ngrams
        if model is None:
            return np.zeros(len(spelling))

        words = [self.spellings[i] for i in spelling.tolist()]
        log_p = model.log_probabilities(model.ids_in_any_case(words)[:, None])
        exponents = np.array([self._exponent[name] for name in ("ngrams", *OF_UNKNOWN)])
        return np.asarray(exponents @ np.vstack([log_p, unknown_columns(words, self._factors)]))

    def _lower_numbers(self, spelling: Ints) -> list[int]:
        """The number of each spelling in small letters."""
        return [self._numbered(self.spellings[i].lower()) for i in spelling.tolist()]

    def _numbered(self, word: str) -> int:
        number = self._number.setdefault(word, len(self.spellings))
        if number == len(self.spellings):
            self.spellings.append(word)
        return number


def _is_camel(word: str) -> bool:
    """Whether a capital follows a small letter, as in the name ``SpaceX``."""
    return any(a.islower() and b.isupper() for a, b in pairwise(word))
