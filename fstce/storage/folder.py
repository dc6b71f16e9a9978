"""Saving model folders: written next to their place and swapped in whole.

Saving never leaves less than there was: :func:`save_folder` renames the old model aside
(``.NAME.fstce-old``), renames the new one into its place, and only then removes the old. Killed
in between, it leaves the old one aside, where :func:`model_folder` and thus every loader
finds it; the half-written new one (``.NAME.`` and 32 digits) goes with the next save of that
model: a writer locks its folder as long as it lives.

The manifest, ``model.json``, says what a folder holds, and proves that nothing has changed: it
names the format and its version, the kind of model and the version of fstce that wrote it, holds
the entries of that kind, and a SHA-256 digest of every other file and of itself. A model within a
model lies among its files under a prefix, its manifest too: ``grammar-model.json`` lists
``grammar-weights.npz`` as ``weights.npz``.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fstce.errors import MachineError, ModelFileError
from fstce.numeric.types import PathName
from fstce.processes.signals import undisturbed
from fstce.storage.atomic import hashed, reason
from fstce.storage.locks import fresh, in_turn, locked, sweep
from fstce.version import __version__


def save_folder(path: PathName, writer: Callable[[Path], None], kind: str) -> None:
    """Write a model folder, whole or not at all, in place of an earlier model of this kind.

    ``writer`` fills the empty folder that it is given, and ends with :func:`write_manifest`.
    """
    _replace(path, writer, lambda folder, _: _check_place(folder, kind))


def write_folder(
    path: PathName,
    writer: Callable[[Path], None],
    earlier: Callable[[Path], Collection[str]],
) -> None:
    """Write files into a folder, all of them or none; what else is there stays.

    ``writer`` fills the empty folder that it is given. ``earlier``: the names of the files of a
    folder that the new ones replace; raises OSError where there is something that must not be
    replaced.
    """

    def keep_others(folder: Path, new: Path) -> None:
        if folder.exists():
            _link_others(folder, new, earlier(folder))

    _replace(path, writer, keep_others)


def _replace(
    path: PathName, writer: Callable[[Path], None], prepare: Callable[[Path, Path], None]
) -> None:
    """Put what a writer makes into the place of a folder, once both are prepared for it."""
    with _beside(path) as (folder, temporary):
        writer(temporary)
        for file in (*temporary.iterdir(), temporary):
            _sync(file)  # so that the renames cannot overtake them

        with in_turn(folder.parent):
            if not folder.exists() and aside(folder).is_dir():  # killed between two renames
                aside(folder).rename(folder)

            prepare(folder, temporary)
            with undisturbed():
                _swap(temporary, folder)


def _link_others(folder: Path, new: Path, replaced: Collection[str]) -> None:
    """Give a new folder the rights of this one and its files, but for files of these names."""
    shutil.copymode(folder, new)
    for entry in sorted(folder.iterdir()):
        if entry.name in replaced:
            continue

        target = new / entry.name
        if target.exists():
            raise FileExistsError(f"{entry.name} is of no earlier export and would be replaced")

        if entry.is_dir() and not entry.is_symlink():
            shutil.copytree(entry, target, symlinks=True, copy_function=_link)
        else:
            _link(entry, target)


def _link(source: PathName, target: PathName) -> None:
    """A second name of a file; a copy where the file system has none."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def check_place(path: PathName, kind: str) -> None:
    """Raise the ModelFileError with which a save would fail here.

    It is raised before time is spent on a model.
    """
    with _beside(path) as (folder, _), in_turn(folder.parent):
        _check_place(folder, kind)


@contextmanager
def alone(path: PathName) -> Iterator[None]:
    """While it lasts no other process enters this with the same path, by a lock next to it."""
    folder = _resolved(path)
    lock = folder.with_name(f".{folder.name}.fstce-lock")
    busy = "another training is writing there; wait for its end or choose another folder"

    try:
        lock.touch()
    except OSError as error:
        raise _unsaved(folder, reason(error, folder.parent)) from None

    with locked(lock, ModelFileError(f"{path}: {busy}")):
        yield


