"""What an explanation asks of a model: sums over a lattice, and over single strings of it.

A log-linear model's log Z is its features' expected weight, plus the expected weight of
what is no feature (a weighted lattice's arcs), plus the entropy: log Z = E[f]·θ + c + H.
A difference of two log Zs, such as the log-odds of two sentences, is therefore a sum of
one number a feature, one for c and one for H.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from fstce.numeric.types import Floats, Ints

Words = tuple[str, ...]
Name = tuple[str, ...]


class Sums(NamedTuple):
    """A sum over structures; log Z = counts·θ + constant + entropy, in nats.

    ``counts`` (features,): E[f]. ``constant``: the expected weight of what is no feature.
    """

    log_z: float
    counts: Floats
    constant: float

    def entropy(self, theta: Floats) -> float:
        """The entropy of the structures, in nats."""
        seen = np.flatnonzero(self.counts)
        return self.log_z - float(self.counts[seen] @ theta[seen]) - self.constant


class Listed(NamedTuple):
    """Strings of a lattice, best first; no other has more than `bound` nats."""

    words: list[Words]
    log_z: list[float]
    bound: float


class Model(Protocol):
    """A trained model over one lattice."""

    theta: Floats

    def whole(self) -> Sums:
        """Over all of the lattice."""

    def arc_posteriors(self) -> Floats:
        """The probability of each arc of the lattice, shape (arcs,)."""

    def listed(self, words: Words, n: int) -> Listed:
        """The n best strings of the lattice, and these words."""

    def of(self, words: Words) -> Sums:
        """Over the structures of one string, without the lattice's weights."""

    def names(self, features: Ints) -> list[Name]:
        """The names of these features."""

    def readings(self, words: Words) -> tuple[Words, Floats, list[int]]:
        """What each word may be, the posteriors, shape (words, readings), and what the model answers."""
