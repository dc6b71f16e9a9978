"""Answers to lesson 3."""

from fstce.errors import MachineError
from fstce.machines.algebra import determinize


def deterministic_states(n):
    return 2**n


def has_determinization(fst):
    try:
        determinize(fst, "it", limit=1000)
    except MachineError:
        return False
    return True


def subsets(arcs, start):
    found, waiting = set(), [frozenset({start})]
    while waiting:
        here = waiting.pop()
        if here in found:
            continue
        found.add(here)
        for label in {label for source, label, _ in arcs if source in here}:
            waiting.append(frozenset(t for s, read, t in arcs if s in here and read == label))
    return found
