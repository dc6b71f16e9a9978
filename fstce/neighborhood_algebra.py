"""An algebra of neighbourhoods: union, intersection, difference, composition, powers, restriction.

The sentence x stays in every result. With N and M neighbourhoods of x, as sets of sentences:

==================  ======================  ====================================================
``a | b``           N ∪ M                   the neighbours of either
``a & b``           N ∩ M                   the neighbours of both
``a - b``           (N − M) ∪ {x}           the first's that are not the second's
``a @ b``           ∪ M(y) for y in N(x)    one step of a, then one of b
``a ** n``          a @ a @ … @ a           n steps
``restrict(a, C)``  y in N(x) with          every word outside the class C stays, and in its
                    y − C = x − C           order; words of C may be moved, deleted, replaced
``limit(a, n)``     N                       an error where the lattice needs more than n states
==================  ======================  ====================================================

Union, intersection, difference and restriction are OpenFst's, of a sentence's lattices;
composition applies b's transducer, built over the words of x, to a's lattice. Where all parts
treat words alike the result does too, and its lattices are shared between sentences.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np
import pynini
import pywrapfst
from numpy.typing import NDArray

from fstce.errors import NeighborhoodError
from fstce.machines import algebra
from fstce.machines.image import Arrays, arrays_to_const, arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import Lattice, linear
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.neighborhoods import Neighborhood, Words

# Composition with what is no transducer goes string by string, so far and no further.
STRING_LIMIT = 10_000
OPERATIONS = ("|", "&", "-", "@")
_NAME_SIGNS = frozenset("|&@(),'\" \t")


class Combination(Neighborhood):
    """Two neighbourhoods combined by an operation on their lattices.

    Parameters
    ----------
    operation : {"|", "&", "-", "@"}
    left, right : Neighborhood

    Raises
    ------
    NeighborhoodError
        A part is no set of sentences by itself (the training set, ready lattices, halves).
    """

    def __init__(self, operation: str, left: Neighborhood, right: Neighborhood) -> None:
        if operation not in OPERATIONS:
            raise NeighborhoodError(f"the operation {operation!r} is none of {' '.join(OPERATIONS)}")
        self.operation = operation
        self.left, self.right = _checked(left), _checked(right)
        super().__init__(
            NoTransducer(),
            f"{_inner(left)} {operation} {_inner(right)}",
            equivariant=left.equivariant and right.equivariant,
            limit=max(left.limit, right.limit),
            introduces=(*left.introduces, *right.introduces),
        )

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        where = f"sentence ∘ ({self.name})"
        first = self.left.over(pattern, words)
        if self.operation == "@":
            return _after(first, self.right, words, where, self.limit)
        second = self.right.over(pattern, words)
        if self.operation == "|":
            return _union(first, second, words, where, self.limit)
        if self.operation == "&":
            return _intersection(first, second, words, where, self.limit)
        x = linear(np.array(pattern, dtype=np.int32) + FIRST_WORD_ID)
        return _difference(first, second, x, words, where, self.limit)


class Restriction(Neighborhood):
    """The neighbours that keep all words outside a class, in their order.

    Parameters
    ----------
    whole : Neighborhood
    words : container of str
        The class; whatever tells membership by ``in``.
    name : str
        How the class is called.
    """

    def __init__(self, whole: Neighborhood, words: Container[Any], name: str) -> None:
        self.whole = _checked(whole)
        self.words = words
        super().__init__(
            NoTransducer(),
            f"restrict({_inner(whole, brackets=False)}, {_quoted(name)})",
            limit=whole.limit,
            introduces=whole.introduces,
        )

    def _pattern_lattice(self, pattern: tuple[int, ...], words: Words) -> Arrays:
        where = f"sentence ∘ {self.name}"
        lattice = self.whole.over(pattern, words)
        if _has_wildcard(lattice) or isinstance(words, int):
            raise NeighborhoodError(f"{where}: whether <sigma>, any word, belongs to a class cannot be told")
        inside = {i for i, word in enumerate((*words[0], *words[1])) if word in self.words}
        allowed = _keeping([i for i in pattern if i not in inside], sorted(inside))
        found = algebra.compose(arrays_to_const(lattice), allowed, where, self.limit)
        return _lattice(found, where, self.limit)


class NoTransducer:
    """The builder of what has lattices but no single transducer."""

    def __call__(self, symbols: Symbols) -> pynini.Fst:
        """Raise NeighborhoodError."""
        raise NeighborhoodError("a combination has no transducer of its own; ask for a sentence's lattice")


def combine(operation: str, left: Neighborhood, right: Neighborhood) -> Neighborhood:
    """Two neighbourhoods by the sign of an operation: ``|``, ``&``, ``-`` or ``@``.

    Examples
    --------
    >>> from fstce import neighborhood
    >>> two = combine("@", neighborhood("trans1"), neighborhood("trans1"))
    >>> two("a b c".split()).count()
    5
    """
    return Combination(operation, left, right)


def power(part: Neighborhood, times: int) -> Neighborhood:
    """``part @ part @ …``, `times` of it; raises NeighborhoodError unless there is at least one."""
    if isinstance(times, bool) or not isinstance(times, int) or times < 1:
        raise NeighborhoodError(f"{part.name} ** {times!r}: the number of steps is 1 or more")
    whole = reduce(lambda left, _: Combination("@", left, part), range(times - 1), part)
    if times > 1:
        whole.name = f"{_inner(part)} ** {times}"
    return whole


def restrict(whole: Neighborhood, words: Container[Any] | Iterable[str], name: str = "") -> Neighborhood:
    """The neighbours in which every word outside the class stays, and in its order.

    Parameters
    ----------
    whole : Neighborhood
    words : iterable or container of str
        The class: words, or what tells by ``in`` whether a word belongs, such as
        :func:`fstce.neighborhood_text.word_class`.
    name : str
        How the class is called in messages; by default its own name.

    Examples
    --------
    >>> from fstce import neighborhood
    >>> the = restrict(neighborhood("del1word"), ["the", "a"])
    >>> sorted(the("see the dog".split()).strings())
    [('see', 'dog'), ('see', 'the', 'dog')]
    """
    if isinstance(words, str):
        raise NeighborhoodError(f"restrict: a class is several words, not the string {words!r}; give a list")
    called = name or str(getattr(words, "name", "words"))
    members = words if isinstance(words, Container) else frozenset(words)
    return Restriction(whole, members, called)


def limit(whole: Neighborhood, states: int) -> Neighborhood:
    """The same neighbourhood; a lattice of more than so many states is an error that names the sentence."""
    if isinstance(states, bool) or not isinstance(states, int) or states < 1:
        raise NeighborhoodError(f"limit({whole.name}, {states!r}): the number of states is 1 or more")
    limited = whole.limited(states)
    limited.name = f"limit({_inner(whole, brackets=False)}, {states})"
    return limited


def _after(lattice: Arrays, second: Neighborhood, words: Words, where: str, states: int) -> Arrays:
    """The neighbours of all strings of a lattice."""
    if isinstance(second, Combination) and second.operation == "@":
        first = _after(lattice, second.left, words, where, states)
        return _after(first, second.right, words, where, states)
    if isinstance(second, Combination) and second.operation == "|":
        left, right = (_after(lattice, part, words, where, states) for part in (second.left, second.right))
        return _union(left, right, words, where, states)
    wild = _has_wildcard(lattice)
    if wild and (isinstance(second.build, NoTransducer) or not second.equivariant):
        raise NeighborhoodError(f"{where}: {second.name} cannot be asked about <sigma>, which is any word")
    if isinstance(second.build, NoTransducer):
        return _string_by_string(lattice, second, words, where, states)
    # To a machine that treats all words alike the wildcard is one more placeholder.
    extra = FIRST_WORD_ID + _size(words)
    asked = _size(words) + 1 if wild else _own(words)
    plain = arrays_to_const(_renamed(lattice, SIGMA_ID, extra) if wild else lattice)
    composed = algebra.compose(plain, second.transducer(asked), where, states)
    found = algebra.without_empty_string(algebra.to_lattice(composed, where, states), where)
    return _renamed_lattice(found, extra, where, states) if wild else fst_to_arrays(found)


def _string_by_string(lattice: Arrays, second: Neighborhood, words: Words, where: str, states: int) -> Arrays:
    """The same for what is no transducer."""
    numbered = Lattice(lattice, Symbols(str(i) for i in range(_size(words))))
    strings = numbered.strings(STRING_LIMIT + 1)
    if len(strings) > STRING_LIMIT:
        raise NeighborhoodError(
            f"{where}: {second.name} is no transducer, and there are more than {STRING_LIMIT:,} sentences to "
            "apply it to one by one; let it stand first, or shorten the sentence"
        )
    found = [arrays_to_fst(second.over(tuple(map(int, string)), _own(words))) for string in strings]
    return _lattice(pynini.union(*found), where, states)


def _union(first: Arrays, second: Arrays, words: Words, where: str, states: int) -> Arrays:
    """Each sentence once: what the wildcards of one hold is taken from the other first."""
    if not _has_wildcard(first):
        first, second = second, first
    left, right = arrays_to_fst(first), arrays_to_fst(second)
    if _has_wildcard(first):
        right = _minus(right, _spelt_out(first, words, where, states))
    return _lattice(pynini.union(left, right), where, states)


def _intersection(first: Arrays, second: Arrays, words: Words, where: str, states: int) -> Arrays:
    """OpenFst's; a wildcard and a word have the word in common."""
    both = _has_wildcard(first) and _has_wildcard(second)
    wild = _has_wildcard(first) or _has_wildcard(second)
    spelt = first, second
    left, right = (_spelt_out(part, words, where, states) if wild else _sorted(part) for part in spelt)
    found = _lattice(algebra.compose(left, right, where, states), where, states)
    return _without_covered(found, where, states) if both else found


