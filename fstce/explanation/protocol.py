"""What an explanation asks of a model: sums over a lattice, and over single strings of it.

A kind of model that can be explained names in its ``kind.py`` (:class:`fstce.kinds.Model`) what
makes an :class:`Explained` of a trained model; of that, :func:`explained` finds it. Nothing else is
known of models here.

A log-linear model's log Z is its features' expected weight, plus the expected weight of
what is no feature (a weighted lattice's arcs), plus the entropy: log Z = E[f]·θ + c + H.
A difference of two log Zs, such as the log-odds of two sentences, is therefore a sum of
one number a feature, one for c and one for H.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from fstce.errors import ParameterError
from fstce.kinds import imported, kinds
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Floats, Ints
from fstce.parameters.rules import shown

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


class OverLattice(Protocol):
    """A trained model over one lattice.

    ``lattice``: in the numbering of its own that the model's posteriors have.
    """

    lattice: Lattice
    theta: Floats

    def whole(self) -> Sums:
        """Over all of the lattice."""

    def arc_posteriors(self) -> Floats:
        """The probability of each arc of the lattice, shape (arcs,)."""

    def best(self, k: int) -> list[Words]:
        """The strings of the k best structures of the lattice."""

    def log_z(self, strings: Sequence[Words]) -> Floats:
        """log Z of each string, without the lattice's weights, shape (strings,)."""

    def of(self, strings: Sequence[Words]) -> list[Sums]:
        """Over the structures of each string, without the lattice's weights."""

    def names(self, features: Ints) -> list[Name]:
        """The names of these features."""

    def readings(self, words: Words) -> tuple[Words, Floats, list[int]]:
        """The readings of each word, their posteriors (words, readings), the model's answer."""


class FeatureContribution(NamedTuple):
    """A feature, and what it adds to the log-odds of a sentence.

    ``name``: as in ``TagFeatures.names`` or ``DependencyModel.names``. ``own``, ``other``: the
    expected count in the sentence, and in what it is compared with.
    """

    name: Name
    weight: float
    own: float
    other: float

    @property
    def nats(self) -> float:
        """(E[f] in the sentence − E[f] in the other) · θ."""
        return (self.own - self.other) * self.weight


class Adjustable(NamedTuple):
    """A model's sums over a sentence and its neighborhood, for a page whose weights change.

    ``data``: for the page's script; the rest is for its template.
    """

    data: dict[str, Any]
    features: list[tuple[int, FeatureContribution]]
    words: Words
    tags: tuple[str, ...]


class Explained(Protocol):
    """A trained model as explanations and inspections see it.

    One whose weights a reader may change has a method ``adjustable``, too: from the model over a
    neighborhood's lattice and the sentence to an :class:`Adjustable`, or None where it is too
    large.
    """

    def contrast(self, asked: str | Neighborhood | None) -> str | Neighborhood:
        """The neighborhood that is asked about, by default the model's own."""

    def symbols(self, words: Words) -> Symbols:
        """The symbols of lattices of these words.

        Raises ParameterError where the model has none.
        """

    def over(self, lattice: Lattice) -> OverLattice:
        """The model over a lattice."""

    def machines(self) -> Sequence[tuple[str, pynini.Fst, str]]:
        """The machines to see without a sentence: name, machine, what it does.

        Raises ParameterError where there are none.
        """


def explained(model: Any) -> Explained:
    """A trained model as explanations see it; raises ParameterError where none is known."""
    if hasattr(model, "contrast"):
        return model
    can = {one.name: one.explained for kind in kinds().values() for one in kind.models.values()}
    makers = [can[cls.__name__] for cls in type(model).__mro__ if can.get(cls.__name__)]
    if not makers:
        names = [name for name, maker in can.items() if maker]
        raise ParameterError(
            f"model={shown(model)}: give a trained model, one of {', '.join(names)}"
        )
    return imported(makers[0])(model)
