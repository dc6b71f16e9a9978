"""Latent grammars and their products trained so that nothing is lost, and the training shown.

The end of each stage is shown, and what is between. A grammar is in the output folder after every
cycle. The grammars of a product are next to it, in ``.NAME.fstce-parts``, until all are complete: each
a model of its own.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fstce.console.models import Resuming
from fstce.console.output import Interruption, count
from fstce.console.progress import Display, trials_shown
from fstce.console.reading import reading
from fstce.corpora import Sentence
from fstce.errors import ParameterError
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.product import GrammarProduct
from fstce.latent.product_training import check_grammars, last_begun
from fstce.latent.training.estimates import EMMonitor, EMStep, Schedule, Stage

_GROWTH = 0.004


@contextmanager
def cycles_shown(schedule: Schedule, quiet: bool = False) -> Iterator[EMMonitor]:
    """A monitor that shows the training of a latent grammar."""
    work = work_of(schedule)
    total = sum(iterations * each for _, iterations, each in work.values())
    with Display(quiet) as display:

        def monitor(step: EMStep) -> None:
            began, iterations, each = work[step.cycle, step.stage]
            stage, done = f"cycle {step.cycle} of {schedule.cycles}, {step.stage}", step.iteration + 1
            if step.warning:
                display.warn(f"warning: {stage} {done}: {step.warning}")
            fit = f"{step.log_likelihood:,.0f} nats"
            size = count(step.subcategories, "subcategory", "subcategories")
            line = f"{stage} {done} of {iterations}  {size}  log-likelihood {fit}"
            brief = f"{stage} {done}/{iterations}  {fit}"
            work_done = began + done * each
            display.show(work_done, total, brief if display.on_terminal else line, done == iterations)

        yield monitor


def work_of(schedule: Schedule) -> dict[tuple[int, Stage], tuple[float, int, float]]:
    """Of each stage of a training the work before it, its iterations, and the work of each of them.

    An iteration takes the longer the more subcategories there are. With x of them for each one of the
    treebank's, it takes about 1 + 0.004 x³ times what it takes without any split, as measured on the Penn
    Treebank sample; the unit is an iteration of the unsplit grammar.
    """
    kept, before = 2.0 - schedule.merged, 0.0
    work: dict[tuple[int, Stage], tuple[float, int, float]] = {}
    for cycle in range(1, schedule.cycles + 1):
        stages: tuple[tuple[Stage, int, float], ...] = (
            ("split", schedule.split_iterations, 2.0 * kept ** (cycle - 1)),
            ("merge", schedule.merge_iterations, kept**cycle),
            ("smooth", schedule.smooth_iterations, kept**cycle),
        )
        for stage, iterations, size in stages:
            each = 1.0 + _GROWTH * size**3
            work[cycle, stage] = before, iterations, each
            before += iterations * each
    return work


_HOW = "fstce latent train with the same options and --resume goes on"


def train_one(sentences: list[Sentence], parameters: Mapping[str, Any], saving: Resuming) -> LatentGrammar:
    """Train a grammar, saved after every cycle; raises Interruption on Ctrl-C, with what is saved."""
    if saving.resume and saving.output is not None:
        model = LatentGrammar.load(saving.output).set_params(**LatentGrammar(**parameters).get_params())
    else:
        model = LatentGrammar(**parameters)
    model.reading_ = reading().record(sentences)
    train = model.resume if saving.resume else model.fit
    try:
        with cycles_shown(model.schedule(), saving.quiet) as monitor:
            return train(sentences, monitor=monitor, checkpoint=saving.output)
    except KeyboardInterrupt:
        done = model.trained_cycles if hasattr(model, "hierarchy_") else 0
        if not done:
            raise Interruption("interrupted before the first cycle was complete; nothing is saved") from None
        # The last checkpoint may be what was interrupted.
        what = f"{count(done, 'cycle')} of {model.cycles}"
        raise saving.rescue(model, what, hint=f"; {_HOW}") from None


def train_product(
    sentences: list[Sentence], parameters: Sequence[Mapping[str, Any]], jobs: int, saving: Resuming
) -> GrammarProduct:
    """Train a product and save it; raises Interruption on Ctrl-C, with where its grammars are kept."""
    grammars = [LatentGrammar(**one) for one in parameters]
    model = GrammarProduct(grammars, jobs=jobs)
    model.reading_ = reading().record(sentences)
    output = saving.output
    parts = None if output is None else _parts(output, grammars, sentences, saving.resume)
    try:
        with trials_shown("grammars", _described, saving.quiet) as monitor:
            model.fit(sentences, monitor=monitor, parts=parts)
    except KeyboardInterrupt:
        if parts is None:
            raise Interruption("interrupted; nothing is saved, as no --output was given") from None
        raise Interruption(f"interrupted; what is complete is kept in {parts}; {_HOW}") from None
    if output is not None and parts is not None:
        model.save(output)
        _remove(parts)
    return model


def _parts(
    output: Path, grammars: Sequence[LatentGrammar], sentences: Sequence[Sentence], resume: bool
) -> Path:
    """Where the grammars of a product are until it is whole, with those to go on with."""
    folder = output.resolve()
    parts = folder.with_name(f".{folder.name}.fstce-parts")
    if not resume:
        _remove(parts)
    elif parts.is_dir():
        _check_number(len(grammars), last_begun(parts))
    else:
        members = GrammarProduct.load(output).members()
        _check_number(len(grammars), len(members))
        check_grammars(grammars, members, sentences, output)
        _fill(parts, members)
    return parts


def _check_number(wanted: int, begun: int) -> None:
    if begun > wanted:
        raise ParameterError(f"--grammars {wanted}: there are {begun} to go on with; give --grammars {begun}")


def _fill(parts: Path, members: Sequence[LatentGrammar]) -> None:
    """Save each grammar in a new folder of parts, which is there with all of them or not at all."""
    with _scratch(parts) as scratch:
        scratch.mkdir()
        for number, grammar in enumerate(members, 1):
            grammar.save(scratch / str(number))
        scratch.rename(parts)


def _remove(parts: Path) -> None:
    """Remove a folder of parts, at once as far as a training that is to go on can see."""
    with _scratch(parts) as scratch:
        if parts.is_dir():
            parts.rename(scratch)


@contextmanager
def _scratch(parts: Path) -> Iterator[Path]:
    """A free name next to the parts, under which nothing stays but after a kill."""
    scratch = parts.with_name(f"{parts.name}-scratch")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _described(record: dict[str, Any]) -> str:
    """A trained grammar in a few words."""
    result = record["result"]
    value = result["log_likelihood"]
    fit = "" if value is None else f", log-likelihood {value:,.0f} nats"
    size = count(result["subcategories"], "subcategory", "subcategories")
    return f"seed {record['settings']['seed']}: {size}{fit}"
