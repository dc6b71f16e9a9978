"""What a drawing shows of a machine: states from left to right, and a label on every arc.

Labels follow the figures of Smith & Eisner (2005a): words, ``ε`` for ``<epsilon>``, ``?``
for ``<sigma>``, ``a:b`` where input and output differ, and ``/weight`` unless it is One.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.algebra import verified
from fstce.machines.image import Arrays, fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.reach import breadth_first
from fstce.machines.symbols import EPSILON, SIGMA

STATE_LIMIT = 2_000
ARC_LIMIT = 20_000
_SPELLING = {EPSILON: "ε", SIGMA: "?"}


class Sketch(NamedTuple):
    """A machine as it is drawn.

    ``states``: states from left to right: topological order, or breadth first where there is a cycle.
    ``final``: the label of each final state, empty where its weight is One. ``arcs``: all arcs, in the
    machine's order. ``posteriors``: how probable each arc is, from 0 to 1, where that is to be seen.
    """

    start: int
    states: list[int]
    final: dict[int, str]
    arcs: list[tuple[int, int, str]]
    posteriors: list[float] | None = None


def sketch(
    fst: pywrapfst.Fst,
    arc_weights: Sequence[float] | None = None,
    posteriors: Sequence[float] | None = None,
) -> Sketch:
    """What to draw of a machine.

    ``fst``: any machine of at most 2,000 states and 20,000 arcs. ``arc_weights``: numbers to show instead of
    the arcs' weights, one an arc. ``posteriors``: how probable each arc is, from 0 to 1: its thickness.
    """
    fst = verified(fst, "drawing")
    _check_size(fst)
    arrays = fst_to_arrays(fst)
    weights = _weight_labels(arrays, arc_weights)
    labels = _arc_labels(arrays, fst)
    ends = zip(arrays.source.tolist(), arrays.next.tolist(), strict=True)
    arcs = [(*end, label + weight) for end, label, weight in zip(ends, labels, weights, strict=True)]
    final = {state: _cost(weight) for state, weight in enumerate(arrays.final.tolist()) if weight < np.inf}
    return Sketch(arrays.start, _left_to_right(arrays), final, arcs, _probabilities(arrays, posteriors))


def drawable(states: int, arcs: int) -> bool:
    """Whether a machine of this size can be drawn."""
    return states <= STATE_LIMIT and arcs <= ARC_LIMIT


def _check_size(fst: pynini.Fst) -> None:
    states = fst.num_states()
    arcs = sum(map(fst.num_arcs, range(states)))
    if fst.start() < 0:
        raise MachineError("drawing: the machine has no start state, so there is nothing to draw")
    if not drawable(states, arcs):
        raise MachineError(
            f"drawing: {states:,} states and {arcs:,} arcs are too large to draw; "
            f"draw a shorter sentence (at most {STATE_LIMIT:,} states and {ARC_LIMIT:,} arcs)"
        )


def _weight_labels(arrays: Arrays, arc_weights: Sequence[float] | None) -> list[str]:
    if arc_weights is None:
        return [_cost(weight) for weight in arrays.weight.tolist()]
    _check_length(arrays, arc_weights, "weights")
    return [f"/{weight:.3g}" for weight in arc_weights]


def _probabilities(arrays: Arrays, posteriors: Sequence[float] | None) -> list[float] | None:
    """The posteriors, what rounding left beyond 0 and 1 cut off."""
    if posteriors is None:
        return None
    _check_length(arrays, posteriors, "posteriors")
    for number, value in enumerate(posteriors):
        if not -1e-6 <= value <= 1 + 1e-6:
            raise MachineError(f"drawing: posterior {value} of arc {number} is no number from 0 to 1")
    return [min(max(float(value), 0.0), 1.0) for value in posteriors]


def _check_length(arrays: Arrays, given: Sequence[float], what: str) -> None:
    if len(given) != len(arrays.weight):
        raise MachineError(f"drawing: {len(given)} {what} for {len(arrays.weight)} arcs; give one an arc")


def thickness(posterior: float) -> float:
    """How thick an arc of this posterior is drawn, in pixels or points."""
    return 0.4 + 2.6 * posterior


def _cost(weight: float) -> str:
    """The weight to show; none for One."""
    return f"/{weight:.3g}" if weight else ""


def _arc_labels(arrays: Arrays, fst: pywrapfst.Fst) -> list[str]:
    inputs = spelt(arrays.ilabel.tolist(), fst.input_symbols())
    outputs = spelt(arrays.olabel.tolist(), fst.output_symbols())
    return [a if a == b else f"{a}:{b}" for a, b in zip(inputs, outputs, strict=True)]


def spelt(labels: Iterable[int], table: pywrapfst.SymbolTableView | None) -> list[str]:
    """The labels as drawn; a label without a symbol as its number."""
    return ["ε" if label == 0 else _spelling(label, table.find(label) if table else "") for label in labels]


def _spelling(label: int, symbol: str) -> str:
    return _SPELLING.get(symbol, symbol) or str(label)


def _left_to_right(arrays: Arrays) -> list[int]:
    targets: dict[int, list[int]] = defaultdict(list)
    for source, target in zip(arrays.source.tolist(), arrays.next.tolist(), strict=True):
        targets[source].append(target)
    states = range(len(arrays.final))
    order = _topological(targets, arrays) or breadth_first(arrays).tolist()
    reached = set(order)
    return order + [state for state in states if state not in reached]


def _topological(targets: dict[int, list[int]], arrays: Arrays) -> list[int] | None:
    """All states, every arc pointing right (Kahn 1962), or None where there is a cycle."""
    waiting = np.bincount(arrays.next, minlength=len(arrays.final)).tolist()
    ready = deque(state for state, arcs in enumerate(waiting) if not arcs)
    order: list[int] = []
    while ready:
        order.append(state := ready.popleft())
        for target in targets[state]:
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return order if len(order) == len(waiting) else None
