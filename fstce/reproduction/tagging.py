"""The tagging paper's experiments (Smith & Eisner 2005a, §5) from a plan to a folder with a page.

Trials are logged one by one and taken up again after an interruption; what the report
shows is computed from the log.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fstce.errors import ParameterError
from fstce.estimation.trials import Group, TrialMonitor, run_trials
from fstce.reporting import write_report
from fstce.reporting.files import make_folder
from fstce.reproduction import tagging_analysis as analysis
from fstce.reproduction import tagging_page
from fstce.reproduction.material import FULL, corpus, digest
from fstce.reproduction.tagging_choice import Record, choices
from fstce.reproduction.tagging_tables import Chosen, name_of
from fstce.reproduction.tagging_trials import Plan, Settings, groups, prepare, text_of
from fstce.version import __version__

PRODUCT = ("trans1", "delortrans1", "length")
NAMED = ("analysis", "table", "words", "dictionary", "spelling", "criterion", "sigma2", "smoothing", "seed")


def reproduce(
    plan: Plan,
    folder: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    fresh: bool = False,
    command: str = "fstce reproduce tagging",
    monitor: TrialMonitor | None = None,
    told: Callable[[str], None] | None = None,
) -> list[Path]:
    """Run what is not yet run, and write the tables, the pictures and the page.

    Parameters
    ----------
    plan : Plan
    folder : path
        Made where it is missing. Holds ``trials.jsonl``, the weights and the report.
    jobs : int, optional
        Processes; −1 for one a core.
    fresh : bool
        Whether earlier trials in the folder are thrown away.
    command : str
        What the page says was run.
    monitor : callable, optional
        Told of every trial.
    told : callable, optional
        Told in words what comes after the trials.

    Returns
    -------
    list of Path
        The files of the report, the page last.

    Raises
    ------
    CorpusError, ParameterError
        Before any training: the corpus or the log does not fit the plan. After it: every
        trial failed.
    """
    planned = groups(plan)
    for group in planned:
        text_of(group.shared)
    place = make_folder(Path(folder))
    if fresh:
        _clear(place)
    about = {"corpus": digest(corpus(plan.corpus, False)), "fstce": __version__}
    records = run_trials(
        planned, partial(prepare, place), place / "trials.jsonl", about=about, jobs=jobs, monitor=monitor
    )
    failed = _failures(records)
    if len(failed) == len(records):
        raise ParameterError(f"no trial came to an end: {failed[0] if failed else 'there is none'}")
    chosen = choices(records)
    asked = _analyses(plan, chosen, records)
    if told is not None:
        told(f"the side analyses: {', '.join(group.shared['analysis'] for group in asked) or 'none'}")
    answers = run_trials(asked, partial(_answer, place), place / "analyses.jsonl", about=about, jobs=jobs)
    found = {answer["settings"]["analysis"]: answer["result"] for answer in answers if "result" in answer}
    page, tables = tagging_page.build(plan, chosen, found, command, failed + _failures(answers))
    return write_report(place, page, tables)


def _failures(records: Sequence[Record]) -> list[str]:
    """The trials and analyses that failed, each with the reason."""
    return [f"{_named(record['settings'])}: {record['error']}" for record in records if "error" in record]


def _named(settings: Settings) -> str:
    return ", ".join(f"{name} {settings[name]}" for name in NAMED if name in settings)


def _clear(place: Path) -> None:
    for log in ("trials.jsonl", "analyses.jsonl"):
        (place / log).unlink(missing_ok=True)
    shutil.rmtree(place / "weights", ignore_errors=True)


def _analyses(plan: Plan, chosen: Chosen, records: Sequence[Record]) -> list[Group]:
    """The questions that the trained models allow, each with the models that it is about."""
    selected = {
        criterion: choice.selected["settings"]
        for (table, words, _, dictionary, _, criterion), choice in chosen.items()
        if table == "figure2" and words == plan.main and dictionary == FULL
    }
    restarts = {
        f"seed {record['settings']['seed']}": record["settings"]
        for record in records
        if record["settings"]["table"] == "restarts" and "result" in record
    }
    best = {name_of(name): selected[name] for name in PRODUCT if name in selected}
    asked = {
        "cross": selected,
        "restarts": restarts if len(restarts) > 1 else {},
        "neighborhoods": best if len(best) > 1 else {},
        "confusions": {"trans1": selected["trans1"]} if "trans1" in selected else {},
    }
    return [
        Group({"analysis": name, "members": json.dumps(members, sort_keys=True)}, [{"of": len(members)}])
        for name, members in asked.items()
        if members
    ]


def _answer(folder: Path, shared: Settings) -> Callable[[Settings], dict[str, Any]]:
    members: dict[str, Settings] = json.loads(shared["members"])
    text = text_of(next(iter(members.values())))

    def run(_: Settings) -> dict[str, Any]:
        taggers = {name: analysis.restore(folder, settings) for name, settings in members.items()}
        if shared["analysis"] == "cross":
            return {"scores": analysis.cross_scores(taggers, text)}
        if shared["analysis"] == "confusions":
            tags, matrix = analysis.confusion_matrix(next(iter(taggers.values())), text)
            return {"tags": tags, "matrix": matrix}
        return {"rows": analysis.product_scores(taggers, text, shared["analysis"] == "restarts")}

    return run
