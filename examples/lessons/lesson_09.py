"""Lesson 9: edit transducers and a noisy channel.

One word was intended, another is observed: p(observed | intended) is a transducer that copies, and deletes,
inserts or replaces a letter at a price in nats. observed ∘ channel ∘ lexicon holds all that could have
been intended; its shortest path is the best.
"""

import pynini
from grading import grade

LETTERS = pynini.union(*"abcdefghijklmnopqrstuvwxyz").optimize()
# What is read is observed, what is written intended; −log probabilities in nats.
PRICE = 3.0
LEXICON = {"the": 1.0, "ten": 4.0, "tea": 5.0, "he": 3.0, "then": 4.0}


# %%
# The transducer of single edits, each of them 1, and the shortest path through it.
def distance(one, other):
    """How many edits lie between two strings, as the shortest path through the transducer tells."""
    channel = pynini.closure(
        pynini.union(
            LETTERS,
            pynini.cross(LETTERS, pynini.accep("", weight=1)),
            pynini.cross(pynini.accep("", weight=1), LETTERS),
            pynini.concat(pynini.cross(LETTERS, LETTERS), pynini.accep("", weight=1)),
        )
    ).optimize()
    paths = one @ channel @ other
    return float(pynini.shortestdistance(paths, reverse=True)[paths.start()])


print("teh, the:", distance("teh", "the"), "edits")


# %%
# Yours:
def edits(one, other):
    """The number of edits by a table of prefixes (Wagner & Fischer 1974)."""
    return ...


def corrected(observed):
    """The word that was probably intended: the least price of edits (PRICE each) plus that of LEXICON."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_09", globals())
