"""``fstce reproduce products``: Petrov's (2010) experiments on any treebank."""

from __future__ import annotations

from typing import Any

from fstce.console.options import helped
from fstce.console.parameters import Given
from fstce.numeric.rules import COUNT, integer, sequence
from fstce.reproduction.verbs.experiment import experiment, plan_options

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "cycles": 2,
    "grammars": 3,
    "iterations": (20, 10, 5),
    "k": 10,
}
PLAN = plan_options(
    "products_trials.ProductsPlan",
    kinds={
        "cycles": COUNT,
        "iterations": sequence(COUNT),
        **dict.fromkeys(("products", "sums", "trees"), sequence(integer(2))),
    },
    helps={
        "split": "files: numbered ones to 0159 to train on, to 0179 for development, the rest for the test; "
        "tenths: two of ten sentences are held out, as by default of other corpora.",
        "cycles": "Rounds of training.",
        "grammars": "How many seeds.",
        "seed": "The first seed.",
        "products": "How many grammars are multiplied, or none; by default every number.",
        "sums": "How many are added, or none; by default 2 and all.",
        "trees": "How many are multiplied tree by tree, and by constituents among the same lists, or none; "
        "by default all.",
        "variants": "Other grammars, alone and multiplied: unsmoothed, signatures (unknown words' only), "
        "halves (of the trees), sections (each without one), or none, the default.",
        "iterations": "EM iterations after split, merge and smoothing.",
        "k": "The length of k-best lists.",
        "cutoff": "The longest sentence of the main scores.",
    },
)


def _described(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    from fstce.reproduction.products_scores import counts_of, f1

    settings, result = record["settings"], record["result"]
    if settings["experiment"] == "train":
        name = settings.get("member", f"seed {settings['seed']}")
        return f"trained {name}: {result['subcategories'][-1]:,} subcategories"
    size = len(settings["members"].split())
    what = f"{settings['combination']} of {size}" if size > 1 else f"grammar {settings['members']}"
    score = f1(counts_of(result, None))
    shown = "no score" if score is None else f"{score:.1f} F1"
    listed = " oracle" if settings["experiment"] == "k-best" else ""
    return f"{settings['part']}, {what} after {settings['after']} cycles{listed}: {shown}"


@helped("""Redraw Petrov (NAACL 2010): products of random latent grammars.

Grammars of several seeds are trained, kept in the folder, and parse development and test
sentences alone, multiplied, added, and multiplied tree by tree. Every trial is a line of
trials.jsonl: run the same command again after an interruption, and it goes on. Charts
need matplotlib (pip install 'fstce[report]'); without it the tables are written all the same.

\b
Examples:
  fstce reproduce products --quick
  fstce reproduce products nltk:treebank --jobs 2 -o report
  fstce reproduce products wsj.mrg --grammars 4 --products 2,4 -o wsj
""")
@experiment(PLAN, QUICK, ("products.md", "singles.md"), _described)
def products(given: Given) -> Given:
    chosen, n = given.get("corpus", "nltk:treebank"), given.get("grammars", 8)
    usual = {
        "split": "files" if chosen == "nltk:treebank" else "tenths",
        "products": tuple(range(2, n + 1)),
        "sums": (2, n) if n > 2 else (2,) * (n > 1),
        "trees": (n,) * (n > 1),
    }
    return {**usual, **given}
