"""An author's file or function: its builder called, its mistakes reported by file and line."""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from enum import Enum
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from fstce.corpora.vocabulary import Vocabulary
from fstce.corpora.words import fault
from fstce.errors import FstceError, NeighborhoodError
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.storage.atomic import read_bytes


class SentenceUse(Enum):
    """Whether a builder takes the sentence besides its alphabet, and whether it can do without."""

    NEVER, DEFAULT, ALWAYS = range(3)


def sentence_use(build: Any) -> SentenceUse:
    """By the builder's parameters: one is called ``sentence``, and may have a default.

    >>> from fstce.transducers import del1word, trans1
    >>> sentence_use(del1word.build).name, sentence_use(trans1.build).name
    ('NEVER', 'DEFAULT')
    """
    try:
        parameter = signature(getattr(build, "build", build)).parameters.get("sentence")
    except (TypeError, ValueError):  # of what is not written in Python
        return SentenceUse.NEVER
    if parameter is None:
        return SentenceUse.NEVER
    return SentenceUse.ALWAYS if parameter.default is Parameter.empty else SentenceUse.DEFAULT


class Author:
    """An author's file: its builder, whose mistakes are reported by file and line."""

    user_defined = True

    def __init__(self, path: Path) -> None:
        self.file = path
        self.where: str = os.fspath(path)
        self.module: Any = module_of(path)
        if not callable(getattr(self.module, "build", None)):
            raise NeighborhoodError(
                f"{path}: there is no function build(symbols) that returns a transducer"
            )
        self.build: Callable[..., Any] = self.module.build
        self.always: tuple[str, ...] = introduced_words(self.module, self.where)

    def __reduce__(self) -> tuple[Any, ...]:
        return Author, (self.file,)  # its module cannot be imported by name

    def __call__(self, symbols: Symbols, *arguments: object, **options: object) -> pynini.Fst:
        """The machine that the builder returns; NeighborhoodError where it is none."""
        fst = self._call("build(symbols)", lambda: self.build(symbols, *arguments, **options))
        if not isinstance(fst, pynini.Fst):
            line = getattr(getattr(self.build, "__code__", None), "co_firstlineno", 1)
            raise NeighborhoodError(
                f"{self.where}:{line}: build(symbols) returned {type(fst).__name__}, not a "
                "pynini.Fst"
            )
        return fst

    def introduced(
        self, words: Sequence[str], vocabulary: Vocabulary, **options: object
    ) -> list[str]:
        """The words that the file's ``introduces`` says, and those of ``INTRODUCES``."""
        introduces = getattr(self.module, "introduces", None)
        if introduces is None:
            return [*self.always]
        what = "introduces(words, vocabulary)"
        listed = self._call(what, lambda: list(introduces(words, vocabulary, **options)))
        return [*self.always, *listed]

    def _call(self, what: str, work: Callable[[], Any]) -> Any:
        """The result of the author's code, whose errors are reported by line."""
        try:
            with _surroundings_kept():
                return work()
        except FstceError as error:
            raise type(error)(f"{self._line(error)}: {error}") from None
        except SystemExit as error:
            raise NeighborhoodError(
                f"{self._line(error)}: {what} called exit({error.code})"
            ) from None
        except Exception as error:
            raise NeighborhoodError(
                f"{self._line(error)}: {what} raised {in_one_line(error)}"
            ) from None

    def _line(self, error: BaseException) -> str:
        """The author's line where the error arose, not pynini's."""
        code = getattr(self.build, "__code__", None)
        line = _last_line(error, code.co_filename if code else self.where)
        if line is None:
            return self.where
        return f"{self.where}:{line}"


def introduced_words(module: object, where: str) -> tuple[str, ...]:
    """The words of a file's ``INTRODUCES``.

    >>> introduced_words(types.SimpleNamespace(INTRODUCES="a"), "m.py")
    Traceback (most recent call last):
    fstce.errors.NeighborhoodError: m.py: INTRODUCES = 'a' is no list of words, as ['the', 'a']
    """
    words = getattr(module, "INTRODUCES", ())
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise NeighborhoodError(
            f"{where}: INTRODUCES = {words!r} is no list of words, as ['the', 'a']"
        )

    listed = tuple(words)
    for word in listed:
        if (reason := fault(word)) is not None:
            raise NeighborhoodError(
                f"{where}: INTRODUCES has {word!r}, which cannot be a word: {reason}"
            )
    return listed


def module_of(path: Path) -> types.ModuleType:
    """Run a Python file as a module of its own, that the interpreter forgets again."""
    source = read_bytes(path, NeighborhoodError)
    module = types.ModuleType(f"fstce_author_{path.stem}")
    module.__file__ = os.fspath(path)
    # Dataclasses look their module up while it runs; no bytecode is written next to the author's
    # file.
    sys.modules[module.__name__] = module

    folder = os.fspath(path.resolve().parent)
    modules_before = set(sys.modules)
    bytecode = sys.dont_write_bytecode

    sys.path.insert(0, folder)  # for helpers that stand next to the file
    sys.dont_write_bytecode = True
    try:
        with _surroundings_kept():
            exec(
                compile(importlib.util.decode_source(source), os.fspath(path), "exec"),
                module.__dict__,
            )
    except SyntaxError as error:
        line = error.lineno if error.filename == os.fspath(path) else 1
        raise NeighborhoodError(f"{path}:{line}: this is no Python: {error.msg}") from None
    except (Exception, SystemExit) as error:
        line = _last_line(error, os.fspath(path)) or 1
        raise NeighborhoodError(
            f"{path}:{line}: loading the file raised {in_one_line(error)}"
        ) from None
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = bytecode
        for name in [name for name in sys.modules if name not in modules_before]:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if Path(file).resolve().parent == Path(folder):
                del sys.modules[name]  # another author may have a helper of this name
        del sys.modules[module.__name__]
    return module


def _last_line(error: BaseException, file: str) -> int | None:
    """The last line of a file that the error passed."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    return next((frame.lineno for frame in frames if frame.filename == file), None)


@contextmanager
def _surroundings_kept() -> Iterator[None]:
    """Standard output is no data within; files that are closed and the folder come back."""
    folder = Path.cwd()
    open_files = list[tuple[int, int]]()
    for number in (1, 2):
        with suppress(OSError):
            open_files.append((number, os.dup(number)))

    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        for number, copy in open_files:
            os.dup2(copy, number)
            os.close(copy)
        os.chdir(folder)


def summary_of(source: object) -> str:
    """The first line of a docstring, without a name in capitals that it begins with.

    >>> from fstce.transducers import trans1
    >>> summary_of(trans1)
    'the sentence, and each sentence with one pair of adjacent words transposed.'
    """
    lines = (getattr(source, "__doc__", None) or "").strip().splitlines() or [""]
    name, colon, rest = lines[0].partition(": ")
    return rest if colon and name.isupper() else lines[0]


def in_one_line(error: BaseException) -> str:
    """An exception's kind and message in one line; of a missing pynini also what to do."""
    text = " ".join(str(error).split())
    if isinstance(error, ImportError) and error.name in ("pynini", "pywrapfst", "_pywrapfst"):
        text = f"it needs pynini ({text}); conda install -c conda-forge pynini"
    return f"{type(error).__name__}: {text}".removesuffix(": ")
