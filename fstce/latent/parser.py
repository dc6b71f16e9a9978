"""Parsing with one grammar or a product of many.

Sentences go in batches: a coarse pass each, one pruned forest for all, the finer grammars
over it, one search. A sentence that fails on the way is tried again with less pruning,
then given its coarse parse, then a flat tree; the report counts how often.

==============  ======================================================================
``coarse``      inside and outside of the unsplit grammar
``charts``      what survives, as one hypergraph a batch
``refine``      inside, outside and posteriors of a split grammar over it
``objectives``  weights of rule instances, of one grammar or several
``maxrule``     the best derivation by these weights
``viterbi``     the best derivations of the split grammar
``kbest``       the k best of either
``products``    rescoring whole trees by several grammars
==============  ======================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fstce.corpora import Tree
from fstce.errors import ParameterError
from fstce.latent.binarize import unbinarize
from fstce.latent.charts import pruned_forest
from fstce.latent.coarse import CoarseTables, coarse_chart
from fstce.latent.grammar import FloatArray, SplitGrammar, SplitHierarchy
from fstce.latent.objectives import Combination, Objective, check_choice
from fstce.latent.pieces import flat_tree, join, pieces, top_label
from fstce.latent.report import ParseReport
from fstce.latent.search import Search

Words = Sequence[str]
Scored = tuple[Tree, float]

# What one batch holds, in squared sentence lengths: keeps memory far below 1 GB.
_EFFORT = 30_000
# Rule instances of a sentence up to which it may be parsed without any pruning.
_UNPRUNED = 10_000_000


class _Job(NamedTuple):
    """A sentence, or a piece of one; `number` is the sentence's, from 1."""

    number: int
    words: Words


class _Attempt(NamedTuple):
    """One way to parse: which grammars, with how much pruning, and what the report calls it."""

    threshold: float
    edge_threshold: float
    coarse: bool
    outcome: str


