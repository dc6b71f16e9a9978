"""Candidates: the vocabulary words that a typed word may have been meant to be (Eq. 4).

By definition they are the words of typed ∘ edits ∘ lexicon, a composition of machines that
:meth:`Candidates.machine` builds and shows. For speed :meth:`Candidates.of` finds the same
words in a deletion dictionary, all new words of a batch at once, and remembers them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import starmap
from typing import NamedTuple

import numpy as np
import pynini

from fstce.corpora.words import fault
from fstce.correction.mistakes.casing import capitalized, capitals, is_spelt, plain
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.distance import EditCosts
from fstce.correction.mistakes.edits import edit_transducer
from fstce.correction.mistakes.likeness import KEYS
from fstce.correction.mistakes.lookup import DeletionIndex, Spelt, spelt
from fstce.correction.parameters import CHANNEL
from fstce.errors import ParameterError
from fstce.estimation.rules import check
from fstce.machines import algebra
from fstce.machines.image import arrays_to_fst
from fstce.machines.lattice import linear
from fstce.machines.trie import union
from fstce.numeric.remembered import Numbered, remembered
from fstce.numeric.rules import FLAG, LARGE, POSITIVE, TOTAL, Rule, integer, mapping, sequence, shown
from fstce.numeric.types import Floats, Ints

LONGEST = 64
MOST = 50  # candidates of a word
INITIALS = 2  # letters of which one is a capital are hardly a word that is misspelt
REMEMBERED = 100_000
CANDIDATES = {
    "k": integer(1, 3),
    "limit": POSITIVE,
    "longest": POSITIVE,
    "kept": sequence(Rule("text")),
    "channel": CHANNEL,
    **dict.fromkeys(("damerau", "case", "alphabetic", "variants"), FLAG),
}


class Candidate(NamedTuple):
    """A word that may have been meant.

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
    """The vocabulary words within k edits of a typed word.

    Every word is a candidate of itself, known or not, at no cost. At most `limit` are kept,
    the word itself and the most frequent others; of equal counts the cheaper, then the first in
    the alphabet.

    ``k``: the greatest number of edits (Levenshtein 1966). ``damerau``: whether the transposition of two
    adjacent characters is one edit. ``limit``: the greatest number of candidates of a word. ``channel``: what
    edits cost; by default one nat each, so that costs are distances. ``case``: whether a word with a capital,
    or all in capitals, is also looked up in lower case; its candidates then are given the same capitals.
    ``alphabetic``: whether what is not spelt with letters alone (numbers, initials such as ``N.Y.``, pieces
    of contractions, the Penn Treebank's ``-LRB-``) neither has candidates nor is any. ``variants``: whether
    words that differ in capitals or accents alone are candidates of each other. ``kept``: words that, typed
    in any case, have no candidates but themselves. ``longest``: words of more characters have no candidates
    but themselves, and are counted. ``spellings``: all words seen so far, by number: the vocabulary by
    falling count, then what was typed. ``too_long``: how many distinct typed words exceeded `longest`.

    >>> candidates = Candidates({"the": 9, "ten": 2, "tea": 1, "dog": 3}, damerau=True)
    >>> [(word, cost) for word, cost, _ in candidates.of(["Teh"])["Teh"]]
    [('Teh', 0.0), ('The', 1.0), ('Ten', 1.0), ('Tea', 1.0)]
    """

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        k: int = 1,
        *,
        damerau: bool = False,
        limit: int = MOST,
        channel: Channel | None = None,
        case: bool = True,
        alphabetic: bool = True,
        variants: bool = True,
        kept: Sequence[str] = (),
        longest: int = LONGEST,
    ) -> None:
        check(CANDIDATES, k=k, damerau=damerau, limit=limit, channel=channel, case=case)
        check(CANDIDATES, alphabetic=alphabetic, variants=variants, longest=longest, kept=kept)
        _check(vocabulary)
        self.k, self.damerau, self.limit = int(k), damerau, limit
        self.channel = channel or Channel()
        self.case, self.alphabetic, self.variants, self.longest = case, alphabetic, variants, longest
        self.vocabulary = dict(vocabulary)
        self.too_long = 0
        self.spellings = sorted(vocabulary, key=lambda word: (-vocabulary[word], word))
        self._number = {word: i for i, word in enumerate(self.spellings)}
        self._count = np.array([vocabulary[word] for word in self.spellings], dtype=np.int64)
        self._entries: dict[str, Entry] = {}
        self._protected = frozenset(word.lower() for word in kept)
        self._plains: dict[str, int] = {}
        self._plain = Numbered(self._plain_numbers)
        self._keys: dict[str, tuple[dict[str, int], Ints]] = {}

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

    def machine(self, word: str) -> pynini.Fst:
        """The same words, of one form and without a limit, as a machine: typed ∘ edits ∘ lexicon.

        Its weights are those of the edits, without what the channel says of whole words.

        ``word``: as it is looked up: no other case is tried. Returns an acceptor over code points (pynini's
        ``utf8``), its weights the costs.

        >>> found = Candidates({"the": 9, "ten": 2, "dog": 3}, damerau=True).machine("teh")
        >>> sorted(found.paths(output_token_type="utf8").ostrings())
        ['teh', 'ten', 'the']
        """
        where = f"candidates of {word!r}"
        itself = arrays_to_fst(linear(np.array(list(map(ord, word)), dtype=np.int32)))
        if len(word) > self.longest or not self._is_edited(word):
            return itself
        alphabet = sorted({*self._characters, *word})
        edits = edit_transducer(alphabet, self.k, damerau=self.damerau, channel=self.channel)
        lexicon = pynini.union(self._lexicon, itself).optimize().arcsort("ilabel")
        edited = algebra.compose(itself, edits, f"{where}: typed ∘ edits")
        return algebra.to_lattice(algebra.compose(edited, lexicon, f"{where} ∘ lexicon"), where)

    @cached_property
    def _listed(self) -> Ints:
        """The numbers of the vocabulary words that may be candidates."""
        fits = [self._is_edited(w) and len(w) <= self.longest for w in self.spellings[: len(self._count)]]
        return np.flatnonzero(np.array(fits, dtype=bool))

    @cached_property
    def _index(self) -> DeletionIndex:
        return DeletionIndex(self._spelt, self.k)

    @cached_property
    def _spelt(self) -> Spelt:
        return spelt([self.spellings[i] for i in self._listed.tolist()])

    @cached_property
    def _characters(self) -> frozenset[str]:
        return frozenset(c for i in self._listed.tolist() for c in self.spellings[i])

    @cached_property
    def _lexicon(self) -> pynini.Fst:
        """The words that may be candidates, as a minimal acceptor of their code points."""
        words = (self.spellings[i] for i in self._listed.tolist())
        rows = [np.array(list(map(ord, word)), dtype=np.int32) for word in words]
        return arrays_to_fst(union(rows)) if rows else pynini.Fst()

    @cached_property
    def _costs(self) -> EditCosts:
        return EditCosts(self.k, self.damerau, self.channel)

    def _is_edited(self, word: str) -> bool:
        return not self.alphabetic or word.isalpha() or is_spelt(word)  # a lexicon's words are many

    def _forms(self, word: str) -> list[tuple[str, str]]:
        """The forms to look up, each with the capitals that its candidates are given."""
        if not self._is_edited(word) or fault(word) is not None:
            return []
        initials = self.alphabetic and len(word) <= INITIALS and word != word.lower()
        if initials or word.lower() in self._protected:
            return []
        if len(word) > self.longest:
            self.too_long += 1
            return []
        how = capitals(word) if self.case else ""
        return [(word, ""), (word.lower(), how)] if how else [(word, "")]

    def _found(self, words: Sequence[str]) -> list[Entry]:
        forms = [self._forms(word) for word in words]
        queries = list(dict.fromkeys(form for row in forms for form, _ in row))
        rows = dict(zip(queries, self._looked_up(queries), strict=True))
        found = [self._merged([(*rows[form], how) for form, how in row]) for row in forms]
        counts = [
            max([self.vocabulary.get(form, 0) for form, _ in row or [(w, "")]])
            for w, row in zip(words, forms, strict=True)
        ]
        return self._entries_of(words, np.array(counts, dtype=np.int64), found)

    def _looked_up(self, queries: Sequence[str]) -> list[tuple[Ints, Floats]]:
        """For each query the vocabulary words within k edits, best first, and their costs."""
        if not queries or not len(self._listed):
            return [(np.zeros(0, np.int64), np.zeros(0)) for _ in queries]
        asked = spelt(queries)
        query, place = self._index.pairs(asked)
        cost = self._costs(asked.take(query), self._spelt.take(place))
        near = np.isfinite(cost)
        query, place, cost = query[near], place[near], cost[near]
        if self.channel.whole:
            cost = cost + self._unlikeness(queries, query, place)
        number = self._listed[place]
        order = np.lexsort((number, cost, -self._count[number], query))
        ends = np.searchsorted(query[order], np.arange(1, len(queries)))
        return list(zip(np.split(number[order], ends), np.split(cost[order], ends), strict=True))

    def _unlikeness(self, queries: Sequence[str], query: Ints, place: Ints) -> Floats:
        """What the channel says of typed and meant words as wholes, shape (pairs,)."""
        cost = np.zeros(len(query))
        distinct = np.unique(place)
        for name, weight in self.channel.whole.items():
            key = KEYS[name]
            numbers, known = self._keys.setdefault(name, ({}, np.full(len(self._listed), -1)))
            new = distinct[known[distinct] < 0]
            words = [self.spellings[i].lower() for i in self._listed[new].tolist()]
            known[new] = [numbers.setdefault(key(word), len(numbers)) for word in words]
            asked = [numbers.setdefault(key(word.lower()), len(numbers)) for word in queries]
            cost += weight * (known[place] != np.array(asked, dtype=np.int64)[query])
        return cost

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
            kept &= self._plain.of(number) != self._plain.of(own)[word]
        before = np.cumsum(kept) - kept  # candidates kept before each, those of earlier words, too
        start = np.append(before, kept.sum())[np.cumsum(sizes) - sizes]
        kept &= before - start[word] < self.limit - 1
        size = np.bincount(word[kept], minlength=len(words)) + 1
        place = np.ones(size.sum(), dtype=bool)
        place[np.cumsum(size) - size] = False
        columns = []
        for first, others in ((own, number), (np.zeros(len(words)), cost), (frequency, count)):
            column = np.empty(len(place), dtype=others.dtype)
            column[~place], column[place] = first, others[kept]
            columns.append(np.split(column, np.cumsum(size)[:-1]))
        return list(starmap(Entry, zip(*columns, strict=True)))

    def _merged(self, found: Sequence[tuple[Ints, Floats, str]]) -> tuple[Ints, Floats, Ints]:
        """Candidates of a word's forms, capitals put on: the least cost and the greatest count of each."""
        if len(found) < 2:
            number, cost = found[0][:2] if found else (np.zeros(0, np.int64), np.zeros(0))
            return number, cost, self._count[number]
        best: dict[str, tuple[int, float]] = {}
        for numbers, costs, how in found:
            counts = self._count[numbers].tolist()
            for number, cost, count in zip(numbers.tolist(), costs.tolist(), counts, strict=True):
                word = capitalized(self.spellings[number], how)
                most, least = best.get(word, (0, math.inf))
                best[word] = max(most, count), min(least, cost)
        ranked = sorted((-count, cost, word) for word, (count, cost) in best.items())[: self.limit + 1]
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


def _check(vocabulary: Mapping[str, int]) -> None:
    mapping(least=1).check(vocabulary=vocabulary)
    for word, count in vocabulary.items():
        reason = fault(word)
        if reason is not None:
            raise ParameterError(f"the vocabulary's {word!r} cannot be a word: {reason}")
        # A lexicon has a hundred thousand counts, and all but some are of the plainest kind.
        if not (type(count) is int and 0 <= count < LARGE) and not TOTAL.admits(count):
            raise ParameterError(
                f"the vocabulary's count of {word!r} is {shown(count)}: give {TOTAL.allowed}"
            )
