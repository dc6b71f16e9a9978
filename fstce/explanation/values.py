"""What an explanation holds: decisions of features, comparisons, neighbors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from fstce.explanation.protocol import Name, Words


class Decision(NamedTuple):
    """What a feature adds to the log-odds of a sentence.

    ``name``: as in ``TagFeatures.names`` or ``DependencyModel.names``. ``own``, ``other``: the expected count
    in the sentence, and in what it is compared with.
    """

    name: Name
    weight: float
    own: float
    other: float

    @property
    def nats(self) -> float:
        """(E[f] in the sentence − E[f] in the other) · θ."""
        return (self.own - self.other) * self.weight


@dataclass(frozen=True)
class Comparison:
    """Why a sentence is more or less probable than another, or than its whole neighborhood.

    The decisions' nats, `entropy` and `constant` add up to `log_odds`.

    ``log_odds``: log p(x) − log p(y); or log p(x | N(x)). In nats. ``decisions``: the features whose expected
    counts differ, those that add or take most first. ``entropy``: how much more uncertain the structures of
    the sentence are than those of the other. ``constant``: the difference of the weights that are no
    features: those of a weighted lattice.
    """

    log_odds: float
    decisions: tuple[Decision, ...]
    entropy: float
    constant: float

    def top(self, n: int) -> tuple[Decision, ...]:
        """The n features that add or take most."""
        return self.decisions[:n]

    def rest(self, n: int) -> float:
        """What all other features add."""
        return math.fsum(decision.nats for decision in self.decisions[n:])

    def to_dict(self, features: int) -> dict[str, Any]:
        """The comparison for JSON, with so many features."""
        return {
            "log_odds": self.log_odds if math.isfinite(self.log_odds) else None,
            "features": [
                {
                    "feature": list(one.name),
                    "weight": one.weight,
                    "own": one.own,
                    "other": one.other,
                    "nats": one.nats,
                }
                for one in self.top(features)
            ],
            "other_features": self.rest(features),
            "entropy": self.entropy,
            "constant": self.constant,
        }


@dataclass(frozen=True)
class Neighbor:
    """A neighbor of the sentence.

    ``probability``: p(y | N(x)), summed over all its structures.
    """

    words: Words
    probability: float
    comparison: Comparison
