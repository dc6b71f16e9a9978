"""What each part of the corrector is worth, by taking it away, on text of genres that it was not trained on.

It is trained on 8,000 sentences of Brown (all genres but learned, religion and science fiction)
with what ``fstce corrector train`` takes for English: the list of pyspellchecker, and error weights
learned from half of a list of misspellings. Tests are random edits, misspellings of the other half
put where their words stand (each word three times at most), split and joined words, and clean text.
Each has two parts: one that is looked at while building, one that reports. DATA is a folder that
holds ``craft/craft.mrg`` and ``misspellings/wikipedia-half.tsv``, SYSTEM a row of the table; two
minutes and more a system.

    python -m examples.experiments.left_out_correction DATA "no lexicon"
    python -m examples.experiments.left_out_correction DATA fstce --part looked

Page: docs/results/correction.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from nltk.corpus import brown

from examples.experiments.correction_baselines import left_alone, pyspellchecker, symspellpy
from examples.experiments.ispell import ispell
from fstce import Corrector, read_corpus
from fstce.correction import corrector as module
from fstce.correction.corrector_model import ENOUGH
from fstce.correction.factors.spelled import SpellingModel
from fstce.correction.mistakes.corruption import corrupted, random_edits, real_words, respaced
from fstce.evaluation.correction import correction_scores
from fstce.speller.lexicons import lexicon_file
from fstce.speller.typos import read_typos

LEFT_OUT = ("learned", "religion", "science_fiction")
TRAINED = 8000
RATE = 0.1
OBSERVED = 400
CLEAN = 1000
OFTEN = 3
PARTS = ("looked", "reported")
Row = list[str]
Tests = dict[str, tuple[list[Row], list[Row]]]  # observed and intended


def without_unreliable(*_: Any) -> set[str]:
    """No word of the text is doubted."""
    return set()


def without_derived(
    vocabulary: Mapping[str, int], unreliable: Mapping[str, int], _: object
) -> SpellingModel:
    """No unknown word is made of known ones."""
    return SpellingModel(unreliable if len(unreliable) >= ENOUGH else vocabulary)


# What a system is trained with, what stands in for a function, what is set behind training.
SYSTEMS: dict[str, tuple[dict[str, Any], dict[str, Callable[..., Any]], dict[str, Any]]] = {
    "fstce": ({}, {}, {}),
    "no adaptation": ({}, {}, {"adapt": False}),
    "no threshold": ({}, {}, {"threshold": 0.0}),
    "no splits, joins, apostrophes": ({}, {}, {"spaces": 0.0}),
    "unigrams": ({"ngrams": 1}, {}, {}),
    "no unreliable vocabulary": ({}, {"unreliable_words": without_unreliable}, {}),
    "no learned channel": ({"misspellings": None}, {}, {}),
    "no derived words": ({}, {"spelling_of": without_derived}, {}),
    "one edit": ({"spell": 1}, {}, {}),
    "no lexicon": ({"lexicon": None}, {}, {}),
    "seed 1": ({"seed": 1}, {}, {}),
    "seed 2": ({"seed": 2}, {}, {}),
    "contrastive": ({"criterion": "contrastive"}, {}, {}),
}
RIVALS: dict[str, Callable[[], Any]] = {
    "uncorrected": lambda: left_alone,
    "hunspell": lambda: ispell("hunspell"),
    "symspellpy": lambda: symspellpy(None, 2),
    "pyspellchecker": pyspellchecker,
}


def brown_of(categories: list[str]) -> list[Row]:
    """Sentences of genres of Brown, from all of them in turn."""
    return [list(row) for row in brown.sents(categories=categories)]


def tests_of(part: str, craft: Path, pairs: list[tuple[str, str]]) -> Tests:
    """The observed and the intended sentences of each test."""
    turn = PARTS.index(part)
    own = brown_of([name for name in brown.categories() if name not in LEFT_OUT])[1::3][turn::2]
    others = brown_of(list(LEFT_OUT))[turn::2]
    wsj = [list(row.words) for row in read_corpus("nltk:treebank")][turn::2]
    medical = [list(row.words) for row in read_corpus(craft)][turn::2]
    asked: dict[str, tuple[str, ...]] = {}

    for observed, intended in pairs:
        if crc32(intended.encode()) % 4 == 2 * turn and " " not in observed + intended:
            asked[intended.lower()] = (*asked.get(intended.lower(), ()), observed.lower())

    tests: Tests = {}
    for name, rows in (("WSJ", wsj), ("CRAFT", medical)):
        tests[f"random, {name}"] = _observed(corrupted(rows[:OBSERVED], random_edits(), 1, RATE))

    for name, rows in (("Brown", own + others), ("WSJ", wsj), ("CRAFT", medical)):
        tests[f"people's, {name}"] = people(rows, asked)

    tests["split and joined, WSJ"] = _observed(corrupted(wsj[:OBSERVED], respaced(), 1, 0.05))
    for name, rows in (
        ("Brown", own),
        ("Brown, other genres", others),
        ("WSJ", wsj),
        ("CRAFT", medical),
    ):
        tests[f"clean, {name}"] = (rows[-CLEAN:], rows[-CLEAN:])

    return tests


def people(rows: list[Row], asked: dict[str, tuple[str, ...]]) -> tuple[list[Row], list[Row]]:
    """The first sentences that hold a word that is misspelled, each word in three of them at most."""
    left = dict.fromkeys(asked, OFTEN)
    observed: list[Row] = []
    true: list[Row] = []
    for row in rows:
        here = {word: asked[word] for word in map(str.lower, row) if left.get(word)}
        if here and len(true) < OBSERVED:
            observed.append(corrupted([row], real_words(here), len(true), 1.0)[0].observed)
            true.append(row)
            left.update({word: left[word] - 1 for word in here})
    return observed, true


def _observed(made: Any) -> tuple[list[Row], list[Row]]:
    pairs = [(row.observed, row.true) for row in made if row.observed]
    return [observed for observed, _ in pairs], [true for _, true in pairs]


def trained(system: str, pairs: list[tuple[str, str]]) -> Corrector:
    """A corrector, trained without what the system goes without."""
    given, functions, afterwards = SYSTEMS[system]
    rows = brown_of([genre for genre in brown.categories() if genre not in LEFT_OUT])
    rows = [row for i, row in enumerate(rows) if i % 3 != 1]
    rows = rows[:: max(len(rows) // TRAINED, 1)][:TRAINED]
    learned = [pair for pair in pairs if crc32(pair[1].encode()) % 2]
    more: dict[str, Any] = {"lexicon": lexicon_file("english").counts, "misspellings": learned}
    more.update({key: given[key] for key in more if key in given})
    vars(module).update(functions)
    own = {key: value for key, value in given.items() if key not in more}
    corrector = Corrector(**{"criterion": "none", **own}).fit(rows, **more)
    if "spaces" in afterwards:
        corrector.exponents_["spaces"] = 0.0

    return corrector.set_params(
        **{key: value for key, value in afterwards.items() if key != "spaces"}
    )


def row_of(system: str, tests: Tests, pairs: list[tuple[str, str]]) -> dict[str, str]:
    """The row of a system: word error rates, of clean text what is changed, recalls; percent."""
    correct: Callable[[list[Row]], list[Row]]
    correct = trained(system, pairs).predict if system in SYSTEMS else RIVALS[system]()
    scores = {
        name: correction_scores(observed, true, correct(observed))
        for name, (observed, true) in tests.items()
    }
    rates = {
        name: f"{score.damage_rate if name.startswith('clean') else score.error_rate:.2f}"
        for name, score in scores.items()
    }
    recalls = {
        f"{name}, recall": f"{100 * score.correction.recall:.0f}"
        for name, score in scores.items()
        if not name.startswith("clean")
    }

    return {"system": system, **rates, **recalls}


def main() -> None:
    """Print the row of a system as a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("system", choices=[*RIVALS, *SYSTEMS])
    parser.add_argument("--part", choices=PARTS, default="reported")
    options = parser.parse_args()
    pairs = list(read_typos(options.data / "misspellings" / "wikipedia-half.tsv"))
    tests = tests_of(options.part, options.data / "craft" / "craft.mrg", pairs)
    row = row_of(options.system, tests, pairs)
    print(f"| {' | '.join(row)} |\n|{'---|' * len(row)}\n| {' | '.join(row.values())} |")


if __name__ == "__main__":
    main()
