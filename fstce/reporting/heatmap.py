"""A matrix as coloured cells, such as which tag was taken for which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from fstce.errors import ParameterError
from fstce.numeric.types import Floats
from fstce.reporting.cells import shown
from fstce.reporting.figures import GREY, INK, Picture, draw, short_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

_MOST_NUMBERS = 24  # rows or columns up to which cells hold their numbers
_LETTER = 0.075  # inches


def heat_map(
    matrix: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    title: str,
    row_label: str = "",
    column_label: str = "",
    value_label: str = "",
    decimals: int | None = None,
    log: bool = False,
    name: str | None = None,
) -> Picture:
    """A matrix as cells from white (none) to dark blue (most), with numbers where there is room.

    ``matrix`` (rows, columns): numbers that are not negative; NaN leaves a cell empty and grey. ``title``,
    ``row_label``, ``column_label``, ``value_label``: what the chart, its sides and its scale of colours say.
    ``decimals``: digits after the point in the cells; otherwise as few as a number needs. ``log``: colour by
    the logarithm, where a few cells hold most of the sum. ``name``: the name of the picture's files;
    otherwise made from the title.
    """
    values = _checked(matrix, rows, columns)

    def paint(figure: Figure, axes: Axes) -> None:
        scale = _scale(values, log)
        cells = _paint(axes, values, scale)
        _name_sides(axes, rows, columns, row_label, column_label)
        bar = figure.colorbar(cells, ax=axes, shrink=0.6, aspect=25, label=value_label, format=short_number)
        bar.outline.set_visible(False)
        bar.minorticks_off()
        if max(values.shape) <= _MOST_NUMBERS:
            _write_numbers(axes, values, scale, decimals)

    return draw(title, name, _size(values.shape, rows, columns), paint)


def _checked(matrix: ArrayLike, rows: Sequence[str], columns: Sequence[str]) -> Floats:
    try:
        values = np.asarray(matrix, dtype=float)
    except (TypeError, ValueError):
        raise ParameterError("a heat map's matrix must be rows of numbers, all of one length") from None
    if values.shape != (len(rows), len(columns)) or not values.size:
        shape = " × ".join(map(str, values.shape))
        raise ParameterError(
            f"a heat map of {len(rows)} rows and {len(columns)} columns needs a matrix of that shape, "
            f"not of {shape or 'one number'}, and not an empty one"
        )
    if (values < 0).any() or np.isinf(values).any():
        raise ParameterError("a heat map shows numbers from 0 on; this matrix has negative or infinite ones")
    return values


def _size(shape: tuple[int, ...], rows: Sequence[str], columns: Sequence[str]) -> tuple[float, float]:
    cell = 0.42 if max(shape) <= 12 else 0.34 if max(shape) <= _MOST_NUMBERS else 0.17
    wide = cell * shape[1] + _LETTER * max(map(len, rows)) + 1.6
    high = cell * shape[0] + _LETTER * max(map(len, columns)) + 0.9
    return max(wide, 3.6), max(high, 2.2)


def _scale(values: Floats, log: bool) -> Normalize:
    from matplotlib.colors import LogNorm, Normalize

    positive = values[values > 0]
    top = float(positive.max()) if positive.size else 1.0
    if log and positive.size and positive.min() < top:
        # The least value shall still be told from white.
        return LogNorm(float(positive.min()) / 2, top)
    return Normalize(0, top)


def _paint(axes: Axes, values: Floats, scale: Normalize) -> ScalarMappable:
    """The cells; zeros, most of a table of confusions, stay unpainted."""
    from matplotlib.collections import PolyCollection

    corners = np.array([(0, 0), (0, 1), (1, 1), (1, 0)])
    gaps, full = (np.argwhere(kind)[:, None, ::-1] + corners for kind in (np.isnan(values), values > 0))
    look: dict[str, Any] = {"edgecolors": "white", "linewidths": 0.6}
    axes.add_collection(PolyCollection(gaps, facecolors="#eeeeee", **look))
    cells = PolyCollection(full, array=values[values > 0], cmap="Blues", norm=scale, **look)
    axes.add_collection(cells)
    axes.set(xlim=(0, values.shape[1]), ylim=(values.shape[0], 0))
    return cells


def _name_sides(
    axes: Axes, rows: Sequence[str], columns: Sequence[str], row_label: str, column_label: str
) -> None:
    axes.grid(False)
    small = 9 if max(len(rows), len(columns)) <= _MOST_NUMBERS else 6.5
    turned = 90 if max(map(len, columns)) > 3 or small < 9 else 0
    axes.set_xticks(np.arange(len(columns)) + 0.5, columns, rotation=turned, fontsize=small)
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows, fontsize=small)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.set_xlabel(column_label)
    axes.xaxis.set_label_position("top")
    axes.set_ylabel(row_label)
    axes.spines[:].set_visible(True)
    axes.spines[:].set_color("#cccccc")


def _write_numbers(axes: Axes, values: Floats, scale: Normalize, decimals: int | None) -> None:
    size = 7.5 if max(values.shape) <= 12 else 6
    for (row, column), value in np.ndenumerate(values):
        if value != 0:
            dark = value > 0 and float(scale(value)) > 0.6
            ink = "white" if dark else GREY if np.isnan(value) else INK
            place: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": ink, "fontsize": size}
            axes.text(column + 0.5, row + 0.5, shown(float(value), decimals), **place)
