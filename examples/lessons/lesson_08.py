"""Lesson 8: posteriors and expectations.

The probability of an arc, given that some path was taken, is exp(α(p) + score + β(q) − log Z). The
expected number of anything that arcs count is the sum of its arcs' posteriors, and it is also the
slope of log Z in the weight of that thing.
"""

from grading import grade

# %%
# A lattice: arcs in topological order (source, target, word, score in nats); start 0, final 3.
ARCS = [
    (0, 1, "so", 0.2),
    (0, 2, "it", -0.3),
    (1, 2, "it", 1.0),
    (1, 3, "goes", 0.0),
    (2, 3, "goes", 0.4),
]


# %%
# Yours:
def log_z(arcs):
    """log of the sum over all paths of exp(sum of scores), by the recurrence, not by the list of paths."""
    return ...


def posteriors(arcs):
    """The posterior of each arc."""
    return ...


def expected_length(arcs):
    """The expected number of words of a string."""
    return ...


def slope(arcs, i):
    """How fast log Z grows with the score of arc i, by a small difference."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_08", globals())
