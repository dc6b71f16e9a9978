"""Charts of results: lines, points and counts, each a `Picture` with its names outside the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fstce.numeric.types import Floats
from fstce.reporting.figures import GREY, INK, LegendEntry, Picture, colour, draw, short_number
from fstce.reporting.labels import LINE_INCHES, End, label_ends
from fstce.reporting.series import Given, PlottedLine, Values, finite, lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Ticks = Sequence[float] | Mapping[float, str]
_WIDTH, _HEIGHT, _LETTER = 5.2, 3.5, 0.078  # inches: of the axes, and of a letter of their names
_MOST_BINS = 60


def line_chart(
    series: Given,
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    x_ticks: Ticks | None = None,
    y_limits: tuple[float, float] | None = None,
    references: Mapping[str, float] | None = None,
    systems: Sequence[str] = (),
    name: str | None = None,
) -> Picture:
    """Lines over a common x, each named at its right end.

    ``series``: points with NaN or None are left out, and the line goes on to the next. ``log_x``: a
    logarithmic x axis. ``y_limits``: the ends of the y axis; otherwise the data's. ``references``: values of
    y to show as dotted lines over the whole width, such as chance. ``systems``: names whose colours are fixed
    by their order, alike in all charts of a page. ``name``: the name of the picture's files; otherwise made
    from the title.
    """
    drawn, levels = lines(series, log_x=log_x, systems=systems), dict(references or {})

    def paint(figure: Figure, axes: Axes) -> None:
        _prepare(axes, x_label, y_label, log_x, bool(drawn or levels))
        for line in drawn:
            _paint_line(axes, line)
        for level in levels.values():
            axes.axhline(level, color=GREY, linestyle=":", linewidth=1.2)
        _set_x_ticks(axes, x_ticks)
        axes.set_ylim(y_limits)
        right = axes.get_xlim()[1]
        across = [End(right, y, text, GREY) for text, y in levels.items()]
        # From below: of two that end together, the first named stands above.
        label_ends(figure, axes, [*map(_end, drawn), *across][::-1])

    names = [line.name for line in drawn] + list(levels)
    legend = [*map(_entry, drawn), *(LegendEntry(level, GREY) for level in levels)]
    return draw(title, name, _size(names, LINE_INCHES * len(names) + 1.0), paint, legend)


def scatter_chart(
    series: Given,
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    diagonal: bool = False,
    systems: Sequence[str] = (),
    name: str | None = None,
) -> Picture:
    """Points, a colour and a marker for each series; parameters as for `line_chart`.

    ``log_x``: a logarithmic x axis. ``name``: the name of the picture's files; otherwise made from the title.
    """
    drawn = lines(series, log_x=log_x, systems=systems)
    # Many points hide each other unless one sees through them.
    alpha = 0.85 if sum(line.xs.size for line in drawn) < 200 else 0.4

    def paint(figure: Figure, axes: Axes) -> None:
        _prepare(axes, x_label, y_label, log_x, bool(drawn))
        axes.grid(True, axis="both")
        for line in drawn:
            face = "white" if line.dashed else line.colour
            look: dict[str, Any] = {"marker": line.marker, "color": line.colour, "markerfacecolor": face}
            axes.plot(line.xs, line.ys, linestyle="none", alpha=alpha, label=line.name, **look)
        if diagonal:
            axes.axline((1.0, 1.0), slope=1, color=GREY, linestyle=":", linewidth=1.2, zorder=1)
        _legend(figure, axes)

    return draw(title, name, _size([line.name for line in drawn][1:], 0), paint, map(_entry, drawn))


def histogram(
    values: Values | Mapping[str, Values],
    *,
    title: str,
    x_label: str,
    y_label: str = "count",
    bins: int | Sequence[float] | None = None,
    references: Mapping[str, float] | None = None,
    name: str | None = None,
) -> Picture:
    """How often values fall where; several groups share the bins.

    ``values``: the values, or groups of them; NaN is left out. ``bins``: how many bins, or their edges;
    otherwise as many as suit the values, at most 60. ``references``: values of x to show as dotted lines,
    such as a published result. ``name``: the name of the picture's files; otherwise made from the title.
    """
    given = values if isinstance(values, Mapping) else {"": values}
    groups = {key: finite(group, f"histogram {key!r}") for key, group in given.items()}
    edges = _edges(np.concatenate([*groups.values(), np.empty(0)]), bins)
    levels = dict(references or {})

    def paint(figure: Figure, axes: Axes) -> None:
        _prepare(axes, x_label, y_label, False, any(group.size for group in groups.values()))
        for number, (key, group) in enumerate(groups.items()):
            counts, ink = np.histogram(group, edges)[0], colour(number)
            axes.stairs(counts, edges, fill=True, color=ink, alpha=0.75 if len(groups) == 1 else 0.2)
            axes.stairs(counts, edges, color=ink, linewidth=1.4, label=key or None)
        for number, (key, level) in enumerate(levels.items()):
            style = (0, (1, 1 + number))
            axes.axvline(level, color=INK, linestyle=style, linewidth=1.3, label=key)
        _legend(figure, axes, fewest=1)

    legend = [LegendEntry(key, colour(number)) for number, key in enumerate(groups) if key]
    legend += [LegendEntry(key, INK, True) for key in levels]
    return draw(title, name, _size([*filter(None, groups), *levels], 0), paint, legend)


def _size(names: Sequence[str], height: float) -> tuple[float, float]:
    """The picture's size in inches, with room for names at the right and lines of them."""
    return _WIDTH + _LETTER * max(map(len, names), default=0) + 0.6, max(_HEIGHT, height)


