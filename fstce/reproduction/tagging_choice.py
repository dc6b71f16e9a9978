"""Of each grid two models: the one that the criterion chooses without labels, and the best there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

Record = Mapping[str, Any]
CONDITION = ("table", "words", "coarse", "dictionary", "spelling", "criterion")


class GridChoice(NamedTuple):
    """The trials of one grid that came to an end, and which two of them are shown.

    ``selected``: with the best value of the criterion on held-out text without labels ("sel."). ``oracle``:
    the most accurate ("oracle").
    """

    selected: Record
    oracle: Record
    trials: list[Record]


def choices(records: Iterable[Record]) -> dict[tuple[Any, ...], GridChoice]:
    """The choice of every grid, by the values of `CONDITION`; grids whose trials all failed are left out."""
    grids: dict[tuple[Any, ...], list[Record]] = {}
    for record in records:
        if "result" in record and record["settings"]["table"] != "restarts":
            grids.setdefault(tuple(record["settings"][name] for name in CONDITION), []).append(record)
    return {
        condition: GridChoice(
            max(trials, key=_result("held_out")), max(trials, key=_result("ambiguous")), trials
        )
        for condition, trials in grids.items()
    }


def smoothing_of(record: Record) -> float:
    """The σ² or λ of a trial; ∞ for no prior."""
    settings = record["settings"]
    value = settings["smoothing"] if "smoothing" in settings else settings["sigma2"]
    return math.inf if value is None else float(value)


def _result(name: str) -> Callable[[Record], float]:
    def value(record: Record) -> float:
        found = float(record["result"][name])
        return -math.inf if math.isnan(found) else found

    return value
