"""``fstce reproduce dependencies``: the grammar paper's Table 2 on any treebank."""

from __future__ import annotations

from typing import Any

from fstce.console.options import helped
from fstce.console.parameters import Given
from fstce.numeric.rules import integer
from fstce.reproduction.verbs.experiment import experiment, plan_options, smoothing_and_variance

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "folds": 3,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (10.0, 1.0, 0.1),
}
PLAN = plan_options(
    "dependency_trials.DependencyPlan",
    kinds={"folds": integer(1, 10)},
    helps={
        "max_length": "The most words of a sentence, without punctuation.",
        "currency": "Keep what is tagged $ or #.",
        "tags": "What the grammar calls a word: tag, word or coarse.",
        "criteria": "Rows without trees: em, viterbi-em, or neighbourhoods; or none.",
        "supervised": "Rows with trees: joint, conditional, correction; or none.",
        "starts": "Where rows without trees start.",
        "folds": "How many of the ten folds are run.",
        "seed": "Shuffles the sentences into folds.",
        "attachment_rules": "Each row once more with these rules: penn, penn-content, "
        "upos, upos-functional, or a file.",
    },
)


def _described(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    given = f"{settings['criterion']} {smoothing_and_variance(settings)} from {settings['start']}"
    return f"fold {settings['fold'] + 1}: {given}  {result['test']:.1f} % directed"


@helped("""Redraw Table 2 of Smith & Eisner (IJCAI workshop 2005).

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
  fstce reproduce dependencies train.conllu --tag-column upos --rules upos
""")
@experiment(PLAN, QUICK, ("table2.md",), _described)
def dependencies(given: Given) -> Given:
    return given
