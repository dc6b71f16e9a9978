"""An algebra of neighborhoods: union, intersection, difference, composition, restriction.

The sentence x stays in every result. With N and M neighborhoods of x, as sets of sentences:

==================  ======================  ====================================================
``a | b``           N ∪ M                   the neighbors of either
``a & b``           N ∩ M                   the neighbors of both
``a - b``           (N − M) ∪ {x}           the first's that are not the second's
``a @ b``           ∪ M(y) for y in N(x)    one step of a, then one of b
``restrict(a, C)``  y in N(x) with          every word outside the class C stays, and in its
                    y − C = x − C           order; words of C may be moved, deleted, replaced
==================  ======================  ====================================================

Union, intersection, difference and restriction are OpenFst's, of a sentence's lattices;
composition applies b's transducer, built over the words of x, to a's lattice, or, where b has
none for any sentence, b to each string of that lattice. Where all parts treat words alike the
result does too, and its lattices are shared between sentences. ``<sigma>``, any word, as of
``length``, is no set of sentences, so it is refused, but in the last of a composition.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np

from fstce.corpora.vocabulary import Vocabulary
from fstce.errors import NeighborhoodError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, arrays_to_fst, fst_to_arrays, machine_of
from fstce.machines.lattice import Lattice, linear
from fstce.machines.openfst import pynini, pywrapfst
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.neighborhoods.alphabet import Words
from fstce.neighborhoods.base import Neighborhood, NoTransducer, number_of
from fstce.neighborhoods.over_vocabulary import quoted

# Composition with what is no transducer goes string by string, so far and no further.
STRING_LIMIT = 10_000


class Composite(Neighborhood):
    """A neighborhood made of others: their vocabulary is its vocabulary."""

    spelt = True

    def __init__(self, name: str, parts: Sequence[Neighborhood], equivariant: bool = True) -> None:
        self.parts: tuple[Neighborhood, ...] = tuple(map(checked, parts))
        super().__init__(
            NoTransducer(),
            name,
            equivariant=equivariant and all(part.equivariant for part in parts),
            limit=max(part.limit for part in parts),
            introduces=[word for part in parts for word in part.introduces],
        )

    @property
    def user_defined(self) -> bool:
        """Whether a part comes from outside fstce."""
        return any(part.user_defined for part in self.parts)

    def equivariant_parts(self) -> list[Neighborhood]:
        """The neighborhoods within that say that they treat all words alike."""
        return [inner_part for part in self.parts for inner_part in part.equivariant_parts()]

    @property
    def wants_vocabulary(self) -> bool:
        """Whether a part has still to be given one."""
        return any(part.wants_vocabulary for part in self.parts)

    def with_vocabulary(self, vocabulary: Vocabulary) -> Composite:
        """A copy, this vocabulary given to each part that wants one."""
        parts = (
            part.with_vocabulary(vocabulary) if part.wants_vocabulary else part
            for part in self.parts
        )
        return self.changed(parts=tuple(parts))

    def introduced(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words that one of the parts may introduce."""
        return tuple(dict.fromkeys(word for part in self.parts for word in part.introduced(words)))


class Combination(Composite):
    """Two neighborhoods combined by an operation on their lattices."""

    infix = True

    def __init__(self, operation: str, first_part: Neighborhood, second_part: Neighborhood) -> None:
        self.operation = operation
        super().__init__(
            f"{inner(first_part)} {operation} {inner(second_part)}", (first_part, second_part)
        )

    def introduced(self, words: Sequence[str]) -> tuple[str, ...]:
        """The words of the parts; of a composition the second sees those of the first."""
        if self.operation != "@":
            return super().introduced(words)
        by_first = self.parts[0].introduced(words)
        by_second = self.parts[1].introduced(tuple(dict.fromkeys((*words, *by_first))))
        return tuple(dict.fromkeys((*by_first, *by_second)))

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        where = f"sentence ∘ ({self.name})"
        first_part, second_part = self.parts

        if self.operation == "@":
            return _after(first_part.over(pattern, words), second_part, words, where, self.limit)
        lattices = (
            of_words(part.over(pattern, words), where) for part in (first_part, second_part)
        )
        lattice, second_lattice = map(arrays_to_fst, lattices)

        if self.operation == "|":
            return minimal(pynini.union(second_lattice, lattice), where, self.limit)
        lattice = lattice.arcsort("ilabel")
        second_lattice = second_lattice.arcsort("ilabel")
        if self.operation == "&":
            return minimal(
                algebra.compose(lattice, second_lattice, where, self.limit), where, self.limit
            )

        x = arrays_to_fst(linear(np.array(pattern, dtype=np.int32) + FIRST_WORD_ID))
        # It may be empty
        rest = pynini.Fst.from_pywrapfst(pywrapfst.difference(lattice, second_lattice))
        return minimal(pynini.union(rest, x), where, self.limit)


