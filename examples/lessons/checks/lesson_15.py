"""Checks of lesson 15: the strings of the neighborhoods that the builders make."""

from grading import case
from lesson_15 import WORDS

from fstce import Neighborhood, neighborhood

DOUBLED = {"so it goes", "so so it goes", "so it it goes", "so it goes goes"}


def _builds(words, strings, *, with_sentence=False):
    """Called with the symbols of a sentence, the builder gives a machine; its neighbors are compared."""
    symbols = neighborhood("trans1")(words).symbols
    given = [symbols, symbols.ids(words).tolist()] if with_sentence else [symbols]

    def neighbors(fst):
        return {
            " ".join(string) for string in Neighborhood(lambda _: fst, "yours")(words).strings()
        }

    return case(*given, gives=strings, view=neighbors, says=f"the neighbors of {' '.join(words)!r}")


CHECKS = {
    "drop_first": [
        _builds(WORDS, {"the dog saw the cat", "dog saw the cat"}),
        _builds(["so", "it"], {"so it", "it"}),
    ],
    "stutter": [_builds(["so", "it", "goes"], DOUBLED), _builds(["so"], {"so", "so so"})],
    "swap": [
        _builds(
            ["so", "it", "goes"], {"so it goes", "it so goes", "so goes it"}, with_sentence=True
        ),
        _builds(["so"], {"so"}, with_sentence=True),
    ],
}
