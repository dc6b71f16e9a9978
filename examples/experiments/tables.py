"""The tables of docs/results: run the scripts that measure, keep what they print, renew what pages quote.

``make tables DATA=FOLDER`` runs each script below on each of its corpora, a trial of
:mod:`fstce.processes.trials` each, and ``fstce reproduce`` as ``reproduced.py`` says, in hours;
what the logs in ``build/tables`` have is not run again, so that an ended run goes on. FOLDER holds
``ud-panel/*.conllu``, ``dictionaries`` as ``panel_tagging.py`` says, ``spellers/…-typos.tsv``,
``misspellings/wikipedia-half.tsv``, ``ud``, ``craft/craft.mrg``, ``readings`` as
``ranked_readings.py`` says, and what ``held_out_tagging.py`` names. What comes out goes into
``docs/results/data/NAME.tsv``, a number a cell, with the command and the day. Then the pages:

    python -m examples.experiments.tables run FOLDER [NAME ...]
    python -m examples.experiments.tables pages     # their tables, and the figures of them

A table of a page that stands under ``<!-- table: NAME -->`` quotes ``NAME.tsv``: its first column
says which rows, its header which columns. ``tests/test_results.py`` holds every cell to that file.

Page: all of docs/results.
"""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from examples.experiments.reproduced import REPRODUCED, program, reproduced
from fstce.processes.trial_log import TrialLog
from fstce.processes.trials import Group, run_trials

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "results"
KEPT = ROOT / "build" / "tables"
MARK = re.compile(r"^<!-- table: (\w+) -->\n\n((?:\|.*\n)+)", re.M)
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")
Table = dict[str, dict[str, str]]


class Task(NamedTuple):
    """A script with its options, the corpora that it is run on one by one, and how its lines are a
    table.
    """

    command: tuple[str, ...]
    corpora: tuple[str, ...]  # globs below the folder of data, or names that the script knows
    # Where the script prints a line a number: what says its row, its column and itself.
    rows: str = ""
    columns: str = ""
    numbers: str = ""
    only: tuple[str, str] = ("", "")  # and which lines: a column and what it has
    mean: bool = True  # whether rows are corpora that have a mean


PANEL = ("ud-panel/*.conllu",)
SPELLERS = ("spellers*/*-typos.tsv",)
CORPORA = ("WSJ", "French", "English ATIS", "Turkish ATIS", "Malagasy")
SYSTEMS = (
    *(
        "uncorrected",
        "hunspell",
        "symspellpy",
        "pyspellchecker",
        "fstce",
        "no adaptation",
        "no threshold",
    ),
    *(
        "no splits, joins, apostrophes",
        "unigrams",
        "no unreliable vocabulary",
        "no learned channel",
    ),
    *("no derived words", "one edit", "no lexicon", "seed 1", "seed 2"),
)
HELD_OUT = ("held_out_tagging", "DATA")
TOKENIZERS = ("tests/benchmarks/tokenizers.py",)
ATIS = (
    "ud/UD_French-Sequoia/*-train.conllu",
    "ud/UD_English-Atis/*-train.conllu",
    "ud/UD_Turkish-Atis/*-train.conllu",
)
TASKS = {
    "answers": Task(("panel_tagging", "outside"), ("dictionaries/*.conllu",)),
    **{
        f"dictionary_{kind}": Task(("panel_tagging", kind), PANEL)
        for kind in ("types", "struck", "text")
    },
    "weighted_analyzers": Task(("weighted_analyzers",), PANEL),
    "readings": Task(("ranked_readings",), ("readings/[A-Z]*",)),
    "spellers": Task(("speller_folds", "folds"), SPELLERS, mean=False),
    "spellers_curve": Task(("speller_folds", "curve"), SPELLERS, mean=False),
    "spellers_programs": Task(("speller_folds", "programs"), SPELLERS, mean=False),
    "spellers_machines": Task(("speller_folds", "machines"), SPELLERS, mean=False),
    "correction": Task(("left_out_correction", "DATA"), SYSTEMS, mean=False),
    "correction_languages": Task(
        ("corrector_languages", "DATA"), ("English", "German", "Polish", "Czech"), mean=False
    ),
    "growth": Task(("growth",), ("words", "tags", "order", "length"), mean=False),
    "memory": Task(("memory",), ("nltk:treebank",), mean=False),
    "speed": Task(("speed",), ("nltk:treebank",), mean=False),
    "tokenizers": Task(TOKENIZERS, ATIS, "tokenizer", "what", "number", ("unit", "%")),
    **{
        f"few_labeled{size}": Task(
            ("few_labeled", "DATA"), CORPORA, "tagger", "corpus", "all words", ("listed", listed)
        )
        for size, listed in (("", "0"), ("_500", "500"))
    },
    "grammars_10": Task(("panel_grammars", "--max-length", "10"), PANEL),
    "grammars_20": Task(("panel_grammars", "--max-length", "20", "--sentences", "400"), PANEL),
    "grammars_all": Task(("panel_grammars", "--sentences", "100"), PANEL),
    "grammars_small": Task(
        ("panel_grammars", "--max-length", "10"),
        ("ud-analysers/*.conllu", "ud/UD_Turkish-Atis/*-train.conllu"),
    ),
    **{
        f"held_out{size}{part}": Task(
            HELD_OUT, CORPORA, "tagger", "corpus", column, ("dictionary", listed)
        )
        for size, listed in (("", "whole"), ("_500", "500 words"))
        for part, column in (("", "all words"), ("_oov", "OOV words"))
    },
}


