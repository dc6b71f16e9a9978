"""Checks of lesson 8, by the list of all paths."""

import math

from grading import case
from lesson_08 import ARCS

LONGER = [(0, 1, "a", 0.0), (0, 1, "b", 0.7), (1, 2, "c", -1.0), (1, 3, "d", 0.3), (2, 3, "d", 2.0)]


def _paths(arcs, state=0):
    if state == 3:
        return [((), 0.0)]
    return [
        ((i, *rest), score + more)
        for i, (source, target, _, score) in enumerate(arcs)
        if source == state
        for rest, more in _paths(arcs, target)
    ]


def _log_z(arcs):
    return math.log(math.fsum(math.exp(score) for _, score in _paths(arcs)))


def _shares(arcs):
    sums = [
        math.fsum(math.exp(s) for path, s in _paths(arcs) if i in path) for i in range(len(arcs))
    ]
    return [total / math.exp(_log_z(arcs)) for total in sums]


BOTH = (("ARCS", ARCS), ("another lattice", LONGER))


def _for_both(exercise, expected):
    return [case(arcs, gives=expected(arcs), says=f"{exercise} of {name}") for name, arcs in BOTH]


def _slope(name, arcs):
    share = round(_shares(arcs)[2], 4)  # a difference of arc 2's score
    return case(
        arcs, 2, gives=share, view=lambda slope: round(slope, 4), says=f"slope of {name}, arc 2"
    )


CHECKS = {
    "log_z": _for_both("log_z", _log_z),
    "posteriors": _for_both("posteriors", _shares),
    "expected_length": _for_both("expected_length", lambda arcs: math.fsum(_shares(arcs))),
    "slope": [_slope(name, arcs) for name, arcs in BOTH],
}
