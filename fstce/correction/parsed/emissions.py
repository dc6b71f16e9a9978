"""Words under tags: p(word | tag) of known words, and of unknown ones by their signature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

import numpy as np

from fstce.corpora.signatures import signature
from fstce.errors import CorpusError
from fstce.numeric.types import Floats, Ints, Rows

Counts = Mapping[tuple[str, str], int]

SHARE = 0.01  # a tag that fewer of a signature's rare words have is not thought of
ADDED = 0.5  # to the count of each (signature, tag)


class Emissions:
    """log p(word | tag), by relative frequency; of unknown words by their signature.

    A tag t that rare words have in a share u(t) of its tokens leaves u(t) to unknown words:

        p(w | t) = (1 − u(t)) · c(w, t) / c(t)            for a known word w,
        p(s | t) = u(t) · (n(s, t) + ½) / (n(t) + ½(S + 1))   for all unknown words of signature s,

    n counting rare words and S the signatures that they have; one more stands for all others.
    How an unknown word is spelt beyond its signature is not the tag's concern.

    ``rare``: words seen at most so often are rare; all are where none is. ``rare_pairs``: n(s, t): signatures
    of rare words and their tags.

    >>> emissions = Emissions([["the", "dog", "barks"], ["the", "cat"]], [["D", "N", "V"], ["D", "N"]])
    >>> [(emissions.tags[t], round(float(np.exp(p)), 2)) for t, p in zip(*emissions("the"))]
    [('D', 1.0)]
    >>> [emissions.tags[t] for word in ("elephant", "trumpets") for t in emissions(word)[0]]
    ['N', 'V']
    """

    def __init__(self, sentences: Rows, tags: Rows, rare: int = 1) -> None:
        flat = chain.from_iterable
        pairs, counts = Counter(zip(flat(sentences), flat(tags), strict=True)), Counter(flat(sentences))
        seldom = {word for word, count in counts.items() if count <= rare} or set(counts)
        rare_pairs = Counter(
            (signature(word, position == 0, counts.__contains__), tag)
            for words, row in zip(sentences, tags, strict=True)
            for position, (word, tag) in enumerate(zip(words, row, strict=True))
            if word in seldom
        )
        self._count(pairs, rare_pairs)

    @classmethod
    def of_counts(cls, pairs: Counts, rare_pairs: Counts) -> Emissions:
        """From what another has counted: its `pairs` and `rare_pairs`."""
        emissions = cls.__new__(cls)
        emissions._count(pairs, rare_pairs)
        return emissions

    def __call__(self, word: str, first: bool = False) -> tuple[Ints, Floats]:
        """The tags that a word may take, by number and rising, and log p of the word under each.

        ``first``: whether it begins the sentence, where an unknown word's capital says little.
        """
        known = self._known.get(word)
        return known if known is not None else self._of_signature(signature(word, first, self.known))

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

    def _count(self, pairs: Counts, rare_pairs: Counts) -> None:
        self.pairs, self.rare_pairs = dict(pairs), dict(rare_pairs)
        self.tags = tuple(sorted({tag for _, tag in pairs}))
        self._number = {tag: i for i, tag in enumerate(self.tags)}
        self.counts = _marginal(pairs)
        self._total, self._rare = self._by_tag(pairs), self._by_tag(rare_pairs)
        if not (rare_pairs and np.all(self._rare <= self._total)):
            raise CorpusError("no word is rare, or a tag has more rare words than words")
        self._unknown = self._rare / (self._total + 1.0)  # a share of one would leave known words none
        self._known = self._known_rows(pairs)
        self._signatures: dict[str, Counter[str]] = {}
        for (name, tag), count in rare_pairs.items():
            self._signatures.setdefault(name, Counter())[tag] += count
        self._found: dict[str, tuple[Ints, Floats]] = {}

    def _by_tag(self, pairs: Counts) -> Floats:
        tag = self.numbers(tag for _, tag in pairs)
        return np.bincount(tag, list(pairs.values()), len(self.tags)).astype(np.float64)

    def _known_rows(self, pairs: Counts) -> dict[str, tuple[Ints, Floats]]:
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


def _marginal(pairs: Counts) -> dict[str, int]:
    """The counts of the words, in the order in which they come first."""
    counts: dict[str, int] = {}
    for (word, _), count in pairs.items():
        counts[word] = counts.get(word, 0) + count
    return counts


def _row(found: list[tuple[int, float]]) -> tuple[Ints, Floats]:
    tag, log_p = zip(*sorted(found), strict=True)
    return np.array(tag, dtype=np.int64), np.array(log_p, dtype=np.float64)