class Figure(NamedTuple):
    """Bars of some columns of a data file, a color a column; where they do not begin at 0, points."""

    label: str
    columns: tuple[str, ...]
    without: tuple[str, ...] = ()  # the rows that are not drawn
    limits: tuple[float, float] = (0, 100)
    log: bool = False


FIGURES = {
    "answers": Figure("% of all words", ("EM", "auto", "50", "CRF 50")),
    "tagging": Figure(
        "% of the ambiguous words",
        ("24K selected", "paper selected"),
        ("LENGTH with OOV", "untrained (all weights zero)"),
    ),
    "grammars_10": Figure("% of heads", ("default", "adjacent", "with rules", "supervised")),
    "grammar_criteria": Figure(
        "% of heads, uniform start", ("uniform start", "paper, uniform start")
    ),
    "products": Figure("labeled F1, test", ("test F1", "Berkeley"), ("X-bar grammar", "1 cycle")),
    "few_labeled": Figure("% of all words", CORPORA, limits=(80, 100)),
    "held_out_oov": Figure("% of the OOV words", CORPORA),
    "readings": Figure("% of the tokens in question", ("shipped", "default", "20 answers")),
    "spellers": Figure("% at the first place", ("letters and strings", "by hand", "unit costs")),
    "tokenizers": Figure(
        "F1, %", ("French words", "English words", "Turkish words", "French sentences")
    ),
    "correction": Figure(
        "% of the words wrong",
        ("random, WSJ", "people's, WSJ", "people's, CRAFT"),
        ("seed 1", "seed 2"),
        limits=(0, 7),
    ),
    "correction_criteria": Figure(
        "% of the words wrong", ("random", "keyboard", "real-word"), limits=(0, 6)
    ),
    "induction": Figure(
        "F1 of brackets, %", ("Penn F1", "CRAFT F1"), ("upper bound of binary trees",)
    ),
    "speed": Figure("times as fast as another way", ("ratio",), limits=(1, 200), log=True),
    "growth": Figure("MB at the peak", ("training, MB", "tagging, MB"), limits=(0, 2500)),
}
COLORS = ("#3b6ea5", "#c9c9c9", "#e0a030", "#7a9e4f", "#a05a7a")


