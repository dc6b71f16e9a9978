"""An author's own neighbourhoods: from a Python file, an installed package, or a machine in a file.

=====================  =============================================================================
``./mine.py``          ``def build(symbols) -> Fst``; ``EQUIVARIANT = True`` where all words are alike;
                       ``INTRODUCES = [...]``: words to insert that a sentence may not have
``fstce.transducers``  an entry point of this group: a module as above, or a `Neighborhood`
``mine.fst``           a transducer whose symbols are words; ``archive.far:key`` one of an archive
``mine.txt, .att``     the same as lines of text: see :mod:`fstce.neighborhood_text`
``lattices.far``       ready lattices, one a sentence, in the corpus's order
=====================  =============================================================================

A file is read again when it has changed. Its folder is not put on the path: what an author's
file imports is installed, or stands in the file.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
import traceback
import types
import warnings
from functools import lru_cache
from pathlib import Path

import pynini

from fstce.errors import FstceError, MachineError, NeighborhoodError
from fstce.machines.atomic import existing
from fstce.machines.symbols import Symbols
from fstce.neighborhoods import Neighborhood, names

GROUP = "fstce.transducers"
SUFFIXES = (".py", ".fst", ".txt", ".att", ".far")


class Loaded(Neighborhood):
    """A neighbourhood that is pickled as the name it was loaded by, for its builder has no module."""

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.name, self.limit)


class Author:
    """An author's builder, its mistakes told by file and line.

    Parameters
    ----------
    module : module
        What holds ``build``.
    where : str
        The file or entry point, for messages.

    Raises
    ------
    NeighborhoodError
        There is no function ``build``.
    """

    def __init__(self, module: object, where: str) -> None:
        build = getattr(module, "build", None)
        if not callable(build):
            raise NeighborhoodError(f"{where}: there is no function build(symbols) that returns a transducer")
        self.build = build
        self.where = where

    def __call__(self, symbols: Symbols) -> pynini.Fst:
        """What the builder returns, if it is a machine."""
        try:
            fst = self.build(symbols)
        except FstceError as error:
            raise type(error)(f"{self._line(error)}: {error}") from None
        except Exception as error:
            raise NeighborhoodError(f"{self._line(error)}: build(symbols) raised {_said(error)}") from None
        if not isinstance(fst, pynini.Fst):
            line = getattr(getattr(self.build, "__code__", None), "co_firstlineno", 1)
            raise NeighborhoodError(
                f"{self.where}:{line}: build(symbols) returned {type(fst).__name__}, not a pynini.Fst"
            )
        return fst

    def _line(self, error: BaseException) -> str:
        """The author's line where the error arose, not pynini's."""
        code = getattr(self.build, "__code__", None)
        file = code.co_filename if code else self.where
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file
        ]
        return f"{self.where}:{lines[-1]}" if lines else self.where


def load(name: str) -> Neighborhood | None:
    """The neighbourhood in the file of this name, None where the name looks like no file.

    Raises
    ------
    NeighborhoodError
        There is no such file, or it holds no neighbourhood; names file and line.
    MachineError
        The file holds a machine that is damaged, weighted, or without words.
    """
    file, key = _archived(name)
    path = Path(file).expanduser()
    if path.suffix.lower() not in SUFFIXES or not (path.is_file() or _is_path(file)):
        return None
    if key is not None and not _is_path(key):
        return None
    try:
        state = existing(path).stat()
    except MachineError as error:
        raise NeighborhoodError(f"{error}, or the name of the neighbourhood") from None
    return _loaded(name, path, key, (os.fspath(path.resolve()), state.st_mtime_ns, state.st_size))


def registered(name: str) -> Neighborhood | None:
    """The neighbourhood that an installed package offers under this name, if one does.

    Raises
    ------
    NeighborhoodError
        Two packages offer the name, or what is offered cannot be loaded.
    """
    found = [point for point in _points() if point.name.lower() == name.lower()]
    if not found:
        return None
    if len({point.value for point in found}) > 1:
        offers = ", ".join(sorted(point.value for point in found))
        raise NeighborhoodError(f"the neighbourhood {name!r} is offered twice ({offers}); uninstall one")
    return _registered(found[0].name, found[0].value)


def registered_names() -> list[str]:
    """The names that installed packages offer, without those that fstce itself has."""
    return sorted({point.name for point in _points()})


def from_module(module: object, name: str, where: str) -> Neighborhood:
    """The neighbourhood that a module or namespace describes: build, EQUIVARIANT, INTRODUCES."""
    return Loaded(
        Author(module, where),
        name,
        equivariant=bool(getattr(module, "EQUIVARIANT", False)),
        introduces=tuple(getattr(module, "INTRODUCES", ())),
    )


def module_of(path: Path) -> types.ModuleType:
    """Run a Python file as a module of its own, that the interpreter forgets again.

    Raises
    ------
    NeighborhoodError
        The file is no Python, or raises; names the line.
    """
    module = types.ModuleType(f"fstce_author_{path.stem}")
    module.__file__ = os.fspath(path)
    # Dataclasses look their module up while it runs; no bytecode is written beside the author's file.
    sys.modules[module.__name__] = module
    try:
        source = importlib.util.decode_source(path.read_bytes())
        exec(compile(source, os.fspath(path), "exec"), module.__dict__)
    except SyntaxError as error:
        line = error.lineno if error.filename == os.fspath(path) else 1
        raise NeighborhoodError(f"{path}:{line}: this is no Python: {error.msg}") from None
    except (Exception, SystemExit) as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == os.fspath(path)]
        line = frames[-1].lineno if frames else 1
        raise NeighborhoodError(f"{path}:{line}: loading the file raised {_said(error)}") from None
    finally:
        del sys.modules[module.__name__]
    return module


@lru_cache(maxsize=64)
def _loaded(name: str, path: Path, key: str | None, state: tuple[str, int, int]) -> Neighborhood:
    """By its suffix; `state` makes a changed file a new one."""
    from fstce.neighborhood_text import compiled, lattices, text

    suffix = path.suffix.lower()
    if suffix == ".py":
        return from_module(module_of(path), name, os.fspath(path))
    if suffix in (".txt", ".att"):
        return text(name, path)
    return lattices(name, path) if suffix == ".far" and key is None else compiled(name, path, key)


@lru_cache(maxsize=64)
def _registered(name: str, value: str) -> Neighborhood:
    where = f"entry point {name} = {value}"
    try:
        offered = importlib.metadata.EntryPoint(name, value, GROUP).load()
    except Exception as error:
        raise NeighborhoodError(f"{where}: it cannot be loaded: {_said(error)}") from None
    if isinstance(offered, Neighborhood):
        return offered
    module = offered if hasattr(offered, "build") else types.SimpleNamespace(build=offered)
    return from_module(module, name, where)


def warn_of_namesakes(name: str) -> None:
    """Warn where an installed package offers a neighbourhood by the name of one that fstce ships."""
    for point in importlib.metadata.entry_points(group=GROUP):
        if point.name.lower() == name:
            warnings.warn(
                f"{name} is fstce's own; the entry point {point.name} = {point.value} has the same name and "
                "is not used: ask its author to rename it",
                stacklevel=2,
            )


def _points() -> list[importlib.metadata.EntryPoint]:
    """The entry points of the group, without those that take a shipped name."""
    shipped = {*names(), "training-set"}
    points = importlib.metadata.entry_points(group=GROUP)
    return [point for point in points if point.name.lower() not in shipped]


def _archived(name: str) -> tuple[str, str | None]:
    """A path and, after a colon, the key of a machine in an archive."""
    file, colon, key = name.rpartition(":")
    return (file, key) if colon and file.lower().endswith(".far") else (name, None)


def _is_path(file: str) -> bool:
    """Whether a name that is no file was meant as one; an expression holds what few paths do."""
    return not any(sign in file for sign in "|&@()'\"") and " - " not in file and "**" not in file


def _again(name: str, limit: int) -> Neighborhood:
    from fstce.neighborhoods import neighborhood

    again = neighborhood(name)
    return again if again.limit == limit else again.limited(limit)


def _said(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
