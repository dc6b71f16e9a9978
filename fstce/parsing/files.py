"""A trained dependency parser as a folder, bit for bit.

===============  ====================================================================
``model.json``   the manifest: parameters, tags, course of the training
``weights.npz``  θ, in the order of the grammar's features
``weights.tsv``  the same to read: weight, tab, name of the feature; not read back
===============  ====================================================================
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fstce.errors import ModelFileError
from fstce.estimation.course import course, training_of
from fstce.grammars.dmv import DependencyModel
from fstce.neighborhoods.registry import saved_name
from fstce.storage.folder import model_folder, read_manifest, save_folder, write_manifest
from fstce.storage.state import fitting, parameters_of

if TYPE_CHECKING:
    from fstce.parsing.parser import DependencyParser

KIND = "dependency parser"
# What numpy raises of files that are no archive, or one of arrays alone; the last two of a bare array.
_NO_ARCHIVE = (OSError, ValueError, LookupError, EOFError, zipfile.BadZipFile, TypeError, AttributeError)
WEIGHTS, LISTED = "weights.npz", "weights.tsv"
FILES = (LISTED, WEIGHTS)


def save(parser: DependencyParser, folder: str | os.PathLike[str]) -> None:
    """Save a trained parser; what was there stays until the new model is whole.

    Raises
    ------
    NotFittedError
        The parser is not trained.
    ModelFileError
        The folder holds something else, or cannot be written.
    """
    parser._check_fitted("theta_")
    save_folder(folder, lambda place: _write(parser, place), KIND)


def load(folder: str | os.PathLike[str]) -> DependencyParser:
    """Load a parser that :func:`save` wrote.

    Raises
    ------
    ModelFileError
        A file is missing, damaged, foreign or of another version; names it.
    """
    from fstce.parsing.parser import DependencyParser

    place = model_folder(folder)
    manifest = read_manifest(place, KIND, FILES)
    with fitting(place):
        parser = DependencyParser(**parameters_of(manifest))
        parser.model_ = DependencyModel(manifest["tags"])
        parser.theta_ = _weights(place / WEIGHTS, parser.model_.size)
        parser.left_out_ = int(manifest["left_out"])
        parser.preparation_ = dict(manifest.get("preparation", {}))
        if manifest["training"] is not None:
            parser.training_ = training_of(manifest["training"], parser.theta_)
    return parser


def _write(parser: DependencyParser, place: Path) -> None:
    np.savez(place / WEIGHTS, theta=np.asarray(parser.theta_, dtype=np.float64))
    rows = zip(parser.theta_.tolist(), parser.model_.names, strict=True)
    lines = (f"{weight!r}\t{' '.join(name)}\n" for weight, name in rows)
    (place / LISTED).write_text("".join(lines), encoding="utf-8")
    entries: dict[str, Any] = {
        "parameters": {**parser.get_params(), "neighborhood": saved_name(parser.neighborhood)},
        "tags": parser.model_.tags,
        "left_out": parser.left_out_,
        "preparation": parser.preparation_,
        "training": course(getattr(parser, "training_", None)),
    }
    write_manifest(place, KIND, entries)


def _weights(path: Path, size: int) -> Any:
    try:
        with np.load(path, allow_pickle=False) as archive:
            theta = archive["theta"]
    except _NO_ARCHIVE as error:
        raise ModelFileError(f"{path}: not the weights of a parser ({error}); save the model again") from None
    if theta.shape != (size,) or theta.dtype != np.float64:
        found = f"{theta.dtype} weights of shape {theta.shape}"
        raise ModelFileError(f"{path}: {found} for {size} features; save the model again")
    if np.any(np.isnan(theta) | np.isposinf(theta)):
        raise ModelFileError(f"{path}: a weight is no number; save the model again")
    return theta
