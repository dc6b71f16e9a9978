"""Lesson 13: contrastive estimation on a lattice of four words, by hand (Smith & Eisner 2005a).

The learner moves probability from a neighborhood N(x) to the sentence x that was seen:
log p(x | N(x)) = log Σ over taggings of x − log Σ over taggings of all of N(x)  (Eq. 7).
Here tags are D and N, a tagging scores the weights of its tag bigrams, words allow what they allow.
"""

from itertools import product

from grading import grade

import fstce

SENTENCE = ["the", "dog", "the", "cat"]
TAGS = {"the": "D", "dog": "DN", "cat": "N"}
NEIGHBORS = [list(string) for string in fstce.neighborhood("trans1")(SENTENCE).strings()]
WEIGHTS = {"DN": 0.9, "ND": 0.3, "NN": -0.2, "DD": -0.5}


# %%
# The neighbors, and what the dictionary lets them be.
def taggings(words):
    """All taggings of a string, each as a text of tags."""
    return ["".join(tags) for tags in product(*(TAGS[word] for word in words))]


def count(tags, bigram):
    """How often a tag bigram occurs in a tagging."""
    return sum(tags[i : i + 2] == bigram for i in range(len(tags) - 1))


for neighbor in NEIGHBORS:
    print("  ", " ".join(neighbor), taggings(neighbor))


# %%
# Yours:
def score(tags):
    """The score of a tagging in nats."""
    return ...


def objective(sentence, neighbors):
    """log p(x | N(x))."""
    return ...


def gradient(bigram):
    """The slope of the objective: E[count] over taggings of x − E[count] over those of N(x)."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_13", globals())
