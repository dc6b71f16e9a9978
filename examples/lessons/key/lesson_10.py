"""Answers to lesson 10."""

import math

from lesson_10 import CANDIDATES, KINDS, MEANT


def probability(typed, word, prices):
    weights = {near: math.exp(-prices[kind]) for near, kind in CANDIDATES[typed].items()}
    return weights[word] / sum(weights.values())


def slope(kind, prices):
    return sum(
        sum(probability(typed, near, prices) * (used == kind) for near, used in CANDIDATES[typed].items())
        - (CANDIDATES[typed][word] == kind)
        for typed, word in MEANT.items()
    )


def learnt(steps, rate):
    prices = dict.fromkeys(KINDS, 1.0)
    for _ in range(steps):
        prices = {kind: prices[kind] + rate * slope(kind, prices) for kind in KINDS}
    return prices
