"""The first use of an author's machine: tried in a child process, where it can do no harm.

A machine may run for ever, blow up, crash OpenFst, call ``exit()``, or say ``EQUIVARIANT = True``
where it looks at words. On the first sentences of a text that is found out before a training is
lost to it.

A builder that treats all words alike needs no word. Whether it does so is tried over an alphabet
that does not say its words: labels, ``any()`` and ``union()`` are enough.
"""

from __future__ import annotations

import multiprocessing
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from fstce.errors import FstceError, MachineError, NeighborhoodError
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.alphabet import Alphabet
from fstce.neighborhoods.author import module_of
from fstce.numeric.types import Rows, Words
from fstce.processes.guarded import DIED, Send, guarded

TRIED = 3  # sentences
# seconds that a step may take, memory for all of them
PATIENCE = 30.0
MEGABYTES = 4096
_RAISED = {error.__name__: error for error in (MachineError, NeighborhoodError)}


class _AsksForWords(BaseException):
    """A builder asks for a word; no Exception, which its own code might catch."""


class _Wordless(Alphabet):
    """An alphabet that does not say its words."""

    def _asked(self, *_: Any, **__: Any) -> Any:
        raise _AsksForWords

    ids = word = words_of = __iter__ = __contains__ = _asked


def equivariance_fault(neighborhood: Any, sentence: Words) -> str:
    """The fault of a claim that all words are treated alike, empty where it has none."""
    labels = tuple(Alphabet(sentence).ids(sentence).tolist())
    try:
        neighborhood.machine_over(_Wordless(sentence), labels)
    except _AsksForWords:
        return (
            "EQUIVARIANT = True is not true: the builder looks at words; symbols.labels, any() and "
            "union() treat all alike, else say EQUIVARIANT = False"
        )
    return ""


def try_import(path: Path) -> None:
    """Run an author's file in a child first; NeighborhoodError where that does not come back."""
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


def try_in_child(neighborhood: Any, sentences: Rows, symbols: Symbols) -> None:
    """Make the lattices in a child process; NeighborhoodError where that goes wrong."""
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


def _trial(neighborhood: Any, sentences: Rows, symbols: Symbols, send: Send) -> None:
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
                send({"fault": equivariance_fault(part, sentences[0])})
    except MemoryError:
        send({"fault": f"needs more than {neighborhood.megabytes:,} MB of memory"})
    except (MachineError, NeighborhoodError) as error:
        send({"raised": type(error).__name__, "message": str(error)})
    except Exception:  # the author's own, which the parent will meet too
        return


def beginning(sentence: Words) -> str:
    """The first words of a sentence, for messages."""
    return " ".join(sentence[:5]) + (" …" if len(sentence) > 5 else "")
