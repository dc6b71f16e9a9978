"""The parts of tags (category, case, number …), and bigram weights over pairs of them.

A tagset of a morphological analyser has hundreds of tags, and most of their bigrams are never seen;
their parts are few. A bigram ⟨s, t⟩ weighs Σ over a in s, b in t of W(a, b): over all bigrams
T = A W Aᵀ, with A (tags, parts) the incidence of parts, and the gradient goes back as Aᵀ G A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fstce.estimation.log_linear import indicators
from fstce.numeric.kernels import places
from fstce.numeric.types import Floats, Rows

if TYPE_CHECKING:
    import scipy.sparse as sp

BOUNDARY_PART = "<boundary>"


@dataclass(frozen=True)
class TagParts:
    """Which parts each tag has, the boundary last, which is a part of its own.

    ``names``: P of them. ``incidence``: A, of ones and zeros, shape (T + 1, P).

    >>> parts = TagParts.of([("n", "sg"), ("n", "pl")])
    >>> parts.names, parts.bigrams(np.arange(16.0)).tolist()[0]
    (('n', 'pl', 'sg', '<boundary>'), [20.0, 18.0, 14.0])
    """

    names: tuple[str, ...]
    incidence: sp.csr_matrix

    @classmethod
    def of(cls, parts_of_tag: Rows) -> TagParts:
        """The parts of tags and which tag has which, each tag given with its parts."""
        names = (*sorted({part for parts in parts_of_tag for part in parts}), BOUNDARY_PART)
        distinct = map(dict.fromkeys, (*parts_of_tag, (BOUNDARY_PART,)))
        return cls(names, indicators(distinct, places(names)))

    @property
    def size(self) -> int:
        """The number of weights: P²."""
        return len(self.names) ** 2

    def bigrams(self, weights: Floats) -> Floats:
        """A W Aᵀ: the weight of every bigram, shape (T + 1, T + 1)."""
        pairs = weights.reshape(len(self.names), -1)
        return np.asarray(self.incidence @ (self.incidence @ pairs.T).T)

    def gradient(self, bigrams: Floats) -> Floats:
        """Aᵀ G A: from the bigrams' expected counts to those of the pairs, shape (P²,)."""
        of_first = self.incidence.T @ bigrams
        return np.asarray((self.incidence.T @ of_first.T).T).ravel()

    def weight_names(self) -> list[tuple[str, ...]]:
        """``("parts", a, b)`` of each weight."""
        return [("parts", first, second) for first in self.names for second in self.names]
