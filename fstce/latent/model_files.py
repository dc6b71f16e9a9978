"""A trained latent grammar as a saved state, bit for bit.

=================  ====================================================================
``model.json``     the manifest: parameters and the course of the training
``grammar.json``   symbols, unary chains, words and signatures
``grammars.npz``   the probabilities of all cycles: see ``fstce.latent.model.files``
=================  ====================================================================
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

from fstce.latent.model.files import from_arrays, to_arrays
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.training.estimates import EMStep
from fstce.storage.state import State, text_file, typed

KIND = "latent grammar"
ARRAYS, DESCRIBED = "grammars.npz", "grammar.json"


def to_state(hierarchy: SplitHierarchy, course: Sequence[EMStep], parameters: Mapping[str, Any]) -> State:
    """The state of a trained grammar; without seconds, so that equal grammars are equal files."""
    arrays, described = to_arrays(hierarchy)
    text = json.dumps(described, ensure_ascii=False, indent=0) + "\n"
    entries = {"parameters": parameters, "course": [_without_seconds(step) for step in course]}
    return State(KIND, entries, {ARRAYS: arrays}, {DESCRIBED: text_file(text)}, compress=True)


def from_state(state: State) -> tuple[SplitHierarchy, tuple[EMStep, ...]]:
    """The grammars of a saved state, and the course of their training."""
    described = json.loads(state.path(DESCRIBED).read_text(encoding="utf-8"))
    course = tuple(_step(row) for row in state.entry("course", list))
    return from_arrays(state.archive(ARRAYS), described), course


def _without_seconds(step: EMStep) -> list[Any]:
    cycle, stage, iteration, value, subcategories, _, warning = astuple(step)
    return [cycle, stage, iteration, value, subcategories, warning]


def _step(row: Sequence[Any]) -> EMStep:
    cycle, stage, iteration, value, subcategories, warning = row
    for number in (cycle, iteration, subcategories):
        typed(number, "the course of the training", int)
    for text in (stage, warning):
        typed(text, "the course of the training", str)
    typed(value, "the log-likelihood", int, float)
    return EMStep(cycle, stage, iteration, value, subcategories, math.nan, warning)
