"""A machine as SVG without any other program: states on a line, arcs straight, above or below.

States stand from left to right. An arc to the next state is straight; a longer one curves
over or under those it spans, on the side and at the height where nothing else is drawn;
arcs that point left run below. Arcs between the same two states share one curve. Where
posteriors are given, they are the curves' thickness.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np
import pywrapfst

from fstce.machines.sketch import Sketch, sketch, thickness
from fstce.numeric.types import Ints

_RADIUS, _STEP, _GAP, _MARGIN = 7.0, 30.0, 44.0, 24.0
_LETTER = 7.0  # the mean width of a letter of 13 pixels
_MOST_LABELS = 4
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{w:.0f}" height="{h:.0f}"
 viewBox="0 {top:.0f} {w:.0f} {h:.0f}">
<defs><marker id="head" viewBox="0 0 8 6" refX="7.5" refY="3" orient="auto"
 markerUnits="userSpaceOnUse" markerWidth="9.6" markerHeight="7.2"
><path d="M0,0 L8,3 L0,6 L2,3 Z" fill="#333"/></marker></defs>
<rect x="0" y="{top:.0f}" width="{w:.0f}" height="{h:.0f}" fill="white"/>
<g fill="none" stroke="#333" stroke-width="1.2" stroke-linecap="round">
"""
_TEXT = """\
</g>
<g font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13" fill="#111" text-anchor="middle"
 stroke="white" stroke-width="4" stroke-linejoin="round" paint-order="stroke">
"""


class Svg(str):
    """An SVG document, a text that notebooks show as the picture that it is."""

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        # HTML knows no XML declaration.
        return f'<div style="overflow-x:auto">{self[self.find("<svg") :]}</div>'


class _Joined(NamedTuple):
    """All arcs from one place to another: what they spell together, how probable each is."""

    source: int
    target: int
    labels: list[str]
    posteriors: list[float]

    @property
    def label(self) -> str:
        """As many labels as there is room for."""
        more = len(self.labels) - _MOST_LABELS
        return ", ".join(self.labels[:_MOST_LABELS]) + (f" +{more}" if more > 0 else "")


class _Arc(NamedTuple):
    """Joined arcs, and how high above the line (+) or below it (−) they run."""

    left: int
    right: int
    forward: bool
    label: str
    level: int
    joined: _Joined


def simple_svg(fst: pywrapfst.Fst, posteriors: Sequence[float] | None = None) -> Svg:
    """A machine as an SVG picture, drawn by this package.

    Parameters
    ----------
    fst : Fst
        Any machine of at most 2,000 states.
    posteriors : sequence of float, optional
        How probable each arc is, from 0 to 1: its thickness, and what it says when pointed at.

    Raises
    ------
    MachineError
        The machine is empty or too large to draw, or the posteriors are not one an arc.
    """
    drawn = sketch(fst, posteriors=posteriors)
    arcs = _placed(_merged(drawn), len(drawn.states))
    x = _positions(arcs, len(drawn.states))
    curves = [_curve(arc, x) for arc in arcs]
    texts = [_text(arc, x) for arc in arcs] + _costs(drawn, x)
    return Svg(_page(arcs, x, [*curves, *_circles(drawn, x)], texts))


def _merged(drawn: Sketch) -> list[_Joined]:
    """Arcs by the places of their ends, parallel ones as one with a list of labels."""
    place = {state: i for i, state in enumerate(drawn.states)}
    merged: dict[tuple[int, int], _Joined] = {}
    for number, (source, target, label) in enumerate(drawn.arcs):
        ends = place[source], place[target]
        joined = merged.setdefault(ends, _Joined(*ends, [], []))
        joined.labels.append(label)
        if drawn.posteriors is not None:
            joined.posteriors.append(drawn.posteriors[number])
    return list(merged.values())


def _placed(arcs: list[_Joined], states: int) -> list[_Arc]:
    """Give every arc a level: short arcs first, each beyond what it spans, on the emptier side."""
    height = {side: np.zeros(max(states - 1, 1), dtype=np.int64) for side in (1, -1)}
    placed, loops = [], {arc.source for arc in arcs if arc.source == arc.target}
    for arc in sorted(arcs, key=lambda arc: (abs(arc.target - arc.source), min(arc.source, arc.target))):
        left, right = sorted((arc.source, arc.target))
        forward = arc.source <= arc.target
        if right - left == 1 and forward:
            placed.append(_Arc(left, right, True, arc.label, 0, arc))
        elif left == right:
            placed.append(_Arc(left, right, True, arc.label, 1, arc))
        else:
            side = _side(height, left, right, forward)
            # A loop stands on its state, below the curves that pass over it.
            low = 2 if side > 0 and loops & set(range(left + 1, right)) else 1
            level = max(int(height[side][left:right].max()) + 1, low)
            height[side][left:right] = level
            placed.append(_Arc(left, right, forward, arc.label, side * level, arc))
    return placed


def _side(height: dict[int, Ints], left: int, right: int, forward: bool) -> int:
    """Above (1) or below (−1): backward arcs below, others where there is less."""
    above, below = (int(height[side][left:right].max()) for side in (1, -1))
    if not forward or below < above:
        return -1
    return 1


