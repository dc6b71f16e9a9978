"""Answers to lesson 10."""

import math

from lesson_10 import CANDIDATES, INTENDED, KINDS


def probability(observed, word, prices):
    weights = {near: math.exp(-prices[kind]) for near, kind in CANDIDATES[observed].items()}
    return weights[word] / sum(weights.values())


def slope(kind, prices):
    return sum(
        sum(
            probability(observed, one, prices) * (used == kind)
            for one, used in CANDIDATES[observed].items()
        )
        - (CANDIDATES[observed][word] == kind)
        for observed, word in INTENDED.items()
    )


def learnt(steps, rate):
    prices = dict.fromkeys(KINDS, 1.0)
    for _ in range(steps):
        prices = {kind: prices[kind] + rate * slope(kind, prices) for kind in KINDS}
    return prices
