"""``fstce reproduce correction``: held-out text mistyped, corrected and scored."""

from __future__ import annotations

from typing import Any

from fstce.console.options import helped
from fstce.console.parameters import Given
from fstce.numeric.rules import integer
from fstce.reproduction.verbs.experiment import experiment, plan_options

QUICK: dict[str, Any] = {
    "corpus": "sample",
    "train": 400,
    "spellers": ("alone", "frequent", "ngrams", "ce", "em", "ce-alone"),
    "punctuators": ("alone", "ngrams", "ce", "em"),
    "punctuation": ("comma", "commas"),
    "seeds": 2,
}
PLAN = plan_options(
    "correction_trials.CorrectionPlan",
    kinds={"spell": integer(1, 3), "marks": integer(1, 3)},
    helps={
        "train": "Sentences to train on.",
        "spellers": "Rows of spelling: alone, frequent, pyspellchecker, symspellpy, ngrams, ce, em, "
        "ce-alone, em-alone, ce-tags, em-tags, ce-classes, em-classes, pyspellchecker-own, ngrams-lexicon, "
        "ce-lexicon, symspellpy-own, hunspell, aspell, auto, human, human-ce; or none.",
        "punctuators": "Rows of punctuation: alone, ngrams, ce, em, ce-alone, em-alone, ce-tags, em-tags; or "
        "none.",
        "spelling": "Spelling mistakes: random, keyboard, confusables, spaces, known, clean, and with "
        "--misspellings human1, human2; or none.",
        "unseen": "Corpora to test on in place of the rest of CORPUS.",
        "sentences": "Sentences of each of them at most.",
        "misspellings": "A file of misspelling, tab, word: half is learnt from, half tested on.",
        "punctuation": "Punctuation mistakes: comma, commas, insert, swap; or none.",
        "seeds": "How often the test is mistyped.",
        "rate": "The share of words that are mistyped.",
        "spell": "SPELL: the most edits of a word.",
        "marks": "PUNC: the most edits of marks.",
    },
)


def _described(record: dict[str, Any]) -> str:
    """A finished trial in a few words."""
    from fstce.reproduction.correction_tables import is_spelling, marks_of, words_of

    settings, result = record["settings"], record["result"]
    about = f"{settings['system']}: {settings['mistake']}, seed {settings['seed']}"
    if is_spelling(record):
        scores = words_of(result)
        return f"{about}  {scores.error_rate_before:.2f} to {scores.error_rate:.2f} % word errors"
    return f"{about}  F1 {100 * marks_of(result).ratio.f(1):.1f}"


@helped("""Correct mistyped text by Smith & Eisner (2005b, §3.3 and 5.4) and others.

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
""")
@experiment(PLAN, QUICK, ("spelling.md", "punctuation.md"), _described)
def correction(given: Given) -> Given:
    return given
