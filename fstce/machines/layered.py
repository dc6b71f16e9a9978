"""Where a machine's states, arcs and labels stand: columns from left to right (Sugiyama et al.
1981).

States stand in columns by the longest path that leads to them; between two columns of states is
one of labels, where every arc keeps room for its own. So no two labels can lie on one another,
whatever the machine. A long arc keeps a place in each column that it passes.

The *baseline* is the longest path (of a neighborhood: the sentence itself), and is straight. What
hangs on it stands below or above, each part on the side where there is less; within a side the
order is that of the barycentres of neighbors, the height the nearest to theirs that the order
leaves free.

Against dagre 3.1.3 with room for labels, DEL1SUBSEQ of 12 words: 19 ms and 1039 × 606 pixels for
310 ms and 1192 × 876; DELORTRANS1 of 20: 9 ms and 1527 × 178 for 146 ms and 1588 × 567.
"""

from __future__ import annotations

import itertools
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.sketch import Sketch

RADIUS = 7.0
PLACE_LIMIT = (
    10_000  # places of states, labels and passing arcs: more take seconds and show nothing
)
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
    at: tuple[float, float]
    width: float
    points: list[tuple[float, float]]


class Layout(NamedTuple):
    """A machine on paper; y grows downwards, the baseline has y = 0."""

    states: dict[int, tuple[float, float]]
    curves: list[Curve]
    box: tuple[float, float, float, float]


class _Place(NamedTuple):
    """A thing that takes room in a column: a state, a label, or an arc that passes."""

    column: int
    up: float
    down: float
    width: float


def layout(drawn: Sketch, baseline: Sequence[int] = ()) -> Layout:
    """Give every state, arc and label of a machine its place.

    ``baseline``: the states of the path that is to be straight; by default a longest one.
    """
    joined: dict[Joined, list[int]] = defaultdict(list)
    for arc, (source, target, _) in enumerate(drawn.arcs):
        joined[source, target].append(arc)

    # The ends of all curves but loops, turned so that they point right in the order of the states.
    place = {state: i for i, state in enumerate(drawn.states)}
    turned = ((a, b) if place[a] < place[b] else (b, a) for a, b in joined if a != b)
    forward = sorted(dict.fromkeys(turned), key=lambda ends: place[ends[0]])

    column = dict.fromkeys(drawn.states, 0)  # the longest path to each state
    for source, target in forward:
        column[target] = max(column[target], column[source] + 1)
    spans = sum(2 * (column[target] - column[source]) for source, target in forward)
    if spans > PLACE_LIMIT:
        raise MachineError(
            f"drawing: the arcs pass {spans:,} columns, more than {PLACE_LIMIT:,}; draw a shorter "
            "sentence, or a part of the machine"
        )
    return _Canvas(drawn, joined, column, list(baseline) or longest(drawn.states, forward)).layout()


def longest(states: Sequence[int], edges: Iterable[Joined]) -> list[int]:
    """A longest path of an acyclic graph.

    Of several, that along the states that most paths pass.
    """
    targets = defaultdict(list)
    for source, target in edges:
        targets[source].append(target)

    best: dict[
        int, tuple[int, float]
    ] = {}  # of the paths from a state the greatest length, and how many
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


