"""Readings: what observed sentences may have been meant to be, packed, and what speaks for each.

The lattice of a sentence is split by word histories where an n-gram model is used, pruned
by what is cheap to ask, and composed with the tagger. A path's score is a weighted sum:

=============  =====================================================================
``model``      θ · features of the (sentence, structure) pair: the trained model
``ngrams``     log p of the words under the n-gram model
``channel``    minus the costs of the edits, the weights of the lattice
``edited``     −1 for each word that is not as it was typed
``length``     −log(1 + characters) of the typed word, where it is edited
``unknown``    −1 for each word that neither text nor lexicon has
``spelling``   log p of such a word's characters
``lexicon``    log of the share that a word has in the lexicon, where the text has it not
``marks``      1 for each punctuation mark; its exponent alone may be negative
=============  =====================================================================

The weights are the *exponents* of these factors. The arcs of the composed machine carry
the *number* of their lattice arc in place of a weight, for OpenFst adds to it only zeros:
so any number of columns may belong to an arc, and other exponents need no composition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fstce.correction.ngrams import BOUNDARY, NgramModel
from fstce.correction.spelled import SpellingModel
from fstce.correction.weighting import Histories, numbers, split, with_histories
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID, Symbols
from fstce.wfsa.batch import Batch, Columns, lay, pack
from fstce.wfsa.compile import Lookup, tag_pairs
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.intersect import TagAutomaton, with_end
from fstce.wfsa.kernels import total
from fstce.wfsa.paths import best_paths
from fstce.wfsa.sumproduct import SumProduct
from fstce.wfsa.terms import CellScores, EmissionTable

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

COLUMNS = ("model", "ngrams", "channel", "edited", "length", "unknown", "spelling", "lexicon", "marks")
MARKS_KNOWN = 2  # so many equal marks in a row are told apart
FORGIVING = 0.1  # arcs are first pruned without history, by so much less
LEAST = -1000.0  # a log-probability of zero, as in decoding


class WeightedTagger(NamedTuple):
    """A trained tagger, as far as its scores are needed."""

    features: TagFeatures
    theta: Floats
    dictionary: Lookup


@dataclass(frozen=True)
class Factors:
    """What a path is scored by; each may be missing, and then weighs nothing.

    Attributes
    ----------
    tagger : WeightedTagger, optional
    ngrams : NgramModel, optional
    spelling : SpellingModel, optional
    known : callable
        Whether text or lexicon has a word.
    lexicon : callable, optional
        The log of the share of a word that the lexicon alone has, else 0.
    """

    tagger: WeightedTagger | None
    ngrams: NgramModel | None
    spelling: SpellingModel | None
    known: Callable[[str], bool]
    lexicon: Callable[[str], float] | None = None


class Marks(Protocol):
    """Which words are punctuation marks, that may come and go."""

    def __contains__(self, word: object) -> bool: ...


@dataclass(frozen=True)
class Readings:
    """The product automata of observed sentences' lattices; A arcs, B lattice arcs.

    Attributes
    ----------
    batch : Batch
        The automata.
    arc : ndarray of int64, shape (A,)
        The lattice arc of each arc.
    cells : callable or None
        The model's score of each cell.
    columns : ndarray, shape (columns − 1, B)
        All columns but the model's.
    word : ndarray of int64, shape (B,)
        The symbol of each lattice arc.
    slot : ndarray of int64, shape (B,)
        How many words that are no marks come before it in its sentence.
    sentence : ndarray of int64, shape (B,)
        The sentence of each lattice arc.
    again : ndarray of int64, shape (B,)
        How often it stands right before itself, if it is a mark; counted up to two.
    symbols : Symbols
        Names the words.
    """

    batch: Batch
    arc: Ints
    cells: Floats
    columns: Floats
    word: Ints
    slot: Ints
    sentence: Ints
    again: Ints
    symbols: Symbols

    def weighted(self, exponents: Floats) -> tuple[Batch, Floats]:
        """The automata under these exponents (shape (columns,)), and the scores of their cells."""
        bias = (exponents[1:] @ self.columns)[self.arc]
        return replace(self.batch, bias=bias), exponents[0] * self.cells

    def best(self, exponents: Floats) -> list[Ints]:
        """The lattice arcs of each sentence's best path (Eq. 11), without its end."""
        rows, _ = best_paths(*self.weighted(exponents))
        return [self._path(row) for row in rows]

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
        return [self.symbols.word(i) for i in self.word[arcs].tolist()]

    def _path(self, row: Ints) -> Ints:
        arcs = self.arc[row[row >= 0]]
        return arcs[self.word[arcs] != END_ID]


