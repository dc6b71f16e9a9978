"""Brute-force twins of the corrector: every sentence of a lattice with every structure, one by one."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from oracles import Weights, log_sum, log_weight, taggings

from fstce.machines.lattice import Lattice

Words = tuple[str, ...]
Pair = tuple[Words, Words]

START_OR_END, UNSEEN = "<boundary>", "<unseen>"


class KneserNey:
    """Interpolated Kneser–Ney (Chen & Goodman 1999, §3) from dictionaries of counts."""

    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        self.order = order
        self.words = {word for row in sentences for word in row}
        self.counts: dict[int, Counter[Words]] = {order: Counter()}
        for row in sentences:
            padded = (*[START_OR_END] * (order - 1), *row, START_OR_END)
            for i in range(len(row) + 1):
                self.counts[order][padded[i : i + order]] += 1
        for n in range(order - 1, 0, -1):
            self.counts[n] = Counter(longer[1:] for longer in self.counts[n + 1])

    def discount(self, n: int) -> float:
        once, twice = (sum(c == k for c in self.counts[n].values()) for k in (1, 2))
        return once / (once + 2 * twice) if once and twice else 0.5

    def p(self, word: str, history: Words) -> float:
        """p(word | history), of at most order − 1 words."""
        n = len(history) + 1
        followers = {gram: c for gram, c in self.counts[n].items() if gram[:-1] == history}
        total, discount = sum(followers.values()), self.discount(n)
        if not total:
            return self.p(word, history[1:])
        own = max(followers.get((*history, word), 0) - discount, 0) / total
        left = 1 - sum(max(c - discount, 0) for c in followers.values()) / total
        if n > 1:
            return own + left * self.p(word, history[1:])
        return own if (word,) in followers else left

    def log_p(self, words: Sequence[str]) -> float:
        """log p of a sentence with its end; words that training did not see are all the same."""
        known = [word if word in self.words else UNSEEN for word in words]
        padded = (*[START_OR_END] * (self.order - 1), *known, START_OR_END)
        grams = (padded[i : i + self.order] for i in range(len(known) + 1))
        return sum(math.log(self.p(gram[-1], gram[:-1])) for gram in grams)


def costs_of(lattice: Lattice) -> dict[Words, float]:
    """Each sentence of a deterministic lattice and its weight, −log."""
    arcs = defaultdict(list)
    arrays = lattice.arrays
    columns = (arrays.source, arrays.ilabel, arrays.weight, arrays.next)
    for source, label, weight, target in zip(*(column.tolist() for column in columns), strict=True):
        arcs[source].append((lattice.symbols.word(label), weight, target))

    def walk(state: int) -> Iterator[tuple[Words, float]]:
        if math.isfinite(arrays.final[state]):
            yield (), float(arrays.final[state])
        for word, weight, target in arcs[state]:
            for rest, cost in walk(target):
                yield (word, *rest), weight + cost

    return dict(walk(arrays.start))


@dataclass
class BruteReadings:
    """The scores of all (sentence, structure) pairs of one lattice.

    The structure is a tag sequence, or nothing where there is no tagger.
    """

    lattice: Lattice
    observed: Words
    exponents: Sequence[float]
    known: Callable[[str], bool]
    log_p: Callable[[Sequence[str]], float] | None = None
    spelt: Callable[[str], float] | None = None
    tagger: tuple[Weights, object, int] | None = None
    marks: Container[str] = frozenset()
    share: Callable[[str], float] = lambda word: 0.0
    columns: dict[Pair, list[float]] = field(init=False)
    score: dict[Pair, float] = field(init=False)

    def __post_init__(self) -> None:
        costs = costs_of(self.lattice)
        self.columns = {
            (words, tags): [self._model(words, tags), *self._of_words(words, cost)]
            for words, cost in costs.items()
            for tags in self._structures(words)
        }
        self.score = {
            pair: math.fsum(a * b for a, b in zip(self.exponents, row, strict=True))
            for pair, row in self.columns.items()
        }
        self.log_z = log_sum(self.score.values())
        self.probability = {
            pair: math.exp(value - self.log_z) for pair, value in self.score.items()
        }

    def expected(self) -> list[float]:
        """The expected value of each column."""
        rows = [[p * value for value in self.columns[pair]] for pair, p in self.probability.items()]
        return np.sum(rows, axis=0).tolist()

    def best(self) -> Words:
        """The words of the best pair (2005b, Eq. 11)."""
        return max(self.score, key=lambda pair: self.score[pair])[0]

    def sums(self) -> dict[Words, float]:
        """The probability of each sentence, over its structures (2005b, Eq. 10)."""
        found: dict[Words, float] = defaultdict(float)
        for (words, _), p in self.probability.items():
            found[words] += p
        return dict(found)

    def fillings(self) -> dict[tuple[int, str], float]:
        """How often each word is expected in each slot."""
        expected: dict[tuple[int, str], float] = defaultdict(float)
        for words, p in self.sums().items():
            slot = 0
            for word in words:
                expected[slot, word] += p
                slot += word not in self.marks
        return dict(expected)

    def _structures(self, words: Words) -> list[Words]:
        return [()] if self.tagger is None else taggings(words, self.tagger[1])  # type: ignore[arg-type]

    def _model(self, words: Words, tags: Words) -> float:
        return (
            0.0 if self.tagger is None else log_weight(words, tags, self.tagger[0], self.tagger[2])
        )

    def _of_words(self, words: Words, cost: float) -> list[float]:
        intended = [word for word in words if word not in self.marks]
        observed = [word for word in self.observed if word not in self.marks]
        changed = [(a, b) for a, b in zip(intended, observed, strict=True) if a != b]
        restored = [
            a
            for a, b in changed
            if unicodedata.normalize("NFD", a).encode("ascii", "ignore").decode() == b
        ]
        unknown = [word for word in words if not self.known(word)]
        return [
            0.0 if self.log_p is None else self.log_p(words),
            -cost,
            len(restored) - len(changed),
            -len(unknown),
            0.0 if self.spelt is None else sum(map(self.spelt, unknown)),
            sum(map(self.share, words)),
            sum(word in self.marks for word in words),
            sum(word[0].isupper() and not self.known(word) for word in intended[1:]),
            0.0,  # nothing is split, joined or contracted
            -len(restored),
        ]


def derived_log_p(
    word: str, stems: set[str], parts: dict[tuple[int, str], float], case: float
) -> float:
    """log p of a word that is made of known stems: every way to cut it, one by one.

    `parts` are λ p(part) by kind (0 an ending, 1 an opening, 2 a compound) and part.
    """
    total, low = 0.0, word.lower()
    for at in range(1, len(low)):
        first, second = low[:at], low[at:]
        if first in stems:
            total += parts.get((0, second), 0.0) / len(stems)
        if second in stems:
            total += parts.get((1, first), 0.0) / len(stems)
        if first in stems and second in stems:
            total += parts[2, ""] / len(stems) ** 2
    return math.log(total * case) if total else -math.inf
