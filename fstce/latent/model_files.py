"""A trained latent grammar as a folder, bit for bit.

=================  ====================================================================
``model.json``     the manifest: parameters and the course of the training
``grammar.json``   symbols, unary chains, words and signatures
``grammars.npz``   the probabilities of all cycles: see ``fstce.latent.model.files``
=================  ====================================================================
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fstce.errors import ModelFileError
from fstce.latent.model.files import Arrays, from_arrays, to_arrays
from fstce.latent.training.schedule import EMStep
from fstce.storage.folder import model_folder, read_manifest, save_folder, write_manifest
from fstce.storage.state import fitting, parameters_of

if TYPE_CHECKING:
    from fstce.latent.latent_grammar import LatentGrammar

KIND = "latent grammar"
ARRAYS, DESCRIBED = "grammars.npz", "grammar.json"
FILES = (DESCRIBED, ARRAYS)
# What numpy raises of files that are no archive; the last two of a bare array.
_NO_ARCHIVE = (OSError, ValueError, LookupError, EOFError, zipfile.BadZipFile, TypeError, AttributeError)


def save(grammar: LatentGrammar, folder: str | os.PathLike[str]) -> None:
    """Save a grammar; what was there stays until the new model is whole.

    Of a training that was interrupted these are the cycles that are complete, and the model
    is what so many cycles train.

    Raises
    ------
    NotFittedError
        The grammar is not trained.
    ModelFileError
        The folder holds something else, or cannot be written.
    """
    grammar._check_fitted("hierarchy_")
    grammar = grammar.after(grammar.trained_cycles)

    def write(place: Path) -> None:
        write_hierarchy(grammar, place, "")
        write_manifest(place, KIND, entries(grammar))

    save_folder(folder, write, KIND)


def load(folder: str | os.PathLike[str]) -> LatentGrammar:
    """Load a grammar that :func:`save` wrote.

    Raises
    ------
    ModelFileError
        A file is missing, damaged, foreign or of another version; names it.
    """
    place = model_folder(folder)
    manifest = read_manifest(place, KIND, FILES)
    return read_grammar(place, "", manifest)


def write_hierarchy(grammar: LatentGrammar, place: Path, prefix: str) -> None:
    """Write the two files of a grammar, their names after a prefix."""
    arrays, described = to_arrays(grammar.hierarchy_)
    named: dict[str, Any] = dict(arrays)
    np.savez_compressed(place / f"{prefix}{ARRAYS}", **named)
    text = json.dumps(described, ensure_ascii=False, indent=0)
    (place / f"{prefix}{DESCRIBED}").write_text(text + "\n", encoding="utf-8")


def entries(grammar: LatentGrammar) -> dict[str, Any]:
    """What the manifest says of a grammar; without seconds, so that equal grammars are equal files.

    The parameters of the training are those that it was begun with, whatever was set since.
    """
    course = [_without_seconds(step) for step in grammar.course_]
    return {"parameters": {**grammar.get_params(), **grammar._begun}, "course": course}


def read_grammar(place: Path, prefix: str, manifest: Mapping[str, Any]) -> LatentGrammar:
    """The grammar of :func:`write_hierarchy` and :func:`entries`."""
    from fstce.latent.latent_grammar import LatentGrammar

    with fitting(place):
        described = json.loads((place / f"{prefix}{DESCRIBED}").read_text(encoding="utf-8"))
        grammar = LatentGrammar(**parameters_of(manifest))
        grammar.hierarchy_ = from_arrays(_arrays(place / f"{prefix}{ARRAYS}"), described)
        grammar.course_ = tuple(_step(row) for row in manifest["course"])
        grammar._begun = grammar._settings()
    if len(grammar.hierarchy_.grammars) != grammar.cycles + 1:
        found = len(grammar.hierarchy_.grammars)
        raise ModelFileError(f"{place}: {found} grammars for {grammar.cycles} cycles; save the model again")
    return grammar


def _arrays(path: Path) -> Arrays:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except _NO_ARCHIVE as error:
        raise ModelFileError(f"{path}: not the arrays of a grammar ({error}); save the model again") from None


def _without_seconds(step: EMStep) -> list[Any]:
    cycle, stage, iteration, value, subcategories, _, warning = astuple(step)
    return [cycle, stage, iteration, value, subcategories, warning]


def _step(row: Sequence[Any]) -> EMStep:
    cycle, stage, iteration, value, subcategories, warning = row
    return EMStep(cycle, stage, iteration, value, subcategories, math.nan, warning)
