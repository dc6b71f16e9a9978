"""Checks of lesson 10, by small differences."""

import math

from grading import case
from lesson_10 import CANDIDATES, INTENDED, KINDS

EVEN = dict.fromkeys(KINDS, 1.0)
UNEVEN = {"swap": 0.5, "replace": 2.0, "insert": 1.5, "delete": 1.0}


def _share(observed, word, prices):
    weights = {near: math.exp(-prices[kind]) for near, kind in CANDIDATES[observed].items()}
    return weights[word] / math.fsum(weights.values())


def _total(prices):
    return math.fsum(
        math.log(_share(observed, word, prices)) for observed, word in INTENDED.items()
    )


def _slope(kind, prices, step=1e-5):
    moved = [_total({**prices, kind: prices[kind] + by}) for by in (step, -step)]
    return round((moved[0] - moved[1]) / (2 * step), 5)


def _learnt(steps, rate):
    prices = EVEN
    for _ in range(steps):
        prices = {kind: prices[kind] + rate * _slope(kind, prices) for kind in KINDS}
    return [round(prices[kind], 3) for kind in KINDS]


CHECKS = {
    "probability": [
        case("teh", "the", EVEN, gives=1 / 3),
        case("helo", "hello", UNEVEN, gives=_share("helo", "hello", UNEVEN)),
    ],
    "slope": [
        case(kind, prices, gives=_slope(kind, prices), view=lambda s: round(s, 5))
        for kind in KINDS
        for prices in (EVEN, UNEVEN)
    ],
    "learnt": [
        case(
            steps,
            0.5,
            gives=_learnt(steps, 0.5),
            view=lambda prices: [round(prices[k], 3) for k in KINDS],
        )
        for steps in (1, 20)
    ],
}
