"""Neighbourhoods by name: the shipped, installed packages', an author's files, expressions of them."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from types import ModuleType

import fstce.transducers
from fstce.errors import NeighborhoodError
from fstce.neighborhoods.base import Alphabet, Builder, Neighborhood, Words, beginning, numbered

__all__ = [
    "Alphabet",
    "Builder",
    "Neighborhood",
    "Words",
    "beginning",
    "direct_names",
    "named",
    "names",
    "names_over_vocabulary",
    "neighborhood",
    "numbered",
    "saved_name",
    "shipped_module",
    "unknown",
]


def neighborhood(name: str | Neighborhood) -> Neighborhood:
    """The neighbourhood of this name, as the papers spell it, in any case; or from a file; or combined.

    Parameters
    ----------
    name : str or Neighborhood
        A name (``trans1``), that of an installed package's entry point, a path (``./mine.py``,
        ``mine.fst``, ``mine.txt``, ``archive.far:key``, ``lattices.far``), or an expression of
        them (``trans1 | del1word``); see :mod:`fstce.neighborhoods.expressions`.

    Raises
    ------
    NeighborhoodError
        The name is unknown; the message gives the nearest that is known. Or a file holds no
        neighbourhood, or an expression is none; says where.

    Examples
    --------
    >>> neighborhood("DEL1SUBSEQ")("a b c".split()).count()
    6
    >>> neighborhood("trans1 | del1word")("a b c".split()).count()
    6
    """
    from fstce.neighborhoods.expressions import is_expression, parse

    if isinstance(name, Neighborhood):
        return name
    if not isinstance(name, str):
        raise NeighborhoodError(f"a neighbourhood is a name or a Neighborhood, not {type(name).__name__}")
    known = named(name.strip())
    if known is not None:
        return known
    if is_expression(name):
        return parse(name)
    raise NeighborhoodError(unknown(name))


def named(name: str) -> Neighborhood | None:
    """The neighbourhood of a single name or path, None where it is neither."""
    from fstce.neighborhoods.author_files import load, registered

    direct = _direct(name.lower())
    if direct is not None:
        return direct
    if name.lower() in _modules():
        return _shipped(name.lower())
    return load(name) or registered(name)


def unknown(name: str) -> str:
    """What to say of an unknown name: the nearest, and all that are known."""
    from fstce.neighborhoods.author_files import registered_names

    known = [*names(), *names_over_vocabulary(), *registered_names(), *direct_names()]
    near = difflib.get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"unknown neighbourhood {name!r}; {hint}known: {', '.join(known)}"


def names() -> list[str]:
    """The names of the transducers that come with fstce and need nothing but a sentence."""
    return [name for name in _modules() if not hasattr(shipped_module(name), "NEEDS")]


def names_over_vocabulary() -> list[str]:
    """The names of those that take words from a vocabulary."""
    return [name for name in _modules() if hasattr(shipped_module(name), "NEEDS")]


def direct_names() -> list[str]:
    """The names of those that are no transducers; ``window3`` stands for all sizes of a window."""
    from fstce.neighborhoods.corpus_wide import HALVES

    return ["rotations", "window3", "training-set", *(f"half:{half}" for half in HALVES)]


def shipped_module(name: str) -> ModuleType:
    """The file of a transducer that comes with fstce."""
    return importlib.import_module(f"fstce.transducers.{name}")


@cache
def _modules() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(fstce.transducers.__path__)))


@cache
def _direct(name: str) -> Neighborhood | None:
    """The neighbourhood of this name that is no transducer, if there is one."""
    from fstce.neighborhoods.corpus_wide import HALVES, ConditionalHalf, TrainingSet
    from fstce.neighborhoods.windows import made

    if name == "training-set":
        return TrainingSet()
    kind, _, half = name.partition(":")
    return ConditionalHalf(HALVES[half], name) if kind == "half" and half in HALVES else made(name)


@cache
def _shipped(name: str) -> Neighborhood:
    from fstce.neighborhoods.author_files import warn_of_namesakes
    from fstce.neighborhoods.over_vocabulary import OverVocabulary

    warn_of_namesakes(name)
    module = shipped_module(name)
    if hasattr(module, "NEEDS"):
        return OverVocabulary(module.build, module.introduces, name, readers=getattr(module, "OPTIONS", {}))
    return Neighborhood(
        module.build,
        name,
        equivariant=getattr(module, "EQUIVARIANT", False),
        introduces=getattr(module, "INTRODUCES", ()),
        orders=getattr(module, "orders", None),
    )


def saved_name(kind: str | Neighborhood) -> str:
    """The name of a neighbourhood; one of the user's own never takes a shipped one's name."""
    if isinstance(kind, str):
        return kind
    shipped = kind.name.lower() in names() and neighborhood(kind.name) is kind
    return f"{kind.name} [own]" if kind.name.lower() in names() and not shipped else kind.name
