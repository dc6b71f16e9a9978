"""Composing lattices with a tagger, so that each arc knows which lattice arc it is of.

The arcs carry the *number* of their lattice arc in place of a weight, for OpenFst adds to
it only zeros: so any number of columns may belong to an arc, and other exponents need no
composition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fstce.correction.factors.columns import WeightedTagger
from fstce.machines.image import Arrays
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.batch import Batch, Columns, pack
from fstce.wfsa.features import tag_pairs
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.layered import pack_ended
from fstce.wfsa.terms import CellScores, EmissionTable

LEAST = -1000.0  # a log-probability of zero, as in decoding


def composed(
    machines: Columns, tagger: WeightedTagger | None, symbols: Symbols, names: Sequence[str]
) -> tuple[Batch, Ints, Floats]:
    """Compose machines with a tagger.

    ``machines``: machines whose n-grams are the numbers of their arcs. ``arc`` (arcs,): the lattice arc of
    each arc of the batch. ``cells`` (cells,): the model's scores.
    """
    machines = machines._replace(bias=-machines.ngram.astype(np.float64))
    if tagger is None:
        batch = pack(machines._replace(ngram=machines.word))
        return _unpack(batch, np.zeros(len(batch.ngram)))
    machines, symbols, words = _renumbered(machines, symbols, tagger.features.symbols)
    pairs = tag_pairs(symbols, words, tagger.dictionary, tagger.features.tags)
    automaton = TagAutomaton(*pairs, len(tagger.features.tags), tagger.features.order)
    batch = pack_ended(automaton, machines)
    if batch is None:
        rows = zip(_apart(machines), names, strict=True)
        batch = pack(automaton.products_of_ended((machine, "log64", name) for machine, name in rows))
    emissions = EmissionTable(tagger.features, symbols, *pairs)
    theta = np.maximum(tagger.theta, LEAST)
    cells = CellScores(tagger.features, emissions, batch)
    return _unpack(batch, cells(tagger.features.with_missing(theta), emissions.scores(theta)))


def _renumbered(machines: Columns, symbols: Symbols, first: Symbols) -> tuple[Columns, Symbols, list[str]]:
    """The machines over an alphabet that begins with the model's, as its features must; and their words."""
    labels, inverse = np.unique(machines.word, return_inverse=True)
    is_word = labels != END_ID
    words = [symbols.word(i) for i in labels[is_word].tolist()]
    own = Symbols([*first, *words])
    label = np.full(len(labels), END_ID, dtype=np.int32)
    label[is_word] = own.ids(words)
    return machines._replace(word=label[inverse]), own, words


def _unpack(batch: Batch, cells: Floats) -> tuple[Batch, Ints, Floats]:
    """Take the numbers of the lattice arcs out of the place of weights."""
    bias = batch.bias if batch.bias is not None else np.zeros(batch.n_arcs)
    return replace(batch, bias=None), np.rint(-bias).astype(np.int64), cells


def _apart(machines: Columns) -> list[Arrays]:
    """The machines one by one, their arcs weighted by their numbers."""
    order = np.argsort(machines.source, kind="stable")  # states are in order of machine, so arcs are, too
    first = np.cumsum(machines.size) - machines.size
    ends = np.searchsorted(machines.source[order], np.append(first, machines.states))
    found = []
    for number, (state, size) in enumerate(zip(first.tolist(), machines.size.tolist(), strict=True)):
        arcs = order[ends[number] : ends[number + 1]]
        final = np.full(size, np.inf)
        final[machines.final[number] - state] = 0.0
        source, target = machines.source[arcs] - np.int32(state), machines.next[arcs] - np.int32(state)
        word, weight = machines.word[arcs], machines.ngram[arcs].astype(np.float64)
        found.append(Arrays(int(machines.start[number]) - state, final, source, word, word, weight, target))
    return found