def _difference(first: Arrays, second: Arrays, x: Arrays, words: Words, where: str, states: int) -> Arrays:
    """OpenFst's, and the sentence again."""
    if _has_wildcard(first):
        raise NeighborhoodError(f"{where}: nothing can be taken from <sigma>, which is any word")
    taken = _spelt_out(second, words, where, states)
    rest = _minus(arrays_to_fst(first), taken)
    return _lattice(pynini.union(rest, arrays_to_fst(x)), where, states)


def _minus(left: pynini.Fst, right: pynini.Fst) -> pynini.Fst:
    """What the left accepts and the right, sorted and deterministic, does not; it may be nothing."""
    return pynini.Fst.from_pywrapfst(pywrapfst.difference(left, right))


def _lattice(fst: pynini.Fst, where: str, states: int) -> Arrays:
    return fst_to_arrays(algebra.to_lattice(fst, where, states))


def _sorted(lattice: Arrays) -> pynini.Fst:
    return arrays_to_fst(lattice).arcsort("ilabel")


def _spelt_out(lattice: Arrays, words: Words, where: str, states: int) -> pynini.Fst:
    """The lattice, every wildcard also as each of the words; sorted, deterministic."""
    if not _has_wildcard(lattice):
        return _sorted(lattice)
    arcs = np.flatnonzero(lattice.ilabel == SIGMA_ID)
    copies = np.repeat(arcs, _size(words))
    label = np.tile(np.arange(FIRST_WORD_ID, FIRST_WORD_ID + _size(words)), len(arcs)).astype(np.int32)
    spelt = _arcs(lattice, np.append(np.arange(len(lattice.source)), copies))
    labels = np.append(lattice.ilabel, label)
    spelt = spelt._replace(ilabel=labels, olabel=labels)
    return algebra.to_lattice(arrays_to_fst(spelt), where, states).arcsort("ilabel")


