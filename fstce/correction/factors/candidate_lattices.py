"""Candidate lattices of observed sentences, packed, and what speaks for their arcs.

The arcs of a sentence's lattice are scored by :mod:`fstce.correction.factors.columns`, and its
states split by the words before them where there are n-grams; what is hardly
probable is pruned. Packed arcs carry the *number* of their lattice arc, so that any number of
columns may belong to an arc, and other exponents need no packing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fstce.correction.factors.columns import Factors, ScoredArcs, with_words
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.batch import Batch, Columns, pack, restricted
from fstce.wfsa.decoder import best_paths
from fstce.wfsa.sumproduct import SumProduct


@dataclass(frozen=True)
class CandidateLattices:
    """The packed lattices of observed sentences; A arcs, as many as the lattices' own, B.

    ``arc`` (A,): the lattice arc of each arc. ``columns`` (columns, B) and ``offset`` (B,): what
    speaks for each lattice arc, and whatever the exponents. ``word``
    (B,): the symbol of each lattice arc. ``slot`` (B,): how many words that are no marks come
    before it in its sentence. ``sentence`` (B,): the sentence of each lattice arc. ``repeats``
    (B,): how many of it are among the two marks before it in its slot, if it is a mark.
    ``respelling`` (B,): how it stands for observed words; see
    :mod:`fstce.correction.factors.respelling`.
    """

    batch: Batch
    arc: Ints
    columns: Floats
    offset: Floats
    word: Ints
    slot: Ints
    sentence: Ints
    respelling: Ints
    symbols: Symbols

    def best(self, worth: Floats) -> list[Ints]:
        """The lattice arcs of each sentence's best path, by the worth (B,) of arcs; no ends."""
        batch = replace(self.batch, bias=worth[self.arc])
        rows, _ = best_paths(batch, _of_cells(batch))
        path_of_arc = np.nonzero(rows >= 0)[0]
        arcs = self.arc[rows[rows >= 0]]

        is_word = self.word[arcs] != END_ID
        sizes = np.bincount(path_of_arc[is_word], minlength=len(rows))
        return np.split(arcs[is_word], np.cumsum(sizes)[:-1])

    def mass(self, exponents: Floats) -> Floats:
        """The posterior probability of each lattice arc, over all sentences, (B,)."""
        batch = self._weighted(exponents)
        return total(self.arc, SumProduct(batch).posteriors(_of_cells(batch)), len(self.word))

    def expected(self, exponents: Floats) -> tuple[float, Floats]:
        """Σ log Z over the sentences and its gradient: the expected value of each column."""
        batch = self._weighted(exponents)
        sums = SumProduct(batch)
        posteriors = sums.posteriors(_of_cells(batch))
        gradient = self.columns @ total(self.arc, posteriors, len(self.word))
        return float(sums.log_z(_of_cells(batch)).sum()), gradient

    def words(self, arcs: Ints) -> list[str]:
        """The words of lattice arcs."""
        return self.symbols.words_of(self.word[arcs].tolist())

    def worth(self, exponents: Floats) -> Floats:
        """What speaks for each lattice arc under these exponents (columns,), shape (B,)."""
        return exponents @ self.columns + self.offset

    def _weighted(self, exponents: Floats) -> Batch:
        return replace(self.batch, bias=self.worth(exponents)[self.arc])


def read_arcs(
    arcs: ScoredArcs, factors: Factors, exponents: Floats, prune: float
) -> CandidateLattices:
    """Split, prune and pack the scored lattices of observed sentences.

    ``exponents`` (columns,): for pruning. ``prune``: arcs of less posterior probability are left
    out; 0 for none.
    """
    model = factors.ngrams
    order = 1 if model is None else model.order

    for length in range(1, order + 1):
        # Most candidates fall by a word or two, before longer histories multiply the states.
        if length > 1 or model is not None:
            arcs = with_words(arcs, model, length)
        if prune > 0:
            arcs = pruned(arcs, exponents, prune if length == order else prune * FORGIVING)

    batch, arc = _packed(arcs.machines, np.zeros(len(arcs.offset)))
    return CandidateLattices(
        batch=batch,
        arc=arc,
        columns=arcs.columns,
        offset=arcs.offset,
        word=arcs.machines.word.astype(np.int64),
        slot=arcs.slot,
        sentence=arcs.sentence,
        respelling=arcs.respelling,
        symbols=arcs.symbols,
    )


FORGIVING = 0.1  # what asks fewer words than the model knows prunes by so much less


def pruned(arcs: ScoredArcs, exponents: Floats, least: float) -> ScoredArcs:
    """Leave out the arcs of less posterior probability, but for those of the best path."""
    machines = arcs.machines
    bias = exponents @ arcs.columns + arcs.offset
    batch, number = _packed(machines, bias)
    posterior = SumProduct(batch).posteriors(_of_cells(batch))

    kept = np.zeros(len(machines.word), dtype=bool)
    kept[number[posterior >= least]] = True
    kept[best_arcs(machines, bias)] = True
    return arcs.over(restricted(machines, kept))


def best_arcs(machines: Columns, worth: Floats) -> Ints:
    """The arcs of the best path of each machine, by the numbers of arcs in the place of n-grams.

    ``worth``: of the arcs of these numbers.
    """
    batch, number = _packed(machines, worth)
    best, _ = best_paths(batch, _of_cells(batch))
    return number[best[best >= 0]]


def _packed(machines: Columns, worth: Floats) -> tuple[Batch, Ints]:
    """Machines as one batch, with the number of each of its arcs."""
    batch = pack(machines._replace(ngram=machines.ngram + 1, bias=worth[machines.ngram]))
    return batch, batch.ngram[batch.cell] - 1


def _of_cells(batch: Batch) -> Floats:
    """The scores of a batch's cells, none of which says anything."""
    return np.zeros(len(batch.ngram))
