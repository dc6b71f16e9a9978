"""Sums over the paths of small machines in three semirings, by enumeration and by linear systems."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pynini

from fstce.machines import Arrays, arrays_to_fst

Pair = tuple[tuple[int, ...], tuple[int, ...]]


class Plain(NamedTuple):
    """A machine as lists: arcs (source, input, output, −log weight, target), −log final weights by state."""

    start: int
    states: int
    arcs: list[tuple[int, int, int, float, int]]
    final: dict[int, float]
    tropical: bool

    def useful(self) -> Plain:
        """Without what is on no path."""
        ahead = self._closure([self.start], 0, 4)
        back = self._closure(list(self.final), 4, 0)
        arcs = [arc for arc in self.arcs if {arc[0], arc[4]} <= ahead & back]
        return self._replace(arcs=arcs, final={s: w for s, w in self.final.items() if s in ahead})

    def _closure(self, states: list[int], begin: int, end: int) -> set[int]:
        reached = {state for state in states if state >= 0}
        for _ in range(self.states):
            reached |= {arc[end] for arc in self.arcs if arc[begin] in reached}
        return reached

    def acyclic(self) -> bool:
        matrix = np.zeros((self.states, self.states))
        for source, _, _, _, target in self.arcs:
            matrix[source, target] = 1
        return not np.any(np.linalg.matrix_power(matrix, self.states)) if self.states else True

    def paths(self) -> list[tuple[Pair, float]]:
        """What each path reads and writes, and its weight; of an acyclic machine."""

        def walk(state: int) -> list[tuple[Pair, float]]:
            listed = [(((), ()), self.final[state])] if state in self.final else []
            for source, reads, writes, weight, target in self.arcs:
                if source == state:
                    for (one, other), rest in walk(target):
                        pair = (reads,) * (reads > 0) + one, (writes,) * (writes > 0) + other
                        listed.append((pair, weight + rest))
            return listed

        return walk(self.start) if self.start >= 0 else []

    def plus(self, weights: list[float]) -> float:
        if self.tropical or not weights:
            return min(weights, default=np.inf)
        return -float(np.logaddexp.reduce([-weight for weight in weights]))

    def total(self) -> float:
        """⊕ over all paths; nan where the rounds of a cycle have no sum."""
        useful = self.useful()
        if not useful.final:
            return np.inf
        return useful._solved(
            [(a, b, w) for a, _, _, w, b in useful.arcs], useful.start, useful.final, self.states
        )

    def total_of(self, pair: Pair) -> float:
        """⊕ over the paths that read and write two strings; a node is a state and how far both are."""
        reads, writes = pair
        size = (len(reads) + 1, len(writes) + 1)

        def node(state: int, i: int, j: int) -> int:
            return (state * size[0] + i) * size[1] + j

        edges = []
        for source, a, b, weight, target in self.useful().arcs:
            for i in range(size[0]):
                for j in range(size[1]):
                    if (not a or reads[i : i + 1] == (a,)) and (not b or writes[j : j + 1] == (b,)):
                        edges.append(
                            (node(source, i, j), node(target, i + (a > 0), j + (b > 0)), weight)
                        )
        ends = {
            node(state, len(reads), len(writes)): weight for state, weight in self.final.items()
        }
        one = Plain(node(self.start, 0, 0), self.states * size[0] * size[1], [], {}, self.tropical)
        on_paths = one._replace(arcs=[(a, 0, 0, w, b) for a, b, w in edges], final=ends).useful()
        return on_paths._solved(
            [(a, b, w) for a, _, _, w, b in on_paths.arcs], one.start, on_paths.final, one.states
        )

    def _solved(
        self, edges: list[tuple[int, int, float]], start: int, final: dict[int, float], states: int
    ) -> float:
        """Tropical by Bellman and Ford; else real: start (I − A)⁻¹ final of probabilities, in −log."""
        if self.tropical:
            best = np.full(states, np.inf)
            best[start] = 0.0
            for _ in range(states + 1):
                before = best.copy()
                for source, target, weight in edges:
                    best[target] = min(best[target], best[source] + weight)
            return (
                min((best[s] + w for s, w in final.items()), default=np.inf)
                if np.array_equal(best, before)
                else np.nan
            )
        matrix, last = np.zeros((states, states)), np.zeros(states)
        for source, target, weight in edges:
            matrix[source, target] += np.exp(-weight)
        for state, weight in final.items():
            last[state] = np.exp(-weight)
        if states and np.max(np.abs(np.linalg.eigvals(matrix))) > 1 - 1e-5:
            return np.nan
        value = np.linalg.solve(np.eye(states) - matrix, last)[start]
        return -float(np.log(value)) if value > 0 else np.inf


def drawn(seed: int, arcs: int = 1) -> pynini.Fst:
    """An acceptor or transducer, acyclic or not, with ε, dead ends, weights below 0 where no cycle is."""
    rng = np.random.default_rng(seed)
    states, arcs = int(rng.integers(1, 8)), int(rng.integers(0, 15) * rng.choice([1, 2]) * arcs)
    source, target = (rng.integers(states, size=arcs).astype(np.int32) for _ in range(2))
    cyclic, acceptor = rng.random() < 0.3, rng.random() < 0.5
    kept = np.ones(arcs, dtype=bool) if cyclic else source != target
    source, target = (
        (source, target) if cyclic else (np.minimum(source, target), np.maximum(source, target))
    )
    reads = rng.integers(0, 4, size=arcs).astype(np.int32)
    writes = reads if acceptor else rng.integers(0, 4, size=arcs).astype(np.int32)
    weight = rng.integers(4 if cyclic else -8, 16, size=arcs) / 4 * (rng.random() < 0.9)
    final = np.where(rng.random(states) < 0.5, rng.integers(0, 8, size=states) / 4, np.inf)
    columns = (column[kept] for column in (source, reads, writes, weight, target))
    return arrays_to_fst(Arrays(int(rng.integers(states)) if cyclic else 0, final, *columns))


def plain(fst: pynini.Fst) -> Plain:
    """A machine of OpenFst as lists, read with its own iterators."""
    arcs = [
        (state, arc.ilabel, arc.olabel, float(arc.weight), arc.nextstate)
        for state in fst.states()
        for arc in fst.arcs(state)
    ]
    final = {
        state: float(fst.final(state))
        for state in fst.states()
        if float(fst.final(state)) != np.inf
    }
    return Plain(fst.start(), fst.num_states(), arcs, final, fst.arc_type() == "standard")


def acyclic_strings(fst: pynini.Fst) -> dict[Pair, float] | None:
    """What each string of a machine weighs; None where a path has a cycle."""
    machine = plain(fst).useful()
    if not machine.acyclic():
        return None
    weights: dict[Pair, list[float]] = {}
    for pair, weight in machine.paths() if machine.final else []:
        weights.setdefault(pair, []).append(weight)
    return {pair: machine.plus(some) for pair, some in weights.items()}
