"""Lattices weighted by a word n-gram model: each state is split by the words that lead to it.

An n-gram's weight needs the n − 1 words before it, so states are split until each knows
them; the split lattice is as deterministic and acyclic as the lattice was. All arcs, of
one lattice or of a whole batch end to end, are split at once, without a Python loop.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.correction.factors.ngrams import BOUNDARY, NgramModel
from fstce.machines.symbols import END_ID, Symbols
from fstce.numeric.kernels import ranges, without_repeats
from fstce.numeric.types import Floats, Ints


class Histories(NamedTuple):
    """Machines whose states know the words before them, in the order of the states they came from.

    ``source``, ``target`` is (arcs,). ``arc`` (arcs,): the arc that each was copied from. ``origin``
    (states,): the state that each was split from. ``log_p`` (arcs,): log p(word | the words before it), nats.
    """

    source: Ints
    target: Ints
    arc: Ints
    origin: Ints
    log_p: Floats


def with_histories(
    source: NDArray[np.integer[Any]],
    target: NDArray[np.integer[Any]],
    word: Ints,
    start: NDArray[np.integer[Any]],
    model: NgramModel | None,
    order: int,
) -> Histories:
    """Split the states of acyclic machines until each knows the order − 1 words before it.

    ``source``, ``target`` (arcs,): machines end to end. ``word`` (arcs,): the model's number of each arc's
    word; sentences end with a boundary. ``start`` is (machines,). A model of shorter n-grams is asked for
    these; without one every log p is zero.
    """
    now, known = _known(source, target, word, start, order)
    log_p = np.zeros(len(now.arc))
    if model is not None:
        history = [column[now.source] for column in reversed(known[: model.order - 1])]
        log_p = model.log_probabilities(np.stack([*history, word[now.arc]], axis=1))
    return Histories(now.source, now.target, now.arc, now.origin, log_p)


def numbers(symbols: Symbols, label: NDArray[np.integer[Any]], model: NgramModel | None) -> Ints:
    """The model's number of each label, in whatever capitals it saw it; ``</s>`` is a boundary."""
    if model is None:
        return np.where(label == END_ID, BOUNDARY, label).astype(np.int64)
    labels, inverse = np.unique(label, return_inverse=True)
    number = model.ids_in_any_case(symbols.words_of(labels.tolist()))
    return np.where(labels == END_ID, BOUNDARY, number)[inverse]


class _Graph(NamedTuple):
    source: Ints
    target: Ints
    arc: Ints
    origin: Ints


def _known(
    source: NDArray[np.integer[Any]],
    target: NDArray[np.integer[Any]],
    word: Ints,
    start: NDArray[np.integer[Any]],
    order: int,
) -> tuple[_Graph, list[Ints]]:
    """The split machines, and by state the words before it, the nearest first."""
    states = 1 + int(max(source.max(), target.max()))
    now = _Graph(source.astype(np.int64), target.astype(np.int64), np.arange(len(source)), np.arange(states))
    known: list[Ints] = []
    for step in range(order - 1):
        before = word[now.arc] if step == 0 else known[-1][now.source]
        key = np.where(word[now.arc] == BOUNDARY, BOUNDARY, before)  # an end stays one state, too
        parent, new, now = _split(now, key, start)
        known = [column[parent] for column in known] + [new]
        start = np.searchsorted(parent, start)  # a start stays one state, whose place may move
    return now, known


def _split(graph: _Graph, key: Ints, start: NDArray[np.integer[Any]]) -> tuple[Ints, Ints, _Graph]:
    """Split each state by the keys of the arcs into it: the state split, the key known, the new graph.

    States keep the order of those they were split from, so sorted machines stay sorted.
    """
    width = int(key.max()) + 1
    codes = without_repeats(np.append(graph.target * width + key, start * width + BOUNDARY))
    parent, known = np.divmod(codes, width)
    out = np.bincount(graph.source, minlength=int(parent.max()) + 1)
    first = np.cumsum(out) - out
    arcs = np.argsort(graph.source, kind="stable")[ranges(first[parent], out[parent])]
    source = np.repeat(np.arange(len(parent)), out[parent])
    target = np.searchsorted(codes, graph.target[arcs] * width + key[arcs])
    return parent, known, _Graph(source, target, graph.arc[arcs], graph.origin[parent])
