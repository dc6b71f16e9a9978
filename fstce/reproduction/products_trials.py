"""Trials of Petrov's (2010) experiments: grammars trained from several seeds, alone and multiplied.

What is parsed is words alone; a result holds the bracket counts of every sentence, for intervals
and tests.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from fstce.corpora import Sentence
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation import evalb_scores
from fstce.latent.latent_grammar import LatentGrammar
from fstce.latent.product import GrammarProduct
from fstce.parameters.rules import COUNT, POSITIVE, Table, integer, sequence
from fstce.processes.trial_log import Record, Result, Settings
from fstce.processes.trials import Group
from fstce.reproduction.material import read
from fstce.reproduction.run import Plan, Trial, name_of_file

PARTS = ("development", "test")
PENN = "nltk:treebank"
SIZES = sequence(integer(2)).or_none()


@dataclass(frozen=True)
class ProductsPlan(Plan):
    """The grammars that are trained, multiplied and scored."""

    rules: ClassVar[Table] = {
        "cycles": COUNT.says("Rounds of training."),
        "grammars": POSITIVE.says("How many seeds."),
        "seed": COUNT.says("The first seed."),
        "products": SIZES.says("How many grammars are multiplied; by default every number."),
        "sums": SIZES.says("How many are added; by default 2 and all."),
        "iterations": sequence(
            COUNT,
            holds=lambda numbers: len(numbers) == 3,
            words="three numbers, after split, merge, smoothing",
        ).says("EM iterations after split, merge and smoothing."),
        "cutoff": POSITIVE.says("The longest sentence of the scores."),
    }
    corpus: str = PENN
    cycles: int = 4
    grammars: int = 8
    seed: int = 1
    products: tuple[int, ...] | None = None
    sums: tuple[int, ...] | None = None
    iterations: tuple[int, ...] = (50, 20, 10)
    cutoff: int = 40

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("products", "sums"):
            for size in getattr(self, name) or ():
                if size > self.grammars:
                    raise ParameterError(
                        f"{name} of {size} grammars: from 2 to {self.grammars}, as many as are "
                        "trained"
                    )

    @property
    def seeds(self) -> list[int]:
        """All seeds."""
        return list(range(self.seed, self.seed + self.grammars))

    @property
    def multiplied(self) -> Sequence[int]:
        """How many grammars are multiplied."""
        if self.products is None:
            return range(2, self.grammars + 1)
        return self.products

    @property
    def added(self) -> Sequence[int]:
        """How many grammars are added."""
        if self.sums is None:
            return [n for n in sorted({2, self.grammars}) if 1 < n <= self.grammars]
        return self.sums


class TreebankSplit(NamedTuple):
    """The sentences of a treebank, divided."""

    train: list[Sentence]
    development: list[Sentence]
    test: list[Sentence]


@lru_cache(maxsize=2)
def parts(spec: str) -> TreebankSplit:
    """The three parts of a treebank, read once a process.

    NLTK's part of the Penn Treebank has files to 0159 to train on, to 0179 for development, the
    rest for the test; of other treebanks two of ten sentences are held out.
    """
    divided = TreebankSplit([], [], [])
    for number, sentence in enumerate(read(spec, "tree")):
        part = max(0, number % 10 - 7)
        if spec == PENN:
            file = int(re.findall(r"wsj_(\d+)", sentence.source)[-1])
            part = (file > 159) + (file > 179)
        divided[part].append(sentence)

    for name, sentences in zip(TreebankSplit._fields, divided, strict=True):
        if not sentences:
            raise CorpusError(f"{spec}: too few sentences: none for the part {name!r}")
    return divided


def trainings(plan: ProductsPlan) -> list[Group]:
    """A group for each grammar to be trained."""
    about = _about(plan)
    return [
        Group(about, [{"experiment": "train", "seed": seed}], plan.cycles) for seed in plan.seeds
    ]


def parses(plan: ProductsPlan, trained: Sequence[Record] = ()) -> list[Group]:
    """A group for each way to parse each part, whatever was trained."""
    seeds = [str(seed) for seed in plan.seeds]
    rows = [(seeds[:1], cycle, "single") for cycle in range(plan.cycles)]
    rows += [([seed], plan.cycles, "single") for seed in seeds]
    rows += [(seeds[:n], plan.cycles, "product") for n in plan.multiplied]
    rows += [(seeds[:n], plan.cycles, "sum") for n in plan.added]

    groups = []
    for part in PARTS:
        for members, after, combination in rows:
            trial: Settings = {
                "experiment": "parse",
                "part": part,
                "members": " ".join(members),
                "after": after,
                "combination": combination,
            }
            groups.append(Group(_about(plan), [trial], len(members) * after))
    return groups


def _about(plan: ProductsPlan) -> Settings:
    shared = {name: getattr(plan, name) for name in ("corpus", "cycles")}
    return {**shared, "iterations": "/".join(map(str, plan.iterations))}


def prepare(folder: Path, shared: Settings) -> Trial:
    """The function that runs one trial: a training, or the parsing of a part."""
    divided = parts(shared["corpus"])
    runs = {"train": _train, "parse": _parse}
    return lambda trial: runs[trial["experiment"]](folder, divided, shared, trial)


def grammar_folder(settings: Settings) -> Path:
    """Where in the folder the grammar of a training is kept."""
    return Path("grammars", f"seed-{settings['seed']}-{name_of_file(settings)}")


def _train(folder: Path, divided: TreebankSplit, shared: Settings, trial: Settings) -> Result:
    split, merge, smooth = map(int, shared["iterations"].split("/"))
    grammar = LatentGrammar(
        cycles=shared["cycles"],
        seed=trial["seed"],
        split_iterations=split,
        merge_iterations=merge,
        smooth_iterations=smooth,
    )

    grammar.fit(divided.train)
    place = folder / grammar_folder({**shared, **trial})
    place.parent.mkdir(exist_ok=True)
    grammar.save(place)
    grammars = grammar.hierarchy_.grammars
    return {
        "subcategories": [of_cycle.n_subcategories for of_cycle in grammars],
        "sizes": dict(zip(grammars[-1].symbols, grammars[-1].sizes.tolist(), strict=True)),
    }


def _parse(folder: Path, divided: TreebankSplit, shared: Settings, trial: Settings) -> Result:
    gold = getattr(divided, trial["part"])
    seeds = [{"experiment": "train", "seed": int(seed)} for seed in trial["members"].split()]
    members = [LatentGrammar.load(folder / grammar_folder({**shared, **seed})) for seed in seeds]
    earlier = [grammar.after(trial["after"]) for grammar in members]
    combination: Any = trial["combination"]
    if combination == "single":
        combination = "product"

    parser = GrammarProduct(earlier, combination=combination)
    trees = parser.predict([sentence.words for sentence in gold])
    scores = evalb_scores([sentence.tree for sentence in gold], trees, disagreement="gold")
    rows = {"counts": scores.matrix.tolist(), "lengths": scores.lengths.tolist()}

    total = scores.total()
    by_category = {name: counted.f1 for name, counted in scores.by_category().items()}
    return {"f1": total.f1, "exact": total.exact, "by_category": by_category, **rows}
