"""One self-contained HTML page: text, tables and pictures, no network, no script needed.

The page carries a content security policy that forbids the browser to load anything, and
to run any script but the page's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from fstce.corpora.svg import escaped
from fstce.errors import ParameterError
from fstce.reporting.figures import Picture
from fstce.reporting.files import make_folder, slug, write_whole
from fstce.reporting.render import asset, render_page
from fstce.reporting.svg import embedded_svg
from fstce.reporting.tables import Cell, Table, shown
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


class Page:
    """A report, written from top to bottom.

    ``summary``: what was found, in a sentence or two. ``sortable``: add a script with which a reader can sort
    tables by a column. ``pictures``: the pictures shown so far, other than bare SVG.
    """

    def __init__(self, title: str, summary: str = "", *, sortable: bool = False) -> None:
        self.title, self.summary, self.sortable = title, summary, sortable
        self.tables: list[Table] = []
        self.pictures: list[Picture] = []
        self._sections: dict[str, str] = {}
        self._blocks: list[dict[str, Any]] = []
        self._n_pictures = 0

    def section(self, title: str) -> None:
        """Begin a section; its heading is listed in the contents."""
        place = f"section-{len(self._sections) + 1}-{slug(title)}"
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
        self._add("table", place=place, title=table.title, table=Markup(html), name=table.name, data=data)

    def picture(self, picture: Picture | str, caption: str = "") -> None:
        """Add a picture, numbered.

        ``picture``: a chart, or an SVG document from any program; what could run or load something is left
        out. ``caption``: stands under it; otherwise the picture's title.
        """
        place = f"figure-{self._n_pictures + 1}"
        shown = picture if isinstance(picture, Picture) else Picture(place, "", picture)
        svg = Markup(embedded_svg(shown.svg, f"{place}-svg", shown.title or caption))
        self._n_pictures += 1
        if shown is picture:
            self.pictures.append(shown)
        label = _number(place, f"Figure {self._n_pictures}")
        self._add("picture", place=place, svg=svg, label=label, caption=caption or shown.title)

    def to_html(self) -> str:
        """The whole page; the same calls give the same text."""
        return render_page(
            "page.html",
            style=asset("page.css"),
            script=asset("sort.js") if self.sortable else "",
            images=True,
            title=self.title,
            summary=self.summary,
            sections=self._sections,
            blocks=self._blocks,
        )

    def write(self, path: Path | str) -> Path:
        """Write the page into a file, whole or not at all."""
        return write_whole(path, self.to_html())

    def _repr_html_(self) -> str:
        return f'<iframe width="100%" height="600" srcdoc="{escaped(self.to_html())}"></iframe>'

    def _add(self, kind: str, **values: Any) -> None:
        """Add a block, which ``page.html`` writes by its kind."""
        self._blocks.append({"kind": kind, **values})


def _number(place: str, text: str) -> Markup:
    return Markup('<a class="number" href="#{}">{}.</a> ').format(place, text)
