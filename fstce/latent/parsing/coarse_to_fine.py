"""Parsing with one grammar or a product of many.

Sentences go in batches: a coarse pass each, one pruned forest for all, the finer grammars over it,
one search. A sentence without a parse is tried with thresholds of a tenth, then with one that is
squared. What fails there, or is longer than the limit, gets a flat tree of the words under their
likeliest tags. The report counts how often.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fstce.corpora import Tree
from fstce.errors import ParameterError
from fstce.latent.model.binarize import plain
from fstce.latent.model.split_grammar import SplitGrammar, SplitHierarchy
from fstce.latent.parsing.coarse import CoarseTables, coarse_charts
from fstce.latent.parsing.maxrule import Combination, best_trees, instance_weights
from fstce.latent.parsing.pruned_forest import PrunedForest, pruned, pruned_forest
from fstce.latent.parsing.refine import SplitCharts
from fstce.numeric.types import Words

# What one batch holds, in squared sentence lengths: keeps memory far below 1 GB.
_EFFORT = 120_000
# The most subcategories a symbol of a grammar that prunes between the coarse and the finest ones.
_MOST = 4


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

    ``hierarchies``: of the same symbols and rules: trained on the same trees.
    ``coarse_threshold``, ``edge_threshold``: posteriors in the coarse pass up to which symbols and
    rule instances are dropped (docs/notebook/latent.md compares). All else as the parameters of
    :class:`fstce.GrammarProduct`.
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
        self.coarse: SplitGrammar
        self.coarse, *finer = self.hierarchies[0].grammars
        # Before several grammars parse, the finest small one prunes.
        small = [grammar for grammar in finer[:-1] if grammar.sizes.max() <= _MOST]
        self._between = small[-1:] if len(self.grammars) > 1 else []
        self._tables = CoarseTables(self.coarse)
        self.report: ParseReport = ParseReport()

    def parse_all(self, sentences: Sequence[Words]) -> list[Tree]:
        """The best tree of each sentence; see ``report`` for those that had none."""
        self.report = ParseReport(len(sentences))
        lengths = [len(words) for words in sentences]
        short = [at for at, length in enumerate(lengths) if length <= self.max_length]

        tree_of_sentence: dict[int, Tree | None] = {}
        for batch in in_batches(sorted(short, key=lengths.__getitem__), lengths):
            words = [sentences[at] for at in batch]
            trees = self.trees(words, self.coarse_threshold, self.edge_threshold)
            tree_of_sentence.update(zip(batch, trees, strict=True))

        parsed = [
            tree_of_sentence.get(at) or self._retried(at + 1, words)
            for at, words in enumerate(sentences)
        ]
        self.report.warn()
        return parsed

    def trees(self, sentences: Sequence[Words], symbols: float, edges: float) -> list[Tree | None]:
        """The best tree of each sentence of a batch over the forest of these thresholds, if any."""
        forest = self.forest(sentences, symbols, edges)
        posteriors = []
        for grammar in self.grammars:
            charts = SplitCharts(forest, grammar, grammar.lexicon.scores_of(sentences))
            posteriors.append(charts.posteriors()[0])
        weights = instance_weights(posteriors, forest, self.combination)
        return best_trees(forest, weights, self.coarse, sentences)

    def forest(self, sentences: Sequence[Words], symbols: float, edges: float) -> PrunedForest:
        """What survives of the coarse pass: posteriors above these thresholds."""
        cuts = np.cumsum([len(words) for words in sentences])[:-1]
        scores = np.split(self.coarse.lexicon.scores_of(sentences), cuts)
        forest = pruned_forest(self._tables, coarse_charts(self._tables, scores), symbols, edges)
        if edges > 0.0:
            for grammar in self._between:
                charts = SplitCharts(forest, grammar, grammar.lexicon.scores_of(sentences))
                forest = pruned(forest, *charts.posteriors(), edges)
        return forest

    def _retried(self, number: int, words: Words) -> Tree:
        """The tree of a sentence that had none: by less pruning, or a flat one."""
        if len(words) > self.max_length:
            self.report.long.append(number)
            return flat_tree(self.coarse, words)

        little = self.coarse_threshold / 10, self.edge_threshold / 10
        for symbols, edges in (little, (self.coarse_threshold**2, 0.0)):
            (tree,) = self.trees([words], symbols, edges)
            if tree is not None:
                self.report.retried.append(number)
                return tree

        self.report.flat.append(number)
        return flat_tree(self.coarse, words)


def _check_alike(hierarchies: Sequence[SplitHierarchy]) -> None:
    """Refuse hierarchies that do not share one pruned chart."""
    first, *others = (hierarchy.grammars[0] for hierarchy in hierarchies)
    for number, coarse in enumerate(others, 2):
        names = ("symbols", "tags", "binary", "unary")
        if not all(np.array_equal(getattr(first, name), getattr(coarse, name)) for name in names):
            raise ParameterError(
                f"grammar {number} has other symbols or rules than grammar 1; "
                "train the grammars of a product on the same trees"
            )


def flat_tree(grammar: SplitGrammar, words: Words) -> Tree:
    """One node over the words, each under the tag of the largest P(word | tag)."""
    best = grammar.tags[grammar.lexicon.scores(words).argmax(axis=1)]
    leaves = [Tree(grammar.symbols[tag], (word,)) for tag, word in zip(best, words, strict=True)]
    return Tree(top_label(grammar), tuple(leaves))


def top_label(grammar: SplitGrammar) -> str:
    """The label that most often is the whole sentence, ``S`` in the Penn Treebank."""
    # The unsplit grammar: a probability a rule.
    shares = np.where(grammar.unary[:, 0] == 0, grammar.rules[len(grammar.binary) :], 0.0)
    top = int(np.argmax(shares))
    below = *grammar.chains[top], grammar.symbols[grammar.unary[top, 1]]
    return plain(below[0])


class ParseWarning(UserWarning):
    """A sentence that did not get a parse of its own."""


@dataclass(slots=True)
class ParseReport:
    """How sentences fared, each list holding their numbers, from 1 in the order of the call.

    ``retried``: no parse under pruning; parsed with less. ``flat``: no parse at all, ``long``:
    longer than the limit; these were given a flat tree of likely tags.
    """

    sentences: int = 0
    retried: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)
    long: list[int] = field(default_factory=list)

    def warn(self) -> None:
        """Say which sentences got no parse of their own."""
        for numbers, cause in ((self.flat, "no parse"), (self.long, "longer than max_length")):
            if numbers:
                names = ", ".join([*map(str, numbers[:5]), "…"][: len(numbers)])
                message = f"{len(numbers)} sentence(s) ({names}): {cause}; "
                message += "given a flat tree of likely tags"
                warnings.warn(message, ParseWarning, stacklevel=4)
