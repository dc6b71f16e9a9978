"""A learned inducer as a saved state, bit for bit.

================  =====================================================================
``model.json``    the manifest: parameters, why the induction ended
``grammar.npz``   the steps of the induction and its text, so that it can be resumed
``rules.txt``     the classes to read, one a line; not read back
================  =====================================================================

A grammar is one file: ``numpy.load`` opens its arrays and ``unzip -p FILE grammar.json`` shows all
else. The state of an induction is its raw text rewritten by the steps.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError, ModelFileError, ParameterError
from fstce.induction.grammar import Grammar, InductionStep
from fstce.induction.parameters import Options
from fstce.induction.text import Units
from fstce.machines.files import existing
from fstce.numeric.types import Ints, Ints32
from fstce.storage.arrays import Archive, write_arrays
from fstce.storage.atomic import replacing

KIND = "constituent grammar"
GRAMMAR, RULES = "grammar.npz", "rules.txt"
FORMAT = "fstce distribution"
FORMAT_VERSION = 1
_MEMBER = "grammar.json"
_ADVICE = "copy it or save it again"
_NUMBERS = ("left", "right", "unit", "attachment")
_FLOATS = ("probability", "preference")
_LISTS = ("admitted", "dismissed", "counts")


def rules_text(grammar: Grammar) -> str:
    """The classes, one a line."""
    return "".join(f"{rule}\n" for rule in grammar.rules())


def write(grammar: Grammar, text: Ints32, path: str | os.PathLike[str]) -> None:
    """Write a grammar with the raw text that it was learned from."""
    head = {"format": FORMAT, "format_version": FORMAT_VERSION, "options": grammar.options.to_dict()}
    content = json.dumps({**head, "words": grammar.units.words}, ensure_ascii=False)
    with replacing(path, ModelFileError) as temporary:
        member = {_MEMBER: content.encode("utf-8", "surrogatepass")}
        write_arrays(temporary, {**_to_arrays(grammar), "text": text}, compress=True, text=member)


def read(path: str | os.PathLike[str]) -> tuple[Grammar, Ints32]:
    """A grammar and the raw text that it was learned from."""
    try:
        archive = Archive(existing(Path(path)))
        content = json.loads(archive.text(_MEMBER).decode("utf-8", "surrogatepass"))
    except MachineError as error:
        raise ModelFileError(str(error)) from None
    except (ValueError, RecursionError):
        raise ModelFileError(f"{path}: damaged, or no grammar that fstce wrote; {_ADVICE}") from None
    _check_version(content, path)
    try:
        arrays = dict(archive)
        return _from_arrays(content, arrays), arrays["text"]
    except (KeyError, IndexError, TypeError, ValueError, ParameterError) as error:
        raise ModelFileError(f"{path}: damaged ({error}); {_ADVICE}") from None


def _check_version(content: Any, path: str | os.PathLike[str]) -> None:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ModelFileError(f"{path}: no grammar that fstce wrote; {_ADVICE}")
    if content.get("format_version") != FORMAT_VERSION:
        raise ModelFileError(
            f"{path}: format version {content.get('format_version')!r}, this fstce reads {FORMAT_VERSION}; "
            "use the fstce that wrote it"
        )


def _to_arrays(grammar: Grammar) -> dict[str, NDArray[Any]]:
    steps, width = grammar.steps, grammar.options.max_length + 1
    arrays: dict[str, NDArray[Any]] = {"contexts": grammar.contexts}
    arrays["top"] = np.array([(unit, *counts) for unit, counts in grammar.top.items()], np.int64).reshape(
        -1, 3
    )
    for name in _NUMBERS:
        arrays[name] = np.array([getattr(step, name) for step in steps], np.int32)
    for name in _FLOATS:
        arrays[name] = np.array([getattr(step, name) for step in steps], np.float64)
    for name in _LISTS:
        columns = [getattr(step, name) for step in steps]
        arrays[f"n_{name}"] = np.array([len(column) for column in columns], np.int64)
        arrays[name] = np.concatenate([np.zeros(0, np.int64), *columns])
    arrays["expressions"] = np.concatenate(
        [np.zeros((0, width), np.int32), *(step.expressions for step in steps)]
    )
    return arrays


def _from_arrays(content: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Grammar:
    options = Options(**content["options"])
    columns: dict[str, list[Any]] = {name: arrays[name].tolist() for name in (*_NUMBERS, *_FLOATS)}
    for name in _LISTS:
        columns[name] = _split(arrays[name], arrays[f"n_{name}"])
    columns["expressions"] = _split(arrays["expressions"], arrays["n_counts"])
    steps = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    top = {unit: (before, last) for unit, before, last in arrays["top"].tolist()}
    units = Units(content["words"], options.fold_case)
    return Grammar(units, options, arrays["contexts"], tuple(InductionStep(**step) for step in steps), top)


def _split(flat: NDArray[Any], sizes: Ints) -> list[NDArray[Any]]:
    parts = np.split(flat, np.cumsum(sizes)[:-1]) if len(sizes) else []
    return [part.astype(np.int32) if part.dtype.kind == "i" else part for part in parts]
