"""A speller in the files of others: its machines with letters as symbols, and the costs as a table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import numpy as np

from fstce.machines.convert import read_machine, write_machine
from fstce.machines.files import content, write_far, write_text
from fstce.machines.flags import flag
from fstce.machines.hfst import fst_to_hfst, write_zhfst
from fstce.machines.image import fst_to_arrays
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.spelling import SPECIAL
from fstce.machines.symbols import EPSILON, UNKNOWN
from fstce.speller.error_model import OTHER, ErrorModel
from fstce.speller.features import INSIDE
from fstce.speller.lexicon import over_code_points
from fstce.speller.speller import Speller


def with_letters(machine: pynini.Fst) -> pynini.Fst:
    """A machine over code points, its letters attached as symbols; what is no code point is unknown."""
    arrays, fst = fst_to_arrays(machine), machine.copy()
    table = pywrapfst.SymbolTable("letters")
    for label in np.union1d(np.union1d(arrays.ilabel, arrays.olabel), [0]).tolist():
        table.add_symbol(UNKNOWN if label == OTHER else chr(label) if label else EPSILON, label)
    fst.set_input_symbols(table)
    fst.set_output_symbols(table)
    return fst


def write_speller(
    speller: Speller, path: Path, language: str = "und", acceptor: Path | None = None
) -> None:
    """The error model in the form that the suffix says; a ``.zhfst`` or ``.far`` has the acceptor, too.

    ``acceptor``: somebody's own, instead of the speller's lexicon; one for optimized lookup goes into a
    ``.zhfst`` as it is.
    """
    errors, words = speller.machines()
    errors, suffix = with_letters(errors), path.suffix.lower()
    if suffix not in (".zhfst", ".far"):
        write_machine(errors, path, spelling="hfst" if suffix in (".att", ".txt") else "openfst")
        return
    as_it_is = acceptor is not None and acceptor.suffix.lower() == ".hfstol"
    if (
        acceptor is not None
        and as_it_is
        and suffix == ".zhfst"
        and not _has_long_symbols(read_machine(acceptor))
    ):
        data = content(acceptor)
    else:
        words = with_letters(words) if acceptor is None else _single_letters(acceptor)
        if suffix == ".far":
            write_far({"acceptor": words, "errors": errors}, path)
            return
        data = fst_to_hfst(words, "lookup", str(acceptor or path))
    model, title = fst_to_hfst(errors, "lookup", str(path)), f"Speller ({language})"
    learned = f"Error model learned by contrast from {speller.reached_} typos."
    write_zhfst(path, data, model, locale=language, title=title, description=learned)


def _single_letters(acceptor: Path) -> pynini.Fst:
    """An acceptor whose symbols are single letters, as those of the error model are; flags stay."""
    fst = read_machine(acceptor)
    if not _has_long_symbols(fst):
        return fst
    return with_letters(over_code_points(fst, str(acceptor)))


def _has_long_symbols(fst: pynini.Fst) -> bool:
    """Whether a symbol that is read has several letters, so that hfst-ospell could correct nothing within it."""
    names = dict(fst.input_symbols() or ())
    read = [
        names.get(label, "") for label in np.unique(fst_to_arrays(fst).ilabel).tolist() if label
    ]
    return any(
        len(name) > 1 and name not in (*SPECIAL, UNKNOWN) and not flag(name) for name in read
    )


def write_table(model: ErrorModel, path: Path) -> None:
    """The costs inside words as GiellaLT's table: letters; then observed, intended and cost; then swaps."""
    write_text("".join(f"{line}\n" for line in _table(model)), path)


def _table(model: ErrorModel) -> Iterator[str]:
    names = [letter for letter in model.letters if not letter.isspace()]
    yield "## Letters that are edited, then costs in nats of what is observed for what: inside words."
    yield from names
    yield "@@"
    for a, b in permutations(("", *names), 2):
        yield f"{a or '@0@'}\t{b or '@0@'}\t{model.cost(a, b, INSIDE) + model.shift:.4f}"
    for a, b in permutations(names, 2):
        yield f"{a},{b}\t{b},{a}\t{model.cost(a + b, b + a, INSIDE) + model.shift:.4f}"
