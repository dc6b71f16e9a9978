"""Whether what a verb will write can be written, asked before the work."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

from fstce.console.output import note
from fstce.errors import ParameterError


def check_model(folder: Path | None, kind: str) -> None:
    """Whether a model can be saved."""
    from fstce.storage.folder import check_place

    if folder is not None:
        check_place(folder, kind)


def one_training(folder: Path | None) -> AbstractContextManager[None]:
    """While it lasts no other training writes to this folder."""
    from fstce.storage.folder import alone

    return alone(folder)


def note_unsaved(folder: Path | None, quiet: bool) -> None:
    """Say, before it is trained, that a model will not be saved where no folder is given."""
    if folder is None and not quiet:
        note("no --output: the model will not be saved")


def check_resumed(folder: Path | None, resume: bool) -> None:
    """Raise ParameterError where a model is to be gone on with that is not named."""
    if resume and folder is None:
        raise ParameterError("--resume goes on with the model in --output: name its folder")


def check_file(path: Path | None, *suffixes: str, option: str = "--output") -> None:
    """Whether a file can be written; None is no file."""
    if path is None:
        return
    if suffixes and path.suffix.lower() not in suffixes:
        raise ParameterError(f"{option} {path}: the suffix says what is written; use {' '.join(suffixes)}")
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        raise ParameterError(f"{option} {os.fspath(path)!a}: the path is not UTF-8; choose another") from None
    if path.is_dir():
        raise ParameterError(f"{option} {path}: cannot be written: it is a folder; name a file")
    if not path.parent.is_dir():
        raise ParameterError(f"{option} {path}: cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise ParameterError(
            f"{option} {path}: cannot be written: {path.parent} is read-only; choose another"
        )
