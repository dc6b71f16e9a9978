"""Clean sentences mistyped on purpose, and what of the truth the lattices of the typed ones hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import pynini

from fstce.correction.mistakes.corruption import (
    Corruption,
    confusables,
    drop_marks,
    human_edits,
    insert_marks,
    keyboard_edits,
    lose_mark,
    random_edits,
    real_words,
    swap_marks,
)
from fstce.correction.mistakes.misspellings import Slips
from fstce.machines import algebra
from fstce.machines.image import arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import Lattice, linear
from fstce.numeric.types import Rows

WORDS: dict[str, Callable[[Rows, int, float], list[Corruption]]] = {
    "random": random_edits,
    "keyboard": keyboard_edits,
    "confusables": lambda rows, seed, rate: real_words(rows, confusables(), seed, rate),
}
MARKS: dict[str, Callable[[Rows, Sequence[str], int, float], list[Corruption]]] = {
    "drop": drop_marks,
    "lose": lose_mark,
    "insert": insert_marks,
    "swap": swap_marks,
}
MISTAKES = (*WORDS, *MARKS)


def mistyped(
    rows: Rows,
    kinds: Collection[str],
    marks: Sequence[str],
    seed: int,
    rate: float,
    k: int = 1,
    slips: Slips | None = None,
) -> list[list[str]]:
    """The sentences with mistakes of each kind, one kind after another.

    Random edits are at most k of a word, or slips where these are given.

    Examples
    --------
    >>> mistyped([["yes", ",", "over", "there"]], ["drop"], [","], seed=0, rate=1.0)
    [['yes', 'over', 'there']]
    """
    typed = [list(row) for row in rows]
    for kind in kinds:
        if kind == "random":
            found = human_edits(typed, slips, seed, rate) if slips else random_edits(typed, seed, rate, k=k)
        else:
            found = WORDS[kind](typed, seed, rate) if kind in WORDS else MARKS[kind](typed, marks, seed, rate)
        typed = [sentence.typed for sentence in found]
    return typed


def reachable(lattice: Lattice, typed: Sequence[str], true: Sequence[str]) -> Sequence[str] | None:
    """The true sentence, or the nearest that the lattice has: words out of reach stay as typed."""
    if lattice.accepts(true):
        return true
    if len(typed) == len(true):
        nearest = [
            meant if lattice.accepts([*typed[:i], meant, *typed[i + 1 :]]) else word
            for i, (word, meant) in enumerate(zip(typed, true, strict=True))
        ]
        if lattice.accepts(nearest):
            return nearest
    return None


def reached(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]], lattices: Sequence[Lattice]
) -> list[tuple[Sequence[str], Lattice, Sequence[str]]]:
    """Of (typed, true) sentences those whose lattice has the true one, and the nearest that it has."""
    near = [reachable(lattice, *pair) for pair, lattice in zip(pairs, lattices, strict=True)]
    rows = zip(pairs, lattices, near, strict=True)
    return [(typed, lattice, meant) for (typed, _), lattice, meant in rows if meant is not None]


def restricted(lattice: Lattice, words: Sequence[str]) -> Lattice:
    """The lattice with one sentence left, and that sentence's weight."""
    itself = arrays_to_fst(linear(lattice.symbols.ids(words)))
    one = pynini.arcmap(itself, map_type=f"to_{lattice.arc_type}")
    plain = arrays_to_fst(lattice.arrays, lattice.arc_type).arcsort("ilabel")
    found = algebra.compose(one, plain, lattice.name)
    return Lattice(fst_to_arrays(found.topsort()), lattice.symbols, lattice.name)
