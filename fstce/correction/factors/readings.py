"""Readings: what observed sentences may have been meant to be, packed, and what speaks for each.

The lattice of a sentence has its arcs scored by columns, split by word histories where an n-gram
model is used, pruned by what is cheap to ask, and composed with the tagger:

======================================  ==================================================
:mod:`fstce.correction.factors.columns`         what speaks for each arc
:mod:`fstce.correction.factors.weighting`       states that know the words before them
:mod:`fstce.correction.factors.pruning`         what is not worth asking the model
:mod:`fstce.correction.factors.composing`       lattices with structures
======================================  ==================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fstce.correction.factors.columns import MARKS_KNOWN, Factors, Marks, ScoredArcs, scored_arcs, with_words
from fstce.correction.factors.composing import composed
from fstce.correction.factors.pruning import FORGIVING, pruned
from fstce.correction.factors.respelling import Respellings
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import total
from fstce.numeric.types import Bools, Floats, Ints
from fstce.wfsa.batch import Batch, Columns
from fstce.wfsa.paths import best_paths
from fstce.wfsa.sumproduct import SumProduct


@dataclass(frozen=True)
class Readings:
    """The product automata of observed sentences' lattices; A arcs, B lattice arcs.

    ``arc`` (A,): the lattice arc of each arc. ``columns`` (columns − 1, B): all columns but the model's.
    ``word`` (B,): the symbol of each lattice arc. ``slot`` (B,): how many words that are no marks come before
    it in its sentence. ``sentence`` (B,): the sentence of each lattice arc. ``repeats`` (B,): how many of it
    are among the two marks before it in its slot, if it is a mark. ``code`` (B,): what it is beside the typed
    words; see :mod:`fstce.correction.factors.respelling`.
    """

    batch: Batch
    arc: Ints
    cells: Floats
    columns: Floats
    word: Ints
    slot: Ints
    sentence: Ints
    repeats: Ints
    code: Ints
    symbols: Symbols

    def weighted(self, exponents: Floats) -> tuple[Batch, Floats]:
        """The automata under these exponents (shape (columns,)), and the scores of their cells."""
        bias = (exponents[1:] @ self.columns)[self.arc]
        return replace(self.batch, bias=bias), exponents[0] * self.cells

    def best(self, exponents: Floats) -> list[Ints]:
        """The lattice arcs of each sentence's best path (Eq. 11), without its end."""
        rows, _ = best_paths(*self.weighted(exponents))
        return self.paths(rows)

    def paths(self, rows: Ints) -> list[Ints]:
        """The lattice arcs, without ends, of the automata's paths, −1 behind them, shape (paths, longest)."""
        owner = np.nonzero(rows >= 0)[0]
        arcs = self.arc[rows[rows >= 0]]
        kept = self.word[arcs] != END_ID
        sizes = np.bincount(owner[kept], minlength=len(rows))
        return np.split(arcs[kept], np.cumsum(sizes)[:-1])

    def mass(self, exponents: Floats) -> Floats:
        """The posterior probability of each lattice arc, over all structures (Eq. 10), shape (B,)."""
        batch, scores = self.weighted(exponents)
        return total(self.arc, SumProduct(batch).posteriors(scores), len(self.word))

    def log_z(self, exponents: Floats) -> Floats:
        """The log of the sum over each sentence's paths, shape (sentences,)."""
        batch, scores = self.weighted(exponents)
        return SumProduct(batch).log_z(scores)

    def expected(self, exponents: Floats) -> tuple[float, Floats]:
        """Σ log Z over the sentences and its gradient: the expected value of each column."""
        batch, scores = self.weighted(exponents)
        sums = SumProduct(batch)
        arcs = sums.posteriors(scores)
        mass = total(self.arc, arcs, len(self.word))
        model = float(total(batch.cell.astype(np.int64), arcs, len(scores)) @ self.cells)
        return float(sums.log_z(scores).sum()), np.append(model, self.columns @ mass)

    def words(self, arcs: Ints) -> list[str]:
        """The words of lattice arcs."""
        return self.symbols.words_of(self.word[arcs].tolist())


def read(
    lattices: Sequence[Lattice],
    factors: Factors,
    exponents: Floats,
    *,
    marks: Marks = frozenset(),
    typed: Sequence[Sequence[str]],
    prune: float = 1e-6,
    respellings: Respellings | None = None,
) -> Readings:
    """Split, prune and compose the lattices of observed sentences.

    ``lattices``: over one alphabet, without wildcards, their weights the channel's costs. ``exponents``
    (columns,): for pruning, which asks all but the model. ``prune``: arcs of less posterior probability
    without the model are left out; 0 for none.
    """
    found = scored_arcs(lattices, factors, typed, marks, respellings)
    names = [lattice.name for lattice in lattices]
    return read_arcs(found, lattices[0].symbols, names, factors, exponents, prune)


def read_arcs(
    found: ScoredArcs,
    symbols: Symbols,
    names: Sequence[str],
    factors: Factors,
    exponents: Floats,
    prune: float,
) -> Readings:
    """The same from the scored arcs of the lattices, and the names of these."""
    model = factors.ngrams
    known = max(model.order if model else 1, 1 + MARKS_KNOWN if np.any(found.mark) else 1)
    if model is None and factors.tagger is not None:
        prune = 0.0  # what is cheap to ask then knows no context, which the tagger alone has
    for length in range(1, known + 1):
        # Most candidates fall by a word or two, before longer histories multiply the states.
        if length > 1 or model is not None:
            found = with_words(found, symbols, model, length)
        if prune > 0:
            found = pruned(found, exponents, prune if length == known else prune * FORGIVING)
    batch, arc, cells = composed(found.machines, factors.tagger, symbols, names)
    word, repeats = found.machines.word.astype(np.int64), _repeats(found.machines, found.mark)
    slot, sentence, code = found.slot, found.sentence, found.code
    return Readings(batch, arc, cells, found.columns, word, slot, sentence, repeats, code, symbols)


def _repeats(machines: Columns, mark: Bools) -> Ints:
    """How many of each arc's mark are among the two marks before it in its slot, which its state knows."""
    last, before = np.full(machines.states, -1), np.full(machines.states, -1)
    last[machines.next[mark]] = machines.word[mark]
    # A state has one last word: where that is a mark, its sources have one, too.
    before[machines.next[mark]] = last[machines.source[mark]]
    same = (last[machines.source] == machines.word).astype(np.int64) + (
        before[machines.source] == machines.word
    )
    return np.where(mark, same, 0)
