"""Products of latent grammars (Petrov 2010) from a plan to a folder with a page."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from fstce.errors import ParameterError
from fstce.estimation.trials import Group, TrialMonitor, run_trials
from fstce.reporting import write_report
from fstce.reporting.files import make_folder
from fstce.reproduction import products_tables as tables
from fstce.reproduction.material import digest
from fstce.reproduction.products_page import build
from fstce.reproduction.products_scores import Record
from fstce.reproduction.products_trials import (
    Plan,
    parses,
    parts,
    place_of,
    preparing,
    trainings,
    untrained,
)
from fstce.version import __version__

LOG = "trials.jsonl"


def reproduce(
    plan: Plan,
    folder: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    fresh: bool = False,
    command: str = "fstce reproduce products",
    monitor: TrialMonitor | None = None,
) -> list[Path]:
    """Train what is not yet trained, parse what is not yet parsed, and write the tables and the page.

    Parameters
    ----------
    plan : Plan
    folder : path
        Made where it is missing. Holds ``trials.jsonl``, ``grammars/`` and the report.
    jobs : int, optional
        Processes; −1 for one a core.
    fresh : bool
        Whether earlier trials and grammars of this plan in the folder are thrown away.
    command : str
        What the page says was run.
    monitor : callable, optional
        Told of every trial: first of the trainings, then of the parses.

    Raises
    ------
    CorpusError, ParameterError
        Before any training: the treebank or the log does not fit the plan. After it: a
        grammar could not be trained, or nothing could be parsed.
    """
    whole = [sentence for part in parts(plan.corpus, plan.split) for sentence in part]
    place = make_folder(Path(folder))
    if fresh:
        (place / LOG).unlink(missing_ok=True)
        for seed in plan.seeds:
            shutil.rmtree(place_of(place, seed), ignore_errors=True)
    about = {"corpus": digest(whole), "trees": _digest_of_trees(plan), "fstce": __version__}
    make_folder(place / "grammars")

    def run(groups: Sequence[Group], logged: bool = True) -> list[Record]:
        log = place / LOG if logged else None
        return list(run_trials(groups, preparing(place), log, about=about, jobs=jobs, monitor=monitor))

    trained = run(trainings(plan))
    # A grammar that the log knows of may have been taken away, or be another plan's.
    missing = untrained(plan, place)
    again = [group for group in trainings(plan) if group.trials[0]["seed"] in missing]
    failed = [record for record in (run(again, logged=False) if again else []) if "error" in record]
    if failed:
        settings = failed[0]["settings"]
        raise ParameterError(f"the grammar of seed {settings['seed']} was not trained: {failed[0]['error']}")
    parsed = run(parses(plan))
    records = [*trained, *parsed]
    if all("error" in record for record in parsed):
        raise ParameterError(f"nothing was parsed: {parsed[0]['error']}")
    return write_report(place, build(plan, records, command), [tables.trials(records)])


def _digest_of_trees(plan: Plan) -> str:
    """A fingerprint of the trees, which `digest` does not look at."""
    found = hashlib.sha256()
    for part in parts(plan.corpus, plan.split):
        for sentence in part:
            found.update(f"{sentence.tree}\n".encode())
        found.update(b"\n")
    return found.hexdigest()[:16]
