"""A corpus on its way to terms: automata of its sentences and of their neighbourhoods.

Criteria differ only in their lattices. A numerator is the sentence's own lattice, with
all its taggings, or, where tags are observed, one tagged sentence, which is linear in θ.
A denominator is a neighbourhood's lattice. Equal sentences are built once and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fstce.estimation.linear import Linear
from fstce.machines.image import Arrays
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.registry import Neighborhood
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows
from fstce.processes.shards import map_shards
from fstce.wfsa.batch import Batch, Columns, join, pack, to_columns
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.gold import check_allowed, feature_counts, tokens
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.shards import split
from fstce.wfsa.terms import EmissionTable, LatticeSum, LengthSum

Term = Callable[[Floats], tuple[float, Floats]]
Bound = LatticeSum | LengthSum
Sides = tuple[list[Bound], list[Bound]]


@dataclass(frozen=True)
class Evidence:
    """A corpus and how it teaches: numerators and denominators of a contrast.

    Attributes
    ----------
    sentences : sequence of sequences of str
    kind : Neighborhood or None
        What each sentence is contrasted with; None for a model that normalizes locally.
    gold : sequence of sequences of str, optional
        The tags of the sentences, where they are observed; by default they are summed over.
    weight : float
        How much this evidence counts beside other.
    shown : float, optional
        How much the sentences themselves count, by default as much: those of several contrasts
        are shown by the first of them, with the weight of all, and weigh zero in the others.

    Notes
    -----
    With `gold` and the identity as neighbourhood this is conditional likelihood, with
    `gold` and another neighbourhood supervised contrastive estimation (Smith & Eisner
    2005b, Table 1), without either the likelihood of EM.
    """

    sentences: Rows
    kind: Neighborhood | None
    gold: Rows | None = None
    weight: float = 1.0
    shown: float | None = None


class EvidencePart:
    """One evidence on its way to terms: its automata and tokens, before the features are known."""

    def __init__(
        self,
        evidence: Evidence,
        symbols: Symbols,
        automaton: TagAutomaton,
        tags: Sequence[str],
        order: int,
        jobs: int | None,
    ) -> None:
        first: dict[tuple[str, ...], int] = {}
        for number, sentence in enumerate(evidence.sentences, 1):
            first.setdefault(tuple(sentence), number)
        counted = Counter(map(tuple, evidence.sentences))
        self.shown = evidence.weight if evidence.shown is None else evidence.shown
        self.counts = np.array([counted[s] for s in first], dtype=np.float64)
        self.times = evidence.weight * self.counts
        self.tagged = (
            tokens(evidence.sentences, evidence.gold, symbols, tags, order)
            if evidence.gold is not None
            else None
        )
        kind = evidence.kind
        self.lengths = _lengths(list(first), symbols, kind) if kind else _NONE
        built = None if len(self.lengths) else kind
        observe = self.tagged is None and self.shown > 0
        self.observed, self.contrasted = _automata(first, symbols, automaton, observe, built, jobs)
        self._packed: Sides | None = None

    @property
    def columns(self) -> list[Columns]:
        """The automata that there are."""
        return [columns for columns in (self.observed, self.contrasted) if columns is not None]

    @property
    def wild(self) -> bool:
        """Whether an automaton has wildcards."""
        return any(bool(np.any(columns.word == SIGMA_ID)) for columns in self.columns)

    def check(self, pairs: tuple[Ints, Ints], symbols: Symbols, tags: Sequence[str]) -> None:
        """Raise unless the dictionary allows the tags that are observed."""
        if self.tagged is not None:
            check_allowed(self.tagged, pairs[0] * len(tags) + pairs[1], symbols, tags)

    def terms(
        self, features: TagFeatures, emissions: EmissionTable, symbols: Symbols
    ) -> tuple[list[Term], list[Term]]:
        """Numerators and denominators over these features; the automata are packed the first time."""
        if self._packed is None:
            self._packed = self._pack(features, emissions)
        else:
            sides = ([term.bound_to(features, emissions) for term in side] for side in self._packed)
            self._packed = (next(sides), next(sides))
        observed, contrasted = self._packed
        if self.tagged is None or not self.shown:
            return list(observed), list(contrasted)
        counts, guessed = feature_counts(self.tagged, features, symbols)
        return [Linear(self.shown * counts, self.shown * guessed), *observed], list(contrasted)

    def _pack(self, features: TagFeatures, emissions: EmissionTable) -> Sides:
        """Pack the automata into terms; what is packed is let go, for it is as large again."""
        observed: list[Bound] = []
        contrasted: list[Bound] = []
        if self.observed is not None:
            shown = self.shown * self.counts
            observed.append(LatticeSum(features, emissions, _shards(self.observed, shown)))
            self.observed = None
        if self.contrasted is not None:
            shared = len(self.contrasted.size) == 1 < len(self.times)
            coefficient = np.array([self.times.sum()]) if shared else self.times
            contrasted.append(LatticeSum(features, emissions, _shards(self.contrasted, -coefficient)))
            self.contrasted = None
        if len(self.lengths):
            contrasted.append(LengthSum(features, emissions, *_summed(self.lengths, -self.times)))
        return observed, contrasted


def observed(
    sentences: Rows, symbols: Symbols, automaton: TagAutomaton, numbers: Iterable[int]
) -> list[Arrays]:
    """The product automata of the sentences themselves; `numbers` name them in messages."""
    lattices = (
        Lattice.of_sentence(s, symbols, f"sentence {n}") for n, s in zip(numbers, sentences, strict=False)
    )
    return automaton.products(lattices)


def _shards(columns: Columns, coefficient: Floats) -> Iterator[tuple[Batch, Floats]]:
    return ((pack(shard), coefficient[machines]) for machines, shard in split(columns))


def _automata(
    numbered: Mapping[tuple[str, ...], int],
    symbols: Symbols,
    automaton: TagAutomaton,
    observe: bool,
    kind: Neighborhood | None,
    jobs: int | None,
) -> tuple[Columns | None, Columns | None]:
    """The product automata of the numbered sentences and of their neighbourhoods, as far as wanted."""
    if kind is not None and kind.corpus_wide:
        whole = to_columns(automaton.products(kind.expand(list(numbered), symbols)))
        return _automata(numbered, symbols, automaton, observe, None, jobs)[0], whole

    def work(shard: Sequence[tuple[Sequence[str], int]]) -> list[tuple[Columns | None, Columns | None]]:
        words, numbers = zip(*shard, strict=True)
        own = to_columns(observed(words, symbols, automaton, numbers)) if observe else None
        if kind is None:
            return [(own, None)]
        return [(own, to_columns(automaton.products(kind.expand(words, symbols, numbers))))]

    if not observe and kind is None:
        return None, None
    if kind is not None:
        kind.try_first(list(numbered), symbols)  # here, and not in each worker
    rows = [row for shard in map_shards(work, list(numbered.items()), jobs) for row in shard]
    return _joined(row[0] for row in rows), _joined(row[1] for row in rows)


def _joined(parts: Iterable[Columns | None]) -> Columns | None:
    """All of the parts as one, if there are any."""
    present = [part for part in parts if part is not None]
    return join(present) if present else None


_NONE = np.zeros(0, dtype=np.int64)


def _lengths(sentences: Rows, symbols: Symbols, kind: Neighborhood) -> Ints:
    """The lengths m if all neighbourhoods are Σ^m, summed without lattices; else none."""
    if not (kind.equivariant and _wildcards(next(kind.expand(sentences[:1], symbols)))):
        return _NONE
    lengths = np.array([_wildcards(lattice) for lattice in kind.expand(sentences, symbols)])
    return lengths if np.all(lengths > 0) else _NONE


def _wildcards(lattice: Lattice) -> int:
    """The length m of a lattice that is Σ^m, else 0."""
    arrays = lattice.arrays
    chain = len(arrays.final) == len(arrays.source) + 1 and np.isfinite(arrays.final).sum() == 1
    unweighted = lattice.arc_type == "standard"
    return len(arrays.source) if chain and unweighted and np.all(arrays.ilabel == SIGMA_ID) else 0


def _summed(lengths: Ints, coefficient: Floats) -> tuple[Ints, Floats]:
    """The distinct lengths and the sum of the coefficients of each."""
    distinct, inverse = np.unique(lengths, return_inverse=True)
    return distinct, total(inverse, coefficient, len(distinct))
