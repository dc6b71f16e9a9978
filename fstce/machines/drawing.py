"""Pictures of machines in the style of Smith & Eisner (2005a), Figure 1; graphviz is not needed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path

from fstce.errors import MachineError, MissingToolError
from fstce.machines.layered import LINE, RADIUS, Curve, Layout, layout
from fstce.machines.openfst import pywrapfst
from fstce.machines.sketch import Sketch, sketch, thickness
from fstce.storage.atomic import write_whole
from fstce.svg import Svg

ENGINES = ("auto", "dot", "layered")
SUFFIXES = (".dot", ".svg", ".png", ".pdf")
_TIMEOUT = 60  # seconds that graphviz may take: crossings take it some from a hundred arcs on
_STYLE = """\
  graph [rankdir=LR, ranksep=0.35, nodesep=0.2, bgcolor="white"];
  node [shape=circle, label="", width=0.16, height=0.16, fixedsize=true,
    fontname="Helvetica", fontsize=10];
  edge [fontname="Helvetica", fontsize=12, arrowsize=0.6, penwidth=0.9];
"""


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
<g font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" font-size="13" fill="#111"
 text-anchor="middle" stroke="white" stroke-width="4" stroke-linejoin="round" paint-order="stroke">
"""


def to_dot(fst: pywrapfst.Fst, *, posteriors: Sequence[float] | None = None) -> str:
    """A machine in graphviz's language: small circles, final ones double, words on the arcs.

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

    Examples
    --------
    >>> from fstce import neighborhood
    >>> print(to_dot(neighborhood("identity")(["hello"]).to_fst()).splitlines()[-2].strip())
    0 -> 1 [label="hello"];
    """
    drawn = sketch(fst, posteriors)
    body = "".join(f"  {line};\n" for line in (*_state_lines(drawn), *_arc_lines(drawn)))
    return f'digraph "machine" {{\n{_STYLE}{body}}}\n'


def to_svg(
    fst: pywrapfst.Fst, *, engine: str = "auto", posteriors: Sequence[float] | None = None
) -> Svg:
    """A machine as an SVG picture.

    Parameters
    ----------
    fst : Fst
        Any machine of at most 2,000 states.
    posteriors : sequence of float, optional
        How probable each arc is, from 0 to 1: its thickness, and what it says when pointed at.
    engine : {"auto", "dot", "layered"}
        This package's own layers, unless graphviz's ``dot`` is asked for.

    Raises
    ------
    MachineError
        The machine is empty or too large to draw, the engine is unknown, or the posteriors are
        not one an arc.
    MissingToolError
        The engine is ``dot``, which is not installed.
    """
    if engine not in ENGINES:
        raise MachineError(f"unknown engine {engine!r}; use {', '.join(ENGINES)}")
    if engine == "dot":
        return Svg(_run_dot(to_dot(fst, posteriors=posteriors), "svg").decode("utf-8"))

    drawn = sketch(fst, posteriors)
    placed = layout(drawn)
    _left, top, width, height = placed.box
    shapes = [_path(curve, drawn) for curve in placed.curves] + _circles(drawn, placed)
    texts = [_text(curve) for curve in placed.curves]
    for state, cost in drawn.final.items():
        x, y = placed.states[state]
        if cost:  # under the state
            texts.append(f'<text x="{x:.1f}" y="{y + 20:.1f}">{escape(cost)}</text>\n')
    head = _HEAD.format(w=width, h=height, top=top)
    return Svg(head + "".join(shapes) + _TEXT + "".join(texts) + "</g>\n</svg>\n")


