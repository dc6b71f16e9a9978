"""Answers to lesson 4."""

from collections import defaultdict


def closure(arcs, state):
    reached, waiting = {state}, [state]
    while waiting:
        here = waiting.pop()
        behind = {
            target for source, label, target in arcs if source == here and not label
        } - reached
        reached |= behind
        waiting += behind
    return reached


def without_epsilon(arcs, states):
    return {
        (state, label, target)
        for state in states
        for source, label, target in arcs
        if label and source in closure(arcs, state)
    }


def classes(arcs, final, states):
    part = {state: state in final for state in states}  # the set in which a state is
    while True:
        signature = {
            state: (
                part[state],
                frozenset((label, part[target]) for p, label, target in arcs if p == state),
            )
            for state in states
        }
        if len(set(signature.values())) == len(set(part.values())):
            break
        part = signature
    members = defaultdict(set)
    for state in states:
        members[part[state]].add(state)
    return members.values()


def pushed(arcs, final):
    beta = defaultdict(float, {final: 1.0})
    for source, target, weight in reversed(arcs):
        beta[source] += weight * beta[target]
    return [(p, q, weight * beta[q] / beta[p]) for p, q, weight in arcs]
