"""Which format a file has, and which files of a folder or archive are read.

A single file's format follows from its suffix, plain text being what is left. In a folder
only known suffixes count, ``.txt`` only where nothing else is found (treebanks come with
a licence in it), and ``.prd`` only without ``.mrg`` (the Penn Treebank has every tree in
both, without tags in ``.prd``).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from fstce.errors import CorpusError, ParameterError

SUFFIXES: dict[str, tuple[str, ...]] = {
    "penn": (".mrg", ".prd", ".psd", ".penn"),
    "conllu": (".conllu",),
    "conllx": (".conll", ".conllx", ".dp"),
    "tagged": (".pos", ".tagged"),
    "plain": (".txt",),
}


def check_choice(parameter: str, value: str, choices: Iterable[str]) -> None:
    """Raise ParameterError, with the nearest choice, unless the value is one of the choices."""
    names = list(choices)
    if value not in names:
        near = difflib.get_close_matches(str(value), names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else "choose one of " + ", ".join(map(repr, names))
        raise ParameterError(f"{parameter} {value!r} is unknown; {hint}")


def format_of(name: str) -> str:
    """The format that a file's suffix says.

    >>> format_of("wsj_0001.mrg"), format_of("en-ud-train.conllu"), format_of("novel")
    ('penn', 'conllu', 'plain')
    """
    suffix = PurePath(name).suffix.lower()
    return next((format for format, suffixes in SUFFIXES.items() if suffix in suffixes), "plain")


def choose_members(names: Sequence[str], format: str | None, where: str) -> tuple[list[str], str]:
    """The files to read among the members of a folder or archive, and their one format.

    Parameters
    ----------
    names : sequence of str
        Relative names, sorted.
    format : str or None
        The format asked for, None to infer it.
    where : str
        What messages call the folder.

    Returns
    -------
    list of str
        The chosen names, in order.
    str
        Their format.

    Raises
    ------
    CorpusError
        There is no file of a known suffix, or there are several formats.

    Examples
    --------
    >>> choose_members(["LICENSE.txt", "dev.conllu", "test.conllu"], None, "ud")
    (['dev.conllu', 'test.conllu'], 'conllu')
    """
    sought = _sought(format)
    known = [name for name in names if PurePath(name).suffix.lower() in sought]
    found = sorted({format_of(name) for name in known} - {"plain"}) or ["plain"]
    if not known:
        raise CorpusError(f"{where}: no file to read; sought the suffixes {' '.join(sought)}")
    if len(found) > 1:
        raise CorpusError(f"{where}: files of several formats ({', '.join(found)}); choose one with format=")
    return _without_untagged([name for name in known if format_of(name) == found[0]]), found[0]


def _sought(format: str | None) -> tuple[str, ...]:
    return SUFFIXES[format] if format else tuple(suffix for group in SUFFIXES.values() for suffix in group)


def _without_untagged(names: list[str]) -> list[str]:
    tagged = any(name.lower().endswith(".mrg") for name in names)
    return [name for name in names if not (tagged and name.lower().endswith(".prd"))]
