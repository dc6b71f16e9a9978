"""The tables of the correction experiment, from the trials' records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fstce.evaluation.correction import CorrectionScores, PunctuationScores
from fstce.reporting import Rule, Table
from fstce.reproduction.correction_systems import SYSTEMS
from fstce.reproduction.correction_trials import ALL_LOST, LIKELY, SPELLING, Plan

Record = Mapping[str, Any]
Cell = str | int | float | None
Found = dict[tuple[str, str], list[Mapping[str, Any]]]

MISTAKES = {
    "random": "random edits",
    "keyboard": "slips on a keyboard",
    "confusables": "words taken for others",
    "comma": "one comma left out of each sentence that has any",
    "commas": "all commas left out",
    "insert": "one mark too many in each sentence",
    "swap": "one mark for another in each sentence",
}
ELSEWHERE = (
    "Measured elsewhere on this kind of test, with one random edit in every tenth word: left alone 5.47 % "
    "word error rate, pyspellchecker and symspellpy 3.79, a Kneser–Ney trigram noisy channel 2.93, "
    "pyspellchecker with its own counts 2.37; deleted commas: Kneser–Ney trigrams F1 57, a supervised CRF 56."
)


def by_row(records: Iterable[Record]) -> Found:
    """The results of each mistake and system, one a seed."""
    found: Found = {}
    for record in records:
        if "result" in record:
            settings = record["settings"]
            found.setdefault((settings["mistake"], settings["system"]), []).append(record["result"])
    return found


def words_of(result: Mapping[str, Any]) -> CorrectionScores:
    """The counts of words of a trial."""
    return CorrectionScores(**result["words"])


def marks_of(result: Mapping[str, Any], how: str = "marks") -> PunctuationScores:
    """The counts of marks of a trial: of the best pair, or of what is ``likely``."""
    return PunctuationScores(**result[how])


def spelling(plan: Plan, records: Sequence[Record]) -> Table:
    """Word error rate, precision, recall, damage and speed of every speller."""
    columns = ["system", "word error rate before", "word error rate", "±", "found P", "found R"]
    columns += ["corrected P", "corrected R", "F½", "damaged %", "sentences/s"]
    note = (
        f"Percent; {_seeds(plan)}, ± the sample deviation of the word error rate. Found: the "
        "right place was changed; corrected: to the right word; damaged: clean words that were changed. "
        f"Sentences per second of processor time. {ELSEWHERE}"
    )
    rows = _rows(plan.spellers, plan.spelling, by_row(records), _spelling_cells)
    decimals = {**dict.fromkeys((*columns[1:4], "damaged %"), 2), "sentences/s": 0}
    table = Table("spelling", "Correction of spelling", columns, rows, note, decimals=decimals)
    return table.best("F½").best("word error rate", lowest=True)


def punctuation(plan: Plan, records: Sequence[Record]) -> Table:
    """F1 of the marks of every punctuator, and what it makes of the whole."""
    columns = ["system", "P", "R", "F1", "±", "likely F1", "word error rate before", "word error rate"]
    columns += ["sentences/s"]
    note = (
        f"Percent; {_seeds(plan)}, ± the sample deviation of F1. The best (sentence, "
        "structure) pair is scored (Eq. 11); likely F1 puts in what has a posterior probability of "
        f"{LIKELY['threshold']:g} or more instead. Of left-out commas only commas count, else all marks; "
        f"their correctors know that commas are left out. PUNC≤{plan.marks}, but PUNC≤{ALL_LOST} where all "
        f"commas were left out. {ELSEWHERE}"
    )
    rows = _rows(plan.punctuators, plan.punctuation, by_row(records), _punctuation_cells)
    decimals = {"word error rate before": 2, "word error rate": 2, "±": 2, "sentences/s": 0}
    table = Table("punctuation", "Correction of punctuation", columns, rows, note, decimals=decimals)
    return table.best("F1").best("likely F1").best("word error rate", lowest=True)


def trials(records: Sequence[Record]) -> Table:
    """Every trial with its counts."""
    counts = list(CorrectionScores.__dataclass_fields__)
    columns = ["mistake", "system", "seed", "sentences", *counts, "marks wanted", "marks proposed"]
    columns += ["marks right", "seconds", "training seconds"]
    rows: list[Sequence[Cell]] = []
    for record in records:
        if "result" in record:
            settings, result = record["settings"], record["result"]
            about = [settings["mistake"], settings["system"], settings["seed"], result["sentences"]]
            marks = [result["marks"][name] for name in ("wanted", "proposed", "hits")]
            times = [result["seconds"], result["training"]]
            rows.append([*about, *(result["words"][name] for name in counts), *marks, *times])
    decimals = {"seconds": 2, "training seconds": 2}
    return Table("trials", "All trials", columns, rows, decimals=decimals)


def _seeds(plan: Plan) -> str:
    return "one seed" if plan.seeds == 1 else f"mean over {plan.seeds} seeds"


def _rows(
    systems: Sequence[str],
    mistakes: Sequence[str],
    found: Found,
    cells: Callable[[Sequence[Mapping[str, Any]]], list[Cell]],
) -> list[Sequence[Cell] | Rule]:
    rows: list[Sequence[Cell] | Rule] = []
    for mistake in mistakes:
        rows.append(Rule(MISTAKES[mistake]))
        for system in systems:
            results = found.get((mistake, system))
            if results:
                rows.append([SYSTEMS[system].name, *cells(results)])
    return rows


def _spelling_cells(results: Sequence[Mapping[str, Any]]) -> list[Cell]:
    scores = [words_of(result) for result in results]
    rates = [score.error_rate for score in scores]
    columns = [
        [score.error_rate_before for score in scores],
        rates,
        None,
        [100 * score.detection.precision for score in scores],
        [100 * score.detection.recall for score in scores],
        [100 * score.correction.precision for score in scores],
        [100 * score.correction.recall for score in scores],
        [100 * score.correction.f(0.5) for score in scores],
        [score.damage_rate for score in scores],
    ]
    means = [_deviation(rates) if column is None else float(np.mean(column)) for column in columns]
    return [*means, _speed(results)]


def _punctuation_cells(results: Sequence[Mapping[str, Any]]) -> list[Cell]:
    ratios = [marks_of(result).ratio for result in results]
    scores = [words_of(result) for result in results]
    harmonic = [100 * ratio.f(1) for ratio in ratios]
    return [
        float(np.mean([100 * ratio.precision for ratio in ratios])),
        float(np.mean([100 * ratio.recall for ratio in ratios])),
        float(np.mean(harmonic)),
        _deviation(harmonic),
        float(np.mean([100 * marks_of(result, "likely").ratio.f(1) for result in results])),
        float(np.mean([score.error_rate_before for score in scores])),
        float(np.mean([score.error_rate for score in scores])),
        _speed(results),
    ]


def _deviation(values: Sequence[float]) -> float | None:
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def _speed(results: Sequence[Mapping[str, Any]]) -> float | None:
    """Sentences per second of processor time; nothing where it took too little to be measured."""
    seconds = sum(float(result["seconds"]) for result in results)
    sentences = sum(int(result["sentences"]) for result in results)
    return sentences / seconds if seconds > 1e-3 * len(results) else None


def is_spelling(record: Record) -> bool:
    """Whether a trial is one of spelling."""
    return record["settings"]["mistake"] in SPELLING
