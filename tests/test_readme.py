"""The README and the pages of the docs do what they say, and what they point at is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import blocks, check, commands

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if not {"_build", "generated"} & set(page.parts)
    ),
]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
DOING = [
    name
    for name, page in zip(NAMES, PAGES, strict=True)
    if blocks(page.read_text(encoding="utf-8"))
]


@pytest.mark.pages
@pytest.mark.parametrize("name", DOING)
def test_page(name: str, tmp_path: Path) -> None:
    if name.endswith("coming_from.md"):
        pytest.importorskip("nltk")
        pytest.importorskip("sklearn_crfsuite")
        pytest.importorskip("hmmlearn")
    check(ROOT / name, tmp_path)


def test_the_readme_is_short_and_shows_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme) <= 9000
    assert sum(len(list(commands(block))) for block in blocks(readme)) >= 10
    assert sum(block.text.count(">>>") for block in blocks(readme)) > 20


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, heading = target.partition("#")
        if "://" in target or {"generated", "gallery", "course"} & set(Path(path).parts):
            continue  # of the second kind `make docs` knows
        there = (ROOT / name).parent / path if path else ROOT / name
        assert there.is_file(), f"{name}: {target}"
        if heading:
            titles = re.findall(r"^#+ (.*)$", there.read_text(encoding="utf-8"), re.M)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in slugs, f"{name}: {target}"


def test_paper_items_name_what_exists() -> None:
    text = (ROOT / "docs" / "paper_items.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:fstce|grammars|transducers|tests)/[^`]*)`", text)
    assert len(paths) > 80
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_architecture_names_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in (ROOT / "fstce").glob("*/__init__.py")]
    assert [room for room in rooms if f"`fstce/{room}/`" not in text] == []
