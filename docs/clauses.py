"""The page of paper items, made of their table: which clause of the papers is where, and what deviates.

``paper_items.tsv``: a clause, its module, the verb that reaches it, its test, its state (in, in part,
deviates, missing), and why it is not as the paper has it: data, method or choice.

Run: python docs/clauses.py
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
STATES = ("deviates", "in part", "missing", "in")
LINKS = {
    "Smith & Eisner (2005a)": "https://aclanthology.org/P05-1044",
    "Smith & Eisner (2005b)": "references.md",
    "Petrov (2010)": "https://aclanthology.org/N10-1003",
    "Brooks (2006)": "https://aclanthology.org/W06-2916",
}
BESIDES = {
    "Kneser & Ney (1995)": "https://doi.org/10.1109/ICASSP.1995.479394",
    "Petrov et al. 2006": "https://aclanthology.org/P06-1055",
    "Naseem et al. (2010)": "https://aclanthology.org/D10-1120",
    "Ganchev et al. (2010)": "https://jmlr.org/papers/v11/ganchev10a.html",
    "Smith & Eisner (2004)": "https://aclanthology.org/P04-1062",
    "Rose (1998)": "https://doi.org/10.1109/5.726788",
}


def clauses() -> list[dict[str, str]]:
    """The rows of the table."""
    with (HERE / "paper_items.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def page() -> str:
    """The page: what deviates, then each paper's clauses."""
    rows = clauses()
    counts = Counter(row["state"] for row in rows)
    numbers = ", ".join(f"{counts[state]} {state}" for state in reversed(STATES))

    lines = [
        "# Paper item → module → test",
        "",
        f"{len(rows)} clauses of the papers: {numbers}. The suite sees to it that each module and "
        "test is there, and that what is not as its paper has it says why: by the data, by the "
        "method, or by choice.",
        "",
        "## What is not as the papers have it",
        "",
        "| clause | state | why |",
        "|---|---|---|",
    ]
    for state in STATES[:-1]:
        of_state = [row for row in rows if row["state"] == state]
        lines += [f"| {_cited(row)} | {state} | {row['why']} |" for row in of_state]

    lines += ["", "## Where everything is", ""]
    for paper in dict.fromkeys(row["paper"] for row in rows):
        lines += [f"| {_linked(paper)} | module | verb | test |", "|---|---|---|---|"]
        for row in rows:
            if row["paper"] == paper and row["module"]:
                verb = f"`{row['verb']}`" if row["verb"] else ""
                clause = _with_links(row["clause"])
                lines.append(f"| {clause} | `{row['module']}` | {verb} | `{row['test']}` |")
        lines.append("")
    return "\n".join(lines)


def _cited(row: dict[str, str]) -> str:
    return f"{_linked(row['paper'])}, {row['clause']}"


def _linked(paper: str) -> str:
    return f"[{paper}]({LINKS[paper]})" if paper in LINKS else paper


def _with_links(clause: str) -> str:
    for name, place in BESIDES.items():
        clause = clause.replace(name, f"[{name}]({place})")
    return clause


if __name__ == "__main__":
    (HERE / "paper_items.md").write_text(page(), encoding="utf-8")
