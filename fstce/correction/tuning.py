"""Exponents from mistakes made on purpose: how much each factor of a score is worth.

The held-out end of the clean text is mistyped by a seed; the exponents are those under
which the true sentences are most probable within the lattices of the mistyped ones. It is
conditional likelihood with a few weights, and needs nobody's annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from fstce.correction.readings import COLUMNS, Readings

Floats = NDArray[np.float64]
PRIOR = 1e-3  # holds exponents near their first values where nothing speaks for others


@dataclass(frozen=True)
class Tuning:
    """What the exponents were learnt from.

    Attributes
    ----------
    sentences, mistakes : int
        Mistyped sentences, and the mistakes in them.
    before, after : float
        log p(true sentence | typed sentence), summed, in nats.
    """

    sentences: int
    mistakes: int
    before: float
    after: float


def tune(
    whole: Sequence[Readings], true: Sequence[Readings], first: Floats, used: Sequence[str]
) -> tuple[Floats, float, float]:
    """Maximize Σ log p(true | typed) over the exponents of some columns.

    Parameters
    ----------
    whole, true : sequence of Readings
        The lattices of mistyped sentences, and the same with only the true sentence left.
    first : ndarray, shape (columns,)
        Where to begin.
    used : sequence of str
        The columns whose exponents are learnt; the others stay.

    Returns
    -------
    exponents : ndarray, shape (columns,)
    before, after : float
        The log-likelihood, in nats, without the prior.
    """
    free = np.array([name in used for name in COLUMNS])

    def likelihood(exponents: Floats) -> tuple[float, Floats]:
        value, gradient = 0.0, np.zeros(len(COLUMNS))
        for sign, side in ((1.0, true), (-1.0, whole)):
            for readings in side:
                log_z, expected = readings.expected(exponents)
                value, gradient = value + sign * log_z, gradient + sign * expected
        return value, gradient

    def loss(values: Floats) -> tuple[float, Floats]:
        exponents = first.copy()
        exponents[free] = values
        value, gradient = likelihood(exponents)
        away = values - first[free]
        return PRIOR * float(away @ away) - value, 2 * PRIOR * away - gradient[free]

    # Every factor speaks for what it stands for: a negative exponent would reward its opposite.
    # But marks may be too many or too few, for all that the model was contrasted with.
    lowest = np.where(np.array(COLUMNS) == "marks", -np.inf, 0.0)
    bounds = [(low, np.inf) for low in lowest[free].tolist()]
    found = minimize(loss, first[free], jac=True, method="L-BFGS-B", bounds=bounds)
    exponents = first.copy()
    exponents[free] = found.x
    return exponents, likelihood(first)[0], likelihood(exponents)[0]
