"""A tagger over a lattice: sums over the taggings of its strings."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import numpy as np

from fstce.explanation.best_strings import Wildcards, best_strings
from fstce.explanation.protocol import Listed, Name, Sums, Words
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import END_ID, FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints
from fstce.tagging.tagger import Tagger
from fstce.tagging.tokens import check_words_alone
from fstce.wfsa.batch import Batch, pack
from fstce.wfsa.decoder import LEAST
from fstce.wfsa.features import TagFeatures, locate, tag_pairs, with_oov
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.sumproduct import SumProduct
from fstce.wfsa.terms import CellScores, EmissionTable


class TaggerModel:
    """A tagger over the taggings of a lattice's strings.

    ``lattice``: its ``<sigma>`` stands for the tagger's words and those of its own alphabet.
    """

    def __init__(self, tagger: Tagger, lattice: Lattice) -> None:
        self.tagger, self.lattice = tagger, _renumbered(lattice, tagger.features_.symbols)
        self.features: TagFeatures = tagger.features_
        check_words_alone(self.features)
        self.theta = np.maximum(tagger.theta_, LEAST)
        self._symbols, lattice = self.lattice.symbols, self.lattice
        labels = np.unique(lattice.arrays.ilabel)
        self._wild = SIGMA_ID in labels
        spelt = self._symbols if self._wild else [self._symbols.word(label) for label in labels.tolist()]
        tags = self.features.tags
        self._pairs = tag_pairs(self._symbols, spelt, tagger.dictionary_, tags)
        if self.features.has_oov:
            self._pairs = with_oov(*self._pairs, len(tags))
        self._automaton = TagAutomaton(*self._pairs, len(tags), self.features.order)
        self._emissions = EmissionTable(self.features, self._symbols, *self._pairs, wildcards=self._wild)
        self._emission = self._emissions.scores(self.theta)
        self._product = pack([self._automaton.product(lattice)])

    def whole(self) -> Sums:
        """Over all of the lattice."""
        return self._sums(self._product)

    def arc_posteriors(self) -> Floats:
        """The probability of each arc of the lattice, shape (arcs,)."""
        place = lattice_arcs(self._product, self.lattice)
        posterior = SumProduct(self._product).posteriors(self._cells(self._product)[1])
        return total(place[place >= 0], posterior[place >= 0], len(self.lattice.arrays.source))

    def listed(self, words: Words, n: int) -> Listed:
        """The n best strings of the lattice, and these words."""
        scores = self._product.arc_scores(self._cells(self._product)[1])
        ids = self._symbols.ids(words).astype(np.int64)
        wildcards = self._wildcards(ids, n) if self._wild else None
        found = best_strings(self._product, scores, ids, n, wildcards=wildcards)
        spelt = [tuple(self._symbols.word(word) for word in row.tolist()) for row in found.words]
        return Listed(spelt, found.log_z.tolist(), found.bound)

    def of(self, words: Words) -> Sums:
        """Over the taggings of one string, without the lattice's weights."""
        return self._sums(pack([self._automaton.product(Lattice.of_sentence(words, self._symbols))]))

    def names(self, features: Ints) -> list[Name]:
        """The names of these features, which ascend."""
        known = self.features
        ngram, rest = _split(features, len(known.ngrams))
        word, spelling = _split(rest, len(known.word))
        chosen = replace(
            known,
            ngrams=known.ngrams[ngram],
            word=known.word[word],
            tag=known.tag[word],
            spelling=known.spelling[spelling],
            spelling_tag=known.spelling_tag[spelling],
        )
        return chosen.names()

    def readings(self, words: Words) -> tuple[Words, Floats, list[int]]:
        """The tags, their posteriors at each word, and the tags that the tagger gives."""
        number = {tag: i for i, tag in enumerate(self.tagger.tags_)}
        given = [number[tag] for tag in self.tagger.predict([words])[0]]
        return self.tagger.tags_, self.tagger.predict_proba([words])[0], given

    def products(self, words: Words) -> tuple[Batch, Batch]:
        """The product automaton of one string, and that of the lattice."""
        return pack([self._automaton.product(Lattice.of_sentence(words, self._symbols))]), self._product

    def product_fst(self) -> pynini.Fst:
        """The lattice ∘ the tagger: words in, tags out, weights −score in nats, arc type ``log64``.

        The sum over its paths is Z; its last arcs, to the boundary, read and write ε.
        """
        batch, width = self._product, len(self.features.tags)
        scores = batch.arc_scores(self._cells(batch)[1])
        order = batch.by_source
        word, tag = batch.word[batch.cell], ((batch.ngram - 1) % (width + 1))[batch.cell]
        last = word == END_ID
        final = np.full(batch.n_states, np.inf)
        final[batch.final] = 0.0
        reads, writes = np.where(last, 0, word)[order], np.where(last, 0, tag + FIRST_WORD_ID)[order]
        ends = batch.source[order], batch.target[order]
        arrays = Arrays(int(batch.start[0]), final, ends[0], reads, writes, -scores[order], ends[1])
        fst = arrays_to_fst(arrays, "log64")
        fst.set_input_symbols(self._symbols.table)
        fst.set_output_symbols(Symbols(self.features.tags).table)
        return fst

    def cells_of(self, batch: Batch) -> tuple[Floats, Ints, Ints]:
        """The score of each cell of a product, and which features it has: (cell, feature) pairs.

        A wildcard's score is the log-sum over the words of its tag, and no feature of its own.
        """
        cells, scores = self._cells(batch)
        ngram = np.flatnonzero(cells.ngram < len(self.features.ngrams))
        matrix = self.features.emission_matrix(self._symbols, *self._pairs).tocsr()
        own = np.flatnonzero(cells.emission < matrix.shape[0])
        rows = matrix[cells.emission[own]].tocoo()
        cell = np.concatenate((ngram, own[rows.row]))
        return scores, cell, np.concatenate((cells.ngram[ngram], rows.col + len(self.features.ngrams)))

    def _cells(self, batch: Batch) -> tuple[CellScores, Floats]:
        cells = CellScores(self.features, self._emissions, batch)
        return cells, cells(self.features.with_missing(self.theta), self._emission)

    def _sums(self, batch: Batch) -> Sums:
        cells, scores = self._cells(batch)
        product = SumProduct(batch)
        posterior = product.posteriors(scores)
        mass = total(batch.cell, posterior, len(scores))
        ngrams = total(cells.ngram, mass, len(self.features.ngrams) + 1)
        rows = total(cells.emission, mass, len(self._emission))
        counts = np.concatenate((ngrams[:-1], self._emissions.gradient(self._emission, rows)))
        bias = 0.0 if batch.bias is None else float(posterior @ batch.bias)
        fixed = float(ngrams[-1]) * self.features.missing + self._emissions.guessed(self._emission, rows)
        return Sums(float(product.log_z(scores)[0]), counts, bias + fixed)

    def _wildcards(self, kept: Ints, n: int) -> Wildcards:
        """For each tag its pairs with the n best words of any tag and with the kept ones."""
        word, tag = self._pairs
        score = self._emission[: len(word)]
        order = np.lexsort((-score, tag))
        rank = np.arange(len(order)) - np.searchsorted(tag[order], tag[order])
        best = np.isin(word, np.union1d(word[order[rank < n]], kept))
        pair = np.flatnonzero(best)[np.argsort(tag[best], kind="stable")]
        width = len(self.features.tags)
        return Wildcards(
            np.searchsorted(tag[pair], np.arange(width + 1)),
            word[pair],
            score[pair] - self._emission[len(word) + tag[pair]],
            ((self._product.ngram - 1) % (width + 1))[self._product.cell],
            bool(best.all()),
        )


