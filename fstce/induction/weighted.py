"""A learnt grammar as a probabilistic context-free grammar, in NLTK's notation.

A class becomes each of its expressions with its share of the class's places. Sentences are
sequences of the units that the induction left outside all classes: ``TOP -> C12 TOP`` where
another unit followed, ``TOP -> C12`` at the end, by their shares. All are relative frequencies
of the analysis that the induction left, hence its maximum likelihood estimate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fstce.induction.grammar import Grammar, InductionStep


class Production(NamedTuple):
    """One weighted rule.

    ``right``: classes as they are, words in quotes. ``probability``: those of one left side sum to 1.
    """

    left: str
    right: tuple[str, ...]
    probability: float


def productions(grammar: Grammar) -> Iterator[Production]:
    """The root's productions, by unit, then those of the classes in the order learnt."""
    yield from _top(grammar)
    for unit, steps in grammar.steps_by_class().items():
        yield from _of_class(grammar, unit, steps)


def to_pcfg(grammar: Grammar) -> str:
    """The grammar as text, one production a line; ``nltk.PCFG.fromstring`` reads it.

    A double quote in a word that holds both kinds of quote is written ``''``.

    >>> from fstce.induction import Induction, Options
    >>> text = ["the dog of", "the cat of", "the dog of", "the dog of"]
    >>> induction = Induction([line.split() for line in text], Options(context_fraction=0.4))
    >>> induction.run(1)
    'iterations'
    >>> print(to_pcfg(induction.grammar), end="")
    TOP -> 'of' [0.3333333333333333]
    TOP -> 'the' TOP [0.3333333333333333]
    TOP -> C1 TOP [0.3333333333333333]
    C1 -> 'dog' [0.75]
    C1 -> 'cat' [0.25]
    """
    return "".join(
        f"{left} -> {' '.join(right)} [{np.format_float_positional(share, trim='-')}]\n"
        for left, right, share in productions(grammar)
    )


def _top(grammar: Grammar) -> Iterator[Production]:
    total = sum(before + last for before, last in grammar.top.values())
    root = grammar.options.top
    for unit, (before, last) in sorted(grammar.top.items()):
        name = _name(grammar, unit)
        if before:
            yield Production(root, (name, root), before / total)
        if last:
            yield Production(root, (name,), last / total)


def _of_class(grammar: Grammar, unit: int, steps: list[InductionStep]) -> Iterator[Production]:
    counts: dict[tuple[int, ...], int] = {}
    for step in steps:
        for row, count in zip(step.expressions.tolist(), step.counts.tolist(), strict=True):
            expression = tuple(part for part in row if part >= 0)
            counts[expression] = counts.get(expression, 0) + count
    total = sum(counts.values())
    for expression, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        names = tuple(_name(grammar, part) for part in expression)
        yield Production(grammar.units.name(unit), names, count / total)


def _name(grammar: Grammar, unit: int) -> str:
    name = grammar.units.name(unit)
    if unit >= grammar.units.first_class:
        return name
    if "'" not in name:
        return f"'{name}'"
    return '"{}"'.format(name.replace('"', "''"))
