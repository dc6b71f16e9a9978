"""``fstce reproduce tagging``: the tagging paper's figures and table on any corpus."""

from __future__ import annotations

from typing import Annotated, Any

from fstce.cli.options import Quiet
from fstce.cli.output import note
from fstce.cli.parameters import Given, Parameters
from fstce.cli.reproduce.experiment import (
    Corpus,
    Fresh,
    Quick,
    Report,
    TrialJobs,
    carry_out,
    smoothing_and_variance,
)
from fstce.estimation.rules import COUNT

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "words": (2_000, 8_000),
    "held_out": 1_000,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (0.01, 0.1, 1.0),
    "dictionaries": ("full", "count:2"),
}
PLAN = Parameters(
    "fstce.reproduction.tagging_trials.TaggingPlan",
    without=("corpus",),
    panel="Experiment",
    kinds={"restarts": COUNT},
    helps={
        "words": "Amounts of text, as 12000,24000,48000,96000.",
        "coarse": "Figure 2 with the 17 coarse tags; Table 3 always has them.",
        "criteria": "Figure 2's rows: em, joint, conditional, or neighbourhoods; or none.",
        "dictionaries": "Table 3's dictionaries, as full,first:500,count:2,count:3; or none.",
        "tolerance": "The relative change of the objective at which training stops.",
        "max_iterations": "The greatest number of iterations.",
    },
)


def tagging(
    plan: Annotated[Given, PLAN],
    corpus: Corpus = None,
    output: Report = None,
    quick: Quick = False,
    fresh: Fresh = False,
    jobs: TrialJobs = -1,
    quiet: Quiet = False,
) -> None:
    """Redraw Figures 2 and 3 and Table 3 of Smith & Eisner (ACL 2005).

    Every trial is a line of trials.jsonl in the folder: run the same command again after
    an interruption, and it goes on. Models are chosen on held-out text without labels
    (sel.) and by accuracy (oracle); both are shown. Charts need matplotlib
    (pip install 'fstce[report]'); without it the tables are written all the same.

    \b
    Examples:
      fstce reproduce tagging --quick
      fstce reproduce tagging nltk:treebank --words 12000,96000 -o report
      fstce reproduce tagging nltk:brown --criteria em,trans1,del1word -o brown
    """
    given = {**(QUICK if quick else {}), **plan, **({"corpus": corpus} if corpus else {})}
    shown, told = ("figure2.md", "table3.md"), None if quiet else note
    carry_out("tagging", PLAN, given, output, shown, _told, quiet, jobs=jobs, fresh=fresh, told=told)


def _told(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    seed = f" seed {settings['seed']}" if "seed" in settings else ""
    features = " + spelling" if settings["spelling"] else ""
    where = f"{settings['table']} {settings['words']:,} words, {settings['dictionary']}{features}"
    given = f"{settings['criterion']} {smoothing_and_variance(settings)}{seed}"
    return f"{where}: {given}  {result['ambiguous']:.1f} % of ambiguous, {result['all']:.1f} % of all"
