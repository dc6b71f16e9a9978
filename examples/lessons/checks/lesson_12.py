"""Checks of lesson 12."""

from math import comb

from grading import case


def _number(n):
    """Projective trees of n words with one root: Σ over roots of left and right forests (A006013)."""
    return comb(3 * n - 2, n - 1) // n


GOLD, PARSED = [[2, 0, 2], [0, 1]], [[2, 0, 1], [0, 1]]
CHECKS = {
    "projective": [
        case([2, 0, 2], gives=True),
        case([3, 4, 0, 3], gives=False),
        case([2, 1, 0], gives=False),
        case([0, 0], gives=False),
    ],
    "trees": [
        case(n, gives=_number(n), view=lambda all_of: len(set(map(tuple, all_of))))
        for n in (1, 2, 3, 5)
    ],
    "directed": [case(GOLD, PARSED, gives=0.8)],
    "to_the_right": [case(["D", "N", "V"], gives=[0, 1, 2]), case(["N"], gives=[0])],
}
