"""A machine or lattice as a weighted automaton of genlm-grammar: probabilities on arcs, log Z the same.

To try: pip install genlm-grammar, then
    math.log(to_genlm(fst).total_weight())
"""

from __future__ import annotations

import math

import pynini
from genlm.grammar import WFSA
from genlm.grammar.wfsa.base import EPSILON


def to_genlm(fst: pynini.Fst) -> WFSA:
    """The input side; a weight w in −log is a probability exp(−w)."""
    made, symbols = WFSA(), fst.input_symbols()
    made.add_I(fst.start(), 1.0)
    for state in fst.states():
        made.add_F(state, math.exp(-float(fst.final(state))))
        for arc in fst.arcs(state):
            word = symbols.find(arc.ilabel) if arc.ilabel else EPSILON
            made.add_arc(state, word, arc.nextstate, math.exp(-float(arc.weight)))
    return made
