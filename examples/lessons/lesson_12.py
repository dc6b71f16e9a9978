"""Lesson 12: a grammar from text alone.

A dependency grammar attaches each word to a head. The Dependency Model with Valence (Klein & Manning
2004) chooses, from each head outwards, whether to stop and which tag comes next. Nobody gives trees:
the inside sums of all trees give expected counts, and they the next grammar; or a neighborhood, the
sentence against its transpositions (Smith & Eisner 2005b), gives a slope.
"""

from grading import grade

import fstce

# %%
# Tag sequences are the text. The trees are there to be compared with, and are not shown to the learner.
TEXT = [s for s in fstce.corpora.sample() if len(s) <= 8][:60]
TAGS = [list(sentence.tags) for sentence in TEXT]
parser = fstce.DependencyParser("trans1", max_iterations=10).fit(TAGS)
print(TAGS[0], parser.predict([TAGS[0]])[0])


# %%
# Trees are lists of heads: heads[i] is the place of word i's head counted from 1, 0 for the root.
def projective(heads):
    """Whether it is a tree with one root whose arcs, drawn above the words, do not cross."""
    return ...


def trees(n):
    """All projective trees of n words."""
    return ...


def directed(gold, parsed):
    """The share of words, over lists of trees, whose head is right."""
    return ...


def to_the_right(tags):
    """The baseline: every word's head is the one before it, and the first word is the root's."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_12", globals())
