"""Checks of lesson 9, by the shortest path through the edit transducer."""

from grading import case
from lesson_09 import LEXICON, PRICE, distance


def _intended(observed):
    return min(LEXICON, key=lambda word: LEXICON[word] + PRICE * distance(observed, word))


PAIRS = (("teh", "the"), ("abc", "b"), ("kitten", "sitting"))
CHECKS = {
    "edits": [case(one, other, gives=distance(one, other)) for one, other in PAIRS],
    "corrected": [
        case(observed, gives=_intended(observed)) for observed in ("teh", "tena", "te", "thee")
    ],
}
