"""Lesson 4: semirings.

What "the sum over all paths" is depends on ⊕ and ⊗. One recurrence, the shortest distance from the
start, α(q) = ⊕ α(p) ⊗ w(p → q), counts paths, finds the best, or adds up probabilities.
"""

import math

from grading import exercise, grade

# Arcs of an acyclic machine in topological order: (source, target, probability); start 0, final 3.
ARCS = [(0, 1, 0.5), (0, 2, 0.5), (1, 2, 0.4), (1, 3, 0.6), (2, 3, 1.0)]
COUNTING = (lambda a, b: a + b, lambda a, b: a * b, 0, 1)


def _paths(state=0):
    if state == 3:
        return [1.0]
    return [p * rest for source, target, p in ARCS if source == state for rest in _paths(target)]


print("probabilities of the paths:", _paths())


@exercise(lambda f: f(ARCS, COUNTING, lambda p: 1) == 3 and math.isclose(f(ARCS, COUNTING, lambda p: p), 1.0))
def distance(arcs, semiring, weight):
    """α(3); semiring = (⊕, ⊗, zero, one), weight turns a probability into a weight."""
    return ...


def _best(f):
    plus, times, zero, one = f()
    total = zero
    for path in _paths():
        total = plus(total, times(one, -math.log(path)))
    return math.isclose(total, -math.log(max(_paths())))


@exercise(_best)
def tropical():
    """The semiring of −log weights in which the best path counts: (⊕, ⊗, zero, one)."""
    return ...


def _log(f):
    plus, times, zero, one = f()
    a, b, c = -math.log(0.2), -math.log(0.3), -math.log(0.5)
    return (
        math.isclose(plus(a, b), c)
        and math.isclose(times(a, plus(b, c)), plus(times(a, b), times(a, c)))
        and plus(a, zero) == a
        and times(a, one) == a
    )


@exercise(_log)
def log():
    """The semiring of −log weights in which probabilities add up."""
    return ...


if __name__ == "__main__":
    grade("__main__")
