"""What each part of the corrector is worth, by taking it away, on text of genres that it was not trained on.

It is trained on 8,000 sentences of Brown (all genres but learned, religion and science fiction) with what
``fstce corrector train`` takes for English: the list of pyspellchecker, and error weights learnt from half of
a list of misspellings. Tests are random edits, misspellings of the other half put where their words stand
(each word three times at most), split and joined words, and clean text. Each has two parts: one that is
looked at while building, one that reports. A row of the output is one system, test and part; rows that a file
has are not made again.

    python docs/left_out_correction.py craft.mrg wikipedia-half.tsv rows.jsonl --part reported
    python docs/left_out_correction.py craft.mrg wikipedia-half.tsv rows.jsonl --table
    python docs/left_out_correction.py fr_sequoia-ud-train.conllu french rows.jsonl --own

With ``--own`` a corpus stands for itself: trained on all but its last 300 sentences, with the lexicon of a
language, and tried on these.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from nltk.corpus import brown

from fstce import Corrector, read_corpus
from fstce.correction import corrector as module
from fstce.correction import corrector_model
from fstce.correction.baselines import Ispell, LeaveAlone, PySpellChecker, SymSpell
from fstce.correction.lexicons import read_lexicon
from fstce.correction.mistakes.corruption import random_edits, real_words, respaced
from fstce.correction.mistakes.misspellings import read_misspellings
from fstce.evaluation.correction import correction_scores

LEFT_OUT = ("learned", "religion", "science_fiction")
TRAINED, RATE, TYPED, CLEAN, OFTEN = 8000, 0.1, 400, 1000, 3
PARTS = ("looked", "reported")
Row = list[str]
Tests = dict[str, tuple[list[Row], list[Row]]]  # typed and meant


def without_unreliable(*_: Any) -> set[str]:
    """No word of the text is doubted."""
    return set()


spelling_of = corrector_model.spelling_of


def without_derived(*arguments: Any) -> Any:
    """No unknown word is made of known ones."""
    return spelling_of(*arguments, derived=False)


# What a system is trained with, what stands in for a function, what is set behind training.
SYSTEMS: dict[str, tuple[dict[str, Any], dict[str, Callable[..., Any]], dict[str, Any]]] = {
    "all": ({}, {}, {}),
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
    "uncorrected": LeaveAlone,
    "hunspell": lambda: Ispell("hunspell"),
    "symspellpy": lambda: SymSpell(None, 2),
    "pyspellchecker": PySpellChecker,
}


def brown_of(categories: list[str]) -> list[Row]:
    """Sentences of genres of Brown, from all of them in turn."""
    return [list(row) for row in brown.sents(categories=categories)]


def tests_of(part: str, craft: str, pairs: list[tuple[str, str]]) -> Tests:
    """The typed and the meant sentences of each test."""
    turn = PARTS.index(part)
    own = brown_of([name for name in brown.categories() if name not in LEFT_OUT])[1::3][turn::2]
    others = brown_of(list(LEFT_OUT))[turn::2]
    wsj = [list(row.words) for row in read_corpus("nltk:treebank")][turn::2]
    medical = [list(row.words) for row in read_corpus(craft)][turn::2]
    asked: dict[str, tuple[str, ...]] = {}
    for typed, meant in pairs:
        if crc32(meant.encode()) % 4 == 2 * turn and " " not in typed + meant:
            asked[meant.lower()] = (*asked.get(meant.lower(), ()), typed.lower())
    tests: Tests = {}
    for name, rows in (("WSJ", wsj), ("CRAFT", medical)):
        tests[f"random, {name}"] = _typed(random_edits(rows[:TYPED], 1, RATE))
    for name, rows in (("Brown", own + others), ("WSJ", wsj), ("CRAFT", medical)):
        tests[f"people's, {name}"] = people(rows, asked)
    tests["split and joined, WSJ"] = _typed(respaced(wsj[:TYPED], 1, 0.05))
    for name, rows in (("Brown", own), ("Brown, other genres", others), ("WSJ", wsj), ("CRAFT", medical)):
        tests[f"clean, {name}"] = (rows[-CLEAN:], rows[-CLEAN:])
    return tests


def people(rows: list[Row], asked: dict[str, tuple[str, ...]]) -> tuple[list[Row], list[Row]]:
    """The first sentences that hold a word that is misspelt, each word in three of them at most."""
    left = dict.fromkeys(asked, OFTEN)
    typed: list[Row] = []
    true: list[Row] = []
    for row in rows:
        here = {word: asked[word] for word in map(str.lower, row) if left.get(word)}
        if here and len(true) < TYPED:
            typed.append(real_words([row], here, len(true), 1.0)[0].typed)
            true.append(row)
            left.update({word: left[word] - 1 for word in here})
    return typed, true


def _typed(made: Any) -> tuple[list[Row], list[Row]]:
    pairs = [(row.typed, row.true) for row in made if row.typed]
    return [typed for typed, _ in pairs], [true for _, true in pairs]


def trained(name: str, pairs: list[tuple[str, str]]) -> Corrector:
    """A system, trained."""
    given, functions, _ = SYSTEMS[name]
    rows = brown_of([genre for genre in brown.categories() if genre not in LEFT_OUT])
    rows = [row for i, row in enumerate(rows) if i % 3 != 1]
    rows = rows[:: max(len(rows) // TRAINED, 1)][:TRAINED]
    learnt = [pair for pair in pairs if crc32(pair[1].encode()) % 2]
    more = {"lexicon": read_lexicon("english"), "misspellings": learnt}
    more.update({key: given[key] for key in more if key in given})
    kept = {key: getattr(module, key, None) for key in functions}
    vars(module).update(functions)
    try:
        own = {key: value for key, value in given.items() if key not in more}
        return Corrector(**{"criterion": "none", **own}).fit(rows, **more)
    finally:
        vars(module).update(kept)


def made(done: set[tuple[str, ...]], options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The rows that are not there yet."""
    pairs = list(read_misspellings(options.misspellings))
    tests = tests_of(options.part, options.craft, pairs)
    whole: Corrector | None = None
    for system in options.systems:
        left = {name: tests[name] for name in tests if (system, name, options.part) not in done}
        if not left:
            continue
        if system in RIVALS:
            rival = RIVALS[system]()
            correct = getattr(rival, "correct_all", lambda rows, rival=rival: list(map(rival.correct, rows)))
            yield from tried(system, options.part, correct, left, 0.0)
            continue
        given, functions, afterwards = SYSTEMS[system]
        began = time.process_time()
        if given or functions or whole is None:
            corrector = trained(system if given or functions else "all", pairs)
            whole = corrector if not (given or functions) else whole
        else:
            corrector = whole
        seconds = time.process_time() - began
        before = dict(corrector.exponents_)
        corrector.set_params(adapt=True, threshold=None)
        if "spaces" in afterwards:
            corrector.exponents_["spaces"] = 0.0
        corrector.set_params(**{key: value for key, value in afterwards.items() if key != "spaces"})
        yield from tried(system, options.part, corrector.predict, left, seconds)
        corrector.exponents_ = before


