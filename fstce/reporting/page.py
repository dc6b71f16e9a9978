"""One self-contained HTML page: text, tables and pictures, no network, no script needed.

The page carries a content security policy that forbids the browser to load anything, and
to run any script but the page's own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote

from fstce.reporting.cells import Cell, escaped, escaped_lines, shown
from fstce.reporting.figures import Picture
from fstce.reporting.files import slug, write_whole
from fstce.reporting.style import SORT_SCRIPT, STYLE
from fstce.reporting.svg import embedded_svg
from fstce.reporting.tables import Table
from fstce.version import __version__


class Page:
    """A report, written from top to bottom.

    Parameters
    ----------
    title : str
        The page's title.
    summary : str, optional
        What was found, in a sentence or two.
    sortable : bool
        Add a script with which a reader can sort tables by a column.

    Attributes
    ----------
    tables : list of Table
        The tables shown so far.
    pictures : list of Picture
        The pictures shown so far, other than bare SVG.

    Examples
    --------
    >>> page = Page("Tagging", "TRANS1 is the best.")
    >>> page.section("Results")
    >>> page.table(Table("results", "Accuracy", ["model", "%"], [["TRANS1", 79.0]]))
    >>> "Table 1" in page.to_html()
    True
    """

    def __init__(self, title: str, summary: str = "", *, sortable: bool = False) -> None:
        self.title, self.summary, self.sortable = title, summary, sortable
        self.tables: list[Table] = []
        self.pictures: list[Picture] = []
        self._sections: dict[str, str] = {}
        self._body: list[str] = []
        self._n_pictures = 0

    def section(self, title: str) -> None:
        """Begin a section; its heading is listed in the contents."""
        place = f"section-{len(self._sections) + 1}-{slug(title)}"
        self._sections[place] = title
        self._body.append(f'<h2 id="{place}">{escaped(title)}</h2>')

    def text(self, text: str) -> None:
        """Add text, shown as it is; an empty line begins a new paragraph."""
        self._body += [f"<p>{escaped(part)}</p>" for part in text.split("\n\n") if part.strip()]

    def items(self, items: Iterable[str]) -> None:
        """Add a list of remarks."""
        self._body.append(f"<ul>{''.join(f'<li>{escaped(item)}</li>' for item in items)}</ul>")

    def facts(self, facts: Mapping[str, Cell]) -> None:
        """Add names and values: corpus, seed, versions, what it took."""
        pairs = (f"<dt>{escaped(k)}</dt><dd>{escaped_lines(shown(v, None))}</dd>" for k, v in facts.items())
        self._body.append(f'<dl class="facts">{"".join(pairs)}</dl>')

    def code(self, command: str) -> None:
        """Add a command or a program."""
        self._body.append(f"<pre><code>{escaped(command)}</code></pre>")

    def table(self, table: Table) -> None:
        """Add a table, numbered, with its CSV to download from the page itself."""
        self.tables.append(table)
        place = f"table-{len(self.tables)}"
        label = _number(place, f"Table {len(self.tables)}")
        data = quote(table.to_csv().encode("utf-8", errors="replace"))
        link = (
            f'<a download="{table.name}.csv" href="data:text/csv;charset=utf-8,{data}">{table.name}.csv</a>'
        )
        # A scrolling region must be reachable from the keyboard.
        frame = (
            f'<div class="wide" id="{place}" tabindex="0" role="region" aria-label="{escaped(table.title)}">'
        )
        self._body.append(f'{frame}\n{table.to_html(label)}</div>\n<p class="files">{link}</p>')

    def picture(self, picture: Picture | str, caption: str = "") -> None:
        """Add a picture, numbered.

        Parameters
        ----------
        picture : Picture or str
            A chart, or an SVG document from any program; what could run or load something is left out.
        caption : str, optional
            Stands under it; otherwise the picture's title.

        Raises
        ------
        ParameterError
            The text is no SVG.
        """
        place = f"figure-{self._n_pictures + 1}"
        title = picture.title if isinstance(picture, Picture) else ""
        svg = embedded_svg(
            picture.svg if isinstance(picture, Picture) else picture, f"{place}-svg", title or caption
        )
        self._n_pictures += 1
        if isinstance(picture, Picture):
            self.pictures.append(picture)
        label = _number(place, f"Figure {self._n_pictures}")
        self._body.append(
            f'<figure id="{place}">\n<div class="card" tabindex="0">{svg}</div>\n'
            f"<figcaption>{label}{escaped_lines(caption or title)}</figcaption>\n</figure>"
        )

    def to_html(self) -> str:
        """The whole page; the same calls give the same text."""
        lead = f'<p class="lead">{escaped(self.summary)}</p>\n' if self.summary else ""
        script = f"<script>{SORT_SCRIPT}</script>\n" if self.sortable else ""
        body = "\n".join(self._body)
        return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{self._policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escaped(self.title)}</title>
<style>
{STYLE}</style>
</head>
<body>
<header>
<h1>{escaped(self.title)}</h1>
{lead}</header>
{self._contents()}<main>
{body}
</main>
<footer>Written by fstce {__version__}.</footer>
{script}</body>
</html>
"""

    def write(self, path: Path | str) -> Path:
        """Write the page into a file, whole or not at all.

        Parameters
        ----------
        path : Path or str
            The file, in a folder that exists.

        Returns
        -------
        Path
            `path`.

        Raises
        ------
        ParameterError
            The file cannot be written.
        """
        return write_whole(path, self.to_html())

    def _repr_html_(self) -> str:
        return f'<iframe width="100%" height="600" srcdoc="{escaped(self.to_html())}"></iframe>'

    def _policy(self) -> str:
        digest = base64.b64encode(hashlib.sha256(SORT_SCRIPT.encode()).digest()).decode()
        script = f"; script-src 'sha256-{digest}'" if self.sortable else ""
        return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:{script}"

    def _contents(self) -> str:
        if len(self._sections) < 2:
            return ""
        links = "".join(
            f'<li><a href="#{place}">{escaped(title)}</a></li>' for place, title in self._sections.items()
        )
        return f'<nav aria-label="Contents"><ol>{links}</ol></nav>\n'


def _number(place: str, text: str) -> str:
    return f'<a class="number" href="#{place}">{text}.</a> '
