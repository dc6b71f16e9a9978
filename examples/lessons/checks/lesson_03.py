"""Checks of lesson 3."""

from grading import case
from lesson_03 import ARCS, third, twins

SUBSETS = {frozenset({0}), frozenset({0, 1}), frozenset({0, 2}), frozenset({0, 1, 2})}

CHECKS = {
    "deterministic_states": [case(n, gives=2**n) for n in (1, 3, 6)],
    "has_determinization": [
        case(twins(1, 2), gives=False, says="has_determinization(twins(1, 2))"),
        case(twins(1, 1), gives=True, says="has_determinization(twins(1, 1))"),
        case(third, gives=True, says="has_determinization(third)"),
    ],
    "subsets": [case(ARCS, 0, gives=SUBSETS, says="subsets(ARCS, 0)")],
}
