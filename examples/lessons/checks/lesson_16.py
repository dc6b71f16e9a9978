"""Checks of lesson 16: sums over pairs of symbols, and small differences."""

import numpy as np
from grading import case

PARTS = np.array([[1, 0, 1, 0], [0, 1, 1, 1], [1, 1, 0, 0]])
WEIGHTS = np.random.default_rng(16).normal(size=(4, 4))
SLOPE = np.random.default_rng(17).normal(size=(3, 3))


def _sums(parts, weights):
    """Each pair of tags by itself."""
    sums = np.zeros((len(parts), len(parts)))
    symbols_of_tags = np.argwhere(parts)
    for first, before in symbols_of_tags:
        for second, behind in symbols_of_tags:
            sums[first, second] += weights[before, behind]
    return sums


def _slopes(parts, slope):
    """By small differences of the sum of slope × weight, which is linear."""
    result = np.zeros((parts.shape[1], parts.shape[1]))
    for place in np.ndindex(result.shape):
        step = np.zeros_like(result)
        step[place] = 1.0
        result[place] = (_sums(parts, step) * slope).sum()
    return result


CHECKS = {
    "readings": [
        case("^la/el<det><f>/lo<prn><f>$", gives=["el<det><f>", "lo<prn><f>"]),
        case("^./.<sent>$", gives=[".<sent>"]),
    ],
    "symbols": [
        case("lo<prn><f>", gives=["prn", "f"]),
        case("New York<np>", gives=["np"]),
    ],
    "tied": [case(PARTS, WEIGHTS, gives=_sums(PARTS, WEIGHTS))],
    "gradient": [case(PARTS, SLOPE, gives=_slopes(PARTS, SLOPE))],
}
