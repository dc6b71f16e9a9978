"""Correction (Smith & Eisner 2005b, §3.3 and §5.4) from a plan to a folder with a page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fstce.corpora import read_corpus
from fstce.correction.candidates import Candidates
from fstce.correction.punctuation import Punctuate
from fstce.correction.spelling import Spell
from fstce.errors import MissingToolError, ParameterError
from fstce.estimation.trials import TrialMonitor, run_trials
from fstce.reporting import Page, Picture, scatter_chart, write_report
from fstce.reporting.files import make_folder
from fstce.reproduction import correction_tables as tables
from fstce.reproduction.correction_systems import SYSTEMS
from fstce.reproduction.correction_trials import Plan, groups, parts, prepare
from fstce.reproduction.material import digest
from fstce.version import __version__

LOG = "trials.jsonl"
VOCABULARY = {"the": 9, "ten": 3, "tea": 2, "cat": 4, "sat": 3, "cart": 1}


def reproduce(
    plan: Plan,
    folder: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    fresh: bool = False,
    command: str = "fstce reproduce correction",
    monitor: TrialMonitor | None = None,
) -> list[Path]:
    """Run what is not yet run, and write the tables, the pictures and the page.

    Parameters
    ----------
    plan : Plan
    folder : path
        Made where it is missing. Holds ``trials.jsonl`` and the report.
    jobs : int, optional
        Processes; −1 for one a core.
    fresh : bool
        Whether earlier trials in the folder are thrown away.
    command : str
        What the page says was run.
    monitor : callable, optional
        Told of every trial.

    Raises
    ------
    CorpusError, ParameterError
        Before any training: the corpus or the log does not fit the plan. After it: every
        trial failed.
    """
    parts(plan.corpus, plan.train)
    place = make_folder(Path(folder))
    if fresh:
        (place / LOG).unlink(missing_ok=True)
    about = {"corpus": digest(read_corpus(plan.corpus)), "fstce": __version__}
    records = run_trials(groups(plan), prepare, place / LOG, about=about, jobs=jobs, monitor=monitor)
    failed = [_failure(record) for record in records if "error" in record]
    if len(failed) == len(records):
        raise ParameterError(f"no trial came to an end: {failed[0] if failed else 'there is none'}")
    return write_report(place, build(plan, records, command, failed), [tables.trials(records)])


def build(plan: Plan, records: Sequence[tables.Record], command: str, failed: Sequence[str] = ()) -> Page:
    """The page."""
    page = Page("Correction of spelling and punctuation", _summary(records), sortable=True)
    page.section("What was run")
    page.code(command)
    page.facts(_facts(plan))
    if failed:
        page.text("Left out, because they failed:")
        page.items(dict.fromkeys(failed))
    for title, table in (("Spelling", tables.spelling), ("Punctuation", tables.punctuation)):
        found = table(plan, records)
        if any(isinstance(row, tuple) for row in found.rows):
            page.section(title)
            page.table(found)
    for picture in _pictures(plan, records):
        page.picture(picture)
    page.section("Neighbourhoods")
    spell = Spell(Candidates(VOCABULARY, damerau=True))
    page.picture(spell(["teh", "cat", "sat"])._repr_svg_() or "", "SPELL≤1 of “teh cat sat”.")
    marks = Punctuate(1, [","])
    page.picture(marks(["well", "then", ",", "go"])._repr_svg_() or "", "PUNC≤1 of “well then , go”.")
    return page


def _failure(record: tables.Record) -> str:
    """Which system failed, and why: the same for all seeds."""
    settings = record["settings"]
    return f"{SYSTEMS[settings['system']].name}, {tables.MISTAKES[settings['mistake']]}: {record['error']}"


def _summary(records: Sequence[tables.Record]) -> str:
    """What contrastive estimation does beside the trigrams that it must beat."""
    found = tables.by_row(records)
    told = []
    for mistake, measure in (("random", "word error rate"), ("comma", "F1 of commas")):
        rows = {name: found.get((mistake, name)) for name in ("ce", "ngrams")}
        values = [
            f"{SYSTEMS[name].name} {_mean(results, mistake):.2f}" for name, results in rows.items() if results
        ]
        if values:
            told.append(f"{tables.MISTAKES[mistake]}: {measure} {', '.join(values)}")
    return f"{'; '.join(told)}.".capitalize() if told else ""


def _mean(results: Sequence[Any], mistake: str) -> float:
    if mistake == "random":
        values = [tables.words_of(result).error_rate for result in results]
    else:
        values = [100 * tables.marks_of(result).ratio.f(1) for result in results]
    return sum(values) / len(values)


def _facts(plan: Plan) -> dict[str, Any]:
    train, test = parts(plan.corpus, plan.train)
    return {
        "corpus": plan.corpus,
        "trained on": f"the first {len(train):,} sentences, {sum(map(len, train)):,} words, as they are",
        "tested on": f"the other {len(test):,} sentences, {sum(map(len, test)):,} words, mistyped",
        "spelling mistakes": f"{100 * plan.rate:g} % of the words of four letters or more, or that have one",
        "neighbourhoods": f"SPELL≤{plan.spell}, PUNC≤{plan.marks}",
        "seeds": plan.seeds,
    }


def _pictures(plan: Plan, records: Sequence[tables.Record]) -> list[Picture]:
    """Precision and recall of the systems; none without matplotlib."""
    found = tables.by_row(records)
    pictures = []
    for mistake in plan.spelling:
        points = {}
        for name in plan.spellers:
            results = [tables.words_of(result) for result in found.get((mistake, name), ())]
            if results and name != "alone":
                recall = [100 * score.correction.recall for score in results]
                precision = [100 * score.correction.precision for score in results]
                points[SYSTEMS[name].name] = (recall, precision)
        if points:
            with suppress(MissingToolError):
                pictures.append(
                    scatter_chart(
                        points,
                        title=f"Corrections: {tables.MISTAKES[mistake]}",
                        x_label="recall, %",
                        y_label="precision, %",
                        name=f"corrections-{mistake}",
                    )
                )
    return pictures