def tried(
    system: str, part: str, correct: Callable[[list[Row]], list[Row]], tests: Tests, training: float
) -> Iterator[dict[str, Any]]:
    """What a system makes of the tests, a row each."""
    for name, (typed, true) in tests.items():
        began = time.process_time()
        corrected = correct(typed)
        pace = len(typed) / max(time.process_time() - began, 1e-3)
        scores = correction_scores(typed, true, corrected)
        yield {
            "system": system,
            "test": name,
            "part": part,
            "words": scores.words,
            "before": scores.error_rate_before,
            "after": scores.error_rate,
            "recall": 100 * scores.correction.recall,
            "precision": 100 * scores.correction.precision,
            "damage": scores.damage_rate,
            "pace": pace,
            "training": training,
        }


def own(corpus: str, lexicon: str) -> Iterator[dict[str, Any]]:
    """A corpus for itself: random edits in its end, and its end as it is."""
    rows = [list(row.words) for row in read_corpus(corpus)]
    began = time.process_time()
    corrector = Corrector(criterion="none").fit(rows[:-300], lexicon=read_lexicon(lexicon))
    tests = {"random, own": _typed(random_edits(rows[-300:], 1, RATE)), "clean, own": (rows[-300:],) * 2}
    yield from tried(Path(corpus).stem, "reported", corrector.predict, tests, time.process_time() - began)


def table(rows: list[dict[str, Any]], part: str) -> None:
    """Word error rates, and of clean text the words that are changed, in percent; a row a system."""
    of_part = {(row["system"], row["test"]): row for row in rows if row["part"] == part}
    names = list(dict.fromkeys(test for _, test in of_part if not test.endswith(", own")))
    asked = [name for name in names if not name.startswith("clean")]
    print("system", *names, *(f"{name}, recall" for name in asked), sep="\t")
    for system in dict.fromkeys(system for system, test in of_part if test in names):
        rates = {name: of_part.get((system, name), {}) for name in names}
        cells = [_cell(rates[name].get("damage" if name not in asked else "after"), 2) for name in names]
        cells += [_cell(rates[name].get("recall"), 0) for name in asked]
        print(system, *cells, sep="\t")


def _cell(number: float | None, digits: int) -> str:
    return "" if number is None else f"{number:.{digits}f}"


def main() -> None:
    """Make rows, or print them as tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("craft")
    parser.add_argument("misspellings")
    parser.add_argument("output", type=Path)
    parser.add_argument("--part", choices=PARTS, default="looked")
    parser.add_argument("--systems", nargs="+", choices=[*RIVALS, *SYSTEMS], default=[*RIVALS, *SYSTEMS])
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--own", action="store_true")
    options = parser.parse_args()
    lines = options.output.read_text(encoding="utf-8").splitlines() if options.output.exists() else []
    rows = [json.loads(line) for line in lines]
    if options.table:
        table(rows, options.part)
        return
    done = {(row["system"], row["test"], row["part"]) for row in rows}
    with options.output.open("a", encoding="utf-8") as output:
        for row in own(options.craft, options.misspellings) if options.own else made(done, options):
            print(json.dumps(row), file=output, flush=True)


if __name__ == "__main__":
    main()
