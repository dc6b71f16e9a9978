"""Lesson 5: forward–backward by hand, on the ice-cream HMM (Eisner 2002).

Each day is cold (C) or hot (H); a diary says how many ice creams were eaten. α(q, t) sums over all
paths to state q on day t, β(q, t) over all from there to the end; their product, over the sum of
all paths, is the posterior of q.
"""

import math

from grading import exercise, grade

START = {"C": 0.5, "H": 0.5}
NEXT = {"C": {"C": 0.8, "H": 0.1}, "H": {"C": 0.1, "H": 0.8}}
STOP = {"C": 0.1, "H": 0.1}
EATS = {"C": {1: 0.7, 2: 0.2, 3: 0.1}, "H": {1: 0.1, 2: 0.2, 3: 0.7}}
DIARY = [2, 3, 3, 2, 3, 2, 3, 2, 2, 3, 1]


def _weight(days, diary):
    p = START[days[0]] * STOP[days[-1]]
    for i, (day, eaten) in enumerate(zip(days, diary, strict=True)):
        p *= EATS[day][eaten] * (NEXT[days[i - 1]][day] if i else 1)
    return p


def _all(n):
    return [""] if n == 0 else [rest + day for rest in _all(n - 1) for day in "CH"]


def _sum(diary, keep=lambda days: True):
    return math.fsum(_weight(days, diary) for days in _all(len(diary)) if keep(days))


print("p(the first three days of the diary) =", _sum(DIARY[:3]))


@exercise(lambda f: math.isclose(f(DIARY[:3])[-1]["H"] + f(DIARY[:3])[-1]["C"], 10 * _sum(DIARY[:3])))
def forward(diary):
    """α: for each day a dict from state to the sum of the paths to it, that day's ice creams included."""
    return ...


@exercise(lambda f: math.isclose(f(DIARY[:6], 1), _sum(DIARY[:6], lambda d: d[1] == "H") / _sum(DIARY[:6])))
def hot(diary, day):
    """The posterior probability that a day, counted from 0, is hot."""
    return ...


@exercise(lambda f: f(DIARY) == max(_all(len(DIARY)), key=lambda days: _weight(days, DIARY)))
def viterbi(diary):
    """The most probable weather, such as "HHC"."""
    return ...


if __name__ == "__main__":
    grade("__main__")
