"""Checks of lesson 13, by small differences."""

import math

from grading import case
from lesson_13 import NEIGHBORS, SENTENCE, WEIGHTS, count, taggings


def _reference(neighbors, step=0.0, bigram="DN"):
    weights = {**WEIGHTS, bigram: WEIGHTS[bigram] + step}

    def total(strings):
        scores = [
            sum(w * count(t, b) for b, w in weights.items()) for s in strings for t in taggings(s)
        ]
        return math.log(math.fsum(map(math.exp, scores)))

    return total([SENTENCE]) - total(neighbors)


def _slope(bigram):
    return (_reference(NEIGHBORS, 1e-5, bigram) - _reference(NEIGHBORS, -1e-5, bigram)) / 2e-5


CHECKS = {
    "score": [
        case("DND", gives=WEIGHTS["DN"] + WEIGHTS["ND"]),
        case("DDD", gives=2 * WEIGHTS["DD"]),
    ],
    "objective": [
        case(
            SENTENCE, NEIGHBORS, gives=_reference(NEIGHBORS), says="objective(SENTENCE, NEIGHBORS)"
        ),
        case(SENTENCE, [SENTENCE], gives=0.0, says="objective(SENTENCE, [SENTENCE])"),
    ],
    "gradient": [
        case(bigram, gives=round(_slope(bigram), 6), view=lambda slope: round(slope, 6))
        for bigram in WEIGHTS
    ],
}
