"""OpenFst's operations on machines of any file: one alphabet, results bounded.

===============  ==============================================================  ===========
``compose``      what one writes the next reads                                  two or more
``union``        what any of them has                                            two or more
``intersect``    what all of them have; acceptors                                two or more
``difference``   what the first has and no other; acceptors, others unweighted   two or more
``concat``       one after the other                                             two or more
``closure``      any number of times                                             one
``project``      its input or its output alone (``side``)                        one
``invert``       input and output exchanged                                      one
``reverse``      every path backwards                                            one
``determinize``  at most one arc a label and state                               one
``minimize``     the fewest states, of a deterministic machine                   one
``rmepsilon``    without ε:ε                                                     one
``push``         weights as near to the start as can be                          one
``connect``      without states that are on no path                              one
``optimize``     without ε:ε, deterministic and minimal as far as that can be    one
``shortest``     the ``paths`` best paths, of each string one                    one
===============  ==============================================================  ===========

Flag diacritics are symbols where what they forbid stays forbidden: in a union, a projection, an
inversion, and where a machine gets another shape. Elsewhere they are taken out first, with the
paths that they forbid.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fstce.errors import MachineError
from fstce.machines import algebra
from fstce.machines.alphabets import matched, projected, settled, with_one_alphabet
from fstce.machines.flags import without_flags
from fstce.machines.openfst import has, n_arcs, pynini, pywrapfst
from fstce.machines.spelling import OTHER, Sides
from fstce.processes.memory import limited
from fstce.storage.atomic import replacing

# Those before which flags are taken out.
_OBEYING = ("compose", "intersect", "difference", "concat", "closure", "reverse", "shortest")
# Those that may take any memory or time.
_UNBOUNDED = (
    *("compose", "intersect", "difference"),
    *("determinize", "rmepsilon", "optimize", "shortest"),
)
_GOING_ROUND = ("minimize", "push")  # as long as the sums over cycles take
# Those that take arcs of weight Infinity for arcs.
_PASSING = ("difference", "determinize", "minimize", "rmepsilon", "push", "optimize", "shortest")
# Bytes that a result may take, and for each state before so many more. A determinization that
# grows exponentially fills a gigabyte in a minute, an eighth in seconds.
_MOST_MEMORY = 1 << 30
_OF_DETERMINIZATION = 1 << 27
_MEMORY_A_STATE = 1 << 11
_FEW = algebra.ARC_LIMIT // 3  # arcs of a composition, whose ε may stand in three orders


def operate(
    operation: str, machines: Sequence[pynini.Fst], names: Sequence[str], **options: Any
) -> pynini.Fst:
    """The result of an operation of the table above.

    ``machines``: the operands, which stay as they are. ``names``: of the operands, for messages.
    ``options``: as the table has them. Raises MachineError where arc types differ, a
    machine is not of the kind that the operation takes, or the result accepts nothing or has too
    many states.

    >>> a, b = (pynini.accep(text) for text in "ab")
    >>> operate("concat", [a, b, a], ["a", "b", "a"]).string()
    'aba'
    """
    step = _step(operation, machines, names, options)
    make, _, most, _ = step
    if most is None:
        return make()
    with tempfile.NamedTemporaryFile() as file:
        _write(*step, file.name)
        return pynini.Fst.read(file.name)


def write_result(
    path: Path, operation: str, machines: Sequence[pynini.Fst], names: Sequence[str], **options: Any
) -> None:
    """Write what :func:`operate` makes as a ``.fst``; what is made apart is written there."""
    with replacing(path, MachineError) as temporary:
        _write(*_step(operation, machines, names, options), str(temporary))


def _write(
    make: Callable[[], pynini.Fst], where: str, most: int | None, hint: str, path: str
) -> None:
    """Write what is made, in another process where that may take so many bytes.

    For want of memory OpenFst ends its own; ``hint`` says what to do then.
    """

    def written() -> bytes:
        try:
            make().write(path)
        except pywrapfst.FstIOError:
            raise MachineError(
                f"{where}: there is no room for the result in {Path(path).parent}; choose another "
                "folder, for temporary files by TMPDIR"
            ) from None
        return b""

    if most is None:
        written()
        return
    from fstce.processes.apart import apart  # takes .03 s, which small machines need not wait

    apart(written, where, most, hint)


def _step(
    operation: str, machines: Sequence[pynini.Fst], names: Sequence[str], options: dict[str, Any]
) -> tuple[Callable[[], pynini.Fst], str, int | None, str]:
    """What makes the result, how that is called, and if it is made apart its bytes and a hint."""
    if len(machines) > 2:
        first = operate(operation, machines[:-1], names[:-1])
        machines = [first, machines[-1]]
        names = [f" {_TOGETHER[operation][0]} ".join(names[:-1]), names[-1]]

    if operation in _OBEYING:
        machines = [without_flags(*machine) for machine in zip(machines, names, strict=True)]
    if operation in _PASSING:
        machines = list(map(algebra.passable, machines))
    left = machines[0].copy()
    if left.start() == pywrapfst.NO_STATE_ID:  # over its arcs OpenFst may crash
        left.delete_states()
    most = None
    if operation in _UNBOUNDED or (operation in _GOING_ROUND and not has(left, "ACYCLIC")):
        most = _MOST_MEMORY + _memory(machines)
    hint = "try smaller machines"
    if operation == "determinize" and not has(left, "ACCEPTOR", "UNWEIGHTED"):
        hint = "it may have no determinization; optimize it instead"
    where = names[0]
    called = operation
    if operation in _ALONE:
        if operation != "closure":
            algebra.nonempty(left, "machine", where)
        work = partial(_ALONE[operation], left, where, **options)
        where = f"{operation} of {where}"
    else:
        sign, called, of_two = _TOGETHER[operation]
        right = machines[1]
        where = f"{where} {sign} {names[1]}"
        algebra.check_arc_types(left, right, where)
        if operation in ("union", "concat"):
            algebra.check_states(left.num_states() + right.num_states(), called, where)
        if not left.num_states():  # it has no table to keep
            left.set_input_symbols(right.input_symbols())
            left.set_output_symbols(right.output_symbols())
        meeting = operation == "compose"
        left, right = with_one_alphabet(left, right, where, meeting=meeting)
        if meeting:
            left, right = matched(left, right)
        if operation in ("compose", "intersect") and _size(left) * _size(right) < _FEW:
            most = None
        work = partial(of_two, left, right.copy(), where)
    return partial(algebra.sound, work, called, where), where, most, hint


def _size(fst: pynini.Fst) -> int:
    """States and arcs: the product of two machines' bounds the arcs of their composition."""
    return int(fst.num_states()) + n_arcs(fst)


