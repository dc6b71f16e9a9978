"""Neighborhoods by name: the shipped, an author's files, expressions of them.

=====================  =============================================================================
``./mine.py``          ``def build(symbols) -> Fst``, or ``build(symbols, sentence)``, with the ids
                       of the sentence's words; ``EQUIVARIANT = True`` where all words are
                       alike; ``INTRODUCES = [...]``: words to insert that a sentence may not have;
                       ``NEEDS = "vocabulary"``: see :mod:`fstce.neighborhoods.over_vocabulary`
``mine.fst``           a transducer whose symbols are words; ``archive.far:key`` one of an archive
``mine.hfst, .foma``   the same in HFST's and foma's files
``mine.txt, .att``     the same as lines of text: see :mod:`fstce.neighborhoods.word_machines`
``lattices.far``       precomputed lattices, one a sentence, in order
=====================  =============================================================================

A file is read again when it has changed. What it imports is installed, or stands next to it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from fstce.corpora.documents import expanded, is_file
from fstce.errors import MachineError, NeighborhoodError
from fstce.machines.convert import SUFFIXES as MACHINE_SUFFIXES
from fstce.machines.convert import TEXT_SUFFIXES, archived, suffix_of
from fstce.machines.files import existing
from fstce.machines.openfst import pywrapfst
from fstce.neighborhoods.author import Author
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.expressions import is_expression, parse
from fstce.neighborhoods.first_use import try_import
from fstce.neighborhoods.over_vocabulary import NEEDS, OverVocabulary
from fstce.neighborhoods.precomputed import PrecomputedLattices
from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary, shipped
from fstce.neighborhoods.word_machines import compiled, in_memory, text
from fstce.parameters.rules import did_you_mean, instance
from fstce.parameters.tables import check_arguments

AUTO = "auto"  # what a tagger makes of it, fstce.tagging.criteria says
# The last is pyfoma's
NAMED = instance("a name, a Neighborhood or a machine", "str", "Neighborhood", "Fst", "FST")
SUFFIXES = (".py", *MACHINE_SUFFIXES)


def neighborhood(
    name: str | Neighborhood | pywrapfst.Fst, *, weighted: bool = False
) -> Neighborhood:
    """The neighborhood of this name in any case, of a file, or of a combination.

    Parameters
    ----------
    name : str, Neighborhood or Fst
        A name (``trans1``), a path (``./mine.py``, ``mine.fst``, ``mine.txt``,
        ``archive.far:key``, ``lattices.far``), or an expression of them
        (``trans1 | del1word``); see :mod:`fstce.neighborhoods.expressions`. Or a machine of
        pynini, pywrapfst or pyfoma whose symbols are words.
    weighted : bool
        Whether the weights of a compiled machine count; without it, one with weights is refused.

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

    if isinstance(name, Neighborhood):
        result = name
    elif not isinstance(name, str):
        result = in_memory(name, weighted)
    else:
        by_name = named(name.strip(), weighted)
        result = by_name or (parse(name, _single) if is_expression(name) else _single(name))

    if weighted and not result.weighted:
        raise NeighborhoodError(
            f"{result.name} has no weights; weighted is for compiled machines (.fst, "
            "archive.far:key), and a file of Python says WEIGHTED = True itself"
        )
    return result


def named(name: str, weighted: bool = False) -> Neighborhood | None:
    """The neighborhood of a single name or path, None where it is neither."""
    return shipped(name.lower()) or load(name, weighted)


def _single(name: str) -> Neighborhood:
    """The neighborhood of a name or path; raises NeighborhoodError where it is neither."""
    result = named(name)
    if result is None:
        raise NeighborhoodError(unknown(name))
    return result


def unknown(name: str) -> str:
    """The message about an unknown name: the nearest, and all that are known."""
    if name.lower() == AUTO:
        return f"{AUTO} is no neighborhood but a tagger's choice of some; name one, as trans1"
    names_known = [*names(), *names_over_vocabulary(), *direct_names()]
    hint = did_you_mean(name.lower(), names_known) or ";"
    own_file = f"{name}.py"
    if os.sep not in name and is_file(own_file):
        hint = f"; did you mean the file ./{own_file}?"
    return f"unknown neighborhood {name!r}{hint} known: {', '.join(names_known)}"


def saved_name(kind: str | Neighborhood) -> str:
    """The name of a neighborhood; one of the user's own never takes a shipped one's name."""
    if isinstance(kind, str):
        return kind
    is_users = kind.name.lower() in names() and neighborhood(kind.name) is not kind
    return f"{kind.name} [own]" if is_users else kind.name


def load(name: str, weighted: bool = False) -> Neighborhood | None:
    """The neighborhood in the file of this name, None where the name looks like no file."""
    file, key = archived(name)
    path = expanded(file)
    if suffix_of(path) not in SUFFIXES or (is_expression(file) and not path.is_file()):
        return None
    if key is not None and is_expression(key):
        return None

    try:
        state = existing(path).stat()
    except MachineError as error:
        raise NeighborhoodError(f"{error}, or the name of the neighborhood") from None

    place = (os.fspath(path.resolve()), state.st_mtime_ns, state.st_size)
    return _loaded(name, path, key, place, weighted)


def authored(name: str, path: Path) -> Neighborhood:
    """The neighborhood of a file's build, EQUIVARIANT, INTRODUCES, NEEDS, OPTIONS, WEIGHTED."""
    author = Author(path)
    said = vars(author.module)
    needs = said.get("NEEDS")
    if needs == NEEDS:
        return OverVocabulary(author, author.introduced, name, readers=said.get("OPTIONS"))
    if needs is not None:
        raise NeighborhoodError(
            f"{path}: NEEDS = {needs!r} is unknown; a builder may need {NEEDS!r}"
        )

    return Neighborhood(
        author,
        name,
        equivariant=bool(said.get("EQUIVARIANT")),
        introduces=author.always,
        weighted=bool(said.get("WEIGHTED")),
    )


@lru_cache(maxsize=64)
def _loaded(
    name: str, path: Path, key: str | None, state: tuple[str, int, int], weighted: bool
) -> Neighborhood:
    """By its suffix; `state` makes a changed file a new one."""
    suffix = suffix_of(path)
    if suffix == ".py":
        try_import(path)
        return authored(name, path)
    if suffix in TEXT_SUFFIXES:
        return text(name, path)
    if suffix == ".far" and key is None:
        return PrecomputedLattices(name, path)
    return compiled(name, path, key, weighted)
