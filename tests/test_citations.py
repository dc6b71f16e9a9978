"""Every citation of a part of the four papers names one that there is, and that says so.

``paper_parts.tsv``: the sections, equations, figures, tables and notes of the papers, what each says,
and words of which one must stand near a citation of it, if any are listed.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("fstce", "transducers", "grammars", "docs", "examples", "tests")
KIND = r"(?:§§?|[Ss]ections? |Eqs?\. |Figures? |Tables? |(?:foot)?notes? )"
NUMBER = r"\d+(?:\.\d)*[a-d]?"
PART = KIND + NUMBER
MORE = rf"(?:(?:,| and|;|–| to)* ?{KIND}?{NUMBER}(?![\d,%]))*"
NAME = r"(2005[ab]|(?:Petrov|Brooks) [\[(]*20(?:10|06))"
CITATION = re.compile(NAME + r"[\])]*(?:\([^)]*\))?\)?(?:,| \(|:)? ?(?:§|[Ss]ect|Eq|Fig|Tab|note)")
PIECE = re.compile(rf"({KIND})?({NUMBER})")


def parts() -> dict[tuple[str, str], str]:
    rows = csv.DictReader(
        (ROOT / "tests" / "paper_parts.tsv").open(encoding="utf-8"), delimiter="\t"
    )
    return {(row["paper"], row["part"]): row["topics"] for row in rows}


def cited(text: str) -> list[tuple[str, str, str]]:
    """The paper and the part of each citation of a text, with what stands around it.

    >>> [part for _, part, _ in cited("as in 2005a, §4 and Figure 1b; more")]
    ['§4', 'Figure 1b']
    """
    found = []
    for match in CITATION.finditer(text):
        start = re.search(r"§|[Ss]ect|Eq|Fig|Tab|note", text[match.start() :])
        assert start is not None
        named = re.match(PART + MORE, text[match.start() + start.start() :])
        if named is None:
            continue
        kind = ""
        for piece in PIECE.finditer(named[0]):
            kind = (piece[1] or kind).replace("Eqs.", "Eq.").replace("s ", " ")
            kind = re.sub("[Ss]ection |§§", "§", kind)
            around = text[max(0, match.start() - 300) : match.end() + 300]
            paper = match[1].replace("(", "").replace("[", "")
            found.append((paper, f"{kind}{piece[2]}", around))
    return found


def texts() -> Iterator[tuple[Path, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".md") and path.stem not in ("test_citations", "paper_items"):
                yield path, re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))
    yield ROOT / "README.md", (ROOT / "README.md").read_text(encoding="utf-8")


def faults(text: str) -> list[str]:
    """The citations of parts that there are not, or that are about something else."""
    known, found = parts(), []
    for paper, part, around in cited(text):
        if (paper, part) not in known:
            found.append(f"{paper} has no {part}")
        elif known[paper, part] and not re.search(known[paper, part], around):
            found.append(f"{paper}, {part} is about {known[paper, part]}: {around}")
    return found


def test_every_citation_of_the_papers_is_of_a_part_that_says_so() -> None:
    number = 0
    wrong = []
    for path, text in texts():
        number += len(cited(text))
        wrong += [f"{path.relative_to(ROOT)}: {fault}" for fault in faults(text)]
    assert not wrong, "\n".join(wrong)
    assert number > 60


@pytest.mark.parametrize(
    "text",
    [
        "Smith & Eisner (2005a), §3.1 and Figure 1b: DEL1WORD",
        "TRANS1, Smith & Eisner 2005a, §8",
        "Smith & Eisner (2005b), Eq. 14",
        "TRANS1 (2005a, Figure 1c)",
        "[Smith & Eisner (2005a)](https://aclanthology.org/P05-1044), Figure 1d: DEL1SUBSEQ",
        "transposition (2005b), §3.3, Eq. 4",
        "Bayes' rule (Petrov 2010, Section 2.4)",
        "the sum of logs of rule instances (Petrov (2010), Eq. 5)",
        "a threshold of preference (Brooks 2006, §5)",
        "[Brooks (2006)](https://aclanthology.org/W06-2916), Table 7: recall",
    ],
)
def test_a_wrong_citation_is_found(text: str) -> None:
    assert faults(text)


def test_every_clause_of_the_page_of_clauses_is_of_a_part_that_there_is() -> None:
    table = (ROOT / "docs" / "paper_items.tsv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(table.splitlines(), delimiter="\t"))
    of_papers = [row for row in rows if row["paper"] != "others"]
    named = [cited(f"{row['paper']}, {row['clause']}") for row in of_papers]
    assert all(named)
    assert {(paper, part) for row in named for paper, part, _ in row} <= set(parts())
