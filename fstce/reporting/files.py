"""Files that appear whole or not at all, and the names they may have."""

from __future__ import annotations

import re
import uuid
from pathlib import Path

from fstce.errors import ParameterError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def slug(text: str) -> str:
    """A file name, without suffix, made from a title.

    Examples
    --------
    >>> slug("Figure 2: % of ambiguous words")
    'figure-2-of-ambiguous-words'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:100].rstrip("-") or "untitled"


def check_name(name: str, what: str) -> None:
    """Raise ParameterError unless `name` can be a file's name, without its suffix, on any system."""
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise ParameterError(
            f"{what} {name!r}: its files take this name; use letters a–z, digits, '.', '_' and '-', "
            "at most 100, a letter or digit first"
        )


def make_folder(folder: Path | str) -> Path:
    """The folder, made with its parents where it is missing; raises ParameterError where it cannot be."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"{folder}: cannot be made a folder ({error.strerror or error}); choose another folder"
        ) from None
    return folder


def write_whole(path: Path | str, content: str | bytes) -> Path:
    """Write text (UTF-8, its line ends as they are) or bytes; the path holds the old or the new content.

    Parameters
    ----------
    path : Path or str
        Where the file shall be, in a folder that exists.
    content : str or bytes
        The whole content.

    Returns
    -------
    Path
        `path`.

    Raises
    ------
    ParameterError
        The folder is missing or cannot be written, `path` is a folder, or the text is no Unicode.
    """
    path = Path(path)
    data = content if isinstance(content, bytes) else _encoded(content, path)
    try:
        _check_place(path)
        _replace(path, data)
    except OSError as error:
        raise ParameterError(
            f"{path}: cannot be written ({error.strerror or error}); choose another folder"
        ) from None
    return path


def _encoded(text: str, path: Path) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        around = ascii(text[max(error.start - 20, 0) : error.end + 20])
        raise ParameterError(
            f"{path}: cannot be written: half a character (a surrogate) in {around}"
        ) from None


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise ParameterError(f"{path}: cannot be written: it is a folder; name a file in it")
    if not path.parent.is_dir():
        raise ParameterError(f"{path}: cannot be written: there is no folder {path.parent}; make it first")


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{uuid.uuid4().hex}{path.suffix[:20]}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
