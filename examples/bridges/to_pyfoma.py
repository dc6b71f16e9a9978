"""A machine of pynini as one of pyfoma's, with its weights; fstce takes pyfoma's as they are.

To try: pip install pyfoma, then
    to_pyfoma(fstce.neighborhood("trans1")("the old man".split()).to_fst()).view()
"""

from __future__ import annotations

import pyfoma
import pynini
from pyfoma.atomic import State


def to_pyfoma(fst: pynini.Fst) -> pyfoma.FST:
    """Each symbol a symbol; ε is the empty string, an unlisted word pyfoma's dot."""
    made = pyfoma.FST()
    states = [State(name=str(state)) for state in fst.states()]
    made.states, made.initialstate = set(states), states[fst.start()]
    sides = fst.input_symbols(), fst.output_symbols() or fst.input_symbols()
    for state in fst.states():
        if (final := float(fst.final(state))) != float("inf"):
            made.finalstates.add(states[state])
            states[state].finalweight = final
        for arc in fst.arcs(state):
            labels = [
                symbols.find(label) for symbols, label in zip(sides, (arc.ilabel, arc.olabel), strict=True)
            ]
            pair = tuple({"<epsilon>": "", "<unk>": "."}.get(label, label) for label in labels)
            label = pair[:1] if pair[0] == pair[1] else pair
            states[state].add_transition(states[arc.nextstate], label, float(arc.weight))
            made.alphabet |= set(label) - {""}
    return made
