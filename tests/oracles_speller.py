"""The brute-force twin of the error model: every way to make one or two edits."""

from __future__ import annotations

import math
from functools import cache

from fstce.speller.error_model import ErrorModel
from fstce.speller.features import BEGIN, END, INSIDE


def least_cost(model: ErrorModel, observed: str, intended: str) -> float:
    """The cheapest path of the machine, its constant of two shifts included; infinite where there is none."""
    strings = model.strings

    def place(i: int, size: int) -> int:
        return BEGIN if i == 0 else END if i + size == len(observed) else INSIDE

    @cache
    def least(i: int, j: int, edits: int, last: str) -> float:
        """Of observed[i:] and intended[j:], behind so many edits; `last`: a pure edit directly before."""
        ways = [math.inf]
        if i == len(observed) and j == len(intended):
            return 0.0 if edits else math.inf
        if i < len(observed) and j < len(intended) and observed[i] == intended[j]:
            ways.append(least(i + 1, j + 1, edits, ""))
        if edits == 2:
            return min(ways)
        more = model.second if edits else 0.0
        for a, b in ((1, 1), (1, 0), (0, 1), (2, 2)):
            one, two = observed[i : i + a], intended[j : j + b]
            if len(one) < a or len(two) < b or (one == two) or (a == 2 and (one != two[::-1])):
                continue
            if not {*two} <= {
                *model.letters
            }:  # letters that the model does not edit are never intended
                continue
            now = "i" if (a, b) == (1, 0) else "d" if (a, b) == (0, 1) else ""
            if now and last and now != last:
                continue
            cost = model.cost(one, two, place(i, a))
            ways.append(cost + more + least(i + a, j + b, edits + 1, now))
        for string in strings:
            if edits + string.edits > 2 or not observed.startswith(string.observed, i):
                continue
            if not intended.startswith(string.intended, j) or (not string.observed and last == "i"):
                continue
            cost = string.costs[place(i, len(string.observed))] + more
            ways.append(
                cost
                + least(
                    i + len(string.observed), j + len(string.intended), edits + string.edits, ""
                )
            )
        return min(ways)

    return least(0, 0, 0, "") + 2 * model.shift
