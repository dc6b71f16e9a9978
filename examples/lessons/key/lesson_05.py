"""Answers to lesson 4."""

import math
from collections import defaultdict


def distance(arcs, semiring, weight):
    plus, times, zero, one = semiring
    alpha = defaultdict(lambda: zero, {0: one})
    for source, target, p in arcs:
        alpha[target] = plus(alpha[target], times(alpha[source], weight(p)))
    return alpha[3]


def tropical():
    return min, lambda a, b: a + b, math.inf, 0.0


def log():
    def plus(a, b):
        if math.inf in (a, b):
            return min(a, b)
        return min(a, b) - math.log1p(math.exp(-abs(a - b)))

    return plus, lambda a, b: a + b, math.inf, 0.0


def best_two():
    def plus(a, b):
        return tuple(sorted((*a, *b))[:2])

    def times(a, b):
        return tuple(sorted(x + y for x in a for y in b)[:2])

    return plus, times, (math.inf, math.inf), (0.0, math.inf)
