"""What charts draw: named series of points, checked, freed of gaps, each with its colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fstce.errors import ParameterError
from fstce.numeric.types import Floats
from fstce.reporting.figures import MARKERS, PALETTE

Values = ArrayLike | Sequence[float | None]


@dataclass(frozen=True)
class Series:
    """A line of a chart, or its points.

    ``xs``, ``ys``: the points; one with None, NaN or an infinity is left out. ``dashed``: drawn dashed and
    with hollow markers, as for published values. ``like``: the name of the series, or system, whose colour
    and marker this one takes. ``low``, ``high``: the ends of a band around a line, such as the worst and the
    best of several runs.
    """

    xs: Values
    ys: Values
    dashed: bool = False
    like: str | None = None
    low: Values | None = None
    high: Values | None = None


Given = Mapping[str, Series | tuple[Values, Values]]


@dataclass(frozen=True)
class PlottedLine:
    """A series ready to draw: points by ascending x, all finite, and how matplotlib draws them."""

    name: str
    xs: Floats
    ys: Floats
    low: Floats
    high: Floats
    dashed: bool
    look: Mapping[str, Any]


def lines(given: Given, *, log_x: bool = False, systems: Sequence[str] = ()) -> list[PlottedLine]:
    """The series that have points, in their order.

    ``systems``: names whose colours are fixed by their order, whichever of them are drawn: the charts of a
    page that share it show each system in one colour.
    """
    series = {name: one if isinstance(one, Series) else Series(*one) for name, one in given.items()}
    own = list(dict.fromkeys([*systems, *(name for name, one in series.items() if one.like is None)]))
    drawn = []
    for name, one in series.items():
        if (one.like or name) not in own:
            raise ParameterError(
                f"series {name!r}: like={one.like!r} names no series with a colour of its own"
            )
        number = own.index(one.like or name)
        ink = PALETTE[number % len(PALETTE)]
        face = "white" if one.dashed else ink
        marker = MARKERS[number % len(MARKERS)]
        look = {"label": name, "color": ink, "marker": marker, "markerfacecolor": face}
        points = _points(name, one)
        if log_x and points.shape[1] and points[0, 0] <= 0:
            raise ParameterError(f"series {name!r}: x = {points[0, 0]:g} has no place on a logarithmic axis")
        if points.shape[1]:
            xs, ys, low, high = points
            drawn.append(PlottedLine(name, xs, ys, low, high, one.dashed, look))
    return drawn


def _points(name: str, one: Series) -> Floats:
    """Rows xs, ys, low, high, by ascending x; where no band is given it is as thin as the line."""
    given = (one.xs, one.ys, one.ys if one.low is None else one.low, one.ys if one.high is None else one.high)
    try:
        rows = [np.asarray(row, dtype=float) for row in given]
    except (TypeError, ValueError):
        raise ParameterError(f"series {name!r}: holds something that is no number: {given!r}") from None
    if any(row.shape != rows[0].shape or row.ndim != 1 for row in rows):
        raise ParameterError(f"series {name!r}: xs, ys, low and high must be rows of one length")
    points = np.stack(rows)
    points = points[:, np.isfinite(points[:2]).all(axis=0)]
    return points[:, np.argsort(points[0], kind="stable")]