def read(
    lattices: Sequence[Lattice],
    factors: Factors,
    exponents: Floats,
    *,
    marks: Marks = frozenset(),
    typed: Sequence[Sequence[str]],
    prune: float = 1e-6,
) -> Readings:
    """Split, prune and compose the lattices of observed sentences.

    Parameters
    ----------
    lattices : sequence of Lattice
        Over one alphabet, without wildcards, their weights the channel's costs.
    factors : Factors
    exponents : ndarray, shape (columns,)
        For pruning, which asks all but the model.
    marks : container of str
        The punctuation marks.
    typed : sequence of sequences of str
        The sentences as typed.
    prune : float
        Arcs of less posterior probability without the model are left out; 0 for none.

    Raises
    ------
    MachineError
        A product automaton exceeds its limit; names the sentence.
    """
    symbols = lattices[0].symbols
    laid = lay([with_end(lattice.arrays) for lattice in lattices])
    mark = _is_mark(symbols, laid.word, marks)
    slot = _slots(laid, mark)
    columns = np.zeros((len(COLUMNS) - 1, len(laid.word)))
    columns[1] = laid.bias if len(laid.bias) else 0.0
    sentence = laid.machine[laid.source].astype(np.int64)
    columns[2:4] = _edited(symbols, laid.word, sentence, slot, typed, marks)
    columns[4:7] = _unknown(symbols, laid.word, factors)
    columns[7] = mark
    laid = laid._replace(ngram=np.arange(len(laid.word), dtype=np.int32), bias=np.zeros(0))
    if factors.ngrams is not None and factors.ngrams.order > 1 and prune > 0:
        # Most candidates fall without asking what stands before them, which splits states.
        columns[0] = factors.ngrams.unigrams(numbers(symbols, laid.word, factors.ngrams))
        laid = _pruned(laid, exponents[1:] @ columns, prune * FORGIVING)
        kept = laid.ngram
        columns, slot, sentence, mark = columns[:, kept], slot[kept], sentence[kept], mark[kept]
        laid = laid._replace(ngram=np.arange(len(laid.word), dtype=np.int32))
    if factors.ngrams is not None or np.any(mark):
        laid, log_p = _split(laid, symbols, factors.ngrams, bool(np.any(mark)))
        columns = columns[:, laid.ngram]
        columns[0] = log_p
        slot, sentence, mark = slot[laid.ngram], sentence[laid.ngram], mark[laid.ngram]
        laid = laid._replace(ngram=np.arange(len(laid.word), dtype=np.int32))
    word = laid.word.astype(np.int64)
    again = _again(laid, mark)
    if prune > 0:
        laid = _pruned(laid, exponents[1:] @ columns, prune)
    batch, arc, cells = _composed(laid, factors.tagger, symbols, [lattice.name for lattice in lattices])
    return Readings(batch, arc, cells, columns, word, slot, sentence, again, symbols)


def _is_mark(symbols: Symbols, label: NDArray[np.int32], marks: Marks) -> Bools:
    labels, inverse = np.unique(label, return_inverse=True)
    return np.array([symbols.word(i) in marks for i in labels.tolist()], dtype=bool)[inverse]


def _slots(laid: Columns, mark: Bools) -> Ints:
    """For each arc how many words that are no marks come before it, the same on every way to it."""
    step = np.where(mark, 0, 1)
    slot = np.zeros(laid.states, dtype=np.int64)
    batch = pack(laid._replace(ngram=np.arange(1, len(step) + 1, dtype=np.int32), bias=np.zeros(0)))
    by_arc = step[batch.ngram[batch.cell] - 1]
    packed = np.zeros(batch.n_states, dtype=np.int64)
    for a, b, indptr in batch.rows():
        first = indptr[:-1]
        packed[a:b] = packed[batch.source[first]] + by_arc[first]
    slot = packed[batch.source]
    result = np.zeros(len(step), dtype=np.int64)
    result[batch.ngram[batch.cell] - 1] = slot
    return result


