"""Names of lines at their right ends, side by side where the lines end close together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fstce.numeric.types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE_INCHES = 0.17  # the height of a label with its margin
_EDGE, _MARKER_AT, _TEXT_AT = 1.01, 1.05, 1.07  # in widths of the axes


class End(NamedTuple):
    """Where a line ends, in the data's units, and what stands there."""

    x: float
    y: float
    text: str
    colour: str
    marker: str = ""
    hollow: bool = False


def spread(wanted: ArrayLike, gap: float, low: float, high: float) -> Floats:
    """The places nearest to those wanted, in their order, `gap` apart or more, between `low` and `high`.

    Nearest is least squares: p_i − i·gap is the isotonic regression of w_i − i·gap, found by
    pooling neighbours that stand in the wrong order (pool adjacent violators). Where there is
    no room, the gap shrinks.

    >>> spread([0.5, 0.5, 0.9], 0.2, 0, 1).round(2).tolist()
    [0.4, 0.6, 0.9]
    """
    places = np.asarray(wanted, dtype=float)
    if places.size > 1:
        gap = min(gap, (high - low) / (places.size - 1))
    order = np.argsort(places, kind="stable")
    steps = gap * np.arange(places.size)
    pools: list[tuple[float, int]] = []
    for value in (places[order] - steps).tolist():
        pools.append((value, 1))
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            (left, m), (right, n) = pools[-2:]
            pools[-2:] = [((left * m + right * n) / (m + n), m + n)]
    pooled = np.repeat([mean for mean, _ in pools], [count for _, count in pools])
    placed = np.empty_like(places)
    placed[order] = np.clip(pooled, low, high - steps[-1] if places.size else high) + steps
    return placed


def label_ends(figure: Figure, axes: Axes, ends: Sequence[End]) -> None:
    """Write each text right of the axes, as near to its line's end as there is room, and lead there."""
    texts = [
        axes.text(_TEXT_AT, 0.5, end.text, transform=axes.transAxes, va="center", color=darker(end.colour))
        for end in ends
    ]
    # The layout makes room for the texts; only then is the height of a line of text known in axes.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    inches = axes.get_window_extent().height / figure.dpi
    to_axes = axes.transData + axes.transAxes.inverted()
    points = np.clip([to_axes.transform((end.x, end.y)) for end in ends], 0, 1).reshape(-1, 2)
    places = spread(points[:, 1], LINE_INCHES / inches, 0, 1)
    for end, text, (x, y), place in zip(ends, texts, points, places, strict=True):
        text.set_y(place)
        look: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False, "color": end.colour}
        axes.plot([x, _EDGE, _MARKER_AT], [y, y, place], linewidth=0.7, alpha=0.6, zorder=1, **look)
        face = "white" if end.hollow else end.colour
        axes.plot([_MARKER_AT], [place], marker=end.marker, markerfacecolor=face, **look)


def darker(colour: str) -> str:
    """The colour mixed with black until it can be read as text on white (WCAG's 4.5 to 1).

    >>> darker("#000000"), darker("#E69F00")
    ('#000000', '#9C6C00')
    """
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    share = next(s for s in np.linspace(1, 0, 101) if 1.05 / (_luminance(rgb * s) + 0.05) >= 4.5)
    return "#" + "".join(f"{int(channel):02X}" for channel in np.round(rgb * share * 255))


def _luminance(rgb: Floats) -> float:
    """Relative luminance of an sRGB colour, as WCAG 2 defines it."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])
