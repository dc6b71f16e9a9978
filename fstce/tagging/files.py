"""A trained tagger as a folder, bit for bit.

================  ===================================================================
``model.json``    the manifest: parameters, tags, dictionary, course of the training
``weights.npz``   θ, and the numbers of the features that it weighs
``words.syms``    the training words and their ids; ``tags.syms``, the tags and theirs
``machines.far``  the model as transducers, ``emissions`` and ``history``
================  ===================================================================

The machines are for OpenFst's tools; loading does not read them. A neighbourhood of one's
own is saved by its name.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import RESERVED
from fstce.errors import ModelFileError
from fstce.estimation.course import course, training_of
from fstce.machines.files import read_symbols, write_far, write_symbols
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.registry import saved_name
from fstce.storage.folder import model_folder, read_manifest, save_folder, write_manifest
from fstce.storage.state import fitting, parameters_of
from fstce.tagging.export import check_trained, emission_fst, history_fst, tag_symbols
from fstce.tagging.weights import Arrays, features_of, read_weights, write_weights

if TYPE_CHECKING:
    from fstce.tagging.tagger import Tagger

KIND = "tagger"
WEIGHTS, WORDS, TAGS, MACHINES = "weights.npz", "words.syms", "tags.syms", "machines.far"
FILES = (MACHINES, TAGS, WEIGHTS, WORDS)


def save(tagger: Tagger, folder: str | os.PathLike[str]) -> None:
    """Save a trained tagger; what was there stays until the new model is whole.

    Parameters
    ----------
    tagger : Tagger
    folder : path
        A new or empty folder, or that of an earlier tagger, which is replaced.

    Raises
    ------
    NotFittedError
        The tagger is not trained.
    ModelFileError
        The folder holds something else, or cannot be written.
    """
    check_trained(tagger)
    save_folder(folder, lambda place: _write(tagger, place), KIND)


def load(folder: str | os.PathLike[str]) -> Tagger:
    """Load a tagger that :func:`save` wrote.

    Parameters
    ----------
    folder : path

    Returns
    -------
    Tagger
        With the weights and predictions of the one that was saved. If its neighbourhood
        is unknown here, it predicts, but its objective raises a NeighborhoodError.

    Raises
    ------
    ModelFileError
        A file is missing, damaged, foreign or of another version; names it.
    """
    place = model_folder(folder)
    manifest = read_manifest(place, KIND, FILES)
    with fitting(place):
        return rebuilt(manifest, read_weights(place / WEIGHTS), place)


def _write(tagger: Tagger, place: Path) -> None:
    write_parts(tagger, place)
    write_far({"emissions": emission_fst(tagger), "history": history_fst(tagger)}, place / MACHINES)
    write_manifest(place, KIND, entries(tagger))


def write_parts(tagger: Tagger, place: Path) -> None:
    """Write the weights and the symbols, all that :func:`rebuilt` reads but the manifest."""
    features = tagger.features_
    write_weights(features, tagger.theta_, place / WEIGHTS)
    write_symbols(features.symbols.table, place / WORDS)
    write_symbols(tag_symbols(features.tags), place / TAGS)


def entries(tagger: Tagger) -> dict[str, Any]:
    """What a manifest says of a tagger."""
    return {
        "parameters": {**tagger.get_params(), "neighborhood": saved_name(tagger.neighborhood)},
        "order": tagger.features_.order,
        "tags": tagger.tags_,
        "spellings": tagger.features_.spellings,
        "missing": tagger.features_.missing,
        "training": course(getattr(tagger, "training_", None)),
        "dictionary": tagger.dictionary_.to_dict(),
    }


def rebuilt(manifest: Mapping[str, Any], arrays: Arrays, place: Path) -> Tagger:
    """The tagger of a manifest's :func:`entries`, of its weights, and of the symbols in a folder.

    Raises
    ------
    ModelFileError
        Symbols or weights do not fit the entries; names the file.
    LookupError, TypeError, ValueError
        An entry is missing or no such thing.
    """
    from fstce.tagging.tagger import Tagger

    tagger = Tagger(**parameters_of(manifest))
    tagger.dictionary_ = TagDictionary.from_dict(manifest["dictionary"])
    tagger.tags_ = _tags(manifest, tagger.dictionary_, place)
    symbols = Symbols(_symbols(place / WORDS, RESERVED))
    order, spellings = manifest["order"], tuple(manifest["spellings"])
    features = features_of(arrays, tagger.tags_, order, symbols, spellings, place / WEIGHTS)
    # Models of version 0.1.0 did not have it.
    tagger.features_ = replace(features, missing=float(manifest.get("missing", 0.0)))
    tagger.theta_ = arrays["theta"]
    if manifest["training"] is not None:
        tagger.training_ = training_of(manifest["training"], arrays["theta"])
    return tagger


def _tags(manifest: Mapping[str, Any], dictionary: TagDictionary, place: Path) -> tuple[str, ...]:
    """The tags, about which manifest, dictionary and symbols must agree."""
    tags = tuple(manifest["tags"])
    if not tags == dictionary.tagset == _symbols(place / TAGS, RESERVED[:1]):
        raise ModelFileError(f"{place / TAGS}: not the tags of the model; copy the model or save it again")
    return tags


def _symbols(path: Path, reserved: tuple[str, ...]) -> tuple[str, ...]:
    """The symbols of a table that begins with the reserved ones and has no gaps."""
    rows = list(read_symbols(path))
    found = tuple(symbol for _, symbol in rows)
    if [label for label, _ in rows] != list(range(len(rows))) or found[: len(reserved)] != reserved:
        raise ModelFileError(
            f"{path}: its ids are not 0, 1, 2, … from {reserved[0]} on; save the model again"
        )
    return found[len(reserved) :]
