"""Machines as AT&T text, one arc or final state a line, with their words in a ``.syms`` file.

A line is ``source target input output [weight]``, in an acceptor also
``source target label [weight]``, or ``state [weight]`` for a final state; the first line's
state is the start. Weights have so many digits that reading them back is exact.

A line that has tabs is split at tabs alone, so that a label may be or hold any blank; other lines
are split at blanks, as fstcompile does. A line ``--`` parts machines. What else a label means says
:mod:`fstce.machines.spelling`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fstce.errors import MachineError
from fstce.machines.files import content
from fstce.machines.image import Arrays, is_weight, rows_to_arrays
from fstce.machines.openfst import pywrapfst
from fstce.machines.spelling import EPSILONS, SPELLINGS, TOOLS, escaped, unescaped
from fstce.parameters.rules import shown
from fstce.storage.atomic import replacing, together, write_whole

_LARGEST = 2**31 - 1
_DIGITS = re.compile("[0-9]{1,10}")  # not those of other scripts, which OpenFst does not read
Labels = Mapping[str, int] | None
Side = tuple[Labels, str]  # the ids of a side's labels, and where they stand
_Arc = tuple[int, int, int, int, float]  # source, labels, target, weight
_MACHINES = (".fst", ".far", ".txt", ".att", ".fatt")


def write_arcs(
    arrays: Arrays,
    table: pywrapfst.SymbolTableView | None,
    path: Path,
    where: str,
    *,
    spelling: str | None = None,
    numbers: bool = False,
) -> None:
    """Write the lines of a machine, which messages call `where`, and the symbols next to it.

    Ids instead of words if `numbers`.
    """
    labels = np.union1d(arrays.ilabel, arrays.olabel).tolist()
    names = {label: str(label) for label in labels}
    if table is not None:
        check_symbols_beside(table, path, spelling)
        if not numbers:
            names = {label: escaped(table.find(label), spelling, where) for label in labels}

    with together(), replacing(path, MachineError) as temporary:
        text = "".join(_att_lines(arrays, names, only_final=spelling in TOOLS))
        temporary.write_text(text, encoding="utf-8", newline="")
        if table is not None:
            write_symbols(table, Path(path).with_suffix(".syms"), spelling)


def write_symbols(
    table: pywrapfst.SymbolTableView, path: Path | str, spelling: str | None = None
) -> None:
    """Write a symbol table as lines of symbol and id.

    Raises MachineError where a symbol holds a newline.
    """
    write_whole(path, _symbol_lines(table, path, spelling), MachineError)


def check_symbols_beside(
    table: pywrapfst.SymbolTableView, path: Path | str, spelling: str | None = None
) -> None:
    """Raise MachineError where the ``.syms`` next to a machine is another file's or the user's."""
    path = Path(path)
    symbols_file = path.with_suffix(".syms")
    served = [file for file in map(path.with_suffix, _MACHINES) if file != path and file.exists()]
    is_replaced = path.exists() and not served  # both are of an earlier run
    if is_replaced or not symbols_file.exists():
        return

    if content(symbols_file) != _symbol_lines(table, path, spelling).encode():
        whose = f"has the symbols of {served[0]}" if served else "is there already"
        raise MachineError(
            f"{symbols_file} {whose} and would be replaced; give the new machine another name"
        )


def _symbol_lines(table: pywrapfst.SymbolTableView, path: Path | str, spelling: str | None) -> str:
    """The lines by id, that ε is the first: U+FEFF at the beginning of a file is none of it."""
    return "".join(
        f"{escaped(symbol, spelling, str(path))}\t{label}\n"
        for label, symbol in sorted(table)
        if label >= 0
    )


def read_symbols(path: Path | str) -> pywrapfst.SymbolTable:
    """Read a symbol table from lines of symbol and id.

    Raises
    ------
    MachineError
        The file is missing, or a line is not a symbol and an id, or repeats one; names file and
        line.
    """
    path = Path(path)
    ids = symbol_ids(path)
    # HFST's spelling, in which <unk> is a symbol like any other
    table = pywrapfst.SymbolTable("hfst" if ids.get(SPELLINGS["hfst"]) == 0 else path.stem)
    for symbol, label in ids.items():
        table.add_symbol(symbol, label)
    return table


def symbol_ids(path: Path) -> dict[str, int]:
    """The ids of the symbols of a table in a file, read without OpenFst."""
    ids: dict[str, int] = {}
    labels = set[int]()
    for where, fields in fields_of(path, content(path), _symbol_fields):
        if len(fields) != 2 or not fields[0]:
            raise MachineError(f"{where}: {len(fields)} fields; a line is a symbol and its id")

        symbol = unescaped(fields[0])
        label = number(fields[1], "id", where)
        if symbol in ids or label in labels:
            raise MachineError(
                f"{where}: the symbol {symbol!r} or the id {label} is given twice; keep one"
            )
        ids[symbol] = label
        labels.add(label)
    return ids


def _att_lines(arrays: Arrays, name: Mapping[int, str], *, only_final: bool) -> Iterator[str]:
    """The lines of every state, the start's first, in fstprint's order.

    ``only_final``: without states that are neither final nor begin an arc, as HFST and foma, which
    take any that has a line of its own for final.
    """
    digits = 17 if arrays.weight.dtype == np.float64 else 9
    arcs = arrays.by_state()
    final = arrays.final.tolist()
    for state in sorted(range(len(final)), key=lambda state: state != arrays.start):
        for read, write, weight, target in arcs[state]:
            yield f"{state}\t{target}\t{name[read]}\t{name[write]}{_cost(weight, digits)}\n"
        if np.isfinite(final[state]) or not (arcs[state] or only_final):
            yield f"{state}{_cost(final[state], digits)}\n"


def _cost(weight: float, digits: int) -> str:
    """The field of a weight behind its tab; none for One."""
    if weight == 0.0:
        return ""
    return f"\t{weight:.{digits}g}" if np.isfinite(weight) else "\tInfinity"


class MachineLine(NamedTuple):
    """A line's fields and its place, ``file:number``."""

    where: str
    fields: list[str]


