"""foma's binary files: gzipped text of one machine; HFST's of type FOMA hold the same text.

===============  =============================================================================
``##props##``    arity, counts of arcs, states, lines, final states and paths, six flags, name
``##weights##``  pyfoma's alone: for each line of the states the weight of its arc, and in the
                 first line of a state, behind it or alone, that of ending there
``##sigma##``    a number and its symbol a line: 0 is ε, 1 unknown, 2 identity
``##states##``   ``state in out target final``, ``state in target final``, or for a further arc
                 of the same state ``in out target``, ``in target``; a target of −1 is no arc
===============  =============================================================================
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from fstce.errors import MachineError
from fstce.machines.binary import inflated
from fstce.machines.image import Arrays, is_weight, rows_to_arrays
from fstce.machines.openfst import has, pynini
from fstce.machines.spelling import SPECIAL, for_tool, from_tool

_BEGIN = "##foma-net 1.0##"
_WEIGHTS = "##weights##"
END = b"##end##\n"
MAGICS = (b"\x1f\x8b", _BEGIN.encode())
_NO_ARC = -1
_NUMBER = re.compile(r"-1|[0-9]{1,9}")  # of a state or symbol


def foma_machines(data: bytes, where: str) -> list[pynini.Fst]:
    """The machines in a file of foma's, of which a stack has several."""
    try:
        text = inflated(data, where).decode()
    except UnicodeDecodeError:
        raise MachineError(
            f"{where}: damaged: this is no machine of foma's; write it again"
        ) from None
    *nets, behind = re.split(r"^##end##$\n?", text, flags=re.MULTILINE)
    if behind.strip() or not nets:
        raise MachineError(
            f"{where}: damaged: {behind.strip()[:40]!r} stands behind its machines, or it is cut off"
        )
    return [_machine(net, where) for net in nets]


def _machine(text: str, where: str) -> pynini.Fst:
    weights, sigma, states = _sections(text, where)
    symbols = {0: SPECIAL[0]}
    for line in filter(None, sigma):  # the symbol that is a newline leaves an empty one
        number, _, symbol = line.partition(" ")
        symbols.setdefault(_number(number, where), symbol or "\n")

    arcs = list[tuple[int, int, int, int, float]]()
    finals = dict[int, float]()
    costs = (_costs(line, where) for line in weights or repeat("0"))
    for (state, final, arc), cost in zip(_arcs(states, where), costs, strict=False):
        if final:
            finals.setdefault(state, cost[-1])
        if arc is not None:
            arcs.append((state, *arc, cost[0]))

    arrays = rows_to_arrays(arcs, finals, 0 if arcs or finals else None)
    used = np.union1d(arrays.ilabel, arrays.olabel).tolist()
    if missing := [label for label in used if label not in symbols]:
        raise MachineError(f"{where}: damaged: the symbol {missing[0]} is missing; write it again")
    return from_tool(arrays, symbols.items(), "foma")


def fst_to_foma(fst: pynini.Fst, where: str) -> bytes:
    """foma's file of a machine."""
    if not has(fst, "UNWEIGHTED"):
        raise MachineError(
            f"{where}: the machine has weights, and foma knows none; write .att or .hfst"
        )
    arrays, names = for_tool(fst, where)
    if broken := [name for name in names if "\n" in name and name != "\n"]:
        raise MachineError(f"{where}: {broken[0]!r} is no symbol of foma's; rename it")
    used = np.union1d(arrays.ilabel, arrays.olabel).tolist()
    lines = [*_state_lines(arrays)]

    acceptor = int(np.array_equal(arrays.ilabel, arrays.olabel))
    n_final = np.isfinite(arrays.final).sum()
    counts = f"{len(arrays.source)} {len(arrays.final)} {len(lines) + 1} {n_final}"
    props = f"{2 - acceptor} {counts} -1 0 0 0 0 0 0 fstce"

    written = [*(label for label in used if label < 3), *range(3, len(names))]
    sigma = ["##sigma##", *(f"{label} {names[label]}" for label in written)]
    states = ["##states##", *lines, "-1 -1 -1 -1 -1", "##end##"]
    text = [_BEGIN, "##props##", props, *sigma, *states]
    return gzip.compress("".join(f"{line}\n" for line in text).encode(), mtime=0)


def _state_lines(arrays: Arrays) -> Iterator[str]:
    """The line of each arc, or of a state without arcs."""
    is_final = np.isfinite(arrays.final).astype(int).tolist()
    for state, arcs in enumerate(arrays.by_state()):
        for read, write, _, target in arcs:
            yield f"{state} {read} {write} {target} {is_final[state]}"
        if not arcs:
            yield f"{state} -1 -1 {is_final[state]}"


def _sections(text: str, where: str) -> list[list[str]]:
    """The lines of weights, symbols and states.

    Raises MachineError unless they are those of one machine.
    """
    begin, *sections = re.split(r"^##(?:sigma|states)##$", text, flags=re.MULTILINE)
    if not begin.startswith(_BEGIN) or len(sections) != 2:
        raise MachineError(f"{where}: cut off, or no machine of foma's; write it again")

    _, weighted, weights = begin.partition(f"\n{_WEIGHTS}")
    lines = [section.split("\n")[1:-1] for section in (weights, *sections)]
    # The last line of the states is no arc.
    if weighted and len(lines[0]) != len(lines[2]) - 1:
        raise MachineError(f"{where}: damaged: not as many weights as arcs; write it again")
    return lines


def _costs(line: str, where: str) -> list[float]:
    """The weights of an arc and of its state."""
    fields = line.split()
    if not 1 <= len(fields) <= 2 or not all(map(is_weight, fields)):
        raise MachineError(f"{where}: damaged: {line[:40]!r} is no weight; write it again")
    return list(map(float, fields))


def without_pyfoma(machine: Any, where: str) -> Any:
    """A machine of pyfoma's class ``FST`` as one of pynini's, with its weights.

    Any other as it is.
    """
    if not hasattr(machine, "to_fomastring"):
        return machine
    if machine.arity() > 2:
        raise MachineError(f"{where}: a machine of {machine.arity()} tapes; extract two of them")
    return foma_machines(machine.to_fomastring("fstce").encode(), where)[0]


def _arcs(
    lines: Sequence[str], where: str
) -> Iterator[tuple[int, bool, tuple[int, int, int] | None]]:
    """For each line the state, whether it is final, its arc's labels and target if any."""
    state = _NO_ARC
    final = False
    for line in lines:
        fields = [_number(field, where) for field in line.split(" ")]
        if len(fields) in (4, 5):
            state = fields[0]
            final = fields[-1] == 1
            fields = fields[1:-1]
        if state < 0:
            return
        if len(fields) not in (2, 3):
            raise MachineError(f"{where}: damaged: the line {line!r} is no arc; write it again")

        arc = fields[0], fields[-2], fields[-1]
        yield state, final, None if _NO_ARC in arc else arc


def _number(field: str, where: str) -> int:
    if not _NUMBER.fullmatch(field):
        raise MachineError(
            f"{where}: damaged: {field[:40]!r} is no number of a state or symbol; write it again"
        )
    return int(field)
