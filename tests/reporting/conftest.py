"""A page with everything on it, a browser, and readers of HTML that are not ours."""

from __future__ import annotations

import shutil
import subprocess
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from patience import patience

from fstce.reporting.charts import Picture, line_chart
from fstce.reporting.page import Page
from fstce.reporting.tables import Divider, Table

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FOREIGN = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80pt" height="40px">
<defs><marker id="head"><path d="M0,0 L8,3"/></marker></defs>
<g id="graph0" class="graph"><title>a&gt;b</title><path marker-end="url(#head)" d="M1,2 L3,4"/>
<use xlink:href="#head"/></g>
</svg>
"""


class _Cells(HTMLParser):
    """The texts of a page's cells, a list a row; a line break is a newline."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.rows = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True
        elif tag == "br" and self.inside:
            self.rows[-1][-1] += "\n"

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


@pytest.fixture(scope="session")
def cells_of():
    """The cells of HTML's tables, as html.parser reads them."""

    def read(html):
        reader = _Cells()
        reader.feed(html)
        reader.close()
        return reader.rows

    return read


@pytest.fixture(scope="session")
def svg_of():
    """A Picture's or an element's SVG as xml.etree reads it."""
    return lambda picture: ElementTree.fromstring(
        picture.svg if isinstance(picture, Picture) else picture
    )


@pytest.fixture(scope="session")
def texts_of(svg_of):
    """All texts of a picture, in order."""
    return lambda picture: [e.text for e in svg_of(picture).iter() if e.tag.endswith("}text")]


@pytest.fixture(scope="session")
def results():
    """A table with rules, a mark, gaps, and a cell that tries to run a script."""
    rows = [
        Divider("45 tags"),
        ["TRANS1", 79.449, 2866364],
        ["EM", 60.4, None],
        Divider("17 tags"),
        ["<script>alert(1)</script>", 101.5, 12],
        ["TRANS1", 83.0, 9],
    ]
    table = Table("results", "Accuracy & arcs", ["model", "%", "arcs"], rows, note="Raw text.")
    return table.best("%", among=[1, 2, 5])


@pytest.fixture(scope="session")
def page(results):
    """A whole report."""
    pytest.importorskip("matplotlib")
    page = Page("Tags < words", "What was found.", sortable=True)
    page.section("Numbers")
    page.text("One paragraph.\n\nAnother & more.")
    page.facts({"seed": 0, "σ²": 0.1})
    page.code("fstce tagger train <text>")
    page.table(results)
    page.section("Pictures")
    page.items(["first", "second"])
    labels = {"x_label": "x", "y_label": "y", "x_ticks": {1: "1", 2: "2"}}
    lines = {"CE": ([1, 2], [70, 80]), "EM": ([1], [71])}
    page.picture(line_chart(lines, name="lines", title="Lines", **labels), "By size.")
    page.picture(line_chart({"EM": ([1, 2], [3, 4])}, name="cells", title="Cells", **labels))
    page.picture(FOREIGN, "A lattice.")
    return page


@pytest.fixture(scope="session")
def foreign():
    """An SVG as graphviz writes it."""
    return FOREIGN


@pytest.fixture(scope="session")
def browse(tmp_path_factory):
    """A function that opens a file in headless Chromium with some options, and returns its output."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    profile = tmp_path_factory.mktemp("profile")

    def run(path, *options):
        fixed = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}")
        command = [program, *fixed, *options, path.as_uri()]
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=patience(120)
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
