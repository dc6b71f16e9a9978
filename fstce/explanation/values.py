"""What an explanation holds: decisions of features, comparisons, neighbors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from fstce.estimation.rules import check_arguments
from fstce.explanation.protocol import Name, Words
from fstce.machines.lattice import Lattice
from fstce.numeric.types import Floats


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


@dataclass(frozen=True, eq=False)
class Findings:
    """How a trained model sees a sentence in its neighborhood.

    Attributes
    ----------
    words : tuple of str
        The sentence.
    neighborhood : str
    lattice : Lattice
        N(x).
    arc_posteriors : ndarray, shape (arcs,)
        The probability of each arc of the lattice.
    n_neighbors : int
        How many strings the lattice has besides the sentence.
    neighbors : tuple of Neighbor
        The most probable ones, best first.
    complete : bool
        Whether it is certain that no other neighbor is more probable than those listed.
    whole : Comparison
        Of the sentence with the whole neighborhood.
    readings : tuple of str
        What a word may be: tags; for a parser the root and the words as heads.
    posteriors : ndarray, shape (words, readings)
        The probability of each, given the sentence.
    answer : tuple of int
        The reading of each word that the model answers with.

    Examples
    --------
    >>> from fstce import Tagger, explain
    >>> text = [["we", "fish"], ["we", "swim"]]
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
    >>> why = explain(tagger, ["we", "fish"])
    >>> why.words
    ('we', 'fish')
    """

    words: Words
    neighborhood: str
    lattice: Lattice = field(repr=False)
    arc_posteriors: Floats = field(repr=False)
    n_neighbors: int
    neighbors: tuple[Neighbor, ...] = field(repr=False)
    complete: bool
    whole: Comparison = field(repr=False)
    readings: Words = field(repr=False)
    posteriors: Floats = field(repr=False)
    answer: tuple[int, ...] = field(repr=False)

    def __str__(self) -> str:
        """The explanation in a few lines: how probable, what decides, the neighbors, the answer."""
        log_odds, decisions = self.whole.log_odds, self.whole.top(5)
        lines = [
            " ".join(self.words),
            f"p(x | {self.neighborhood}) = {self.probability:.3g} among {self.n_neighbors:,} neighbors "
            f"(log {log_odds:.2f} nats)",
            "decided by (nats):",
            *(f"  {one.nats:+8.2f}  {' '.join(one.name)}" for one in decisions),
            "most probable neighbors:" if self.neighbors else "no neighbors",
            *(f"  {one.probability:8.3g}  {' '.join(one.words)}" for one in self.neighbors),
            "readings:",
        ]
        for word, answer, chances in zip(self.words, self.answer, self.posteriors, strict=True):
            lines.append(f"  {word}: {self.readings[answer]} ({chances[answer]:.2f})")
        return "\n".join(lines)

    @property
    def probability(self) -> float:
        """p(x | N(x)).

        Examples
        --------
        >>> from fstce import Tagger, explain
        >>> text = [["we", "fish"], ["we", "swim"]]
        >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
        >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
        >>> why = explain(tagger, ["we", "fish"])
        >>> 0 < why.probability < 1
        True
        """
        return math.exp(self.whole.log_odds)

    def to_dict(self, features: int = 10) -> dict[str, Any]:
        """The explanation for JSON, with so many features a comparison.

        ``features``: how many features a comparison lists.
        """
        check_arguments(features=features)
        return {
            "sentence": list(self.words),
            "neighborhood": self.neighborhood,
            "lattice": {"states": len(self.lattice), "arcs": len(self.arc_posteriors)},
            "neighbors": self.n_neighbors,
            "complete": self.complete,
            "probability": self.probability,
            **self.whole.to_dict(features),
            "listed": [
                {
                    "sentence": list(one.words),
                    "probability": one.probability,
                    **one.comparison.to_dict(features),
                }
                for one in self.neighbors
            ],
            "posteriors": [
                {"word": word, "answer": self.readings[answer], "p": self._likely(chances)}
                for word, answer, chances in zip(self.words, self.answer, self.posteriors, strict=True)
            ],
        }

    def _likely(self, chances: Floats) -> dict[str, float]:
        """The readings of a word that are possible at all, the most probable first."""
        order = np.argsort(-chances, kind="stable").tolist()
        return {self.readings[i]: float(chances[i]) for i in order if chances[i] > 0}
