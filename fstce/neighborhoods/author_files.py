"""An author's own neighborhoods: from a Python file, an installed package, or a machine in a file.

=====================  =============================================================================
``./mine.py``          ``def build(symbols) -> Fst``; ``EQUIVARIANT = True`` where all words are alike;
                       ``INTRODUCES = [...]``: words to insert that a sentence may not have;
                       ``NEEDS = "vocabulary"``: see :mod:`fstce.neighborhoods.over_vocabulary`
``fstce.transducers``  an entry point of this group: a module as above, or a `Neighborhood`
``mine.fst``           a transducer whose symbols are words; ``archive.far:key`` one of an archive
``mine.hfst, .foma``   the same in HFST's and foma's files
``mine.txt, .att``     the same as lines of text: see :mod:`fstce.neighborhoods.word_machines`
``lattices.far``       precomputed lattices, one a sentence, in the corpus's order
=====================  =============================================================================

A file is read again when it has changed. What it imports is installed, or stands next to it.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import types
import warnings
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from fstce.corpora.documents import expanded
from fstce.errors import FstceError, MachineError, NeighborhoodError
from fstce.machines.atomic import existing
from fstce.machines.convert import SUFFIXES as MACHINE_SUFFIXES
from fstce.machines.convert import archived
from fstce.neighborhoods.author import Author, in_one_line, introduced_words, module_of, summary_of
from fstce.neighborhoods.base import FileNeighborhood, Neighborhood
from fstce.neighborhoods.first_use import try_import
from fstce.neighborhoods.over_vocabulary import NEEDS, BoundBuilder, OverVocabulary
from fstce.neighborhoods.precomputed import lattices
from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary
from fstce.neighborhoods.word_machines import compiled, text

GROUP = "fstce.transducers"
SUFFIXES = (".py", *MACHINE_SUFFIXES)


class FileOverVocabulary(OverVocabulary):
    """The same where the builder takes words from a vocabulary."""

    def __reduce__(self) -> tuple[object, ...]:
        bound = {"vocabulary": self.build.vocabulary, "options": self.build.options}
        return _reloaded, (self.build.name, bound, {"name": self.name, "limit": self.limit})


def load(name: str, *, weighted: bool = False) -> Neighborhood | None:
    """The neighborhood in the file of this name, None where the name looks like no file."""
    file, key = archived(name)
    path = expanded(file)
    if path.suffix.lower() not in SUFFIXES or not (path.is_file() or _is_path(file)):
        return None
    if key is not None and not _is_path(key):
        return None
    try:
        state = existing(path).stat()
    except MachineError as error:
        raise NeighborhoodError(f"{error}, or the name of the neighborhood") from None
    place = (os.fspath(path.resolve()), state.st_mtime_ns, state.st_size)
    return _loaded(name, path, key, place, weighted)


def registered(name: str) -> Neighborhood | None:
    """The neighborhood that an installed package offers under this name, if one does."""
    found = [point for point in _points() if point.name.lower() == name.lower()]
    if not found:
        return None
    if len({point.value for point in found}) > 1:
        offers = ", ".join(sorted(point.value for point in found))
        raise NeighborhoodError(f"the neighborhood {name!r} is offered twice ({offers}); uninstall one")
    return _registered(found[0].name, found[0].value)


def registered_names() -> list[str]:
    """The names that installed packages offer, without those that fstce itself has."""
    return sorted({point.name for point in _points()})


def registered_summary(name: str) -> str:
    """The first line that an installed package's neighborhood says of itself, or why it cannot be loaded."""
    try:
        kind = registered(name)
    except FstceError as error:
        return str(error)
    build = getattr(kind, "build", None)
    author = build.build if isinstance(build, BoundBuilder) else build
    summary = author.summary if isinstance(author, Author) else summary_of(author)
    return summary or "(no docstring)"


def from_module(module: object, name: str, where: str) -> Neighborhood:
    """What a module or namespace describes by build, EQUIVARIANT, INTRODUCES, NEEDS, OPTIONS."""
    author, needs = Author(module, where), getattr(module, "NEEDS", None)
    if needs == NEEDS:
        readers = getattr(module, "OPTIONS", {})
        return FileOverVocabulary(author, author.introduced, name, readers=readers)
    if needs is not None:
        raise NeighborhoodError(f"{where}: NEEDS = {needs!r} is unknown; a builder may need {NEEDS!r}")
    return FileNeighborhood(
        author,
        name,
        equivariant=bool(getattr(module, "EQUIVARIANT", False)),
        introduces=introduced_words(module, where),
        weighted=bool(getattr(module, "WEIGHTED", False)),
    )


@lru_cache(maxsize=64)
def _loaded(
    name: str, path: Path, key: str | None, state: tuple[str, int, int], weighted: bool
) -> Neighborhood:
    """By its suffix; `state` makes a changed file a new one."""
    suffix = path.suffix.lower()
    if suffix == ".py":
        try_import(path)
        return from_module(module_of(path), name, os.fspath(path))
    if suffix in (".txt", ".att"):
        return text(name, path)
    return lattices(name, path) if suffix == ".far" and key is None else compiled(name, path, key, weighted)


@lru_cache(maxsize=64)
def _registered(name: str, value: str) -> Neighborhood:
    where = f"entry point {name} = {value}"
    try:
        offered = importlib.metadata.EntryPoint(name, value, GROUP).load()
    except Exception as error:
        raise NeighborhoodError(f"{where}: it cannot be loaded: {in_one_line(error)}") from None
    if isinstance(offered, Neighborhood):
        return offered
    plain = types.SimpleNamespace(build=offered, __doc__=offered.__doc__)
    module = offered if hasattr(offered, "build") else plain
    return from_module(module, name, where)


@cache
def warn_of_namesakes(name: str) -> None:
    """Warn, once, where an installed package offers a neighborhood by the name of one that fstce ships."""
    for point in importlib.metadata.entry_points(group=GROUP):
        if point.name.lower() == name:
            warnings.warn(
                f"{name} is fstce's own; the entry point {point.name} = {point.value} has the same name and "
                "is not used: ask its author to rename it",
                stacklevel=2,
            )


def _points() -> list[importlib.metadata.EntryPoint]:
    """The entry points of the group, without those that take a shipped name."""
    shipped = {*names(), *names_over_vocabulary(), *direct_names()}
    points = importlib.metadata.entry_points(group=GROUP)
    return [point for point in points if point.name.lower() not in shipped]


def _is_path(file: str) -> bool:
    """Whether a name that is no file was meant as one; an expression holds what few paths do."""
    spaced = any(f" {sign} " in file for sign in "+-")
    return not (any(sign in file for sign in "|&@()'\"") or spaced or "**" in file)


def _reloaded(name: str, bound: dict[str, Any], attributes: dict[str, Any]) -> Neighborhood:
    """What was loaded by this name, loaded again, with the vocabulary and options that it had."""
    kind = FileNeighborhood.resolve(name)
    if not isinstance(kind, OverVocabulary):
        raise NeighborhoodError(f"{name} has changed: it needs no vocabulary any more")
    spelt = attributes["name"] != name
    return kind.changed(build=replace(kind.build, **bound), spelt=spelt, **attributes)
