"""A tagger as explanations and inspections see it.

A page's script computes log p(x | N(x)) = log Z of the sentence's taggings − log Z of the
neighborhood's (Smith & Eisner 2005a, Eq. 7), and its gradient, for any weights:
:meth:`ExplainedTagger.adjustable` says which arcs, cells and features the two product automata
have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from fstce.explanation.explain import path_weights
from fstce.explanation.protocol import Adjustable, FeatureContribution, Name, Sums, Words
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.kernels import ranges, total
from fstce.numeric.types import Floats, Ints
from fstce.tagging.criteria import check_words_alone, is_auto
from fstce.tagging.export import emission_fst, tag_ngram_fst
from fstce.tagging.product import TaggerProduct, the_one
from fstce.tagging.tagger import Tagger
from fstce.wfsa.batch import Batch, pack_products
from fstce.wfsa.decoder import TaggerScores, k_best_paths
from fstce.wfsa.features import locate
from fstce.wfsa.sumproduct import SumProduct

PRODUCT_ARCS = 40_000  # of both products that a page holds


class ExplainedTagger:
    """A trained tagger as explanations see it."""

    def __init__(self, tagger: Tagger) -> None:
        tagger._check_fitted("theta_")
        self.tagger = tagger

    def contrast(self, asked: str | Neighborhood | None) -> str | Neighborhood:
        """The neighborhood that is asked about, by default the model's own.

        Of ``auto`` TRANS1, which needs no counts of the text that the model was trained on.
        """
        if asked is not None and not is_auto(asked):
            return asked
        contrast = self.tagger.neighborhood
        if is_auto(contrast):
            return "trans1"
        self.tagger._check_runs_no_code([contrast])
        return contrast

    def symbols(self, words: Words) -> Symbols:
        """The tagger's words, and those of the sentence."""
        return self.tagger.features_.symbols.extended(words)

    def over(self, lattice: Lattice) -> TaggerModel:
        """The tagger over the taggings of a lattice's strings."""
        return TaggerModel(self.tagger, lattice)

    def adjustable(self, asked: TaggerModel, words: Words) -> Adjustable | None:
        """The products, features and weights; None where they are too large for a page.

        ``asked``: the tagger over the sentence's neighborhood.
        """
        batches = asked.product_of([words]), asked.product
        if sum(batch.n_arcs for batch in batches) > PRODUCT_ARCS:
            return None

        used = np.unique(np.concatenate([asked.cells_of(batch)[2] for batch in batches]))
        lattices = Lattice.of_sentence(words, asked.lattice.symbols), asked.lattice
        sentence, around = (
            _product(asked, *part, used) for part in zip(batches, lattices, strict=True)
        )
        sentence["constant"] = float(path_weights(asked.lattice, [words])[0])
        sentence["positions"] = len(words)

        theta = asked.theta[used]
        counts = asked.of([words])[0].counts[used], asked.whole().counts[used]
        columns = (theta.tolist(), *(c.tolist() for c in counts))
        rows = [FeatureContribution(*row) for row in zip(asked.names(used), *columns, strict=True)]
        order = np.argsort(-np.abs(counts[0] - counts[1]) * (1 + np.abs(theta)), kind="stable")

        data = {"theta": theta.tolist(), "sentence": sentence, "neighborhood": around}
        tags = asked.tagger.tags_
        return Adjustable(data, [(i, rows[i]) for i in order.tolist()], words, tags)

    def machines(self) -> list[tuple[str, pynini.Fst, str]]:
        """The two transducers that a tagger is."""
        weighted = self.tagger.weighted_
        return [
            ("history", tag_ngram_fst(weighted), "weighs tags by those before"),
            ("emissions", emission_fst(weighted), "writes for a word its tags"),
        ]


def explained(model: Tagger | TaggerProduct) -> ExplainedTagger:
    """A trained tagger as explanations see it; raises ParameterError of a product."""
    return ExplainedTagger(the_one(model, "an explanation"))


