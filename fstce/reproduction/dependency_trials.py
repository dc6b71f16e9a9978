"""The grammar paper's trials: ten folds, two starts, every criterion and its grid.

Of the ten folds of a treebank eight are trained on, the next is for development, and the
one after it for the test (Smith & Eisner 2005b, §5). Sentences are shuffled once, with a
fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fstce.corpora.dependencies import dependency_corpus
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.rules import NOT_NEGATIVE, VARIANCE
from fstce.estimation.train import with_smoothing
from fstce.evaluation import attachment
from fstce.neighborhoods.registry import neighborhood
from fstce.numeric.rules import choice
from fstce.parsing.criteria import AUTO, CRITERIA, LOCAL, SUPERVISED
from fstce.parsing.parser import DependencyParser
from fstce.processes.trial_log import Settings
from fstce.processes.trials import Group
from fstce.reproduction.material import read

Rows = list[tuple[str, ...]]
Trees = list[tuple[int, ...]]

FOLDS = 10
UNSUPERVISED = (AUTO, "em", "length", "trans1", "delortrans1")
STARTS = ("klein-manning", "uniform")
COST = {AUTO: 0.5, "delortrans1": 3.0, "trans1": 1.5, "length": 2.0, "conditional": 1.0}
GENERATIVE = (*LOCAL, AUTO)  # criteria whose grid is λ


@dataclass(frozen=True)
class DependencyPlan:
    """What of Table 2 is redrawn, on which treebank: see ``fstce reproduce dependencies --help``."""

    corpus: str = "nltk:dependency_treebank"
    max_length: int = 10
    criteria: tuple[str, ...] = UNSUPERVISED
    supervised: tuple[str, ...] = ("joint", "conditional")
    starts: tuple[str, ...] = STARTS
    sigma2: tuple[float | None, ...] = (0.1, 1.0, 10.0, None)
    smoothing: tuple[float, ...] = (10.0, 1.0, 0.1, 0.0)
    folds: int = FOLDS
    seed: int = 0
    tolerance: float = 1e-5
    max_iterations: int = 500
    tag_column: str | None = None

    def __post_init__(self) -> None:
        if not self.criteria and not self.supervised:
            raise ParameterError("give at least one criterion, with trees or without")
        if not self.starts or not self.sigma2 or not self.smoothing:
            raise ParameterError("give at least one start, one σ² and one λ")
        for criterion in self.criteria:
            if criterion in SUPERVISED:
                raise ParameterError(f"the criterion {criterion!r} learns from trees: name it as supervised")
            parameters(criterion)
        for criterion in self.supervised:
            choice(*SUPERVISED).check(**{"supervised criterion": criterion})
        for start in self.starts:
            choice(*STARTS).check(start=start)
        if not 1 <= self.folds <= FOLDS:
            raise ParameterError(f"folds={self.folds}: run 1 to {FOLDS} of the {FOLDS} folds")
        for variance in self.sigma2:
            VARIANCE.check(sigma2=variance)
        for value in self.smoothing:
            NOT_NEGATIVE.check(smoothing=value)


class TaggedTrees(NamedTuple):
    """Tag sequences, the heads of their words, and the words."""

    sentences: Rows
    heads: Trees
    words: Rows


class Fold(NamedTuple):
    """The three parts of the treebank, and the tagset of the whole."""

    train: TaggedTrees
    development: TaggedTrees
    test: TaggedTrees
    tags: tuple[str, ...]


def parameters(criterion: str) -> dict[str, Any]:
    """The parser's parameters that a row's name stands for: a criterion, or a neighborhood."""
    if criterion == AUTO:
        return {"criterion": AUTO, "start": None}
    if criterion in CRITERIA and criterion != "contrastive":
        return {"criterion": criterion}
    neighborhood(criterion)
    return {"criterion": "contrastive", "neighborhood": criterion}


@lru_cache(maxsize=4)
def treebank(spec: str, max_length: int, tag_column: str | None = None) -> TaggedTrees:
    """The sentences of a treebank as a grammar sees them, read once a process."""
    sentences = read(spec, tag_column=tag_column)
    found = dependency_corpus(sentences, max_length=max_length, heads="required")
    if len(found) < FOLDS:
        raise CorpusError(
            f"{spec}: {len(found)} sentences of at most {max_length} words are too few for ten folds"
        )
    tags_and_heads = [tuple(s.tags or ()) for s in found], [tuple(s.heads or ()) for s in found]
    return TaggedTrees(*tags_and_heads, [s.words for s in found])


def fold_of(settings: Mapping[str, Any]) -> Fold:
    """The parts of one fold."""
    names = ("corpus", "max_length", "tag_column")
    whole = treebank(*(settings.get(name) for name in names))
    order = np.random.default_rng(settings["shuffle"]).permutation(len(whole.sentences))
    pieces = np.array_split(order, FOLDS)
    number = settings["fold"]
    held_out = (number - 1) % FOLDS, number
    rest = np.concatenate([piece for i, piece in enumerate(pieces) if i not in held_out])
    numbers = [np.sort(rows).tolist() for rows in (rest, *(pieces[i] for i in held_out))]
    train, development, test = (
        TaggedTrees(*([column[i] for i in rows] for column in whole)) for rows in numbers
    )
    return Fold(train, development, test, tuple(sorted({tag for row in whole.sentences for tag in row})))


def grid_of(criterion: str) -> str:
    """Which grid a criterion has: of λ where the grammar is generative, else of σ²."""
    return "smoothing" if criterion in GENERATIVE else "sigma2"


def groups(plan: DependencyPlan) -> list[Group]:
    """All trials of a plan, those of one fold, criterion and start together."""
    names = ("corpus", "max_length", "tag_column", "tolerance", "max_iterations")
    found = []
    for fold in range(plan.folds):
        # What has its own start stands in one column.
        own = [plan.starts[-1]]
        rows = [(c, start) for c in plan.criteria for start in (own if c == AUTO else plan.starts)]
        rows += [(criterion, "uniform") for criterion in plan.supervised]
        for criterion, start in rows:
            shared = {name: getattr(plan, name) for name in names}
            shared |= {"shuffle": plan.seed, "fold": fold, "criterion": criterion, "start": start}
            grid = grid_of(criterion)
            trials = [{grid: value} for value in getattr(plan, grid)]
            found.append(Group(shared, trials, COST.get(criterion, 0.5)))
    return found


def prepare(_: Path, shared: Settings) -> Callable[[Settings], dict[str, Any]]:
    """Compile a fold's charts; the result trains and scores a trial on them."""
    fold = fold_of(shared)
    names = ("start", "tolerance", "max_iterations")
    parser = DependencyParser(**{n: shared[n] for n in names} | parameters(shared["criterion"]))
    supervised = parser.recipe.criterion in SUPERVISED
    heads = fold.train.heads if supervised else None
    objective = parser.compile(fold.train.sentences, heads, tags=fold.tags, words=fold.train.words)

    def run(trial: Settings) -> dict[str, Any]:
        parser.set_params(**trial)
        parser.train(with_smoothing(objective, sigma2=parser.sigma2, smoothing=parser.smoothing))
        steps = parser.training_.steps
        development = fold.development.heads if supervised else None
        held_out = parser.measure(fold.development.sentences, development)
        parts = {"test": fold.test, "development": fold.development}
        return {
            "objective": parser.training_.objective,
            "iterations": steps[-1].iteration,
            "stopped": parser.training_.stopped,
            "seconds": steps[-1].seconds,
            "held_out": held_out / len(fold.development.sentences),
            **{
                name: attachment(part.heads, parser.predict(part.sentences)).directed
                for name, part in parts.items()
            },
            "train": 100.0 * parser.score(fold.train.sentences, fold.train.heads),
            "left_out": parser.n_skipped_,
        }

    return run
