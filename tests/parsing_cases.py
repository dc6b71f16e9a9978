"""A small treebank, and the parser's criteria by enumeration of all its trees."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import oracles
from numpy.typing import NDArray
from oracles_trees import BruteParser, Heads, Name, Path, tree_features

from fstce import DependencyParser
from fstce.chart import DependencyModel
from fstce.parsing.criteria import LOCAL, SUPERVISED

Floats = NDArray[np.float64]
Tags = tuple[str, ...]
Weights = Mapping[Name, float]
Neighbours = Callable[[Tags], Iterable[Tags]]

CORPUS: list[Tags] = [
    ("D", "N", "V"),
    ("N", "V", "D", "N"),
    ("V",),
    ("D", "N", "V"),
    ("N", "V"),
    ("V", "N", "N"),
]
GOLD: list[Heads] = [(2, 3, 0), (2, 0, 4, 2), (0,), (2, 3, 0), (2, 0), (0, 1, 1)]

NEIGHBOURS: dict[str, Neighbours] = {
    "trans1": oracles.trans1,
    "del1word": oracles.del1word,
    "delortrans1": oracles.delortrans1,
    "length": lambda words: oracles.length(words, "DNV"),
    "training-set": lambda words: set(CORPUS),
}


def trained(criterion: str, **parameters: object) -> DependencyParser:
    parser = DependencyParser(criterion=criterion, **parameters)
    return parser.fit(CORPUS, GOLD if criterion in SUPERVISED else None)


def weighing(
    theta: Floats, corpus: Sequence[Tags] = CORPUS, **parameters: object
) -> DependencyParser:
    """A parser with these weights."""
    parser = DependencyParser(**{"criterion": "em", **parameters})
    parser.compile(corpus, GOLD)
    parser.theta_ = theta
    return parser


def random_theta(seed: int, size: int = 45, scale: float = 1.0) -> Floats:
    return np.random.default_rng(seed).normal(0.0, scale, size)


def named(model: DependencyModel, theta: Floats) -> dict[Name, float]:
    return dict(zip(model.names, theta.tolist(), strict=True))


def numbered(model: DependencyModel, counts: Weights) -> Floats:
    return np.array([counts.get(name, 0.0) for name in model.names])


def brute(strings: Iterable[Tags], weights: Weights) -> BruteParser:
    return BruteParser([Path(tuple(range(len(x))), x, 0.0) for x in sorted(strings)], weights)


def log_weight(tags: Tags, heads: Heads, weights: Weights) -> float:
    return sum(weights[name] * n for name, n in tree_features(tags, heads).items())


def best_tree(tags: Tags, weights: Weights) -> Heads:
    return brute([tags], weights).ranked()[0][0][1]


def criterion_by_enumeration(
    criterion: str,
    weights: Weights,
    neighbours: Neighbours = oracles.trans1,
    corpus: Sequence[Tags] = CORPUS,
    gold: Sequence[Heads] = GOLD,
) -> tuple[float, Counter[Name]]:
    """Its value without a prior, and its gradient."""
    value, gradient = 0.0, Counter[Name]()
    for tags, heads in zip(corpus, gold, strict=True):
        if criterion in SUPERVISED:
            value += log_weight(tags, heads, weights)
            gradient.update(tree_features(tags, heads))
        else:
            observed = brute([tags], weights)
            value += observed.log_z
            _add(gradient, observed.expected_counts(), 1)
        if criterion not in LOCAL:
            contrasted = brute([tags] if criterion == "conditional" else neighbours(tags), weights)
            value -= contrasted.log_z
            _add(gradient, contrasted.expected_counts(), -1)
    return value, gradient


def _add(counts: Counter[Name], more: Weights, sign: int) -> None:
    for name, n in more.items():
        counts[name] += sign * n


def distribution(name: Name) -> Name:
    """What a choice is one of."""
    return (name[0], name[1], name[3]) if name[0] == "child" else name[:-1]


def relative_frequencies(
    counts: Weights, names: Sequence[Name], smoothing: float = 0.0
) -> dict[Name, float]:
    """Log probabilities: (count + λ) over its sum; a distribution without counts is uniform."""
    mass = {name: counts.get(name, 0.0) + smoothing for name in names}
    whole: Counter[Name] = Counter()
    size = Counter(distribution(name) for name in names)
    for name in names:
        whole[distribution(name)] += mass[name]

    def log_probability(name: Name) -> float:
        group = distribution(name)
        share = mass[name] / whole[group] if whole[group] > 0 else 1 / size[group]
        return math.log(share) if share > 0 else -math.inf

    return {name: log_probability(name) for name in names}