def _product(asked: TaggerModel, batch: Batch, lattice: Lattice, used: Ints) -> dict[str, Any]:
    scores, cell, feature = asked.cells_of(batch)
    column = np.searchsorted(used, feature)
    lists: list[list[int]] = [[] for _ in scores]
    for row, number in zip(cell.tolist(), column.tolist(), strict=True):
        lists[row].append(number)

    fixed = scores - np.bincount(cell, asked.theta[feature], minlength=len(scores))
    rows = zip(lists, fixed.tolist(), asked.tag_of_cell(batch).tolist(), strict=True)
    return {
        "states": batch.n_states,
        "start": int(batch.start[0]),
        "final": int(batch.final[0]),
        "source": batch.source.tolist(),
        "target": batch.target.tolist(),
        "cell": batch.cell.tolist(),
        "cells": [{"features": f, "constant": c, "tag": t} for f, c, t in rows],
        "bias": None if batch.bias is None else batch.bias.tolist(),
        "place": lattice_arcs(batch, lattice).tolist(),
        "places": len(lattice.arrays.source),
        "tags": len(asked.features.tags),
        "constant": 0.0,
    }


class TaggerModel(TaggerScores):
    """A tagger over the taggings of a lattice's strings.

    ``lattice``: its ``<sigma>`` stands for the tagger's words and those of its own alphabet.
    """

    def __init__(self, tagger: Tagger, lattice: Lattice) -> None:
        check_words_alone(tagger.features_)
        lattice = _renumbered(lattice, tagger.features_.symbols)
        self.tagger = tagger
        self.lattice = lattice
        self._symbols = lattice.symbols

        labels = np.unique(lattice.arrays.ilabel)
        wild = SIGMA_ID in labels
        spelt: Iterable[str] = self._symbols
        if not wild:
            spelt = self._symbols.words_of(labels.tolist())

        weighted = *tagger.features_.untied(tagger.theta_), tagger.dictionary_
        super().__init__(weighted, self._symbols, spelt, wild)
        self.product: Batch = pack_products(self.automaton, [lattice])

    def whole(self) -> Sums:
        """Over all of the lattice."""
        return self._sums(self.product)[0]

    def arc_posteriors(self) -> Floats:
        """The probability of each arc of the lattice, shape (arcs,)."""
        place = lattice_arcs(self.product, self.lattice)
        posterior = SumProduct(self.product).posteriors(self.cells(self.product)[1])
        return total(place[place >= 0], posterior[place >= 0], len(self.lattice.arrays.source))

    def best(self, k: int) -> list[Words]:
        """The strings of the lattice's k best taggings; any word is the likeliest of its tag."""
        likeliest = np.zeros(len(self.features.tags) + 1, np.int64)
        word, tag = self.pairs
        order = np.argsort(self.emission[: len(tag)], kind="stable")
        likeliest[tag[order]] = word[order]

        batch = self.product
        (paths,), _ = k_best_paths(batch, self.cells(batch)[1], k)
        is_any = batch.word == SIGMA_ID
        label = np.where(is_any, likeliest[self.tag_of_cell(batch)], batch.word)[batch.cell]
        arcs_of_each = [path[path >= 0][:-1] for path in paths]  # without those to the boundary
        strings = [self._symbols.words_of(label[arcs].tolist()) for arcs in arcs_of_each]
        return [*map(tuple, filter(None, strings))]

    def log_z(self, strings: Sequence[Words]) -> Floats:
        """log Z of each string, without the lattice's weights."""
        batch = self.product_of(strings)
        return SumProduct(batch).log_z(self.cells(batch)[1])

    def of(self, strings: Sequence[Words]) -> list[Sums]:
        """Over the taggings of each string, without the lattice's weights."""
        return self._sums(self.product_of(strings))

    def names(self, features: Ints) -> list[Name]:
        """The names of these features, which ascend; a model has many more."""
        model = self.features
        begins = np.cumsum([len(model.ngrams), len(model.word)])
        ngram, word, spelling = np.split(features, np.searchsorted(features, begins))
        word = word - begins[0]
        spelling = spelling - begins[1]

        asked = replace(
            model,
            ngrams=model.ngrams[ngram],
            word=model.word[word],
            tag=model.tag[word],
            spelling=model.spelling[spelling],
            spelling_tag=model.spelling_tag[spelling],
        )
        return asked.names

    def readings(self, words: Words) -> tuple[Words, Floats, list[int]]:
        """The tags, their posteriors at each word, and the tags that the tagger gives."""
        tags = self.tagger.tags_
        predicted = [*map(tags.index, self.tagger.predict([words])[0])]
        return tags, self.tagger.predict_proba([words])[0], predicted

    def cells_of(self, batch: Batch) -> tuple[Floats, Ints, Ints]:
        """The score of each cell of a product, and which features it has: (cell, feature) pairs.

        A wildcard's score is the log-sum over the words of its tag, and no feature of its own.
        """
        cells, scores = self.cells(batch)
        ngram = np.flatnonzero(cells.ngram < len(self.features.ngrams))
        pair, feature = self.features.emission_entries(self._symbols, *self.pairs)
        sizes = np.bincount(pair, minlength=len(self.pairs[0]))
        first = np.cumsum(sizes) - sizes

        emitting = np.flatnonzero(cells.emission < len(sizes))
        row = cells.emission[emitting]
        emitted = feature[ranges(first[row], sizes[row])] + len(self.features.ngrams)

        cell = np.concatenate((ngram, np.repeat(emitting, sizes[row])))
        return scores, cell, np.concatenate((cells.ngram[ngram], emitted))

    def tag_of_cell(self, batch: Batch) -> Ints:
        """The tag that each cell of a product gives, (cells,); behind all tags the boundary."""
        return np.asarray((batch.ngram - 1) % (len(self.features.tags) + 1))

    def product_of(self, strings: Sequence[Words]) -> Batch:
        """The product automata of some strings."""
        lattices = [Lattice.of_sentence(words, self._symbols) for words in strings]
        return pack_products(self.automaton, lattices)

    def _sums(self, batch: Batch) -> list[Sums]:
        """Over each machine of a product."""
        cells, scores = self.cells(batch)
        product = SumProduct(batch)
        posterior = product.posteriors(scores)
        log_z = product.log_z(scores)
        machine = batch.machine[batch.target].astype(np.int64)

        def expected(row: Ints, size: int) -> Floats:
            """The expected count of each row that arcs have, (machines, size)."""
            counts = total(machine * size + row[batch.cell], posterior, len(log_z) * size)
            return counts.reshape(-1, size)

        ngrams = expected(cells.ngram, len(self.features.ngrams) + 1)
        rows = expected(cells.emission, len(self.emission))
        constant = ngrams[:, -1] * self.features.missing
        if batch.bias is not None:
            constant += total(machine, posterior * batch.bias, len(log_z))

        sums = []
        for number, row in enumerate(rows):
            slope = self.emissions.gradient(self.emission, row)
            fixed = constant[number] + self.emissions.fixed(self.emission, row)
            counts = np.concatenate((ngrams[number, :-1], slope))
            sums.append(Sums(float(log_z[number]), counts, float(fixed)))
        return sums


