"""The questions of a check, one a function; all of them run in the guarded child.

An answer is the name of a field of the report and what is put or appended there.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np

from fstce.errors import FstceError
from fstce.evaluation.correction import word_errors
from fstce.machines import algebra
from fstce.machines.contract import check_lattice
from fstce.machines.image import Arrays, fst_to_arrays
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.reach import cycles, leading, reachable
from fstce.machines.symbols import EPSILON, Symbols
from fstce.neighborhoods.alphabet import Alphabet
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.first_use import equivariance_fault
from fstce.numeric.types import Words

LISTED = 2000  # strings among which the strangest are sought
STRANGEST = 5


LARGE = 100_000  # states of a lattice beyond which no longer sentence is tried
Answer = tuple[str, Any]


def transducer(neighborhood: Neighborhood, words: Words) -> Iterator[Answer]:
    """The size of the transducer over these words, and what is wrong with it."""
    over = tuple(dict.fromkeys(words)), tuple(neighborhood.introduced(words))
    alphabet = Alphabet(*over)
    labels = tuple(alphabet.ids(words).tolist())
    fst = neighborhood.machine_over(alphabet, labels)
    # First, for OpenFst says of such a table only that it lacks a symbol.
    tables = list(_table_faults(fst, alphabet)) if isinstance(fst, pynini.Fst) else []
    if tables:
        yield "errors", tables[0]
        return

    arrays = fst_to_arrays(algebra.verified(fst, f"transducer {neighborhood.name}"))
    # Raises as where it is used
    neighborhood.changed(equivariant=False).transducer_over(over, labels)

    yield "transducer", {"states": len(arrays.final), "arcs": len(arrays.source)}
    yield from _shape_faults(arrays)


def contract(neighborhood: Neighborhood, words: Words) -> Iterator[Answer]:
    """Nothing, where a sentence's lattice is one."""
    lattice = neighborhood(words)
    check_lattice(lattice.to_fst(), lattice.name)
    yield from ()


def lattice(neighborhood: Neighborhood, words: Words) -> Iterator[Answer]:
    """The size of a sentence's lattice, and its strings."""
    yield from contract(neighborhood, words)
    yield "lattice", _size(neighborhood(words))


def _size(lattice: Lattice) -> dict[str, int]:
    return {"states": len(lattice), "arcs": len(lattice.arrays.source), "strings": lattice.count()}


def strangest(neighborhood: Neighborhood, words: Words) -> Iterator[Answer]:
    """The neighbors, among the first, with the greatest edit distance in words."""
    neighbors = neighborhood(words).strings(LISTED)
    ranked = sorted((-word_errors(words, neighbor), " ".join(neighbor)) for neighbor in neighbors)
    for distance, text in ranked[:STRANGEST]:
        if distance:
            yield "strangest", [-distance, text]


def growth(neighborhood: Neighborhood, words: Words) -> Iterator[Answer]:
    """The lattice of a sentence of so many words."""
    began = time.perf_counter()
    lattice = neighborhood(words)
    seconds = time.perf_counter() - began
    yield "growth", {"words": len(words), **_size(lattice), "seconds": round(seconds, 4)}
    if len(lattice) > LARGE:
        yield "warnings", f"{len(lattice):,} states; longer sentences are not tried"


def equivariance(neighborhood: Neighborhood, words: Words) -> Iterator[Answer]:
    """The fault of a claim that all words are treated alike, if it has one."""
    if message := equivariance_fault(neighborhood, words):
        yield "errors", message


def strings(
    neighborhood: Neighborhood, words: Words, symbols: Symbols, number: int
) -> Iterator[Answer]:
    """The exact number of a sentence's neighbors, itself among them."""
    yield (
        "neighbors",
        sum(lattice.count() for lattice in neighborhood.expand([words], symbols, [number])),
    )


def explain(error: BaseException, said: str) -> str:
    """An exception as one line: our own words, or the author's line; with OpenFst's reason."""
    if isinstance(error, FstceError):
        message = str(error).replace("; its reason is on standard error", "")
    elif isinstance(error, MemoryError):
        message = "out of memory"
    else:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        text = f": {error}" if str(error) else ""
        place = f"{frame.filename}:{frame.lineno}"
        message = f"{place}: the author's code raised {type(error).__name__}{text}"
    return f"{message} (OpenFst: {said})" if said and said not in message else message


def _table_faults(fst: pynini.Fst, alphabet: Symbols) -> Iterator[str]:
    """The faults of symbols that an author attached: they must be the alphabet's."""
    for side, table in (("input", fst.input_symbols()), ("output", fst.output_symbols())):
        spelt = {} if table is None else dict(table)
        if spelt.get(0, EPSILON) != EPSILON:
            fault = f"the {side} symbols spell id 0 {spelt[0]!r}"
            yield f"{fault}, but id 0 is ε; begin with {EPSILON!r}"
            continue
        wrong = [i for i in alphabet.labels if i in spelt and spelt[i] != alphabet.word(i)]
        if wrong:
            yield (
                f"the {side} symbols spell id {wrong[0]} {spelt[wrong[0]]!r}, where the sentence "
                f"has {alphabet.word(wrong[0])!r}; attach symbols.table or nothing"
            )


def _shape_faults(arrays: Arrays) -> Iterator[Answer]:
    """Errors and warnings about states that are of no use, and cycles that read no word."""
    reached = reachable(arrays)
    final = np.isfinite(arrays.final)
    useful = reached & leading(arrays)
    lost = final & ~reached
    if lost.any():
        yield "errors", f"final state {lost.argmax()} cannot be reached from the start"

    useless = ~useful & ~lost
    if not (reached & final).any():
        yield (
            "errors",
            "no final state can be reached from the start, so the machine accepts nothing",
        )
    elif useless.any():
        state = useless.argmax()
        yield (
            "warnings",
            f"state {state} lies on no path from the start to a final state; connect()",
        )

    chosen = np.flatnonzero((arrays.ilabel == 0) & useful[arrays.source])
    cyclic = chosen[cycles(arrays, chosen)[1]]
    writing = cyclic[arrays.olabel[cyclic] != 0]
    if len(writing):
        state = arrays.source[writing].min()
        yield (
            "errors",
            f"state {state} is on a cycle that reads no word and writes: infinitely many neighbors",
        )
    elif len(cyclic):
        state = arrays.source[cyclic].min()
        yield (
            "warnings",
            f"state {state} is on a cycle of ε, which does nothing; rmepsilon() removes it",
        )
