"""A model's sums over a sentence and its neighborhood, with weights that a reader can change.

A model (:class:`fstce.explanation.protocol.Explained`) that can, has a method ``adjustable``: from the
model over a neighborhood's lattice and the sentence to an :class:`Adjustable`, or None where it is too
large for a page.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fstce.explanation.protocol import Words


class Feature(NamedTuple):
    """A feature on the page: its name, its weight in nats, and E[f] of the sentence and the neighborhood."""

    name: str
    weight: float
    own: float
    other: float


class Adjustable(NamedTuple):
    """A model over a sentence: ``data`` for the script, the rest for the template."""

    data: dict[str, Any]
    features: list[tuple[int, Feature]]
    words: Words
    tags: tuple[str, ...]
