"""Lines of results over a common x, as a `Picture` with their names outside the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fstce.errors import ParameterError
from fstce.numeric.types import Floats
from fstce.reporting.figures import GREY, MARKERS, PALETTE, Picture, draw, short_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Values = ArrayLike | Sequence[float | None]


@dataclass(frozen=True)
class Series:
    """A line of a chart, or its points.

    ``xs``, ``ys``: the points; one with None, NaN or an infinity is left out. ``dashed``: drawn dashed and
    with hollow markers, as for published values. ``like``: the name of the series, or system, whose color
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

    ``systems``: names whose colors are fixed by their order, whichever of them are drawn: the charts of a
    page that share it show each system in one color.
    """
    series = {name: one if isinstance(one, Series) else Series(*one) for name, one in given.items()}
    own = list(dict.fromkeys([*systems, *(name for name, one in series.items() if one.like is None)]))
    drawn = []
    for name, one in series.items():
        if (one.like or name) not in own:
            raise ParameterError(
                f"series {name!r}: like={one.like!r} names no series with a color of its own"
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


Ticks = Sequence[float] | Mapping[float, str]
_WIDTH, _HEIGHT, _LETTER, _LINE = 5.2, 3.5, 0.078, 0.2  # inches: of the axes, and of their names


def line_chart(
    series: Given,
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    x_ticks: Ticks | None = None,
    systems: Sequence[str] = (),
    name: str | None = None,
) -> Picture:
    """Lines over a common x, named next to the axes, the one that ends highest first.

    ``series``: points with NaN or None are left out, and the line goes on to the next. ``log_x``: a
    logarithmic x axis. ``systems``: names whose colors are fixed by their order, alike on a page.
    ``name``: the name of the picture's files; otherwise made from the title.
    """
    drawn = lines(series, log_x=log_x, systems=systems)
    # With room for names at the right and lines of them.
    width = _WIDTH + _LETTER * max((len(line.name) for line in drawn), default=0) + 0.6
    height = max(_HEIGHT, _LINE * len(drawn) + 1.0)

    def paint(figure: Figure, axes: Axes) -> None:
        axes.set(xlabel=x_label, ylabel=y_label, xscale="log" if log_x else "linear")
        axes.xaxis.set_major_formatter(short_number)
        axes.yaxis.set_major_formatter(short_number)
        if not drawn:
            axes.text(0.5, 0.5, "no data", transform=axes.transAxes, ha="center", color=GREY)
            axes.set(xticks=[], yticks=[])
        for line in drawn:
            ink = line.look["color"]
            if (line.low < line.high).any():
                axes.fill_between(line.xs, line.low, line.high, color=ink, alpha=0.15, linewidth=0)
            # A hundred markers would hide their line.
            every = max(1, line.xs.size // 12)
            style = "--" if line.dashed else "-"
            axes.plot(line.xs, line.ys, linestyle=style, markevery=every, **line.look)
        if x_ticks is not None:
            named = x_ticks if isinstance(x_ticks, Mapping) else {x: short_number(x) for x in x_ticks}
            axes.xaxis.set_ticks(list(named), list(named.values()))
            axes.xaxis.set_ticks([], minor=True)
        _legend(figure, axes)

    return draw(title, name, (width, height), paint)


def _legend(figure: Figure, axes: Axes) -> None:
    """The names of the lines, right of the axes, those that end highest first."""
    named = [line for line in axes.lines if not str(line.get_label()).startswith("_")]
    handles = sorted(named, key=lambda line: -float(np.asarray(line.get_ydata())[-1]))
    if handles:
        figure.legend(handles=handles, loc="outside right upper")
