"""Saving model folders: written beside their place and swapped in whole.

Saving never leaves less than there was: :func:`save_folder` renames the old model aside
(``.NAME.fstce-old``), renames the new one into its place, and only then removes the old. Killed
in between, it leaves the old one aside, where :func:`model_folder` and thus every loader
finds it. What a folder holds is the business of ``manifest``, whose names are here too.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from fstce.errors import MachineError, ModelFileError
from fstce.storage.manifest import (
    MANIFEST,
    aside,
    check_digests,
    digests,
    model_folder,
    parsed,
    read_manifest,
    write_manifest,
)

__all__ = [
    "check_digests",
    "check_place",
    "digests",
    "model_folder",
    "read_manifest",
    "save_folder",
    "write_manifest",
]


def save_folder(path: str | os.PathLike[str], writer: Callable[[Path], None], kind: str) -> None:
    """Write a model folder, whole or not at all, in place of an earlier model of this kind.

    Parameters
    ----------
    path : path
        Where the model shall be; its parent folder must exist.
    writer : callable
        Fills the empty folder that it is given, and ends with :func:`write_manifest`.
    kind : str
        What is saved: ``"tagger"``.

    Raises
    ------
    ModelFileError
        The place is a file, holds something else than a model of this kind, or cannot be
        written; what was there is unchanged.
    """
    with _beside(path, kind) as (folder, temporary):
        writer(temporary)
        _flush(temporary)
        _swap(temporary, folder)


def check_place(path: str | os.PathLike[str], kind: str) -> None:
    """Raise the ModelFileError with which a save would fail here, before time is spent on a model."""
    with _beside(path, kind):
        pass


@contextmanager
def _beside(path: str | os.PathLike[str], kind: str) -> Iterator[tuple[Path, Path]]:
    """The model's folder and a new one beside it, gone at the end; errors are told in the user's words."""
    folder = Path(path).resolve()
    temporary = folder.parent / f".{folder.name}.{uuid.uuid4().hex}"
    try:
        _check_place(folder, kind)
        temporary.mkdir()
        yield folder, temporary
    except ModelFileError:
        raise
    except (OSError, MachineError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(
            f"{path}: the {kind} cannot be saved ({reason}); choose another folder"
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _check_place(folder: Path, kind: str) -> None:
    """Raise unless nothing but a model of this kind would be lost."""
    if not folder.parent.is_dir():
        raise ModelFileError(f"{folder}: cannot be saved: there is no folder {folder.parent}; make it first")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ModelFileError(f"{folder}: is a file; name a folder for the model")
    present = {entry.name for entry in folder.iterdir()}
    if present:
        _check_replaceable(folder, present, kind)


def _check_replaceable(folder: Path, present: set[str], kind: str) -> None:
    try:
        content = parsed(folder)
    except ModelFileError:
        first = sorted(present)[0]
        raise ModelFileError(
            f"{folder}: holds {first!r} and no fstce model, so it is not replaced; "
            "choose a new or empty folder"
        ) from None
    if content.get("kind") != kind:
        raise ModelFileError(
            f"{folder}: holds a model of kind {content.get('kind')!r}, which a {kind} does not replace; "
            "choose another folder"
        )
    strange = sorted(present - set(content["files"]) - {MANIFEST})
    if strange:
        raise ModelFileError(
            f"{folder}: holds {strange[0]!r}, which is not part of the model and would be lost; move it away"
        )


def _swap(temporary: Path, folder: Path) -> None:
    kept = aside(folder)
    try:
        if folder.exists():
            shutil.rmtree(kept, ignore_errors=True)
            folder.rename(kept)
        temporary.rename(folder)
    except BaseException:
        if kept.exists() and not folder.exists():
            kept.rename(folder)
        raise
    _sync(folder.parent)
    shutil.rmtree(kept, ignore_errors=True)


def _flush(folder: Path) -> None:
    """Bring files and folder to the disk, so that the renames cannot overtake them."""
    for file in (*folder.iterdir(), folder):
        _sync(file)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
