"""Lesson 4: ε-removal, minimization, pushing.

Three operations that change a machine and not what it says. An arc that reads nothing is replaced by
what lies behind it; states from which the same can be read are one (the classes of Myhill & Nerode);
weights are moved toward the start, so that what leaves a state sums to one (Mohri 1997).
"""

import pynini
from grading import grade

# %%
# OpenFst does all three. Here they are done by hand, on sets of arcs.
flower = pynini.closure(pynini.union("ab", "cb", pynini.accep("b")))
for step in (pynini.rmepsilon, pynini.determinize, pynini.minimize):
    print(f"  {flower.num_states()} states before {step.__name__},", end=" ")
    flower = step(flower) or flower
    print(flower.num_states(), "after")

# %%
# (source, label, target), ε written ""; start 0.
EMPTY = {(0, "", 1), (1, "", 2), (0, "a", 3), (2, "b", 3), (3, "", 0)}

# A deterministic acceptor of a·b and c·b and c·c; start 0, final 3 and 4.
ACCEPTOR = {(0, "a", 1), (0, "c", 2), (1, "b", 3), (2, "b", 4), (2, "c", 4)}
FINAL = {3, 4}

# A lattice with weights, arcs (source, target, weight) in topological order; start 0, final 3.
WEIGHTED = [(0, 1, 2.0), (0, 2, 1.0), (1, 3, 0.5), (1, 3, 0.5), (2, 3, 4.0)]


# %%
# Yours:
def closure(arcs, state):
    """The states that ε alone leads to from here, this state among them."""
    return ...


def without_epsilon(arcs, states):
    """Its arcs (source, label, target) without ε: from each state, what any state of its closure reads."""
    return ...


def classes(arcs, final, states):
    """The minimal machine's states: sets of states that accept the same strings (Moore 1956).

    Begin with final and not final; split a set while two of its states go by one label into two sets.
    """
    return ...


def pushed(arcs, final):
    """The arcs (p, q, w(p → q) β(q) / β(p)), where β(p) sums all paths from p to the final state."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_04", globals())
