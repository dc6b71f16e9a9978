"""Clean sentences mistyped on purpose, by the names of the mistakes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from fstce.correction.mistakes.corruption import (
    Corruption,
    confusables,
    drop_accents,
    drop_marks,
    insert_marks,
    keyboard_edits,
    lose_mark,
    random_edits,
    real_words,
    respaced,
    swap_marks,
)
from fstce.numeric.types import Rows

RARER = 0.2  # so much rarer are words split or joined than misspelt
WORDS: dict[str, Callable[[Rows, int, float], list[Corruption]]] = {
    "random": random_edits,
    "keyboard": keyboard_edits,
    "confusables": lambda rows, seed, rate: real_words(rows, confusables(), seed, rate),
    "accents": drop_accents,
    "spaces": lambda rows, seed, rate: respaced(rows, seed, RARER * rate, rate),
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
) -> list[list[str]]:
    """The sentences with mistakes of each kind, one kind after another.

    Random edits are at most k of a word.

    >>> mistyped([["yes", ",", "over", "there"]], ["drop"], [","], seed=0, rate=1.0)
    [['yes', 'over', 'there']]
    """
    typed = [list(row) for row in rows]
    for kind in kinds:
        if kind == "random":
            found = random_edits(typed, seed, rate, k=k)
        else:
            found = WORDS[kind](typed, seed, rate) if kind in WORDS else MARKS[kind](typed, marks, seed, rate)
        typed = [sentence.typed for sentence in found]
    return typed
