"""What a drawing shows of a machine: states from left to right, and a label on every arc.

Labels follow the figures of Smith & Eisner (2005a): words, ``ε`` for ``<epsilon>``, ``?``
for ``<sigma>``, ``a:b`` where input and output differ, and ``/weight`` unless it is One.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.algebra import verified
from fstce.machines.image import Arrays, fst_to_arrays
from fstce.machines.openfst import pywrapfst
from fstce.machines.reach import breadth_first
from fstce.machines.symbols import SIGMA

STATE_LIMIT = 2_000
ARC_LIMIT = 20_000
_SPELLING = {SIGMA: "?"}


class Sketch(NamedTuple):
    """A machine as it is drawn.

    ``states``: states from left to right: topological order, or breadth first where there is a
    cycle. ``final``: the label of each final state, empty where its weight is One. ``arcs``: all
    arcs, in the machine's order. ``posteriors``: how probable each arc is, from 0 to 1, where that
    is to be seen.
    """

    start: int
    states: list[int]
    final: dict[int, str]
    arcs: list[tuple[int, int, str]]
    posteriors: list[float] | None = None


def sketch(fst: pywrapfst.Fst, posteriors: Sequence[float] | None = None) -> Sketch:
    """The states and labels to draw of a machine.

    ``fst``: any machine of at most 2,000 states and 20,000 arcs. ``posteriors``: how probable each
    arc is, from 0 to 1: its thickness.
    """
    fst = verified(fst, "drawing")
    arrays = fst_to_arrays(fst)
    states = len(arrays.final)
    size = len(arrays.source)
    if arrays.start < 0:
        raise MachineError("drawing: the machine has no start state, so there is nothing to draw")
    if states > STATE_LIMIT or size > ARC_LIMIT:
        raise MachineError(
            f"drawing: {states:,} states and {size:,} arcs are too large to draw; "
            f"draw a shorter sentence (at most {STATE_LIMIT:,} states and {ARC_LIMIT:,} arcs)"
        )

    reads = spelt(arrays.ilabel.tolist(), fst.input_symbols())
    writes = spelt(arrays.olabel.tolist(), fst.output_symbols())
    columns = (arrays.source.tolist(), arrays.next.tolist(), reads, writes, arrays.weight.tolist())
    arcs = [
        (source, target, (read if read == write else f"{read}:{write}") + _cost(weight))
        for source, target, read, write, weight in zip(*columns, strict=True)
    ]
    final = {
        state: _cost(weight)
        for state, weight in enumerate(arrays.final.tolist())
        if weight < np.inf
    }
    shares = _probabilities(posteriors, size)
    return Sketch(arrays.start, _left_to_right(arrays), final, arcs, shares)


def _probabilities(posteriors: Sequence[float] | None, arcs: int) -> list[float] | None:
    """The posteriors, what rounding left beyond 0 and 1 cut off."""
    if posteriors is None:
        return None
    values = np.asarray(posteriors, dtype=float)
    if len(values) != arcs or not np.all((values >= -1e-6) & (values <= 1 + 1e-6)):
        raise MachineError(
            f"drawing: posteriors are a number from 0 to 1 for each of the {arcs} arcs; these are "
            f"{len(values)}, or others"
        )
    return np.clip(values, 0.0, 1.0).tolist()


def thickness(posterior: float) -> float:
    """How thick an arc of this posterior is drawn, in pixels or points."""
    return 0.4 + 2.6 * posterior


def _cost(weight: float) -> str:
    """The weight to show; none for One."""
    return f"/{weight:.3g}" if weight else ""


def spelt(labels: Sequence[int], table: pywrapfst.SymbolTableView | None) -> list[str]:
    """The labels as drawn; a label without a symbol as its number."""
    symbols = (table.find(label) if table else "" for label in labels)
    pairs = zip(labels, symbols, strict=True)
    return [
        "ε" if label == 0 else _SPELLING.get(symbol, symbol) or str(label)
        for label, symbol in pairs
    ]


def _left_to_right(arrays: Arrays) -> list[int]:
    """All states: every arc pointing right; where there is a cycle, breadth first."""
    states = range(len(arrays.final))
    sorter = TopologicalSorter(dict.fromkeys(states, ()))
    for source, target in zip(arrays.source.tolist(), arrays.next.tolist(), strict=True):
        sorter.add(target, source)
    try:
        return list(sorter.static_order())
    except CycleError:
        return list(dict.fromkeys([*breadth_first(arrays).tolist(), *states]))
