"""From posteriors to corrections: which words to change, and how sure that is.

A *slot* is what stands where one observed word stood: the word, with the marks before it. Where two
words were observed as one, both stand in its slot; where one was observed as two, it stands in the
first one's and the other is empty. The best filling is chosen in one of two ways:

=========  ==========================================================================
``words``  the most probable word of each slot, over all sentences and structures
``best``   the words of the best (sentence, structure) pair (2005b, Eq. 11)
=========  ==========================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from fstce.correction.factors.candidate_lattices import CandidateLattices
from fstce.correction.factors.columns import MARKS, MARKS_KNOWN
from fstce.correction.factors.respelling import RESPELLINGS, SHARE, Respelling
from fstce.correction.mistakes.respacing import written
from fstce.machines.symbols import END_ID
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows
from fstce.wfsa.decoder import best_paths

Words = tuple[str, ...]
Key = tuple[int, str, int, int]  # a Filling as it is in tables, which the collector need not follow

TIED = 1e-9  # sums in another order differ by less
EVEN = 0.5  # posterior probability from which marks come and go by default
# By respelling: what is one filling with a plain word in the place of one.
ROLE = np.array(RESPELLINGS)
ROLE[Respelling.REPLACED] = Respelling.PLAIN
ROLE[Respelling.PIECE] = Respelling.SECOND


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
    marks: Container[str] = frozenset(),
    decoder: str = "words",
    threshold: float = 0.0,
    of_marks: float = EVEN,
    n: int = 5,
) -> list[Correction]:
    """Correct the sentences that the lattices are of.

    ``exponents`` is (columns,). ``threshold``: changes of less posterior probability are not made;
    ``of_marks``: marks that come or go must reach it. ``n``: how many alternatives are given of a
    word.
    """
    table = _Table.of(lattices, lattices.mass(exponents))
    best = decoder == "best"
    paths = lattices.best(exponents) if best else _most_probable(lattices, table, of_marks)

    corrected = []
    probabilities = _probabilities(lattices, table)
    for sentence, probability, arcs in zip(sentences, probabilities, paths, strict=True):
        slots = Slots(sentence, probability, marks, of_marks)
        corrected.append(slots.corrected(_steps(lattices, arcs), threshold, n, decoder))
    return corrected


class Filling(NamedTuple):
    """A word in a slot, whatever words are around.

    ``role``: how it stands there; a plain word and one that was respelt in the place of one are
    alike. ``repeats``: how many of the same are among the marks before it.
    """

    slot: int
    word: str
    role: int = Respelling.PLAIN.value
    repeats: int = 0


class Step(NamedTuple):
    """A word on a sentence's path."""

    slot: int
    word: str
    respelling: Respelling

    @property
    def filling(self) -> Filling:
        """The filling of its slot, if it is no mark."""
        return Filling(self.slot, self.word, int(ROLE[self.respelling]))


class _Table(NamedTuple):
    """The fillings of sentences.

    ``filling`` (arcs,): that of each lattice arc. ``arc``, ``mass`` (fillings,): one of its arcs,
    and its posterior probability.
    """

    filling: Ints
    arc: Ints
    mass: Floats

    @classmethod
    def of(cls, lattices: CandidateLattices, mass: Floats) -> _Table:
        """Sum the mass of arcs (arcs,) over those that are one filling."""
        role = ROLE[lattices.respelling]
        columns = (lattices.sentence, lattices.slot, lattices.word, role, lattices.repeats)
        key = np.ravel_multi_index(columns, [int(column.max()) + 1 for column in columns])
        _, arc, filling = np.unique(key, return_index=True, return_inverse=True)
        return cls(filling, arc, total(filling, mass, len(arc)))


def _steps(lattices: CandidateLattices, arcs: Ints) -> list[Step]:
    respellings = [RESPELLINGS[i] for i in lattices.respelling[arcs].tolist()]
    return list(map(Step, lattices.slot[arcs].tolist(), lattices.words(arcs), respellings))