def write_drawing(
    fst: pywrapfst.Fst,
    path: Path | str,
    *,
    posteriors: Sequence[float] | None = None,
    engine: str = "auto",
) -> None:
    """Draw a machine into a file; the suffix says how: ``.dot``, ``.svg``, ``.png`` or ``.pdf``.

    Parameters
    ----------
    fst : Fst
        Any machine of at most 2,000 states.
    path : Path or str
    posteriors : sequence of float, optional
        How probable each arc is, from 0 to 1: its thickness.
    engine : {"auto", "dot", "layered"}
        Of an ``.svg``; see :func:`to_svg`.

    Raises
    ------
    MachineError
        The suffix is another, the machine is too large to draw, or the path cannot be written.
    MissingToolError
        The suffix is ``.png`` or ``.pdf``, and graphviz is not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise MachineError(f"{path}: cannot draw a file of this kind; use {', '.join(SUFFIXES)}")

    picture: str | bytes
    if suffix == ".svg":
        picture = to_svg(fst, posteriors=posteriors, engine=engine)
    elif engine not in ("auto", "dot"):
        raise MachineError(
            f"the engine {engine!r} draws .svg alone; write one, or leave the engine out"
        )
    else:
        source = to_dot(fst, posteriors=posteriors)
        picture = source if suffix == ".dot" else _run_dot(source, suffix[1:])

    write_whole(path, picture, MachineError)


def _state_lines(drawn: Sketch) -> Iterator[str]:
    """The states in order, the start bold; a tooltip says their number."""
    for state in drawn.states:
        looks = [f'tooltip="{state}"']
        if state == drawn.start:
            looks.append("style=bold")
        if state in drawn.final:
            looks.append("shape=doublecircle, width=0.11, height=0.11")
        if drawn.final.get(state):
            looks.append(f"xlabel={_quoted(drawn.final[state])}")
        yield f"{state} [{', '.join(looks)}]"


def _arc_lines(drawn: Sketch) -> Iterator[str]:
    for number, (source, target, label) in enumerate(drawn.arcs):
        looks = [f"label={_quoted(label)}"]
        if drawn.posteriors is not None:
            posterior = drawn.posteriors[number]
            tooltip = _quoted(f"{label} {posterior:.3g}")
            # Heavy arcs are drawn straight: the likely sentences run along one line.
            heavy = f"weight={1 + round(20 * posterior)}"
            looks += [f"penwidth={thickness(posterior):.2f}", heavy]
            looks += [f"edgetooltip={tooltip}", f"labeltooltip={tooltip}"]
        yield f"{source} -> {target} [{', '.join(looks)}]"


def _quoted(text: str) -> str:
    """A DOT string that shows the text as it is.

    Graphviz reads ``\\n`` and ``&amp;`` inside quotes too.
    """
    escaped = (
        text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    )
    return f'"{escaped}"'


def _run_dot(source: str, form: str) -> bytes:
    dot = shutil.which("dot")
    if dot is None:
        raise MissingToolError(
            "graphviz's program `dot` is not installed: install the package graphviz (apt, brew or "
            "conda "
            "have it under this name), or write a .dot or .svg file, which needs no other program"
        )

    try:
        command = [dot, f"-T{form}"]
        done = subprocess.run(command, input=source.encode(), capture_output=True, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        raise MachineError(
            f"graphviz took over {_TIMEOUT} seconds; draw a smaller machine"
        ) from None

    if done.returncode:
        raise MachineError(
            f"graphviz refused the drawing: {done.stderr.decode(errors='replace').strip()}"
        )
    return done.stdout


def curve_path(curve: Curve) -> str:
    """A curve as the commands of an SVG path: level at every point, from circle to circle."""
    if len(curve.points) == 1:
        x, y = curve.points[0]
        return (
            f"M{x - 4:.1f},{y - 6:.1f} C{x - 20:.1f},{y - 32:.1f} "
            f"{x + 20:.1f},{y - 32:.1f} {x + 4.5:.1f},{y - 7:.1f}"
        )

    (x, y), *inner, (end, height) = curve.points
    step = 1 if end >= x else -1
    points = [(x + step * RADIUS, y), *inner, (end - step * (RADIUS + 1), height)]
    path = f"M{x + step * RADIUS:.1f},{y:.1f}"
    for (x, y), (to_x, to_y) in pairwise(points):
        bend = "L"
        if to_y != y:
            middle = (x + to_x) / 2
            bend = f"C{middle:.1f},{y:.1f} {middle:.1f},{to_y:.1f} "
        path += f" {bend}{to_x:.1f},{to_y:.1f}"
    return path


def _path(curve: Curve, drawn: Sketch) -> str:
    """A curve; where posteriors are known, how thick it is and what it says."""
    path = f'<path d="{curve_path(curve)}" marker-end="url(#head)"'
    if drawn.posteriors is None:
        return f"{path}/>\n"
    title = ", ".join(f"{drawn.arcs[arc][2]} {drawn.posteriors[arc]:.3g}" for arc in curve.arcs)
    width = thickness(min(sum(drawn.posteriors[arc] for arc in curve.arcs), 1.0))
    return f'{path} stroke-width="{width:.2f}"><title>{escape(title)}</title></path>\n'


def _text(curve: Curve) -> str:
    # A dy of a third of the letters' height centres them without dominant-baseline, which some
    # viewers lack.
    middle, centre = curve.at
    width = 0.9 * curve.width
    lines = curve.label.split("\n")
    top = centre - LINE * (len(lines) - 1) / 2

    # The halo of the letters leaves the spaces between words open; the rectangle closes them.
    back = (
        f'<rect x="{middle - width / 2:.1f}" y="{top - 5:.1f}" width="{width:.1f}"'
        f' height="{10 + LINE * (len(lines) - 1):.0f}" fill="white"/>'
    )
    texts = (
        f'<text x="{middle:.1f}" y="{top + 4.5 + LINE * i:.1f}">{escape(line)}</text>\n'
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
