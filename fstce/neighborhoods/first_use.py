"""The first use of an author's machine: tried in a child process, where it can do no harm.

A machine may run for ever, blow up, crash OpenFst, call ``exit()``, or say ``EQUIVARIANT = True``
where it looks at words. On the first sentences of a text that is found out before a training
is lost to it.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from fstce.errors import FstceError, MachineError, NeighborhoodError
from fstce.machines.image import Arrays
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.author import module_of
from fstce.neighborhoods.equivariance import Over, equivariance_fault, sentences_to_try
from fstce.processes.guarded import DIED, Tell, guarded

TRIED = 3  # sentences
PATIENCE, MEGABYTES = 30.0, 4096  # seconds that a step may take, memory for all of them
_RAISED = {error.__name__: error for error in (MachineError, NeighborhoodError)}


class Claims(Protocol):
    """A neighbourhood that says that it treats all words alike."""

    build: Any

    @property
    def over(self) -> Over:
        """The lattice of a pattern of words."""

    def changed(self, *, equivariant: bool) -> Claims:
        """The same, without the claim."""


class Untried(Protocol):
    """A neighbourhood of an author, as far as it is tried here."""

    name: str
    patience: float
    megabytes: int

    def arrays_of(self, sentence: Sequence[str], symbols: Symbols) -> Arrays:
        """The lattice of a sentence."""

    def equivariant_parts(self) -> Sequence[Claims]:
        """What within it makes the claim."""


def try_import(path: Path) -> None:
    """Run an author's file in a child process first; NeighborhoodError where that does not come back."""
    if multiprocessing.current_process().daemon:  # within a child of its own, as in a check
        return
    for event in guarded(partial(_import, path), PATIENCE, MEGABYTES):
        if DIED in event:
            raise NeighborhoodError(f"{path}: loading the file {event[DIED]}")


def _import(path: Path, tell: Tell) -> None:
    """In the child: what the file raises, it raises again in the parent, which says so."""
    os.dup2(2, 1)
    with suppress(FstceError):
        module_of(path)


def try_in_child(kind: Untried, sentences: Sequence[Sequence[str]], symbols: Symbols) -> None:
    """Make the lattices of the sentences in a child process; NeighborhoodError where that goes wrong."""
    at = ""
    for event in guarded(partial(_trial, kind, sentences, symbols), kind.patience, kind.megabytes):
        at = event.get("at", at)
        if "raised" in event:
            raise _RAISED[event["raised"]](f"{at}{event['message']}")
        fault = event.get("fault", event.get(DIED))
        if fault:
            raise NeighborhoodError(
                f"{at}{kind.name}: {fault}; see what is wrong with: fstce neighborhood check {kind.name}"
            )


def _trial(kind: Untried, sentences: Sequence[Sequence[str]], symbols: Symbols, tell: Tell) -> None:
    """In the child: errors of ours are told, for in the parent the same might have no limits."""
    os.dup2(2, 1)  # what the author's code prints, it prints again in the parent
    sentences = [sentence for sentence in sentences if len(sentence)]
    try:
        for number, sentence in enumerate(sentences, 1):
            tell({"at": f"sentence {number} ({beginning(sentence)}): "})
            kind.arrays_of(sentence, symbols)
        for part in kind.equivariant_parts():
            tell({"at": ""})
            own = part.changed(equivariant=False)
            more = [words for first in sentences[:1] for words in sentences_to_try(part.build, first)]
            with suppress(FstceError):  # of sentences that nobody asked for
                tell({"fault": equivariance_fault(part.over, own.over, [*sentences, *more])})
    except MemoryError:
        tell({"fault": f"needs more than {kind.megabytes:,} MB of memory"})
    except (MachineError, NeighborhoodError) as error:
        tell({"raised": type(error).__name__, "message": str(error)})
    except Exception:  # the author's own, which the parent will meet too
        return


def beginning(sentence: Sequence[str]) -> str:
    """The first words of a sentence, for messages."""
    return " ".join(sentence[:5]) + (" …" if len(sentence) > 5 else "")
