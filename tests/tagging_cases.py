"""A tiny language, small batches and random machines that the tests of the tagger share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pynini
from hypothesis import strategies as st
from numpy.typing import NDArray

from fstce import TagDictionary, neighborhood
from fstce.estimation.objective import GaussianPrior, Objective
from fstce.machines.image import Arrays, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import END_ID, SIGMA_ID
from fstce.neighborhoods.base import Neighborhood
from fstce.wfsa.batch import Batch, Columns, pack
from fstce.wfsa.chain import WildcardChain
from fstce.wfsa.compile import Contrast, TrainingData
from fstce.wfsa.features import TagFeatures

DICTIONARY = TagDictionary(
    {
        "The": "D",
        "dogs": ["N", "V"],
        "runs": ["N", "V"],
        "x-ray": ["N"],
        "B52s": ["N", "D"],
        "run": ["V", "N"],
    }
)
CORPUS = [
    ("The", "dogs", "run"),
    ("dogs", "run"),
    ("The", "x-ray", "runs"),
    ("run",),
    ("B52s", "runs", "B52s"),
    ("wug", "runs"),
    ("dogs", "run"),
]
ORDERS = (1, 2, 3)


def contrast_of(
    kind: str | Neighborhood | None,
    order: int,
    *,
    spelling: bool = False,
    sentences: Sequence[Sequence[str]] = CORPUS,
    gold: Sequence[Sequence[str]] | None = None,
    **options: Any,
) -> Contrast:
    """The terms of a small corpus."""
    evidence = TrainingData(sentences, None if kind is None else neighborhood(kind), gold)
    return Contrast(evidence, DICTIONARY, DICTIONARY.tagset, order, spelling=spelling, **options)


def value_and_gradient(
    contrast: Contrast, theta: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """The sum of all terms."""
    return Objective(contrast.terms, GaussianPrior(None))(theta)


def random_theta(features: TagFeatures, seed: int = 0, scale: float = 1.0) -> NDArray[np.float64]:
    """Weights from a normal distribution."""
    return np.random.default_rng(seed).normal(0.0, scale, features.size)


def weights_of(features: TagFeatures, theta: NDArray[np.float64]) -> dict[tuple[str, ...], float]:
    """The weights by the features' names, as the oracles want them."""
    return dict(zip(features.names, theta.tolist(), strict=True))


def machine(
    states: int, arcs: Sequence[tuple[int, int, int, int]], weight: Sequence[float] = ()
) -> Arrays:
    """A machine from (source, target, word, n-gram) rows, the last state final; log64 if weighted."""
    rows = np.array(sorted(arcs), dtype=np.int32).reshape(-1, 4)
    cost = np.array(weight, np.float64) if len(weight) else np.zeros(len(rows), np.float32)
    final = np.append(np.full(states - 1, np.inf), 0.0).astype(cost.dtype)
    return Arrays(0, final, rows[:, 0], rows[:, 2], rows[:, 3], cost, rows[:, 1])


@st.composite
def machines(draw: st.DrawFn, weighted: bool = False) -> Arrays:
    """A connected acyclic machine with parallel arcs and skips over states."""
    states = draw(st.integers(2, 5))
    inward = [(draw(st.integers(0, q - 1)), q) for q in range(1, states)]
    outward = [(p, draw(st.integers(p + 1, states - 1))) for p in range(states - 1)]
    more = draw(st.lists(st.sampled_from(inward + outward), max_size=3))
    label = st.integers(1, 3)
    arcs = [(p, q, draw(label), draw(label)) for p, q in inward + outward + more]
    costs = [draw(st.floats(-3, 3)) for _ in arcs] if weighted else []
    return machine(states, arcs, costs)


@st.composite
def batches(draw: st.DrawFn, weighted: bool = False) -> Batch:
    """One to three random machines, packed."""
    return packed(draw(st.lists(machines(weighted=weighted), min_size=1, max_size=3)))


def cell_scores(batch: Batch, seed: int, scale: float = 1.0) -> NDArray[np.float64]:
    """A random log weight for each cell."""
    return np.random.default_rng(seed).normal(0.0, scale, len(batch.ngram))


def paths_of(batch: Batch, number: int) -> list[tuple[int, ...]]:
    """All paths of one machine as arc numbers, by walking."""
    leaving: dict[int, list[int]] = {}
    for arc, source in enumerate(batch.source.tolist()):
        leaving.setdefault(source, []).append(arc)

    def walk(state: int) -> list[tuple[int, ...]]:
        here = [()] if state == batch.final[number] else []
        return here + [
            (arc, *rest) for arc in leaving.get(state, []) for rest in walk(int(batch.target[arc]))
        ]

    return walk(int(batch.start[number]))