def _most_probable(lattices: CandidateLattices, table: _Table, least: float) -> list[Ints]:
    """The paths with the most right words expected; a mark must be so probable at least."""
    worth = table.mass[table.filling] - least * lattices.columns[MARKS]
    worth *= SHARE[lattices.respelling]  # however many words stand for the observed ones
    batch = replace(lattices.batch, bias=worth[lattices.arc])
    rows, _ = best_paths(batch, np.zeros(len(lattices.cells)))
    return lattices.paths(rows)


def _probabilities(lattices: CandidateLattices, table: _Table) -> list[dict[Key, float]]:
    """For each sentence the posterior probability of each filling."""
    is_word = (table.mass > 0) & (lattices.word[table.arc] != END_ID)
    arc = table.arc[is_word]
    tables: list[dict[Key, float]] = [{} for _ in range(lattices.batch.n_machines)]
    columns = (
        lattices.sentence[arc].tolist(),
        lattices.slot[arc].tolist(),
        lattices.words(arc),
        ROLE[lattices.respelling[arc]].tolist(),
        lattices.repeats[arc].tolist(),
        np.minimum(table.mass[is_word], 1.0).tolist(),
    )
    for sentence, slot, word, role, repeats, probability in zip(*columns, strict=True):
        tables[sentence][slot, word, role, repeats] = probability

    return tables


class Slot(NamedTuple):
    """Where one observed word stood with the marks before it: the tokens ``start:end``."""

    start: int
    end: int


class Passage(NamedTuple):
    """Tokens ``start:end`` that change together, from a slot on, and the words in their place."""

    slot: int
    start: int
    end: int
    steps: list[Step]


