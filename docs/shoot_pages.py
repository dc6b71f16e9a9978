"""Photograph the pages that fstce writes, wide and narrow, light and dark, in headless Chromium.

Part of `make docs`, where a Chromium is installed. Run: python docs/shoot_pages.py [FOLDER]
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BROWSERS = ("chromium", "google-chrome", "chromium-browser")
WIDTHS = {"wide": 1280, "narrow": 390}
SCHEMES = {"dark": 0, "light": 1}  # Blink's numbers of a preferred color scheme
NO_BROWSER = (
    "No browser was installed where these docs were built, so there are no pictures here.\n"
)
TRAINED = "tagger train sample --neighborhood trans1 --max-iterations 40 --quiet --output model"
GRAMMAR = "parser train sample --max-iterations 20 --quiet --output grammar"
TRIALS = (
    "reproduce tagging --quick --criteria em,trans1 --dictionaries none --sigma2 1 --smoothing 1"
)
PAGES = {
    "report": (
        "The report of a reproduction",
        f"{TRIALS} --max-iterations 30 --jobs 1 --quiet --output report",
        "report/index.html",
    ),
    "explanation": (
        "Why a tagger prefers a sentence to its neighbours",
        'explain model "the old man lived" --output explanation.html',
        "explanation.html",
    ),
    "grammar": (
        "A learnt grammar of dependencies",
        "parser show grammar --text sample --output grammar.html",
        "grammar.html",
    ),
    "machine": (
        "A neighbourhood, from the sentence to its lattice",
        'machine inspect trans1 "natural language is a delicate thing" --output machine.html',
        "machine.html",
    ),
}


def browser() -> str | None:
    """The first Chromium that is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def shoot(
    html: Path, picture: Path, width: int = 1280, height: int = 1200, scheme: str = "light"
) -> None:
    """A picture of a page; a frame makes it as narrow as a telephone, which a window cannot be."""
    framed = html.with_suffix(f".{width}.html")
    size = f"width: {width}px; height: {height}px; border: 0; color-scheme: {scheme}"
    framed.write_text(
        f'<body style="margin: 0"><iframe src="{html.as_uri()}" style="{size}"></iframe>'
    )
    program = browser()
    if program is None:
        raise SystemExit(f"no browser: none of {', '.join(BROWSERS)} is installed")

    with tempfile.TemporaryDirectory() as profile:
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--virtual-time-budget=5000",  # all is painted, however busy the machine
            f"--user-data-dir={profile}",
        ]
        colours = f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"
        window = [f"--window-size={width},{height}", colours, f"--screenshot={picture}"]
        subprocess.run(
            [program, *options, *window, framed.as_uri()],
            check=True,
            capture_output=True,
            timeout=120,
        )


def pages(folder: Path) -> str:
    """Write the pages and their pictures to a folder; returns the text that shows them."""
    parts = [
        "# Pages as a browser shows them\n",
        "Made anew whenever the docs are: 1280 and 390 px, light and dark.\n",
    ]
    if browser() is None:
        return "\n".join((*parts, NO_BROWSER))

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        made = Path(work)
        for command in (TRAINED, GRAMMAR):
            _run(command, made)

        for name, (title, command, page) in PAGES.items():
            _run(command, made)
            parts.append(f"## {title}\n\n```console\n$ fstce {command}\n```\n")
            for size, width in WIDTHS.items():
                for scheme in sorted(SCHEMES, reverse=True):
                    picture = folder / f"{name}-{size}-{scheme}.png"
                    shoot(made / page, picture, width, scheme=scheme)
                    parts.append(f"![{title}: {width} px, {scheme}](pages/{picture.name})\n")

    return "\n".join(parts)


def _run(command: str, folder: Path) -> None:
    """A verb in this folder; its complaint ends the build."""
    done = subprocess.run(
        [sys.executable, "-m", "fstce", *shlex.split(command)],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"fstce {command}: {done.stderr}")


if __name__ == "__main__":
    target = Path(sys.argv[1] if sys.argv[1:] else "pages")
    (target.parent / "pages.md").write_text(pages(target), encoding="utf-8")
