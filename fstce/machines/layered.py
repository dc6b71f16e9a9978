"""Where states, arcs and labels stand: columns from left to right (Sugiyama et al. 1981).

States stand in columns by the longest path that leads to them; between two columns of states is
one of labels, where every arc keeps room for its own. So no two labels can lie on one another,
whatever the machine. A long arc keeps a place in each column that it passes.

The *baseline* is the longest path, of a neighborhood mostly the sentence itself, and is straight.
What hangs on it stands below or above, each part on the side where there is less; within a side the
order is that of the barycentres of neighbors, the height the nearest to theirs that the order
leaves free.

Against dagre 3.1.3 with room for labels, DEL1SUBSEQ of 12 words: 19 ms and 1039 × 606 pixels for
310 ms and 1192 × 876; DELORTRANS1 of 20: 9 ms and 1527 × 178 for 146 ms and 1588 × 567.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.sketch import Sketch

RADIUS = 7.0
# Of states, labels and passing arcs: more take seconds and show nothing.
PLACE_LIMIT = 10_000
_LETTER = 7.2  # the mean width of a letter of 13 pixels
LINE = 15.0  # the height of a line
_GAP = 8.0
_ROW = 6.0
_MARGIN = 24.0
_LOOP = 27.0
_MOST_LABELS = 4  # of one curve
_WIDEST = 100.0  # of labels next to each other
_SWEEPS = 4  # over the columns, for their order and for the heights
Joined = tuple[int, int]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width and height


class Curve(NamedTuple):
    """All arcs from one state to another.

    ``arcs``: their places among the machine's arcs. ``label``: as many of their labels as there is
    room for, in lines where they are wide. ``points``: from the source by the label to the target;
    of a loop, the state alone.
    """

    source: int
    target: int
    arcs: list[int]
    label: str
    at: Point
    width: float
    points: list[Point]


class Layout(NamedTuple):
    """A machine on paper; y grows downwards, the baseline has y = 0."""

    states: dict[int, Point]
    curves: list[Curve]
    box: Box


class _Place(NamedTuple):
    """A thing that takes room in a column: a state, a label, or an arc that passes."""

    column: int
    up: float
    down: float
    width: float


_Rows = list[list[int]]  # the places of each column, outwards from the baseline's


def layout(drawn: Sketch) -> Layout:
    """Give every state, arc and label of a machine its place.

    Column 2c holds the states of column c, 2c + 1 labels. Places 0 … S − 1 are the states, the
    others labels and passing arcs.
    """
    number = {state: i for i, state in enumerate(drawn.states)}
    arcs_of_ends: dict[Joined, list[int]] = defaultdict(list)
    for arc, (source, target, _) in enumerate(drawn.arcs):
        arcs_of_ends[source, target].append(arc)
    labels = {ends: _label([drawn.arcs[i][2] for i in arcs]) for ends, arcs in arcs_of_ends.items()}

    # The ends of all curves but loops, turned so that they point right in the order of the states.
    turned = ((a, b) if number[a] < number[b] else (b, a) for a, b in labels if a != b)
    forward = sorted(dict.fromkeys(turned), key=lambda ends: number[ends[0]])
    column = _columns(drawn.states, forward)

    places = [_state_place(drawn, state, column[state], labels) for state in drawn.states]
    chains: dict[Joined, list[int]] = {}  # of each curve its places, from left to right
    for ends, label in labels.items():
        begin, end = sorted(ends, key=column.__getitem__)
        passed = _passed(column[begin], column[end], label)
        inner = range(len(places), len(places) + len(passed))
        places += passed
        chains[ends] = [number[begin], *inner, number[end]]

    fixed = _baseline(drawn.states, forward, number, chains)
    points, box = _points(places, _heights(places, chains.values(), fixed))
    curves = []
    for ends, chain in chains.items():
        at, path = _path(places, points, chain, labels[ends])
        if chain[0] != number[ends[0]]:
            path.reverse()
        width = width_of(labels[ends])
        curves.append(Curve(*ends, arcs_of_ends[ends], labels[ends], at, width, path))
    return Layout({state: points[i] for state, i in number.items()}, curves, box)


def _baseline(
    states: Sequence[int],
    forward: Sequence[Joined],
    number: Mapping[int, int],
    chains: Mapping[Joined, list[int]],
) -> set[int]:
    """The places of the path that is straight, at most one a column."""
    line = longest(states, forward)
    fixed = {number[state] for state in line}
    for a, b in itertools.pairwise(line):
        fixed.update(chains.get((a, b)) or chains.get((b, a)) or [])
    return fixed


def _path(
    places: Sequence[_Place], points: Sequence[Point], chain: list[int], label: str
) -> tuple[Point, list[Point]]:
    """Where a curve's label stands, and the points from left to right; of a loop the state's."""
    if chain[0] == chain[-1]:
        x, y = points[chain[0]]
        return (x, y - RADIUS - _LOOP - _height(label) / 2), [(x, y)]
    at = next(points[i] for i in chain[1:-1] if places[i].width)
    return at, [points[i] for i in chain]


def _columns(states: Sequence[int], forward: Iterable[Joined]) -> dict[int, int]:
    """The column of each state: twice the length of the longest path to it.

    Raises MachineError where arcs pass more columns than can be drawn.
    """
    column = dict.fromkeys(states, 0)
    for source, target in forward:
        column[target] = max(column[target], column[source] + 2)

    spans = sum(column[target] - column[source] for source, target in forward)
    if spans > PLACE_LIMIT:
        raise MachineError(
            f"drawing: the arcs pass {spans:,} columns, more than {PLACE_LIMIT:,}; draw a shorter "
            "sentence, or a part of the machine"
        )
    return column


def _state_place(drawn: Sketch, state: int, column: int, labels: Mapping[Joined, str]) -> _Place:
    """The room of a state, with its loop above and its final cost below."""
    loop = labels.get((state, state), "")
    cost = drawn.final.get(state, "")
    up = RADIUS + (_LOOP + _height(loop) if loop else 0.0)
    down = RADIUS + (LINE if cost else 0.0)
    return _Place(column, up, down, max(2 * RADIUS, width_of(loop), width_of(cost)))


def _points(places: Sequence[_Place], heights: Sequence[float]) -> tuple[list[Point], Box]:
    """The middle of each place, each column as wide as its widest, and the box around all."""
    columns, ups, downs, width = (np.array(values) for values in zip(*places, strict=True))
    widths = np.zeros(1 + columns.max())
    np.maximum.at(widths, columns, width)
    right = _MARGIN + np.cumsum(widths + _GAP) - _GAP
    x = (right - widths / 2)[columns]

    y = np.array(heights)
    top = float((y - ups).min() - _MARGIN)
    bottom = float((y + downs).max() + _MARGIN)
    box = (0.0, top, float(right[-1] + _MARGIN), bottom - top)
    return list(zip(x.tolist(), heights, strict=True)), box


def longest(states: Sequence[int], edges: Iterable[Joined]) -> list[int]:
    """A longest path of an acyclic graph.

    Of several, that along the states that most paths pass.
    """
    targets = defaultdict(list)
    for source, target in edges:
        targets[source].append(target)

    # Of the paths from a state the greatest length, and how many there are.
    best: dict[int, tuple[int, float]] = {}
    for state in reversed(states):  # the ends of arcs before their beginnings
        after = [best[target] for target in targets[state]]
        best[state] = 1 + max(after)[0] if after else 0, sum(paths for _, paths in after) or 1.0

    path = [max(states, key=lambda state: best[state][0])]
    while targets[path[-1]]:
        path.append(max(targets[path[-1]], key=best.__getitem__))
    return path


def width_of(text: str) -> float:
    """How wide a text of 13 pixels is at most, wide letters counted twice; of lines the widest."""
    return _LETTER * max(sum(map(_letters, line)) for line in text.split("\n"))


def _letters(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 1 + (unicodedata.east_asian_width(character) in "WF")


def _height(label: str) -> float:
    return LINE * (1 + label.count("\n"))


def _label(labels: Sequence[str]) -> str:
    """The labels of a curve for which there is room."""
    rest = f" +{len(labels) - _MOST_LABELS}" if len(labels) > _MOST_LABELS else ""
    side_by_side = ", ".join(labels[:_MOST_LABELS]) + rest
    if len(labels) == 1 or width_of(side_by_side) <= _WIDEST:
        return side_by_side
    return "\n".join(labels[:_MOST_LABELS]) + rest


def _passed(begin: int, end: int, label: str) -> list[_Place]:
    """The places of a curve between two columns; its label is in the middle one of labels."""
    columns = range(begin + 1, end)
    places = [_Place(column, 2.0, 2.0, 0.0) for column in columns]
    if places:
        half = _height(label) / 2
        middle = len(columns) // 4 * 2
        places[middle] = _Place(columns[middle], half, half, width_of(label) + 4)
    return places


def _heights(places: Sequence[_Place], chains: Iterable[list[int]], fixed: set[int]) -> list[float]:
    """How far below the baseline each place is."""
    links = [link for chain in chains for link in itertools.pairwise(chain)]
    near: list[list[int]] = [[] for _ in places]
    for a, b in links:
        near[a].append(b)
        near[b].append(a)

    height = [0.0] * len(places)
    for sign, rows in _sides(places, links, fixed).items():
        _settle(places, rows, near, height, sign)
    return height


def _sides(places: Sequence[_Place], links: Iterable[Joined], fixed: set[int]) -> dict[int, _Rows]:
    """The places below (1) and above (−1); parts that hang together take one side.

    A column without a place on the baseline has −1 there.
    """
    part_of = {i: [i] for i in range(len(places)) if i not in fixed}
    for link in links:
        if fixed.isdisjoint(link):
            fewer, more = sorted((part_of[i] for i in link), key=len)
            if fewer is not more:
                more += fewer
                part_of |= dict.fromkeys(fewer, more)
    parts = {id(part): sorted(part) for part in part_of.values()}

    baseline = {places[i].column: i for i in fixed}
    columns = range(1 + max(place.column for place in places))
    rows = {sign: [[baseline.get(c, -1)] for c in columns] for sign in (1, -1)}
    load = {sign: np.zeros(len(columns)) for sign in rows}
    for group in sorted(parts.values(), key=len, reverse=True):
        passed = [places[i].column for i in group]
        sign = -1 if load[-1][passed].max() < load[1][passed].max() else 1
        for i, column in zip(group, passed, strict=True):
            rows[sign][column].append(i)
            load[sign][column] += places[i].up + places[i].down
    return rows


def _settle(
    places: Sequence[_Place], rows: _Rows, near: _Rows, height: list[float], sign: int
) -> None:
    """Sort each column by the barycentre of its neighbor, in turn; then keep the order.

    With y outwards from the baseline: yᵢ near dᵢ, the mean of the neighbors', with yᵢ₊₁ − yᵢ ≥ sᵢ,
    a column at a time; shifted by the sum of the rooms s the heights of a column ascend.
    """
    for sweep in range(2 * _SWEEPS):
        ahead = sweep % 2 == 0
        sorting = sweep < _SWEEPS
        for c in range(len(rows))[:: 1 if ahead else -1]:
            row = rows[c]
            wanted = {}
            for i in row[1:]:
                around = [j for j in near[i] if not sorting or (places[j].column < c) == ahead]
                wanted[i] = sign * sum(height[j] for j in around or [i]) / max(len(around), 1)
            if sorting:
                row[1:] = sorted(row[1:], key=wanted.__getitem__)

            rooms = [_room(places, inner, outer, sign) for inner, outer in itertools.pairwise(row)]
            offsets = list(itertools.accumulate(rooms))
            free = [0.0] * len(offsets)
            if not sorting:
                pairs = zip(row[1:], offsets, strict=True)
                free = _ascending([wanted[i] - offset for i, offset in pairs])
            for i, y, offset in zip(row[1:], free, offsets, strict=True):
                height[i] = sign * (max(y, 0.0) + offset)


def _room(places: Sequence[_Place], inner: int, outer: int, sign: int) -> float:
    """How far apart two neighbors of a column stand."""
    a = places[inner] if inner >= 0 else _Place(0, 0.0, 0.0, 0.0)
    b = places[outer]
    return (a.down + b.up if sign > 0 else a.up + b.down) + _ROW


def _ascending(values: Sequence[float]) -> list[float]:
    """Ascending numbers near the values.

    The mean of the least above and the greatest below them.
    """
    above = itertools.accumulate(values, max)
    below = list(itertools.accumulate(reversed(values), min))[::-1]
    return [(high + low) / 2 for high, low in zip(above, below, strict=True)]
