"""How eager a corrector is: below which probability of the typed word another stands in its place.

Held-out mistakes tell for each eagerness how many of its changes are right, and how many mistakes
they undo; who asks for a precision is given the greatest eagerness that had it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fstce.correction.decoding import Correction
from fstce.numeric.types import Bools, Floats

GRID = (0.001, 0.002, 0.005, 0.01, *(round(0.02 * i, 2) for i in range(1, 50)))
Curve = tuple[tuple[float, float, float], ...]  # eagerness, precision, recall


class Judged(NamedTuple):
    """Held-out words that another might stand for.

    ``own`` (words,): the posterior probability of each typed word. ``right`` (words,): whether the most
    probable other word was meant. ``mistakes``: how many words were mistyped, these and others.
    """

    own: Floats
    right: Bools
    mistakes: int


def judged(
    found: Iterable[Correction], typed: Iterable[Sequence[str]], true: Iterable[Sequence[str]]
) -> Judged:
    """What the most probable other words are worth; sentences that lost or won words are left out.

    ``found``: with two alternatives of a word or more.
    """
    own, right, mistakes = [], [], 0
    for correction, a, b in zip(found, typed, true, strict=True):
        if len(a) != len(b):
            continue
        for word, meant, ranked in zip(a, b, correction.alternatives, strict=True):
            mistakes += word != meant
            other = next((row[0] for row in ranked if row[0] != word), None)
            if other is not None:
                own.append(dict(ranked).get(word, 0.0))
                right.append(other == meant)
    return Judged(np.array(own), np.array(right, dtype=bool), mistakes)


def curve_of(words: Judged) -> Curve:
    """Precision and recall at each eagerness of the grid.

    >>> words = Judged(np.array([0.1, 0.3, 0.9]), np.array([True, False, True]), 2)
    >>> [row for row in curve_of(words) if row[0] in (0.2, 0.5, 0.98)]
    [(0.2, 1.0, 0.5), (0.5, 0.5, 0.5), (0.98, 0.6666666666666666, 1.0)]
    """
    rows = []
    for eagerness in GRID:
        changed = words.own < eagerness
        hits, proposed = int(words.right[changed].sum()), int(changed.sum())
        rows.append((eagerness, hits / proposed if proposed else 1.0, hits / max(words.mistakes, 1)))
    return tuple(rows)


def eagerness_for(curve: Curve, precision: float) -> float:
    """The greatest eagerness whose changes were right so often; the least of all where none was.

    >>> eagerness_for(((0.1, 1.0, 0.2), (0.5, 0.9, 0.5), (0.9, 0.7, 0.6)), 0.9)
    0.5
    """
    return max((e for e, share, _ in curve if share >= precision), default=GRID[0])