def _prepare(axes: Axes, x_label: str, y_label: str, log_x: bool, filled: bool) -> None:
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    if log_x:
        axes.set_xscale("log")
    axes.xaxis.set_major_formatter(short_number)
    axes.yaxis.set_major_formatter(short_number)
    if not filled:
        axes.text(0.5, 0.5, "no data", transform=axes.transAxes, ha="center", color=GREY)
        axes.set(xticks=[], yticks=[])


def _paint_line(axes: Axes, line: PlottedLine) -> None:
    if (line.low < line.high).any():
        axes.fill_between(line.xs, line.low, line.high, color=line.colour, alpha=0.15, linewidth=0)
    axes.plot(
        line.xs,
        line.ys,
        color=line.colour,
        marker=line.marker,
        linestyle="--" if line.dashed else "-",
        markerfacecolor="white" if line.dashed else line.colour,
        # A hundred markers would hide their line.
        markevery=max(1, line.xs.size // 12),
    )


def _entry(line: PlottedLine) -> LegendEntry:
    return LegendEntry(line.name, line.colour, line.dashed)


def _end(line: PlottedLine) -> End:
    return End(float(line.xs[-1]), float(line.ys[-1]), line.name, line.colour, line.marker, line.dashed)


def _set_x_ticks(axes: Axes, ticks: Ticks | None) -> None:
    if ticks is not None:
        named = ticks if isinstance(ticks, Mapping) else {tick: short_number(tick) for tick in ticks}
        axes.xaxis.set_ticks(list(named), list(named.values()))
        axes.xaxis.set_ticks([], minor=True)


def _legend(figure: Figure, axes: Axes, fewest: int = 2) -> None:
    if len(axes.get_legend_handles_labels()[1]) >= fewest:
        figure.legend(loc="outside right upper")


def _edges(values: Floats, bins: int | Sequence[float] | None) -> Floats:
    if bins is not None:
        return np.histogram_bin_edges(values, bins)
    if values.size and (values == np.round(values)).all():
        # Bins that hold unlike numbers of integers would show a comb.
        step = np.ceil((np.ptp(values) + 1) / _MOST_BINS)
        return np.arange(values.min() - 0.5, values.max() + step, step)
    edges = np.histogram_bin_edges(values, "auto")
    return edges if edges.size <= _MOST_BINS + 1 else np.histogram_bin_edges(values, _MOST_BINS)
