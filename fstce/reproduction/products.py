"""Products of latent grammars (Petrov 2010) from a plan to a folder with a page."""

from __future__ import annotations

import hashlib
from typing import Any

from fstce.errors import ParameterError
from fstce.processes.trial_log import Settings
from fstce.reporting.files import make_folder
from fstce.reproduction import products_tables as tables
from fstce.reproduction.material import digest
from fstce.reproduction.products_page import build
from fstce.reproduction.products_trials import (
    ProductsPlan,
    parses,
    parts,
    preparing,
    trainings,
    untrained,
)
from fstce.reproduction.run import Experiment, Report, Run, failures


def _about(plan: ProductsPlan) -> dict[str, Any]:
    whole = [sentence for part in parts(plan.corpus, plan.split) for sentence in part]
    return {"corpus": digest(whole), "trees": _digest_of_trees(plan)}


def _steps(plan: ProductsPlan, run: Run) -> Report:
    make_folder(run.place / "grammars")
    prepare = preparing(run.place)
    trained = run.trials(trainings(plan), prepare)
    # A grammar that the log knows of may have been taken away, or be another plan's.
    again = untrained(plan, run.place)
    failed = failures(run.trials(again, prepare, log=None) if again else [], _named)
    if failed:
        raise ParameterError(failed[0])
    parsed = run.trials(parses(plan), prepare)
    if all("error" in record for record in parsed):
        raise ParameterError(f"nothing was parsed: {parsed[0]['error']}")
    records = [*trained, *parsed]
    return build(plan, records, run.command), [tables.trials(records)]


reproduce = Experiment("products", _about, _steps).reproduce


def _named(settings: Settings) -> str:
    return f"the grammar {settings.get('member', 'of seed {seed}'.format(**settings))} was not trained"


def _digest_of_trees(plan: ProductsPlan) -> str:
    """A fingerprint of the trees, which `digest` does not look at."""
    found = hashlib.sha256()
    for part in parts(plan.corpus, plan.split):
        for sentence in part:
            found.update(f"{sentence.tree}\n".encode())
        found.update(b"\n")
    return found.hexdigest()[:16]
