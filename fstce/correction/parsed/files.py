"""A trained parsed corrector as a folder, bit for bit.

==================  =================================================================
``model.json``      the manifest: parameters, exponents
``words.tsv``       words, their tags and how often they have them, in the order of the
                    text; ``signatures.tsv``, the same of the signatures of rare words
``grammar-*``       the files of the grammar: see :mod:`fstce.parsing.files`
``other-*``         those of the corrector of long sentences, where there is one: see
                    :mod:`fstce.correction.corrector_files`
==================  =================================================================
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from fstce.corpora.words import fault
from fstce.correction import corrector_files
from fstce.correction.corrector import Corrector
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.parsed.corrector import ParsedCorrector
from fstce.correction.parsed.emissions import Counts, Emissions
from fstce.correction.parsed.parts import Parts
from fstce.correction.parsed.readings import COLUMNS
from fstce.correction.tuning import Tuning
from fstce.errors import ModelFileError
from fstce.neighborhoods.registry import saved_name
from fstce.parsing.parser import DependencyParser
from fstce.storage.folder import save_folder
from fstce.storage.manifest import MANIFEST, model_folder, read_manifest, write_manifest
from fstce.storage.state import fitting, parameters_of

KIND = "parsed corrector"
WORDS, SIGNATURES, GRAMMAR, OTHER = "words.tsv", "signatures.tsv", "grammar", "other"
Model = TypeVar("Model")


def save(corrector: ParsedCorrector, folder: str | os.PathLike[str]) -> None:
    """Save a trained parsed corrector; what was there stays until the new model is whole.

    Parameters
    ----------
    corrector : ParsedCorrector
        Its `other`, if any, is a trained :class:`fstce.Corrector`, and is saved with it.
    folder : path
        A new or empty folder, or that of an earlier parsed corrector, which is replaced.

    Raises
    ------
    NotFittedError
        The corrector or its `other` is not trained.
    ModelFileError
        Its `other` is something else, or the folder holds something else or cannot be written.
    """
    corrector._check_fitted("parser_")
    if not isinstance(corrector.other, Corrector | None):
        raise ModelFileError(
            f"{folder}: other={corrector.other!r} cannot be saved with the model, for it is no "
            "fstce.Corrector; save the model with other=None, and set other again when it is loaded"
        )
    save_folder(folder, lambda place: _write(corrector, place), KIND)


def load(folder: str | os.PathLike[str]) -> ParsedCorrector:
    """Load a corrector that :func:`save` wrote; it corrects as the one that was saved, to the bit.

    Raises
    ------
    ModelFileError
        A file is missing, damaged, foreign or of another version; names it.
    """
    place = model_folder(folder)
    manifest = read_manifest(place, KIND, (WORDS, SIGNATURES, f"{GRAMMAR}-{MANIFEST}"))
    with fitting(place, AttributeError):
        return _rebuilt(manifest, place)


def _write(corrector: ParsedCorrector, place: Path) -> None:
    _write_counts(corrector.emissions_.pairs, place / WORDS)
    _write_counts(corrector.emissions_.rare_pairs, place / SIGNATURES)
    _put(corrector.parser_, place, GRAMMAR)
    if isinstance(corrector.other, Corrector):
        _put(corrector.other, place, OTHER)
    write_manifest(place, KIND, _entries(corrector))


def _entries(corrector: ParsedCorrector) -> dict[str, Any]:
    own = {
        "channel": corrector_files.channel_entries(corrector.channel),
        "parser": _parser_entries(corrector.parser),
        "other": None if corrector.other is None else OTHER,
    }
    return {
        "parameters": {**corrector.get_params(), **own},
        "exponents": corrector.exponents_,
        "tuning": None if corrector.tuning_ is None else asdict(corrector.tuning_),
    }


def _rebuilt(manifest: Mapping[str, Any], place: Path) -> ParsedCorrector:
    given = parameters_of(manifest)
    own = {
        "channel": corrector_files.channel_of(given["channel"]),
        "parser": _parser_of(given["parser"]),
        "other": given["other"] and _taken(Corrector.load, manifest, place, OTHER),
    }
    corrector = ParsedCorrector(**{**given, **own})
    corrector._check_parameters()
    corrector.exponents_ = {name: float(manifest["exponents"][name]) for name in COLUMNS}
    corrector.tuning_ = None if manifest["tuning"] is None else Tuning(**manifest["tuning"])
    emissions = Emissions.of_counts(_read_counts(place / WORDS), _read_counts(place / SIGNATURES))
    parser = _taken(DependencyParser.load, manifest, place, GRAMMAR)
    if set(parser.model_.tags) != set(emissions.tags):
        raise ModelFileError(f"{place / WORDS}: has other tags than the grammar; save the model again")
    spelling = SpellingModel(emissions.counts)
    corrector._adopt(Parts(emissions, spelling, corrector._spell(emissions), parser))
    return corrector


def _put(model: Corrector | DependencyParser, place: Path, name: str) -> None:
    """Save a model among the files of this one, its name before theirs."""
    folder = place / name
    model.save(folder)
    for file in folder.iterdir():
        file.rename(place / f"{name}-{file.name}")
    folder.rmdir()


def _taken(load: Callable[[str], Model], manifest: Mapping[str, Any], place: Path, name: str) -> Model:
    """The model that :func:`_put` saved; messages name the files as they are called here."""
    with TemporaryDirectory() as folder:
        for file in manifest["files"]:
            if file.startswith(f"{name}-"):
                copyfile(place / file, Path(folder) / file.removeprefix(f"{name}-"))
        try:
            return load(folder)
        except ModelFileError as error:
            said = str(error).replace(f"{folder}{os.sep}", f"{place / name}-")
            raise ModelFileError(said.replace(folder, str(place))) from None


def _parser_entries(parser: DependencyParser | None) -> dict[str, Any] | None:
    """The parameters of the parser that was given; it is trained anew, so no more is kept."""
    if parser is None:
        return None
    return {**parser.get_params(), "neighborhood": saved_name(parser.neighborhood)}


def _parser_of(entries: Mapping[str, Any] | None) -> DependencyParser | None:
    return None if entries is None else DependencyParser(**parameters_of({"parameters": entries}))


def _write_counts(counts: Counts, path: Path) -> None:
    lines = (f"{word}\t{tag}\t{count}\n" for (word, tag), count in counts.items())
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def _read_counts(path: Path) -> Counts:
    counts: dict[tuple[str, str], int] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        word, _, rest = line.partition("\t")
        tag, _, count = rest.partition("\t")
        sound = fault(word) is None and fault(tag) is None and count.isascii() and count.isdecimal()
        if not sound or (word, tag) in counts or not int(count):
            raise ModelFileError(f"{path}:{number}: not a word, a tag and a count; save the model again")
        counts[word, tag] = int(count)
    return counts
