"""The manifest of a model folder, ``model.json``: what it holds, and proof that nothing has changed.

It names the format and its version, the kind of model and the version of fstce that wrote
it, holds the entries of that kind, what its arrays are, and a SHA-256 digest of every other
file and of itself.

A model within a model lies among its files under a prefix, its manifest too:
``grammar-model.json`` lists ``grammar-weights.npz`` as ``weights.npz``.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fstce.errors import ModelFileError
from fstce.version import __version__

FORMAT = "fstce model"
FORMAT_VERSION = 1
MANIFEST = "model.json"
_AGAIN = "copy the model or save it again"


def write_manifest(
    folder: Path,
    kind: str,
    entries: Mapping[str, Any],
    *,
    prefix: str = "",
    arrays: Mapping[str, Any] | None = None,
) -> None:
    """Write ``model.json``: the entries of this kind of model, and the digests of all files in the folder.

    ``entries``: what JSON can hold, numpy's numbers too. ``prefix``: of the files that are the model's, and
    of its manifest. ``arrays``: the type and shape of each array in each file, without the prefix.
    """
    names = sorted(file.name for file in folder.iterdir() if file.name.startswith(prefix))
    files = {name.removeprefix(prefix): digest for name, digest in digests(folder, names).items()}
    head = {"format": FORMAT, "format_version": FORMAT_VERSION, "kind": kind, "fstce_version": __version__}
    content = {**head, **entries, **({"arrays": arrays} if arrays else {}), "files": files}
    content["digest"] = own_digest(content)
    text = json.dumps(content, ensure_ascii=False, indent=1, default=_plain)
    (folder / f"{prefix}{MANIFEST}").write_text(text + "\n", encoding="utf-8")


def read_manifest(path: str | os.PathLike[str], kind: str, names: Iterable[str] = ()) -> dict[str, Any]:
    """The entries of ``model.json``, once it and every file that it lists prove to be as they were saved."""
    folder = model_folder(path)
    content, where = checked(folder, kind), folder / MANIFEST
    missing = sorted(set(names) - set(content["files"]))
    if missing:
        raise ModelFileError(f"{where}: does not list {', '.join(missing)}; {_AGAIN}")
    check_digests(folder, content["files"])
    return content


def checked(folder: Path, kind: str | None = None, prefix: str = "") -> dict[str, Any]:
    """The entries of a manifest of this kind, if given, that is as it was saved; else a ModelFileError."""
    content, where = parsed(folder, prefix), folder / f"{prefix}{MANIFEST}"
    _check_version(content, where)
    if kind is not None and content.get("kind") != kind:
        raise ModelFileError(f"{where}: a model of kind {content.get('kind')!r}, not a {kind}")
    if content.get("digest") != own_digest(content):
        raise ModelFileError(f"{where}: changed since it was saved; {_AGAIN}")
    return content


def model_folder(path: str | os.PathLike[str]) -> Path:
    """The folder that holds the model: `path`, or the old model next to it if a save was cut short."""
    folder = Path(path)
    try:
        if folder.is_dir():
            return folder
        exists, kept = folder.exists(), aside(folder.resolve())
        # It is only read, not renamed: the save may be under way in another process.
        if not exists and kept.is_dir():
            return kept
    except (OSError, RuntimeError, ValueError):  # a loop of links, or no path at all
        exists = False
    if exists:
        raise ModelFileError(f"{path}: a file, but a model is a folder; name the folder")
    raise ModelFileError(f"{path}: no such folder; check the path, or train a model and save it there")


def aside(folder: Path) -> Path:
    """Where a save keeps the old model until the new one is in place."""
    return folder.parent / f".{folder.name}.fstce-old"


def digests(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The SHA-256 digest of each of these files, as hexadecimal digits."""
    return {name: _digest(folder / name) for name in names}


def check_digests(folder: Path, expected: Mapping[str, str], prefix: str = "") -> None:
    """Raise ModelFileError unless every file is there, its name after the prefix, and has its digest."""
    for listed, digest in expected.items():
        name = f"{prefix}{listed}"
        if Path(name).name != name or not name.isprintable():
            raise ModelFileError(f"{folder / MANIFEST}: lists {name!r}, which is no file name; {_AGAIN}")
        try:
            found = _digest(folder / name)
        except ModelFileError:
            raise
        except FileNotFoundError:
            raise ModelFileError(f"{folder / name}: missing, the model is incomplete; {_AGAIN}") from None
        except OSError as error:
            raise ModelFileError(f"{folder / name}: cannot be read ({error.strerror})") from None
        if found != digest:
            raise ModelFileError(f"{folder / name}: changed or cut off since it was saved; {_AGAIN}")


def parsed(folder: Path, prefix: str = "") -> dict[str, Any]:
    """The entries of ``model.json``, unchecked but for its claim to be one; else a ModelFileError."""
    where = folder / f"{prefix}{MANIFEST}"
    try:
        check_regular(where)
        content = json.loads(where.read_text(encoding="utf-8"))
    except ModelFileError:
        raise
    except FileNotFoundError:
        raise ModelFileError(f"{where}: missing, so this folder is no fstce model; check the path") from None
    except (ValueError, RecursionError):
        raise ModelFileError(f"{where}: damaged, it is not JSON; {_AGAIN}") from None
    except OSError as error:
        raise ModelFileError(f"{where}: cannot be read ({error.strerror})") from error
    if not (
        isinstance(content, dict)
        and content.get("format") == FORMAT
        and isinstance(content.get("files"), dict)
    ):
        raise ModelFileError(
            f"{where}: not written by fstce, so this folder is no fstce model; check the path"
        )
    return content


def check_regular(path: Path) -> None:
    """Refuse what is no file of bytes: to open a pipe would wait for a writer."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ModelFileError(f"{path}: no file but a pipe, a device or a socket; {_AGAIN}")


def _digest(path: Path) -> str:
    check_regular(path)
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def _check_version(content: Mapping[str, Any], where: Path) -> None:
    version = content.get("format_version")
    if type(version) is int and version > FORMAT_VERSION:
        raise ModelFileError(
            f"{where}: format version {version}, written by fstce {content.get('fstce_version')}; "
            f"this is fstce {__version__}, which reads version {FORMAT_VERSION}: upgrade fstce"
        )
    if type(version) is not int or version != FORMAT_VERSION:
        raise ModelFileError(
            f"{where}: format version {version!r}, which fstce {__version__} does not read; "
            "train the model again"
        )


def own_digest(content: Mapping[str, Any]) -> str:
    """The digest of the manifest's entries but this one, whatever the white space between them."""
    entries = {name: value for name, value in content.items() if name != "digest"}
    return hashlib.sha256(json.dumps(entries, sort_keys=True, default=_plain).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """A numpy number as Python's, for JSON."""
    if hasattr(value, "item"):
        return value.item()
    raise ModelFileError(f"{value!r} cannot be saved: a parameter is text, a number, true, false or None")
