"""A corpus on its way to terms: automata of its sentences and of their neighbourhoods.

Criteria differ only in their lattices. A numerator is the sentence's own lattice, with
all its taggings, or, where tags are observed, one tagged sentence, which is linear in θ.
A denominator is a neighbourhood's lattice. Equal sentences are built once and counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fstce.estimation.objective import Linear
from fstce.estimation.resources import IN_MEMORY, Resources
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints, Rows, Term
from fstce.wfsa.batch import pack
from fstce.wfsa.bigram_chain import DENSE, BigramSum, possible_bigrams
from fstce.wfsa.building import CONTRASTED, OBSERVED, CompilationPlan, build
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.gold import check_allowed, feature_counts, tokens
from fstce.wfsa.intersect import TagAutomaton
from fstce.wfsa.shard_folder import Shard
from fstce.wfsa.shards import path_counts
from fstce.wfsa.terms import EmissionTable, LatticeSum, LengthSum

Bound = LatticeSum | LengthSum | BigramSum
Sides = tuple[list[Bound], list[Bound]]


@dataclass(frozen=True)
class TrainingData:
    """A corpus and how it teaches: numerators and denominators of a contrast.

    ``kind``: what each sentence is contrasted with; None for a model that normalizes locally. ``gold``: the
    tags of the sentences, where they are observed; by default they are summed over. ``weight``: how much
    these data count beside others. ``shown``: how much the sentences themselves count, by default as much:
    those of several contrasts are shown by the first of them, with the weight of all, and weigh zero in the
    others. ``counts``: how often each sentence occurs, by default once.

    With `gold` and the identity as neighbourhood this is conditional likelihood, with
    `gold` and another neighbourhood supervised contrastive estimation (Smith & Eisner
    2005b, Table 1), without either the likelihood of EM.
    """

    sentences: Rows
    kind: Neighborhood | None
    gold: Rows | None = None
    weight: float = 1.0
    shown: float | None = None
    counts: Sequence[int] | None = None


class CriterionPart:
    """Training data on its way to terms: its automata and tokens, before the features are known.

    ``observed``, ``contrasted``: the automata of the sentences and of their neighbourhoods.
    """

    def __init__(
        self,
        data: TrainingData,
        symbols: Symbols,
        automaton: TagAutomaton,
        pairs: tuple[Ints, Ints],
        tags: Sequence[str],
        order: int,
        resources: Resources = IN_MEMORY,
        number: int = 1,
    ) -> None:
        sentences, numbers, counts = _distinct(data)
        self.shown = data.weight if data.shown is None else data.shown
        self.weight, self.counts, self._resources = data.weight, counts, resources
        self.tagged = (
            tokens(data.sentences, data.gold, symbols, tags, order) if data.gold is not None else None
        )
        kind = data.kind
        self.lengths = _lengths(sentences, symbols, kind) if kind else _NONE
        whole = kind is not None and kind.corpus_wide
        self._chain = _chain(data, sentences, symbols, pairs, len(tags), order, resources)
        built = None if len(self.lengths) or whole or self._chain else kind
        observe = self.tagged is None and self.shown > 0
        plan = CompilationPlan(
            sentences, numbers, counts, symbols, automaton, pairs, tags, order, observe, built
        )
        shards, self._in_memory = build(plan, resources, number) if plan.sides else ({}, True)
        self.observed, self.contrasted = shards.get(OBSERVED, []), shards.get(CONTRASTED, [])
        if whole and kind is not None:
            batch = pack(automaton.products(kind.expand(sentences, symbols)))
            total_counts = np.array([counts.sum()]) if batch.n_machines == 1 else counts
            self.contrasted = [Shard.of(batch, total_counts)]
        self._bound: Sides | None = None

    @property
    def shards(self) -> list[Shard]:
        """The automata that there are."""
        return self.observed + self.contrasted

    @property
    def ngrams(self) -> list[Ints]:
        """The codes that automata and tokens need, with repeats."""
        codes = [shard.ngrams for shard in self.shards]
        codes += [] if self.tagged is None else [self.tagged.ngram]
        return codes + ([] if self._chain is None else [self._chain.ngrams])

    @property
    def wild(self) -> bool:
        """Whether an automaton has wildcards."""
        return any(shard.wild for shard in self.shards)

    def check(self, pairs: tuple[Ints, Ints], symbols: Symbols, tags: Sequence[str]) -> None:
        """Raise unless the dictionary allows the tags that are observed."""
        if self.tagged is not None:
            check_allowed(self.tagged, pairs[0] * len(tags) + pairs[1], symbols, tags)

    def terms(
        self, features: TagFeatures, emissions: EmissionTable, symbols: Symbols
    ) -> tuple[list[Term], list[Term]]:
        """Numerators and denominators over these features."""
        if self._bound is None:
            self._bound = self._bind(features, emissions)
        else:
            sides = ([term.bound_to(features, emissions) for term in side] for side in self._bound)
            self._bound = (next(sides), next(sides))
        observed, contrasted = self._bound
        if self.tagged is None or not self.shown:
            return list(observed), list(contrasted)
        counts, guessed = feature_counts(self.tagged, features, symbols)
        return [Linear(self.shown * counts, self.shown * guessed), *observed], list(contrasted)

    def _bind(self, features: TagFeatures, emissions: EmissionTable) -> Sides:
        """The sums over the shards as functions of θ."""
        sides: list[list[Bound]] = [[], []]
        store = self._resources.store(self._in_memory)
        for side, shards, scale in zip(
            sides, (self.observed, self.contrasted), (self.shown, -self.weight), strict=True
        ):
            if shards:
                pairs = ((shard.batch, shard.counts) for shard in shards)
                files = [(shard.path, shard.digest) for shard in shards if shard.path is not None]
                side.append(LatticeSum(features, emissions, pairs, scale, self._resources, store, files))
        if self._chain:
            chain = (self._chain.sentences, self._chain.pairs, self.counts, -self.weight, self._resources)
            sides[1].append(BigramSum(features, emissions, *chain))
        if len(self.lengths):
            distinct, times = _summed(self.lengths, -self.weight * self.counts)
            sides[1].append(LengthSum(features, emissions, distinct, times))
        return sides[0], sides[1]


def _distinct(data: TrainingData) -> tuple[list[tuple[str, ...]], list[int], Floats]:
    """The distinct sentences, the number of the first of each, and how often each occurs."""
    place: dict[tuple[str, ...], int] = {}
    at = np.array([place.setdefault(tuple(sentence), len(place)) for sentence in data.sentences])
    times = np.ones(len(at)) if data.counts is None else np.asarray(data.counts, dtype=np.float64)
    numbers = np.unique(at, return_index=True)[1] + 1
    return list(place), numbers.tolist(), total(at, times, len(place))


_NONE = np.zeros(0, dtype=np.int64)


class _Chain(NamedTuple):
    """What a dense chain of bigrams is made of, and the codes of its n-grams."""

    sentences: list[Ints]
    pairs: tuple[Ints, Ints]
    ngrams: Ints


def _chain(
    data: TrainingData,
    sentences: Rows,
    symbols: Symbols,
    pairs: tuple[Ints, Ints],
    n_tags: int,
    order: int,
    resources: Resources,
) -> _Chain | None:
    """The chain, in place of automata, if tagged sentences alone compete and it is the faster way."""
    kind = data.kind
    observed = data.gold is not None and kind is not None and kind.name == "identity"
    if order != 2 or not observed or resources.shards is not None or resources.client is not None:
        return None
    arcs = float(path_counts(sentences, symbols, pairs[0], order).sum())
    if sum(map(len, sentences)) * (n_tags + 1) ** 2 > DENSE * arcs:
        return None
    rows = [symbols.ids(list(sentence)).astype(np.int64) for sentence in sentences]
    return _Chain(rows, pairs, possible_bigrams(rows, pairs, n_tags))


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
