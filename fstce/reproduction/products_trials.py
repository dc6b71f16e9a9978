"""Trials of Petrov's (2010) experiments: grammars trained from several seeds, alone and multiplied.

A trained grammar is a folder ``grammars/seed-N`` beside the log, or of its name if it is trained
otherwise: without smoothing (section 4.4), on a half of the trees, or without a section (4.3).
What is parsed is words alone, without gold tags. The result of a trial holds the bracket counts
of every sentence, so that intervals and tests are computed from the log.
"""

from __future__ import annotations

import hashlib
import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from fstce.corpora import Sentence, Tree, read_corpus
from fstce.corpora.formats import check_choice
from fstce.errors import CorpusError, ModelFileError, ParameterError
from fstce.evaluation import evalb_scores
from fstce.evaluation.oracle import oracle_scores
from fstce.latent.latent_grammar import TRAINING, LatentGrammar
from fstce.latent.product import GrammarProduct
from fstce.latent.subcategories import subcategory_shares
from fstce.processes.trials import Group

Settings = dict[str, Any]

SPLITS = ("files", "tenths")
PARTS = ("development", "test")
VARIANTS = ("unsmoothed", "signatures", "halves", "sections")
# Of how many subcategories of a symbol a record holds the shares: as Petrov (2010), Figure 2.
_SHARES = 8
_FILE = re.compile(r"(\d+)\.\w+(?::\d+)?$")


@dataclass(frozen=True)
class ProductsPlan:
    """What is trained, multiplied and scored, on which treebank.

    ``fstce reproduce products --help`` says what the fields are.
    """

    corpus: str = "nltk:treebank"
    split: str = "files"
    cycles: int = 4
    grammars: int = 8
    seed: int = 1
    products: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8)
    sums: tuple[int, ...] = (2, 8)
    trees: tuple[int, ...] = (8,)
    variants: tuple[str, ...] = ()
    k: int = 50
    iterations: tuple[int, ...] = (50, 20, 10)
    cutoff: int = 40

    def __post_init__(self) -> None:
        check_choice("split", self.split, SPLITS)
        for variant in self.variants:
            check_choice("variant", variant, VARIANTS)
        if "sections" in self.variants and self.grammars < 2:
            raise ParameterError("sections of 1 grammar: each leaves one out, so give at least 2 grammars")
        for name, least in (("cycles", 0), ("grammars", 1), ("seed", 0), ("k", 1), ("cutoff", 1)):
            if getattr(self, name) < least:
                raise ParameterError(f"{name}={getattr(self, name)}: at least {least}")
        if len(self.iterations) != 3 or min(self.iterations) < 0:
            raise ParameterError(
                f"iterations={self.iterations}: three numbers, after split, merge, smoothing"
            )
        for name in ("products", "sums", "trees"):
            for size in getattr(self, name):
                if not 2 <= size <= self.grammars:
                    raise ParameterError(
                        f"{name} of {size} grammars: from 2 to {self.grammars}, as many as are trained"
                    )

    @property
    def seeds(self) -> list[int]:
        """All seeds."""
        return list(range(self.seed, self.seed + self.grammars))

    def members(self, variant: str) -> dict[str, int]:
        """The names of a variant's grammars, each with its seed."""
        if variant in ("unsmoothed", "signatures"):
            return {f"{variant}-{seed}": seed for seed in self.seeds}
        name, n = ("half", 2) if variant == "halves" else ("without", self.grammars)
        return {f"{name}-{at}-of-{n}": self.seed + at - 1 for at in range(1, n + 1)}


class TreebankSplit(NamedTuple):
    """The sentences of a treebank, divided."""

    train: list[Sentence]
    development: list[Sentence]
    test: list[Sentence]


@lru_cache(maxsize=2)
def parts(spec: str, split: str) -> TreebankSplit:
    """The three parts of a treebank, read once a process."""
    found = TreebankSplit([], [], [])
    for number, sentence in enumerate(read_corpus(spec)):
        if sentence.tree is None:
            raise CorpusError(f"{sentence.source}: has no tree; the experiment needs a treebank of phrases")
        found[_part_of(number, sentence) if split == "files" else max(0, number % 10 - 7)].append(sentence)
    for name, sentences in zip(TreebankSplit._fields, found, strict=True):
        if not sentences:
            raise CorpusError(f"{spec}: no sentence for the part {name!r} of the split {split!r}")
    return found


