"""A trained dependency parser as a saved state, bit for bit.

===============  ====================================================================
``model.json``   the manifest: parameters, tags, course of the training
``weights.npz``  θ, in the order of the grammar's features
``weights.tsv``  the same to read: weight, tab, name of the feature; not read back
===============  ====================================================================
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from fstce.errors import ModelFileError
from fstce.estimation.course import course, training_of
from fstce.estimation.maximize import Training
from fstce.grammars.dmv import DependencyModel
from fstce.neighborhoods.registry import saved_name
from fstce.numeric.rules import Rule, choice, flag, sequence
from fstce.numeric.types import Floats
from fstce.storage.state import State, text_file

KIND = "dependency parser"
WEIGHTS, LISTED = "weights.npz", "weights.tsv"

# What the command line keeps of how sentences became tag sequences; a caller may keep more.
PREPARATION = {
    "tags": choice("tag", "word", "coarse"),
    "tag_column": choice("xpos", "upos").or_none(),
    "currency": flag(),
    "punctuation": sequence(Rule("text")).or_none(),
}


class TrainedParser(NamedTuple):
    """What training leaves in a parser; see :class:`fstce.DependencyParser`."""

    model: DependencyModel
    theta: Floats
    training: Training | None
    left_out: int
    preparation: Mapping[str, Any]
    obeyed: float | None = None


def to_state(learnt: TrainedParser, parameters: Mapping[str, Any]) -> State:
    """The state of a trained parser with these parameters."""
    entries = {
        "parameters": saved_parameters(parameters),
        "tags": learnt.model.tags,
        "left_out": learnt.left_out,
        "preparation": learnt.preparation,
        "training": course(learnt.training),
        "obeyed": learnt.obeyed,
    }
    theta = np.asarray(learnt.theta, dtype=np.float64)
    rows = zip(theta.tolist(), learnt.model.names, strict=True)
    listed = "".join(f"{weight!r}\t{' '.join(name)}\n" for weight, name in rows)
    return State(KIND, entries, {WEIGHTS: {"theta": theta}}, {LISTED: text_file(listed)})


def from_state(state: State) -> TrainedParser:
    """What training left in the parser of a saved state."""
    model, training = DependencyModel(state.texts("tags")), state.entry("training", dict, type(None))
    theta = _weights(state, model.size)
    return TrainedParser(
        model,
        theta,
        None if training is None else training_of(training, theta),
        state.entry("left_out", int),
        _preparation(state),
        state.entry("obeyed", float, type(None)) if "obeyed" in state.entries else None,
    )


def saved_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as a manifest has them: a neighbourhood by its name, a file by its path."""
    rules = parameters["attachment_rules"]
    return {
        **parameters,
        "neighborhood": saved_name(parameters["neighborhood"]),
        "attachment_rules": None if rules is None else os.fspath(rules),
    }


def _preparation(state: State) -> dict[str, Any]:
    # Models of version 0.1.0 need not have it.
    saved: dict[str, Any] = state.entry("preparation", dict) if "preparation" in state.entries else {}
    for name, rule in PREPARATION.items():
        if name in saved:
            rule.check(**{name: saved[name]})
    return saved


def _weights(state: State, size: int) -> Floats:
    archive = state.archive(WEIGHTS)
    theta: Floats = archive.array("theta", np.float64, (size,))
    if np.any(np.isnan(theta) | np.isposinf(theta)):
        raise ModelFileError(f"{archive.path}: a weight is no number; save the model again")
    return theta
