"""The page of an explanation, in a browser, too."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from html import unescape
from html.parser import HTMLParser
from pathlib import Path as File

import pytest
from patience import patience
from tagging_cases import random_theta

from fstce import Tagger
from fstce.explanation.explain import explain
from fstce.explanation.page import Explanation

NASTY = ("<b>", "a&b", '"q"', "ε?", "猫")


class Texts(HTMLParser):
    """The texts of a page by element, and every address it names."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: dict[str, list[str]] = defaultdict(list)
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.addresses += [value for name, value in attrs if name in ("href", "src", "xlink:href")]

    def handle_data(self, data):
        if data.strip():
            self.texts[self.open[-1] if self.open else ""].append(data)


@pytest.fixture(scope="module")
def nasty() -> Explanation:
    """An explanation of words that a page could stumble over."""
    dictionary = {word: ["<N>", "&V"] for word in NASTY}
    tagger = Tagger(order=2, unknown_word_model=False)
    tagger.compile([NASTY, NASTY[:3]], dictionary=dictionary)
    tagger.theta_ = random_theta(tagger.features_)
    return explain(tagger, NASTY, k=3)


def pictured(html: str) -> set[str]:
    """The texts of a page's pictures."""
    frames = map(unescape, re.findall(r'srcdoc="([^"]*)"', html))
    return {text for frame in frames for text in Texts(frame).texts["text"]}


@pytest.mark.parametrize("graphviz", [True, False])
def test_the_page_shows_everything_and_loads_nothing(nasty, graphviz: bool, monkeypatch) -> None:
    if not graphviz:
        monkeypatch.setattr(shutil, "which", lambda name: None)
    html = nasty.page(features=3).to_html()
    page = Texts(html)
    assert page.texts["h1"][:1] == [f"Explanation: {' '.join(NASTY)}"]
    assert set(NASTY) <= pictured(html) and {"<N>", "&V"} <= {*page.texts["td"]}
    assert len(re.findall("<iframe ", html)) == 1  # the lattice
    assert page.texts["h2"] == ["The neighborhood", "What decides", "Posteriors"]
    assert all(address.startswith(("#", "data:text/csv")) for address in page.addresses)
    assert not re.search(r"<script|@import|url\((?!#)", unescape(html))
    arcs, [number] = nasty.lattice.arrays.ilabel, nasty.lattice.symbols.ids([NASTY[3]])
    # Said when pointed at
    assert f"{NASTY[3]} {nasty.arc_posteriors[arcs == number].max():.3g}" in unescape(html)


def test_a_lattice_that_cannot_be_drawn_is_reported_by_its_size() -> None:
    """Few arcs, which pass more columns than can be drawn."""
    words = [f"w{i}" for i in range(40)]
    tagger = Tagger(order=2, unknown_word_model=False).fit(
        [words], dictionary={word: ["A", "B"] for word in words}
    )
    html = explain(tagger, words, "del1subseq", k=1).page(1).to_html()
    assert "The lattice has 79 states and 858 arcs, too many to be drawn." in html


def test_notebooks_show_the_page(nasty) -> None:
    frame = nasty._repr_html_()
    assert frame.startswith("<iframe") and "Explanation" in frame


def test_a_browser_shows_the_page_offline(nasty, tmp_path: File) -> None:
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    path = nasty.page().write(tmp_path / "why.html")
    command = [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}/profile",
    ]
    offline = ["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--log-level=0"]
    done = subprocess.run(
        [*command, *offline, "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=patience(120),
    )
    assert done.returncode == 0, done.stderr
    assert set(NASTY) <= pictured(done.stdout)
    assert "CONSOLE" not in done.stderr  # no error of the page, no refused resource
    shot = tmp_path / "why.png"
    size = ["--window-size=1000,2500", f"--screenshot={shot}"]
    subprocess.run(
        [*command, *offline, *size, path.as_uri()],
        capture_output=True,
        timeout=patience(120),
        check=True,
    )
    assert shot.read_bytes().startswith(b"\x89PNG") and shot.stat().st_size > 20_000
