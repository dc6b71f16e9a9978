"""``fstce reproduce tagging``: the tagging paper's figures and table on any corpus."""

from __future__ import annotations

from typing import Any

from fstce.console.options import helped
from fstce.console.parameters import Given
from fstce.numeric.rules import COUNT
from fstce.reproduction.verbs.experiment import experiment, plan_options, smoothing_and_variance

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "words": (2_000, 8_000),
    "held_out": 1_000,
    "sigma2": (0.1, 1.0, 10.0),
    "smoothing": (0.01, 0.1, 1.0),
    "dictionaries": ("full", "count:2"),
}
PLAN = plan_options(
    "tagging_trials.TaggingPlan",
    kinds={"restarts": COUNT},
    helps={
        "words": "Amounts of text, as 12000,24000,48000,96000.",
        "held_out": "Words at the end of the corpus on which models are chosen.",
        "order": "The length of a tag n-gram.",
        "restarts": "Random restarts of TRANS1, for the products; 0 for none.",
        "coarse": "Figure 2 with coarse tags; Table 3 always has them.",
        "tag_map": "Coarse tags: upos, a file (tag, tab, class), or auto: the paper's 17 of Penn tags, "
        "and UPOS as they are.",
        "paper": "CORPUS is the Penn Treebank's WSJ: show the paper's numbers (nltk:treebank always does).",
        "criteria": "Figure 2's rows: em, joint, conditional, or neighbourhoods; or none.",
        "dictionaries": "Table 3's dictionaries, as full,first:500,count:2,count:3; or none.",
    },
)


def _described(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    settings, result = record["settings"], record["result"]
    seed = f" seed {settings['seed']}" if "seed" in settings else ""
    features = " + spelling" if settings["spelling"] else ""
    where = f"{settings['table']} {settings['words']:,} words, {settings['dictionary']}{features}"
    given = f"{settings['criterion']} {smoothing_and_variance(settings)}{seed}"
    return f"{where}: {given}  {result['ambiguous']:.1f} % of ambiguous, {result['all']:.1f} % of all"


@helped("""Redraw Figures 2 and 3 and Table 3 of Smith & Eisner (ACL 2005).

Every trial is a line of trials.jsonl in the folder: run the same command again after
an interruption, and it goes on. Models are chosen on held-out text without labels
(sel.) and by accuracy (oracle); both are shown. Charts need matplotlib
(pip install 'fstce[report]'); without it the tables are written all the same.

\b
Examples:
  fstce reproduce tagging --quick
  fstce reproduce tagging nltk:treebank --words 12000,96000 -o report
  fstce reproduce tagging nltk:brown --criteria em,trans1,del1word -o brown
""")
@experiment(PLAN, QUICK, ("figure2.md", "table3.md"), _described, tells=True)
def tagging(given: Given) -> Given:
    return given