def read(name: str) -> tuple[dict[str, str], Table]:
    """A data file: what its comments say (command, measured), and its rows by name, each by column."""
    lines = (RESULTS / "data" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    said = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    header, *rows = (line.split("\t") for line in lines if not line.startswith("# "))
    return said, {row[0]: dict(zip(header, row, strict=True)) for row in rows}


def write(name: str, command: str, table: Table) -> None:
    """Write a data file with today's date and the version of fstce."""
    from fstce.version import __version__

    header = list(dict.fromkeys(column for row in table.values() for column in row))
    if (RESULTS / "data" / f"{name}.tsv").exists():  # rows and columns keep their places
        before = read(name)[1]
        places = {row: i for i, row in enumerate(before)}
        table = dict(sorted(table.items(), key=lambda item: places.get(item[0], len(places))))
        first, *columns = next(iter(before.values()))
        own = [column for column in header[1:] if column not in columns]
        table = {key: {first: key, **row} for key, row in table.items()}
        header = [first, *(column for column in columns if column in header), *own]

    rows = ["\t".join(row.get(column, "") for column in header) for row in table.values()]
    said = (f"# command: {command}", f"# measured: {datetime.date.today()}, {__version__}")
    text = "\n".join((*said, "\t".join(header), *rows))
    (RESULTS / "data" / f"{name}.tsv").write_text(f"{text}\n", encoding="utf-8")


def run(data: Path, names: list[str]) -> None:
    """Run what has not been run, a corpus at a time, and write the data files."""
    for name in names or (*TASKS, *REPRODUCED):
        if name in REPRODUCED:
            command = " and ".join(
                dict.fromkeys(" ".join(program(part.run)) for part in REPRODUCED[name])
            )
            write(name, command, reproduced(REPRODUCED[name], KEPT / "reproduce", data))
            continue
        task = TASKS[name]
        command = " ".join(("python", *_program(task.command[0]), *task.command[1:], "CORPUS …"))
        write(name, command, merged(_printed(task, data), task))


def _program(script: str) -> tuple[str, ...]:
    """The arguments with which Python runs a script: an experiment by its module, others by their
    file.
    """
    return (script,) if script.endswith(".py") else ("-m", f"examples.experiments.{script}")


def _printed(task: Task, data: Path) -> list[str]:
    """The output of the script for each corpus, now or when it was measured."""
    script, *options = (str(data) if part == "DATA" else part for part in task.command)
    corpora = {Path(corpus).stem: corpus for corpus in _corpora(task, data)}

    def measured(trial: Mapping[str, Any]) -> Mapping[str, Any]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
        command = [sys.executable, *_program(script), *options, corpora[trial["corpus"]]]
        done = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
        )
        return {"printed": done.stdout}

    KEPT.mkdir(parents=True, exist_ok=True)
    name = "-".join(Path(part).stem for part in task.command)
    group = Group({}, [{"corpus": corpus} for corpus in corpora])
    with TrialLog(KEPT / f"{name}.jsonl") as log:
        records = run_trials([group], lambda shared: measured, log, jobs=1)

    return [record["result"]["printed"] for record in records]


def _corpora(task: Task, data: Path) -> Iterator[str]:
    for name in task.corpora:
        yield from sorted(map(str, data.glob(name))) if "*" in name else [name]


def merged(printed: list[str], task: Task) -> Table:
    """One table of what a script printed for each corpus; the mean of corpora where rows are
    corpora.
    """
    lines = [row for text in printed for row in cells(text)]
    if not task.rows:
        header = lines[0]
        rows = [row for row in lines if row[0] not in (header[0], "mean")]
        table = {row[0]: _numbers(dict(zip(header, row, strict=True))) for row in rows}
        if not task.mean:
            return table

        columns = [column for column in next(iter(table.values())) if not column.endswith("±")][1:]
        means = {
            column: sum(float(row[column].replace(",", "")) for row in table.values()) / len(table)
            for column in columns
            if column not in ("sentences", "seconds", "typos")
            and all(row[column] for row in table.values())
        }
        means |= {  # deviations of independent means
            column: sum(float(row[column]) ** 2 for row in table.values()) ** 0.5 / len(table)
            for column in next(iter(table.values()))
            if column.endswith("±") and column[:-2] in means
        }
        first = {header[0]: "mean"}

        return table | {"mean": first | {column: f"{mean:.1f}" for column, mean in means.items()}}

    table = {}
    header = lines[0]
    for line in lines:
        row = dict(zip(header, line, strict=True))
        if line != header and row.get(task.only[0], "") == task.only[1]:
            cell = _numbers({row[task.columns]: row[task.numbers]})
            table.setdefault(row[task.rows], {task.rows: row[task.rows]}).update(cell)

    return table


