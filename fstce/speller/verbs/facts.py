"""What ``fstce info`` says of a speller."""

from __future__ import annotations

from fstce.console.output import facts
from fstce.speller.speller import Speller


def show(speller: Speller) -> None:
    """What a speller was learnt from, and the size of its machines."""
    errors, words = speller.machines()
    arcs = [sum(map(machine.num_arcs, machine.states())) for machine in (errors, words)]
    facts(
        [
            ("typos learnt from", f"{speller.reached_:,}"),
            ("letters edited", f"{len(speller.errors_.letters):,}"),
            ("edits of strings", f"{len(speller.errors_.strings):,}"),
            ("exponent of words", f"{speller.exponent_:.3g}"),
            ("error model", f"{errors.num_states():,} states, {arcs[0]:,} arcs"),
            ("words", f"{words.num_states():,} states, {arcs[1]:,} arcs"),
        ]
    )
