"""The grammar paper's trials: ten folds, two starts, every criterion and its grid.

Of the ten folds of a treebank eight are trained on, the next is for development, and the
one after it for the test (Smith & Eisner 2005b, §6). Sentences are shuffled once, with a
fixed seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fstce.corpora.dependencies import dependency_corpus
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.objective import Likelihood, Objective
from fstce.evaluation import attachment
from fstce.neighborhoods.registry import neighborhood
from fstce.numeric.types import Ints
from fstce.parameters.rules import COUNT, POSITIVE, Table, choice, integer, sequence
from fstce.parameters.tables import WORDS
from fstce.parsing.criteria import AUTO, CRITERIA, LOCAL, SUPERVISED
from fstce.parsing.parser import CORPUS_STARTS, DependencyParser
from fstce.processes.trial_log import Result, Settings
from fstce.processes.trials import Group
from fstce.reproduction.material import read
from fstce.reproduction.run import GRIDS, Plan, Trial, course, grid

Rows = list[tuple[str, ...]]
Trees = list[tuple[int, ...]]

FOLDS = 10
UNSUPERVISED = (AUTO, "em", "length", "trans1", "delortrans1")
STARTS = ("klein-manning", "uniform")
GENERATIVE = (*LOCAL, AUTO)  # criteria whose grid is λ


@dataclass(frozen=True)
class DependencyPlan(Plan):
    """The rows of Table 2 that are redrawn, and the treebank."""

    rules: ClassVar[Table] = {
        "max_length": POSITIVE.says("The most words of a sentence, without punctuation."),
        "criteria": WORDS.says("Rows without trees: em, or neighborhoods; or none."),
        "supervised": sequence(choice(*SUPERVISED)).says(
            "Rows with trees: joint, conditional, supervised-contrastive; or none."
        ),
        "starts": sequence(choice(*STARTS), least=1).says("Where rows without trees start."),
        "folds": integer(1, FOLDS).says("How many of the ten folds are run."),
        "seed": COUNT.says("Shuffles the sentences into folds."),
        **GRIDS,
    }
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
        super().__post_init__()
        if not self.criteria and not self.supervised:
            raise ParameterError("give at least one criterion, with trees or without")
        for criterion in self.criteria:
            if criterion in SUPERVISED:
                raise ParameterError(
                    f"the criterion {criterion!r} learns from trees: name it as supervised"
                )
            parameters(criterion)


class TaggedTrees(NamedTuple):
    """Tag sequences, the heads of their words, and the words."""

    sentences: Rows
    heads: Trees
    words: Rows

    def part(self, rows: Ints) -> TaggedTrees:
        """The sentences of these numbers, in the order of the treebank."""
        numbers = np.sort(rows).tolist()
        columns: Any = [list(map(column.__getitem__, numbers)) for column in self]
        return TaggedTrees(*columns)


class Fold(NamedTuple):
    """The three parts of the treebank, and the tagset of the whole."""

    train: TaggedTrees
    development: TaggedTrees
    test: TaggedTrees
    tags: tuple[str, ...]


def parameters(criterion: str) -> Settings:
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
    fitting = dependency_corpus(sentences, max_length=max_length, heads="required")
    if len(fitting) < FOLDS:
        raise CorpusError(
            f"{spec}: {len(fitting)} sentences of at most {max_length} words are too few for ten "
            "folds"
        )
    return TaggedTrees(
        [tuple(sentence.tags or ()) for sentence in fitting],
        [tuple(sentence.heads or ()) for sentence in fitting],
        [sentence.words for sentence in fitting],
    )


def fold_of(settings: Settings) -> Fold:
    """The parts of one fold."""
    names = ("corpus", "max_length", "tag_column")
    trees = treebank(*(settings.get(name) for name in names))
    order = np.random.default_rng(settings["shuffle"]).permutation(len(trees.sentences))
    pieces = np.array_split(order, FOLDS)
    number = settings["fold"]
    held_out = (number - 1) % FOLDS, number
    train = np.concatenate([piece for i, piece in enumerate(pieces) if i not in held_out])
    development, test = (pieces[i] for i in held_out)

    tags = sorted({tag for row in trees.sentences for tag in row})
    return Fold(trees.part(train), trees.part(development), trees.part(test), tuple(tags))


def groups(plan: DependencyPlan) -> list[Group]:
    """All trials of a plan, those of one fold, criterion and start together."""
    names = ("corpus", "max_length", "tag_column", "tolerance", "max_iterations")
    shared = {name: getattr(plan, name) for name in names} | {"shuffle": plan.seed}

    rows = []
    for criterion in (*plan.supervised, *plan.criteria):
        # What has a start of its own, or is convex, stands in one column.
        alone = criterion == AUTO or criterion in plan.supervised
        rows += [(criterion, start) for start in (plan.starts[-1:] if alone else plan.starts)]

    return [
        Group(
            {**shared, "fold": fold, "criterion": criterion, "start": start},
            grid(plan, criterion in GENERATIVE),
        )
        for fold in range(plan.folds)
        for criterion, start in rows
    ]


def prepare(_: Path, shared: Settings) -> Trial:
    """Compile a fold's charts; the result trains and scores a trial on them."""
    fold = fold_of(shared)
    names = ("start", "tolerance", "max_iterations")
    parser = DependencyParser(**{n: shared[n] for n in names} | parameters(shared["criterion"]))
    heads, development_heads = None, None
    if parser.recipe.criterion in SUPERVISED:
        heads = fold.train.heads
        development_heads = fold.development.heads

    def compiled() -> Objective | Likelihood:
        return parser.compile(fold.train.sentences, heads, tags=fold.tags, words=fold.train.words)

    # A start that is read off the corpus is smoothed by the trial's λ.
    anew = parser.recipe.criterion in LOCAL and parser.recipe.start in CORPUS_STARTS
    shared_objective = None if anew else compiled()

    def run(trial: Settings) -> Result:
        parser.set_params(**trial)
        objective = shared_objective or compiled()
        objective.smooth(sigma2=parser.sigma2, smoothing=parser.smoothing)
        parser.train(objective)

        held_out = parser.measure(fold.development.sentences, development_heads)
        test = attachment(fold.test.heads, parser.predict(fold.test.sentences))
        return {
            **course(parser.training_),
            "held_out": held_out / len(fold.development.sentences),
            "test": test.directed,
            "train": 100.0 * parser.score(fold.train.sentences, fold.train.heads),
        }

    return run
