"""The files of a report: the names they may have, their folder, whole or not there."""

from __future__ import annotations

import re
from pathlib import Path

from fstce.errors import ParameterError
from fstce.storage import atomic

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def slug(text: str) -> str:
    """A file name, without suffix, made from a title."""
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
    """Write a report's file, whole or not at all; see :func:`fstce.storage.atomic.write_whole`."""
    return atomic.write_whole(path, content, ParameterError)
