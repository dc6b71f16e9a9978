"""Lesson 5: semirings.

What "the sum over all paths" is depends on ⊕ and ⊗. One recurrence, the shortest distance from the
start, α(q) = ⊕ α(p) ⊗ w(p → q), counts paths, finds the best, or adds up probabilities.
"""

from grading import grade

# %%
# Arcs of an acyclic machine in topological order: (source, target, probability); start 0, final 3.
ARCS = [(0, 1, 0.5), (0, 2, 0.5), (1, 2, 0.4), (1, 3, 0.6), (2, 3, 1.0)]
COUNTING = (lambda a, b: a + b, lambda a, b: a * b, 0, 1)


def paths(state=0):
    """The probabilities of all paths from a state, one by one."""
    if state == 3:
        return [1.0]
    return [p * rest for source, target, p in ARCS if source == state for rest in paths(target)]


print("probabilities of the paths:", paths())


# %%
# Yours:
def distance(arcs, semiring, weight):
    """α(3); semiring = (⊕, ⊗, zero, one), weight turns a probability into a weight."""
    return ...


def tropical():
    """The semiring of −log weights in which the best path counts: (⊕, ⊗, zero, one)."""
    return ...


def log():
    """The semiring of −log weights in which probabilities add up."""
    return ...


def best_two():
    """The semiring of the two least sums of −log weights: pairs in ascending order, missing ones ∞."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_05", globals())
