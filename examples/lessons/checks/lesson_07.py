"""Checks of lesson 7, by all weathers one by one."""

import math
from itertools import product

from grading import case
from lesson_07 import DIARY, EATS, NEXT, START, STOP


def _weight(days, diary):
    p = START[days[0]] * STOP[days[-1]]
    for i, (day, eaten) in enumerate(zip(days, diary, strict=True)):
        p *= EATS[day][eaten] * (NEXT[days[i - 1]][day] if i else 1)
    return p


def _all(diary):
    """The weathers of a diary, the most probable first."""
    weathers = ("".join(days) for days in product("CH", repeat=len(diary)))
    return sorted(weathers, key=lambda days: -_weight(days, diary))


def _sum(diary, keep=lambda days: True):
    return math.fsum(_weight(days, diary) for days in _all(diary) if keep(days))


def _ends(diary):
    """α on the last day: all paths to a state, without the stop."""
    return {q: _sum(diary, lambda days, q=q: days[-1] == q) / STOP[q] for q in "CH"}


def _best(diary, k):
    """Weathers as probable as one another may come in any order: probabilities are compared."""
    expected = [_weight(days, diary) for days in _all(diary)[:k]]
    return case(
        *(diary, k),
        gives=expected,
        view=lambda weathers: [_weight(days, diary) for days in dict.fromkeys(weathers)],
        says=f"probabilities of best({diary}, {k})",
    )


def _eaten(diary):
    counts = {q: dict.fromkeys((1, 2, 3), 0.0) for q in "CH"}
    for days in _all(diary):
        for day, eaten in zip(days, diary, strict=True):
            counts[day][eaten] += _weight(days, diary)
    return {q: {n: row[n] / sum(row.values()) for n in row} for q, row in counts.items()}


CHECKS = {
    "forward": [
        case(DIARY[:n], gives=_ends(DIARY[:n]), view=lambda alpha: alpha[-1]) for n in (1, 3)
    ],
    "hot": [
        case(
            DIARY[:6],
            day,
            gives=_sum(DIARY[:6], lambda days, day=day: days[day] == "H") / _sum(DIARY[:6]),
        )
        for day in (1, 5)
    ],
    "viterbi": [case(diary, gives=_all(diary)[0]) for diary in (DIARY, [1, 1, 3, 3])],
    "best": [_best(diary, 5) for diary in (DIARY[:8], [3, 1, 2])],
    "appetite": [case(DIARY[:7], gives=_eaten(DIARY[:7]))],
}
