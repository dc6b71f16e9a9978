"""What OpenFst makes of a machine step by step: from each machine, what each step gives, or why
nothing.

A transducer is determinized and minimized over its pairs of labels: determinizing its input alone
need not end, and no bound on the states stops it. Pushing and minimizing sum over cycles, so their
weights are looked at first.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from fstce.errors import MachineError
from fstce.machines.algebra import check_cycles, determinize, without_epsilon
from fstce.machines.image import fst_to_arrays, without_symbols
from fstce.machines.openfst import has, pynini, pywrapfst

STATE_LIMIT = 5_000  # of a determinized machine
ROOM = 40_000  # arcs and states of all machines of a page
MOST = 48  # machines of a page: those of all pairs of steps, and more
_LARGEST_RADIUS = 0.999  # of the rounds of cycles that OpenFst adds up one by one
_ROUNDING = 1e-4  # by which weights that are the same may differ


def steps(fst: pynini.Fst) -> tuple[list[pynini.Fst], list[list[int | str]]]:
    """The machines that steps make of one, as long as there is room.

    First without turning it round, then once, … Returns machines, the first that with which it
    began, and for each of them what every step of `STEPS` gives: the number of a machine, or why
    there is none.

    >>> machines, following = steps(pynini.union("ab", "ac"))
    >>> without_epsilon = following[0][0]
    >>> machines[0].num_states(), machines[without_epsilon].num_states()
    (6, 5)
    """
    machines = [fst]
    room = ROOM - _size(fst)
    following: dict[int, list[int | str]] = {}
    waiting = [(0, 0)]  # how often turned round, and the machine's number
    while waiting:
        turns, at = heappop(waiting)
        row = following[at] = []
        for name, step in STEPS.items():
            try:
                result = step(machines[at].copy())
            except MachineError as error:
                row.append(str(error))
                continue

            known = [i for i, machine in enumerate(machines) if _alike(machine, result)]
            if known:
                row.append(known[0])
            elif len(machines) < MOST and _size(result) <= room:
                room -= _size(result)
                row.append(len(machines))
                heappush(waiting, (turns + (name == "reverse"), len(machines)))
                machines.append(result)
            else:
                row.append(f"{name}: this page has no room for one more machine")
    return machines, [following[at] for at in range(len(machines))]


def _alike(one: pynini.Fst, other: pynini.Fst) -> bool:
    """Whether two machines differ in the order of arcs and states alone."""
    if _size(one) != _size(other):
        return False
    bare = [without_symbols(fst) for fst in (one, other)]
    return bool(pywrapfst.isomorphic(bare[0], bare[1], delta=_ROUNDING))


def _size(fst: pynini.Fst) -> int:
    """States and arcs."""
    return int(fst.num_states()) + sum(map(fst.num_arcs, fst.states()))


def _minimized(fst: pynini.Fst) -> pynini.Fst:
    """The machine minimized, if it is deterministic and its weights can be pushed."""
    if not has(fst, "I_DETERMINISTIC"):
        raise MachineError("minimize: two arcs of a state are alike; determinize first")
    return _checked(fst, "minimize").minimize()


def _checked(fst: pynini.Fst, where: str) -> pynini.Fst:
    """The machine, if the rounds of its cycles have a sum that OpenFst comes to."""
    check_cycles(fst_to_arrays(fst), fst.arc_type(), where, largest=_LARGEST_RADIUS)
    return fst


def _over_pairs(fst: pynini.Fst, operation: Callable[[pynini.Fst], pynini.Fst]) -> pynini.Fst:
    """The operation applied to the acceptor that reads the machine's pairs of labels."""
    if has(fst, "ACCEPTOR"):
        return operation(fst)

    mapper = pywrapfst.EncodeMapper(fst.arc_type(), True)
    pairs = without_symbols(fst.copy()).encode(mapper)
    result = operation(pairs).decode(mapper)
    return result.set_input_symbols(fst.input_symbols()).set_output_symbols(fst.output_symbols())


def _determinized(pairs: pynini.Fst) -> pynini.Fst:
    """The acceptor determinized, of a bounded number of states."""
    return determinize(pairs, "determinize", STATE_LIMIT)


STEPS: dict[str, Callable[[pynini.Fst], pynini.Fst]] = {
    "remove ε": lambda fst: without_epsilon(fst, "remove ε"),
    "determinize": lambda fst: _over_pairs(fst, _determinized),
    "minimize": lambda fst: _over_pairs(fst, _minimized),
    "push": lambda fst: _checked(fst, "push").push(),
    "connect": lambda fst: fst.connect(),
    "reverse": lambda fst: pynini.Fst.from_pywrapfst(
        pywrapfst.reverse(fst, require_superinitial=False)
    ),
}
