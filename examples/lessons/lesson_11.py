"""Lesson 11: inside, on a chart.

A context-free grammar has trees where an automaton has paths. The inside sum of a label over a span,
I(A, i, j) = Σ over rules A → B C and places k of p(A → B C) I(B, i, k) I(C, k, j), is forward's sister
(Baker 1979); with max for Σ it finds the best tree, and its slopes are expected counts, as before.
"""

from grading import grade

# %%
# A grammar in Chomsky's normal form, and two sentences; the second has two trees.
RULES = {
    ("S", "NP", "VP"): 1.0,
    ("VP", "V", "NP"): 0.7,
    ("VP", "VP", "PP"): 0.3,
    ("NP", "NP", "PP"): 0.2,
    ("PP", "P", "NP"): 1.0,
}
WORDS = {("NP", "she"): 0.4, ("NP", "stars"): 0.4, ("V", "saw"): 1.0, ("P", "with"): 1.0}
SHORT = ["she", "saw", "stars"]
LONG = ["she", "saw", "stars", "with", "stars"]
print("p(she saw stars) =", 1.0 * 0.4 * 0.7 * 1.0 * 0.4)


# %%
# Yours:
def inside(words):
    """A dict from (label, i, j) to the sum over all trees of that label over words i to j, j left out."""
    return ...


def best(words):
    """The probability of the best tree of S over all words."""
    return ...


def expected(words, rule):
    """How often a tree of these words uses a rule, expected: p(rule) times the slope of log I(S, 0, n)."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_11", globals())
