"""From posteriors to corrections: which words to change, and how sure that is.

A *slot* is what stands where one observed word stood: the word, with the marks before it. Where two
words were observed as one, both stand in its slot; where one was observed as two, it stands in the
first one's and the other is empty. Of words the most probable of each slot are chosen, over all
sentences and structures; of marks those of the best (sentence, structure) pair (2005b, Eq. 11).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.corpora.words import common_ends
from fstce.correction.factors.candidate_lattices import CandidateLattices
from fstce.correction.factors.respacing import written
from fstce.correction.factors.respelling import SHARE, Respelling
from fstce.machines.symbols import END_ID
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows
from fstce.wfsa.decoder import best_paths

Words = tuple[str, ...]


class Filling(NamedTuple):
    """A word in a slot, whatever words are around, and how it stands there."""

    slot: int
    word: str
    respelling: int = Respelling.PLAIN


@dataclass(frozen=True)
class Change:
    """A place where a correction differs from what was observed.

    ``start``, ``end``: the observed tokens ``start:end``; none where something is inserted.
    ``observed``, ``words``: what stood there, and what shall. ``probability``: the posterior
    probability of the change.
    """

    start: int
    end: int
    observed: Words
    words: Words
    probability: float


@dataclass(frozen=True)
class Correction:
    """A corrected sentence.

    ``alternatives``: for each observed word what may have been intended, most probable first; for a
    mark, only whether it stays. ``decoder``: how the sentence was chosen: ``words``, ``best``;
    ``unchanged`` where the lattice exceeded a limit.
    """

    observed: Words
    words: Words
    changes: tuple[Change, ...] = ()
    alternatives: tuple[tuple[tuple[str, float], ...], ...] = field(default=())
    decoder: str = "unchanged"

    def ranked(self, n: int) -> Correction:
        """The correction with n alternatives of each word at most."""
        return replace(self, alternatives=tuple(row[:n] for row in self.alternatives))


def with_words(observed: Sequence[str], words: Sequence[str]) -> Correction:
    """The correction to as many other words, of whose probability nothing is known."""
    pairs = enumerate(zip(observed, words, strict=True))
    changes = [Change(i, i + 1, (a,), (b,), 1.0) for i, (a, b) in pairs if a != b]
    return Correction(tuple(observed), tuple(words), tuple(changes), decoder="best")


def corrections(
    lattices: CandidateLattices,
    exponents: Floats,
    sentences: Rows,
    *,
    marks: Collection[str] = frozenset(),
    threshold: float = 0.0,
    n: int = 5,
) -> list[Correction]:
    """Correct the sentences that the lattices are of.

    ``exponents`` is (columns,). ``marks``: those that may come and go, where words stay.
    ``threshold``: changes of less posterior probability are not made. ``n``: how many alternatives
    are given of a word.
    """
    arcs, mass = _filled(lattices, lattices.mass(exponents))
    paths = lattices.best(exponents) if marks else _most_probable(lattices, mass)

    corrected = []
    expected = _expected(lattices, arcs, mass)
    for sentence, masses, path in zip(sentences, expected, paths, strict=True):
        slots = Slots(sentence, masses, marks)
        corrected.append(slots.corrected(_fillings(lattices, path), threshold, n))
    return corrected


def _filled(lattices: CandidateLattices, mass: Floats) -> tuple[Ints, Floats]:
    """An arc of each filling, and, for each arc, how often its filling is expected on a path.

    ``mass`` (arcs,): how often each arc is.
    """
    arcs = lattices.arcs
    columns = (arcs.sentence, arcs.slot, arcs.machines.word, arcs.respelling)
    key = np.ravel_multi_index(columns, [int(column.max()) + 1 for column in columns])
    _, arc, filling = np.unique(key, return_index=True, return_inverse=True)
    return arc, total(filling, mass, len(arc))[filling]


def _fillings(lattices: CandidateLattices, arcs: Ints) -> list[Filling]:
    respelling = lattices.arcs.respelling[arcs].tolist()
    return list(map(Filling, lattices.arcs.slot[arcs].tolist(), lattices.words(arcs), respelling))


def _most_probable(lattices: CandidateLattices, mass: Floats) -> list[Ints]:
    """The paths with the most right words expected."""
    # However many words stand for the observed ones.
    worth = mass * SHARE[lattices.arcs.respelling]
    batch = replace(lattices.batch, bias=worth[lattices.arc])
    rows, _ = best_paths(batch, np.zeros(len(lattices.cells)))
    return lattices.paths(rows)


def _expected(lattices: CandidateLattices, arcs: Ints, mass: Floats) -> list[dict[Filling, float]]:
    """For each sentence how often each filling is expected: once at most, if it is no mark."""
    arcs = arcs[(mass[arcs] > 0) & (lattices.arcs.machines.word[arcs] != END_ID)]
    tables: list[dict[Filling, float]] = [{} for _ in range(lattices.batch.n_machines)]
    columns = lattices.arcs.sentence[arcs].tolist(), _fillings(lattices, arcs), mass[arcs].tolist()
    for sentence, filling, of_filling in zip(*columns, strict=True):
        tables[sentence][filling] = of_filling

    return tables


class Passage(NamedTuple):
    """Tokens ``start:end`` that change together, from a slot on, and the words in their place."""

    slot: int
    start: int
    end: int
    steps: list[Filling]


class Slots:
    """A sentence in slots, and how often what may stand in them is expected there.

    ``marks``: which words are marks; the last slot holds those behind the last word.
    """

    def __init__(
        self, sentence: Sequence[str], expected: dict[Filling, float], marks: Collection[str]
    ) -> None:
        self._observed = tuple(sentence)
        self._expected = expected
        self._marks = marks
        ends = [i + 1 for i, word in enumerate(self._observed) if word not in marks]
        # Between two of them are a word and the marks before it.
        self._bounds = [0, *ends, len(self._observed)]

    def corrected(self, path: list[Filling], threshold: float, n: int) -> Correction:
        """The correction along a path; changes of less probability are not made."""
        decoder = "best" if self._marks else "words"
        alternatives = self._alternatives(n)
        if tuple(step.word for step in path) == self._observed:
            return Correction(self._observed, self._observed, (), alternatives, decoder)

        words: list[str] = []
        changes: list[Change] = []
        for passage in self._passages(path):
            observed = self._observed[passage.start : passage.end]
            intended = tuple(step.word for step in passage.steps)
            if observed != intended:
                probability = self._probability_of(passage, observed, intended)
                if probability >= threshold:
                    changes.append(_change(passage.start, observed, intended, probability))
                else:
                    intended = observed
            words += intended

        return Correction(self._observed, tuple(words), tuple(changes), alternatives, decoder)

    def _passages(self, path: list[Filling]) -> Iterator[Passage]:
        """The passages of a path: slot by slot, or two where words are joined."""
        steps_in: list[list[Filling]] = [[] for _ in self._bounds[1:]]
        for step in path:
            steps_in[step.slot].append(step)

        slot = 0
        while slot < len(steps_in):
            last = slot
            steps = steps_in[slot]
            if steps and steps[-1].respelling == Respelling.JOINED:
                last = slot + 1
                steps = [*steps, *steps_in[last]]
            yield Passage(slot, self._bounds[slot], self._bounds[last + 1], steps)
            slot = last + 1

    def _probability_of(self, passage: Passage, observed: Words, intended: Words) -> float:
        """The probability of a change: of its least probable word, or that a word went.

        Of respelt words only these are asked. What only changes its order is not known to be
        probable.
        """
        respelt = [step for step in passage.steps if step.respelling]
        if respelt:
            return min(self._at_least(1, step) for step in respelt)

        before, after = Counter(observed), Counter(intended)
        added = [(after[word], Filling(passage.slot, word)) for word in after - before]
        gone = [(before[word], Filling(passage.slot, word)) for word in before - after]
        absent = [1 - self._at_least(*row) for row in gone]
        return min([*(self._at_least(*row) for row in added), *absent], default=0.0)

    def _at_least(self, times: int, filling: Filling) -> float:
        """The probability that a word stands so many times in a slot, if it does so once less."""
        return min(max(self._expected.get(filling, 0.0) - times + 1, 0.0), 1.0)

    def _alternatives(self, n: int) -> tuple[tuple[tuple[str, float], ...], ...]:
        """Of each observed word what it may be; what two are joined to stands with both."""
        in_slot = self._candidates()
        rows: list[tuple[tuple[str, float], ...]] = []
        for number, (start, end) in enumerate(pairwise(self._bounds)):
            ranked = sorted(in_slot[number], key=lambda row: (-row[1], row[0]))[:n]
            for i, word in enumerate(self._observed[start:end], start):
                if word in self._marks:
                    times = self._observed[start : i + 1].count(word)
                    rows.append(((word, self._at_least(times, Filling(number, word))),))
                else:
                    rows.append(tuple(ranked))

        return tuple(rows)

    def _candidates(self) -> list[list[tuple[str, float]]]:
        """By slot what its word may be, with the posterior probability."""
        in_slot: list[list[tuple[str, float]]] = [[] for _ in self._bounds[1:]]
        seconds: list[list[str]] = [[] for _ in in_slot]
        first: list[tuple[int, str, float]] = []

        for (slot, word, respelling), mass in self._expected.items():
            probability = min(mass, 1.0)
            if respelling in (Respelling.SECOND, Respelling.PIECE):
                seconds[slot].append(word)
            elif respelling == Respelling.FIRST:
                first.append((slot, word, probability))
            elif word not in self._marks:
                in_slot[slot].append((word, probability))
                if respelling == Respelling.JOINED:
                    in_slot[slot + 1].append((word, probability))

        for slot, word, probability in first:
            observed = self._observed[self._bounds[slot + 1] - 1]
            in_slot[slot].append((_pair(observed, word, seconds[slot]), probability))
        return in_slot


def _change(start: int, observed: Words, intended: Words, probability: float) -> Change:
    """The change of a passage, without the words at its ends that stay."""
    begin, end = common_ends(observed, intended)
    stop = len(observed) - end
    words = intended[begin : len(intended) - end]
    return Change(start + begin, start + stop, observed[begin:stop], words, probability)


def _pair(observed: str, first: str, seconds: Sequence[str]) -> str:
    """The two words that were observed as one, as they are written."""
    size = len(observed) - sum(map(str.isalpha, first))
    second = next(word for word in seconds if sum(map(str.isalpha, word)) == size)
    return written((first, second))
