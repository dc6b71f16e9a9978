"""A speller in the machines of others, with letters as symbols.

The archive of a speller has its words with capitals, too, first or all, and its errors in
capitals: the programs that run it look for what was typed as it stands.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fstce.machines.convert import read_machine
from fstce.machines.files import write_far
from fstce.machines.flags import flag
from fstce.machines.hfst import fst_to_lookup, write_zhfst
from fstce.machines.image import arrays_to_fst, fst_to_arrays, relabeled
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.spelling import SPECIAL
from fstce.machines.symbols import EPSILON, UNKNOWN
from fstce.speller.capitals import Cases
from fstce.speller.error_model import OTHER
from fstce.speller.features import EDITS
from fstce.speller.lexicon import over_code_points
from fstce.speller.speller import Speller

VARIANT = 1e-3  # nats of a word in other capitals, which stands behind it


def with_letters(machine: pynini.Fst) -> pynini.Fst:
    """A machine over code points with letters as symbols; what is no code point is unknown."""
    arrays = fst_to_arrays(machine)
    fst = machine.copy()
    table = pywrapfst.SymbolTable("letters")
    names = {OTHER: UNKNOWN, 0: EPSILON}
    for label in np.union1d(np.union1d(arrays.ilabel, arrays.olabel), [0]).tolist():
        table.add_symbol(names.get(label) or chr(label), label)
    fst.set_input_symbols(table)
    fst.set_output_symbols(table)
    return fst


def write_speller(
    speller: Speller, path: Path, language: str = "und", acceptor: Path | None = None
) -> None:
    """Write acceptor and error model: as HFST's archive, or OpenFst's where the name is ``.far``.

    ``acceptor``: somebody's own, instead of the speller's lexicon, its symbols of several letters
    as paths of letters, which the error model edits.
    """
    is_far = path.suffix.lower() == ".far"
    if is_far or acceptor is not None:
        errors, words = speller.machines()
    else:
        errors, words = _with_capitals(speller)
    accepting = with_letters(words) if acceptor is None else _single_letters(acceptor)
    if is_far:
        write_far({"acceptor": accepting, "errors": with_letters(errors)}, path)
        return

    data = fst_to_lookup(accepting, str(acceptor or path))
    model = fst_to_lookup(with_letters(errors), str(path))
    learned = f"Error model learned by contrast from {speller.reached_} typos."
    title = f"Speller ({language})"
    write_zhfst(path, data, model, locale=language, title=title, description=learned)


def _single_letters(acceptor: Path) -> pynini.Fst:
    """An acceptor whose symbols are single letters, as those of the error model are; flags stay."""
    fst = read_machine(acceptor)
    if not _has_long_symbols(fst):
        return fst
    return with_letters(over_code_points(fst, str(acceptor)))


def _has_long_symbols(fst: pynini.Fst) -> bool:
    """Whether a symbol has several letters, within which hfst-ospell could correct nothing."""
    names = dict(fst.input_symbols() or ())
    read = [names.get(label, "") for label in _letters(fst)]
    return any(
        len(name) > 1 and name not in (*SPECIAL, UNKNOWN) and not flag(name) for name in read
    )


def _with_capitals(speller: Speller) -> tuple[pynini.Fst, pynini.Fst]:
    """The errors, in capitals, too; the words, and these with capitals, first or all."""
    _, plain = speller.machines()
    cases = speller.lexicon_.cases
    variants = pynini.compose(plain, cases.variants).project("output")
    words = pynini.union(plain, variants + pynini.accep("", weight=VARIANT)).rmepsilon()
    to_acronyms = []
    if words.properties(pynini.ACYCLIC, True):
        words = pynini.determinize(words).minimize()
        to_acronyms = [_to_acronyms(plain, cases)]

    typed = {letter for letters, _ in cases.changes for letter in letters}
    errors = speller.errors_.machine(sorted({*_letters(words), *map(ord, typed)}))
    arrays = fst_to_arrays(errors)
    ilabel, olabel = (relabeled(side, cases.capital) for side in (arrays.ilabel, arrays.olabel))
    upper = arrays_to_fst(arrays._replace(ilabel=ilabel, olabel=olabel))
    lack = pynini.accep("", weight=EDITS * speller.errors_.shift)  # of edits, as the errors have it
    errors = pynini.union(errors, upper, *(machine + lack for machine in to_acronyms)).rmepsilon()
    return errors.arcsort("ilabel"), words.arcsort("ilabel")


def _to_acronyms(words: pynini.Fst, cases: Cases) -> pynini.Fst:
    """To words in capitals, from what differs in more capitals than are edited: NATO from nato."""
    acronyms = pynini.compose(words, cases.acronyms).project("output")
    unweighted = arrays_to_fst(fst_to_arrays(acronyms.rmepsilon()).raised(0.0))
    return pynini.compose(cases.changed(EDITS + 1), unweighted.arcsort("ilabel"))


def _letters(acceptor: pynini.Fst) -> list[int]:
    return [label for label in np.unique(fst_to_arrays(acceptor).ilabel).tolist() if label]
