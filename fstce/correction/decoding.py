"""From posteriors to corrections: which words to change, and how sure that is.

A *slot* is what stands where one observed word stood: the word, with the marks before it. Where two
words were observed as one, both stand in its slot; where one was observed as two, it stands in the first
one's and the other is empty. The best filling is chosen in one of three ways:

=========  ==========================================================================
``words``  the most probable word of each slot, over all sentences and structures
``best``   the words of the best (sentence, structure) pair (2005b, Eq. 11)
``sum``    the sentence whose structures have the greatest sum (2005b, Eq. 10)
=========  ==========================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from fstce.correction.factors.candidate_lattices import CandidateLattices
from fstce.correction.factors.columns import COLUMNS, MARKS_KNOWN
from fstce.correction.factors.respelling import FIRST, JOINED, MOVED, PIECE, PLAIN, SECOND, SHARE
from fstce.correction.mistakes.respacing import written
from fstce.errors import MachineError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini
from fstce.machines.symbols import END_ID
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.batch import Batch
from fstce.wfsa.decoder import best_paths

Words = tuple[str, ...]
# Slot, word, and how many of the same are among the marks before it, or behind those its code.
Table = dict[tuple[int, str, int], float]
Step = tuple[int, str, int]  # slot, word, code

SUM_STATES = 20_000  # an exact sum over structures may need so many states
COPIES = MARKS_KNOWN + 1
# The last keys of a table: by code; of what fills the place of one word as a plain one does, none.
KIND = np.zeros(len(SHARE), dtype=np.int64)
KIND[[JOINED, FIRST, SECOND, PIECE]] = COPIES + np.array([0, 1, 2, 2])
KIND_JOINED, KIND_FIRST, KIND_SECOND = KIND[[JOINED, FIRST, SECOND]].tolist()
KINDS = COPIES + 3
TIED = 1e-9  # sums in another order differ by less
EVEN = 0.5  # posterior probability from which marks come and go by default


@dataclass(frozen=True)
class Change:
    """A place where a correction differs from what was observed.

    ``start``, ``end``: the observed tokens ``start:end``; none where something is inserted. ``observed``,
    ``words``: what stood there, and what shall. ``probability``: the posterior probability of the change.
    """

    start: int
    end: int
    observed: Words
    words: Words
    probability: float


@dataclass(frozen=True)
class Correction:
    """A corrected sentence.

    ``alternatives``: for each observed word what may have been intended, most probable first; for a mark,
    only whether it stays. ``decoder``: how the sentence was chosen: ``words``, ``best``, ``sum``
    (``best`` where the sum exceeded its limit); ``unchanged`` where the lattice exceeded one.
    """

    observed: Words
    words: Words
    changes: tuple[Change, ...] = ()
    alternatives: tuple[tuple[tuple[str, float], ...], ...] = field(default=())
    decoder: str = "unchanged"

    def ranked(self, n: int) -> Correction:
        """The same with n alternatives of each word at most."""
        return replace(self, alternatives=tuple(row[:n] for row in self.alternatives))


def with_words(observed: Sequence[str], words: Sequence[str]) -> Correction:
    """The correction of a sentence to as many other words, of whose probability nothing is known."""
    differ = [
        (i, *pair) for i, pair in enumerate(zip(observed, words, strict=True)) if pair[0] != pair[1]
    ]
    changes = tuple(Change(i, i + 1, (own,), (word,), 1.0) for i, own, word in differ)
    return Correction(tuple(observed), tuple(words), changes, decoder="best")


def corrections(
    lattices: CandidateLattices,
    exponents: Floats,
    sentences: Sequence[Sequence[str]],
    *,
    marks: Container[str] = frozenset(),
    decoder: str = "words",
    threshold: float = 0.0,
    of_marks: float = EVEN,
    n: int = 5,
) -> list[Correction]:
    """Correct the sentences that the lattices are of.

    ``exponents`` is (columns,). ``threshold``: changes of less posterior probability are not made;
    ``of_marks``: marks that come or go must reach it. ``n``: how many alternatives are given of a word.
    """
    fillings = _fillings(lattices, lattices.mass(exponents))
    if decoder == "sum":
        chosen, how = _summed(lattices, exponents, marks)
    else:
        words = decoder == "words"
        paths = _most_probable(lattices, fillings, of_marks) if words else lattices.best(exponents)
        chosen, how = [_steps(lattices, arcs) for arcs in paths], [decoder] * len(paths)
    table = _by_slot(lattices, fillings)
    return [
        _Sentence(tuple(sentence), table[i], marks, of_marks).corrected(path, threshold, n, how[i])
        for i, (sentence, path) in enumerate(zip(sentences, chosen, strict=True))
    ]


class _Fillings(NamedTuple):
    """What stands in the slots of sentences: a word and the last key of its table, whatever words are around.

    ``of`` (arcs,): the filling that each lattice arc is of. ``arc``, ``kind``, ``mass`` (fillings,): one of
    its arcs, that key, and its posterior probability.
    """

    of: Ints
    arc: Ints
    kind: Ints
    mass: Floats


def _fillings(lattices: CandidateLattices, mass: Floats) -> _Fillings:
    kind = KIND[lattices.code]
    kind = np.where(kind > 0, kind, lattices.repeats)
    place = lattices.sentence * (int(lattices.slot.max()) + 1) + lattices.slot
    key = (place * (int(lattices.word.max()) + 1) + lattices.word) * KINDS + kind
    _, arc, of = np.unique(key, return_index=True, return_inverse=True)
    return _Fillings(of, arc, kind[arc], total(of, mass, len(arc)))


def _steps(lattices: CandidateLattices, arcs: Ints) -> list[Step]:
    """The words of lattice arcs with their slots and codes."""
    return list(
        zip(
            lattices.slot[arcs].tolist(),
            lattices.words(arcs),
            lattices.code[arcs].tolist(),
            strict=True,
        )
    )


def _most_probable(lattices: CandidateLattices, fillings: _Fillings, least: float) -> list[Ints]:
    """The paths with the greatest expected number of right words; a mark must be so probable at least."""
    is_mark = lattices.columns[COLUMNS.index("marks") - 1]
    worth = (fillings.mass[fillings.of] - least * is_mark) * SHARE[
        lattices.code
    ]  # however many words
    rows, _ = best_paths(
        replace(lattices.batch, bias=worth[lattices.arc]), np.zeros(len(lattices.cells))
    )
    return lattices.paths(rows)


def _by_slot(lattices: CandidateLattices, fillings: _Fillings) -> list[Table]:
    """For each sentence the posterior probability of each word in each slot, a mark's by its copies."""
    kept = (fillings.mass > 0) & (lattices.word[fillings.arc] != END_ID)
    arc, kind, mass = fillings.arc[kept], fillings.kind[kept], np.minimum(fillings.mass[kept], 1.0)
    columns = (
        column.tolist() for column in (lattices.sentence[arc], lattices.slot[arc], kind, mass)
    )
    tables: list[Table] = [{} for _ in range(lattices.batch.n_machines)]
    for word, sentence, slot, last, value in zip(lattices.words(arc), *columns, strict=True):
        tables[sentence][slot, word, last] = value
    return tables


