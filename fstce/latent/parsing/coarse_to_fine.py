"""Parsing with one grammar or a product of many.

Sentences go in batches: a coarse pass each, one pruned forest for all, the finer grammars
over it, one search. A sentence that fails on the way is tried again with less pruning,
then given its coarse parse, then a flat tree; the report counts how often.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fstce.corpora import Tree
from fstce.errors import ParameterError
from fstce.estimation.rules import check, check_arguments
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.parameters import GRAMMAR_PRODUCT
from fstce.latent.parsing.attempts import Attempts, Job, Pruning, Scored, Words
from fstce.latent.parsing.maxrule import Combination, Objective
from fstce.latent.parsing.pieces import ParseReport, join, pieces, top_label
from fstce.latent.parsing.pruning import MOST
from fstce.numeric.types import Floats

__all__ = ["CoarseToFineParser", "Scored"]


class CoarseToFineParser:
    """Parses words with the finest grammars of one or several hierarchies.

    ``hierarchies``: of the same symbols and rules: trained on the same trees. All else as the parameters of
    :class:`fstce.GrammarProduct` (``fstce.latent.parameters``).
    """

    def __init__(
        self,
        hierarchies: Sequence[SplitHierarchy],
        *,
        objective: Objective = "max-rule-product",
        combination: Combination = "product",
        coarse_threshold: float = 1e-3,
        edge_threshold: float = 1e-4,
        candidates: int = 50,
        max_length: int = 200,
    ) -> None:
        check(GRAMMAR_PRODUCT, objective=objective, combination=combination, max_length=max_length)
        check(GRAMMAR_PRODUCT, coarse_threshold=coarse_threshold, edge_threshold=edge_threshold)
        check(GRAMMAR_PRODUCT, candidates=candidates)
        _check_alike(hierarchies)
        grammars = [hierarchy.finest for hierarchy in hierarchies]
        pruning = Pruning(coarse_threshold, edge_threshold)
        coarse = hierarchies[0].grammars[0]
        between = [one for one in hierarchies[0].grammars[1:-1] if one.sizes.max() <= MOST]
        self._attempts = Attempts(coarse, grammars, pruning, objective, combination, candidates, between)
        self.hierarchies, self.max_length = tuple(hierarchies), max_length
        self.report = ParseReport()

    def parse(self, words: Words) -> Tree:
        """The best tree of a sentence, without ROOT and intermediate nodes."""
        return self.parse_all([words])[0]

    def parse_all(self, sentences: Iterable[Words]) -> list[Tree]:
        """The best tree of each sentence; see ``report`` for those that had no parse."""
        return [found[0][0] for found in self._parse(sentences, 1)]

    def kbest(self, words: Words, k: int) -> list[Scored]:
        """The k best distinct trees of a sentence, best first, with scores in nats: −inf for a flat tree.

        Fewer if there are no more; one of a sentence over ``max_length``.
        """
        check_arguments(k=k)
        return self._parse([words], k)[0]

    def log_likelihood(self, words: Words) -> Floats:
        """log P(words | G) of each grammar in nats, (n_grammars,): a lower bound, exact without pruning."""
        job = Job(1, _checked(1, words))
        return self._attempts.search([job], self._attempts.pruning).log_probability[:, 0]

    def _parse(self, sentences: Iterable[Words], k: int) -> list[list[Scored]]:
        checked = [_checked(number, words) for number, words in enumerate(sentences, 1)]
        self.report = report = ParseReport(len(checked))
        parts = [pieces(words, self.max_length) for words in checked]
        report.cut = [number for number, part in enumerate(parts, 1) if len(part) > 1]
        jobs = [
            Job(n, words[cut])
            for n, (words, part) in enumerate(zip(checked, parts, strict=True), 1)
            for cut in part
        ]
        found = iter(self._attempts.trees(jobs, k, report))
        results = [[next(found) for _ in part] for part in parts]
        report.warn()
        return [lists[0] if len(lists) == 1 else [self._joined(lists)] for lists in results]

    def _joined(self, lists: list[list[Scored]]) -> Scored:
        label = top_label(self._attempts.coarse)
        return join(label, [best[0][0] for best in lists]), sum(best[0][1] for best in lists)


def _checked(number: int, words: Words) -> Words:
    if isinstance(words, str):
        raise ParameterError(f"sentence {number} is a string; give a list of its words")
    if not len(words):
        raise ParameterError(f"sentence {number} has no words; leave it out")
    return words


def _check_alike(hierarchies: Sequence[SplitHierarchy]) -> None:
    """Refuse no hierarchy, and hierarchies that do not share one pruned chart."""
    if not hierarchies:
        raise ParameterError("a parser needs at least one grammar")
    first = hierarchies[0].grammars[0]
    for number, hierarchy in enumerate(hierarchies[1:], 2):
        other = hierarchy.grammars[0]
        rules = ((first.tags, other.tags), (first.binary, other.binary), (first.unary, other.unary))
        if first.symbols != other.symbols or not all(np.array_equal(a, b) for a, b in rules):
            raise ParameterError(
                f"grammar {number} has other symbols or rules than grammar 1; "
                "train the grammars of a product on the same trees"
            )
