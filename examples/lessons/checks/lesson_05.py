"""Checks of lesson 5."""

import math

from grading import case
from lesson_05 import ARCS, COUNTING, paths

A, B, C = (-math.log(p) for p in (0.2, 0.3, 0.5))


def _sum_of_paths(semiring):
    plus, times, zero, one = semiring
    total = zero
    for path in paths():
        total = plus(total, times(one, -math.log(path)))
    return total


def _laws(semiring):
    plus, times, zero, one = semiring
    return [
        plus(A, B),
        times(A, plus(B, C)) - plus(times(A, B), times(A, C)),
        plus(A, zero),
        times(A, one),
    ]


def _best_two(semiring):
    plus, times, zero, one = semiring
    total = zero
    for path in paths():
        total = plus(total, times((-math.log(path), math.inf), one))
    return [math.exp(-cost) for cost in times(total, plus((1.0, 2.0), (0.5, math.inf)))]


# The two best of {0.5, 0.3, 0.2} extended by costs of .5 and 1: all sums, by hand.
TWO_BEST = sorted((p * math.exp(-cost) for p in (0.5, 0.3) for cost in (0.5, 1.0)), reverse=True)[
    :2
]

CHECKS = {
    "distance": [
        case(ARCS, COUNTING, lambda p: 1, gives=3, says="distance where each arc counts 1"),
        case(
            ARCS,
            COUNTING,
            lambda p: p,
            gives=math.fsum(paths()),
            says="distance of the probabilities",
        ),
    ],
    "tropical": [
        case(gives=-math.log(max(paths())), view=_sum_of_paths, says="⊕ of the paths' −log weights")
    ],
    "log": [
        case(
            gives=-math.log(math.fsum(paths())),
            view=_sum_of_paths,
            says="⊕ of the paths' −log weights",
        ),
        case(
            gives=[C, 0.0, A, A],
            view=_laws,
            says="[a ⊕ b, a(b ⊕ c) − (ab ⊕ ac), a ⊕ zero, a ⊗ one]",
        ),
    ],
    "best_two": [case(gives=TWO_BEST, view=_best_two, says="probabilities of the best two")],
}
