"""Words under tags: p(word | tag) of known and unknown words, and SPELL≤k as sausages of tags.

A tree is scored by its tags, so a lattice of words becomes one of tags: an arc for each tag
that some candidate may take. The words stand behind the arcs, as *pairs* (candidate, tag).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.spelling import Spell
from fstce.errors import NeighborhoodError
from fstce.latent.signatures import signature
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.neighborhood_base import Neighborhood, NoTransducer, beginning, numbered
from fstce.wfsa.batch import ranges

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rows = Sequence[Sequence[str]]

SHARE = 0.01  # a tag that fewer of a signature's rare words have is not thought of
ADDED = 0.5  # to the count of each (signature, tag)


class Emissions:
    """log p(word | tag), by relative frequency; of unknown words by their signature.

    A tag t that rare words have in a share u(t) of its tokens leaves u(t) to unknown words:

        p(w | t) = (1 − u(t)) · c(w, t) / c(t)            for a known word w,
        p(s | t) = u(t) · (n(s, t) + ½) / (n(t) + ½(S + 1))   for all unknown words of signature s,

    n counting rare words and S the signatures that they have; one more stands for all others.
    How an unknown word is spelt beyond its signature is not the tag's concern.

    Parameters
    ----------
    sentences, tags : sequences of sequences of str
        Of equal lengths.
    rare : int
        Words seen at most so often are rare; all are where none is.

    Attributes
    ----------
    tags : tuple of str
        The tagset, sorted.
    counts : dict of str to int
        The known words.

    Examples
    --------
    >>> emissions = Emissions([["the", "dog", "barks"], ["the", "cat"]], [["D", "N", "V"], ["D", "N"]])
    >>> [(emissions.tags[t], round(float(np.exp(p)), 2)) for t, p in zip(*emissions("the"))]
    [('D', 1.0)]
    >>> [emissions.tags[t] for word in ("elephant", "trumpets") for t in emissions(word)[0]]
    ['N', 'V']
    """

    def __init__(self, sentences: Rows, tags: Rows, rare: int = 1) -> None:
        pairs = Counter(zip(_flat(sentences), _flat(tags), strict=True))
        self.tags = tuple(sorted({tag for _, tag in pairs}))
        self.counts = dict(Counter(_flat(sentences)))
        self._number = {tag: i for i, tag in enumerate(self.tags)}
        self._total = self._by_tag(pairs)
        seldom = {word for word, count in self.counts.items() if count <= rare} or set(self.counts)
        self._signatures, of_rare = self._count_signatures(sentences, tags, seldom)
        self._unknown = of_rare / (self._total + 1.0)  # a share of one would leave known words none
        self._known = self._known_rows(pairs)
        self._rare = of_rare
        self._found: dict[str, tuple[Ints, Floats]] = {}

    def __call__(self, word: str, first: bool = False) -> tuple[Ints, Floats]:
        """The tags that a word may take, by number and rising, and log p of the word under each.

        Parameters
        ----------
        word : str
        first : bool
            Whether it begins the sentence, where an unknown word's capital says little.
        """
        known = self._known.get(word)
        return known if known is not None else self._of_signature(self._signature(word, first))

    @property
    def log_prior(self) -> Floats:
        """log p(tag), shape (tags,)."""
        return np.asarray(np.log(self._total / self._total.sum()), dtype=np.float64)

    def known(self, word: str) -> bool:
        """Whether the text had the word."""
        return word in self.counts

    def numbers(self, tags: Iterable[str]) -> Ints:
        """The numbers of tags."""
        return np.array([self._number[tag] for tag in tags], dtype=np.int64)

    def _by_tag(self, pairs: Counter[tuple[str, str]]) -> Floats:
        tag = self.numbers(tag for _, tag in pairs)
        return np.bincount(tag, list(pairs.values()), len(self.tags)).astype(np.float64)

    def _signature(self, word: str, first: bool) -> str:
        return signature(word, first, self.known)

    def _count_signatures(
        self, sentences: Rows, tags: Rows, seldom: set[str]
    ) -> tuple[dict[str, Counter[str]], Floats]:
        """The tags of the rare words of each signature, and how many rare words each tag has."""
        pairs = Counter(
            (self._signature(word, position == 0), tag)
            for words, row in zip(sentences, tags, strict=True)
            for position, (word, tag) in enumerate(zip(words, row, strict=True))
            if word in seldom
        )
        found: dict[str, Counter[str]] = {}
        for (name, tag), count in pairs.items():
            found.setdefault(name, Counter())[tag] += count
        return found, self._by_tag(pairs)

    def _known_rows(self, pairs: Counter[tuple[str, str]]) -> dict[str, tuple[Ints, Floats]]:
        tag = self.numbers(tag for _, tag in pairs)
        count = np.array(list(pairs.values()), dtype=np.float64)
        log_p = np.log1p(-self._unknown[tag]) + np.log(count / self._total[tag])
        rows: dict[str, list[tuple[int, float]]] = {}
        for (word, _), number, value in zip(pairs, tag.tolist(), log_p.tolist(), strict=True):
            rows.setdefault(word, []).append((number, value))
        return {word: _row(row) for word, row in rows.items()}

    def _of_signature(self, name: str) -> tuple[Ints, Floats]:
        if name not in self._found:
            seen = self._signatures.get(name, Counter[str]())
            least = SHARE * sum(seen.values())
            names = [tag for tag, n in seen.items() if n >= least]
            tag = np.sort(self.numbers(names)) if names else np.flatnonzero(self._rare)
            count = np.array([seen[self.tags[t]] for t in tag.tolist()], dtype=np.float64)
            whole = self._rare[tag] + ADDED * (len(self._signatures) + 1)
            self._found[name] = tag, np.log(self._unknown[tag]) + np.log((count + ADDED) / whole)
        return self._found[name]


class Pairs(NamedTuple):
    """The candidates of many sentences with their tags, end to end, P in order of place and tag.

    Attributes
    ----------
    sentence : ndarray of int64, shape (sentences + 1,)
        The first place of each sentence.
    place : ndarray of int64, shape (P,)
        The typed word, counted through all sentences.
    spelling : ndarray of int64, shape (P,)
        The candidate, as its number among ``candidates.spellings``.
    tag : ndarray of int64, shape (P,)
    log_p : ndarray, shape (P,)
        log p(candidate | tag).
    cost : ndarray, shape (P,)
        What the channel says of the candidate.
    typed : ndarray of bool, shape (P,)
        Whether the candidate is the typed word itself.
    """

    sentence: Ints
    place: Ints
    spelling: Ints
    tag: Ints
    log_p: Floats
    cost: Floats
    typed: NDArray[np.bool_]

    def arcs(self, tags: int) -> tuple[Ints, Ints]:
        """The first pair of each arc, which is a tag of a place, and the arc of each pair."""
        code = self.place * tags + self.tag
        first = np.flatnonzero(np.diff(code, prepend=-1))
        return first, np.repeat(np.arange(len(first)), np.diff(np.append(first, len(code))))

    def only(self, kept: NDArray[np.bool_]) -> Pairs:
        """Those of the pairs."""
        return self.ordered(np.flatnonzero(kept))

    def ordered(self, rows: Ints) -> Pairs:
        """The pairs of these numbers, in this order."""
        return Pairs(
            self.sentence,
            self.place[rows],
            self.spelling[rows],
            self.tag[rows],
            self.log_p[rows],
            self.cost[rows],
            self.typed[rows],
        )


def pairs_of(sentences: Rows, spell: Spell, emissions: Emissions) -> Pairs:
    """The candidates of each word of the sentences with each of their tags."""
    found = spell.sausages(sentences)
    place = np.repeat(np.arange(len(found.position) - 1), np.diff(found.position))
    first = np.isin(place, found.sentence[:-1])
    words, row = np.unique(found.spelling * 2 + first, return_inverse=True)
    spellings = spell.candidates.spellings
    rows = [emissions(spellings[code // 2], bool(code % 2)) for code in words.tolist()]
    size = np.array([len(tag) for tag, _ in rows])
    own = np.repeat(np.arange(len(row)), size[row])
    at = ranges((np.cumsum(size) - size)[row], size[row])
    tag, log_p = (np.concatenate(column)[at] for column in zip(*rows, strict=True))
    itself = np.zeros(len(place), dtype=bool)
    itself[found.position[:-1]] = True
    pairs = Pairs(found.sentence, place[own], found.spelling[own], tag, log_p, found.cost[own], itself[own])
    return pairs.ordered(np.lexsort((pairs.tag, pairs.place)))


class TaggedSpell(Neighborhood):
    """SPELL≤k of sentences as their tags see it: any tag of any candidate at each word.

    A grammar of tags is trained with it as with any neighbourhood: the tag sequences of the
    sentences are contrasted with those of what could have been typed. Since tags do not tell
    which words they belong to, it expands the tag sequences of its own sentences only, all of
    them in order.

    Parameters
    ----------
    sentences : sequence of sequences of str
        The words.
    spell : Spell
        If it is weighted the lattices are, by −log Σ p(w | t) · exp(−exponent · cost).
    emissions : Emissions

    Examples
    --------
    >>> from fstce.correction.candidates import Candidates
    >>> emissions = Emissions([["the", "dog"], ["he", "digs"]], [["D", "N"], ["P", "V"]])
    >>> kind = TaggedSpell([["the", "dog"]], Spell(Candidates(emissions.counts)), emissions)
    >>> lattice, = kind.expand([["D", "N"]], Symbols(emissions.tags))
    >>> sorted(" ".join(tags) for tags in lattice.strings())
    ['D N', 'P N']
    """

    def __init__(self, sentences: Rows, spell: Spell, emissions: Emissions) -> None:
        name = f"tags of {spell.name}"
        super().__init__(NoTransducer(), name, weighted=spell.weighted, exponent=spell.exponent)
        self.sentences, self.spell, self.emissions = sentences, spell, emissions

    def expand(
        self,
        sentences: Iterable[Sequence[str]],
        symbols: Symbols,
        numbers: Iterable[int] | None = None,
    ) -> Iterator[Lattice]:
        """The lattice of each tag sequence, in order; messages name them by `numbers`, or from 1.

        Raises
        ------
        NeighborhoodError
            They are not those of the sentences: too few or many, or of another length, or a tag
            that its word cannot have.
        """
        rows = list(sentences)
        if len(rows) != len(self.sentences):
            raise NeighborhoodError(
                f"{self.name}: {len(rows)} tag sequences for {len(self.sentences)} sentences"
            )
        lattices = self._sausages(symbols)
        for (number, tags), words, arrays in zip(
            numbered(rows, numbers), self.sentences, lattices, strict=True
        ):
            lattice = Lattice(arrays, symbols, f"sentence {number} ∘ {self.name}")
            if not lattice.accepts(tags):
                raise NeighborhoodError(
                    f"sentence {number} ({beginning(words)}) has other words or tags than its neighbourhood"
                )
            yield lattice

    def _sausages(self, symbols: Symbols) -> Iterator[Arrays]:
        pairs = pairs_of(self.sentences, self.spell, self.emissions)
        first, _ = pairs.arcs(len(self.emissions.tags))
        weight = np.zeros(len(first), np.float32)
        if self.spell.weighted:
            weight = -np.logaddexp.reduceat(pairs.log_p - self.spell.exponent * pairs.cost, first)
        label = np.asarray(symbols.ids(list(self.emissions.tags)))[pairs.tag[first]]
        return sausages(pairs, first, label, weight)


def sausages(
    pairs: Pairs, first: Ints, label: NDArray[np.integer], weight: NDArray[np.floating]
) -> Iterator[Arrays]:
    """The sausage of each sentence.

    Parameters
    ----------
    pairs : Pairs
    first : ndarray of int64, shape (A,)
        The first pair of each arc.
    label, weight : ndarray, shape (A,)
        What the arcs carry.
    """
    place, label = pairs.place[first], label.astype(np.int32)
    ends = np.searchsorted(place, pairs.sentence)
    for begin, end, a, b in zip(pairs.sentence, pairs.sentence[1:], ends, ends[1:], strict=False):
        final = np.full(end - begin + 1, np.inf, dtype=weight.dtype)
        final[-1] = 0.0
        source = (place[a:b] - begin).astype(np.int32)
        yield Arrays(0, final, source, label[a:b], label[a:b], weight[a:b], source + np.int32(1))


def _flat(rows: Rows) -> list[str]:
    return [item for row in rows for item in row]


def _row(found: list[tuple[int, float]]) -> tuple[Ints, Floats]:
    tag, log_p = zip(*sorted(found), strict=True)
    return np.array(tag, dtype=np.int64), np.array(log_p, dtype=np.float64)