def _renumbered(lattice: Lattice, prefix: Symbols) -> Lattice:
    """The lattice over symbols that begin with these; itself where they do."""
    if list(islice(lattice.symbols, len(prefix))) == list(prefix):
        return lattice

    symbols = Symbols([*prefix, *lattice.symbols])
    number = np.append(np.arange(FIRST_WORD_ID), symbols.ids(list(lattice.symbols))).astype(
        np.int32
    )
    label = number[lattice.arrays.ilabel]
    return Lattice(lattice.arrays._replace(ilabel=label, olabel=label), symbols, lattice.name)


def lattice_arcs(product: Batch, lattice: Lattice) -> Ints:
    """For each arc of a lattice's product automaton the lattice's arc, −1 for ``</s>``.

    A lattice is deterministic, so a product state's place in it follows from any path to it.
    """
    arrays = lattice.arrays
    base = int(max(arrays.ilabel.max(), product.word.max())) + 1
    keys = arrays.source.astype(np.int64) * base + arrays.ilabel
    order = np.argsort(keys)
    word = product.word[product.cell]
    state = np.full(product.n_states, arrays.start, dtype=np.int64)
    arc = np.full(product.n_arcs, -1)

    for _, _, indptr in product.rows():
        level = slice(int(indptr[0]), int(indptr[-1]))
        place, has_arc = locate(keys[order], state[product.source[level]] * base + word[level])
        arc[level] = np.where(has_arc, order[place], -1)
        state[product.target[level]] = arrays.next[order[place]]
    return arc