class _Canvas:
    """Places, who is next to whom, and which side of the baseline each part takes.

    Places 0 … S − 1 are the states, the others labels and passing arcs. Column 2c holds the states
    of column c, 2c + 1 labels.
    """

    def __init__(
        self,
        drawn: Sketch,
        joined: dict[Joined, list[int]],
        column: dict[int, int],
        line: Sequence[int],
    ) -> None:
        self.drawn = drawn
        self.joined = joined
        self.number = {state: i for i, state in enumerate(drawn.states)}
        self.places = [self._state_place(state, 2 * column[state]) for state in drawn.states]
        self.chains: dict[Joined, list[int]] = {}
        self.links: list[tuple[int, int]] = []
        for source, target in joined:
            if source != target:
                self._add_chain(source, target, column)
        self.columns = 1 + max(place.column for place in self.places)
        # The places of the straight path, at most one a column.
        self.fixed = {self.number[state] for state in line}
        for a, b in itertools.pairwise(line):
            self.fixed.update(self.chains.get((a, b)) or self.chains.get((b, a)) or [])

    def _state_place(self, state: int, column: int) -> _Place:
        loop = self.label(self.joined.get((state, state), []))
        cost = self.drawn.final.get(state, "")
        up = RADIUS
        if loop:
            up += _LOOP + _height(loop)
        down = RADIUS
        if cost:
            down += LINE
        return _Place(column, up, down, max(2 * RADIUS, width_of(loop), width_of(cost)))

    def label(self, arcs: Sequence[int]) -> str:
        """The labels of a curve for which there is room."""
        labels = [self.drawn.arcs[arc][2] for arc in arcs[:_MOST_LABELS]]
        rest = f" +{len(arcs) - _MOST_LABELS}" if len(arcs) > _MOST_LABELS else ""
        side_by_side = ", ".join(labels) + rest
        if len(labels) == 1 or width_of(side_by_side) <= _WIDEST:
            return side_by_side
        return "\n".join(labels) + rest

    def _add_chain(self, source: int, target: int, column: dict[int, int]) -> None:
        """A curve's places, from left to right with its ends.

        Its label next to where there is more room.
        """
        begin, end = sorted((source, target), key=lambda state: column[state])
        columns = range(2 * column[begin] + 1, 2 * column[end])
        label = self.label(self.joined[source, target])
        width = width_of(label) + 4
        label_column = columns.start + len(columns) // 4 * 2

        chain = [self.number[begin]]
        for c in columns:
            place = _Place(c, 2.0, 2.0, 0.0)
            if c == label_column:
                place = _Place(c, _height(label) / 2, _height(label) / 2, width)
            chain.append(len(self.places))
            self.places.append(place)
        self.chains[source, target] = [*chain, self.number[end]]
        self.links += itertools.pairwise(self.chains[source, target])

    def layout(self) -> Layout:
        """Order, then heights, then the columns' x: the middle of each."""
        column, up, down, width = (np.array(values) for values in zip(*self.places, strict=True))
        height = np.array(self._heights())
        widths = np.zeros(self.columns)
        np.maximum.at(widths, column, width)
        right = _MARGIN + np.cumsum(widths + _GAP) - _GAP
        x = (right - widths / 2)[column]

        position = list(zip(x.tolist(), height.tolist(), strict=True))
        states = {state: position[i] for state, i in self.number.items()}
        curves = [self._curve(ends, arcs, position) for ends, arcs in self.joined.items()]
        top = float((height - up).min() - _MARGIN)
        bottom = float((height + down).max() + _MARGIN)
        return Layout(states, curves, (0.0, top, float(right[-1] + _MARGIN), bottom - top))

    def _curve(self, ends: Joined, arcs: list[int], position: list[tuple[float, float]]) -> Curve:
        source, target = (self.number[state] for state in ends)
        label = self.label(arcs)
        width = width_of(label)
        if source == target:
            x, y = position[source]
            return Curve(
                *ends, arcs, label, (x, y - RADIUS - _LOOP - _height(label) / 2), width, [(x, y)]
            )

        chain = self.chains[ends]
        middle = next(i for i in chain[1:-1] if self.places[i].width)
        if chain[0] != source:
            chain = chain[::-1]
        points = [position[i] for i in chain]
        return Curve(*ends, arcs, label, position[middle], width, points)

    def _heights(self) -> list[float]:
        around: list[list[int]] = [[] for _ in self.places]
        for a, b in self.links:
            around[a].append(b)
            around[b].append(a)
        height = [0.0] * len(self.places)
        for sign, rows in self._sides().items():
            self._settle(rows, around, height, sign)
        return height

    def _sides(self) -> dict[int, list[list[int]]]:
        """The places below (1) and above (−1): for each column its places, outwards from the
        baseline's.

        Parts that hang together take one side. A column without a place on the baseline has −1
        there.
        """
        size = len(self.places)
        free = [pair for pair in self.links if self.fixed.isdisjoint(pair)]
        ends = np.array(free, dtype=np.int64).reshape(-1, 2)
        from scipy.sparse import csr_array  # waits with the next
        from scipy.sparse.csgraph import connected_components  # takes .2 s; a tagger need not wait

        graph = csr_array((np.ones(len(free)), (ends[:, 0], ends[:, 1])), shape=(size, size))
        members = defaultdict(list)
        for i, part in enumerate(connected_components(graph, directed=False)[1].tolist()):
            if i not in self.fixed:
                members[part].append(i)

        baseline = {self.places[i].column: i for i in self.fixed}
        rows = {sign: [[baseline.get(c, -1)] for c in range(self.columns)] for sign in (1, -1)}
        load = {sign: np.zeros(self.columns) for sign in rows}
        for group in sorted(members.values(), key=len, reverse=True):
            columns = [self.places[i].column for i in group]
            sign = -1 if load[-1][columns].max() < load[1][columns].max() else 1
            for i, column in zip(group, columns, strict=True):
                rows[sign][column].append(i)
                load[sign][column] += self.places[i].up + self.places[i].down
        return rows

    def _settle(
        self, rows: list[list[int]], around: list[list[int]], height: list[float], sign: int
    ) -> None:
        """Sort each column by the barycentre of the column before or after, in turn; then keep the
        order.

        With y outwards from the baseline: yᵢ near dᵢ, the mean of the neighbors', with yᵢ₊₁ − yᵢ ≥
        sᵢ, a column at a time; shifted by the sum of the rooms s the heights of a column ascend.
        """
        for sweep in range(2 * _SWEEPS):
            ahead = sweep % 2 == 0
            sorting = sweep < _SWEEPS
            for c in range(len(rows))[:: 1 if ahead else -1]:
                row = rows[c]
                wanted = {}
                for i in row[1:]:
                    near = [
                        j for j in around[i] if not sorting or (self.places[j].column < c) == ahead
                    ]
                    wanted[i] = sign * sum(height[j] for j in near or [i]) / max(len(near), 1)
                if sorting:
                    row[1:] = sorted(row[1:], key=wanted.__getitem__)
                offset = np.cumsum([self._room(a, b, sign) for a, b in itertools.pairwise(row)])
                free = np.zeros(len(offset))
                if not sorting:
                    free = _ascending(np.array([wanted[i] for i in row[1:]]) - offset)
                for i, y in zip(row[1:], (np.maximum(free, 0.0) + offset).tolist(), strict=True):
                    height[i] = sign * y

    def _room(self, inner: int, outer: int, sign: int) -> float:
        """How far apart two neighbors of a column stand."""
        a = self.places[inner] if inner >= 0 else _Place(0, 0.0, 0.0, 0.0)
        b = self.places[outer]
        if sign > 0:
            return a.down + b.up + _ROW
        return a.up + b.down + _ROW


def _ascending(values: np.ndarray) -> np.ndarray:
    """Ascending numbers near the values.

    The mean of the least above and the greatest below them.
    """
    above = np.maximum.accumulate(values)
    below = np.minimum.accumulate(values[::-1])[::-1]
    return np.asarray((above + below) / 2)
