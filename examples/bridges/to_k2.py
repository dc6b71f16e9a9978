"""A machine in k2's text: scores are log probabilities, one final state that arcs of label −1 enter.

To try: pip install k2, then
    k2.Fsa.from_str(to_k2(fst), acceptor=False)
"""

from __future__ import annotations

import pynini

from fstce import machines


def to_k2(fst: pynini.Fst) -> str:
    """Lines `source target input output score`, by source; the last is the final state. It is acyclic."""
    arrays = machines.fst_to_arrays(fst.topsort())
    columns = (arrays.source, arrays.next, arrays.ilabel, arrays.olabel, -arrays.weight)
    lines = [(*map(int, row[:4]), float(row[4])) for row in zip(*columns, strict=True)]
    end = len(arrays.final)
    finals = [
        (state, end, -1, -1, -float(cost))
        for state, cost in enumerate(arrays.final)
        if cost < float("inf")
    ]
    rows = sorted([*lines, *finals], key=lambda row: row[0])
    return "".join(" ".join(map(str, row)) + "\n" for row in rows) + f"{end}\n"
