"""What the manifests of all models share: parameters, neighbourhood, course of the training."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ModelFileError
from fstce.estimation.maximize import Step, Training
from fstce.neighborhoods.registry import Neighborhood, names, neighborhood


def saved_name(kind: str | Neighborhood) -> str:
    """The name of a neighbourhood; one of the user's own never takes a shipped one's name."""
    if isinstance(kind, str):
        return kind
    shipped = kind.name.lower() in names() and neighborhood(kind.name) is kind
    return f"{kind.name} [own]" if kind.name.lower() in names() and not shipped else kind.name


@contextmanager
def fitting(place: Path, *also: type[Exception]) -> Iterator[None]:
    """Tell what contradictions between the parts of a model raise as one ModelFileError of its folder.

    `also` are further exceptions that mean no more than that.
    """
    meant: tuple[type[Exception], ...] = (LookupError, TypeError, ValueError, *also)
    try:
        yield
    except ModelFileError:
        raise
    except meant as error:
        raise ModelFileError(
            f"{place}: the parts of the model do not fit each other ({error}); save it again"
        ) from None


def parameters_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as they were given: JSON has lists only, parameters tuples only."""
    given = manifest["parameters"]
    if not isinstance(given, Mapping):
        raise TypeError("the parameters are no mapping")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


def course(training: Training | None) -> dict[str, Any] | None:
    """The training without its seconds, so that equal models are equal files."""
    if training is None:
        return None
    steps = [(step.iteration, step.objective, step.gradient_norm) for step in training.steps]
    iterations = max(len(steps) - 1, 0)
    head = {"objective": training.objective, "iterations": iterations, "stopped": training.stopped}
    return {**head, "steps": steps}


def training_of(saved: Mapping[str, Any], theta: NDArray[np.float64]) -> Training:
    """The training that :func:`course` wrote, with the weights that it left."""
    steps = [Step(iteration, value, norm, math.nan) for iteration, value, norm in saved["steps"]]
    return Training(theta.copy(), saved["objective"], steps, saved["stopped"])
