"""Sentences through the charts: in batches, and those that fail once more with less pruning.

A sentence without a parse is tried with thresholds of a tenth, with one that is squared, then
without any, then with the coarse grammar alone; what fails there too gets a flat tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from fstce.corpora import Tree
from fstce.latent.model.binarize import unbinarize
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.latent.parsing.coarse import coarse_charts
from fstce.latent.parsing.coarse_tables import CoarseTables
from fstce.latent.parsing.maxrule import Combination, Objective
from fstce.latent.parsing.pieces import ParseReport, flat_tree
from fstce.latent.parsing.pruned_forest import pruned_forest
from fstce.latent.parsing.pruning import PaddedRules, pruned
from fstce.latent.parsing.search import Search
from fstce.numeric.types import Floats

Words = Sequence[str]
Scored = tuple[Tree, float]

# What one batch holds, in squared sentence lengths: keeps memory far below 1 GB.
_EFFORT = 120_000
# Rule instances of a sentence up to which it may be parsed without any pruning.
_UNPRUNED = 10_000_000


class Job(NamedTuple):
    """A sentence, or a piece of one; `number` is the sentence's, from 1."""

    number: int
    words: Words


class Pruning(NamedTuple):
    """Posteriors up to which the coarse pass drops symbols and rule instances."""

    symbols: float
    edges: float


class Attempt(NamedTuple):
    """One way to parse: with how much pruning, whether coarsely, and what the report calls it."""

    pruning: Pruning
    coarse: bool
    outcome: str
    through: bool = False  # whether the grammars between prune


class Attempts:
    """How sentences are parsed with grammars over one coarse pass.

    ``between``: finer than the coarse one, of few subcategories: the first attempt prunes with each in turn.
    ``objective``, ``combination``: see :class:`~fstce.latent.parsing.coarse_to_fine.CoarseToFineParser`.
    """

    def __init__(
        self,
        coarse: SplitGrammar,
        grammars: Sequence[SplitGrammar],
        pruning: Pruning,
        objective: Objective,
        combination: Combination,
        candidates: int,
        between: Sequence[SplitGrammar] = (),
    ) -> None:
        self.coarse, self.grammars, self.pruning = coarse, grammars, pruning
        self.objective: Objective = objective
        self.combination: Combination = combination
        self.candidates = candidates
        self._between = [PaddedRules.of(grammar) for grammar in between]
        self._tables = CoarseTables(coarse)

    def trees(self, jobs: Sequence[Job], k: int, report: ParseReport) -> list[list[Scored]]:
        """The best distinct trees of each job, at most k, and in the report those that had none at first."""
        found: list[list[Scored]] = [[] for _ in jobs]
        order = sorted(range(len(jobs)), key=lambda at: len(jobs[at].words))
        for batch in batches(order, [len(job.words) for job in jobs]):
            search = self.search([jobs[at] for at in batch], self.pruning, through=min(self.pruning) > 0.0)
            for i, at in enumerate(batch):
                found[at] = self._trees(search, i, jobs[at].words, k)
        for at, job in enumerate(jobs):
            if not found[at]:
                found[at] = self._retried(job, k, report)
        return found

    def search(
        self, jobs: Sequence[Job], pruning: Pruning, coarse: bool = False, through: bool = False
    ) -> Search:
        """The search over the pruned forest of some jobs, pruned through the grammars between if so asked."""
        cuts = np.cumsum([len(job.words) for job in jobs])[:-1]
        charts = coarse_charts(self._tables, np.split(_scores(self.coarse, jobs), cuts))
        forest = pruned_forest(self._tables, charts, *pruning)
        for rules in self._between if through else ():
            forest = pruned(forest, rules, _scores(rules.grammar, jobs), pruning.edges)
        grammars = [self.coarse] if coarse else self.grammars
        scores = [_scores(grammar, jobs) for grammar in grammars]
        objective: Objective = "max-rule-product" if coarse else self.objective
        return Search(forest, grammars, scores, objective, self.combination, self.candidates)

    def _retried(self, job: Job, k: int, report: ParseReport) -> list[Scored]:
        """The trees of a sentence that had none: with less pruning, coarse, or flat."""
        for attempt in self._attempts(len(job.words)):
            search = self.search([job], attempt.pruning, attempt.coarse, attempt.through)
            if found := self._trees(search, 0, job.words, k):
                getattr(report, attempt.outcome).append(job.number)
                return found
        report.flat.append(job.number)
        return [(flat_tree(self.coarse, job.words), -np.inf)]

    def _attempts(self, length: int) -> list[Attempt]:
        usual, less = self.pruning.symbols, self.pruning.symbols**2
        unpruned = (length**3 - length) // 6 * len(self.coarse.binary) <= _UNPRUNED
        thresholds = [less, 0.0] if unpruned else [less]
        tenth = Pruning(usual / 10, self.pruning.edges / 10)
        fine = [Attempt(tenth, False, "retried", through=True)] if min(tenth) > 0.0 else []
        fine += [Attempt(Pruning(threshold, 0.0), False, "retried") for threshold in thresholds]
        coarse = [Attempt(Pruning(threshold, 0.0), True, "coarse") for threshold in (usual, *thresholds)]
        return [*fine, *coarse]

    def _trees(self, search: Search, sentence: int, words: Words, k: int) -> list[Scored]:
        """The k best distinct trees of a sentence of a batch."""
        found: dict[Tree, float] = {}
        for derivation, score in search.derivations(sentence, k):
            tree = unbinarize(search.graph.tree(derivation, words))
            found.setdefault(tree, score)
        return list(found.items())


def _scores(grammar: SplitGrammar, jobs: Sequence[Job]) -> Floats:
    """P(word | tag subcategory) for the words of all jobs, end to end."""
    return grammar.lexicon.scores_of([job.words for job in jobs])


def batches(order: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """Cut sentences, by ascending length, into batches of bounded effort."""
    found: list[list[int]] = []
    effort = 0
    for at in order:
        effort += lengths[at] ** 2
        if not found or effort > _EFFORT:
            found.append([])
            effort = lengths[at] ** 2
        found[-1].append(at)
    return found
