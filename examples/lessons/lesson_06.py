"""Lesson 6: cycles, and Lehmann's algorithm.

A machine with a cycle has paths without end. Their sum may exist all the same: where going round costs
w < 1, the sum is 1 + w + w² + … = 1 / (1 − w), written w*. Lehmann (1977) sums over all pairs of states
by letting paths pass one more state at a time: d(i, j) ← d(i, j) ⊕ d(i, k) d(k, k)* d(k, j).
"""

import numpy as np
from grading import grade

# %%
# A matrix of probabilities: ARCS[p, q] is the weight from p to q. State 2 ends with 1 − .6.
ARCS = np.array([[0.5, 0.3, 0.2], [0.0, 0.4, 0.6], [0.6, 0.0, 0.0]])

# %%
# Going on for long comes near the sum of all paths from 0 to 2, and never there.
power, total = np.eye(3), np.zeros((3, 3))
for _ in range(30):
    total += power
    power = power @ ARCS
print("paths of less than 30 arcs from 0 to 2:", total[0, 2])


# %%
# Yours:
def star(weight):
    """1 + w + w² + … for a weight below 1; infinity where the sum does not exist."""
    return ...


def lehmann(arcs):
    """The sums over all paths between all pairs of states, the empty path of a state to itself included."""
    return ...


def shortest(arcs):
    """The same in the tropical semiring: the least sums of −log weights (Floyd & Warshall 1962)."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_06", globals())
