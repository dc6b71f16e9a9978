"""Semirings as numpy operations: one pass over the arcs, many questions answered.

| semiring    | weights                | ⊕         | ⊗ | the distance to the end is       |
|-------------|------------------------|-----------|---|----------------------------------|
| REAL        | weights                | +         | · | Z                                |
| LOG         | log weights            | logaddexp | + | log Z                            |
| TROPICAL    | log weights            | max       | + | the score of the best path       |
| EXPECTATION | pairs ⟨p, r⟩ (Eisner 2002) | +     | ⟨pp', pr' + p'r⟩ | ⟨Z, Z·E[r/p]⟩  |

Log weights are positive for likely paths; OpenFst's −log weights are their negatives,
and its tropical min is our max.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fstce.numeric.types import Floats, Ints


@dataclass(frozen=True)
class Semiring:
    """A semiring (⊕, ⊗, 0, 1) over arrays whose first axis runs over arcs or states.

    ``zero``, ``one``: the neutral elements, of the shape of one weight. ``times``: ⊗ of two
    arrays of weights. ``plus_reduce``: (weights, starts) → the ⊕-sum of each run of
    weights that begins at ``starts[i]``.
    """

    name: str
    zero: Floats
    one: Floats
    times: Callable[..., Floats]
    plus_reduce: Callable[[Floats, Ints], Floats]


def _logaddexp_reduce(values: Floats, starts: Ints) -> Floats:
    """log Σ exp over runs, the greatest element of each taken out first."""
    greatest = np.maximum.reduceat(values, starts)
    shift = np.where(np.isfinite(greatest), greatest, 0.0)
    sizes = np.diff(np.append(starts, len(values)))

    with np.errstate(divide="ignore"):
        return shift + np.log(
            np.add.reduceat(np.exp(values - np.repeat(shift, sizes, axis=0)), starts)
        )


def log_sum(values: Floats, axis: int | tuple[int, ...] = 0) -> Floats:
    """log Σ exp over some axes, the greatest element of each sum taken out first."""
    greatest = values.max(axis=axis, keepdims=True)
    shift = np.where(np.isfinite(greatest), greatest, 0.0)
    with np.errstate(divide="ignore"):
        return shift.squeeze(axis) + np.log(np.exp(values - shift).sum(axis=axis))


def _expectation_times(left: Floats, right: Floats) -> Floats:
    p = left[..., 0] * right[..., 0]
    r = left[..., 0] * right[..., 1] + right[..., 0] * left[..., 1]
    return np.stack((p, r), axis=-1)


def _scalar(value: float) -> Floats:
    return np.array(value, dtype=np.float64)


REAL = Semiring("real", _scalar(0), _scalar(1), np.multiply, np.add.reduceat)
LOG = Semiring("log", _scalar(-np.inf), _scalar(0), np.add, _logaddexp_reduce)
TROPICAL = Semiring("tropical", _scalar(-np.inf), _scalar(0), np.add, np.maximum.reduceat)
EXPECTATION = Semiring(
    "expectation",
    np.array([0.0, 0.0]),
    np.array([1.0, 0.0]),
    _expectation_times,
    lambda values, starts: np.add.reduceat(values, starts, axis=0),
)
