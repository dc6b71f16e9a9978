"""Terms that are linear in θ, and multiples of any term."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fstce.numeric.types import Floats


class Linear:
    """θ ↦ c · θ + a: log-linear numerators that hide nothing, such as tagged sentences.

    ``counts`` is (features,). ``constant``: what does not depend on θ, nats.
    """

    def __init__(self, counts: Floats, constant: float = 0.0) -> None:
        self.counts = counts
        self.constant = constant
        self._seen = np.flatnonzero(counts)  # what is not seen may weigh −inf

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        return self.constant + float(self.counts[self._seen] @ theta[self._seen]), self.counts


class Scaled:
    """A term times a number."""

    def __init__(self, term: Callable[[Floats], tuple[float, Floats]], factor: float) -> None:
        self.term = term
        self.factor = factor

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        value, gradient = self.term(theta)
        return self.factor * value, self.factor * gradient
