"""Candidate lattices of observed sentences, packed, and what speaks for their arcs.

The arcs of a sentence's lattice are scored by :mod:`fstce.correction.factors.columns`, and its
states split by the words before them where there are n-grams; what is hardly probable without the
tagger is pruned, and the rest composed with it. There arcs carry the *number* of their lattice arc
in place of a weight, for OpenFst adds to it only zeros: so any number of columns may belong to an
arc, and other exponents need no composition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fstce.correction.factors.columns import (
    COLUMNS,
    Factors,
    ScoredArcs,
    with_words,
)
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, ValueAndGradient
from fstce.tagging.export import WeightedTagger
from fstce.wfsa.batch import Batch, Columns, pack, pack_ended, restricted
from fstce.wfsa.decoder import TaggerScores, best_paths
from fstce.wfsa.sumproduct import SumProduct

MODEL = COLUMNS.index("model")


@dataclass(frozen=True)
class CandidateLattices:
    """The product automata of observed sentences' lattices; A arcs, B lattice arcs.

    ``arc`` (A,): the lattice arc of each arc. ``cells`` (cells,): the scores of the model.
    ``arcs``: the lattice arcs, with what speaks for them.
    """

    batch: Batch
    arc: Ints
    cells: Floats
    arcs: ScoredArcs

    def weighted(self, exponents: Floats) -> tuple[Batch, Floats]:
        """The automata under these exponents (shape (columns,)), and the scores of their cells."""
        bias = self.arcs.bias(exponents)
        return replace(self.batch, bias=bias[self.arc]), exponents[MODEL] * self.cells

    def best(self, exponents: Floats) -> list[Ints]:
        """The lattice arcs of each sentence's best path (Eq. 11), without its end."""
        rows, _ = best_paths(*self.weighted(exponents))
        return self.paths(rows)

    def paths(self, rows: Ints) -> list[Ints]:
        """The lattice arcs of paths (paths, longest) of the automata, −1 behind them; no ends."""
        path_of_arc = np.nonzero(rows >= 0)[0]
        arcs = self.arc[rows[rows >= 0]]

        is_word = self.arcs.machines.word[arcs] != END_ID
        sizes = np.bincount(path_of_arc[is_word], minlength=len(rows))
        return np.split(arcs[is_word], np.cumsum(sizes)[:-1])

    def mass(self, exponents: Floats) -> Floats:
        """The posterior probability of each lattice arc, over all structures (Eq. 10), (B,)."""
        batch, scores = self.weighted(exponents)
        return total(self.arc, SumProduct(batch).posteriors(scores), len(self.arcs.slot))

    def expected(self, exponents: Floats) -> ValueAndGradient:
        """Σ log Z over the sentences and its gradient: the expected value of each column."""
        batch, scores = self.weighted(exponents)
        sums = SumProduct(batch)
        posteriors = sums.posteriors(scores)

        gradient = self.arcs.columns @ total(self.arc, posteriors, len(self.arcs.slot))
        of_cells = total(batch.cell.astype(np.int64), posteriors, len(scores))
        gradient[MODEL] = of_cells @ self.cells
        return float(sums.log_z(scores).sum()), gradient

    def words(self, arcs: Ints) -> list[str]:
        """The words of lattice arcs."""
        return self.arcs.symbols.words_of(self.arcs.machines.word[arcs].tolist())


def read_arcs(
    arcs: ScoredArcs, names: Sequence[str], factors: Factors, exponents: Floats, prune: float
) -> CandidateLattices:
    """Split, prune and compose the scored lattices of observed sentences, which have these names.

    ``exponents`` (columns,): for pruning, which asks all but the model. ``prune``: arcs of less
    posterior probability without the model are left out; 0 for none.
    """
    model = factors.ngrams
    order = 1 if model is None else model.order
    if model is None and factors.tagger is not None:
        prune = 0.0  # what is cheap to ask then knows no context, which the tagger alone has

    for length in range(1, order + 1):
        # Most candidates fall by a word or two, before longer histories multiply the states.
        if length > 1 or model is not None:
            arcs = with_words(arcs, model, length)
        if prune > 0:
            arcs = pruned(arcs, exponents, prune if length == order else prune * FORGIVING)

    return CandidateLattices(*composed(arcs.machines, factors.tagger, arcs.symbols, names), arcs)


FORGIVING = 0.1  # what asks fewer words than the model knows prunes by so much less


def pruned(arcs: ScoredArcs, exponents: Floats, least: float) -> ScoredArcs:
    """Leave out the arcs of less posterior probability, but for those of the best path.

    ``exponents`` (columns,): all but the model's are asked.
    """
    machines = arcs.machines
    bias = arcs.bias(exponents)
    batch, number = _weighted(machines, bias)
    posterior = SumProduct(batch).posteriors(np.zeros(len(batch.ngram)))

    kept = np.zeros(len(machines.word), dtype=bool)
    kept[number[posterior >= least]] = True
    kept[best_arcs(machines, bias)] = True
    return arcs.over(restricted(machines, kept))


def best_arcs(machines: Columns, worth: Floats) -> Ints:
    """The arcs of the best path of each machine, by the numbers of arcs in the place of n-grams.

    ``worth``: of the arcs of these numbers.
    """
    batch, number = _weighted(machines, worth)
    best, _ = best_paths(batch, np.zeros(len(batch.ngram)))
    return number[best[best >= 0]]


def _weighted(machines: Columns, worth: Floats) -> tuple[Batch, Ints]:
    """Machines as one batch, with the number of each of its arcs."""
    batch = pack(machines._replace(ngram=machines.ngram + 1, bias=worth[machines.ngram]))
    return batch, batch.ngram[batch.cell] - 1


def composed(
    machines: Columns, tagger: WeightedTagger | None, symbols: Symbols, names: Sequence[str]
) -> tuple[Batch, Ints, Floats]:
    """Compose machines, whose n-grams are the numbers of their arcs, with a tagger.

    Returns the batch, the lattice arc of each of its arcs (arcs,), and the model's scores (cells,).
    """
    machines = machines._replace(bias=-machines.ngram.astype(np.float64))
    if tagger is None:
        batch = pack(machines._replace(ngram=machines.word))
        return _unpack(batch, np.zeros(len(batch.ngram)))

    machines, symbols, words = _renumbered(machines, symbols, tagger.features.symbols)
    scores = TaggerScores(tagger, symbols, words)
    product = pack_ended(scores.automaton, machines, names)
    return _unpack(product, scores.cells(product)[1])


def _renumbered(
    machines: Columns, symbols: Symbols, first: Symbols
) -> tuple[Columns, Symbols, list[str]]:
    """The machines over an alphabet that begins with the model's, and their words."""
    labels, inverse = np.unique(machines.word, return_inverse=True)
    is_word = labels != END_ID
    words = [symbols.word(i) for i in labels[is_word].tolist()]

    alphabet = Symbols([*first, *words])
    label = np.full(len(labels), END_ID, dtype=np.int32)
    label[is_word] = alphabet.ids(words)
    return machines._replace(word=label[inverse]), alphabet, words


def _unpack(batch: Batch, cells: Floats) -> tuple[Batch, Ints, Floats]:
    """Take the numbers of the lattice arcs out of the place of weights."""
    bias = np.zeros(batch.n_arcs) if batch.bias is None else batch.bias
    return replace(batch, bias=None), np.rint(-bias).astype(np.int64), cells