def _edited(
    symbols: Symbols,
    label: NDArray[np.int32],
    sentence: Ints,
    slot: Ints,
    typed: Sequence[Sequence[str]],
    marks: Marks,
) -> Floats:
    """The columns of edited words, shape (2, arcs): −1, and −log(1 + characters typed)."""
    words = [[word for word in row if word not in marks] for row in typed]
    sizes = np.array([len(row) + 1 for row in words])
    flat = [word for row in words for word in (*row, "")]  # the last slot has no word
    place_of = {word: i for i, word in enumerate(dict.fromkeys(flat))}
    own = np.full(len(place_of), END_ID)
    spelt = [word for word in place_of if word]
    own[[place_of[word] for word in spelt]] = symbols.ids(spelt)
    number = np.array([place_of[word] for word in flat])
    length = np.array([len(word) for word in place_of], dtype=np.float64)
    here = number[(np.cumsum(sizes) - sizes)[sentence] + np.minimum(slot, sizes[sentence] - 1)]
    edited = (own[here] != label) & (label != END_ID) & ~_is_mark(symbols, label, marks)
    return np.stack([-1.0 * edited, -np.log1p(length[here]) * edited])


def _unknown(symbols: Symbols, label: NDArray[np.int32], factors: Factors) -> Floats:
    """The columns of words that the text lacks, shape (3, arcs): −1, spelling, share in the lexicon."""
    labels, inverse = np.unique(label, return_inverse=True)
    names = [symbols.word(i) for i in labels.tolist()]
    unknown = np.array([i != END_ID and not factors.known(w) for i, w in zip(labels, names, strict=True)])
    spelt = np.zeros(len(names))
    if factors.spelling is not None and np.any(unknown):
        spelt[unknown] = factors.spelling([names[i] for i in np.flatnonzero(unknown).tolist()])
    share = factors.lexicon
    listed = np.array([0.0 if share is None else share(word) for word in names])
    return np.stack([-1.0 * unknown, spelt, listed])[:, inverse]


def _split(laid: Columns, symbols: Symbols, model: NgramModel | None, marked: bool) -> tuple[Columns, Floats]:
    """Machines whose states know the words before them, and log p by arc."""
    found = _histories(laid, symbols, model, marked)
    machines = Columns(
        start=np.searchsorted(found.origin, laid.start),
        final=np.searchsorted(found.origin, laid.final),
        size=np.bincount(laid.machine[found.origin], minlength=len(laid.size)),
        source=found.source.astype(np.int32),
        next=found.target.astype(np.int32),
        word=laid.word[found.arc],
        ngram=laid.ngram[found.arc],
        bias=laid.bias,
    )
    return machines, found.log_p


def _histories(laid: Columns, symbols: Symbols, model: NgramModel | None, marked: bool) -> Histories:
    least = MARKS_KNOWN + 1 if marked else 1
    if model is None:
        own = np.where(laid.word == END_ID, BOUNDARY, laid.word).astype(np.int64)
        return split(laid.source, laid.next, own, laid.start, least)
    word = numbers(symbols, laid.word, model)
    return with_histories(laid.source, laid.next, word, laid.start, model, least)


def _again(laid: Columns, mark: Bools) -> Ints:
    """How often each arc's mark stands right before it, as far as the states know."""
    width = int(laid.word.max()) + 1
    behind = laid.next.astype(np.int64) * width + laid.word
    before = laid.source.astype(np.int64) * width + laid.word
    times = np.zeros(len(mark), dtype=np.int64)
    for _ in range(MARKS_KNOWN):
        mark = mark & np.isin(before, behind[mark])
        times += mark
    return times


def _pruned(laid: Columns, score: Floats, least: float) -> Columns:
    """The arcs that matter without the model, and those of the best path."""
    batch = pack(laid._replace(ngram=laid.ngram + 1, bias=score))
    nothing = np.zeros(len(batch.ngram))
    number = batch.ngram[batch.cell] - 1
    kept = np.zeros(len(score), dtype=bool)
    kept[number[SumProduct(batch).posteriors(nothing) >= least]] = True
    best, _ = best_paths(batch, nothing)
    kept[number[best[best >= 0]]] = True
    return _trimmed(laid, kept)


