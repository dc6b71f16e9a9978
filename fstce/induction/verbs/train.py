"""``fstce induction train``: constituents by distribution and attachment (Brooks 2006)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from fstce.console.models import Resuming
from fstce.console.options import Corpus, helped
from fstce.console.output import count, is_quiet, seconds, sections
from fstce.console.parameters import Given, Parameters
from fstce.console.progress import Display
from fstce.console.reading import reading
from fstce.console.texts import read
from fstce.corpora.documents import lines_of
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.estimator import check_begun
from fstce.induction.grammar import Grammar, InductionStep
from fstce.induction.inducer import DirectedAlignment
from fstce.induction.learner import InductionMonitor
from fstce.induction.verbs.parse import context_units, rules

EVERY = 50  # iterations between two lines
PRESETS = ("auto", "none")


def _punctuation(text: str) -> str | tuple[str, ...]:
    """The punctuation to leave out: a preset, or the words of a file."""
    if text in PRESETS:
        return text
    try:
        words = " ".join(lines_of(text)).split()
    except CorpusError as error:
        names = ", ".join(PRESETS)
        raise ParameterError(f"--punctuation {error}; use {names}, or a file of marks") from None
    return tuple(sorted(set(words)))


INDUCER = Parameters(
    "fstce.induction.inducer.DirectedAlignment", files={"punctuation": _punctuation}
)


@helped("""Learn constituents from raw text; no tags, no trees.

Each iteration makes a class of what stands between the same two frequent words. Trees
that the corpus carries are not looked at, tags only to tell punctuation. Parse with
fstce induction parse, score with fstce induction evaluate. The --output folder has what
has been learned every ten seconds or so, and at Ctrl-C; the same command with --resume
goes on, and ends with the same grammar. One sentence is a text, of any length; a text of
context words alone has no expression between others and yields few classes or none.

\b
Examples:
  fstce induction train sample --output model
  fstce induction train nltk:treebank --system da-stop -o model
  fstce induction train nltk:treebank --iterations 1000 --resume -o model
  fstce induction train text.txt --output model
""")
def train(
    corpus: Corpus,
    parameters: Annotated[Given, INDUCER],
    *,
    saving: Resuming,
) -> None:
    inducer = DirectedAlignment(**parameters)
    inducer.options()
    saving.check("constituent grammar")
    sentences = read(corpus)
    began = time.perf_counter()
    inducer.begin(sentences)
    if saving.resume and saving.output is not None:
        inducer = _taken_up(inducer, saving.output)
    inducer.tokenization_ = reading().record(sentences)

    with saving.alone():
        _learn(inducer, saving)
    if not is_quiet():
        spent = ("time", seconds(time.perf_counter() - began))
        learnt = [*inducer.facts().items(), context_units(inducer.grammar_), spent, saving.place]
        sections(((), learnt), rules(inducer.grammar_))


def _taken_up(inducer: DirectedAlignment, output: Path) -> DirectedAlignment:
    """The saved model, if it was begun with the parameters and the text of one just begun."""
    saved = DirectedAlignment.load(output).set_params(iterations=inducer.iterations)
    try:
        check_begun(
            "iterations", len(saved.grammar_.steps), saved.get_params(), inducer.get_params()
        )
    except ParameterError as error:
        raise ParameterError(f"--resume: the model in {output}: {error}") from None
    same_words = saved.grammar_.units.words == inducer.grammar_.units.words
    if not (same_words and saved.text_.tobytes() == inducer.text_.tobytes()):
        raise ParameterError(
            f"--resume: the model in {output} was begun with another text; give that one, or "
            "another --output"
        )
    return saved


@contextmanager
def iterations_shown(grammar: Grammar, limit: int) -> Iterator[InductionMonitor]:
    """A monitor that shows the iterations of an induction, up to a limit."""
    with Display(bounded=True) as display:

        def monitor(iteration: int, step: InductionStep) -> None:
            line = f"[{iteration}/{limit}]  {described(grammar, step)}"
            display.show(iteration, limit, line, iteration % EVERY == 0)

        yield monitor


def described(grammar: Grammar, step: InductionStep) -> str:
    """A step of an induction in a few words."""
    return f"{grammar.units.name(step.unit)}: {grammar.pattern(step)}, {step.places:,}×"


def _learn(inducer: DirectedAlignment, saving: Resuming) -> None:
    def done() -> str:
        iterations = len(inducer.grammar_.steps)
        return count(iterations, "iteration") if iterations else ""

    rescuing = saving.rescuing(lambda: inducer, done, hint=saving.go_on)
    with rescuing, iterations_shown(inducer.grammar_, inducer.iterations) as monitor:
        inducer.resume(monitor=monitor, checkpoint=saving.output)
