"""The README and the pages of the docs do what they say, and what they point at is there."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from pages import blocks, check, commands

from fstce.cli.verbs import groups, verbs_of

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


CLAUSES = runpy.run_path(str(ROOT / "docs" / "clauses.py"))


@pytest.mark.parametrize("row", CLAUSES["clauses"](), ids=lambda row: row["clause"][:40])
def test_a_clause_of_a_paper_has_a_module_and_a_test_that_is_run_or_says_why_not(
    row: dict[str, str],
) -> None:
    if row["state"] == "missing":
        assert not row["module"] and not row["test"]
    else:
        assert (ROOT / row["module"]).is_file()
        test = ROOT / row["test"]
        assert test.name.startswith("test_") and "def test_" in test.read_text(encoding="utf-8")
    assert row["state"] in CLAUSES["STATES"]
    if row["state"] != "in":
        assert re.match("data|method|choice", row["why"])
    if row["verb"]:
        group, verb, *_ = row["verb"].split()
        assert verb in verbs_of(groups()[group])


def test_the_page_of_clauses_is_made_of_their_table() -> None:
    page = (ROOT / "docs" / "paper_items.md").read_text(encoding="utf-8")
    assert page == CLAUSES["page"](), "run: python docs/clauses.py"
    assert page.index("What is not as the papers have it") < page.index("Where everything is")


TABLES = runpy.run_path(str(ROOT / "docs" / "paper_tables.py"))


def test_the_papers_tables_stand_cell_by_cell_with_a_reason_for_what_is_far() -> None:
    page = (ROOT / "docs" / "paper_tables.md").read_text(encoding="utf-8")
    assert page == TABLES["page"](), "run: python docs/paper_tables.py"
    cells = [(name, cell) for name, (_, made) in TABLES["TABLES"].items() for cell in made()]
    assert len(cells) == 40 + 64 + 18
    far = [(name, cell) for name, cell in cells if cell.is_far]
    assert all(
        re.match("data|method|selection|unexplained", TABLES["reason"](*pair)["reason"])
        for pair in far
    )
    with pytest.raises(KeyError, match="no reason"):
        TABLES["reason"]("grammars", TABLES["Cell"]("LENGTH, σ² = 1", "K&M", "60.0", "42.9"))


def test_architecture_names_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in (ROOT / "fstce").glob("*/__init__.py")]
    assert [room for room in rooms if f"`fstce/{room}/`" not in text] == []
