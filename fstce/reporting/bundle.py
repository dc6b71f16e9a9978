"""A report as a folder: the page, and every table and picture as files of their own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fstce.errors import ParameterError
from fstce.reporting.files import make_folder, write_whole
from fstce.reporting.page import Page
from fstce.reporting.tables import Table
from fstce.storage.atomic import read_bytes

PAGE = "index.html"
SUFFIXES = (".csv", ".md", ".svg", ".png")


def write_report(folder: Path | str, page: Page, tables: Iterable[Table] = ()) -> list[Path]:
    """Write a report into a folder, made where it is missing; files of these names are replaced.

    A table becomes ``NAME.csv`` and ``NAME.md``, a picture ``NAME.svg`` and ``NAME.png``, the page
    ``index.html``. Each file is whole or absent, and the page comes last: where it is, all is. ``tables``:
    further ones, which the page does not show.
    """
    contents: dict[str, str | bytes] = {}
    for table in (*page.tables, *tables):
        _add(contents, f"{table.name}.csv", table.to_csv())
        _add(contents, f"{table.name}.md", table.to_markdown())
    for picture in page.pictures:
        _add(contents, f"{picture.name}.svg", picture.svg)
        _add(contents, f"{picture.name}.png", picture.png)
    contents[PAGE] = page.to_html()
    place = make_folder(folder)
    check_page(place)
    return [write_whole(place / name, content) for name, content in contents.items() if content]


def check_page(folder: Path) -> None:
    """Raise ParameterError where a folder's ``index.html`` was not written by us."""
    path = folder / PAGE
    try:
        foreign = path.exists() and b"<footer>Written by fstce " not in read_bytes(path, ParameterError)
    except (OSError, ParameterError):
        foreign = True
    if foreign:
        raise ParameterError(f"{path}: is no page of fstce, so it is left as it is; choose another folder")


def _add(contents: dict[str, str | bytes], name: str, content: str | bytes) -> None:
    # Some file systems do not tell A.csv from a.csv.
    known = {other.lower(): other for other in contents}.get(name.lower())
    if known is not None and (known != name or contents[known] != content):
        raise ParameterError(f"two tables or pictures of the report would be written to {name}; rename one")
    contents[name] = content
