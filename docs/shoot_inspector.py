"""Photograph the inspector on five machines, in headless Chromium: the pictures of the page on inspection.

Run: make figures, or python docs/shoot_inspector.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import fstce
from fstce.inspection.page import Inspection

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "tests" / "inspection")]
from shoot_pages import shoot  # noqa: E402
from test_inspect import LINE, lexicon, product, recognized  # noqa: E402

FIGURE = ["natural", "language", "is", "a", "delicate", "thing"]


def pages(folder: Path) -> dict[str, Inspection]:
    """The five machines, as the suite opens them."""
    text = fstce.corpora.sample()
    tagger = fstce.Tagger("trans1", max_iterations=40).fit(
        text, dictionary=fstce.TagDictionary.from_corpus(text)
    )
    return {
        "figure1": fstce.inspect(fstce.neighborhood("trans1")(FIGURE)),
        "del1subseq": fstce.inspect(fstce.neighborhood("del1subseq")(LINE)),
        "lexicon": lexicon(folder),
        "recognizer": fstce.inspect(recognized()),
        "product": fstce.inspect(product(tagger, ["the", "old", "man", "lived"])),
    }


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    for name, page in pages(folder).items():
        html = folder / f"{name}.html"
        html.write_text(page.to_html(), encoding="utf-8")
        picture = HERE / f"inspector_{name}.png"
        shoot(html, picture, 1100, 640)
        print(f"{picture.name}: {html.stat().st_size / 1000:.0f} KB of page")


if __name__ == "__main__":
    main()