def composed(
    pairs: tuple[NDArray[Any], NDArray[Any]], n_tags: int, order: int, lattices: Sequence[Lattice]
) -> list[Arrays]:
    """The product automata as OpenFst composes them: lattice · </s> ∘ emissions ∘ tag n-grams."""
    products = []
    for lattice in lattices:
        fst = arrays_to_fst(with_end(lattice.arrays), lattice.arc_type)
        for machine in (emission_machine(*pairs, n_tags), tag_ngram_machine(n_tags, order)):
            typed = (
                machine
                if lattice.arc_type == "standard"
                else pynini.arcmap(machine, map_type="to_log64")
            )
            fst = pynini.compose(fst, typed)
        products.append(fst_to_arrays(fst))
    return products


def emission_machine(word: NDArray[Any], tag: NDArray[Any], n_tags: int) -> pynini.Fst:
    """One state that writes a word's tags, for ``</s>`` the boundary, for a wildcard every tag in use."""
    tags = np.unique(tag)
    words = np.concatenate((word, [END_ID], np.full(len(tags), SIGMA_ID)))
    labels = np.concatenate((tag, [n_tags], tags)) + 1
    state = np.zeros(len(words), dtype=np.int64)
    return arrays_to_fst(Arrays(0, np.zeros(1), state, words, labels, state, state)).arcsort(
        "ilabel"
    )


def tag_ngram_machine(n_tags: int, order: int) -> pynini.Fst:
    """A state for the last n − 1 tags; an arc reads a tag and writes the code of the n-gram."""
    base, histories = n_tags + 1, (n_tags + 1) ** (order - 1)
    number = np.arange(base**order)
    target = np.where(number % base == n_tags, histories, number % histories)
    columns = (number // base, number % base + 1, number + 1, np.zeros(len(number)), target)
    final = np.append(np.full(histories, np.inf), 0.0)
    return arrays_to_fst(Arrays(histories - 1, final, *columns)).arcsort("ilabel")


def with_end(lattice: Arrays) -> Arrays:
    """The lattice with ``</s>`` after every sentence, so that it has one final state."""
    ends = np.flatnonzero(np.isfinite(lattice.final))
    end = len(lattice.final)
    label = np.full(len(ends), END_ID)
    return Arrays(
        lattice.start,
        np.append(np.full(end, np.inf), 0.0),
        np.append(lattice.source, ends),
        np.append(lattice.ilabel, label),
        np.append(lattice.olabel, label),
        np.append(lattice.weight, lattice.final[ends]),
        np.append(lattice.next, np.full(len(ends), end)),
    )


def to_columns(machines: Sequence[Arrays]) -> Columns:
    """Product automata end to end."""
    size = np.array([len(machine.final) for machine in machines])
    finals = [np.flatnonzero(np.isfinite(machine.final)) for machine in machines]
    assert all(len(final) == 1 for final in finals)
    offset = np.cumsum(size) - size
    shift = np.repeat(offset, [len(machine.source) for machine in machines]).astype(np.int32)
    weighted = any(machine.weight.dtype == np.float64 for machine in machines)
    weights = [machine.weight for machine in machines] if weighted else [np.zeros(0)]
    return Columns(
        start=offset + np.array([machine.start for machine in machines]),
        final=offset + np.concatenate(finals),
        size=size,
        source=_column(machine.source for machine in machines) + shift,
        next=_column(machine.next for machine in machines) + shift,
        word=_column(machine.ilabel for machine in machines),
        ngram=_column(machine.olabel for machine in machines),
        bias=-np.concatenate(weights, dtype=np.float64),
    )


def _column(parts: Iterable[NDArray[Any]]) -> NDArray[np.int32]:
    return np.concatenate(list(parts)).astype(np.int32)


def packed(machines: Sequence[Arrays]) -> Batch:
    """Product automata, packed; input labels are words, output labels n-gram codes."""
    return pack(to_columns(machines))


def length_sums(order, ngram_scores, wildcard_scores, lengths, coefficient):
    """log Z of LENGTH for each length, and the expected n-grams and tags, by a table of scores."""
    chain = WildcardChain(len(wildcard_scores), order, np.array(lengths))
    return chain(ngram_scores, wildcard_scores, np.array(coefficient, float))
