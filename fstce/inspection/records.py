"""A machine as the page's script reads it: lists of numbers, its symbols once, its layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from fstce.errors import MachineError
from fstce.inspection.properties import PATH_LIMIT, ambiguous, properties
from fstce.inspection.strings import strings, total
from fstce.machines.algebra import ARC_LIMIT, verified
from fstce.machines.drawing import curve_path
from fstce.machines.flags import flag
from fstce.machines.image import Arrays, fst_to_arrays
from fstce.machines.layered import layout
from fstce.machines.openfst import n_arcs, pynini
from fstce.machines.reach import breadth_first, leading, n_paths, reachable
from fstce.machines.sketch import sketch, spelt
from fstce.machines.symbols import SIGMA, SIGMA_ID
from fstce.numeric.types import Ints

DRAWN_ARCS = 2_000  # of a machine that is drawn whole
HELD_ARCS = 40_000  # that a page holds; of a larger machine those nearest to the start
SYMBOLS_SHOWN = 400
STATES_SHOWN = 60
_DIGITS = 9
_MANY = 10**18  # from here on a count is rounded
_WEIGHTS = {
    "standard": "tropical: the best path counts",
    "log64": "log: the probabilities of paths add up",
}
_AMBIGUOUS = {
    True: "yes: a string has several paths",
    False: "no: every string has one path",
    None: "not tested: it reads ε, or too many arcs alike",
}


@dataclass(frozen=True)
class MachineView:
    """A machine on the page.

    ``sentence``: a string whose path is highlighted. ``small``: whether it stands next to others,
    as the stages do.
    """

    title: str
    fst: pynini.Fst
    about: str = ""
    sentence: Sequence[str] = ()
    posteriors: Sequence[float] | None = None
    small: bool = False


def record(view: MachineView) -> dict[str, Any]:
    """The fields that the template shows of a machine; the script reads ``data``."""
    arcs = n_arcs(view.fst)
    if arcs > ARC_LIMIT:
        raise MachineError(
            f"{view.title}: {arcs:,} arcs, more than {ARC_LIMIT:,}; inspect a part of it"
        )
    fst = verified(view.fst, view.title)
    arrays = fst_to_arrays(fst)
    is_small = len(arrays.source) <= PATH_LIMIT
    tested = properties(fst)
    holds = {of_name.name: of_name.holds for of_name in tested}

    paths = None
    listed = []
    if is_small:
        paths = n_paths(fst)
    if is_small or holds["acyclic"]:
        listed = [strings(fst, paths)]

    data = _data(view, fst, arrays)
    facts = _facts(fst, arrays, paths, holds)
    if any(map(flag, data["symbols"])):
        facts["flag diacritics"] = "strings that they forbid are left out; paths and sums have them"

    return {
        "title": view.title,
        "about": view.about,
        "small": view.small,
        "sentence": " ".join(view.sentence),
        "transducer": not holds["acceptor"],
        "facts": facts,
        "properties": tested,
        "strings": listed,
        "symbols": _symbols(fst, arrays, holds["acceptor"]),
        "dead": _dead(arrays),
        "final_weights": bool(np.any(arrays.final[np.isfinite(arrays.final)])),
        "drawn": data["drawing"] is not None,
        "held": len(data["source"]),
        "arcs": len(arrays.source),
        "data": data,
    }


def _facts(
    fst: pynini.Fst, arrays: Arrays, paths: int | None, holds: Mapping[str, bool]
) -> dict[str, str]:
    """Sizes, weights, how many strings, ambiguity."""
    n_final = int(np.isfinite(arrays.final).sum())
    form = "acceptor" if holds["acceptor"] else "transducer"
    if not holds["acyclic"]:
        form += ", cyclic"
    weights = _WEIGHTS[fst.arc_type()]
    if holds["unweighted"]:
        weights = f"none ({fst.arc_type()})"

    facts = {
        "kind": form,
        "states": f"{len(arrays.final):,} ({n_final:,} final)",
        "arcs": f"{len(arrays.source):,}",
        "weights": weights,
        "paths": _count(paths, holds["acyclic"]),
    }
    is_small = len(arrays.source) <= PATH_LIMIT
    if not holds["unweighted"] and (is_small or holds["acyclic"]):
        facts["all paths"] = _sum(total(fst), fst.arc_type())
    if is_small:
        facts["ambiguous"] = _AMBIGUOUS[ambiguous(fst)]
    return facts


def _sum(weight: float, arc_type: str) -> str:
    """The weight of all paths, in nats and as a probability."""
    if np.isnan(weight):
        return "no finite sum: the rounds of a cycle never end"
    best = "the best weighs" if arc_type == "standard" else "together"
    return f"{best} {weight:.4g} nats, a probability of {np.exp(-weight):.4g}"


def _count(paths: int | None, acyclic: bool) -> str:
    """How many paths there are, in words."""
    if not acyclic:
        return "infinitely many, if the cycle is on a path to an end"
    if paths is None:
        return f"not counted beyond {PATH_LIMIT:,} arcs"

    return f"{paths:,}" if paths < _MANY else f"about {Decimal(paths):.3e}"


def _dead(arrays: Arrays) -> list[tuple[str, list[int], int]]:
    """States of no use, by what is wrong: some of their numbers, and how many they are."""
    faults = {"cannot be reached": ~reachable(arrays), "lead to no end": ~leading(arrays)}
    rows = []
    for fault, is_dead in faults.items():
        states = np.flatnonzero(is_dead)
        if len(states):
            rows.append((fault, states[:STATES_SHOWN].tolist(), len(states)))
    return rows


def _symbols(fst: pynini.Fst, arrays: Arrays, acceptor: bool) -> list[tuple[str, str]]:
    """The symbols of each side as a text: those that arcs have."""
    sides = [
        ("input symbols", arrays.ilabel, fst.input_symbols()),
        ("output symbols", arrays.olabel, fst.output_symbols()),
    ]
    if acceptor:
        sides = [("symbols", arrays.ilabel, fst.input_symbols())]
    texts = []
    for name, labels, table in sides:
        used = np.unique(labels)
        listed = " ".join(spelt(used[:SYMBOLS_SHOWN].tolist(), table))
        if len(used) > SYMBOLS_SHOWN:
            listed += f" … and {len(used) - SYMBOLS_SHOWN:,} more"
        size = "no table: labels are numbers"
        if table is not None:
            size = f"a table of {table.num_symbols():,}"
        texts.append((name, f"{len(used):,} on arcs ({size}): {listed}"))
    return texts


def _data(view: MachineView, fst: pynini.Fst, arrays: Arrays) -> dict[str, Any]:
    """Columns of numbers; labels as places in one list of symbols."""
    is_whole = len(arrays.source) <= HELD_ARCS
    arcs = np.arange(len(arrays.source))
    if not is_whole:
        arcs = _nearest(arrays, HELD_ARCS)
    weights = None
    if arrays.weight[arcs].any():
        weights = list(map(_rounded, arrays.weight[arcs].tolist()))

    tables = fst.input_symbols(), fst.output_symbols()
    place: dict[str, int] = {}
    columns = []
    ids = []
    for labels, table in zip((arrays.ilabel[arcs], arrays.olabel[arcs]), tables, strict=True):
        used = np.unique(labels)
        places = [place.setdefault(name, len(place)) for name in spelt(used.tolist(), table)]
        ids.append(dict(zip(places, used.tolist(), strict=True)))
        columns.append(np.array(places, dtype=np.int64)[np.searchsorted(used, labels)].tolist())
    reads, writes = columns
    any_word = -1
    if any(table is not None and table.find(SIGMA_ID) == SIGMA for table in tables):
        any_word = place.get("?", -1)

    ends = np.flatnonzero(np.isfinite(arrays.final)).tolist()
    posteriors = view.posteriors and [_rounded(view.posteriors[arc]) for arc in arcs.tolist()]
    drawing = None
    if len(arrays.source) <= DRAWN_ARCS:
        drawing = _drawing(fst)

    return {
        "states": len(arrays.final),
        "start": arrays.start,
        "finals": [[state, _rounded(arrays.final[state])] for state in ends],
        "symbols": list(place),
        "type": fst.arc_type(),
        "ids": ids,
        "tables": [table is not None for table in tables],
        "bytes": tables == (None, None),
        "epsilon": place.get("ε", -1),
        "any": any_word,
        "source": arrays.source[arcs].tolist(),
        "in": reads,
        "out": writes,
        "weight": weights,
        "next": arrays.next[arcs].tolist(),
        "posterior": posteriors,
        "partial": not is_whole,
        "drawing": drawing,
    }


def _rounded(value: float) -> float:
    """The value in as many digits as the page has."""
    return float(f"{min(float(value), 1e30):.{_DIGITS}g}")


def _nearest(arrays: Arrays, n: int) -> Ints:
    """The n arcs whose sources come first, breadth first from the start."""
    order = breadth_first(arrays)
    rank = np.full(len(arrays.final), len(arrays.final))
    rank[order] = np.arange(len(order))
    return np.sort(np.argsort(rank[arrays.source], kind="stable")[:n])


def _drawing(fst: pynini.Fst) -> dict[str, Any] | None:
    """Where everything stands; None where a part has to be asked for."""
    try:
        placed = layout(sketch(fst))
    except MachineError:
        return None

    states = [[state, round(x, 1), round(y, 1)] for state, (x, y) in placed.states.items()]
    curves = []
    for curve in placed.curves:
        x, y = curve.at
        label = [curve.label, round(x, 1), round(y, 1), round(curve.width, 1)]
        curves.append([curve.source, curve.target, curve_path(curve), *label, curve.arcs])
    return {"box": [round(value, 1) for value in placed.box], "states": states, "curves": curves}
