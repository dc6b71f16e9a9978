"""Correction (Smith & Eisner 2005b, §3.3 and §5.4) from a plan to a folder with a page.

The paper proposes the neighborhoods SPELL and PUNC, and has no numbers. Systems that need
pyspellchecker or symspellpy are left out where these are not installed.

Page: docs/results/correction_criteria.md.
Run: python -m examples.experiments.correction nltk:treebank --seeds 3 --output correction-report
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from examples.experiments.correction_trials import (
    ALL_LOST,
    PUNCTUATION,
    SPELLING,
    SYSTEMS,
    CorrectionPlan,
    groups,
    parts,
    prepare,
)
from fstce.evaluation.correction import CorrectionScores, Ratio
from fstce.processes.trial_log import Record, Settings
from fstce.reporting.tables import Cell, Divider, Table
from fstce.reproduction.run import Experiment, ReportPage, ended

Scores = Callable[[Mapping[str, Any]], Mapping[str, float]]

MISTAKES = {
    "random": "random edits",
    "keyboard": "adjacent-key errors",
    "confusables": "words taken for others",
    "comma": "one comma left out of each sentence that has any",
    "commas": "all commas left out",
}


def spelling(plan: CorrectionPlan, records: Sequence[Record]) -> Table:
    """Word error rate, precision, recall, damage and speed of every speller."""
    columns = ["system", "word error rate before", "word error rate", "±", "found: P", "found: R"]
    columns += [
        "found: F½",
        "corrected: P",
        "corrected: R",
        "corrected: F½",
        "damaged %",
        "sentences/s",
    ]

    note = (
        f"Percent; {_seeds(plan)}, ± the sample deviation of the word error rate. Found: the "
        "right place was changed; corrected: to the right word; damaged: clean words that were "
        "changed. Sentences per second of processor time."
    )

    means = means_of(records, spelling_scores, "word error rate")
    rows = _rows(plan.spellers, plan.spelling, means, columns[1:])

    decimals = {**dict.fromkeys((*columns[1:4], "damaged %"), 2), "sentences/s": 0}
    table = Table("spelling", "Correction of spelling", columns, rows, note, decimals=decimals)
    return table.best("corrected: F½").best("word error rate", lowest=True)


def punctuation(plan: CorrectionPlan, records: Sequence[Record]) -> Table:
    """F1 of the marks of every punctuator, and what it makes of the whole."""
    columns = [
        "system",
        "P",
        "R",
        "F1",
        "±",
        "word error rate before",
        "word error rate",
    ]
    columns += ["sentences/s"]

    note = (
        f"Percent; {_seeds(plan)}, ± the sample deviation of F1. The best (sentence, "
        "structure) pair is scored (Eq. 11). Only commas count; correctors know that they are left "
        f"out. PUNC≤{plan.marks}, but PUNC≤{ALL_LOST} where all were left out."
    )

    rows = _rows(
        plan.punctuators, plan.punctuation, means_of(records, mark_scores, "F1"), columns[1:]
    )
    decimals = {"word error rate before": 2, "word error rate": 2, "±": 2, "sentences/s": 0}
    table = Table(
        "punctuation", "Correction of punctuation", columns, rows, note, decimals=decimals
    )
    return table.best("F1").best("word error rate", lowest=True)


def _seeds(plan: CorrectionPlan) -> str:
    return "one seed" if plan.seeds == 1 else f"mean over {plan.seeds} seeds"


def means_of(records: Iterable[Record], scores: Scores, spread: str) -> pd.DataFrame:
    """The mean over the seeds of each score, by mistake and system.

    ``±`` is the sample deviation of the score `spread`; ``sentences/s`` is of processor time, and
    missing where it took too little to be measured.
    """
    kinds = SPELLING if scores is spelling_scores else PUNCTUATION
    rows = [
        {
            **record["settings"],
            **scores(record["result"]),
            "corrected": record["result"]["sentences"],
            "cpu seconds": record["result"]["seconds"],
        }
        for record in ended(records)
        if record["settings"]["mistake"] in kinds
    ]

    if not rows:
        return pd.DataFrame()

    by_system = pd.DataFrame(rows).groupby(["mistake", "system"])
    means = by_system.mean(numeric_only=True)
    seconds = means["cpu seconds"].where(means["cpu seconds"] > 1e-3)
    return means.assign(
        **{"±": by_system[spread].std(), "sentences/s": means["corrected"] / seconds}
    )


def spelling_scores(result: Mapping[str, Any]) -> dict[str, float]:
    """The scores of a trial of spelling, in percent, by the headings of the table."""
    score = CorrectionScores(**result["words"])
    return {
        "word error rate before": score.error_rate_before,
        "word error rate": score.error_rate,
        "found: P": 100 * score.detection.precision,
        "found: R": 100 * score.detection.recall,
        "found: F½": 100 * score.detection.f(0.5),
        "corrected: P": 100 * score.correction.precision,
        "corrected: R": 100 * score.correction.recall,
        "corrected: F½": 100 * score.correction.f(0.5),
        "damaged %": score.damage_rate,
    }


def mark_scores(result: Mapping[str, Any]) -> dict[str, float]:
    """The scores of a trial of punctuation, in percent, by the headings of the table."""
    score = CorrectionScores(**result["words"])
    ratio = Ratio(**result["marks"])
    return {
        "P": 100 * ratio.precision,
        "R": 100 * ratio.recall,
        "F1": 100 * ratio.f(1),
        "word error rate before": score.error_rate_before,
        "word error rate": score.error_rate,
    }


def _rows(
    systems: Sequence[str], mistakes: Sequence[str], means: pd.DataFrame, columns: Sequence[str]
) -> list[Sequence[Cell] | Divider]:
    """A rule for each mistake, and under it the systems that were run."""
    rows: list[Sequence[Cell] | Divider] = []
    for mistake in mistakes:
        rows.append(Divider(MISTAKES[mistake]))
        for system in systems:
            if (mistake, system) in means.index:
                cells: list[float] = means.loc[(mistake, system), list(columns)].tolist()
                rows.append([SYSTEMS[system].name, *(None if math.isnan(x) else x for x in cells)])
    return rows


def _fill(page: ReportPage, plan: CorrectionPlan, records: Sequence[Record]) -> None:
    page.add("Spelling", spelling(plan, records))
    page.add("Punctuation", punctuation(plan, records))


def _outcome(settings: Settings, result: Mapping[str, Any]) -> str:
    if settings["mistake"] in PUNCTUATION:
        return f"seed {settings['seed']}, F1 {100 * Ratio(**result['marks']).f(1):.1f}"
    words = CorrectionScores(**result["words"])
    rates = f"{words.error_rate_before:.2f} to {words.error_rate:.2f} % word errors"
    return f"seed {settings['seed']}, {rates}"


def _facts(plan: CorrectionPlan) -> dict[str, Any]:
    train, test = parts(plan.corpus, plan.train)
    return {
        "trained on": f"the first {len(train):,} sentences, {sum(map(len, train)):,} words",
        "tested on": f"the other {len(test):,} sentences, {sum(map(len, test)):,} words, mistyped",
        "spelling mistakes": f"{100 * plan.rate:g} % of the words of four letters and more",
    }


# All seeds of a system have one name, so that a failure is reported once.
NAMED_BY = ("mistake", "system")
TITLE = "Correction of spelling and punctuation"
EXPERIMENT = Experiment("correction", TITLE, groups, prepare, NAMED_BY, _outcome, _facts, _fill)
reproduce: Any = EXPERIMENT.reproduce


def main() -> None:
    """Run the experiment on a corpus."""
    parser = argparse.ArgumentParser(description=TITLE)
    parser.add_argument("corpus", nargs="?", default="nltk:treebank")
    parser.add_argument("--train", type=int, default=3700, help="sentences to train on")
    parser.add_argument("--seeds", type=int, default=5, help="how often the test is mistyped")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 for one a core")
    parser.add_argument("--output", default="correction-report", help="the folder of the report")
    chosen = parser.parse_args()

    plan = CorrectionPlan(chosen.corpus, chosen.train, seeds=chosen.seeds)
    command = f"python -m examples.experiments.correction {shlex.join(sys.argv[1:])}"
    print(reproduce(plan, chosen.output, jobs=chosen.jobs, command=command)[-1])


if __name__ == "__main__":
    main()
