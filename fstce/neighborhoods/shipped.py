"""The neighborhoods that come with fstce, by name: transducers, and what is no transducer."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

import fstce.transducers
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.direct import HALVES, made
from fstce.neighborhoods.over_vocabulary import OverVocabulary


def shipped(name: str) -> Neighborhood | None:
    """The neighborhood of this name in lower case, None where fstce has none.

    >>> shipped("trans1"), shipped("half:odd"), shipped("trans7")
    (<Neighborhood trans1>, <Neighborhood half:odd>, None)
    """
    return made(name) or (_transducer(name) if name in _modules() else None)


def names() -> list[str]:
    """The names of the transducers that come with fstce and need nothing but a sentence."""
    return [name for name in _modules() if not hasattr(shipped_module(name), "NEEDS")]


def names_over_vocabulary() -> list[str]:
    """The names of those that take words from a vocabulary."""
    return [name for name in _modules() if hasattr(shipped_module(name), "NEEDS")]


def direct_names() -> list[str]:
    """The names of those that are no transducers; ``window3`` stands for all sizes of a window."""
    return ["rotations", "window3", "training-set", *(f"half:{half}" for half in HALVES)]


def shipped_module(name: str) -> ModuleType:
    """The file of a transducer that comes with fstce."""
    return importlib.import_module(f"fstce.transducers.{name}")


@cache
def _modules() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules(fstce.transducers.__path__)))


@cache
def _transducer(name: str) -> Neighborhood:
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
