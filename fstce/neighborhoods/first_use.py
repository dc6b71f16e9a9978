"""The first use of an author's machine: tried in a child process, where it can do no harm.

A machine may run for ever, blow up, crash OpenFst, call ``exit()``, or say ``EQUIVARIANT = True``
where it looks at words. On the first sentences of a text that is found out before a training is
lost to it.

Whether a builder treats all words alike is tried, not proved: the lattice of a sentence is built
twice, over words without meaning (x1, x2, …) and over its own words; a builder that looks at no
word makes one machine of both. The sentences have the words that the builder's own code names, for
a builder that deletes ``cat`` and no other word shows it on ``cat`` alone, and words of many kinds
with them.
"""

from __future__ import annotations

import multiprocessing
import os
import types
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from fstce.corpora.words import fault as word_fault
from fstce.errors import FstceError, MachineError, NeighborhoodError
from fstce.machines.image import arrays_to_fst
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.author import module_of
from fstce.processes.guarded import DIED, Send, guarded

MOST_CONSTANTS = 200
_OF_MANY_KINDS = [
    "The",
    "cat",
    "the",
    "of",
    "UNESCO",
    "42",
    ",",
    "running",
    "walked",
    "not",
    "naïve",
    "a",
]
_IN_A_SENTENCE = 3
TRIED = 3  # sentences
# seconds that a step may take, memory for all of them
PATIENCE = 30.0
MEGABYTES = 4096
_RAISED = {error.__name__: error for error in (MachineError, NeighborhoodError)}


def equivariance_fault(neighborhood: Any, sentences: Sequence[Sequence[str]]) -> str:
    """The first sentence whose neighbors depend on its words, as a message; empty where there is
    none.

    ``sentences``: the user's; those of the builder's words are tried, too.
    """
    unshared = neighborhood.changed(equivariant=False)
    invented = [
        words
        for number_of_word in sentences[:1]
        for words in sentences_to_try(neighborhood.build, number_of_word)
    ]

    for sentence in (*sentences, *invented):
        number_of_word: dict[str, int] = {}
        pattern = tuple(number_of_word.setdefault(word, len(number_of_word)) for word in sentence)
        words = tuple(number_of_word), ()
        lattices = neighborhood.over(pattern, words), unshared.over(pattern, words)
        arc_type = "log64" if lattices[0].weight.itemsize == 8 else "standard"
        # Minimal lattices, equal but for the numbers of their states.
        if not pynini.isomorphic(*(arrays_to_fst(arrays, arc_type) for arrays in lattices)):
            return (
                f"EQUIVARIANT = True is not true: the neighbors of {' '.join(sentence)!r} are "
                "others than those of a sentence of other words; the machine looks at words, so "
                "say EQUIVARIANT = False"
            )
    return ""


def sentences_to_try(build: object, sentence: Sequence[str]) -> list[list[str]]:
    """Sentences of the words that a builder's code names, among words of many kinds and the user's.

    >>> def build(symbols):
    ...     return symbols.ids(["cat"]) if "cat" in symbols else symbols.any()
    >>> sentences_to_try(build, "it goes".split())[0]
    ['cat', 'it', 'goes', 'The', 'the', 'cat']
    """
    constants = islice(_strings(build, set(), 0), MOST_CONSTANTS)
    named = [word for word in constants if word_fault(word) is None]
    words = list(dict.fromkeys((*named, *_OF_MANY_KINDS)))
    words_of_user = list(dict.fromkeys(sentence))[:2]
    groups = (words[i : i + _IN_A_SENTENCE] for i in range(0, len(words), _IN_A_SENTENCE))
    # The first of each group stands twice: some machines look at repeated words alone.
    return [[group[0], *words_of_user, *group[1:], group[0]] for group in groups]


def _strings(value: object, seen: set[int], depth: int) -> Iterator[str]:
    """The strings in a builder's code, and in what it calls and names in its own module."""
    if id(value) in seen or depth > 6:
        return
    seen.add(id(value))

    if isinstance(value, str):
        yield value
    elif isinstance(value, types.FunctionType):
        parts = [cell.cell_contents for cell in value.__closure__ or ()]
        codes = [value.__code__]
        for code in codes:  # of what stands within it, too: comprehensions, functions
            codes += [
                constant for constant in code.co_consts if isinstance(constant, types.CodeType)
            ]
            parts += [*code.co_consts, *map(value.__globals__.get, code.co_names)]
        for part in parts:
            yield from _strings(part, seen, depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset, dict)):
        for part in islice(value, MOST_CONSTANTS):
            yield from _strings(part, seen, depth + 1)
    elif hasattr(value, "build"):
        yield from _strings(value.build, seen, depth + 1)


def try_import(path: Path) -> None:
    """Run an author's file in a child process first; NeighborhoodError where that does not come
    back.
    """
    if multiprocessing.current_process().daemon:  # within a child of its own, as in a check
        return
    for event in guarded(partial(_import, path), PATIENCE, MEGABYTES):
        if DIED in event:
            raise NeighborhoodError(f"{path}: loading the file {event[DIED]}")


def _import(path: Path, send: Send) -> None:
    """In the child: what the file raises, it raises again in the parent, which says so."""
    os.dup2(2, 1)
    with suppress(FstceError):
        module_of(path)


def try_in_child(neighborhood: Any, sentences: Sequence[Sequence[str]], symbols: Symbols) -> None:
    """Make the lattices of the sentences in a child process; NeighborhoodError where that goes
    wrong.
    """
    at = ""

    for event in guarded(
        partial(_trial, neighborhood, sentences, symbols),
        neighborhood.patience,
        neighborhood.megabytes,
    ):
        at = event.get("at", at)
        if "raised" in event:
            raise _RAISED[event["raised"]](f"{at}{event['message']}")
        fault = event.get("fault", event.get(DIED))
        if fault:
            name = neighborhood.name
            raise NeighborhoodError(
                f"{at}{name}: {fault}; see what is wrong with: fstce neighborhood check {name}"
            )


def _trial(
    neighborhood: Any, sentences: Sequence[Sequence[str]], symbols: Symbols, send: Send
) -> None:
    """In the child: our errors are reported, for the parent would meet them without limits."""
    os.dup2(2, 1)  # what the author's code prints, it prints again in the parent
    sentences = [sentence for sentence in sentences if len(sentence)]

    try:
        for number, sentence in enumerate(sentences, 1):
            send({"at": f"sentence {number} ({beginning(sentence)}): "})
            neighborhood.arrays_of(sentence, symbols)
        for part in neighborhood.equivariant_parts():
            send({"at": ""})
            with suppress(FstceError):  # of sentences that nobody asked for
                send({"fault": equivariance_fault(part, sentences)})
    except MemoryError:
        send({"fault": f"needs more than {neighborhood.megabytes:,} MB of memory"})
    except (MachineError, NeighborhoodError) as error:
        send({"raised": type(error).__name__, "message": str(error)})
    except Exception:  # the author's own, which the parent will meet too
        return


def beginning(sentence: Sequence[str]) -> str:
    """The first words of a sentence, for messages."""
    return " ".join(sentence[:5]) + (" …" if len(sentence) > 5 else "")