def _fields(line: str) -> list[str]:
    """The fields of a line: at tabs, or at blanks, too, where these part states or weights.

    >>> _fields("0\\t1\\t \\tb\\t0.5\\t"), _fields(" 0 1  a")
    (['0', '1', ' ', 'b', '0.5'], ['0', '1', 'a'])
    """
    fields = line.split("\t")
    if len(fields) > 1 and not any(" " in field.strip(" ") for field in fields[:2]):
        # lttoolbox ends its lines with a tab; more of them behind two states are labels.
        ended = line.rstrip("\t").split("\t")
        is_arc = len(ended) in (2, 3) and ended[1].isdecimal()
        return fields if is_arc and len(fields) > len(ended) + 1 else ended
    return re.split(r"[\t ]+", line.strip(" \t"))


def fields_of(
    path: Path, data: bytes, split: Callable[[str], list[str]] = _fields
) -> Iterator[MachineLine]:
    """The lines of a file that hold anything, split into their fields."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise MachineError(
            f"{path}: not UTF-8 text, nor a binary machine of a known form"
        ) from None

    lines = text.split("\n")
    if len(lines) == 1:  # of an old Macintosh
        lines = text.split("\r")
    # A label may be \r: it is part of the ends of lines where every line has it.
    windows = all(line.endswith("\r") for line in lines[:-1])
    for number, line in enumerate(lines, 1):
        if windows:
            line = line.removesuffix("\r")
        if line.strip(" \t"):
            yield MachineLine(f"{path}:{number}", split(line))


def _symbol_fields(line: str) -> list[str]:
    """The symbol of a line, which may hold blanks where a tab follows it, and its id."""
    ended = line.rstrip(" \t")
    if "\t" in ended:
        return re.split(r"\t+", ended)
    return re.split(" +", ended.strip(" "))


def number(field: str, what: str, where: str, hint: str = "") -> int:
    """The field as an integer that OpenFst can hold; raises MachineError naming the line."""
    digits = field.strip(" ")
    if _DIGITS.fullmatch(digits) and int(digits) <= _LARGEST:
        return int(digits)
    raise MachineError(f"{where}: {shown(field)} is no {what}: a number from 0 to {_LARGEST}{hint}")


def weight_of(fields: list[str], where: str) -> float:
    """The weight that the fields give, 0 where they give none.

    Raises MachineError naming the line.
    """
    if not fields:
        return 0.0
    if not is_weight(fields[0]):
        raise MachineError(
            f"{where}: {shown(fields[0])} is no weight: a number in −log, or Infinity"
        )
    return float(fields[0])


def parse_att(lines: Sequence[MachineLine], *sides: Side, start: int | None = None) -> Arrays:
    """The machine that the lines describe; labels are numbers where there are no ids.

    ``sides``: the ids of both sides, or those of input and output. ``start``: by default the
    state of the first line.

    >>> lines = [MachineLine("a.txt:1", ["0", "1", "the"]), MachineLine("a.txt:2", ["1", "0.5"])]
    >>> arrays = parse_att(lines, ({"the": 5}, "the table"))
    >>> arrays.ilabel.tolist(), arrays.final.tolist()
    ([5], [inf, 0.5])
    """
    arc_lines = [line for line in lines if len(line.fields) > 2]
    acceptor = is_acceptor(arc_lines, sides[-1][0])

    arcs = [_arc(line, acceptor, sides) for line in arc_lines]
    finals = {
        number(fields[0], "state", where): weight_of(fields[1:], where)
        for where, fields in lines
        if len(fields) <= 2
    }
    if start is None and lines:
        start = number(lines[0].fields[0], "state", lines[0].where)
    return rows_to_arrays(arcs, finals, start)


def is_acceptor(arc_lines: Sequence[MachineLine], ids: Labels) -> bool:
    """Whether lines have one label.

    Where all have four fields, the fourth is a weight if it is no label.
    """
    sizes = {len(line.fields): line for line in reversed(arc_lines)}
    fourth = [line.fields[3] for line in arc_lines if len(line.fields) == 4]
    if 3 in sizes and (5 in sizes or not all(map(is_weight, fourth))):
        for where, fields in arc_lines:  # of which none may be an arc
            number(fields[0], "state", where)
        raise MachineError(
            f"{sizes[3].where}: 3 fields, in a file whose other lines have two labels; give one or "
            "two"
        )
    if sizes.keys() & {3, 5}:
        return 3 in sizes

    if ids is None:
        return not all(map(str.isdecimal, fourth)) and all(map(is_weight, fourth))
    if all(field in ids for field in fourth) or not all(map(is_weight, fourth)):
        return False
    if not ids and not any("." in field for field in fourth):
        raise MachineError(
            f"{arc_lines[0].where}: is {fourth[0]!r} an output or a weight? write weights with a "
            "point (1.0), or give the symbols in a .syms file"
        )
    return True


def _arc(line: MachineLine, acceptor: bool, sides: Sequence[Side]) -> _Arc:
    where, fields = line
    labels = 1 if acceptor else 2
    if "" in fields[2:]:
        raise MachineError(
            f"{where}: a label is empty or a tab; write {EPSILONS[2]} for ε, @_TAB_@ for a tab, or "
            "take foma's own file, .foma"
        )
    if not 2 + labels <= len(fields) <= 3 + labels:
        raise MachineError(
            f"{where}: {len(fields)} fields; an arc is 'source target input output [weight]', "
            "in an acceptor 'source target label [weight]'"
        )

    source, target = (number(field, "state", where) for field in fields[:2])
    ilabel = _label(fields[2], *sides[0], where)
    olabel = _label(fields[1 + labels], *sides[-1], where)
    return source, ilabel, olabel, target, weight_of(fields[2 + labels :], where)


def _label(field: str, ids: Labels, source: str, where: str) -> int:
    if ids is None:
        return number(field, "label", where, "; give a file of symbols if labels are words")
    symbol = field if field in ids else unescaped(field)
    if symbol in ids:
        return ids[symbol]
    raise MachineError(
        f"{where}: the symbol {symbol!r} is not in {source}; add it there (labels that are ids: "
        "fstce machine convert --numbers)"
    )