class _Sentence:
    """A sentence, the posterior probabilities of what stands in its slots, and which words are marks.

    ``slots``: the tokens of each; the last holds the marks behind the last word. ``of_marks``: the least
    probability of a mark that comes.
    """

    def __init__(
        self, observed: Words, table: Table, marks: Container[str], of_marks: float
    ) -> None:
        self.observed, self.table, self.marks, self.of_marks = observed, table, marks, of_marks
        ends = [i + 1 for i, word in enumerate(observed) if word not in marks]
        self.slots = list(pairwise([0, *ends, len(observed)]))

    def corrected(self, path: list[Step], threshold: float, n: int, how: str) -> Correction:
        """The correction along a path; changes of less probability are not made."""
        observed, ranked = self.observed, self._alternatives(n)
        if tuple(word for _, word, _ in path) == observed:
            return Correction(observed, observed, (), ranked, how)
        words: list[str] = []
        changes = []
        filled: list[list[Step]] = [[] for _ in self.slots]
        for step in path:
            filled[step[0]].append(step)
        for first, behind in _runs(filled):
            start, end = self.slots[first][0], self.slots[behind - 1][1]
            own = list(observed[start:end])
            steps = list(chain(*filled[first:behind]))
            new = [word for _, word, _ in steps]
            if own != new and how == "words" and self._is_unlikely(first, own, new):
                # Equal marks far apart are one entry of the table, whose sum misled the choice.
                kept = [word for word in own if word in self.marks]
                new = [*kept, *(word for word in new if word not in self.marks)]
            if own != new:
                # That of the least probable of respelt words.
                respelt = [
                    (slot, word, int(KIND[code])) for slot, word, code in steps if code != PLAIN
                ]
                probability = min((self.table.get(key, 0.0) for key in respelt), default=None)
                if probability is None:
                    probability = self._confidence(first, own, new)
                if probability >= threshold:
                    changes.append(_change(start, own, new, probability))
                else:
                    new = own
            words += new
        return Correction(observed, tuple(words), tuple(changes), ranked, how)

    def _confidence(self, slot: int, own: Sequence[str], new: Sequence[str]) -> float:
        """How probable a filling is: that of its least probable word, or of the absence of what went.

        What only changes its order is not known to be probable.
        """
        before, after = _keys(own), _keys(new)
        present = [self.table.get((slot, *key), 0.0) for key in after - before]
        absent = [1.0 - self.table.get((slot, *key), 0.0) for key in before - after]
        return max(0.0, min([*present, *absent], default=0.0))

    def _is_unlikely(self, slot: int, own: Sequence[str], new: Sequence[str]) -> bool:
        """Whether a mark comes that is less probable than one must be."""
        come = [key for key in _keys(new) - _keys(own) if key[0] in self.marks]
        return any(self.table.get((slot, *key), 0.0) < self.of_marks - TIED for key in come)

    def _alternatives(self, n: int) -> tuple[tuple[tuple[str, float], ...], ...]:
        """Of each observed word what it may be; what two are joined to stands with both."""
        observed, table, marks = self.observed, self.table, self.marks
        by_slot: list[list[tuple[str, float]]] = [[] for _ in self.slots]
        second: dict[int, list[str]] = {}
        respelt: list[tuple[tuple[int, str, int], float]] = []
        for key, value in table.items():
            slot, word, kind = key
            if kind >= COPIES:
                respelt.append((key, value))
                if kind == KIND_SECOND:
                    second.setdefault(slot, []).append(word)
            elif not kind and word not in marks:
                by_slot[slot].append((word, value))
        for (slot, word, kind), value in respelt:
            if kind == KIND_JOINED:
                by_slot[slot].append((word, value))
                by_slot[slot + 1].append((word, value))
            elif kind == KIND_FIRST:
                by_slot[slot].append(
                    (_pair(observed[self.slots[slot][1] - 1], word, second[slot]), value)
                )
        rows: list[tuple[tuple[str, float], ...]] = []
        for slot, (start, end) in enumerate(self.slots):
            found = sorted(by_slot[slot], key=lambda row: (-row[1], row[0]))
            for i, word in enumerate(observed[start:end], start):
                if word in marks:
                    copy = observed[max(start, i - MARKS_KNOWN) : i].count(word)
                    rows.append(((word, table.get((slot, word, copy), 0.0)),))
                else:
                    rows.append(tuple(found[:n]))
        return tuple(rows)