def _renumbered(lattice: Lattice, first: Symbols) -> Lattice:
    """The lattice over symbols that begin with these; itself where they do."""
    if list(islice(lattice.symbols, len(first))) == list(first):
        return lattice
    symbols = Symbols([*first, *lattice.symbols])
    number = np.append(np.arange(FIRST_WORD_ID), symbols.ids(list(lattice.symbols))).astype(np.int32)
    label = number[lattice.arrays.ilabel]
    return Lattice(lattice.arrays._replace(ilabel=label, olabel=label), symbols, lattice.name)


def lattice_arcs(product: Batch, lattice: Lattice) -> Ints:
    """For each arc of a lattice's product automaton the lattice's arc, −1 for ``</s>``.

    A lattice is deterministic, so a product state's place in it follows from any path to it.
    """
    arrays, base = lattice.arrays, int(max(lattice.arrays.ilabel.max(), product.word.max())) + 1
    keys = arrays.source.astype(np.int64) * base + arrays.ilabel
    order = np.argsort(keys)
    word = product.word[product.cell]
    state, arc = np.full(product.n_states, arrays.start, dtype=np.int64), np.full(product.n_arcs, -1)
    for _, _, indptr in product.rows():
        level = slice(int(indptr[0]), int(indptr[-1]))
        place, known = locate(keys[order], state[product.source[level]] * base + word[level])
        arc[level] = np.where(known, order[place], -1)
        state[product.target[level]] = arrays.next[order[place]]
    return arc


def _split(numbers: Ints, at: int) -> tuple[Ints, Ints]:
    """Numbers below `at`, and the others counted from there."""
    return numbers[numbers < at], numbers[numbers >= at] - at
