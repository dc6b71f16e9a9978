"""Maximize and save, with times and an interruption that loses nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.console.models import Facts, course_of
from fstce.console.output import Interruption, count, facts, saved_in, seconds
from fstce.console.progress import training_shown

if TYPE_CHECKING:
    from fstce.estimation.likelihood import Likelihood
    from fstce.estimation.objective import Objective


def maximize(
    model: Any,
    build: Callable[[], Objective | Likelihood],
    made: Callable[[Objective | Likelihood], Facts],
    output: Path | None,
    quiet: bool,
    part: bool = False,
) -> None:
    """Build the objective of a model, train on it, save, and report sizes, times and iterations.

    The first of what was made says what was built: automata, charts. A `part` of another model is
    saved by it.
    """
    began = time.perf_counter()
    try:
        objective = build()
        built = time.perf_counter()
        with training_shown(model.max_iterations, quiet) as monitor:
            model.train(objective, monitor=monitor)
    except KeyboardInterrupt:
        raise Interruption(_rescue(model, output)) from None
    if output is not None:
        model.save(output)
    if not quiet:
        place = [] if part else [saved_in(output)]
        facts([*_report(model, made(objective), built - began), *place])


def _rescue(model: Any, output: Path | None) -> str:
    """Save what there is; what to tell."""
    if not hasattr(model, "theta_"):
        return "interrupted before training began; nothing is saved"
    done = count(model.training_.steps[-1].iteration if model.training_.steps else 0, "iteration")
    if output is None:
        return f"interrupted after {done}; nothing is saved, as no --output was given"
    model.save(output)
    return f"interrupted after {done}; the best weights so far are saved in {output}"


def _report(model: Any, sizes: Facts, built: float) -> Facts:
    training = model.training_
    last = training.steps[-1]
    return [
        *sizes,
        ("time", f"{seconds(built)} to build the {sizes[0][0]}, {seconds(last.seconds)} to train"),
        *course_of(training),
    ]
