"""A speller in the files of others: its machines with letters as symbols, and the costs as a table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fstce.machines.convert import read_machine, write_machine
from fstce.machines.files import content, write_far, write_text
from fstce.machines.hfst import fst_to_hfst, write_zhfst
from fstce.machines.image import fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.symbols import EPSILON, UNKNOWN
from fstce.speller.error_model import OTHER, ErrorModel
from fstce.speller.features import INSIDE
from fstce.speller.speller import Speller


def error_machine(speller: Speller) -> pynini.Fst:
    """The error model with letters as symbols."""
    return with_letters(speller.machines()[0])


def with_letters(machine: pynini.Fst) -> pynini.Fst:
    """A machine over code points, its letters attached as symbols; what is no code point is unknown."""
    arrays, fst = fst_to_arrays(machine), machine.copy()
    table = pywrapfst.SymbolTable("letters")
    for label in np.union1d(np.union1d(arrays.ilabel, arrays.olabel), [0]).tolist():
        table.add_symbol(UNKNOWN if label == OTHER else chr(label) if label else EPSILON, label)
    fst.set_input_symbols(table)
    fst.set_output_symbols(table)
    return fst


def write_speller(speller: Speller, path: Path, language: str, acceptor: Path | None = None) -> None:
    """A ``.zhfst``: the acceptor and the error model for optimized lookup.

    ``acceptor``: somebody's own, instead of the speller's lexicon; for optimized lookup it goes in as it is.
    """
    errors, words = speller.machines()
    if acceptor is None:
        data = fst_to_hfst(with_letters(words), "lookup", str(path))
    elif acceptor.suffix.lower() == ".hfstol":
        data = content(acceptor)
    else:
        data = fst_to_hfst(read_machine(acceptor), "lookup", str(acceptor))
    info = {
        "locale": language,
        "title": f"Speller ({language})",
        "description": f"Error model learned by contrast from {speller.reached_} typos.",
        "producer": "fstce",
    }
    write_zhfst(path, data, fst_to_hfst(with_letters(errors), "lookup", str(path)), info)


def write_machines(speller: Speller, path: Path, acceptor: Path | None = None) -> None:
    """Error model and words as one archive of OpenFst's."""
    words = with_letters(speller.machines()[1]) if acceptor is None else read_machine(acceptor)
    write_far({"acceptor": words, "errors": error_machine(speller)}, path)


def write_errors(speller: Speller, path: Path) -> None:
    """The error model alone, in the form that the suffix says."""
    suffix = path.suffix.lower()
    write_machine(error_machine(speller), path, spelling="hfst" if suffix in (".att", ".txt") else "openfst")


def write_table(model: ErrorModel, path: Path) -> None:
    """The costs inside words as GiellaLT's table: letters; then typed, meant and cost; then swaps."""
    write_text("".join(f"{line}\n" for line in _table(model)), path)


def _table(model: ErrorModel) -> Iterator[str]:
    names = [letter for letter in model.letters if not letter.isspace()]
    yield "## Letters that are edited, then costs in nats of what was typed for what: inside words."
    yield from names
    yield "@@"
    shift = model.shift
    for typed in ("", *names):
        for meant in ("", *names):
            if typed != meant:
                cost = model.cost(typed, meant, INSIDE) + shift
                yield f"{typed or '@0@'}\t{meant or '@0@'}\t{cost:.4f}"
    for a in names:
        for b in names:
            if a != b:
                yield f"{a},{b}\t{b},{a}\t{model.cost(a + b, b + a, INSIDE) + shift:.4f}"
