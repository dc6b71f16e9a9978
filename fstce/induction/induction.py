"""The induction as people run it: any number of iterations, stopped and resumed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from fstce.errors import CorpusError
from fstce.induction.grammar import Grammar, InductionStep
from fstce.induction.learner import Learner
from fstce.induction.options import Options
from fstce.induction.parameters import DIRECTED_ALIGNMENT
from fstce.induction.text import Units, packed
from fstce.numeric.rules import check
from fstce.numeric.types import Ints32


class InductionMonitor(Protocol):
    """Anything that wants to hear of the iterations."""

    def __call__(self, iteration: int, step: InductionStep) -> None:
        """Called after every iteration, the first being 1; StopIteration ends the run."""


class Induction:
    """Grammar induction by distribution and attachment (Brooks 2006), stepwise and resumable.

    One sentence is a corpus, of any length; a corpus of context words alone has no
    expressions without them, and one in which no pattern occurs ``min_count`` times ends
    the induction at once.

    ``text``: the raw text as units, each sentence between boundaries.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], options: Options | None = None) -> None:
        self.options = Options.of_system("da-stop") if options is None else options
        sentences = list(sentences)
        if not any(map(len, sentences)):
            raise CorpusError("the corpus is empty; give at least one sentence with a word")
        self.units = Units.of_text(sentences, self.options.fold_case)
        self.text = packed(sentences, self.units)
        self.steps: list[InductionStep] = []
        self._learn()

    @property
    def grammar(self) -> Grammar:
        """What has been learned so far."""
        learner = self._learner
        return Grammar(self.units, self.options, learner.contexts, tuple(self.steps), learner.top())

    def run(self, iterations: int, monitor: InductionMonitor | None = None) -> str:
        """Go on for so many iterations.

        ``monitor``: called after each; may stop it by StopIteration. Returns why it
        ended. An interruption (Ctrl-C) passes through and loses only the iteration under way.
        """
        check(DIRECTED_ALIGNMENT, iterations=iterations)
        for _ in range(iterations):
            try:
                step = self.step()
            except BaseException:
                self._learn()
                raise
            if step is None:
                return "no pattern"
            try:
                if monitor is not None:
                    monitor(len(self.steps), step)
            except StopIteration:
                return "monitor"
        return "iterations"

    def step(self) -> InductionStep | None:
        """One iteration; None if no pattern is left."""
        step = self._learner.step(first=not self.steps) if self.options.alignment else None
        if step is not None:
            self.steps.append(step)
        return step

    @classmethod
    def of(cls, grammar: Grammar, text: Ints32) -> Induction:
        """An induction that goes on from a grammar and the raw text that it was learned from."""
        induction = cls.__new__(cls)
        induction.options, induction.units = grammar.options, grammar.units
        induction.text, induction.steps = text, list(grammar.steps)
        induction._learn()
        return induction

    def _learn(self) -> None:
        """The state after the steps so far, made from the raw text."""
        self._learner = Learner(self.text, self.units, self.options, self.steps)
