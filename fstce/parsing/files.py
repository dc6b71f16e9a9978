"""A trained dependency parser as a saved state.

Θ in ``weights.npz``, and in ``weights.tsv`` to read.
"""

from __future__ import annotations

from typing import Any

from fstce.estimation.estimator import checked_weights
from fstce.grammars.dmv import DependencyModel
from fstce.numeric.types import Floats
from fstce.storage.state import State, text_file

KIND = "dependency parser"
LISTED = "weights.tsv"


def to_state(parser: Any) -> State:
    """The state of a trained parser besides parameters and the course of the training."""
    entries = {
        "tags": parser.model_.tags,
        "left_out": parser.n_skipped_,
        "labelled": parser.n_labelled_,
        "constraint_satisfaction": parser.constraint_satisfaction_,
    }
    rows = (f"{weight!r}\t{' '.join(name)}\n" for name, weight in parser.weights().items())
    return State(KIND, entries, files={LISTED: text_file("".join(rows))})


def restore(parser: Any, state: State, theta: Floats) -> None:
    """Give an untrained parser what training left in that of a saved state."""
    parser.model_ = DependencyModel(state.texts("tags"))
    parser.theta_ = checked_weights(theta, parser.model_.size)
    parser.n_skipped_ = state.entry("left_out", int)
    parser.n_labelled_ = state.entry("labelled", int)
    satisfaction = state.entry("constraint_satisfaction", float, type(None))
    parser.constraint_satisfaction_ = satisfaction
