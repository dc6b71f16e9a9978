"""The correction experiment's trials: every system against every kind of mistake, with several
seeds.

The first sentences of a corpus are trained on, clean as they are; the others are mistyped
by a seed, corrected and compared with what they were. Spelling mistakes are made in every
tenth word; of punctuation mistakes a sentence has one, or has lost all its commas.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple

from examples.experiments.correction_baselines import (
    Baseline,
    left_alone,
    most_frequent,
    pyspellchecker,
    symspellpy,
)
from examples.experiments.keyboard import keyboard_edits
from fstce.correction.corrector import Corrector
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.corruption import (
    Corruption,
    confusables,
    corrupted,
    drop_marks,
    random_edits,
    real_words,
)
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation.correction import correction_scores, is_mark
from fstce.parameters.rules import POSITIVE, SHARE, Table, choice, integer, sequence
from fstce.processes.trial_log import Settings
from fstce.processes.trials import Group
from fstce.reproduction.material import read
from fstce.reproduction.run import Plan, Trial
from fstce.speller.channel import Channel
from fstce.speller.lexicons import package_lexicon

Row = list[str]

# What a sentence suffers, and with which mistakes the exponents of its corrector are learned.
SPELLING = {"random": "random", "keyboard": "random", "confusables": "confusables"}
PUNCTUATION = {"comma": "drop", "commas": "drop"}
UNLIKELY = 8.0  # nats, of what is not done to a text whose commas are left out
ALL_LOST = 3  # PUNC≤k for sentences that have lost all their commas
COST = {"ce": 3.0, "ce-lexicon": 4.0, "em": 2.0, "ce-alone": 2.0}
CE = "contrastive"
EM = "em"
NGRAMS = "none"
# What corrects sentences; of other parameters it takes those that it has.
Correct = Callable[..., list[Row]]


class System(NamedTuple):
    """A row of the tables: its name, the parameters of a Corrector and what it is given.

    ``baseline``: of what is no Corrector, from counts of words and the most edits.
    """

    name: str
    parameters: Mapping[str, Any] = {}
    lexicon: bool = False
    tags: bool = False
    baseline: Callable[[Counter[str], int], Baseline] | None = None


SYSTEMS: dict[str, System] = {
    "alone": System("left alone", baseline=lambda counts, k: left_alone),
    "frequent": System(
        "most frequent candidate", baseline=lambda counts, k: most_frequent(Candidates(counts, 1))
    ),
    "pyspellchecker": System("pyspellchecker", baseline=lambda counts, k: pyspellchecker(counts)),
    "symspellpy": System("symspellpy", baseline=symspellpy),
    "ngrams": System("trigrams", {"criterion": NGRAMS}),
    "ce": System("CE and trigrams", {"criterion": CE}),
    "em": System("EM and trigrams", {"criterion": EM}),
    "ce-alone": System("CE without trigrams", {"criterion": CE, "ngrams": 0}),
    "em-alone": System("EM without trigrams", {"criterion": EM, "ngrams": 0}),
    "ce-tags": System("CE with tags", {"criterion": CE}, tags=True),
    "em-tags": System("EM with tags", {"criterion": EM}, tags=True),
    "pyspellchecker-own": System(
        "pyspellchecker, its own counts", baseline=lambda counts, k: pyspellchecker()
    ),
    "ngrams-lexicon": System("trigrams, lexicon", {"criterion": NGRAMS}, True),
    "ce-lexicon": System("CE and trigrams, lexicon", {"criterion": CE}, True),
}
SPELLERS = tuple(SYSTEMS)
PUNCTUATORS = ("alone", "ngrams", "ce", "em", "ce-alone", "em-alone", "ce-tags", "em-tags")


def trained(
    name: str, rows: Sequence[Row], parameters: Mapping[str, Any], tags: Sequence[Row] | None = None
) -> Correct:
    """A system trained on clean sentences, with these parameters of a Corrector and tags."""
    system = SYSTEMS[name]
    if system.baseline is not None:
        counts = Counter(word for row in rows for word in row)
        baseline = system.baseline(counts, min(max(parameters.get("spell", 1), 1), 2))
        return lambda rows, /, **_: baseline(rows)

    if system.tags and tags is None:
        raise CorpusError("the text has no tags to read a dictionary from")

    corrector = Corrector(**{**parameters, **system.parameters})
    lexicon = package_lexicon("en") if system.lexicon else None
    if not system.tags:
        tags = None
    corrector.fit(rows, tags, lexicon=lexicon)

    return lambda rows, /, **others: corrector.set_params(**others).predict(rows)


@dataclass(frozen=True)
class CorrectionPlan(Plan):
    """Which mistakes are corrected, and by which systems."""

    rules: ClassVar[Table] = {
        "train": POSITIVE.says("Sentences to train on."),
        "spellers": sequence(choice(*SPELLERS)).says(
            f"Rows of spelling: {', '.join(SPELLERS)}; or none."
        ),
        "punctuators": sequence(choice(*PUNCTUATORS)).says(
            f"Rows of punctuation: {', '.join(PUNCTUATORS)}; or none."
        ),
        "spelling": sequence(choice(*SPELLING)).says(
            f"Spelling mistakes: {', '.join(SPELLING)}; or none."
        ),
        "punctuation": sequence(choice(*PUNCTUATION)).says(
            f"Punctuation mistakes: {', '.join(PUNCTUATION)}; or none."
        ),
        "spell": integer(1, 3).says("SPELL: the most edits of a word."),
        "marks": integer(1, 3).says("PUNC: the most edits of marks."),
        "rate": SHARE.says("The share of words that are mistyped."),
        "seeds": POSITIVE.says("How often the test is mistyped."),
    }
    corpus: str = "nltk:treebank"
    train: int = 3700
    spellers: tuple[str, ...] = SPELLERS
    punctuators: tuple[str, ...] = PUNCTUATORS
    spelling: tuple[str, ...] = tuple(SPELLING)
    punctuation: tuple[str, ...] = tuple(PUNCTUATION)
    spell: int = 1
    marks: int = 1
    rate: float = 0.1
    seeds: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.spellers and self.spelling) and not (self.punctuators and self.punctuation):
            raise ParameterError("there is nothing to compare: give systems and mistakes")


@lru_cache(maxsize=4)
def parts(spec: str, train: int) -> tuple[list[Row], list[Row]]:
    """The sentences to train on and those to test on, read once a process."""
    rows = [list(sentence.words) for sentence in read(spec)]
    if len(rows) <= train:
        raise CorpusError(
            f"{spec}: {len(rows):,} sentences, of which {train:,} are to be trained on; train on "
            "fewer, so that some are left to test on"
        )
    return rows[:train], rows[train:]


@lru_cache(maxsize=4)
def tags(spec: str, train: int) -> list[Row] | None:
    """The tags of the sentences to train on; None where a word has none."""
    rows = [list(sentence.tags or ()) for sentence in read(spec)[:train]]
    if not all(rows):
        return None
    return rows


def groups(plan: CorrectionPlan) -> list[Group]:
    """All trials of a plan, those of one trained system together."""
    shared = {"corpus": plan.corpus, "train": plan.train}
    speller = {**shared, "spell": plan.spell, "punctuation": 0}
    punctuator = {**shared, "spell": 0, "punctuation": plan.marks}
    return [
        *_groups(plan, plan.spellers, plan.spelling, SPELLING, speller),
        *_groups(plan, plan.punctuators, plan.punctuation, PUNCTUATION, punctuator),
    ]


def _groups(
    plan: CorrectionPlan,
    systems: Sequence[str],
    kinds: Sequence[str],
    learnt: Mapping[str, str],
    shared: Mapping[str, Any],
) -> list[Group]:
    """A group for each system and each kind of mistakes that its exponents are learned from."""
    trials_of: dict[str, list[Settings]] = {}
    for kind in kinds:
        rate = plan.rate if kind in SPELLING else None
        seeds = 1 if kind == "commas" else plan.seeds
        trials = [{"mistake": kind, "rate": rate, "seed": seed + 1} for seed in range(seeds)]
        trials_of.setdefault(learnt[kind], []).extend(trials)

    groups = []
    for mistakes, trials in trials_of.items():
        settings = {**shared, "mistakes": mistakes}
        for name in systems:
            groups.append(Group({**settings, "system": name}, trials, COST.get(name, 1.0)))
    return groups


def prepare(_: Path, shared: Settings) -> Trial:
    """Train a system; the result mistypes, corrects and scores."""
    train, test = parts(shared["corpus"], shared["train"])
    names = ("spell", "punctuation")
    parameters = {**{name: shared[name] for name in names}, **_knowing(shared["mistakes"])}
    began = time.process_time()
    correct = trained(shared["system"], train, parameters, tags(shared["corpus"], shared["train"]))
    took = time.process_time() - began

    def run(trial: Settings) -> dict[str, Any]:
        observed = [row.observed for row in mistyped(test, trial)]
        # Where all was punctuation nothing is left to correct.
        pairs = [(a, b) for a, b in zip(observed, test, strict=True) if a]
        rows = [a for a, _ in pairs]
        options = {"threshold": 0.0} if trial["mistake"] in PUNCTUATION else {}
        if trial["mistake"] == "commas":
            options["punctuation"] = max(shared["punctuation"], ALL_LOST)

        began = time.process_time()
        corrected = correct(rows, **options)
        times = {"seconds": time.process_time() - began, "training": took}
        return {**times, **_counts(pairs, corrected, trial)}

    return run


def _knowing(mistakes: str) -> dict[str, Any]:
    """The parameters of a corrector of one kind of mistakes: a channel that hardly makes others."""
    if mistakes == "random":
        return {"marks": None}  # the mistakes that are made by default
    parameters: dict[str, Any] = {"mistakes": (mistakes,)}
    if mistakes == "drop":
        channel = Channel(UNLIKELY, UNLIKELY, 1.0, UNLIKELY)
        return {**parameters, "marks": (",",), "channel": channel, "rate": 0.5}
    return parameters


def mistyped(rows: Sequence[Row], trial: Mapping[str, Any]) -> list[Corruption]:
    """The sentences as a trial has them."""
    kind = trial["mistake"]
    seed = trial["seed"]
    rate = trial["rate"]
    if kind == "confusables":
        return corrupted(rows, real_words(confusables()), seed, rate)
    if kind == "random":
        return corrupted(rows, random_edits(), seed, rate)
    if kind in SPELLING:
        return corrupted(rows, keyboard_edits(), seed, rate)
    lost = corrupted(rows, drop_marks([","]), seed, 1.0)
    return lost if kind == "commas" else only_one(lost, seed)


def only_one(corruptions: Sequence[Corruption], seed: int) -> list[Corruption]:
    """Of the mistakes of each sentence one, drawn by the seed; the others are undone."""
    rows = []
    for number, row in enumerate(corruptions):
        wrong = [i for i, (true, observed) in enumerate(row.pairs) if true != observed]
        pairs = [(true, true) for true, _ in row.pairs]
        if wrong:
            place = Random(f"{seed}:{number}").choice(wrong)
            pairs[place] = row.pairs[place]
        rows.append(Corruption(tuple(pair for pair in pairs if pair != (None, None))))
    return rows


def _counts(
    pairs: Sequence[tuple[Row, Row]], corrected: Sequence[Row], trial: Mapping[str, Any]
) -> dict[str, Any]:
    observed = [a for a, _ in pairs]
    true = [b for _, b in pairs]
    concerns = ",".__eq__ if trial["mistake"] in ("comma", "commas") else is_mark
    punctuation = correction_scores(observed, true, corrected, concerns).correction
    return {
        "sentences": len(pairs),
        "words": correction_scores(observed, true, corrected)._asdict(),
        "marks": punctuation._asdict(),
    }