@contextmanager
def _beside(path: PathName) -> Iterator[tuple[Path, Path]]:
    """A folder and a new one next to it, gone at the end."""
    folder = _resolved(path)

    def name() -> Path:
        return folder.parent / f".{folder.name}.{uuid.uuid4().hex}"

    if not folder.parent.is_dir():
        raise _unsaved(path, f"there is no folder {folder.parent}")

    try:
        sweep(folder.parent, rf"\.{re.escape(folder.name)}\.[0-9a-f]{{32}}")  # of those killed
        with fresh(name, Path.mkdir) as temporary:
            yield folder, temporary
    except ModelFileError:
        raise
    except (OSError, MachineError, UnicodeError) as error:
        raise _unsaved(path, reason(error, folder.parent)) from None


def _resolved(path: PathName) -> Path:
    """The folder that a path means; raises ModelFileError where it, or OpenFst, has none."""
    try:
        folder = Path(path).resolve()
        os.fspath(folder).encode("utf-8")
    except UnicodeEncodeError:
        raise _unsaved(ascii(os.fspath(path)), "the path is not UTF-8") from None
    except (OSError, RuntimeError, ValueError) as error:
        raise _unsaved(ascii(os.fspath(path)), f"no path: {error}") from None
    return folder


def _unsaved(path: PathName, why: str) -> ModelFileError:
    return ModelFileError(f"{path}: cannot be saved ({why}); choose another folder")


