"""One self-contained HTML page: text, tables and pictures, no network, no script needed.

The page carries a content security policy that forbids the browser to load anything, and
to run any script but the page's own. A picture stands in a sandboxed frame: whatever program
drew it, nothing in it runs, loads or has a style or an id outside of it, while its text can be
searched and what is said of its parts is said when they are pointed at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from markupsafe import Markup

from fstce.errors import ParameterError
from fstce.reporting.charts import Picture
from fstce.reporting.render import asset, render_page
from fstce.reporting.tables import Cell, Table, shown
from fstce.storage.atomic import read_bytes, together, write_whole
from fstce.svg import clean, escaped

PAGE = "index.html"
SUFFIXES = (".csv", ".svg")
_LENGTH = re.compile(r"\s*([0-9.]+)\s*(px|pt)?\s*")


def write_report(folder: Path | str, page: Page) -> list[Path]:
    """Write a report into a folder, made where it is missing; files of these names are replaced.

    A table becomes ``NAME.csv``, a picture ``NAME.svg``, the page ``index.html``. All of
    them are written, or none.
    """
    contents = {f"{table.name}.csv": table.to_csv() for table in page.tables}
    contents |= {f"{picture.name}.svg": picture.svg for picture in page.pictures}
    contents[PAGE] = page.to_html()

    place = make_folder(folder)
    check_page(place)
    with together():
        return [
            write_whole(place / name, content, ParameterError) for name, content in contents.items()
        ]


def make_folder(folder: Path | str) -> Path:
    """The folder, made where it is missing; raises ParameterError where it cannot be."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"{folder}: cannot be made a folder ({error.strerror or error}); choose another folder"
        ) from None
    return folder


def check_page(folder: Path) -> None:
    """Raise ParameterError where a folder's ``index.html`` was not written by us."""
    path = folder / PAGE
    try:
        foreign = path.exists() and b"<footer>Written by fstce " not in read_bytes(
            path, ParameterError
        )
    except (OSError, ParameterError):
        foreign = True

    if foreign:
        raise ParameterError(
            f"{path}: is no page of fstce, so it is left as it is; choose another folder"
        )


class Page:
    """A report, written from top to bottom.

    ``summary``: what was found, in a sentence or two. ``sortable``: add a script with which a
    reader can sort tables by a column. ``pictures``: the pictures shown so far, other than bare
    SVG.
    """

    def __init__(self, title: str, summary: str = "", *, sortable: bool = False) -> None:
        self.title = title
        self.summary = summary
        self.sortable = sortable

        self.tables: list[Table] = []
        self.pictures: list[Picture] = []
        self._sections: dict[str, str] = {}
        self._blocks: list[dict[str, Any]] = []
        self._n_pictures = 0

    def section(self, title: str) -> None:
        """Begin a section; its heading is listed in the contents."""
        place = f"section-{len(self._sections) + 1}"
        self._sections[place] = title
        self._add("section", place=place, title=title)

    def text(self, text: str) -> None:
        """Add text, shown as it is; an empty line begins a new paragraph."""
        for part in text.split("\n\n"):
            if part.strip():
                self._add("text", text=part)

    def items(self, items: Iterable[str]) -> None:
        """Add a list of remarks."""
        self._add("items", list=list(items))

    def facts(self, facts: Mapping[str, Cell]) -> None:
        """Add names and values: corpus, seed, versions, what it took."""
        self._add("facts", facts={name: shown(value, None) for name, value in facts.items()})

    def code(self, command: str) -> None:
        """Add a command or a program."""
        self._add("code", text=command)

    def table(self, table: Table) -> None:
        """Add a table, numbered, with its CSV to download from the page itself."""
        self.tables.append(table)
        place = f"table-{len(self.tables)}"
        html = table.to_html(_number(place, f"Table {len(self.tables)}"))
        data = quote(table.to_csv().encode("utf-8", errors="replace"))
        self._add(
            "table", place=place, title=table.title, table=Markup(html), name=table.name, data=data
        )

    def picture(self, picture: Picture | str, caption: str = "", *, shrinks: bool = True) -> None:
        """Add a picture, numbered.

        ``picture``: a chart, or an SVG document from any program. ``caption``: stands under it;
        otherwise the picture's title. ``shrinks``: to the width of the page; otherwise it is
        scrolled.
        """
        svg = picture
        if isinstance(picture, Picture):
            self.pictures.append(picture)
            svg = picture.svg
            caption = caption or picture.title

        self._n_pictures += 1
        place = f"figure-{self._n_pictures}"
        label = _number(place, f"Figure {self._n_pictures}")
        svg = clean(str(svg)).strip()

        root = ElementTree.fromstring(svg)
        size = {side: f"{_pixels(root.get(side, '')):.0f}" for side in ("width", "height")}
        about = {"label": label, "caption": caption, "name": caption, "shrinks": shrinks}
        self._add("picture", place=place, svg=svg, **size, **about)

    def to_html(self) -> str:
        """The whole page; the same calls give the same text."""
        return render_page(
            "page.html",
            style=asset("page.css"),
            script=asset("sort.js") if self.sortable else "",
            title=self.title,
            summary=self.summary,
            sections=self._sections,
            blocks=self._blocks,
        )

    def write(self, path: Path | str) -> Path:
        """Write the page into a file, whole or not at all."""
        return write_whole(path, self.to_html(), ParameterError)

    def _repr_html_(self) -> str:
        return f'<iframe width="100%" height="600" srcdoc="{escaped(self.to_html())}"></iframe>'

    def _add(self, kind: str, **values: Any) -> None:
        """Add a block, which ``page.html`` writes by its kind."""
        self._blocks.append({"kind": kind, **values})


def _pixels(length: str) -> float:
    """A length of SVG, in points or pixels, in pixels; 300 for any other."""
    match = _LENGTH.fullmatch(length)
    if match is None:
        return 300.0
    scale = 4 / 3 if match[2] == "pt" else 1
    return float(match[1]) * scale


def _number(place: str, text: str) -> Markup:
    return Markup('<a class="number" href="#{}">{}.</a> ').format(place, text)