def _trimmed(laid: Columns, kept: Bools) -> Columns:
    """The machines of the arcs kept, without states that lie on no path."""
    while True:
        live = np.zeros((2, laid.states), dtype=bool)
        live[0, laid.start] = live[1, laid.final] = True
        live[0, laid.next[kept]] = live[1, laid.source[kept]] = True
        through = kept & live[0, laid.source] & live[1, laid.next]
        if np.array_equal(through, kept):
            break
        kept = through
    used = np.zeros(laid.states, dtype=bool)
    used[laid.source[kept]] = used[laid.next[kept]] = True
    number = np.cumsum(used) - 1
    return laid._replace(
        start=number[laid.start],
        final=number[laid.final],
        size=np.bincount(laid.machine[used], minlength=len(laid.size)),
        source=number[laid.source[kept]].astype(np.int32),
        next=number[laid.next[kept]].astype(np.int32),
        word=laid.word[kept],
        ngram=laid.ngram[kept],
    )


def _composed(
    laid: Columns, tagger: WeightedTagger | None, symbols: Symbols, names: Sequence[str]
) -> tuple[Batch, Ints, Floats]:
    """The automata of the lattices and the tagger, the lattice arc of each arc, the scores of the cells."""
    if tagger is None:
        batch = pack(_apart(laid))
        return _unpack(batch, np.zeros(len(batch.ngram)))
    laid, symbols, words = _renumbered(laid, symbols, tagger.features.symbols)
    machines = _apart(laid)
    pairs = tag_pairs(symbols, words, tagger.dictionary, tagger.features.tags)
    automaton = TagAutomaton(*pairs, len(tagger.features.tags), tagger.features.order)
    rows = zip(machines, names, strict=True)
    batch = pack([automaton.product_of_ended(machine, "log64", name) for machine, name in rows])
    emissions = EmissionTable(tagger.features, symbols, *pairs)
    theta = np.maximum(tagger.theta, LEAST)
    cells = CellScores(tagger.features, emissions, batch)
    return _unpack(batch, cells(tagger.features.with_missing(theta), emissions.scores(theta)))


def _renumbered(laid: Columns, symbols: Symbols, first: Symbols) -> tuple[Columns, Symbols, list[str]]:
    """The machines over an alphabet that begins with the model's, as its features must; and their words."""
    labels, inverse = np.unique(laid.word, return_inverse=True)
    is_word = labels != END_ID
    words = [symbols.word(i) for i in labels[is_word].tolist()]
    own = Symbols([*first, *words])
    label = np.full(len(labels), END_ID, dtype=np.int32)
    label[is_word] = own.ids(words)
    return laid._replace(word=label[inverse]), own, words


def _unpack(batch: Batch, cells: Floats) -> tuple[Batch, Ints, Floats]:
    """Take the numbers of the lattice arcs out of the place of weights."""
    bias = batch.bias if batch.bias is not None else np.zeros(batch.n_arcs)
    return replace(batch, bias=None), np.rint(-bias).astype(np.int64), cells


def _apart(laid: Columns) -> list[Arrays]:
    """The machines one by one, their arcs weighted by their numbers."""
    order = np.argsort(laid.source, kind="stable")  # states are in order of machine, so arcs are, too
    first = np.cumsum(laid.size) - laid.size
    ends = np.searchsorted(laid.source[order], np.append(first, laid.states))
    found = []
    for number, (state, size) in enumerate(zip(first.tolist(), laid.size.tolist(), strict=True)):
        arcs = order[ends[number] : ends[number + 1]]
        final = np.full(size, np.inf)
        final[laid.final[number] - state] = 0.0
        source, target = laid.source[arcs] - np.int32(state), laid.next[arcs] - np.int32(state)
        word, weight = laid.word[arcs], laid.ngram[arcs].astype(np.float64)
        found.append(Arrays(int(laid.start[number]) - state, final, source, word, word, weight, target))
    return found
