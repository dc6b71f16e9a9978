"""Whether a builder that says ``EQUIVARIANT = True`` treats all words alike: tried, not proved.

The lattice of a sentence is built twice, over words without meaning (x1, x2, …) and over its own
words; a builder that looks at no word makes one machine of both. The sentences have the words
that the builder's own code names, for a builder that deletes ``cat`` and no other word shows it
on ``cat`` alone, and words of many kinds beside them.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from fstce.corpora.words import fault as word_fault
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.neighborhoods.alphabet import Words

Over = Callable[[tuple[int, ...], Words], Arrays]
MOST_CONSTANTS = 200
_OF_MANY_KINDS = ["The", "cat", "the", "of", "UNESCO", "42", ",", "running", "walked", "not", "naïve", "a"]
_IN_A_SENTENCE = 3


def equivariance_fault(shared: Over, own: Over, sentences: Sequence[Sequence[str]]) -> str:
    """The first sentence whose neighbours depend on its words, as a message; empty where there is none.

    ``shared``, ``own``: :meth:`~fstce.neighborhoods.base.Neighborhood.over` of the neighbourhood, and of the
    same built over a sentence's own words.
    """
    for sentence in sentences:
        first: dict[str, int] = {}
        pattern = tuple(first.setdefault(word, len(first)) for word in sentence)
        one, other = shared(pattern, len(first)), own(pattern, (tuple(first), ()))
        if not _same(one, other):
            return (
                f"EQUIVARIANT = True is not true: the neighbours of {' '.join(sentence)!r} are others than "
                "those of a sentence of other words; the machine looks at words, so say EQUIVARIANT = False"
            )
    return ""


def sentences_to_try(build: object, sentence: Sequence[str]) -> list[list[str]]:
    """Sentences of the words that a builder's code names, among words of many kinds and the user's.

    >>> def build(symbols):
    ...     return symbols.ids(["cat"]) if "cat" in symbols else symbols.any()
    >>> sentences_to_try(build, "it goes".split())[0]
    ['cat', 'it', 'goes', 'The', 'the', 'cat']
    """
    named = [word for word in constants(build) if word_fault(word) is None]
    words = list(dict.fromkeys((*named, *_OF_MANY_KINDS)))
    beside = list(dict.fromkeys(sentence))[:2]
    groups = (words[i : i + _IN_A_SENTENCE] for i in range(0, len(words), _IN_A_SENTENCE))
    # The first of each group stands twice: some machines look at repeated words alone.
    return [[group[0], *beside, *group[1:], group[0]] for group in groups]


def constants(build: object) -> list[str]:
    """The strings in a builder's code, and in what it calls and names in its own module."""
    found = dict.fromkeys(islice(_strings(build, set(), 0), MOST_CONSTANTS))
    return list(found)


def _strings(value: object, seen: set[int], depth: int) -> Iterator[str]:
    if id(value) in seen or depth > 6:
        return
    seen.add(id(value))
    if isinstance(value, str):
        yield value
    elif isinstance(value, types.CodeType):
        for constant in value.co_consts:
            yield from _strings(constant, seen, depth + 1)
    elif isinstance(value, types.FunctionType):
        yield from _strings(value.__code__, seen, depth + 1)
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        for part in [*(value.__globals__.get(name) for name in value.__code__.co_names), *cells]:
            yield from _strings(part, seen, depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset, dict)):
        for part in islice(value, MOST_CONSTANTS):
            yield from _strings(part, seen, depth + 1)
    elif hasattr(value, "build"):
        yield from _strings(value.build, seen, depth + 1)


def _same(one: Arrays, other: Arrays) -> bool:
    """Whether two minimal lattices are equal but for the numbers of their states."""
    sizes = [(len(arrays.final), len(arrays.source)) for arrays in (one, other)]
    weighted = "log64" if one.weight.itemsize == 8 else "standard"
    return sizes[0] == sizes[1] and pynini.isomorphic(*(arrays_to_fst(a, weighted) for a in (one, other)))