def _runs(filled: Sequence[Sequence[Step]]) -> Iterator[tuple[int, int]]:
    """The first slot of what changes together, and the end: two where words are joined or moved."""
    slot = 0
    while slot < len(filled):
        wide = bool(filled[slot]) and filled[slot][-1][2] in (JOINED, MOVED)
        yield slot, slot + 1 + wide
        slot += 1 + wide


def _keys(filling: Sequence[str]) -> Counter[tuple[str, int]]:
    """The words of a filling as the table has them: with how many of the words before are the same."""
    return Counter(
        (word, filling[max(i - MARKS_KNOWN, 0) : i].count(word)) for i, word in enumerate(filling)
    )


def _change(start: int, own: Sequence[str], new: Sequence[str], probability: float) -> Change:
    """A slot's difference without the words that both have at its ends."""
    a = 0
    while a < min(len(own), len(new)) and own[a] == new[a]:
        a += 1
    b = 0
    while b < min(len(own), len(new)) - a and own[-1 - b] == new[-1 - b]:
        b += 1
    old, fresh = tuple(own[a : len(own) - b]), tuple(new[a : len(new) - b])
    return Change(start + a, start + len(own) - b, old, fresh, probability)


def _pair(observed: str, first: str, seconds: Sequence[str]) -> str:
    """The two words that were observed as one, as they are written."""
    size = len(observed) - sum(map(str.isalpha, first))
    return written((first, next(word for word in seconds if sum(map(str.isalpha, word)) == size)))


