"""A machine as SVG without any other program: states in columns, the longest path a straight line.

What stands where is :mod:`fstce.machines.layered`'s. Arcs between the same two states share one
curve. Where posteriors are given, they are the curves' thickness.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from fstce.corpora.svg import Svg
from fstce.machines.layered import LINE, RADIUS, Curve, Layout, layout
from fstce.machines.openfst import pywrapfst
from fstce.machines.sketch import Sketch, sketch, thickness

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


def simple_svg(
    fst: pywrapfst.Fst, posteriors: Sequence[float] | None = None, baseline: Sequence[int] = ()
) -> Svg:
    """A machine as an SVG picture, drawn by this package.

    Parameters
    ----------
    fst : Fst
        Any machine of at most 2,000 states.
    posteriors : sequence of float, optional
        How probable each arc is, from 0 to 1: its thickness, and what it says when pointed at.
    baseline : sequence of int, optional
        The states of the path that is drawn as a straight line; by default a longest one.

    Raises
    ------
    MachineError
        The machine is empty or too large to draw, or the posteriors are not one an arc.
    """
    drawn = sketch(fst, posteriors=posteriors)
    placed = layout(drawn, baseline)
    _left, top, width, height = placed.box
    shapes = [_path(curve, drawn) for curve in placed.curves] + _circles(drawn, placed)
    texts = [_text(curve) for curve in placed.curves] + _costs(drawn, placed)
    head = _HEAD.format(w=width, h=height, top=top)
    return Svg(head + "".join(shapes) + _TEXT + "".join(texts) + "</g>\n</svg>\n")


def curve_path(curve: Curve) -> str:
    """A curve as the commands of an SVG path: level at every point, from circle to circle."""
    if len(curve.points) == 1:
        x, y = curve.points[0]
        return (
            f"M{x - 4:.1f},{y - 6:.1f} C{x - 20:.1f},{y - 32:.1f} "
            f"{x + 20:.1f},{y - 32:.1f} {x + 4.5:.1f},{y - 7:.1f}"
        )
    (x, y), *rest = curve.points
    step = 1 if rest[-1][0] >= x else -1
    path = f"M{x + step * RADIUS:.1f},{y:.1f}"
    x += step * RADIUS
    for number, (to_x, to_y) in enumerate(rest, 1):
        end = to_x - step * (RADIUS + 1) if number == len(rest) else to_x
        if to_y == y:
            path += f" L{end:.1f},{to_y:.1f}"
        else:
            middle = (x + end) / 2
            path += f" C{middle:.1f},{y:.1f} {middle:.1f},{to_y:.1f} {end:.1f},{to_y:.1f}"
        x, y = end, to_y
    return path


def _path(curve: Curve, drawn: Sketch) -> str:
    return f'<path d="{curve_path(curve)}" marker-end="url(#head)"{_look(curve, drawn)}\n'


def _look(curve: Curve, drawn: Sketch) -> str:
    """The end of a curve's tag: how thick it is and what it says, where posteriors are known."""
    if drawn.posteriors is None:
        return "/>"
    posteriors = [drawn.posteriors[arc] for arc in curve.arcs]
    pairs = zip(curve.arcs, posteriors, strict=True)
    said = ", ".join(f"{drawn.arcs[arc][2]} {posterior:.3g}" for arc, posterior in pairs)
    width = thickness(min(sum(posteriors), 1.0))
    return f' stroke-width="{width:.2f}"><title>{escape(said)}</title></path>'


def _text(curve: Curve) -> str:
    # A dy of a third of the letters' height centres them without dominant-baseline, which some viewers lack.
    (middle, top), width = curve.at, 0.9 * curve.width
    lines = curve.label.split("\n")
    first = top - LINE * (len(lines) - 1) / 2
    # The halo of the letters leaves the spaces between words open; the rectangle closes them.
    back = (
        f'<rect x="{middle - width / 2:.1f}" y="{first - 5:.1f}" width="{width:.1f}"'
        f' height="{10 + LINE * (len(lines) - 1):.0f}" fill="white"/>'
    )
    texts = (
        f'<text x="{middle:.1f}" y="{first + 4.5 + LINE * i:.1f}">{escape(line)}</text>\n'
        for i, line in enumerate(lines)
    )
    return back + "".join(texts)


def _circles(drawn: Sketch, placed: Layout) -> list[str]:
    """The states: the start bold, final ones double, numbers as tooltips."""
    circles = []
    for state in drawn.states:
        x, y = placed.states[state]
        stroke = 2.4 if state == drawn.start else 1.2
        centre = f'cx="{x:.1f}" cy="{y:.1f}"'
        inner = f'<circle {centre} r="{RADIUS - 3}"/>' if state in drawn.final else ""
        outer = f'<circle {centre} r="{RADIUS}" fill="white" stroke-width="{stroke}"/>'
        circles.append(f"<g>{outer}{inner}<title>state {state}</title></g>\n")
    return circles


def _costs(drawn: Sketch, placed: Layout) -> list[str]:
    """The weights of final states, under them."""
    shown = [(cost, placed.states[state]) for state, cost in drawn.final.items() if cost]
    return [f'<text x="{x:.1f}" y="{y + 20:.1f}">{escape(cost)}</text>\n' for cost, (x, y) in shown]
