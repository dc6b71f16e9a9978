"""Lesson 10: an error model, learned.

Hand-set prices of edits are guesses. From pairs of what was observed and what was intended they are learned
by contrast: the right word is to be more probable than the other words that lie as near, its neighborhood.
p(intended | observed) = exp(−cost(observed, intended)) / Σ over the candidates, and the slope of its log in
the price of an edit is how often the candidates use that edit, expected, less how often the right word does.
"""

from collections import Counter

from grading import grade

import fstce

# %%
# One deletion, insertion, replacement or swap between observed and intended, by kind.
CANDIDATES = {
    "teh": {"the": "swap", "ten": "replace", "tech": "insert"},
    "recieve": {"receive": "swap", "relieve": "replace"},
    "helo": {"hello": "insert", "help": "replace", "held": "replace", "halo": "replace"},
    "thier": {"their": "swap", "tier": "delete", "thief": "replace"},
}
INTENDED = {"teh": "the", "recieve": "receive", "helo": "hello", "thier": "their"}
KINDS = ("swap", "replace", "insert", "delete")
print(
    Counter(CANDIDATES[observed][word] for observed, word in INTENDED.items()), "of the right words"
)

# %%
# fstce's speller does this with prices by letter and place, and with edits of whole strings.
speller = fstce.Speller().fit(
    list(INTENDED.items()), {w for near in CANDIDATES.values() for w in near}
)
print(speller.predict(["teh", "thier"]))


# %%
# Yours; `prices` is a dict from kind to nats.
def probability(observed, word, prices):
    """p(word | observed) among the candidates of what was observed."""
    return ...


def slope(kind, prices):
    """How fast the sum of log p(intended | observed) over INTENDED grows with the price of a kind of edit."""
    return ...


def learnt(steps, rate):
    """The prices after so many steps of gradient ascent from 1.0 each."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_10", globals())