def _part_of(number: int, sentence: Sentence) -> int:
    name = _FILE.search(sentence.source)
    if name is None:
        raise CorpusError(
            f"{sentence.source or f'sentence {number + 1}'}: the file has no number to split by; "
            "choose the split 'tenths'"
        )
    return int(int(name[1]) > 159) + int(int(name[1]) > 179)


def trainings(plan: ProductsPlan) -> list[Group]:
    """A group for each grammar to be trained."""
    trials: list[Settings] = [{"experiment": "train", "seed": seed} for seed in plan.seeds]
    for variant in plan.variants:
        found = plan.members(variant).items()
        trials += [{"experiment": "train", "seed": seed, "member": member} for member, seed in found]
    return [Group(_about(plan), [trial], plan.cycles) for trial in trials]


def parses(plan: ProductsPlan) -> list[Group]:
    """A group for each way to parse each part."""
    found = []
    first = f"{plan.seed}"
    for part in PARTS:
        rows: list[Settings] = [
            *({"members": first, "after": cycle, "combination": "single"} for cycle in range(plan.cycles)),
            *({"members": f"{seed}", "after": plan.cycles, "combination": "single"} for seed in plan.seeds),
        ]
        ways = {"product": plan.products, "sum": plan.sums, "tree": plan.trees, "listed": plan.trees}
        for combination, sizes in ways.items():
            rows += [
                {"members": _first(plan, size), "after": plan.cycles, "combination": combination}
                for size in sizes
            ]
        for variant in plan.variants:
            names = list(plan.members(variant))
            alone = [{"members": name, "after": plan.cycles, "combination": "single"} for name in names]
            whole = {"members": " ".join(names), "after": plan.cycles, "combination": "product"}
            rows += [*alone, *([whole] if len(names) > 1 else [])]
        found += [_parse_group(plan, {"experiment": "parse", "part": part, **row}) for row in rows]
    for size in (1, *plan.products[-1:]):
        given = {"experiment": "k-best", "part": "development", "members": _first(plan, size)}
        combination = "single" if size == 1 else "product"
        found.append(_parse_group(plan, {**given, "after": plan.cycles, "combination": combination}))
    return found


def _about(plan: ProductsPlan) -> Settings:
    return {
        "corpus": plan.corpus,
        "split": plan.split,
        "cycles": plan.cycles,
        "iterations": "/".join(map(str, plan.iterations)),
    }


def _first(plan: ProductsPlan, size: int) -> str:
    return " ".join(map(str, plan.seeds[:size]))


def _parse_group(plan: ProductsPlan, trial: Settings) -> Group:
    listed = trial["experiment"] == "k-best" or trial["combination"] in ("tree", "listed")
    lists = {"k": plan.k} if listed else {}
    cost = len(trial["members"].split()) * (2 if listed else 1) * trial["after"]
    return Group(_about(plan), [{**trial, **lists}], cost)


def prepare(folder: Path, shared: Settings) -> Callable[[Settings], dict[str, Any]]:
    """What runs one trial: a training, or the parsing of a part."""
    divided = parts(shared["corpus"], shared["split"])
    runs = {"train": _train, "parse": _parse, "k-best": _list}

    def run(trial: Settings) -> dict[str, Any]:
        began = time.perf_counter()
        found = runs[trial["experiment"]](folder, divided, shared, trial)
        unit = 2**20 if sys.platform == "darwin" else 2**10  # bytes there, kilobytes elsewhere
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
        return {**found, "seconds": round(time.perf_counter() - began, 3), "megabytes": round(memory)}

    return run


def place_of(folder: Path, member: int | str) -> Path:
    """Where the grammar of a seed, or one of a variant, is kept."""
    return folder / "grammars" / (f"seed-{member}" if str(member).isdecimal() else str(member))


def untrained(plan: ProductsPlan, folder: Path) -> list[Group]:
    """The groups of :func:`trainings` whose grammars are not in the folder, or are others than the plan's."""
    return [group for group in trainings(plan) if not _is_kept(folder, group.shared, group.trials[0])]


def _is_kept(folder: Path, shared: Settings, trial: Settings) -> bool:
    try:
        kept = LatentGrammar.load(place_of(folder, _member(trial)))
    except ModelFileError:
        return False
    # How a grammar prunes and what it maximizes says nothing of how it was trained.
    theirs, ours = kept.get_params(), _grammar(shared, trial).get_params()
    return all(theirs[name] == ours[name] for name in ("cycles", *TRAINING))