def _memory(machines: Sequence[pynini.Fst]) -> int:
    """The bytes that what is made of the machines may take for their size."""
    return _MEMORY_A_STATE * sum(fst.num_states() for fst in machines)


def _determinize(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The determinization, which its memory bounds where it is made apart.

    That of a transducer may never end: where what two paths of one input write differs more with
    each round of a cycle (Choffrut 1977).
    """
    from fstce.processes.workers import FORKS  # takes .03 s, which small machines need not wait

    with limited(_OF_DETERMINIZATION + _memory([fst])):
        return algebra.determinize(fst, where, small=FORKS)


def _optimize(fst: pynini.Fst, where: str) -> pywrapfst.Fst:
    if not has(fst, "NO_EPSILONS"):  # else there is nothing to remove
        fst = algebra.without_epsilon(fst, where)
    if has(fst, "I_DETERMINISTIC"):
        return _minimize(fst, where)
    with limited(_OF_DETERMINIZATION + _memory([fst])):
        return fst.optimize(compute_props=True)  # else weights may stay where they are, and cost


def equivalent(left: pynini.Fst, right: pynini.Fst, where: str) -> bool:
    """Whether two machines have the same strings, or pairs of strings, with the same weights.

    >>> equivalent(pynini.union("ab", "ac"), pynini.concat("a", pynini.union("b", "c")), "x")
    True
    """
    from fstce.processes.apart import apart  # takes .03 s, which other operations need not wait

    algebra.check_arc_types(left, right, where)
    work = partial(_equivalent, left, right, where)
    return bool(apart(work, where, _MOST_MEMORY + _memory([left, right])))


def _equivalent(left: pynini.Fst, right: pynini.Fst, where: str) -> bytes:
    """Nothing unless they are."""
    left, right = (algebra.passable(without_flags(fst, where)) for fst in (left, right))
    pair = with_one_alphabet(left, right, where)
    mapper = pywrapfst.EncodeMapper(left.arc_type(), encode_labels=True)

    plain = []
    for fst in pair:
        bare = fst.copy().set_input_symbols(None).set_output_symbols(None)
        if not (has(left, "ACCEPTOR") and has(right, "ACCEPTOR")):
            bare = algebra.without_epsilon(bare, where).encode(mapper)
        bare = algebra.without_epsilon(bare, where)
        plain.append(_determinize(bare, where))
    return b"yes" if pywrapfst.equivalent(plain[0], plain[1]) else b""


def _compose(left: pynini.Fst, right: pynini.Fst, where: str) -> pynini.Fst:
    # Both, for a side of which OpenFst does not know that it is sorted is gone through arc by arc.
    if not has(left, "O_LABEL_SORTED"):
        left.arcsort("olabel")
    if not has(right, "I_LABEL_SORTED"):
        right.arcsort("ilabel")
    return settled(pynini.compose(left, right))


def _intersect(left: pynini.Fst, right: pynini.Fst, where: str) -> pywrapfst.Fst:
    _check_acceptors(left, right, where)
    return pywrapfst.intersect(left.arcsort("olabel"), right.arcsort("ilabel"))


def _difference(left: pynini.Fst, right: pynini.Fst, where: str) -> pywrapfst.Fst:
    _check_acceptors(left, right, where)
    if not has(right, "UNWEIGHTED"):
        raise MachineError(
            f"{where}: what is taken away has weights; only what has none can be taken away"
        )
    arc_type = right.arc_type()
    plain = pynini.arcmap(right, map_type="to_standard").rmepsilon()
    without = pynini.arcmap(_determinize(plain, where), map_type=f"to_{arc_type}")
    return pywrapfst.difference(left, without.arcsort("ilabel"))


def _check_acceptors(left: pynini.Fst, right: pynini.Fst, where: str) -> None:
    for fst in (left, right):
        if not has(fst, "ACCEPTOR") or Sides(fst).has(OTHER)[0].any():
            raise MachineError(
                f"{where}: a machine writes what it does not read; project it to one side first"
            )


def _minimize(fst: pynini.Fst, where: str) -> pywrapfst.Fst:
    fst = fst.connect()
    if not has(fst, "I_DETERMINISTIC"):
        raise MachineError(
            f"{where}: two arcs of a state read the same; determinize it first, or optimize it"
        )
    algebra.check_cycles(fst, where)
    return fst.minimize()


def _push(fst: pynini.Fst, where: str) -> pywrapfst.Fst:
    algebra.check_cycles(fst.connect(), where)
    return pywrapfst.push(fst, push_weights=True, reweight_type="to_initial")


def _shortest(fst: pynini.Fst, where: str, paths: int = 1) -> pywrapfst.Fst:
    if fst.arc_type() != "standard":
        raise MachineError(
            f"{where}: arc type {fst.arc_type()!r} has no best path, for its paths add up; convert "
            "it to standard (--arc-type standard)"
        )
    if paths > algebra.STATE_LIMIT:
        raise MachineError(
            f"{where}: {paths:,} paths need more than {algebra.STATE_LIMIT:,} states; ask for fewer"
        )
    algebra.check_cycles(fst.connect(), where)
    return pywrapfst.shortestpath(fst, nshortest=paths, unique=paths > 1 and has(fst, "ACCEPTOR"))


Pair = Callable[["pynini.Fst", "pynini.Fst", str], "pywrapfst.Fst"]
# Of those of several machines the sign and the name, for messages, and the operation.
_TOGETHER: dict[str, tuple[str, str, Pair]] = {
    "compose": ("∘", "composition", _compose),
    "union": ("∪", "union", lambda left, right, where: left.copy().union(right)),
    "intersect": ("∩", "intersection", _intersect),
    "difference": ("−", "difference", _difference),
    "concat": ("·", "concatenation", lambda left, right, where: left.copy().concat(right)),
}
_ALONE: dict[str, Callable[..., pywrapfst.Fst]] = {
    "closure": lambda fst, where: pynini.closure(fst),
    "project": lambda fst, where, side="output": projected(fst, side),
    "invert": lambda fst, where: fst.invert(),
    "reverse": lambda fst, where: pywrapfst.reverse(fst),
    "determinize": _determinize,
    "minimize": _minimize,
    "rmepsilon": algebra.without_epsilon,
    "push": _push,
    "connect": lambda fst, where: fst.connect(),
    "optimize": _optimize,
    "shortest": _shortest,
}
