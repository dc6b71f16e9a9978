"""Pictures by matplotlib, the same bytes for the same numbers: lines over a common x.

Matplotlib (the extra ``plot``) is imported where a chart is drawn. Its settings, the
user's own included, are put aside while a chart is drawn and restored afterwards.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from fstce.errors import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe & Ito's colors, which the color-blind tell apart, without their yellow, which paper
# swallows;
# then five more, for pages with many systems.
PALETTE = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
    *("#882255", "#7A7A00", "#332288", "#8C564B", "#44AA99"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
_WIDTH = 5.2
_HEIGHT = 3.5
_LETTER = 0.078
_LINE = 0.2  # inches: of the axes, and of their names
Points = tuple[Sequence[float], Sequence[float]]  # xs and ys


@dataclass(frozen=True)
class Picture:
    """A picture for a page and as a file, ``name``.svg."""

    name: str
    title: str
    svg: str


def line_chart(
    series: Mapping[str, Points],
    *,
    name: str,
    title: str,
    x_label: str,
    y_label: str,
    x_ticks: Mapping[float, str],
    circles: Sequence[tuple[float, float]] = (),
) -> Picture:
    """Lines over a logarithmic x, named next to the axes, the one that ends highest first.

    ``series``: points by ascending x, all above 0; one without points keeps its color from others,
    so that the charts of a page show each system in one color. ``name``: of the picture's file.
    ``circles``: points that are circled.
    """
    missing = "charts are drawn by matplotlib, which is not installed: pip install 'fstce[plot]'"
    matplotlib, figures = (optional(name, missing) for name in ("matplotlib", "matplotlib.figure"))

    drawn = [line for line, (xs, _) in series.items() if len(xs)]
    # With room for names at the right and lines of them.
    width = _WIDTH + _LETTER * max(map(len, drawn), default=0) + 0.6
    height = max(_HEIGHT, _LINE * len(drawn) + 1.0)

    with matplotlib.rc_context(), warnings.catch_warnings():
        # What measures letters is a font of the machine; a browser has its own.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        matplotlib.rcdefaults()
        look = files("fstce.reporting").joinpath("templates", "charts.mplstyle")
        matplotlib.rc_file(look, use_default_template=False)
        figure: Figure = figures.Figure(figsize=(width, height), layout="constrained")
        axes = figure.add_subplot(xscale="log", xlabel=x_label, ylabel=y_label)
        axes.set_title(title, wrap=True)

        _draw_lines(figure, axes, series)
        for x, y in circles:
            axes.scatter(x, y, s=120, facecolors="none", edgecolors="black", zorder=3)
        axes.xaxis.set_ticks(list(x_ticks), list(x_ticks.values()))
        axes.xaxis.set_ticks([], minor=True)

        out = io.StringIO()
        # Matplotlib would write its version and the hour.
        figure.savefig(
            out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
        )

        return Picture(name, title, out.getvalue())


def _draw_lines(figure: Figure, axes: Axes, series: Mapping[str, Points]) -> None:
    for number, (name, (xs, ys)) in enumerate(series.items()):
        if len(xs):
            color = PALETTE[number % len(PALETTE)]
            marker = MARKERS[number % len(MARKERS)]
            axes.plot(xs, ys, label=name, color=color, marker=marker)

    handles = sorted(axes.lines, key=lambda line: -float(np.asarray(line.get_ydata())[-1]))
    if handles:
        figure.legend(handles=handles, loc="outside right upper")
