"""Parsing with one grammar or a product of many.

Sentences go in batches: a coarse pass each, one pruned forest for all, the finer grammars over it,
one search. A sentence without a parse is tried with thresholds of a tenth, with one that is
squared, then without any where it is short, and so with the coarse grammar; what fails there gets a
flat tree of the words under their likeliest tags. What is longer than the limit is cut behind its
punctuation, and the trees of the pieces are the children of one node. The report counts how often.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from fstce.corpora import Tree
from fstce.errors import ParameterError
from fstce.latent.model.binarize import ROOT, plain
from fstce.latent.model.split_grammar import SplitGrammar, SplitHierarchy
from fstce.latent.parsing.coarse import CoarseTables, coarse_charts
from fstce.latent.parsing.maxrule import Combination, tree_of
from fstce.latent.parsing.pruned_forest import pruned, pruned_forest
from fstce.latent.parsing.refine import SplitCharts
from fstce.latent.parsing.search import Search
from fstce.numeric.types import Floats

Words = Sequence[str]

# What one batch holds, in squared sentence lengths: keeps memory far below 1 GB.
_EFFORT = 120_000
UNPRUNED = (
    10_000_000  # rule instances of a sentence up to which it may be parsed without any pruning
)
# The most subcategories a symbol of a grammar that prunes between the coarse and the finest ones.
_MOST = 4


class Job(NamedTuple):
    """A sentence, or a piece of one; `number` is the sentence's, from 1."""

    number: int
    words: Words


class Pruning(NamedTuple):
    """Posteriors up to which the coarse pass drops symbols and rule instances."""

    symbols: float
    edges: float


def _scores(grammar: SplitGrammar, jobs: Sequence[Job]) -> Floats:
    """P(word | tag subcategory) for the words of all jobs, end to end."""
    return grammar.lexicon.scores_of([job.words for job in jobs])


