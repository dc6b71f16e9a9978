"""A trained corrector as a folder, bit for bit.

==================  =================================================================
``model.json``      the manifest: parameters, exponents, and what a tagger's says
``vocabulary.tsv``  the words of the text and their counts, in the order of the text
``lexicon.tsv``     the user's own
``ngrams.npz``      the n-gram model, where there is one
``weights.npz``     θ, with ``words.syms`` and ``tags.syms``, as of a tagger, where
                    there is one
==================  =================================================================
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.words import fault
from fstce.correction.corrector_parts import Parts
from fstce.correction.factors.columns import COLUMNS
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.channel import Channel
from fstce.correction.tuning import Tuning
from fstce.errors import ModelFileError
from fstce.storage.folder import model_folder, read_manifest, save_folder, write_manifest
from fstce.storage.state import fitting, parameters_of
from fstce.tagging import files as tagger_files
from fstce.tagging.weights import read_weights

if TYPE_CHECKING:
    from fstce.correction.corrector import Corrector
    from fstce.tagging.tagger import Tagger

KIND = "corrector"
VOCABULARY, LEXICON, NGRAMS = "vocabulary.tsv", "lexicon.tsv", "ngrams.npz"
CHANNELS = ("channel", "mark_channel")
_TAGGER = (tagger_files.WEIGHTS, tagger_files.WORDS, tagger_files.TAGS)
_UNREADABLE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, EOFError),
    *(zipfile.BadZipFile, zlib.error),
)


def save(corrector: Corrector, folder: str | os.PathLike[str]) -> None:
    """Save a trained corrector; what was there stays until the new model is whole.

    Parameters
    ----------
    corrector : Corrector
    folder : path
        A new or empty folder, or that of an earlier corrector, which is replaced.

    Raises
    ------
    NotFittedError
        The corrector is not trained.
    ModelFileError
        The folder holds something else, or cannot be written.
    """
    corrector._check_fitted("vocabulary_")
    save_folder(folder, lambda place: _write(corrector, place), KIND)


def load(folder: str | os.PathLike[str]) -> Corrector:
    """Load a corrector that :func:`save` wrote; it corrects as the one that was saved, to the bit.

    Raises
    ------
    ModelFileError
        A file is missing, damaged, foreign or of another version; names it.
    """
    place = model_folder(folder)
    manifest = read_manifest(place, KIND, (VOCABULARY, LEXICON))
    with fitting(place, AttributeError):
        return _rebuilt(manifest, place)


def _write(corrector: Corrector, place: Path) -> None:
    _write_counts(corrector.vocabulary_, place / VOCABULARY)
    _write_counts(corrector.lexicon_, place / LEXICON)
    if corrector.ngrams_ is not None:
        arrays: dict[str, Any] = dict(corrector.ngrams_.arrays())
        np.savez(place / NGRAMS, **arrays)
    if corrector.tagger_ is not None:
        tagger_files.write_parts(corrector.tagger_, place)
    write_manifest(place, KIND, _entries(corrector))


def _entries(corrector: Corrector) -> dict[str, Any]:
    parameters = corrector.get_params()
    channels = {name: channel_entries(parameters[name]) for name in CHANNELS}
    tagger, tuning = corrector.tagger_, corrector.tuning_
    return {
        "parameters": {**parameters, **channels},
        "exponents": corrector.exponents_,
        "tuning": None if tuning is None else asdict(tuning),
        "ngrams": corrector.ngrams_ and corrector.ngrams_.order,
        "tagger": None if tagger is None else tagger_files.entries(tagger),
    }


def _rebuilt(manifest: Mapping[str, Any], place: Path) -> Corrector:
    from fstce.correction.corrector import Corrector

    given = parameters_of(manifest)
    corrector = Corrector(**{**given, **{name: channel_of(given[name]) for name in CHANNELS}})
    corrector._check_parameters()
    vocabulary, lexicon = _read_counts(place / VOCABULARY), _read_counts(place / LEXICON)
    corrector.exponents_ = {name: float(manifest["exponents"][name]) for name in COLUMNS}
    corrector.tuning_ = None if manifest["tuning"] is None else Tuning(**manifest["tuning"])
    tagger, ngrams = _tagger(manifest, place), _ngrams(manifest, place, vocabulary)
    corrector._adopt(Parts(vocabulary, lexicon, tagger, ngrams, SpellingModel(vocabulary)))
    return corrector


def _tagger(manifest: Mapping[str, Any], place: Path) -> Tagger | None:
    if manifest["tagger"] is None:
        return None
    _check_listed(manifest, place, _TAGGER)
    return tagger_files.rebuilt(manifest["tagger"], read_weights(place / tagger_files.WEIGHTS), place)


def _ngrams(manifest: Mapping[str, Any], place: Path, vocabulary: Mapping[str, int]) -> NgramModel | None:
    if manifest["ngrams"] is None:
        return None
    _check_listed(manifest, place, (NGRAMS,))
    path = place / NGRAMS
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays: dict[str, NDArray[Any]] = {name: archive[name] for name in archive.files}
        return NgramModel.of_arrays(vocabulary, manifest["ngrams"], arrays)
    except _UNREADABLE as error:
        raise ModelFileError(
            f"{path}: not the n-gram model of a corrector ({error}); save the model again"
        ) from None


def _check_listed(manifest: Mapping[str, Any], place: Path, names: tuple[str, ...]) -> None:
    """Only files that the manifest lists were compared with their digests."""
    for name in names:
        if name not in manifest["files"]:
            raise ModelFileError(f"{place}: does not list {name}; copy the model or save it again")


def _write_counts(counts: Mapping[str, int], path: Path) -> None:
    lines = (f"{word}\t{count}\n" for word, count in counts.items())
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _read_counts(path: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        word, _, count = line.partition("\t")
        if fault(word) is not None or word in counts or not (count.isascii() and count.isdecimal()):
            raise ModelFileError(f"{path}:{number}: not a word and its count; save the model again")
        counts[word] = int(count)
    return counts


def channel_entries(channel: Channel | None) -> dict[str, Any] | None:
    """A channel as JSON has it, whose keys cannot be pairs."""
    if channel is None:
        return None
    return {**asdict(channel), "confusions": [[*pair, cost] for pair, cost in channel.confusions.items()]}


def channel_of(entries: Mapping[str, Any] | None) -> Channel | None:
    """The channel of :func:`channel_entries`."""
    if entries is None:
        return None
    confusions = {(meant, typed): cost for meant, typed, cost in entries["confusions"]}
    return Channel(**{**entries, "confusions": confusions})