def _without_covered(lattice: Arrays, where: str, states: int) -> Arrays:
    """The lattice without words that stand beside a wildcard to the same state."""
    arc = lattice.source.astype(np.int64) * len(lattice.final) + lattice.next
    wild = lattice.ilabel == SIGMA_ID
    kept = wild | ~np.isin(arc, arc[wild])
    return _lattice(arrays_to_fst(_arcs(lattice, kept)), where, states)


def _arcs(lattice: Arrays, chosen: NDArray[Any]) -> Arrays:
    """The machine of these arcs, some perhaps several times."""
    return Arrays(lattice.start, lattice.final, *(column[chosen] for column in lattice[2:]))


def _keeping(words: Sequence[int], inside: Sequence[int]) -> pynini.Fst:
    """The acceptor of these words in their order, with any words of the class between them."""
    states = np.arange(len(words) + 1, dtype=np.int32)
    own = np.array(words, dtype=np.int32) + FIRST_WORD_ID
    loops = np.tile(np.array(inside, dtype=np.int32) + FIRST_WORD_ID, len(states))
    at = np.repeat(states, len(inside))
    label = np.append(own, loops)
    final = np.where(states < len(words), np.inf, 0.0).astype(np.float32)
    arrays = Arrays(
        0,
        final,
        np.append(states[:-1], at),
        label,
        label,
        np.zeros(len(label), np.float32),
        np.append(states[1:], at),
    )
    return arrays_to_fst(arrays).arcsort("ilabel")


def _checked(part: Neighborhood) -> Neighborhood:
    """The part itself, if its lattices depend on nothing but the sentence."""
    if type(part).expand is not Neighborhood.expand:
        raise NeighborhoodError(
            f"{part.name} is no transducer over a sentence's words, so it cannot be combined with others"
        )
    return part


def _inner(part: Neighborhood, brackets: bool = True) -> str:
    """A part's name within an expression."""
    if brackets and isinstance(part, Combination) and not part.name.startswith("limit("):
        return f"({part.name})"
    combined = isinstance(part.build, NoTransducer) or part.name.startswith("limit(")
    return part.name if combined else _quoted(part.name)


def _quoted(name: str) -> str:
    return repr(name) if _NAME_SIGNS & set(name) else name


def _has_wildcard(lattice: Arrays) -> bool:
    return bool(np.any(lattice.ilabel == SIGMA_ID))


def _size(words: Words) -> int:
    return words if isinstance(words, int) else len(words[0]) + len(words[1])


def _own(words: Words) -> Words:
    """Words that were introduced belong to the sentence from then on."""
    return words if isinstance(words, int) else ((*words[0], *words[1]), ())


def _renamed(lattice: Arrays, old: int, new: int) -> Arrays:
    label = np.where(lattice.ilabel == old, np.int32(new), lattice.ilabel).astype(np.int32)
    return lattice._replace(ilabel=label, olabel=label)


def _renamed_lattice(lattice: pynini.Fst, old: int, where: str, states: int) -> Arrays:
    """The placeholder as wildcard again; it may meet wildcards that the second machine made itself."""
    return _lattice(arrays_to_fst(_renamed(fst_to_arrays(lattice), old, SIGMA_ID)), where, states)
