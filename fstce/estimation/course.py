"""The course of a training, in manifests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fstce.estimation.maximize import Step, Training
from fstce.numeric.types import Floats
from fstce.storage.state import typed


def course(training: Training | None) -> dict[str, Any] | None:
    """The training without its seconds, so that equal models are equal files; stages where there are some."""
    if training is None:
        return None
    steps = [
        (step.iteration, step.objective, step.gradient_norm, *([step.stage] if step.stage else []))
        for step in training.steps
    ]
    iterations = max(len(steps) - 1, 0)
    head = {"objective": training.objective, "iterations": iterations, "stopped": training.stopped}
    return {**head, "steps": steps}


def training_of(saved: Mapping[str, Any], theta: Floats) -> Training:
    """The training that :func:`course` wrote, with the weights that it left."""
    steps = []
    for iteration, value, norm, *named in saved["steps"]:
        for number in (value, norm):
            typed(number, "the course of the training", int, float)
        (stage,) = named or [""]
        typed(stage, "the stage of an iteration", str)
        steps.append(Step(typed(iteration, "an iteration", int), value, norm, math.nan, stage))
    objective = typed(saved["objective"], "the objective", int, float)
    return Training(theta.copy(), objective, steps, typed(saved["stopped"], "the end of the training", str))