class Parser:
    """Parses words with the finest grammars of one or several hierarchies.

    Parameters
    ----------
    hierarchies : sequence of SplitHierarchy
        Of the same symbols and rules: trained on the same trees.
    objective : {"max-rule-product", "max-rule-sum", "viterbi"}
        What the best tree is best at: see ``objectives``; ``viterbi`` is the likeliest
        derivation of the split grammar.
    combination : {"product", "sum", "tree"}
        How grammars work together: product or sum of the posteriors of single rule
        instances, or the product of the probabilities of whole trees from k-best lists.
    coarse_threshold : float
        Symbols whose posterior over a span is at most this in the coarse pass are dropped.
    edge_threshold : float
        Rule instances whose posterior is at most this in the coarse pass are dropped.
    candidates : int
        Trees that each grammar lists when ``combination="tree"``.
    max_length : int
        Longer sentences are parsed in pieces.

    Attributes
    ----------
    report : ParseReport
        Of the last call.

    Raises
    ------
    ParameterError
        A parameter is out of range, or the hierarchies do not fit together.

    Examples
    --------
    >>> from fstce.corpora import sample
    >>> from fstce.latent.training import train
    >>> parser = Parser([train(sample(), cycles=0)])
    >>> print(parser.parse("the lamp is small".split()))
    (S (NP (DT the) (NN lamp)) (VP (VBZ is) (ADJP (JJ small))))
    >>> [round(score, 2) <= 0 for _, score in parser.kbest("the lamp is small".split(), 2)]
    [True, True]
    """

    def __init__(
        self,
        hierarchies: Sequence[SplitHierarchy],
        *,
        objective: Objective = "max-rule-product",
        combination: Combination = "product",
        coarse_threshold: float = 1e-4,
        edge_threshold: float = 1e-5,
        candidates: int = 50,
        max_length: int = 200,
    ) -> None:
        check_choice(objective, combination, len(hierarchies))
        for name, value in (("coarse_threshold", coarse_threshold), ("edge_threshold", edge_threshold)):
            if not 0.0 <= value < 1.0:
                raise ParameterError(f"{name}={value}: a probability from 0 to below 1")
        for name, least in (("candidates", candidates), ("max_length", max_length)):
            if least < 1:
                raise ParameterError(f"{name}={least}: at least 1")
        _check_alike(hierarchies)
        self.hierarchies = tuple(hierarchies)
        self.objective: Objective = objective
        self.combination: Combination = combination
        self.coarse_threshold, self.edge_threshold = coarse_threshold, edge_threshold
        self.candidates, self.max_length = candidates, max_length
        self.grammars = [hierarchy.grammars[-1] for hierarchy in hierarchies]
        self.report = ParseReport()
        self._coarse = hierarchies[0].grammars[0]
        self._tables = CoarseTables(self._coarse)
        names = self._coarse.symbols
        self._chains = {(names[a], names[b]): middle for (a, b), middle in self._coarse.chains.items()}

    def parse(self, words: Words) -> Tree:
        """The best tree of a sentence.

        Parameters
        ----------
        words : sequence of str

        Returns
        -------
        Tree
            Without ROOT and intermediate nodes.

        Raises
        ------
        ParameterError
            There are no words.
        """
        return self.parse_all([words])[0]

    def parse_all(self, sentences: Iterable[Words]) -> list[Tree]:
        """The best tree of each sentence; see ``report`` for those that had no parse.

        Parameters
        ----------
        sentences : iterable of sequence of str

        Returns
        -------
        list of Tree

        Raises
        ------
        ParameterError
            A sentence has no words.
        """
        return [found[0][0] for found in self._parse(sentences, 1)]

    def kbest(self, words: Words, k: int) -> list[Scored]:
        """The k best distinct trees of a sentence, best first.

        Parameters
        ----------
        words : sequence of str
        k : int

        Returns
        -------
        list of (Tree, float)
            Fewer if there are no more. The score is what the objective and the combination
            add up, in nats: −inf for a flat tree. A sentence over ``max_length`` has one tree.

        Raises
        ------
        ParameterError
            There are no words, or k is less than 1.
        """
        if k < 1:
            raise ParameterError(f"k={k}: at least one tree")
        return self._parse([words], k)[0]

    def log_likelihood(self, words: Words) -> FloatArray:
        """log P(words | G) over what survives pruning, a lower bound, of each grammar.

        Parameters
        ----------
        words : sequence of str

        Returns
        -------
        ndarray, shape (n_grammars,)
            Nats; −inf without a parse. Exact if both thresholds are 0.
        """
        job = _Job(1, _checked(1, words))
        return self._search([job], self.coarse_threshold, self.edge_threshold, False).log_probability[:, 0]

    def _parse(self, sentences: Iterable[Words], k: int) -> list[list[Scored]]:
        checked = [_checked(number, words) for number, words in enumerate(sentences, 1)]
        self.report = report = ParseReport(len(checked))
        parts = [pieces(words, self.max_length) for words in checked]
        report.cut = [number for number, part in enumerate(parts, 1) if len(part) > 1]
        jobs = [
            _Job(n, words[cut])
            for n, (words, part) in enumerate(zip(checked, parts, strict=True), 1)
            for cut in part
        ]
        found = iter(self._jobs(jobs, k))
        results = [[next(found) for _ in part] for part in parts]
        report.warn()
        return [lists[0] if len(lists) == 1 else [self._joined(lists)] for lists in results]

    def _joined(self, lists: list[list[Scored]]) -> Scored:
        label = top_label(self._coarse)
        return join(label, [best[0][0] for best in lists]), sum(best[0][1] for best in lists)

    def _jobs(self, jobs: Sequence[_Job], k: int) -> list[list[Scored]]:
        """The best trees of each job, in batches of like lengths."""
        found: list[list[Scored]] = [[] for _ in jobs]
        order = sorted(range(len(jobs)), key=lambda at: len(jobs[at].words))
        for batch in _batches(order, [len(job.words) for job in jobs]):
            search = self._search(
                [jobs[at] for at in batch], self.coarse_threshold, self.edge_threshold, False
            )
            for i, at in enumerate(batch):
                found[at] = self._trees(search, i, jobs[at].words, k)
        for at, job in enumerate(jobs):
            if not found[at]:
                found[at] = self._again(job, k)
        return found

    def _again(self, job: _Job, k: int) -> list[Scored]:
        """The trees of a sentence that had none: with less pruning, coarse, or flat."""
        for attempt in self._attempts(len(job.words)):
            search = self._search([job], attempt.threshold, attempt.edge_threshold, attempt.coarse)
            if found := self._trees(search, 0, job.words, k):
                getattr(self.report, attempt.outcome).append(job.number)
                return found
        self.report.flat.append(job.number)
        return [(flat_tree(self._coarse, job.words), -np.inf)]

    def _attempts(self, length: int) -> list[_Attempt]:
        less = self.coarse_threshold**2
        unpruned = (length**3 - length) // 6 * len(self._coarse.binary) <= _UNPRUNED
        thresholds = [less, 0.0] if unpruned else [less]
        fine = [_Attempt(threshold, 0.0, False, "retried") for threshold in thresholds]
        coarse = [_Attempt(threshold, 0.0, True, "coarse") for threshold in thresholds]
        return [*fine, _Attempt(self.coarse_threshold, 0.0, True, "coarse"), *coarse]

    def _search(self, jobs: Sequence[_Job], threshold: float, edge_threshold: float, coarse: bool) -> Search:
        charts = [coarse_chart(self._tables, self._coarse.lexicon.scores(job.words)) for job in jobs]
        forest = pruned_forest(self._tables, charts, threshold, edge_threshold)
        grammars = [self._coarse] if coarse else self.grammars
        scores = [np.concatenate([grammar.lexicon.scores(job.words) for job in jobs]) for grammar in grammars]
        objective: Objective = "max-rule-product" if coarse else self.objective
        return Search(forest, grammars, scores, objective, self.combination, self.candidates)

    def _trees(self, search: Search, sentence: int, words: Words, k: int) -> list[Scored]:
        """The k best distinct trees of a sentence of a batch."""
        found: dict[Tree, float] = {}
        for derivation, score in search.derivations(sentence, k):
            tree = unbinarize(search.graph.tree(derivation, words), self._chains)
            found.setdefault(tree, score)
        return list(found.items())


