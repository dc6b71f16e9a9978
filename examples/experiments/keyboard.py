"""Adjacent-key errors: a key hit next to the right one, or with it, for the corrector's experiments.

Page: docs/results/correction_criteria.md.
"""

from __future__ import annotations

from functools import cache
from random import Random

from fstce.corpora.tables import bundled_rows
from fstce.correction.mistakes.corruption import Mistake, misspelt, replaced


def keyboard_edits() -> Mistake:
    """Adjacent-key errors (QWERTY): a neighboring key for the right one, or next to it."""
    return misspelt(keyboard_edit)


def keyboard_edit(word: str, random: Random) -> str:
    """The word with a letter replaced by that of a neighboring key, or with that letter next to it.

    >>> keyboard_edit("a", Random(2)).strip("a") in {"q", "w", "s", "z"}
    True
    """
    keys = neighboring_keys()
    places = [i for i, letter in enumerate(word) if letter.lower() in keys]
    if not places:
        return word
    i = random.choice(places)
    key = random.choice(keys[word[i].lower()])
    if random.random() < 0.5:
        return replaced(word, i, key)
    i += random.randrange(2)
    return word[:i] + key + word[i:]


@cache
def neighboring_keys() -> dict[str, tuple[str, ...]]:
    """The keys next to each letter (QWERTY), from ``grammars/keyboard_neighbors.tsv``."""
    return {key: tuple(near.split()) for key, near in bundled_rows("keyboard_neighbors.tsv")}