def _summed(
    lattices: CandidateLattices, exponents: Floats, marks: Container[str]
) -> tuple[list[list[Step]], list[str]]:
    """The sentences with the greatest sums over structures, of the best paths where these exceed a limit."""
    batch, scores = lattices.weighted(exponents)
    word = (lattices.word * len(SHARE) + lattices.code)[lattices.arc]
    arc_scores = batch.arc_scores(scores)
    chosen, how = [], []
    best: list[Ints] = []
    machine = batch.machine[batch.source]
    for number in range(batch.n_machines):
        arcs = np.flatnonzero(machine == number)
        try:
            words = _best_sentence(batch, number, arcs, word, arc_scores)
            chosen.append(_placed(words, lattices, marks))
            how.append("sum")
        except MachineError:
            best = best or lattices.best(exponents)
            chosen.append(_steps(lattices, best[number]))
            how.append("best")
    return chosen, how


def _placed(words: Sequence[int], lattices: CandidateLattices, marks: Container[str]) -> list[Step]:
    """Words by label and code in their slots."""
    found, place = [], 0.0
    for label, code in (divmod(item, len(SHARE)) for item in words):
        word = lattices.symbols.word(label)
        found.append((int(place), word, code))
        place += 0.0 if code == PLAIN and word in marks else float(SHARE[code])
    return found


def _best_sentence(batch: Batch, number: int, arcs: Ints, word: Ints, scores: Floats) -> list[int]:
    """Determinize in the log semiring: then each sentence is one path, whose weight is its sum."""
    states, index = np.unique(
        np.concatenate((batch.source[arcs], batch.target[arcs])), return_inverse=True
    )
    source, target = (half.astype(np.int32) for half in np.split(index, 2))
    order = np.argsort(source, kind="stable")
    final = np.full(len(states), np.inf)
    final[np.searchsorted(states, batch.final[number])] = 0.0
    label = word[arcs][order].astype(np.int32)
    start = int(np.searchsorted(states, batch.start[number]))
    arrays = Arrays(start, final, source[order], label, label, -scores[arcs][order], target[order])
    fst = arrays_to_fst(arrays, "log64")
    lattice = fst_to_arrays(algebra.to_lattice(fst, f"sentence {number + 1}", SUM_STATES))
    tropical = pynini.arcmap(arrays_to_fst(lattice, "log64"), map_type="to_standard")
    path = fst_to_arrays(pynini.shortestpath(tropical).topsort())
    return [i for i in path.ilabel.tolist() if i // len(SHARE) != END_ID]
