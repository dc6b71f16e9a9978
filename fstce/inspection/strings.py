"""What a machine accepts, in so many lines as a reader takes in: all of it, the best, the shortest."""

from __future__ import annotations

from typing import NamedTuple

import pynini
import pywrapfst

from fstce.machines.sketch import spelt

ALL, BEST, SAMPLED = 60, 20, 8
_LONGEST = 60  # labels of a sampled path


class Row(NamedTuple):
    """A path: what it reads, what it writes, its weight in −log nats."""

    reads: str
    writes: str
    weight: float


class Strings(NamedTuple):
    """Some paths of a machine, and what they are of all."""

    title: str
    rows: list[Row]


def strings(fst: pynini.Fst, paths: int | None) -> list[Strings]:
    """All paths where they are few; else the best, or where all weigh the same the shortest; and a sample.

    ``paths``: how many paths it has; None where it has a cycle.

    >>> found = strings(pynini.union("ab", "c").optimize(), 2)
    >>> found[0].title, sorted(row.reads for row in found[0].rows)
    ('all 2 paths', ['97 98', '99'])
    """
    useful = fst.copy().connect()
    if paths == 0 or useful.start() == pywrapfst.NO_STATE_ID:
        return [Strings("no path: it accepts nothing", [])]
    if paths is not None and paths <= ALL:
        return [Strings(f"all {paths:,} paths" if paths > 1 else "its only path", _best(useful, ALL))]
    weighted = useful.properties(pywrapfst.UNWEIGHTED, True) != pywrapfst.UNWEIGHTED
    # The rounds of a cycle below 0 nats would never end; length decides there, and where all weigh the same.
    by_weight = weighted and (paths is not None or _least(useful) >= 0)
    title = f"the {BEST} best paths" if by_weight else f"{BEST} of the shortest paths"
    sample = pywrapfst.randgen(useful, npath=SAMPLED, seed=1, max_length=_LONGEST)
    drawn = pynini.Fst.from_pywrapfst(sample)
    drawn.set_input_symbols(fst.input_symbols())
    drawn.set_output_symbols(fst.output_symbols())
    return [
        Strings(title, _best(useful, BEST, by_weight)),
        Strings(f"{SAMPLED} paths drawn at random, every arc of a state alike", _rows(drawn, SAMPLED)),
    ]


def _least(fst: pynini.Fst) -> float:
    return min((float(arc.weight) for state in fst.states() for arc in fst.arcs(state)), default=0.0)


def _best(fst: pynini.Fst, n: int, by_weight: bool = True) -> list[Row]:
    """The n best paths by weight or by length, best first."""
    tropical = fst if fst.arc_type() == "standard" else pynini.arcmap(fst, map_type="to_standard")
    if by_weight:
        return sorted(_rows(pynini.shortestpath(tropical, nshortest=n), n), key=lambda row: row.weight)
    one_each = pynini.Fst.from_pywrapfst(pywrapfst.arcmap(tropical, map_type="rmweight"))
    steps = pynini.Fst.from_pywrapfst(pywrapfst.arcmap(one_each, map_type="times", weight=1.0))
    shortest = pynini.shortestpath(steps, nshortest=n)
    rows = sorted(_rows(shortest, n), key=lambda row: row.weight)
    return [row._replace(weight=0.0) for row in rows]


def _rows(fst: pynini.Fst, n: int) -> list[Row]:
    """The paths of an acyclic machine of few paths."""
    found: list[Row] = []
    tables = fst.input_symbols(), fst.output_symbols()
    stack: list[tuple[int, list[int], list[int], float]] = [(fst.start(), [], [], 0.0)]
    while stack and len(found) < n:
        state, reads, writes, weight = stack.pop()
        if state < 0:
            break
        final = float(fst.final(state))
        if final != float("inf"):
            sides = zip((reads, writes), tables, strict=True)
            one, other = (" ".join(spelt([x for x in labels if x], table)) for labels, table in sides)
            found.append(Row(one, other, weight + final))
        for arc in fst.arcs(state):
            stack.append(
                (arc.nextstate, [*reads, arc.ilabel], [*writes, arc.olabel], weight + float(arc.weight))
            )
    return found