class Slots:
    """A sentence in slots, and the posterior probabilities of what stands in them.

    ``marks``: which words are marks; the last slot holds those behind the last word. ``of_marks``:
    the least probability of a mark that comes.
    """

    def __init__(
        self,
        sentence: Sequence[str],
        probability: dict[Key, float],
        marks: Container[str],
        of_marks: float,
    ) -> None:
        self._observed = tuple(sentence)
        self._probability = probability
        self._marks = marks
        self._of_marks = of_marks
        ends = [i + 1 for i, word in enumerate(self._observed) if word not in marks]
        self._slots = [Slot(*pair) for pair in pairwise([0, *ends, len(self._observed)])]

    def corrected(self, path: list[Step], threshold: float, n: int, decoder: str) -> Correction:
        """The correction along a path; changes of less probability are not made."""
        alternatives = self._alternatives(n)
        if tuple(step.word for step in path) == self._observed:
            return Correction(self._observed, self._observed, (), alternatives, decoder)

        words: list[str] = []
        changes: list[Change] = []
        for passage in self._passages(path):
            observed = self._observed[passage.start : passage.end]
            intended = tuple(step.word for step in passage.steps)
            if decoder == "words" and self._is_unlikely(passage.slot, observed, intended):
                intended = self._without_new_marks(observed, intended)
            if observed != intended:
                probability = self._probability_of(passage, observed, intended)
                if probability >= threshold:
                    changes.append(_change(passage.start, observed, intended, probability))
                else:
                    intended = observed
            words += intended

        return Correction(self._observed, tuple(words), tuple(changes), alternatives, decoder)

    def _passages(self, path: list[Step]) -> Iterator[Passage]:
        """The passages of a path: slot by slot, or two where words are joined."""
        steps_in: list[list[Step]] = [[] for _ in self._slots]
        for step in path:
            steps_in[step.slot].append(step)

        slot = 0
        while slot < len(self._slots):
            last = slot
            steps = steps_in[slot]
            if steps and steps[-1].respelling is Respelling.JOINED:
                last = slot + 1
                steps = [*steps, *steps_in[last]]
            yield Passage(slot, self._slots[slot].start, self._slots[last].end, steps)
            slot = last + 1

    def _without_new_marks(self, observed: Words, intended: Words) -> Words:
        """The words intended behind the marks that were observed.

        Equal marks far apart are one filling, whose sum misled the choice.
        """
        kept = [word for word in observed if word in self._marks]
        return (*kept, *(word for word in intended if word not in self._marks))

    def _probability_of(self, passage: Passage, observed: Words, intended: Words) -> float:
        """The probability of a change: of its least probable word, or that a word went.

        Of respelt words only these are asked. What only changes its order is not known to be
        probable.
        """
        respelt = [step for step in passage.steps if step.respelling is not Respelling.PLAIN]
        if respelt:
            return min(self._probability.get(step.filling, 0.0) for step in respelt)

        before, after = _fillings(passage.slot, observed), _fillings(passage.slot, intended)
        present = [self._probability.get(filling, 0.0) for filling in after - before]
        absent = [1.0 - self._probability.get(filling, 0.0) for filling in before - after]
        return max(0.0, min([*present, *absent], default=0.0))

    def _is_unlikely(self, slot: int, observed: Words, intended: Words) -> bool:
        """Whether a mark comes that is less probable than one must be."""
        new = _fillings(slot, intended) - _fillings(slot, observed)
        least = self._of_marks - TIED
        return any(
            filling.word in self._marks and self._probability.get(filling, 0.0) < least
            for filling in new
        )

    def _alternatives(self, n: int) -> tuple[tuple[tuple[str, float], ...], ...]:
        """Of each observed word what it may be; what two are joined to stands with both."""
        in_slot = self._candidates()
        rows: list[tuple[tuple[str, float], ...]] = []
        for number, (start, end) in enumerate(self._slots):
            ranked = sorted(in_slot[number], key=lambda row: (-row[1], row[0]))[:n]
            for i, word in enumerate(self._observed[start:end], start):
                if word not in self._marks:
                    rows.append(tuple(ranked))
                    continue
                repeats = self._observed[max(start, i - MARKS_KNOWN) : i].count(word)
                mark = Filling(number, word, repeats=repeats)
                rows.append(((word, self._probability.get(mark, 0.0)),))

        return tuple(rows)

    def _candidates(self) -> list[list[tuple[str, float]]]:
        """By slot what its word may be, with the posterior probability."""
        in_slot: list[list[tuple[str, float]]] = [[] for _ in self._slots]
        seconds: list[list[str]] = [[] for _ in self._slots]
        first: list[tuple[int, str, float]] = []

        for (slot, word, role, _), probability in self._probability.items():
            if role == Respelling.SECOND:
                seconds[slot].append(word)
            elif role == Respelling.FIRST:
                first.append((slot, word, probability))
            elif word not in self._marks:
                in_slot[slot].append((word, probability))
                if role == Respelling.JOINED:
                    in_slot[slot + 1].append((word, probability))

        for slot, word, probability in first:
            observed = self._observed[self._slots[slot].end - 1]
            in_slot[slot].append((_pair(observed, word, seconds[slot]), probability))
        return in_slot


def _fillings(slot: int, words: Words) -> Counter[Filling]:
    """The words of a slot as fillings: with how many of the words before are the same."""
    before = [words[max(i - MARKS_KNOWN, 0) : i] for i in range(len(words))]
    return Counter(
        Filling(slot, word, repeats=row.count(word))
        for word, row in zip(words, before, strict=True)
    )


def _change(start: int, observed: Words, intended: Words, probability: float) -> Change:
    """The change of a passage, without the words at its ends that stay."""
    shorter = min(len(observed), len(intended))
    begin = 0
    while begin < shorter and observed[begin] == intended[begin]:
        begin += 1

    end = 0
    while end < shorter - begin and observed[-1 - end] == intended[-1 - end]:
        end += 1

    stop = len(observed) - end
    words = intended[begin : len(intended) - end]
    return Change(start + begin, start + stop, observed[begin:stop], words, probability)


def _pair(observed: str, first: str, seconds: Sequence[str]) -> str:
    """The two words that were observed as one, as they are written."""
    size = len(observed) - sum(map(str.isalpha, first))
    second = next(word for word in seconds if sum(map(str.isalpha, word)) == size)
    return written((first, second))
