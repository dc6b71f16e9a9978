"""What the docs are made of: papers that are linked, one spelling, the field's words, formulas, cards."""

from __future__ import annotations

import ast
import os
import re
import runpy
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from fstce.cli.verbs import groups

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MADE = {"_build", "generated", "gallery", "course"}
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if not MADE & set(page.relative_to(DOCS).parts)),
]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
NOTEBOOK = {name for name in NAMES if name.startswith("docs/notebook/")}
CITATION = re.compile(
    r"([A-Z][\w-]+(?:(?:, [A-Z][\w-]+)? & [A-Z][\w-]+| et al\.)?)(?:'s)?,? [(\[]*((?:19|200|201)\d+[ab]?)"
)
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|<!--.*?-->|<[^>]*>", re.S)
BRITISH = (
    r"neighbour|\w*labell|colour|behaviour|favour|honour|licence|learnt\b|spelt\b|burnt\b|grey|centre|catalogue|"
    r"judgement|modell|travell|cancell|artefact|fulfil\b|towards\b|programme|defence|analys(e|ed|er|ers|ing)\b|"
    r"(recogn|organ|real|optim|minim|maxim|normal|initial|token|summar|general|special|util)is(e|es|ed|ing|ation)\b"
)
OURS = (
    r"kids?|obey(s|ed)?|sift(ing|ed)?|eagerness|slips|unlisted|told|beside|kappa|the bars? (is|are|of)|"
    r"the aims?|in the present state|earlier state|clean words damaged|mistakes of practice|put right"
)


def prose(name: str) -> str:
    """A page as it is read: without code, targets of links and comments."""
    return CODE.sub(" ", (ROOT / name).read_text(encoding="utf-8"))


def references() -> dict[str, str]:
    """Each paper as it is cited, with the address where it has one."""
    text = (DOCS / "references.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$", text, re.M)
    return {cited: place.strip("<>") for cited, place in rows if cited != "cited as"}


LASTING = re.compile(
    r"https://(doi\.org/10\.|aclanthology\.org/[A-Z]\d\d-|jmlr\.org/papers/v|dl\.acm\.org/doi/10\.)"
)


def test_references_are_addresses_that_last() -> None:
    places = references()
    assert len(places) > 20
    addresses = [place for place in places.values() if "://" in place]
    assert [address for address in addresses if not LASTING.match(address)] == []
    assert len(places) - len(addresses) <= 2  # a workshop and a conference without identifiers
    assert list(places) == sorted(places)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "docs/references.md"])
def test_every_cited_paper_is_linked(name: str) -> None:
    page, places = (ROOT / name).read_text(encoding="utf-8"), references()
    for authors, year in CITATION.findall(re.sub(r"```.*?```|`[^`\n]*`", " ", page, flags=re.S)):
        if authors.isupper():  # where it appeared
            continue
        if year == "2005" and authors == "Smith & Eisner":
            year = "2005a"
        assert f"{authors} {year}" in places, (
            f"{name}: {authors} ({year}) is not in docs/references.md"
        )
        place = places[f"{authors} {year}"]
        link = place if "://" in place else "references.md"
        assert link in page, f"{name}: {authors} ({year}) without its link"


@pytest.mark.parametrize("name", NAMES)
def test_spelling_is_american(name: str) -> None:
    assert [m[0] for m in re.finditer(rf"\b\w*(?:{BRITISH})\w*", prose(name), re.I)] == []


@pytest.mark.parametrize("name", sorted(set(NAMES) - NOTEBOOK))
def test_words_are_the_field_s(name: str) -> None:
    assert [m[0] for m in re.finditer(rf"\b(?:{OURS})\b", prose(name), re.I)] == []


def test_the_front_door_answers_the_first_questions() -> None:
    home = (DOCS / "index.md").read_text(encoding="utf-8")
    assert home.count("::::{container} door\n") == 3
    assert len(re.findall(r"^!\[", home, re.M)) == 3
    for question in (
        "What is a neighborhood?",
        "Which default",
        "How do I see",
        "How much memory",
        "not promised",
    ):
        assert re.search(rf"^\| .*{re.escape(question)}.* \| .*\]\(.*$", home, re.M), question


@pytest.mark.gallery
def test_formulas_need_no_network() -> None:
    """In the built site, where `make docs` has just built it."""
    built = os.environ.get("FSTCE_GALLERY")
    if not built:
        pytest.skip("looks at the site that make docs has built")
    site = ROOT / built / "_build" / "html"
    page = (site / "concepts.html").read_text(encoding="utf-8")
    assert 'src="_static/mathjax/tex-svg.js' in page
    assert (site / "_static" / "mathjax" / "tex-svg.js").stat().st_size > 1_000_000
    scripts = re.findall(r'<script[^>]* src="(https?:[^"]*)"', page)
    assert scripts == []


