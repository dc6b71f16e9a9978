"""``fstce reproduce tagging``, ``dependencies`` and ``distribution``: papers without labeled text."""

from __future__ import annotations

from typing import Any

from fstce.numeric.rules import integer
from fstce.reproduction.verbs.experiment import experiment, smoothing_and_variance

TAGGING_QUICK: dict[str, Any] = {
    "corpus": "sample",
    "words": (2_000, 8_000),
    "held_out": 1_000,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (0.01, 0.1, 1.0),
    "dictionaries": ("full", "count:2"),
}


def _tagging_trial(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    if "analysis" in settings:
        return "every model under every criterion"
    features = " + spelling" if settings["spelling"] else ""
    where = f"{settings['table']} {settings['words']:,} words, {settings['dictionary']}{features}"
    trained = f"{settings['criterion']} {smoothing_and_variance(settings)}"
    return f"{where}: {trained}  {result['ambiguous']:.1f} % of ambiguous, {result['all']:.1f} % of all"


tagging = experiment(
    "tagging",
    "tagging_trials.TaggingPlan",
    ("figure2.md", "table3.md"),
    TAGGING_QUICK,
    _tagging_trial,
    helps={
        "words": "Amounts of text, as 12000,24000,48000,96000.",
        "held_out": "Words at the end of the corpus on which models are chosen.",
        "order": "The length of a tag n-gram.",
        "coarse": "Figure 2 with coarse tags; Table 3 always has them.",
        "tag_map": "Coarse tags: upos, a file (tag, tab, class), or auto: the paper's 17 of Penn tags, "
        "and UPOS as they are.",
        "paper": "CORPUS is the Penn Treebank's WSJ: show the paper's numbers (nltk:treebank always does).",
        "criteria": "Figure 2's rows: em, joint, conditional, or neighborhoods; or none.",
        "dictionaries": "Table 3's dictionaries, as full,first:500,count:2,count:3; or none.",
    },
    help="""Redraw Figures 2 and 3 and Table 3 of Smith & Eisner (ACL 2005).

Every trial is a line of trials.jsonl in the folder: run the same command again after
an interruption, and it goes on. Models are chosen on held-out text without labels
(sel.) and by accuracy (oracle); both are shown. Charts need matplotlib
(pip install 'fstce[report]'); without it the tables are written all the same.

\b
Examples:
  fstce reproduce tagging --quick
  fstce reproduce tagging nltk:treebank --words 12000,96000 -o report
  fstce reproduce tagging nltk:brown --criteria em,trans1,del1word -o brown
""",
)


DEPENDENCIES_QUICK: dict[str, Any] = {
    "corpus": "sample",
    "folds": 3,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (10.0, 1.0, 0.1),
}


def _dependencies_trial(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    trained = f"{settings['criterion']} {smoothing_and_variance(settings)} from {settings['start']}"
    return f"fold {settings['fold'] + 1}: {trained}  {result['test']:.1f} % directed"


dependencies = experiment(
    "dependencies",
    "dependency_trials.DependencyPlan",
    ("table2.md",),
    DEPENDENCIES_QUICK,
    _dependencies_trial,
    kinds={"folds": integer(1, 10)},
    helps={
        "max_length": "The most words of a sentence, without punctuation.",
        "criteria": "Rows without trees: em, viterbi-em, or neighborhoods; or none.",
        "supervised": "Rows with trees: joint, conditional, correction; or none.",
        "starts": "Where rows without trees start.",
        "folds": "How many of the ten folds are run.",
        "seed": "Shuffles the sentences into folds.",
    },
    help="""Redraw Table 2 of Smith & Eisner (IJCAI workshop 2005).

Of ten folds eight are trained on, one is for development, one for the test. Every trial
is a line of trials.jsonl in the folder: run the same command again after an
interruption, and it goes on. σ² and λ are chosen on the development fold without trees
(sel.). Charts need matplotlib (pip install 'fstce[report]'); without it the table is
written all the same.

\b
Examples:
  fstce reproduce dependencies --quick
  fstce reproduce dependencies nltk:dependency_treebank -o report
  fstce reproduce dependencies ud/train.conllu --criteria em,trans1 -o ud
  fstce reproduce dependencies train.conllu --tag-column upos
""",
)


DISTRIBUTION_QUICK: dict[str, Any] = {"corpus": "sample", "iterations": 100, "resamples": 200}


def _distribution_trial(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    cut = " between marks" if settings["cut"] else ""
    about = f"{settings['system']}{cut}, {settings['iterations']} iterations"
    return f"{about}: F1 {result['f1']:.1f} %"


distribution = experiment(
    "distribution",
    "distribution_trials.DistributionPlan",
    ("systems.md",),
    DISTRIBUTION_QUICK,
    _distribution_trial,
    helps={
        "systems": "The systems.",
        "iterations": "The iterations of the tables.",
        "resamples": "Resamples of the bootstrap.",
        "seed": "Of random trees and the bootstrap.",
    },
    help="""Redraw the tables of Brooks (CoNLL 2006) on a treebank.

The systems see words without punctuation; the trees serve for scores alone. Every trial
is a line of trials.jsonl in the folder: run the same command again after an
interruption, and it goes on.

\b
Examples:
  fstce reproduce distribution --quick
  fstce reproduce distribution nltk:treebank -o report
  fstce reproduce distribution trees.mrg --systems fwb,da-stop -o small
""",
)