def _positions(arcs: list[_Arc], states: int) -> list[float]:
    """The x of every place, far enough apart for the labels between them."""
    gaps = np.full(max(states - 1, 0), _GAP)
    for arc in arcs:
        spanned = (
            slice(arc.left, arc.right) if arc.right > arc.left else slice(max(arc.left - 1, 0), arc.left + 1)
        )
        room = _LETTER * len(arc.label) + 2 * _RADIUS + (26 if arc.level == 0 else 10)
        missing = room - gaps[spanned].sum()
        if missing > 0 and gaps[spanned].size:
            gaps[spanned] += missing / gaps[spanned].size
    side = _MARGIN + max((_LETTER * len(arc.label) / 2 for arc in arcs if arc.left == arc.right), default=0.0)
    return [float(x) for x in side + np.concatenate(([0.0], np.cumsum(gaps)))]


def _curve(arc: _Arc, x: list[float]) -> str:
    """The path of an arc, from circle to circle."""
    left, right = x[arc.left], x[arc.right]
    if arc.level == 0:
        path = f"M{left + _RADIUS:.1f},0 L{right - _RADIUS - 1:.1f},0"
    elif arc.left == arc.right:
        path = f"M{left - 4:.1f},-6 C{left - 20:.1f},-32 {left + 20:.1f},-32 {left + 4.5:.1f},-7"
    else:
        bend, control, end_x, end_y = _bend(arc, right - left)
        ends = [f"{left + end_x:.1f},{end_y:.1f}", f"{right - end_x:.1f},{end_y:.1f}"]
        controls = [f"{left + bend:.1f},{control:.1f}", f"{right - bend:.1f},{control:.1f}"]
        step = 1 if arc.forward else -1
        path = f"M{ends[::step][0]} C{' '.join(controls[::step])} {ends[::step][1]}"
    return f'<path d="{path}" marker-end="url(#head)"{_look(arc.joined)}\n'


def _look(joined: _Joined) -> str:
    """The end of a curve's tag: how thick it is and what it says, where posteriors are known."""
    if not joined.posteriors:
        return "/>"
    pairs = zip(joined.labels, joined.posteriors, strict=True)
    said = ", ".join(f"{label} {posterior:.3g}" for label, posterior in pairs)
    width = thickness(min(sum(joined.posteriors), 1.0))
    return f' stroke-width="{width:.2f}"><title>{escape(said)}</title></path>'


def _bend(arc: _Arc, width: float) -> tuple[float, float, float, float]:
    """A curve's control point and end, both from the left state's centre; y grows downwards."""
    control = -arc.level * _STEP * 4 / 3
    bend = min(0.3 * width, 0.8 * abs(control))
    length = float(np.hypot(bend, control))
    return bend, control, bend / length * (_RADIUS + 1), control / length * (_RADIUS + 1)


def _top(arc: _Arc, x: list[float]) -> float:
    """The y of an arc's middle, where its label stands."""
    if arc.level == 0:
        return 0.0
    if arc.left == arc.right:
        return -34.0
    _, control, _, end_y = _bend(arc, x[arc.right] - x[arc.left])
    return 0.75 * control + 0.25 * end_y


def _text(arc: _Arc, x: list[float]) -> str:
    # A dy of a third of the letters' height centres them without dominant-baseline, which some viewers lack.
    middle = (x[arc.left] + x[arc.right]) / 2 - (3 if arc.level == 0 else 0)
    top, width = _top(arc, x), 0.8 * _LETTER * len(arc.label)
    # The halo of the letters leaves the spaces between words open; the rectangle closes them.
    back = (
        f'<rect x="{middle - width / 2:.1f}" y="{top - 5:.1f}" width="{width:.1f}" height="10" fill="white"/>'
    )
    return f'{back}<text x="{middle:.1f}" y="{top + 4.5:.1f}">{escape(arc.label)}</text>\n'


def _circles(drawn: Sketch, x: list[float]) -> list[str]:
    """The states: the start bold, final ones double, numbers as tooltips."""
    circles = []
    for state, centre in zip(drawn.states, x, strict=True):
        stroke = 2.4 if state == drawn.start else 1.2
        inner = f'<circle cx="{centre:.1f}" cy="0" r="{_RADIUS - 3}"/>' if state in drawn.final else ""
        outer = f'<circle cx="{centre:.1f}" cy="0" r="{_RADIUS}" fill="white" stroke-width="{stroke}"/>'
        circles.append(f"<g>{outer}{inner}<title>state {state}</title></g>\n")
    return circles


def _costs(drawn: Sketch, x: list[float]) -> list[str]:
    """The weights of final states, under them."""
    places = zip(drawn.states, x, strict=True)
    shown = [(drawn.final[state], centre) for state, centre in places if drawn.final.get(state)]
    return [f'<text x="{centre:.1f}" y="24">{escape(cost)}</text>\n' for cost, centre in shown]


def _page(arcs: list[_Arc], x: list[float], shapes: Sequence[str], texts: Sequence[str]) -> str:
    heights = [_top(arc, x) for arc in arcs] or [0.0]
    top, bottom = min(0.0, *heights, -4.0) - _MARGIN, max(0.0, *heights, 12.0) + _MARGIN
    head = _HEAD.format(w=x[0] + x[-1], h=bottom - top, top=top)
    return head + "".join(shapes) + _TEXT + "".join(texts) + "</g>\n</svg>\n"