@pytest.mark.gallery
def test_the_reference_says_of_no_field_that_it_is_an_alias() -> None:
    """In the built site, where `make docs` has just built it."""
    built = os.environ.get("FSTCE_GALLERY")
    if not built:
        pytest.skip("looks at the site that make docs has built")
    reference = ROOT / built / "_build" / "html" / "reference"
    pages = {path.name: path.read_text(encoding="utf-8") for path in reference.rglob("*.html")}
    assert "fstce.evaluation.Interval.html" in pages
    assert [name for name, text in pages.items() if "Alias for field number" in text] == []


WIDTHS_OF_A_SITE = """<body><pre></pre><script>
(async () => {
  const out = document.querySelector("pre");
  for (const width of [1280, 390]) for (const page of PAGES) {
    const frame = document.createElement("iframe");
    frame.style.cssText = `width: ${width}px; height: 1200px; border: 0`;
    frame.src = page;
    await new Promise(done => { frame.onload = done; document.body.append(frame); });
    const seen = frame.contentDocument;
    if (seen.documentElement.scrollWidth > width) out.textContent += `${page} ${width}\\n`;
    if (width > 390) seen.querySelectorAll(".bd-article table").forEach((table, n) => {
      if (table.scrollWidth > table.clientWidth + 1) out.textContent += `${page} table ${n}\\n`;
    });
    frame.remove();
  }
  out.textContent += "all looked at";
})();
</script>"""


@pytest.mark.gallery
def test_nothing_of_the_site_lies_beyond_the_edge() -> None:
    """No page at 1280 and 390 px, no table at 1280 px; in the built site."""
    built = os.environ.get("FSTCE_GALLERY")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not built or program is None:
        pytest.skip("looks with a browser at the site that make docs has built")
    site = ROOT / built / "_build" / "html"
    pages = [str(page.relative_to(site)) for page in sorted(site.rglob("*.html"))]
    probe = site / "widths.html"
    probe.write_text(WIDTHS_OF_A_SITE.replace("PAGES", repr(pages)), encoding="utf-8")
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--allow-file-access-from-files", "--virtual-time-budget=600000", probe.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    probe.unlink()
    assert re.findall(r"<pre>(.*?)</pre>", done.stdout, re.S) == ["all looked at"]


def test_pages_name_attributes_that_classes_have() -> None:
    """`Kind.gone` was named for a day after it had gone; what CHANGELOG removes is named there."""
    names: dict[str, set[str]] = {}
    bases: dict[str, set[str]] = {}
    for path in (ROOT / "fstce").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                inside = [*ast.walk(node)]
                members = names.setdefault(node.name, set())
                members |= {part.name for part in inside if isinstance(part, ast.FunctionDef)}
                members |= {part.attr for part in inside if isinstance(part, ast.Attribute)}
                members |= {part.id for part in inside if isinstance(part, ast.Name)}
                bases.setdefault(node.name, set()).update(
                    base.id for base in node.bases if isinstance(base, ast.Name)
                )

    def has(owner: str, member: str) -> bool:
        return member in names.get(owner, ()) or any(
            has(base, member) for base in bases.get(owner, ())
        )

    unknown = []
    for name in sorted({*NAMES} - NOTEBOOK - {"CHANGELOG.md"}):
        page = (ROOT / name).read_text(encoding="utf-8")
        codes = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page, flags=re.S))
        for owner, member in re.findall(r"\b([A-Z]\w+)\.([a-z_]\w*)", " ".join(codes)):
            if owner in names and not has(owner, member):
                unknown.append(f"{name}: {owner}.{member}")
    assert unknown == []


def test_commands_have_the_options_that_pages_give_them() -> None:
    """Those, too, that need a corpus from outside and are not run."""
    made = runpy.run_path(str(DOCS / "made_pages.py"))
    helps: dict[tuple[str, ...], str] = {}
    shared = made["_help"]()  # options that many verbs share are described once
    unknown = []
    for name in sorted(set(NAMES) - NOTEBOOK):
        page = (ROOT / name).read_text(encoding="utf-8")
        fenced = "\n".join(re.findall(r"```\w+\n(.*?)```", page, re.S))
        for line in re.findall(r"^(?:\$ )?(?:.*\| )?(fstce .*)$", fenced, re.M):
            words = shlex.split(line.partition("  #")[0], comments=True)[1:]
            words = words[: words.index("|")] if "|" in words else words
            grouped = words[0] in groups()
            verb = tuple(words[: 2 if grouped else 1])
            if verb not in helps and not verb[0].startswith("-"):
                helps[verb] = made["_help"](*verb)
            given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
            known = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", shared + helps[verb]))
            unknown += [(name, *verb, option) for option in sorted(given - known)]
    assert len(helps) > 30
    assert unknown == []


def test_the_map_of_a_room_names_modules_that_are_there() -> None:
    for package in (ROOT / "fstce").rglob("__init__.py"):
        text = package.read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0]
        listed = re.findall(r"^``([a-z_]+)``(?: +``([a-z_]+)``)?  ", text, re.M)
        # Which are explained there
        names = {name for row in listed for name in row if name} - {"rotations"}
        missing = [name for name in names if not list(package.parent.glob(f"{name}*"))]
        assert not missing, f"{package}: {missing}"
