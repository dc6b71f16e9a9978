"""The course of a training, in manifests."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fstce.estimation.maximize import Step, Training
from fstce.numeric.types import Floats


def course(training: Training | None) -> dict[str, Any] | None:
    """The training without its seconds, so that equal models are equal files."""
    if training is None:
        return None
    steps = [(step.iteration, step.objective, step.gradient_norm) for step in training.steps]
    iterations = max(len(steps) - 1, 0)
    head = {"objective": training.objective, "iterations": iterations, "stopped": training.stopped}
    return {**head, "steps": steps}


def training_of(saved: Mapping[str, Any], theta: Floats) -> Training:
    """The training that :func:`course` wrote, with the weights that it left."""
    steps = [Step(iteration, value, norm, math.nan) for iteration, value, norm in saved["steps"]]
    return Training(theta.copy(), saved["objective"], steps, saved["stopped"])