def _numbers(row: dict[str, str]) -> dict[str, str]:
    """A number a cell: `a ± b` in two columns, `a [b, c]` in three."""
    split = {}
    for column, cell in row.items():
        number, sign, deviation = cell.partition(" ± ")
        number, bracket, ends = number.partition(" [")
        split[column] = number
        if sign:
            split[f"{column} ±"] = deviation
        if bracket:
            split[f"{column} low"], split[f"{column} high"] = ends.rstrip("]").split(", ")
    return split


def cells(text: str) -> Iterator[list[str]]:
    """The rows of the Markdown tables in a text, the header first, without their rules."""
    for line in text.splitlines():
        if line.startswith("|") and not re.fullmatch(r"[|:\- ]+", line):
            yield [cell.strip().strip("*") for cell in line.strip()[1:-1].split("|")]


def quoted(page: str) -> Iterator[tuple[str, str]]:
    """The marked tables of a page: the name of the data file, and the table as it stands there."""
    yield from ((match[1], match[2]) for match in MARK.finditer(page))


def drawn(name: str, table: str) -> str:
    """A table of a page with the numbers of its data file; bold rows stay bold."""
    _, data = read(name)
    header, *rows = list(cells(table))
    bold = [line.startswith("| **") for line in table.splitlines() if "|---" not in line][1:]
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    for row, strong in zip(rows, bold, strict=True):
        missing = [row[0]] if row[0] not in data else [c for c in header if c not in data[row[0]]]
        if missing:
            raise SystemExit(f"{name}.tsv has no {', '.join(missing)}, which a page quotes")
        numbers = [data[row[0]][column] for column in header[1:]]
        label = f"**{row[0]}**" if strong else row[0]
        lines.append(f"| {' | '.join([label, *numbers])} |".replace("|  |", "| |"))
    return "\n".join(lines).replace("|  |", "| |") + "\n"


def pages() -> None:
    """Renew the marked tables of all pages."""
    for path in sorted(RESULTS.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        renewed = MARK.sub(lambda m: f"<!-- table: {m[1]} -->\n\n{drawn(m[1], m[2])}", text)
        path.write_text(renewed, encoding="utf-8")


def figure(name: str, chart: Figure) -> None:
    """Draw it, with deviations or 95 % intervals where the data file has them."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    rows = read(name)[1].items()
    table = [
        row for key, row in rows if key not in chart.without and any(row[c] for c in chart.columns)
    ]
    labels = [next(iter(row.values())) for row in table]
    height = 0.8 / len(chart.columns)

    with pyplot.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        size = (7, 0.7 + len(table) * max(0.26, 0.13 * len(chart.columns)))
        axes = pyplot.subplots(figsize=size, layout="constrained")[1]
        for k, (column, color) in enumerate(zip(chart.columns, COLORS, strict=False)):
            drawn = [(i + k * height, row) for i, row in enumerate(table) if row[column]]
            places = [place for place, _ in drawn]
            values = [_number(row[column]) for _, row in drawn]
            style = {"color": color, "label": column, "ecolor": "#555"}
            errors = [*zip(*(_error(row, column) for _, row in drawn), strict=True)]
            if chart.limits[0] and not chart.log:
                axes.errorbar(values, places, xerr=errors, fmt="o", markersize=4, **style)
            else:
                axes.barh(places, values, height, xerr=errors, **style)

        axes.set_yticks([i + 0.4 - height / 2 for i in range(len(table))], labels)
        axes.invert_yaxis()
        axes.set(xlabel=chart.label, xscale="log" if chart.log else "linear", xlim=chart.limits)
        if len(chart.columns) > 1:
            axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))

        axes.spines[["top", "right"]].set_visible(False)
        axes.figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})
        pyplot.close(axes.figure)


def _number(cell: str) -> float:
    return float(cell.replace(",", ""))


def _error(row: dict[str, str], column: str) -> tuple[float, float]:
    """How far a bar's deviation or interval goes below and above it; nothing where none was
    measured.
    """
    value = _number(row[column])
    deviation = float(row.get(f"{column} ±") or 0)
    part = column.removesuffix(" F1")
    low, high = (float(row.get(f"{part} {end}") or value) for end in ("low", "high"))
    return deviation or value - low, deviation or high - value


if __name__ == "__main__":
    if sys.argv[1] == "run":
        run(Path(sys.argv[2]), sys.argv[3:])
    pages()
    for name, settings in FIGURES.items():
        figure(name, settings)
