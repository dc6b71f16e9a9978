"""Neighborhoods by name: the shipped, installed packages', an author's files, expressions of them."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from fstce.errors import NeighborhoodError
from fstce.estimation.rules import EXPONENT, check_arguments
from fstce.machines.openfst import pywrapfst
from fstce.neighborhoods.author_files import load, registered, registered_names, warn_of_namesakes
from fstce.neighborhoods.base import FileNeighborhood, Neighborhood
from fstce.neighborhoods.expressions import is_expression, parse
from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary, shipped
from fstce.neighborhoods.word_machines import in_memory
from fstce.numeric.rules import instance

AUTO = "auto"  # what a tagger makes of it, fstce.tagging.criteria says


NAMED = instance("a name, a Neighborhood or a machine", "str", "Neighborhood", "Fst", "FST")  # pyfoma's last


def neighborhood(
    name: str | Neighborhood | pywrapfst.Fst, *, weighted: bool = False, exponent: float | None = None
) -> Neighborhood:
    """The neighborhood of this name, as the papers spell it, in any case; or from a file; or combined.

    Parameters
    ----------
    name : str, Neighborhood or Fst
        A name (``trans1``), that of an installed package's entry point, a path (``./mine.py``,
        ``mine.fst``, ``mine.txt``, ``archive.far:key``, ``lattices.far``), or an expression of
        them (``trans1 | del1word``); see :mod:`fstce.neighborhoods.expressions`. Or a machine of
        pynini, pywrapfst or pyfoma whose symbols are words.
    weighted : bool
        Whether the weights of a compiled machine count; without it, one with weights is refused.
    exponent : float, optional
        By which weights are multiplied: probabilities to its power.

    Returns
    -------
    Neighborhood

    Raises
    ------
    NeighborhoodError
        The name is unknown; the message gives the nearest that is known. Or a file holds no
        neighborhood, or an expression is none; says where.

    Examples
    --------
    >>> neighborhood("DEL1SUBSEQ")("a b c".split()).count()
    6
    >>> neighborhood("trans1 | del1word")("a b c".split()).count()
    6
    """
    NAMED.check(name=name)
    check_arguments(weighted=weighted)
    EXPONENT.check(exponent=exponent)
    if weighted or exponent is not None:
        return _with_weights(name, weighted, exponent)
    if isinstance(name, Neighborhood):
        return name
    if not isinstance(name, str):
        return in_memory(name)
    known = None if name.strip().lower() == AUTO else named(name.strip())
    if known is not None:
        return known
    if is_expression(name):
        return parse(name, _single)
    raise NeighborhoodError(unknown(name))


def _with_weights(
    source: str | Neighborhood | pywrapfst.Fst, weighted: bool, exponent: float | None
) -> Neighborhood:
    """What has weights, which count."""
    if not isinstance(source, str | Neighborhood):
        kind = in_memory(source, weighted)
    elif isinstance(source, str) and weighted:
        kind = load(source.strip(), weighted=True) or neighborhood(source)
    else:
        kind = neighborhood(source)
    if not kind.weighted:
        raise NeighborhoodError(
            f"{kind.name} has no weights; weighted and exponent are for compiled machines (.fst, "
            "archive.far:key), and a file of Python says WEIGHTED = True itself"
        )
    if exponent is None:
        return kind
    return kind.changed(exponent=float(exponent))


def named(name: str) -> Neighborhood | None:
    """The neighborhood of a single name or path, None where it is neither."""
    found = shipped(name.lower())
    if found is None:
        return load(name) or registered(name)
    warn_of_namesakes(name.lower())
    return found


def _single(name: str) -> Neighborhood:
    """The same; raises NeighborhoodError where it is neither."""
    found = named(name)
    if found is None:
        raise NeighborhoodError(unknown(name))
    return found


def unknown(name: str) -> str:
    """What to say of an unknown name: the nearest, and all that are known."""
    if name.lower() == AUTO:
        return f"{AUTO} is no neighborhood: it is a tagger's choice of some to train on; name one, as trans1"
    known = [*names(), *names_over_vocabulary(), *registered_names(), *direct_names()]
    near = difflib.get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    own_file = Path(f"{name}.py")
    if os.sep not in name and own_file.is_file():
        hint = f"did you mean the file ./{own_file}? "
    return f"unknown neighborhood {name!r}; {hint}known: {', '.join(known)}"


def saved_name(kind: str | Neighborhood) -> str:
    """The name of a neighborhood; one of the user's own never takes a shipped one's name."""
    if isinstance(kind, str):
        return kind
    own = kind.name.lower() in names() and neighborhood(kind.name) is not kind
    return f"{kind.name} [own]" if own else kind.name


FileNeighborhood.resolve = neighborhood
