"""The union of many sentences as one minimal acceptor: a prefix tree in numpy, minimized in OpenFst."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, fst_to_arrays
from fstce.numeric.types import Floats, Ints32


def union(sentences: Sequence[Ints32]) -> Arrays:
    """The lattice that accepts exactly these sentences."""
    return fst_to_arrays(
        algebra.to_lattice(arrays_to_const(prefix_tree(sentences)), "union of the sentences")
    )


def prefix_tree(sentences: Sequence[Ints32], costs: Floats | None = None) -> Arrays:
    """The prefix tree, a level at a time: a state for each distinct prefix, costs where sentences end.

    >>> tree = prefix_tree([np.array([3, 4]), np.array([3, 5])])
    >>> tree.source.tolist(), tree.ilabel.tolist(), tree.next.tolist()
    ([0, 1, 1], [3, 4, 5], [1, 2, 3])
    """
    lengths = np.array([len(sentence) for sentence in sentences])
    words = np.full((len(sentences), lengths.max()), -1, dtype=np.int64)
    words[np.arange(lengths.max()) < lengths[:, None]] = np.concatenate(sentences)
    at = np.zeros(len(sentences), dtype=np.int64)
    sources, labels, states, ends, last = [], [], 1, [], []
    for depth in range(lengths.max()):
        alive = np.flatnonzero(lengths > depth)
        keys = np.stack((at[alive], words[alive, depth]))
        arcs, inverse = np.unique(keys, axis=1, return_inverse=True)
        sources.append(arcs[0])
        labels.append(arcs[1])
        at[alive] = states + inverse.ravel()
        states += arcs.shape[1]
        ending = alive[lengths[alive] == depth + 1]
        ends.append(at[ending])
        last.append(ending)
    final = np.full(states, np.inf, dtype=np.float32)
    final[np.concatenate(ends)] = 0.0 if costs is None else costs[np.concatenate(last)]
    label = np.concatenate(labels)
    return Arrays(
        0,
        final,
        np.concatenate(sources),
        label,
        label,
        np.zeros(states - 1, np.float32),
        np.arange(1, states),
    )
