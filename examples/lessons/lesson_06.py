"""Lesson 6: posteriors and expectations.

The probability of an arc, given that some path was taken, is exp(α(p) + score + β(q) − log Z). The
expected number of anything that arcs count is the sum of its arcs' posteriors, and it is also the
slope of log Z in the weight of that thing.
"""

import math

import numpy as np
from grading import exercise, grade

# A lattice: arcs in topological order (source, target, word, score in nats); start 0, final 3.
ARCS = [(0, 1, "so", 0.2), (0, 2, "it", -0.3), (1, 2, "it", 1.0), (1, 3, "goes", 0.0), (2, 3, "goes", 0.4)]


def _paths(state=0):
    if state == 3:
        return [((), 0.0)]
    found = []
    for i, (source, target, _, score) in enumerate(ARCS):
        if source == state:
            found += [((i, *rest), score + more) for rest, more in _paths(target)]
    return found


_Z = math.fsum(math.exp(score) for _, score in _paths())
_SHARES = [math.fsum(math.exp(score) for arcs, score in _paths() if i in arcs) / _Z for i in range(len(ARCS))]
print("log Z =", math.log(_Z), "over", len(_paths()), "paths")


@exercise(lambda f: math.isclose(f(ARCS), math.log(_Z)))
def log_z(arcs):
    """log of the sum over all paths of exp(sum of scores), by the recurrence, not by the list of paths."""
    return ...


@exercise(lambda f: np.allclose(f(ARCS), _SHARES))
def posteriors(arcs):
    """The posterior of each arc."""
    return ...


@exercise(lambda f: math.isclose(f(ARCS), math.fsum(_SHARES)))
def expected_length(arcs):
    """The expected number of words of a string."""
    return ...


@exercise(lambda f: math.isclose(f(ARCS, 2), _SHARES[2], abs_tol=1e-6))
def slope(arcs, i):
    """How fast log Z grows with the score of arc i, by a small difference."""
    return ...


if __name__ == "__main__":
    grade("__main__")
