"""Checks of lesson 2."""

from grading import case
from lesson_02 import LETTERS, SWAPS, stages

from fstce import neighborhood

COMPOSED = {
    ((0, 0), "a", "x", (1, 0)),
    ((0, 1), "a", "z", (1, 1)),
    ((1, 0), "b", "x", (1, 0)),
    ((1, 1), "b", "z", (1, 1)),
    ((1, 0), "a", "y", (0, 1)),
}

CHECKS = {
    "composed": [case(LETTERS, SWAPS, gives=COMPOSED, view=set, says="composed(LETTERS, SWAPS)")],
    "lost": [case(stages, gives=0, says="lost(stages)")],
    "strings_of_trans1": [
        case(m, gives=neighborhood("trans1")(list("abcdefg")[:m]).count()) for m in (2, 4, 7)
    ],
}
