"""OpenFst's operations on machines of any file: operands are checked and given one table, results bounded.

=============  ==========================================================================================
``compose``    what one writes the next reads                                          two machines or more
``union``      what any of them has                                                    two or more
``intersect``  what all of them have; acceptors                                        two or more
``difference`` what the first has and no other; acceptors, the others unweighted       two or more
``concat``     one after the other                                                     two or more
``closure``    any number of times, or from ``least`` to ``most`` times                one
``project``    its input or its output alone (``side``)                                one
``invert``     input and output exchanged                                              one
``reverse``    every path backwards                                                    one
``optimize``   without ε:ε, deterministic and minimal as far as that can be            one
``shortest``   the ``paths`` best paths, of each string one                            one
``sample``     ``paths`` paths, drawn arc by arc by the weights                        one
=============  ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from fstce.errors import MachineError
from fstce.machines import algebra
from fstce.machines.image import fst_to_arrays
from fstce.machines.openfst import has, pynini, pywrapfst
from fstce.machines.symbols import SIGMA, UNKNOWN

_OF_TABLE = (SIGMA, UNKNOWN)  # mean the words that a machine's own table lacks


def operate(
    operation: str, machines: Sequence[pynini.Fst], names: Sequence[str], **options: Any
) -> pynini.Fst:
    """The result of an operation of the table above.

    ``machines``: the operands, which stay as they are. ``names``: of the operands, for messages. ``options``:
    as the table has them, and ``seed``. Raises MachineError where arc types differ, a machine is not of the
    kind that the operation takes, or the result accepts nothing or has too many states.

    >>> a, b = (pynini.accep(text) for text in "ab")
    >>> operate("concat", [a, b, a], ["a", "b", "a"]).string()
    'aba'
    """
    result, where = machines[0].copy(), names[0]
    if operation in _ALONE:
        work = partial(_ALONE[operation], result, where, **options)
        return algebra.sound(work, operation, f"{operation} of {where}")
    sign, called, of_two = _TOGETHER[operation]
    for other, name in zip(machines[1:], names[1:], strict=True):
        where = f"{where} {sign} {name}"
        algebra.check_arc_types(result, other, where)
        other = other.copy()
        _share_tables(result, other, where, operation == "compose")
        result = algebra.sound(partial(of_two, result, other, where), called, where)
    return result


def _share_tables(left: pynini.Fst, right: pynini.Fst, where: str, inner: bool) -> None:
    """Give both the words of both, the right's renumbered; of a composition only where they meet."""
    sides = (("output", "input"),) if inner else (("input", "input"), ("output", "output"))
    for one, other in sides:
        tables = getattr(left, f"{one}_symbols")(), getattr(right, f"{other}_symbols")()
        if None in tables or len({table.labeled_checksum() for table in tables}) < 2:
            continue
        words = [{symbol for _, symbol in table} for table in tables]
        if words[0] != words[1]:
            _check_closed(left, one, where)
            _check_closed(right, other, where)
        merged = pywrapfst.merge_symbol_table(*tables)
        left.relabel_tables(**{f"new_{one[0]}symbols": merged})
        right.relabel_tables(**{f"new_{other[0]}symbols": merged})


def _check_closed(fst: pynini.Fst, side: str, where: str) -> None:
    """Raise if a machine has a symbol that means other words when its table gets more."""
    table = getattr(fst, f"{side}_symbols")()
    used = np.unique(getattr(fst_to_arrays(fst), f"{side[0]}label")).tolist()
    opened = [table.find(label) for label in used if table.find(label) in _OF_TABLE]
    if opened:
        raise MachineError(
            f"{where}: the tables differ, and {opened[0]} stands for the words that a machine's own table "
            "lacks; give both machines one table of symbols"
        )


def _intersect(left: pynini.Fst, right: pynini.Fst, where: str) -> pywrapfst.Fst:
    _check_acceptors(left, right, where)
    return pywrapfst.intersect(left.arcsort("olabel"), right)


def _difference(left: pynini.Fst, right: pynini.Fst, where: str) -> pywrapfst.Fst:
    _check_acceptors(left, right, where)
    if not has(right, "UNWEIGHTED"):
        raise MachineError(
            f"{where}: what is taken away has weights; only what has none can be taken away"
        )
    arc_type = right.arc_type()
    plain = pynini.arcmap(right, map_type="to_standard").rmepsilon()
    without = pynini.arcmap(algebra.determinize(plain, where), map_type=f"to_{arc_type}")
    return pywrapfst.difference(left, without.arcsort("ilabel"))


def _check_acceptors(left: pynini.Fst, right: pynini.Fst, where: str) -> None:
    if not (has(left, "ACCEPTOR") and has(right, "ACCEPTOR")):
        raise MachineError(
            f"{where}: a machine writes what it does not read; project it to one side first"
        )


def _shortest(fst: pynini.Fst, where: str, paths: int = 1) -> pywrapfst.Fst:
    if fst.arc_type() != "standard":
        raise MachineError(
            f"{where}: arc type {fst.arc_type()!r} has no best path, for its paths add up; convert it to "
            "standard (--arc-type standard)"
        )
    return pywrapfst.shortestpath(fst, nshortest=paths, unique=paths > 1 and has(fst, "ACCEPTOR"))


def _sample(fst: pynini.Fst, where: str, paths: int = 1, seed: int = 0) -> pywrapfst.Fst:
    """Paths that would need more states than a result may have are cut, and so are none of the result."""
    algebra.check_states(paths, "sample", where)
    longest = algebra.STATE_LIMIT // paths
    return pywrapfst.randgen(fst, npath=paths, seed=seed, select="log_prob", max_length=longest)


def _closure(fst: pynini.Fst, where: str, least: int = 0, most: int = 0) -> pynini.Fst:
    algebra.check_states(fst.num_states() * max(least, most), "closure", where)
    return pynini.closure(fst, least, most)


# Of those of several machines the sign and the name, for messages, and the operation.
_TOGETHER: dict[str, tuple[str, str, Callable[[pynini.Fst, pynini.Fst, str], pywrapfst.Fst]]] = {
    "compose": (
        "∘",
        "composition",
        lambda left, right, where: algebra.compose(left.arcsort("olabel"), right, where),
    ),
    "union": ("∪", "union", lambda left, right, where: left.union(right)),
    "intersect": ("∩", "intersection", _intersect),
    "difference": ("−", "difference", _difference),
    "concat": ("·", "concatenation", lambda left, right, where: left.concat(right)),
}
_ALONE: dict[str, Callable[..., pywrapfst.Fst]] = {
    "closure": _closure,
    "project": lambda fst, where, side="output": fst.project(side),
    "invert": lambda fst, where: fst.invert(),
    "reverse": lambda fst, where: pywrapfst.reverse(fst),
    "optimize": lambda fst, where: algebra.without_epsilon(fst, where).optimize(),
    "shortest": _shortest,
    "sample": _sample,
}
