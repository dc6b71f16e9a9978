"""Lesson 3: determinization, and when it does not end.

A deterministic acceptor has at most one arc a state and label, so a string has at most one path.
Every acceptor without weights has a deterministic one (subset construction); with weights only
where no two cycles that read the same differ in weight (the twins property; Mohri 1997).
"""

import pynini
from grading import grade

from fstce.errors import MachineError
from fstce.machines.algebra import determinize

# %%
# (a|b)*a(a|b)(a|b): the third label from the end is a.
ANY = pynini.union("a", "b")
third = (pynini.closure(ANY) + "a" + ANY + ANY).rmepsilon()
print(third.num_states(), "states; deterministic:", determinize(third, "third").num_states())


# %%
# With weights the construction may go on for ever; fstce stops it and says so.
def twins(one, other):
    """Two cycles behind an a, both of b, of these weights."""
    loops = [pynini.closure(pynini.accep("b", weight=weight)) for weight in (one, other)]
    return pynini.union(
        *("a" + loop + end for loop, end in zip(loops, "cd", strict=True))
    ).rmepsilon()


try:
    determinize(twins(1, 2), "twins", limit=1000)
except MachineError as error:
    print(error)

# %%
# A machine as arcs (source, label, target): any string, an a, one more.
ARCS = {(0, "a", 0), (0, "b", 0), (0, "a", 1), (1, "b", 2), (1, "a", 2)}


# %%
# Yours:
def deterministic_states(n):
    """How many states has the minimal deterministic acceptor of "the n-th label from the end is a"?"""
    return ...


def has_determinization(fst):
    """Whether fstce's determinize ends within a thousand states."""
    return ...


def subsets(arcs, start):
    """The states of the subset construction: sets of states, reached label by label from {start}."""
    return ...


# %%
if __name__ == "__main__":
    grade("lesson_03", globals())
