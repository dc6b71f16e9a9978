"""Which arcs of a typed sentence's machine are what was meant, or what is nearest to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from fstce.correction.factors.columns import ScoredArcs
from fstce.correction.factors.respelling import PLAIN
from fstce.machines.symbols import END_ID, Symbols

Cost = tuple[int, int, int, int]  # mistakes that stay; the arc, state and place before
WIDE = 2  # mistakes more than the fewest at a state are not followed


def nearest_arcs(
    found: ScoredArcs, symbols: Symbols, true: Sequence[Sequence[str]]
) -> list[list[int] | None]:
    """For each sentence the arcs of a path that leaves the fewest typed words wrong.

    A word that is out of reach stays as it was typed, for one word that was meant, for two or for
    none. None where marks that were meant are out of reach.

    ``found``: of the typed sentences, states in topological order.
    """
    machines = found.machines
    arcs: list[dict[int, list[tuple[int, int, int, bool]]]] = [defaultdict(list) for _ in true]
    typed = (found.columns[1:3] == 0).all(axis=0) & (found.code == PLAIN) & ~found.mark
    columns = (found.sentence, machines.source, machines.word, machines.next, typed)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for arc, (sentence, source, label, target, own) in enumerate(rows):
        arcs[sentence][source].append((arc, label, target, own))
    return [
        _path(
            arcs[i], int(machines.start[i]), int(machines.final[i]), symbols.ids(words, unknown=True).tolist()
        )
        for i, words in enumerate(true)
    ]


def _path(
    arcs: dict[int, list[tuple[int, int, int, bool]]], start: int, final: int, meant: list[int]
) -> list[int] | None:
    """Of (arc, label, target, own) by source the cheapest path that reads the labels."""
    best: dict[int, dict[int, Cost]] = defaultdict(dict)
    best[start][0] = (0, -1, -1, -1)
    for state in sorted(arcs):
        least = min((cost[0] for cost in best[state].values()), default=0)
        for place, (cost, *_) in list(best[state].items()):
            if cost > least + WIDE:
                continue
            for arc, label, target, own in arcs[state]:
                steps = []
                if label == END_ID:
                    steps = [(place, cost)]
                elif place < len(meant) and label == meant[place]:
                    steps = [(place + 1, cost)]
                elif own:
                    steps = [(place + 1, cost + 1), (place + 2, cost + 2), (place, cost + 2)]
                for after, value in steps:
                    if after <= len(meant) and value < best[target].get(after, (1 << 30,))[0]:
                        best[target][after] = (value, arc, state, place)
    if len(meant) not in best[final]:
        return None
    path, state, place = list[int](), final, len(meant)
    while state != start or place:
        _, arc, state, place = best[state][place]
        path.append(arc)
    return path[::-1]
