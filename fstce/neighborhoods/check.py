"""Checking a neighborhood, in a child: the contract, and whether it ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from fstce.corpora import sample
from fstce.errors import FstceError, NeighborhoodError
from fstce.machines.symbols import Symbols
from fstce.neighborhoods import check_questions as questions
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.check_questions import Answer
from fstce.neighborhoods.first_use import beginning
from fstce.neighborhoods.precomputed import PrecomputedLattices
from fstce.neighborhoods.registry import neighborhood
from fstce.numeric.types import Sentences
from fstce.parameters.rules import POSITIVE, Rule, real, sequence
from fstce.processes.guarded import DIED, Send, guarded, openfst_says

SENTENCE = ("natural", "language", "is", "a", "delicate", "thing")
LENGTHS = (2, 4, 8, 16, 32)
LONGEST = 1e6  # seconds, eleven days: beyond, clocks overflow


@dataclass
class Report:
    """The findings of a check.

    ``errors``, ``warnings``: what is wrong, and what is worth a thought; it holds where there is no
    error. ``transducer``, ``lattice``: ``states`` and ``arcs``, over the example sentence, and
    the lattice's ``strings``. ``growth``: for each length of a sentence the lattice's size, its
    strings, and seconds. ``strangest``: the neighbors farthest from the example sentence, with
    their edit distance in words. ``neighbors``: the exact number of strings of each
    sentence of the text.
    """

    name: str
    sentence: str = ""
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    transducer: dict[str, int] = field(default_factory=dict)
    lattice: dict[str, Any] = field(default_factory=dict)
    growth: list[dict[str, Any]] = field(default_factory=list)
    strangest: list[list[Any]] = field(default_factory=list)
    neighbors: list[int] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.errors

    def to_dict(self) -> dict[str, Any]:
        """The report for JSON."""
        return {**asdict(self), "holds": self.holds}


def check(
    source: str | Neighborhood,
    *,
    sentence: Sequence[str] | None = None,
    text: Sentences = (),
    seconds: float = 10.0,
    megabytes: int = 1024,
) -> Report:
    """Check a neighborhood in a child process.

    ``source``: a name, a path or the neighborhood itself. ``sentence``: the example sentence; by
    default the papers', for precomputed lattices the text's first. ``text``: sentences to count the
    neighbors of. ``seconds``: the longest time that one question may take. ``megabytes``: the
    memory that all of them may take.

    >>> report = check("trans1")
    >>> report.holds, report.lattice["strings"]
    (True, 6)
    """
    sequence(Rule("text"), least=1).or_none().check(sentence=sentence)
    real(0, LONGEST, above=True).check(seconds=seconds)
    POSITIVE.check(megabytes=megabytes)
    sentences = [tuple(words) for words in text]
    report = Report(str(getattr(source, "name", source)))

    stage = "loading"
    for event in guarded(
        partial(_ask, source, tuple(sentence or ()), sentences), seconds, megabytes
    ):
        ((name, value),) = event.items()
        if name == "unknown":
            raise NeighborhoodError(value)
        if name == "stage":
            stage = value
        elif name == DIED and stage.startswith("growth"):
            report.warnings.append(f"{stage}: {value}; longer sentences may not end")
        elif name == DIED:
            report.errors.append(f"{stage}: {value}")
        elif isinstance(values := getattr(report, name), list):
            values.append(value)
        else:
            setattr(report, name, value)

    grown = [row["strings"] for row in report.growth]
    if report.holds and max((report.lattice.get("strings", 0), *grown, *report.neighbors)) == 1:
        report.warnings.append(
            "every sentence tried is its only neighbor: there is nothing to learn from"
        )
    return report


def _ask(
    source: str | Neighborhood,
    sentence: tuple[str, ...],
    text: Sequence[tuple[str, ...]],
    send: Send,
) -> None:
    """All questions, in the child; those that a wrong machine makes pointless are left out."""
    try:
        subject = neighborhood(source).for_text(text or None)
    except FstceError as error:
        send({"unknown": str(error)})
        return

    ready = isinstance(subject, PrecomputedLattices)  # they have these sentences and no other
    sentence = sentence or (text[0] if ready and text else SENTENCE)
    send({"sentence": " ".join(sentence)})
    ask = partial(_attempt, send)
    if subject.has_transducer and "errors" in ask(
        "transducer", questions.transducer, subject, sentence
    ):
        return

    if "errors" in ask(f"sentence ({beginning(sentence)})", questions.lattice, subject, sentence):
        return

    for part in subject.equivariant_parts():
        ask("transducer", questions.equivariance, part, sentence)

    symbols = Symbols(word for words in (*text, subject.introduces) for word in words)
    for number, words in enumerate(text, 1):
        ask(f"the text's sentence {number}", questions.strings, subject, words, symbols, number)
    ask("strangest neighbors", questions.strangest, subject, sentence)
    if ready:
        return

    for times in (1, 2):  # the shortest sentence, and one that repeats a word
        short = sentence[:1] * times
        ask(f"sentence ({' '.join(short)})", questions.contract, subject, short)
    fresh = subject.changed()  # remembers no lattice: the time of each is to be seen
    # Different words to make long sentences of, first the user's.
    texts = (sentence, *text, *sample()[:60])
    words_to_grow = list(dict.fromkeys(word for words in texts for word in words))
    for length in LENGTHS:
        if ask(f"growth, {length} words", questions.growth, fresh, words_to_grow[:length]) != {
            "growth"
        }:
            return


def _attempt(
    send: Send, stage: str, question: Callable[..., Iterable[Answer]], *arguments: Any
) -> set[str]:
    """Ask, and send the answers, by the names of the report's fields; returns these names."""
    send({"stage": stage})
    try:
        answers = list(question(*arguments))
    except (Exception, SystemExit) as error:
        # That long sentences are refused is the limit's work, and no fault of the machine.
        large = isinstance(error, MemoryError) or "more than" in str(error)
        name = "warnings" if large and stage.startswith("growth") else "errors"
        sys.stderr.flush()
        with open(2, "rb", closefd=False) as log:  # in the child a file
            answers = [(name, questions.explain(error, openfst_says(log)))]

    place = f"{stage}: "
    if stage == "transducer":
        place = ""
    for name, value in answers:
        send({name: f"{place}{value}" if name in ("errors", "warnings") else value})
    return {name for name, _ in answers}
