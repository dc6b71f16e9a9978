"""The page of the docs that composes in its own script (docs/_static/neighborhood.html), in a browser."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from patience import patience

from fstce.corpora import sample
from fstce.neighborhoods.registry import neighborhood

pytestmark = pytest.mark.pages
PAGE = Path(__file__).parents[1] / "docs" / "_static" / "neighborhood.html"
NAMES = ("trans1", "del1word", "del1subseq", "delortrans1", "window2", "identity")


def opened(folder: Path, script: str = "", place: str = "", width: int = 1280) -> str:
    """The page's document after its script and another have run, without a network."""
    program = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if program is None:
        pytest.skip("no browser: neither chromium nor google-chrome is installed")
    text = PAGE.read_text(encoding="utf-8")
    path = folder / "page.html"
    path.write_text(text.replace("</body>", f"<script>{script}</script></body>"), encoding="utf-8")
    command = [
        *(program, "--headless", "--no-sandbox", "--disable-gpu"),
        *(f"--user-data-dir={folder}/profile", f"--window-size={width},900"),
        *("--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--log-level=0"),
        *("--dump-dom", path.as_uri() + place),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience(300))
    assert done.returncode == 0 and "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


def noted(document: str, name: str) -> Any:
    return json.loads(unescape(re.search(rf'data-{name}="([^"]*)"', document)[1]))


def sentences() -> list[list[str]]:
    """A thousand: short ones of few words, whose words repeat, and those of the sample."""
    rng = random.Random(5)
    short = [rng.choices("abcd", k=rng.randint(1, 7)) for _ in range(800)]
    texts = [list(sentence.words) for sentence in sample() if len(sentence) < 13]
    return [*short, *texts[:200]]


@pytest.mark.parametrize("name", NAMES)
def test_its_strings_states_and_arcs_are_those_of_openfst(tmp_path: Path, name: str) -> None:
    rows = sentences()
    script = f"""
        const found = {json.dumps(rows)}.map(words => {{
          const lattice = neighborhood(words, shipped(words, "{name}"));
          return [[...strings(lattice)].map(row => row.join(" ")).sort(), lattice.arcs.length,
            lattice.arcs.reduce((sum, out) => sum + out.size, 0), String(count(lattice))];
        }});
        document.documentElement.dataset.found = JSON.stringify(found);"""
    found = noted(opened(tmp_path, script), "found")
    expand = neighborhood(name)
    assert len(found) == len(rows) == 1000
    for words, (strings, states, arcs, count) in zip(rows, found, strict=True):
        lattice = expand(words)
        # sorted by Unicode's code points there, by those of UTF-16 in the browser
        assert sorted(strings) == sorted(map(" ".join, lattice.strings())), words
        assert int(count) == lattice.count(), words
        fst = lattice.to_fst()
        assert (states, arcs) == (
            fst.num_states(),
            sum(fst.num_arcs(state) for state in fst.states()),
        ), words


def test_it_is_small_whole_and_soon_there(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(text.encode()) <= 100_000
    assert not re.search(r"(src|href)=|@import|fetch\(|XMLHttp", text)
    assert min(noted(opened(tmp_path), "ready") for _ in range(3)) < 1000


def test_the_address_holds_all_that_is_typed(tmp_path: Path) -> None:
    machine = "0\t0\t<any>\t<any>\n0\t1\tb\tx\n1\t1\t<any>\t<any>\n0\n1\n"
    typed = f"""
        $("sentence").value = "a b c"; $("machine").value = {json.dumps(machine)};
        $("machine").dispatchEvent(new Event("input"));
        document.documentElement.dataset.place = JSON.stringify(location.hash);"""
    place = noted(opened(tmp_path, typed), "place")
    document = opened(tmp_path, place=place)
    assert "2 strings" in document and "<li>a x c</li>" in document
    assert '<li class="own">a b c</li>' in document


@pytest.mark.parametrize(
    ("machine", "says"),
    [
        ("0 0", "line 1: give state"),
        ("0 x a b", "x is no number of a state"),
        ("", "the transducer has no state"),
        ("0 1 zebra zebra\n1", "reads no such sentence"),
        ("0 0 <any> <any>\n0 0 <eps> more\n0", "without end"),
        ("0 0 <any> other\n0", "itself is not among its neighbors"),
    ],
)
def test_a_fault_of_the_writer_is_named(tmp_path: Path, machine: str, says: str) -> None:
    typed = f"""
        $("machine").value = {json.dumps(machine)};
        $("machine").dispatchEvent(new Event("input"));
        document.documentElement.dataset.problem = JSON.stringify($("problem").textContent);"""
    assert says in noted(opened(tmp_path, typed), "problem")


@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_screen(tmp_path: Path, width: int) -> None:
    measured = "document.documentElement.dataset.wide = document.body.scrollWidth;"
    assert noted(opened(tmp_path, measured, width=width), "wide") <= max(width, 500)
