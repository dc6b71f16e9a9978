"""Which states of a machine can be reached, and how many paths it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.machines.image import Arrays, fst_to_arrays
from fstce.machines.openfst import has, pynini, pywrapfst
from fstce.machines.symbols import SIGMA_ID
from fstce.numeric.types import Bools, Ints


def reachable(arrays: Arrays) -> Bools:
    """The states that can be reached from the start, shape (states,)."""
    return np.isin(np.arange(len(arrays.final)), breadth_first(arrays))


def leading(arrays: Arrays) -> Bools:
    """The states from which a final state can be reached, shape (states,)."""
    ends = np.flatnonzero(np.isfinite(arrays.final)).tolist()
    states = len(arrays.final)
    return np.isin(np.arange(states), _order(arrays.next, arrays.source, ends, states))


def breadth_first(arrays: Arrays) -> Ints:
    """The states that can be reached, the nearest to the start first."""
    return _order(arrays.source, arrays.next, [arrays.start], len(arrays.final))


def cycles(arrays: Arrays, chosen: Any) -> tuple[Ints, Bools]:
    """The strongly connected part of each state along the chosen arcs.

    Which of these stay within one.
    """
    from scipy.sparse import csr_array  # waits with the next
    from scipy.sparse.csgraph import connected_components  # takes .2 s, which few machines need

    source = arrays.source[chosen]
    target = arrays.next[chosen]
    states = len(arrays.final)
    graph = csr_array((np.ones(len(source)), (source, target)), shape=(states, states))
    _, component = connected_components(graph, connection="strong")
    return component, component[source] == component[target]


def _order(source: NDArray[Any], target: NDArray[Any], roots: list[int], states: int) -> Ints:
    """The states that the roots lead to, breadth first, as fast as scipy, which loads for .2 s."""
    by_source = np.argsort(source, kind="stable")
    following = target[by_source].tolist()
    first_arc = np.searchsorted(source[by_source], np.arange(states + 1)).tolist()
    order = [root for root in roots if root >= 0]
    seen = bytearray(states)
    for root in order:
        seen[root] = True

    for state in order:  # which grows
        for reached in following[first_arc[state] : first_arc[state + 1]]:
            if not seen[reached]:
                seen[reached] = True
                order.append(reached)
    return np.array(order, dtype=np.int64)


def n_paths(fst: pynini.Fst) -> int | None:
    """The exact number of paths, however large; None where there is a cycle on one."""
    useful = fst.copy().connect()
    if useful.start() == pywrapfst.NO_STATE_ID:
        return 0
    if not has(useful, "ACYCLIC"):
        return None
    return paths_from_start(fst_to_arrays(useful.topsort()), 1)


def paths_from_start(arrays: Arrays, wildcard: int) -> int:
    """The paths of an acyclic machine whose states are sorted; ``<sigma>`` is so many arcs."""
    paths = np.isfinite(arrays.final).astype(int).tolist()
    columns = (arrays.source, arrays.ilabel, arrays.next)
    for source, label, target in zip(*(column[::-1].tolist() for column in columns), strict=True):
        paths[source] += (wildcard if label == SIGMA_ID else 1) * paths[target]
    return paths[arrays.start]


def paths_of(
    fst: pynini.Fst, silent: bool = False
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], float]]:
    """The labels that each path of a trim, acyclic machine reads and writes, and its weight.

    ε too if `silent`.
    """
    if fst.start() == pywrapfst.NO_STATE_ID:
        return
    paths = fst.paths()
    while not paths.done():
        reads = tuple(paths.ilabels())
        writes = tuple(paths.olabels())
        if not silent:
            reads = tuple(filter(None, reads))
            writes = tuple(filter(None, writes))
        yield reads, writes, float(paths.weight())
        paths.next()
