"""Every machine on the way from a sentence to its lattice: for those who want to see them."""

from __future__ import annotations

from fstce.machines import algebra
from fstce.machines.image import arrays_to_fst, fst_to_arrays
from fstce.machines.openfst import pynini

STAGES = ("sentence", "transducer", "composed", "projected", "determinized", "minimized")


def stages_of(
    sentence: pynini.Fst, transducer: pynini.Fst, where: str, limit: int, exponent: float = 1.0
) -> dict[str, pynini.Fst]:
    """The machines by the names of ``STAGES``, each with the sentence's symbols.

    ``sentence``, ``transducer``: the acceptor, and the transducer sorted by input, symbols attached to both.
    ``limit``: the number of states that a machine may have. ``exponent``: by which the lattice's weights are
    multiplied.
    """
    composed = algebra.compose(sentence, transducer, where, limit)
    projected = composed.copy().project("output")
    determinized = algebra.determinize(algebra.without_epsilon(projected.copy(), where), where, limit)
    lattice = algebra.without_empty_string(algebra.to_lattice(composed, where, limit), where)
    minimized = arrays_to_fst(fst_to_arrays(lattice).raised(exponent), lattice.arc_type())
    found = dict(
        zip(STAGES, (sentence, transducer, composed, projected, determinized, minimized), strict=True)
    )
    for fst in found.values():
        fst.set_input_symbols(sentence.input_symbols())
        fst.set_output_symbols(sentence.output_symbols())
    return found
