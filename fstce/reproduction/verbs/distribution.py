"""``fstce reproduce distribution``: Brooks' experiments on any treebank."""

from __future__ import annotations

from typing import Any

from fstce.console.options import helped
from fstce.console.parameters import Given
from fstce.reproduction.verbs.experiment import experiment, plan_options

QUICK: dict[str, Any] = {"corpus": "sample", "iterations": 100, "resamples": 200}
PLAN = plan_options(
    "distribution_trials.DistributionPlan",
    helps={
        "systems": "The systems.",
        "iterations": "The iterations of the tables.",
        "sensitivity": "Change each open option by itself.",
        "resamples": "Resamples of the bootstrap.",
        "seed": "Of random trees and the bootstrap.",
    },
)


def _described(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    changed = "" if settings["value"] is None else f" {settings['option']}={settings['value']}"
    about = f"{settings['system']}{changed}, {settings['iterations']} iterations"
    return f"{about}: F1 {result['f1']:.1f} %"


@helped("""Redraw the tables of Brooks (CoNLL 2006) on a treebank.

The systems see words without punctuation; the trees serve for scores alone. Every trial
is a line of trials.jsonl in the folder: run the same command again after an
interruption, and it goes on.

\b
Examples:
  fstce reproduce distribution --quick
  fstce reproduce distribution nltk:treebank -o report
  fstce reproduce distribution trees.mrg --systems fwb,da-stop -o small
""")
@experiment(PLAN, QUICK, ("systems.md",), _described)
def distribution(given: Given) -> Given:
    return given
