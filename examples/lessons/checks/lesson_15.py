"""Checks of lesson 15: the strings of the neighborhoods that the builders make."""

from grading import case
from lesson_15 import WORDS

from fstce import Neighborhood, neighborhood

DOUBLED = {"so it goes", "so so it goes", "so it it goes", "so it goes goes"}


def _builds(words, strings):
    """Called with the symbols of a sentence, the builder gives a machine; its neighbors are compared."""
    symbols = neighborhood("trans1")(words).symbols

    def neighbors(fst):
        return {
            " ".join(string) for string in Neighborhood(lambda _: fst, "yours")(words).strings()
        }

    return case(
        symbols, gives=strings, view=neighbors, says=f"the neighbors of {' '.join(words)!r}"
    )


CHECKS = {
    "drop_first": [
        _builds(WORDS, {"the dog saw the cat", "dog saw the cat"}),
        _builds(["so", "it"], {"so it", "it"}),
    ],
    "stutter": [_builds(["so", "it", "goes"], DOUBLED), _builds(["so"], {"so", "so so"})],
}