def _checked(number: int, words: Words) -> Words:
    if isinstance(words, str):
        raise ParameterError(f"sentence {number} is a string; give a list of its words")
    if not len(words):
        raise ParameterError(f"sentence {number} has no words; leave it out")
    return words


def _batches(order: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """Cut sentences, by ascending length, into batches of bounded effort."""
    batches: list[list[int]] = []
    effort = 0
    for at in order:
        effort += lengths[at] ** 2
        if not batches or effort > _EFFORT:
            batches.append([])
            effort = lengths[at] ** 2
        batches[-1].append(at)
    return batches


def _check_alike(hierarchies: Sequence[SplitHierarchy]) -> None:
    """Refuse no hierarchy, and hierarchies that do not share one pruned chart."""
    if not hierarchies:
        raise ParameterError("a parser needs at least one grammar")
    first = hierarchies[0].grammars[0]
    for number, hierarchy in enumerate(hierarchies[1:], 2):
        if not _alike(first, hierarchy.grammars[0]):
            raise ParameterError(
                f"grammar {number} has other symbols or rules than grammar 1; "
                "train the grammars of a product on the same trees with the same binarization"
            )


def _alike(one: SplitGrammar, other: SplitGrammar) -> bool:
    rules = ((one.tags, other.tags), (one.binary, other.binary), (one.unary, other.unary))
    return one.symbols == other.symbols and all(np.array_equal(a, b) for a, b in rules)