def _member(trial: Settings) -> str:
    return str(trial.get("member", trial["seed"]))


def _grammar(shared: Settings, trial: Settings) -> LatentGrammar:
    split, merge, smooth = map(int, shared["iterations"].split("/"))
    iterations: dict[str, Any] = {
        "split_iterations": split,
        "merge_iterations": merge,
        "smooth_iterations": smooth,
    }
    if _member(trial).startswith("unsmoothed"):
        iterations |= {"rule_smoothing": 0.0, "lexicon_smoothing": 0.0}
    guess = not _member(trial).startswith("signatures")
    return LatentGrammar(cycles=shared["cycles"], seed=trial["seed"], guess=guess, **iterations)


def _train(folder: Path, divided: TreebankSplit, shared: Settings, trial: Settings) -> dict[str, Any]:
    kept = kept_of(_member(trial), len(divided.train))
    # The rules of all trees are in every grammar, so that grammars of some can be multiplied.
    some, rest = (
        [one for one, k in zip(divided.train, kept, strict=True) if k is of] for of in (True, False)
    )
    grammar = _grammar(shared, trial).fit(some, also=rest)
    grammar.save(place_of(folder, _member(trial)))
    finest = grammar.hierarchy_.finest
    return {
        "log_likelihood": grammar.history_[-1].log_likelihood if grammar.history_ else None,
        "warnings": sum(bool(step.warning) for step in grammar.history_),
        "subcategories": [one.n_subcategories for one in grammar.hierarchy_.grammars],
        "shares": {
            symbol: shares[:_SHARES].round(4).tolist()
            for symbol, shares in subcategory_shares(finest).items()
        },
    }


def kept_of(member: str, n: int) -> list[bool]:
    """Which of n sentences a grammar is trained on: a half in turns, or all but a section."""
    kind, *numbers = member.split("-")
    if kind not in ("half", "without"):
        return [True] * n
    at, of = int(numbers[0]) - 1, int(numbers[2])
    return [number % of == at if kind == "half" else number * of // n != at for number in range(n)]


def _parse(folder: Path, divided: TreebankSplit, shared: Settings, trial: Settings) -> dict[str, Any]:
    gold = getattr(divided, trial["part"])
    parser = _parser(folder, trial)
    began = time.perf_counter()
    found = parser.predict([sentence.words for sentence in gold])
    pace = len(gold) / (time.perf_counter() - began)
    report = parser.report_
    failed = {name: len(getattr(report, name)) for name in ("retried", "coarse", "flat", "cut")}
    marks = [hashlib.sha256(str(tree).encode()).hexdigest()[:8] for tree in found]
    return {**_counts(gold, found), "trees": marks, "sentences_a_second": round(pace, 2), **failed}


def _list(folder: Path, divided: TreebankSplit, shared: Settings, trial: Settings) -> dict[str, Any]:
    gold = getattr(divided, trial["part"])
    lists = [
        [tree for tree, _ in found]
        for found in _parser(folder, trial).k_best([sentence.words for sentence in gold], trial["k"])
    ]
    trees = [sentence.tree for sentence in gold]
    oracle = oracle_scores(trees, lists, disagreement="gold")
    best = [found[rank] for found, rank in zip(lists, oracle.ranks, strict=True)]
    return {
        **_counts(gold, best),
        "f1_by_k": [total.f1 for total in oracle.totals],
        "exact_by_k": [total.exact for total in oracle.totals],
    }


def _parser(folder: Path, trial: Settings) -> GrammarProduct:
    members = [LatentGrammar.load(place_of(folder, member)) for member in trial["members"].split()]
    earlier = [grammar.after(trial["after"]) for grammar in members]
    combination: Any = "product" if trial["combination"] == "single" else trial["combination"]
    return GrammarProduct(earlier, combination=combination, candidates=trial.get("k", 50))


def _counts(gold: Sequence[Sentence], found: Sequence[Tree]) -> dict[str, Any]:
    trees = [sentence.tree for sentence in gold if sentence.tree is not None]
    scores = evalb_scores(trees, found, disagreement="gold")
    labels = {
        label: [count.gold, count.predicted, count.matched] for label, count in scores.by_category().items()
    }
    return {"counts": scores.matrix.tolist(), "lengths": scores.lengths.tolist(), "labels": labels}


def preparing(folder: Path) -> Callable[[Settings], Callable[[Settings], dict[str, Any]]]:
    """`prepare` for one folder."""
    return partial(prepare, folder)
