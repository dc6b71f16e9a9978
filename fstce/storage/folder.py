"""Saving model folders: written next to their place and swapped in whole.

Saving never leaves less than there was: :func:`save_folder` renames the old model aside
(``.NAME.fstce-old``), renames the new one into its place, and only then removes the old. Killed
in between, it leaves the old one aside, where :func:`model_folder` and thus every loader
finds it; the half-written new one (``.NAME.`` and 32 digits) goes with the next save of that
model: a writer locks its folder as long as it lives. What a folder holds is the business of
``manifest``, whose names are here too.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from fstce.errors import MachineError, ModelFileError
from fstce.storage.atomic import reason
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
from fstce.storage.scratch import locked, sweep

__all__ = [
    "alone",
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

    ``path``: where the model shall be; its parent folder must exist. ``writer``: fills the empty folder that
    it is given, and ends with :func:`write_manifest`.
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
def alone(path: str | os.PathLike[str] | None) -> Iterator[None]:
    """While it lasts no other process enters this with the same path: one training a folder.

    ``path``: a model's folder, there or not; without one there is nothing to share. The lock is a file next
    to it, ``.NAME.fstce-lock``, which ends with the block; a killed process holds none.
    """
    if path is None:
        yield
        return
    folder = _resolved(path)
    lock = folder.with_name(f".{folder.name}.fstce-lock")
    while True:
        descriptor = _opened(lock, folder)
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # Some file systems have no locks; there it goes on without.
            if error.errno in (errno.EACCES, errno.EAGAIN):
                os.close(descriptor)
                raise ModelFileError(
                    f"{path}: another training is writing there; wait for its end or choose another folder"
                ) from None
        try:
            if _is_same(descriptor, lock):  # else whoever had it before has removed it meanwhile
                try:
                    yield
                finally:
                    lock.unlink(missing_ok=True)
                return
        finally:
            os.close(descriptor)


def _opened(lock: Path, folder: Path) -> int:
    try:
        return os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise ModelFileError(
            f"{folder}: cannot be saved ({reason(error, folder.parent)}); choose another folder"
        ) from None


def _is_same(descriptor: int, path: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


@contextmanager
def _beside(path: str | os.PathLike[str], kind: str) -> Iterator[tuple[Path, Path]]:
    """The model's folder and a new one next to it, gone at the end; errors are in the user's words."""
    folder = _resolved(path)
    try:
        _check_place(folder, kind)
        # What saves of this model have left that were killed.
        sweep(folder.parent, rf"\.{re.escape(folder.name)}\.[0-9a-f]{{32}}")
        with locked(partial(_temporary, folder)) as temporary:
            yield folder, temporary
    except ModelFileError:
        raise
    except (OSError, MachineError, UnicodeError) as error:
        raise ModelFileError(
            f"{path}: the {kind} cannot be saved ({reason(error, folder.parent)}); choose another folder"
        ) from None


def _resolved(path: str | os.PathLike[str]) -> Path:
    """The folder that a path means; raises ModelFileError where it means none, or OpenFst cannot say it."""
    try:
        folder = Path(path).resolve()
        os.fspath(folder).encode("utf-8")
    except UnicodeEncodeError:
        raise ModelFileError(
            f"{os.fspath(path)!a}: cannot be saved: the path is not UTF-8; choose another folder"
        ) from None
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelFileError(
            f"{os.fspath(path)!a}: cannot be saved: no path ({error}); choose another folder"
        ) from None
    return folder


def _temporary(folder: Path) -> Path:
    """A new folder next to this one."""
    temporary = folder.parent / f".{folder.name}.{uuid.uuid4().hex}"
    temporary.mkdir()
    return temporary


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
    except ModelFileError as error:
        if error.__cause__ is not None:  # there is a manifest, which cannot be opened now
            raise
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
