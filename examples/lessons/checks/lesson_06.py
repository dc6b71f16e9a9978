"""Checks of lesson 6."""

import math

import numpy as np
from grading import case
from lesson_06 import ARCS

SUMS = np.linalg.inv(np.eye(3) - ARCS)  # (1 − A)⁻¹ = 1 + A + A² + …
with np.errstate(divide="ignore"):
    COSTS = -np.log(ARCS)


def _least(costs):
    """Bellman & Ford: paths of at most as many arcs as there are states."""
    best = np.where(np.eye(len(costs), dtype=bool), 0.0, costs)
    for _ in costs:
        best = np.minimum(best, (best[:, :, None] + costs[None]).min(axis=1))
    return best


CHECKS = {
    "star": [
        case(0.0, gives=1.0),
        case(0.5, gives=2.0),
        case(0.9, gives=10.0),
        case(1.0, gives=math.inf),
    ],
    "lehmann": [
        case(ARCS, gives=SUMS, view=np.asarray, says="lehmann(ARCS)"),
        case(np.array([[0.9]]), gives=np.array([[10.0]]), view=np.asarray),
    ],
    "shortest": [case(COSTS, gives=_least(COSTS), view=np.asarray, says="shortest(−log ARCS)")],
}
