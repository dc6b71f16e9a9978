"""``fstce reproduce correction`` and ``products``: text mistyped and corrected, grammars multiplied."""

from __future__ import annotations

from typing import Any

from fstce.console.parameters import Given
from fstce.numeric.rules import COUNT, integer, sequence
from fstce.reproduction.verbs.experiment import experiment

CORRECTION_QUICK: dict[str, Any] = {
    "corpus": "sample",
    "train": 400,
    "spellers": ("alone", "frequent", "ngrams", "ce", "em", "ce-alone"),
    "punctuators": ("alone", "ngrams", "ce", "em"),
    "punctuation": ("comma", "commas"),
    "seeds": 2,
}


def _correction_trial(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    from fstce.reproduction.correction import is_spelling, marks_of, words_of

    settings, result = record["settings"], record["result"]
    about = f"{settings['system']}: {settings['mistake']}, seed {settings['seed']}"
    if is_spelling(record):
        scores = words_of(result)
        return f"{about}  {scores.error_rate_before:.2f} to {scores.error_rate:.2f} % word errors"
    return f"{about}  F1 {100 * marks_of(result).f(1):.1f}"


correction = experiment(
    "correction",
    "correction_trials.CorrectionPlan",
    ("spelling.md", "punctuation.md"),
    CORRECTION_QUICK,
    _correction_trial,
    kinds={"spell": integer(1, 3), "marks": integer(1, 3)},
    helps={
        "train": "Sentences to train on.",
        "spellers": "Rows of spelling: alone, frequent, pyspellchecker, symspellpy, ngrams, ce, em, "
        "ce-alone, em-alone, ce-tags, em-tags, ce-classes, em-classes, pyspellchecker-own, ngrams-lexicon, "
        "ce-lexicon, symspellpy-own, hunspell, aspell, auto; or none.",
        "punctuators": "Rows of punctuation: alone, ngrams, ce, em, ce-alone, em-alone, ce-tags, em-tags; or "
        "none.",
        "spelling": "Spelling mistakes: random, keyboard, confusables; or none.",
        "punctuation": "Punctuation mistakes: comma, commas, insert, swap; or none.",
        "seeds": "How often the test is mistyped.",
        "rate": "The share of words that are mistyped.",
        "spell": "SPELL: the most edits of a word.",
        "marks": "PUNC: the most edits of marks.",
    },
    help="""Correct mistyped text by Smith & Eisner (2005b, §3.3 and 5.4) and others.

Every trial is a line of trials.jsonl in the folder: run the same command again after an
interruption, and it goes on. The rows of pyspellchecker and symspellpy, and those with
its words as extra lexicon, need these packages; without them they are left out. Charts
need matplotlib (pip install 'fstce[report]').

\b
Examples:
  fstce reproduce correction --quick
  fstce reproduce correction nltk:treebank -o report
  fstce reproduce correction my.txt --train 5000 --spellers ngrams,ce -o my
  fstce reproduce correction --spelling none --punctuation comma -o commas
""",
)


PRODUCTS_QUICK: dict[str, Any] = {
    "corpus": "sample",
    "cycles": 2,
    "grammars": 3,
    "iterations": (20, 10, 5),
    "k": 10,
}


def _products_trial(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    from fstce.reproduction.products import counts_of, f1

    settings, result = record["settings"], record["result"]
    if settings["experiment"] == "train":
        return f"trained seed {settings['seed']}: {result['subcategories'][-1]:,} subcategories"
    size = len(settings["members"].split())
    what = f"{settings['combination']} of {size}" if size > 1 else f"grammar {settings['members']}"
    score = f1(counts_of(result, None))
    figure = "no score" if score is None else f"{score:.1f} F1"
    return f"{settings['part']}, {what} after {settings['after']} cycles: {figure}"


def _completed(given: Given) -> Given:
    """What is not given, as of the paper."""
    chosen, n = given.get("corpus", "nltk:treebank"), given.get("grammars", 8)
    usual = {
        "split": "files" if chosen == "nltk:treebank" else "tenths",
        "products": tuple(range(2, n + 1)),
        "sums": (2, n) if n > 2 else (2,) * (n > 1),
        "trees": (n,) * (n > 1),
    }
    return {**usual, **given}


products = experiment(
    "products",
    "products_trials.ProductsPlan",
    ("products.md", "singles.md"),
    PRODUCTS_QUICK,
    _products_trial,
    complete=_completed,
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
        "trees": "How many are multiplied tree by tree, or none; by default all.",
        "iterations": "EM iterations after split, merge and smoothing.",
        "k": "The length of the lists that are multiplied tree by tree.",
        "cutoff": "The longest sentence of the main scores.",
    },
    help="""Redraw Petrov (NAACL 2010): products of random latent grammars.

Grammars of several seeds are trained, kept in the folder, and parse development and test
sentences alone, multiplied, added, and multiplied tree by tree. Every trial is a line of
trials.jsonl: run the same command again after an interruption, and it goes on. Charts
need matplotlib (pip install 'fstce[report]'); without it the tables are written all the same.

\b
Examples:
  fstce reproduce products --quick
  fstce reproduce products nltk:treebank --jobs 2 -o report
  fstce reproduce products wsj.mrg --grammars 4 --products 2,4 -o wsj
""",
)
