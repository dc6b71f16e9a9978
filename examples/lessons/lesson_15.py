"""Lesson 15: a neighborhood of one's own.

A neighborhood says which mistakes nobody makes. It is a function from the alphabet of a sentence
to a transducer; whatever pynini can build serves. Arcs that copy keep the sentence its own neighbor.
A function with a second parameter, sentence, is given the ids of the sentence's words in order.
"""

import pynini
from grading import grade

from fstce import Neighborhood


# %%
# One as an example.
def drop_the(symbols):
    """The sentence, and the sentence without one of its "the"s."""
    word = symbols.any()
    the = symbols.union(symbols.ids(["the"])) if "the" in symbols else pynini.Fst()
    gone = pynini.cross(the, pynini.accep("")) if "the" in symbols else the
    return (pynini.closure(word) + pynini.closure(gone, 0, 1) + pynini.closure(word)).optimize()


WORDS = ["the", "dog", "saw", "the", "cat"]
for string in Neighborhood(drop_the, "drop_the")(WORDS).strings():
    print("  ", " ".join(string))


# %%
# Yours:
def drop_first(symbols):
    """The sentence, and the sentence without its first word. symbols.any() accepts any one word."""
    return ...


def stutter(symbols):
    """The sentence, and the sentence with one word said twice."""
    return ...


def swap(symbols, sentence):
    """TRANS1: the sentence, and the sentence with two adjacent words transposed (Figure 1b)."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_15", globals())