class Restriction(Composite):
    """The neighbors in which every word outside the class stays, and in its order.

    ``words``: the class: words, or what tells by ``in`` whether a word belongs, such as
    :func:`fstce.neighborhoods.word_machines.word_class`, which has a name for messages.

    >>> from fstce import neighborhood
    >>> the = Restriction(neighborhood("del1word"), ["the", "a"])
    >>> sorted(the("see the dog".split()).strings())
    [('see', 'dog'), ('see', 'the', 'dog')]
    """

    def __init__(self, neighborhood: Neighborhood, words: Container[Any] | Iterable[str]) -> None:
        if isinstance(words, str):
            raise NeighborhoodError(
                f"restrict: a class is several words, not the string {words!r}; give a list"
            )

        self.words: Container[Any] = words if isinstance(words, Container) else frozenset(words)
        called = quoted(getattr(words, "name", "words"))

        super().__init__(
            f"restrict({inner(neighborhood, brackets=False)}, {called})",
            [neighborhood],
            equivariant=False,
        )

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        where = f"sentence ∘ {self.name}"
        lattice = of_words(self.parts[0].over(pattern, words), where)
        inside = {i for i, word in enumerate((*words[0], *words[1])) if word in self.words}
        allowed = keeping([i for i in pattern if i not in inside], sorted(inside))
        kept_words = algebra.compose(arrays_to_const(lattice), allowed, where, self.limit)
        return minimal(kept_words, where, self.limit)


def of_words(lattice: Arrays, where: str) -> Arrays:
    """The lattice itself, of words alone; NeighborhoodError where an arc is ``<sigma>``."""
    if np.any(lattice.ilabel == SIGMA_ID):
        raise NeighborhoodError(
            f"{where}: what has <sigma>, any word, as length does, is combined as the last of a "
            "composition alone (trans1 @ length)"
        )
    return lattice


def minimal(fst: pynini.Fst, where: str, states: int) -> Arrays:
    """The lattice of all that a machine accepts."""
    return fst_to_arrays(algebra.to_lattice(fst, where, states))


def _after(lattice: Arrays, second: Neighborhood, words: Words, where: str, states: int) -> Arrays:
    """The neighbors of all strings of a lattice."""
    plain = arrays_to_const(of_words(lattice, where))
    if not second.is_relation:
        return _string_by_string(lattice, second, words, where, states)
    composed = algebra.compose(plain, second.transducer_over(_own(words)), where, states)
    return fst_to_arrays(
        algebra.without_empty_string(algebra.to_lattice(composed, where, states), where)
    )


def _string_by_string(
    lattice: Arrays, second: Neighborhood, words: Words, where: str, states: int
) -> Arrays:
    """The neighbors of each string of a lattice in turn."""

    numbered = Lattice(lattice, Symbols(str(i) for i in range(number_of(words))))
    strings = numbered.strings(STRING_LIMIT + 1)
    if len(strings) > STRING_LIMIT:
        raise NeighborhoodError(
            f"{where}: {second.name} needs the sentence itself, and there are more than "
            f"{STRING_LIMIT:,} sentences to apply it to one by one; let it stand first, or shorten "
            "the sentence"
        )

    lattices = [
        arrays_to_fst(second.over(tuple(map(int, string)), _own(words))) for string in strings
    ]
    return minimal(pynini.union(*lattices), where, states)


def checked(part: Neighborhood) -> Neighborhood:
    """The part itself; NeighborhoodError unless it is a set that the sentence alone decides."""
    if part.weighted:
        raise NeighborhoodError(f"{part.name} has weights; only sets of sentences can be combined")
    if not part.by_pattern:
        raise NeighborhoodError(
            f"{part.name} is no transducer over a sentence's words, so it cannot be combined with "
            "others"
        )
    return part


def inner(part: Neighborhood, brackets: bool = True) -> str:
    """A part's name within an expression."""
    if brackets and part.infix:
        return f"({part.name})"
    return part.name if part.spelt else quoted(part.name)


def _own(words: Words) -> Words:
    """Words that were introduced belong to the sentence from then on."""
    return (*words[0], *words[1]), ()


def keeping(words: Sequence[int], inside: Sequence[int]) -> pynini.Fst:
    """The acceptor of these words in their order, with any words of the class between them."""
    states = np.arange(len(words) + 1)
    label = np.array(words) + FIRST_WORD_ID
    between = np.tile(inside, len(states)) + FIRST_WORD_ID
    at = np.repeat(states, len(inside))
    columns = (states[:-1], label, label, states[1:]), (at, between, between, at)
    return machine_of([len(words)], *columns).arcsort("ilabel")


Neighborhood.combination = Combination