def _check_place(folder: Path, kind: str) -> None:
    """Raise unless nothing but a model of this kind would be lost."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ModelFileError(f"{folder}: is a file; name a folder for the model")
    present = {entry.name for entry in folder.iterdir()}
    if not present:
        return
    try:
        content = parsed(folder)
    except ModelFileError as error:
        if error.__cause__ is not None:  # there is a manifest, which cannot be opened now
            raise

        example = sorted(present)[0]
        raise ModelFileError(
            f"{folder}: holds {example!r} and no fstce model, so it is not replaced; "
            "choose a new or empty folder"
        ) from None

    if content.get("kind") != kind:
        raise ModelFileError(
            f"{folder}: holds a model of kind {content.get('kind')!r}, which a {kind} does not "
            "replace; choose another folder"
        )

    strange = sorted(present - set(content["files"]) - {MANIFEST})
    if strange:
        raise ModelFileError(
            f"{folder}: holds {strange[0]!r}, which is not part of the model and would be lost; "
            "move it away"
        )


def _swap(temporary: Path, folder: Path) -> None:
    old = aside(folder)
    try:
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)
        temporary.rename(folder)
    except BaseException:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    _sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


FORMAT_VERSION = 1
MANIFEST = "model.json"
_AGAIN = "copy the model or save it again"


def write_manifest(
    folder: Path, kind: str, entries: Mapping[str, Any], *, prefix: str = ""
) -> None:
    """Write ``model.json``: the entries, and the digests of all files."""
    listed = sorted(file for file in folder.iterdir() if file.name.startswith(prefix))
    files = {file.name.removeprefix(prefix): digest_of(file) for file in listed}
    content = {
        "format": "fstce model",
        "format_version": FORMAT_VERSION,
        "kind": kind,
        "fstce_version": __version__,
        **entries,
        "files": files,
    }
    content["digest"] = own_digest(content)
    text = json.dumps(content, ensure_ascii=False, indent=1, default=_plain)
    (folder / f"{prefix}{MANIFEST}").write_text(text + "\n", encoding="utf-8")


def read_manifest(path: PathName, kind: str | None = None, prefix: str = "") -> dict[str, Any]:
    """The entries of a manifest of this kind, once it and its files prove to be as saved."""
    folder = model_folder(path)
    content = parsed(folder, prefix)
    where = folder / f"{prefix}{MANIFEST}"
    _check_version(content, where)
    if kind is not None and content.get("kind") != kind:
        raise ModelFileError(f"{where}: a model of kind {content.get('kind')!r}, not a {kind}")
    if content.get("digest") != own_digest(content):
        raise ModelFileError(f"{where}: changed since it was saved; {_AGAIN}")
    for listed, digest in content["files"].items():
        _check_file(folder, f"{prefix}{listed}", digest)
    return content


def model_folder(path: PathName) -> Path:
    """The folder that holds the model.

    `path`, or the old model next to it if a save was cut short.
    """
    folder = Path(path)
    is_file = False
    with suppress(OSError, RuntimeError, ValueError):  # a loop of links, or no path at all
        if folder.is_dir():
            return folder
        is_file = folder.exists()
        # The old one is only read, not renamed: the save may be under way in another process.
        old = aside(folder.resolve())
        if not is_file and old.is_dir():
            return old

    if is_file:
        raise ModelFileError(f"{path}: a file, but a model is a folder; name the folder")
    raise ModelFileError(
        f"{path}: no such folder; check the path, or train a model and save it there"
    )


def aside(folder: Path) -> Path:
    """Where a save keeps the old model until the new one is in place."""
    return folder.parent / f".{folder.name}.fstce-old"


def _check_file(folder: Path, name: str, digest: str) -> None:
    """Raise ModelFileError unless a file is there and has its digest."""
    if Path(name).name != name or not name.isprintable():
        raise ModelFileError(
            f"{folder / MANIFEST}: lists {name!r}, which is no file name; {_AGAIN}"
        )

    try:
        actual = digest_of(folder / name)
    except FileNotFoundError:
        raise ModelFileError(
            f"{folder / name}: missing, the model is incomplete; {_AGAIN}"
        ) from None
    except OSError as error:
        raise ModelFileError(
            f"{folder / name}: cannot be read ({error.strerror or error})"
        ) from None

    if actual != digest:
        raise ModelFileError(f"{folder / name}: changed or cut off since it was saved; {_AGAIN}")


def parsed(folder: Path, prefix: str = "") -> dict[str, Any]:
    """The entries of ``model.json``, unchecked but for its claim to be one.

    Raises ModelFileError where it makes no such claim.
    """
    where = folder / f"{prefix}{MANIFEST}"
    try:
        check_regular(where)
        content = json.loads(where.read_text(encoding="utf-8"), parse_constant=_number)
    except FileNotFoundError:
        raise ModelFileError(
            f"{where}: missing, so this folder is no fstce model; check the path"
        ) from None
    except (ValueError, RecursionError):
        raise ModelFileError(f"{where}: damaged, it is not JSON; {_AGAIN}") from None
    except OSError as error:
        raise ModelFileError(f"{where}: cannot be read ({error.strerror or error})") from error

    match content:
        case {"format": "fstce model", "files": {}}:
            return dict(content)
    raise ModelFileError(
        f"{where}: not written by fstce, so this folder is no fstce model; check the path"
    )


def _number(name: str) -> float:
    """The number that JSON spells as a word: an infinite one; NaN is none."""
    if name == "NaN":
        raise ValueError("NaN is no number")
    return float(name)


def check_regular(path: Path) -> None:
    """Raise OSError for what is no file of bytes: to open a pipe would wait for a writer."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError("no file but a pipe, a device or a socket")


def digest_of(path: Path) -> str:
    """The SHA-256 digest of a file, as hexadecimal digits."""
    check_regular(path)
    return hashed(path, hashlib.sha256())


def _check_version(content: Mapping[str, Any], where: Path) -> None:
    version = repr(content.get("format_version"))
    if version != repr(FORMAT_VERSION):
        raise ModelFileError(
            f"{where}: format version {version}, written by fstce {content.get('fstce_version')}; "
            f"this is fstce {__version__}, which reads version {FORMAT_VERSION}: install "
            "the one that wrote it, or train the model again"
        )


def own_digest(content: Mapping[str, Any]) -> str:
    """The digest of the manifest's entries but this one, whatever the white space between them."""
    entries = {name: value for name, value in content.items() if name != "digest"}
    return hashlib.sha256(json.dumps(entries, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """A numpy number as Python's, for JSON."""
    if hasattr(value, "item"):
        return value.item()
    raise ModelFileError(
        f"{value!r} cannot be saved: a parameter is text, a number, true, false or None"
    )
