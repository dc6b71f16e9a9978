"""Checks of lesson 4."""

from grading import case
from lesson_04 import ACCEPTOR, EMPTY, FINAL, WEIGHTED

BARE = {
    *((0, "a", 3), (0, "b", 3), (1, "b", 3), (2, "b", 3)),
    *((3, "a", 3), (3, "b", 3)),
}
CLASSES = {frozenset({0}), frozenset({1}), frozenset({2}), frozenset({3, 4})}
TWO = {(0, "a", 1), (0, "b", 2), (1, "a", 3), (2, "a", 4)}

CHECKS = {
    "closure": [
        case(EMPTY, 0, gives={0, 1, 2}, view=set, says="closure(EMPTY, 0)"),
        case(EMPTY, 3, gives={0, 1, 2, 3}, view=set, says="closure(EMPTY, 3)"),
    ],
    "without_epsilon": [
        case(EMPTY, range(4), gives=BARE, view=set, says="without_epsilon(EMPTY, range(4))")
    ],
    "classes": [
        case(
            *(ACCEPTOR, FINAL, range(5)),
            gives=CLASSES,
            view=lambda sets: set(map(frozenset, sets)),
            says="classes(ACCEPTOR, FINAL, range(5))",
        ),
        case(
            *(TWO, {3, 4}, range(5)),
            gives={frozenset({0}), frozenset({1, 2}), frozenset({3, 4})},
            view=lambda sets: set(map(frozenset, sets)),
        ),
    ],
    "pushed": [
        case(
            *(WEIGHTED, 3),
            gives=[(0, 1, 2 / 6), (0, 2, 4 / 6), (1, 3, 0.5), (1, 3, 0.5), (2, 3, 1.0)],
            says="pushed(WEIGHTED, 3)",
        )
    ],
}
