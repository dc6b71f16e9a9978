"""Brute-force twins for dependency grammars: every tree of every string of a lattice, one by one."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from oracles import log_sum

from fstce.machines.image import Arrays
from fstce.machines.symbols import SIGMA_ID, Symbols

Name = tuple[str, ...]
Heads = tuple[int, ...]


# --- Trees: heads of words 1 … n, 0 for the root ---------------------------------------------------------


def ancestors(heads: Heads, word: int) -> list[int]:
    """The words above a word and 0, or no end of them where there is a cycle (cut short)."""
    above = []
    while word and len(above) <= len(heads):
        word = heads[word - 1]
        above.append(word)
    return above


def is_tree(heads: Heads) -> bool:
    """One root, and every word below it."""
    return heads.count(0) == 1 and all(
        ancestors(heads, word)[-1] == 0 for word in range(1, len(heads) + 1)
    )


def is_projective(heads: Heads) -> bool:
    """Every word between a head and its child is below the head."""
    return all(
        head in ancestors(heads, word)
        for child, head in enumerate(heads, 1)
        if head
        for word in range(min(child, head) + 1, max(child, head))
    )


@cache
def projective_trees(n: int) -> list[Heads]:
    """All projective trees with one root over n words."""
    every = itertools.product(range(n + 1), repeat=n)
    return [heads for heads in every if is_tree(heads) and is_projective(heads)]


def tree_features(tags: Sequence[str], heads: Heads) -> Counter[Name]:
    """Each head, on each side, outward: go and a child, go and a child, …, stop."""
    found: Counter[Name] = Counter({("root", tags[heads.index(0)]): 1})
    for head, tag in enumerate(tags, 1):
        children = [child for child, above in enumerate(heads, 1) if above == head]
        for side, those in (
            ("left", [k for k in children if k < head]),
            ("right", [k for k in children if k > head]),
        ):
            for number, child in enumerate(those):
                found["stop", tag, side, "non" if number else "adj", "go"] += 1
                found["child", tag, tags[child - 1], side] += 1
            found["stop", tag, side, "non" if those else "adj", "stop"] += 1
    return found


# --- Lattices --------------------------------------------------------------------------------------------


class Path(NamedTuple):
    """A string of a lattice: its arcs, their tags, its log weight."""

    arcs: tuple[int, ...]
    tags: tuple[str, ...]
    weight: float


def paths_of(arrays: Arrays, symbols: Symbols) -> list[Path]:
    """Every string but the empty one; a wildcard is any word of the alphabet."""

    def walk(state: int, path: Path) -> Iterator[Path]:
        if np.isfinite(arrays.final[state]) and path.arcs:
            yield path._replace(weight=path.weight - float(arrays.final[state]))
        for arc in np.flatnonzero(arrays.source == state).tolist():
            label = int(arrays.ilabel[arc])
            weight = path.weight - float(arrays.weight[arc])
            for tag in symbols if label == SIGMA_ID else [symbols.word(label)]:
                further = Path((*path.arcs, arc), (*path.tags, tag), weight)
                yield from walk(int(arrays.next[arc]), further)

    return list(walk(arrays.start, Path((), (), 0.0)))


class BruteParser:
    """All pairs of a path and a tree over it, each with its log weight."""

    def __init__(self, paths: Sequence[Path], weights: Mapping[Name, float]) -> None:
        self.weight = {
            (path, heads): path.weight
            + sum(weights[name] * n for name, n in tree_features(path.tags, heads).items())
            for path in paths
            for heads in projective_trees(len(path.tags))
        }
        possible = [w for w in self.weight.values() if w > -math.inf]
        self.log_z = log_sum(possible) if possible else -math.inf
        self.probability = {
            key: math.exp(w - self.log_z) if w > -math.inf else 0.0
            for key, w in self.weight.items()
        }

    def expected_counts(self) -> Counter[Name]:
        """E[f]."""
        expected: Counter[Name] = Counter()
        for (path, heads), p in self.probability.items():
            for name, n in tree_features(path.tags, heads).items():
                expected[name] += p * n
        return expected

    def attachments(self, arcs: int) -> np.ndarray:
        """The probability that a child (column) hangs below the root (row 0) or a head arc (row i + 1)."""
        table = np.zeros((arcs + 1, arcs))
        for (path, heads), p in self.probability.items():
            for child, head in enumerate(heads):
                table[path.arcs[head - 1] + 1 if head else 0, path.arcs[child]] += p
        return table

    def ranked(self) -> list[tuple[tuple[Path, Heads], float]]:
        """All of them that are possible, best first."""
        possible = [(key, w) for key, w in self.weight.items() if w > -math.inf]
        return sorted(possible, key=lambda item: -item[1])

    def gain(self, key: tuple[Path, Heads], table: np.ndarray) -> float:
        """The sum of a table's entries over the edges of a tree."""
        path, heads = key
        rows = [path.arcs[head - 1] + 1 if head else 0 for head in heads]
        return math.fsum(table[row, arc] for row, arc in zip(rows, path.arcs, strict=True))


# --- A recurrence for one long sentence, in log space, with its own state space ---------------------------


def log_z_by_spans(
    tags: Sequence[int], root: np.ndarray, child: np.ndarray, stop: np.ndarray, go: np.ndarray
) -> float:
    """log Z of a sentence by whole constituents, not halves, in O(n⁵).

    Parameters
    ----------
    tags : sequence of int
    root : (V,); child : (side, V, V); stop, go : (side, valence, V)

    Notes
    -----
    open[h, i, j]: head h over the words i … j − 1, not yet stopped; children on the right are
    attached before any on the left, so that each tree is counted once.
    """
    n = len(tags)
    done: dict[tuple[int, int, int], float] = {}
    open_: dict[tuple[int, int, int], float] = {}

    def total(values: list[float]) -> float:
        return log_sum(values) if any(v > -math.inf for v in values) else -math.inf

    for width in range(1, n + 1):
        for i in range(n - width + 1):
            j = i + width
            constituents = {
                (a, b): [(c, done[c, a, b]) for c in range(a, b)]
                for a, b in [(i, m) for m in range(i + 1, j)] + [(m, j) for m in range(i + 1, j)]
            }
            for h in range(i, j):
                t, parts = tags[h], []
                if width == 1:
                    parts.append(0.0)
                if i < h:
                    for m in range(i + 1, h + 1):
                        grow = go[0, int(m < h), t] + open_[h, m, j]
                        parts += [w + child[0, t, tags[c]] + grow for c, w in constituents[i, m]]
                elif j > h + 1:
                    for m in range(h + 1, j):
                        grow = go[1, int(m > h + 1), t] + open_[h, i, m]
                        parts += [w + child[1, t, tags[c]] + grow for c, w in constituents[m, j]]
                open_[h, i, j] = total(parts)
                done[h, i, j] = open_[h, i, j] + stop[0, int(i < h), t] + stop[1, int(j > h + 1), t]
    return total([root[tags[h]] + done[h, 0, n] for h in range(n)])
