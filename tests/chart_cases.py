"""Small grammars, random lattices and batches that the tests of this room share."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray
from oracles_trees import BruteParser, Name, paths_of

from fstce.chart import ChartBatch, DependencyModel, Trees, compile_charts
from fstce.chart.batch import arrays_of
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols

Floats = NDArray[np.float64]

TAGS = ("N", "V", "D")
SYMBOLS = Symbols(TAGS)
MODEL = DependencyModel(TAGS)


def sentence(*tags: str) -> Lattice:
    return Lattice.of_sentence(tags, SYMBOLS, " ".join(tags))


def all_sentences(longest: int, tags: Sequence[str] = TAGS) -> list[Lattice]:
    """Every string of one to `longest` tags."""
    lengths = range(1, longest + 1)
    return [sentence(*string) for n in lengths for string in itertools.product(tags, repeat=n)]


def theta_of(
    seed: int = 0, scale: float = 1.0, zeros: float = 0.0, model: DependencyModel = MODEL
) -> Floats:
    """Random weights, some of them −inf."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(0.0, scale, model.size)
    theta[rng.random(model.size) < zeros] = -np.inf
    return theta


def weights_of(theta: Floats, model: DependencyModel = MODEL) -> dict[Name, float]:
    return dict(zip(model.names, theta.tolist(), strict=True))


def brute(lattice: Lattice, theta: Floats, model: DependencyModel = MODEL) -> BruteParser:
    return BruteParser(paths_of(lattice.arrays, lattice.symbols), weights_of(theta, model))


def by_number(counts: dict[Name, float], model: DependencyModel = MODEL) -> Floats:
    """Counts by name as counts by number."""
    return np.array([counts.get(name, 0.0) for name in model.names])


def compiled(lattices: Sequence[Lattice], pack_size: int = 500_000) -> ChartBatch:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fstce.chart.compile.PACK_SIZE", pack_size)
        return compile_charts(lattices, MODEL)


def nbytes(batch: ChartBatch) -> int:
    """The memory that hyperedges and items take."""
    return sum(array.nbytes for array in arrays_of(batch.packs))


def trees_of(trees: Trees, *at: int) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...]]:
    """One tree's arcs, tags and heads."""
    there = trees.heads[at] >= 0
    tags = tuple(TAGS[tag] for tag in trees.tags[at][there])
    return tuple(trees.arcs[at][there].tolist()), tags, tuple(trees.heads[at][there].tolist())


def lattice_of(
    states: int,
    arcs: Sequence[tuple[int, int, int]],
    final: dict[int, float],
    weight: Sequence[float] | None = None,
) -> Lattice:
    """A lattice from (source, target, tag number) rows and −log final weights."""
    rows = np.array(arcs, dtype=np.int32).reshape(-1, 3)
    order = np.argsort(rows[:, 0], kind="stable")
    rows = rows[order]
    cost = (
        np.zeros(len(rows), np.float32) if weight is None else np.array(weight, np.float64)[order]
    )
    ends = np.full(states, np.inf, dtype=cost.dtype)
    ends[list(final)] = list(final.values())
    label = np.array(list(SYMBOLS.labels), dtype=np.int32)[rows[:, 2]]
    return Lattice(Arrays(0, ends, rows[:, 0], label, label, cost, rows[:, 1]), SYMBOLS, "random")


@st.composite
def lattices(draw: st.DrawFn, weighted: bool = False) -> Lattice:
    """Up to 5 states and 8 arcs, several final states, dead ends; at least one string of a word."""
    states = draw(st.integers(2, 5))
    pairs = list(itertools.combinations(range(states), 2))
    every = [(s, t, tag) for s, t in pairs for tag in range(2)]
    spine = [(s, s + 1, draw(st.integers(0, 2))) for s in range(states - 1)]
    more = draw(st.lists(st.sampled_from(every), max_size=4, unique=True))
    arcs = list(dict.fromkeys(spine + more))
    ends = {*draw(st.sets(st.integers(0, states - 1), max_size=2)), states - 1}
    cost = st.floats(-3, 3, width=32) | st.just(0.0)
    final = {end: draw(cost) if weighted else 0.0 for end in sorted(ends)}
    weight = draw(st.lists(cost, min_size=len(arcs), max_size=len(arcs))) if weighted else None
    return lattice_of(states, arcs, final, weight)
