"""Pages of machines in a headless browser: opened, and worked at as a reader would."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from patience import patience

from fstce.inspection.page import Inspection

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LIMIT, LONG = 2_000_000, 1_000_000
HANDS = """
const $ = name => document.querySelector(name);
const type = (name, text) => {
  $(name).value = text;
  $(name).dispatchEvent(new Event("input", {bubbles: true}));
};
const press = key => $("svg").dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
const note = (name, value) => { document.documentElement.dataset[name] = value; };
"""


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., str]:
    """A page's document after its script has run, without a network; the browser complains of nothing."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")

    def open_page(page: Inspection, place: str = "", *, hands: str = "", width: int = 1280) -> str:
        """`hands` is a script that does what a reader would; the page itself would not run it."""
        path = page.write(tmp_path / "page.html")
        assert path.stat().st_size < LIMIT
        if hands:
            text = re.sub(
                "script-src 'sha256-[^']*'", "script-src 'unsafe-inline'", path.read_text()
            )
            path.write_text(text.replace("</body>", f"<script>{HANDS}{hands}</script></body>"))
        command = [
            *(
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                f"--user-data-dir={tmp_path}/profile",
            ),
            *("--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--log-level=0"),
            *(f"--window-size={width},900", "--dump-dom", path.as_uri() + place),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience(120))
        assert done.returncode == 0, done.stderr
        assert "CONSOLE" not in done.stderr, done.stderr
        return done.stdout

    return open_page


def ready(open_page: Callable[..., str], page: Inspection) -> int:
    """How many milliseconds the page takes to open: the least of some tries."""
    least = LONG
    for _ in range(5):
        least = min(least, int(re.search(r'data-ready="(\d+)"', open_page(page))[1]))
        if least < 1_000:
            break
    return least


def noted(document: str, name: str) -> str:
    return unescape(re.search(rf'data-{name}="([^"]*)"', document)[1])
