"""Data files of docs/results that are made of what ``fstce reproduce`` measures: see ``tables.py``.

Each run keeps its folder below ``build/tables/reproduce``, with a log of its trials: what has ended
is not run again.

Page: docs/results, through tables.py.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

Row = dict[str, str]


class Part(NamedTuple):
    """The part of a data file that a table of a run gives."""

    run: tuple[str, ...]  # arguments of `fstce reproduce`; DATA is the folder of data
    table: str
    name: Callable[[Row], str]  # of the row in the data file; "" leaves it out
    # Heading there: heading here; what is "from–to" here is two columns there
    columns: dict[str, str]
    digits: int = 1


DICTIONARIES = {
    "full": "all words listed",
    "first:500": "first 500 sentences",
    "count:2": "seen twice or more",
    "count:3": "three times or more",
}
ALL_WORDS = (
    "--words",
    "89000",
    "--dictionaries",
    "none",
    "--sigma2",
    "0.1,1,10",
    "--smoothing",
    "0.1,1,10",
)
TREES = {"attach to the next": "adjacent-word baseline, the next word"}
CRITERIA = {
    "initial weights": "untrained",
    **{name: name for name in ("EM", "LENGTH", "TRANS1", "DELORTRANS1")},
}
BRACKETS = {"precision": "UP", "recall": "UR", "F1": "F1"}
GRAMMARS = (
    *("products", "nltk:treebank", "--grammars", "16", "--products", "2,4,6,8,10,12,14,16"),
    *("--sums", "8,16"),
)
SCORES = {"dev F1": "development: F1", "test F1": "test: F1", "exact": "test: exact"}
INTERVALS = {"dev": "development: 95 % of F1", "test": "test: 95 % of F1"}
PAPER = {"Berkeley": "Berkeley: test F1"}
CORRECTION = ("correction", "nltk:treebank", "--seeds", "3")
SPELLERS = {
    "left alone": "uncorrected",
    "pyspellchecker": "pyspellchecker, the text's words",
    "pyspellchecker, its own counts": "pyspellchecker, its own words",
    "trigrams": "Kneser–Ney trigrams",
    "trigrams, lexicon": "trigrams and these words",
    "CE and trigrams, lexicon": "CE, trigrams and these words",
    **{
        f"{criterion} {short}": f"{criterion}, {long}, and trigrams"
        for criterion in ("CE", "EM")
        for short, long in (
            ("and trigrams", "words as classes"),
            ("with 8 latent classes", "8 latent classes"),
            ("with tags", "tags"),
        )
    },
}


def _criterion(row: Row) -> str:
    return row["criterion"]


def _diluted(row: Row) -> str:
    dictionary = DICTIONARIES[row["group"].removeprefix("dictionary: ")]
    return "" if row["criterion"] == "random" else f"{dictionary}: {row['criterion']}"


def _with_prior(row: Row) -> str:
    """The criterion and the prior of a row of the grammar paper's Table 2; the selected are left
    out.
    """
    criterion = row["criterion"]
    value = row["λ or σ²"]
    if row["group"] == "with trees" or value == "sel." or criterion not in CRITERIA:
        return TREES.get(criterion, "")
    name = CRITERIA[criterion]
    prior = "λ" if name in ("EM", "untrained") else "σ²"
    return f"{name}, no prior" if value == "none" else f"{name}, {prior} = {value}"


def _system(row: Row) -> str:
    return "random binary trees" if row["system"] == "random" else row["system"]


def _upper_bound(row: Row) -> str:
    return "upper bound of binary trees" if row["system"] == "upper bound" else ""


def _best_filled(row: Row) -> str:
    return "DA_STOP, filled up" if row["system"] == "DA_STOP" and not row["group"] else ""


def _as_it_is(row: Row) -> str:
    return "DA_STOP as it is" if row["system"] == "DA_STOP" else ""


def _filled(row: Row) -> str:
    """A system filled up, or right-branching trees, in the text as it is or between punctuation
    marks.
    """
    marks = bool(row["group"])
    system = row["system"]
    if system == "upper bound":
        return ""
    if system == "right-branching":
        return f"{system} within and over the stretches between marks" if marks else system
    between = " between marks" if marks else ""
    return (
        f"DA_STOP{between}, as it is"
        if system == "DA_STOP as it is"
        else f"{system}{between}, filled up"
    )


def _cycle(row: Row) -> str:
    number = row["cycles"]
    return "X-bar grammar" if number == "0 (X-bar)" else f"{number} cycle{'s' * (number != '1')}"


def _mean_of_seeds(row: Row) -> str:
    return "4 cycles, mean of 16 seeds" if row["grammar"] == "mean" else ""


def _product(row: Row) -> str:
    return f"product of {row['grammars']}" if row["grammars"] != "1" else ""


def _sum(part: str) -> Callable[[Row], str]:
    """The rows of a part of the treebank where products are compared with sums."""

    def name(row: Row) -> str:
        return f"sum of {row['comparison'].split()[0]}" if row["part and score"] == part else ""

    return name


def _speller(mistake: str) -> Callable[[Row], str]:
    """The systems on one kind of mistake, as they are or by what they are made of."""

    def name(row: Row) -> str:
        return (
            SPELLERS.get(row["system"], row["system"]) if row["group"].startswith(mistake) else ""
        )

    return name


def _correcting(mistake: str) -> Callable[[Row], str]:
    """The rows without those that correct nothing."""
    speller = _speller(mistake)
    return lambda row: "" if row["system"] == "left alone" else speller(row)


def _induced(corpus: str, name: str) -> list[Part]:
    """Scores of the systems as they are, of a corpus that columns name so, and of the best one
    filled up.
    """
    run, filled = ("distribution", corpus), ("filled_brackets", corpus)
    scores = {f"{name} {long}": short for long, short in BRACKETS.items()}
    return [
        Part(run, "systems", _system, scores),
        Part(run, "systems", _system, {f"{name} crossing": "crossing"}, digits=2),
        Part(filled, "filled", _upper_bound, scores),
        Part(filled, "filled", _upper_bound, {f"{name} crossing": "crossing"}, digits=2),
        Part(filled, "filled", _best_filled, {f"{name} F1": "F1"}),
    ]


CRAFT = "DATA/craft/craft.mrg"
REPRODUCED = {
    "tagging": [
        *(
            Part(
                run,
                "figure2",
                _criterion,
                {f"{size} selected": f"{size}: sel.", f"{size} oracle": f"{size}: oracle"},
            )
            for size, run in (
                ("24K", ("tagging", "nltk:treebank")),
                ("89K", ("tagging", "nltk:treebank", *ALL_WORDS)),
            )
        ),
        Part(
            ("tagging", "nltk:treebank"),
            "figure2",
            _criterion,
            {"paper selected": "24K: paper sel.", "paper oracle": "24K: paper oracle"},
        ),
    ],
    "tagging_17_tags": [
        Part(
            ("tagging", "nltk:treebank"),
            "table3",
            _diluted,
            {
                f"{name} {kind}": f"{features}: {short}"
                for name, features in (("trigrams", "trigram"), ("spelling", "+ spelling"))
                for kind, short in (("selected", "sel."), ("oracle", "oracle"))
            },
        )
    ],
    "grammar_criteria": [
        Part(
            ("dependencies", "nltk:dependency_treebank"),
            "table2",
            _with_prior,
            {
                f"{ours}{of}": f"{start}: {kind}"
                for start, ours, paper in (
                    ("klein-manning", "Klein & Manning start", "paper, same start"),
                    ("uniform", "uniform start", "paper, uniform start"),
                )
                for ours, of, kind in (
                    (ours, "", "test %"),
                    (ours, " ±", "±"),
                    (paper, "", "paper"),
                )
            },
        )
    ],
    "correction_criteria": [
        Part(
            CORRECTION,
            "spelling",
            _speller("random"),
            {"random": "word error rate", "random ±": "±", "false positives": "damaged %"},
            digits=2,
        ),
        Part(
            CORRECTION,
            "spelling",
            _correcting("random"),
            {"precision": "corrected: P", "recall": "corrected: R"},
        ),
        Part(
            CORRECTION, "spelling", _speller("adjacent"), {"keyboard": "word error rate"}, digits=2
        ),
        Part(
            CORRECTION,
            "spelling",
            _speller("words taken"),
            {"real-word": "word error rate"},
            digits=2,
        ),
        Part(
            CORRECTION,
            "spelling",
            _correcting("random"),
            {"sentences a second": "sentences/s"},
            digits=0,
        ),
    ],
    "punctuation": [
        Part(
            CORRECTION,
            "punctuation",
            _correcting("one comma"),
            {"one comma": "F1", "one comma ±": "±", "precision": "P", "recall": "R"},
        ),
        *(
            Part(CORRECTION, "punctuation", _correcting(mistake), {heading: column})
            for mistake, heading, column in (
                ("one comma", "from a quarter on", "likely F1"),
                ("all commas", "all commas", "F1"),
                ("one mark", "one mark too many", "F1"),
                ("another", "another mark", "F1"),
            )
        ),
        Part(
            CORRECTION,
            "punctuation",
            _correcting("one comma"),
            {"sentences a second": "sentences/s"},
            digits=0,
        ),
    ],
    "induction": [*_induced("nltk:treebank", "Penn"), *_induced(CRAFT, "CRAFT")],
    "induction_filled": [
        Part((run, corpus), table, row_name, {name: "F1"})
        for corpus, name in (("nltk:treebank", "Penn"), (CRAFT, "CRAFT"))
        for run, table, row_name in (
            ("distribution", "systems", _as_it_is),
            ("filled_brackets", "filled", _filled),
        )
    ],
    "products": [
        Part(GRAMMARS, "cycles", _cycle, {**SCORES, **PAPER}),
        Part(GRAMMARS, "singles", _mean_of_seeds, {**SCORES, **PAPER}),
        Part(GRAMMARS, "products", _product, {**SCORES, **INTERVALS, **PAPER}),
        Part(GRAMMARS, "combinations", _sum("development F1"), {"dev F1": "sum"}),
        Part(GRAMMARS, "combinations", _sum("test F1"), {"test F1": "sum"}),
        Part(GRAMMARS, "combinations", _sum("test exact match"), {"exact": "sum"}),
    ],
}


def program(run: Sequence[str]) -> list[str]:
    """The module of a run and its arguments: ``fstce reproduce``, or an experiment of its own.

    >>> program(("tagging", "sample")), program(("correction", "sample"))
    (['fstce', 'reproduce', 'tagging', 'sample'], ['examples.experiments.correction', 'sample'])
    """
    if run[0] in ("correction", "filled_brackets"):
        return [f"examples.experiments.{run[0]}", *run[1:]]
    return ["fstce", "reproduce", *run]


def reproduced(parts: Iterable[Part], kept: Path, data: Path) -> dict[str, Row]:
    """A table of these parts, by rows and columns, each a number; runs what has not been run."""
    table: dict[str, Row] = {}
    for part in parts:
        arguments = [text.replace("DATA", str(data)) for text in part.run]
        folder = kept / "-".join(part.run).replace("/", "-").replace("--", "")
        if not (folder / f"{part.table}.csv").exists():
            command = [sys.executable, "-m", *program(arguments), "--output", str(folder)]
            subprocess.run(command, check=True)

        text = (folder / f"{part.table}.csv").read_text(encoding="utf-8")
        for row in csv.DictReader(text.splitlines()):
            name = part.name(row)
            if name:
                cells = table.setdefault(name, {"row": name})
                for heading, column in part.columns.items():
                    cells |= _numbers(heading, row[column], part.digits)

    return table


def _numbers(heading: str, cell: str, digits: int) -> Row:
    """A number rounded; the two ends of an interval."""
    if "–" in cell:
        return dict(zip((f"{heading} low", f"{heading} high"), cell.split("–"), strict=True))
    return {heading: f"{float(cell):.{digits}f}"} if cell else {}