def in_batches(order: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """Cut sentences, by ascending length, into batches of bounded effort."""
    batches: list[list[int]] = []
    effort = 0
    for sentence in order:
        effort += lengths[sentence] ** 2
        if not batches or effort > _EFFORT:
            batches.append([])
            effort = lengths[sentence] ** 2
        batches[-1].append(sentence)
    return batches


@dataclass(eq=False)
class CoarseToFineParser:
    """Parses words with the finest grammars of one or several hierarchies.

    ``hierarchies``: of the same symbols and rules: trained on the same trees. All else as the
    parameters of :class:`fstce.GrammarProduct` (``fstce.latent.parameters``).
    """

    hierarchies: Sequence[SplitHierarchy]
    combination: Combination = "product"
    coarse_threshold: float = 1e-3
    edge_threshold: float = 1e-4
    max_length: int = 200

    def __post_init__(self) -> None:
        """Make the tables of the coarse pass.

        Raises ParameterError where the grammars are not alike.
        """
        _check_alike(self.hierarchies)
        self.grammars: list[SplitGrammar] = [hierarchy.finest for hierarchy in self.hierarchies]
        self.pruning: Pruning = Pruning(self.coarse_threshold, self.edge_threshold)
        self.coarse: SplitGrammar
        self.coarse, *finer = self.hierarchies[0].grammars
        # Before several grammars parse, the finest small one prunes.
        small = [grammar for grammar in finer[:-1] if grammar.sizes.max() <= _MOST]
        self._between = small[-1:] if len(self.grammars) > 1 else []
        self._tables = CoarseTables(self.coarse)
        self.report: ParseReport = ParseReport()

    def parse_all(self, sentences: Sequence[Words]) -> list[Tree]:
        """The best tree of each sentence, one node over the pieces of one over ``max_length``.

        See ``report`` for those that had no parse.
        """
        self.report = ParseReport(len(sentences))
        jobs = []
        n_pieces = []
        for number, words in enumerate(sentences, 1):
            cuts = pieces(words, self.max_length)
            n_pieces.append(len(cuts))
            jobs += [Job(number, words[cut]) for cut in cuts]
        self.report.cut = [number for number, n in enumerate(n_pieces, 1) if n > 1]

        of_jobs = iter(self.trees(jobs))
        self.report.warn()

        whole = []
        for n in n_pieces:
            trees = tuple(islice(of_jobs, n))
            whole.append(trees[0] if n == 1 else Tree(top_label(self.coarse), trees))
        return whole

    def log_likelihood(self, words: Words) -> Floats:
        """log P(words | G) of each grammar in nats, (n_grammars,).

        A lower bound, exact without pruning.
        """
        return self.search([Job(1, words)], self.pruning).log_probabilities()[:, 0]

    def trees(self, jobs: Sequence[Job]) -> list[Tree]:
        """The best tree of each job, and in ``report`` those that had none at first."""
        lengths = [len(job.words) for job in jobs]
        order = sorted(range(len(jobs)), key=lengths.__getitem__)

        trees: list[Tree | None] = [None] * len(jobs)
        for batch in in_batches(order, lengths):
            search = self.search([jobs[at] for at in batch], self.pruning, through=True)
            for sentence, at in enumerate(batch):
                trees[at] = self._tree(search, sentence, jobs[at].words)
        return [of_job or self._retried(job) for of_job, job in zip(trees, jobs, strict=True)]

    def search(
        self, jobs: Sequence[Job], pruning: Pruning, coarse: bool = False, through: bool = False
    ) -> Search:
        """The search over the pruned forest of some jobs,
        pruned through the grammars between if so asked.
        """
        cuts = np.cumsum([len(job.words) for job in jobs])[:-1]
        charts = coarse_charts(self._tables, np.split(_scores(self.coarse, jobs), cuts))
        forest = pruned_forest(self._tables, charts, *pruning)
        if through and min(pruning) > 0.0:
            for grammar in self._between:
                posteriors = SplitCharts(forest, grammar, _scores(grammar, jobs)).posteriors()
                forest = pruned(forest, *posteriors, pruning.edges)

        grammars = [self.coarse] if coarse else self.grammars
        scores = [_scores(grammar, jobs) for grammar in grammars]
        return Search(forest, grammars, scores, self.combination)

    def _retried(self, job: Job) -> Tree:
        """The tree of a sentence that had none.

        With less pruning and then none, coarse, or flat.
        """
        symbols, edges = self.pruning
        n = len(job.words)
        little = [Pruning(symbols**2, 0.0)]
        if (n**3 - n) // 6 * len(self.coarse.binary) <= UNPRUNED:
            little.append(Pruning(0.0, 0.0))
        finest = [Pruning(symbols / 10, edges / 10), *little]

        for coarse, attempts in ((False, finest), (True, little)):
            for pruning in attempts:
                search = self.search([job], pruning, coarse, through=True)
                tree = self._tree(search, 0, job.words)
                if tree is not None:
                    numbers = self.report.coarse if coarse else self.report.retried
                    numbers.append(job.number)
                    return tree

        self.report.flat.append(job.number)
        return flat_tree(self.coarse, job.words)

    def _tree(self, search: Search, sentence: int, words: Words) -> Tree | None:
        """The best tree of a sentence of a batch, None if it has no parse."""
        derivation = search.derivation(sentence)
        if derivation is None:
            return None
        return tree_of(search.forest, self.coarse, derivation, words)


def _check_alike(hierarchies: Sequence[SplitHierarchy]) -> None:
    """Refuse no hierarchy, and hierarchies that do not share one pruned chart."""
    if not hierarchies:
        raise ParameterError("a parser needs at least one grammar")
    first = hierarchies[0].grammars[0]
    for number, hierarchy in enumerate(hierarchies[1:], 2):
        coarse = hierarchy.grammars[0]
        alike = first.symbols == coarse.symbols
        for name in ("tags", "binary", "unary"):
            alike = alike and np.array_equal(getattr(first, name), getattr(coarse, name))
        if not alike:
            raise ParameterError(
                f"grammar {number} has other symbols or rules than grammar 1; "
                "train the grammars of a product on the same trees"
            )


_STRONG = frozenset({".", "?", "!", ";", ":", "--", "..."})
_WEAK = frozenset({",", "''", '"', "-RRB-", ")"})


def pieces(words: Sequence[str], limit: int) -> list[slice]:
    """Cut words into pieces of at most `limit`.

    The last strong punctuation mark of the second half of what a piece may hold ends it,
    else the last weak one, else the limit.

    ``limit``: at least 1.

    >>> words = "one , two three ; four five six".split()
    >>> [words[piece] for piece in pieces(words, 6)]
    [['one', ',', 'two', 'three', ';'], ['four', 'five', 'six']]
    >>> len(pieces(words, 8))
    1
    """
    cuts = []
    start = 0
    while len(words) - start > limit:
        ends = range(start + limit, start + (limit + 1) // 2, -1)
        strong = (end for end in ends if words[end - 1] in _STRONG)
        weak = (end for end in ends if words[end - 1] in _WEAK)
        end = next(strong, None) or next(weak, start + limit)
        cuts.append(slice(start, end))
        start = end
    return [*cuts, slice(start, len(words))]


def flat_tree(grammar: SplitGrammar, words: Sequence[str]) -> Tree:
    """One node over the words, each under the tag of the largest P(word | tag)."""
    best = grammar.tags[grammar.lexicon.scores(words).argmax(axis=1)]
    leaves = (
        Tree(grammar.symbols[tag], (word,)) for tag, word in zip(best.tolist(), words, strict=True)
    )
    return Tree(top_label(grammar), tuple(leaves))


def top_label(grammar: SplitGrammar) -> str:
    """The label that most often is the whole sentence, ``S`` in the Penn Treebank."""
    tops: Counter[str] = Counter()
    tables = grammar.tables[len(grammar.binary) :]
    for (parent, child), between, table in zip(
        grammar.unary.tolist(), grammar.chains, tables, strict=True
    ):
        if parent == 0:
            top, *_ = (*between, grammar.symbols[child])
            tops[top] += table.sum()

    if not tops:
        return ROOT
    return plain(max(tops, key=tops.__getitem__))


class ParseWarning(UserWarning):
    """A sentence that did not get a parse of its own."""


@dataclass(slots=True)
class ParseReport:
    """How sentences fared, each list holding their numbers, from 1 in the order of the call.

    ``retried``: no parse under pruning; parsed with less or none. ``coarse``: no parse by the split
    grammars; given the unsplit grammar's. ``flat``: no parse at all; given a flat tree of likely
    tags. ``cut``: longer than the limit; parsed in pieces.
    """

    sentences: int = 0
    retried: list[int] = field(default_factory=list)
    coarse: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)

    def warn(self) -> None:
        """Say which sentences got no parse of their own."""
        for numbers, fate in (
            (self.flat, "no parse; given a flat tree of likely tags"),
            (self.cut, "longer than max_length; parsed in pieces"),
        ):
            if numbers:
                names = [*map(str, numbers[:5]), "…"][: len(numbers)]
                message = f"{len(numbers)} sentence(s) ({', '.join(names)}): {fate}"
                warnings.warn(message, ParseWarning, stacklevel=4)
