"""Every error fstce raises on purpose, each also of the built-in kind a caller would expect.

A message speaks the user's words: which file and line, sentence, machine or
operation, and what to do about it. The command line prints it as one line.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "CorpusError",
    "DictionaryError",
    "FstceError",
    "MachineError",
    "MissingToolError",
    "ModelFileError",
    "NeighborhoodError",
    "NotFittedError",
    "NothingToLearn",
    "ParameterError",
    "ShardError",
]


class FstceError(Exception):
    """The base of all errors that fstce raises on purpose."""


class CorpusError(FstceError, ValueError):
    """Text or a treebank that cannot be read; the message names file and line."""


class DictionaryError(FstceError, ValueError):
    """A tagging dictionary that cannot be read or lacks a word's tags."""


class MachineError(FstceError, ValueError):
    """A finite-state operation that failed; names sentence, machine and operation."""


class NeighborhoodError(FstceError, ValueError):
    """A neighborhood that is unknown, or that broke its contract on a sentence."""


class ModelFileError(FstceError, OSError):
    """A model folder that is missing, damaged, foreign or of another version."""


class ParameterError(FstceError, ValueError):
    """A parameter outside its range."""


class NothingToLearn(NeighborhoodError, UserWarning):
    """Sentences contrasted with themselves alone.

    A warning of the library, an error of its verbs.
    """


class NotFittedError(FstceError, ValueError, AttributeError):
    """An estimator asked for what only training gives it."""


class MissingToolError(FstceError, RuntimeError):
    """An optional program or package that is not installed."""


class ShardError(FstceError, OSError):
    """A shard of a corpus that is missing, damaged, of another corpus, or cannot be written."""


def optional(module: str, missing: str, name: str = "") -> Any:
    """A module of an optional package, or what it has by this name.

    Where it is missing, or another module has its place, a MissingToolError says so in these words.
    """
    try:
        found = import_module(module)
        return getattr(found, name) if name else found
    except (ImportError, AttributeError):
        raise MissingToolError(missing) from None
