"""A trained dependency parser as a saved state: θ in ``weights.npz``, and in ``weights.tsv`` to read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from fstce.errors import ModelFileError
from fstce.estimation.maximize import course, training_of
from fstce.grammars.dmv import DependencyModel
from fstce.neighborhoods.registry import saved_name
from fstce.numeric.types import Floats
from fstce.parameters.rules import Rule, choice, flag, sequence
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


def to_state(parser: Any) -> State:
    """The state of a trained parser."""
    entries = {
        "parameters": saved_parameters(parser.get_params()),
        "tags": parser.model_.tags,
        "left_out": parser.n_skipped_,
        "preparation": parser.preparation_,
        "training": course(getattr(parser, "training_", None)),
        "constraint_satisfaction": parser.constraint_satisfaction_,
    }
    theta = np.asarray(parser.theta_, dtype=np.float64)
    rows = zip(theta.tolist(), parser.model_.names, strict=True)
    listed = "".join(f"{weight!r}\t{' '.join(name)}\n" for weight, name in rows)
    return State(KIND, entries, {WEIGHTS: {"theta": theta}}, {LISTED: text_file(listed)})


def restored(parser: Any, state: State) -> Any:
    """An untrained parser with what training left in that of a saved state."""
    parser.model_, training = (
        DependencyModel(state.texts("tags")),
        state.entry("training", dict, type(None)),
    )
    parser.theta_ = _weights(state, parser.model_.size)
    if training is not None:
        parser.training_ = training_of(training, parser.theta_)
    parser.n_skipped_, parser.preparation_ = state.entry("left_out", int), _preparation(state)
    if "constraint_satisfaction" in state.entries:
        parser.constraint_satisfaction_ = state.entry("constraint_satisfaction", float, type(None))
    return parser


def saved_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as a manifest has them: a neighborhood by its name, a file by its path."""
    rules = parameters["attachment_rules"]
    return {
        **parameters,
        "neighborhood": saved_name(parameters["neighborhood"]),
        "attachment_rules": None if rules is None else os.fspath(rules),
    }


def _preparation(state: State) -> dict[str, Any]:
    # Models of version 0.1.0 need not have it.
    saved: dict[str, Any] = (
        state.entry("preparation", dict) if "preparation" in state.entries else {}
    )
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
