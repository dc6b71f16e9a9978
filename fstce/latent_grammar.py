"""The latent-variable grammar: a treebank grammar whose categories EM splits (Petrov et al. 2006).

>>> from fstce import LatentGrammar
>>> from fstce.corpora import sample
>>> grammar = LatentGrammar(cycles=1, split_iterations=5, merge_iterations=2, smooth_iterations=2)
>>> tree = grammar.fit(sample()).predict(["the lamp is small".split()])[0]
>>> print(tree)
(S (NP (DT the) (NN lamp)) (VP (VBZ is) (ADJP (JJ small))))
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.corpora import Sentence, Tree
from fstce.errors import CorpusError, ParameterError
from fstce.estimator import Estimator, checked_sentences
from fstce.evaluation import evalb_scores
from fstce.latent.binarize import Binarization
from fstce.latent.grammar import SplitHierarchy
from fstce.latent.objectives import Combination, Objective
from fstce.latent.parser import Parser, Scored
from fstce.latent.report import ParseReport, ParseWarning
from fstce.latent.schedule import EMMonitor, EMStep
from fstce.latent.training import train

Floats = NDArray[np.float64]
Sentences = Iterable[Sequence[str]]
Trees = Iterable[Tree]


class TreeParser(Estimator):
    """What one grammar and a product of grammars share: words in, trees out.

    Attributes
    ----------
    report_ : ParseReport
        How the sentences of the last call fared.
    """

    objective: Objective
    coarse_threshold: float
    edge_threshold: float
    max_length: int
    report_: ParseReport

    def predict(self, sentences: Sentences) -> list[Tree]:
        """The best tree of each sentence.

        Parameters
        ----------
        sentences : iterable of sequences of str
            Words, spelt as in the treebank: a bracket is ``-LRB-`` there.

        Returns
        -------
        list of Tree
            A sentence that cannot be parsed has a coarse or a flat tree; see ``report_``.

        Raises
        ------
        CorpusError
            A sentence is empty or a string, or holds what is no word.
        """
        parser = self._parser()
        found = parser.parse_all(checked_sentences(sentences))
        self.report_ = parser.report
        return found

    def k_best(self, sentences: Sentences, k: int) -> list[list[Scored]]:
        """The k best distinct trees of each sentence with their scores (nats), best first.

        Parameters
        ----------
        sentences : iterable of sequences of str
        k : int

        Returns
        -------
        list of lists of (Tree, float)
            Fewer where there are no more.
        """
        parser, report = self._parser(), ParseReport()
        found = []
        with warnings.catch_warnings():
            # Each call is of one sentence, which it calls the first.
            warnings.simplefilter("ignore", ParseWarning)
            for number, words in enumerate(checked_sentences(sentences), 1):
                found.append(parser.kbest(words, k))
                _add(report, parser.report, number)
        self.report_ = report
        report.warn()
        return found

    def score(self, sentences: Sentences, trees: Trees) -> float:
        """Labelled F1 by EVALB's definition, as a share of 1.

        A word counts as punctuation if its gold tag says so, whatever the predicted one.

        Parameters
        ----------
        sentences : iterable of sequences of str
        trees : iterable of Tree
            The gold tree of each.
        """
        found = self.predict(sentences)
        return evalb_scores(list(trees), found, disagreement="gold").total().f1 / 100

    def as_nltk(self) -> Any:
        """This parser as an ``nltk.parse.api.ParserI`` of lists of words."""
        from fstce.latent_nltk import nltk_parser

        return nltk_parser(self)

    def members(self) -> list[LatentGrammar]:
        """The trained grammars; raises NotFittedError where there are none."""
        raise NotImplementedError

    def _combination(self) -> tuple[Combination, int]:
        """How they work together, and how many trees each lists for that."""
        return "product", 1

    def _parser(self) -> Parser:
        combination, candidates = self._combination()
        return Parser(
            [grammar.hierarchy_ for grammar in self.members()],
            objective=self.objective,
            combination=combination,
            coarse_threshold=self.coarse_threshold,
            edge_threshold=self.edge_threshold,
            candidates=candidates,
            max_length=self.max_length,
        )


class LatentGrammar(TreeParser):
    """A grammar of latent subcategories, trained on trees by split, merge and smooth.

    Parameters
    ----------
    cycles : int
        Rounds of split, merge, smooth; 0 leaves the X-bar grammar of the treebank.
    seed : int
        Of the noise that breaks the symmetry of twins: one seed, one grammar.
    objective : {"max-rule-product", "max-rule-sum", "viterbi"}
        What the best tree is best at (Petrov & Klein 2007).
    split_iterations, merge_iterations, smooth_iterations : int
        EM iterations after each step of a cycle.
    merged : float
        The share of splits that is undone.
    rule_smoothing, lexicon_smoothing : float
        α for rules and for words.
    noise : float
        The relative perturbation of twins.
    binarization : {"left", "right"}
        Where intermediate nodes branch.
    coarse_threshold, edge_threshold : float
        Posteriors in the coarse pass up to which symbols and rule instances are dropped.
    max_length : int
        Longer sentences are parsed in pieces.

    Attributes
    ----------
    hierarchy_ : SplitHierarchy
        The grammars, coarse to fine: X-bar, then one a cycle.
    course_ : tuple of EMStep
        The iterations of the training.
    report_ : ParseReport
        How the sentences of the last ``predict`` fared.
    """

    hierarchy_: SplitHierarchy
    course_: tuple[EMStep, ...]

    def __init__(
        self,
        cycles: int = 4,
        seed: int = 0,
        objective: Objective = "max-rule-product",
        split_iterations: int = 50,
        merge_iterations: int = 20,
        smooth_iterations: int = 10,
        merged: float = 0.5,
        rule_smoothing: float = 0.01,
        lexicon_smoothing: float = 0.1,
        noise: float = 0.01,
        binarization: Binarization = "left",
        coarse_threshold: float = 1e-4,
        edge_threshold: float = 1e-5,
        max_length: int = 200,
    ) -> None:
        self.cycles = cycles
        self.seed = seed
        self.objective = objective
        self.split_iterations = split_iterations
        self.merge_iterations = merge_iterations
        self.smooth_iterations = smooth_iterations
        self.merged = merged
        self.rule_smoothing = rule_smoothing
        self.lexicon_smoothing = lexicon_smoothing
        self.noise = noise
        self.binarization = binarization
        self.coarse_threshold = coarse_threshold
        self.edge_threshold = edge_threshold
        self.max_length = max_length

    def fit(
        self,
        sentences: Sentences | Trees,
        trees: Trees | None = None,
        *,
        monitor: EMMonitor | None = None,
    ) -> LatentGrammar:
        """Learn the grammar from trees.

        Parameters
        ----------
        sentences : iterable of Sentence or of Tree, or of sequences of str
            Sentences with trees, or bare trees; or words, if `trees` are given.
        trees : iterable of Tree, optional
            The tree of each sentence, as scikit-learn wants it.
        monitor : EMMonitor, optional
            Called after every iteration of EM.

        Raises
        ------
        CorpusError
            A tree is missing or cannot be used; names file and line.
        ParameterError
            A parameter is out of range.
        """
        steps: list[EMStep] = []

        def note(step: EMStep) -> None:
            steps.append(step)
            if monitor is not None:
                monitor(step)

        treebank = with_trees(sentences, trees)
        settings = {name: getattr(self, name) for name in TRAINING}
        self.hierarchy_ = train(treebank, **settings, monitor=note)
        self.course_ = tuple(steps)
        return self

    def log_likelihood(self, sentences: Sentences) -> Floats:
        """log P(words) of each sentence, over all its trees that survive pruning: a lower bound.

        Parameters
        ----------
        sentences : iterable of sequences of str

        Returns
        -------
        ndarray, shape (n_sentences,)
            Nats; −inf for a sentence without a parse.
        """
        parser = self._parser()
        return np.array([parser.log_likelihood(words)[0] for words in checked_sentences(sentences)])

    def after(self, cycles: int) -> LatentGrammar:
        """The grammar as it was after so many cycles, which is what fewer cycles would have trained.

        Parameters
        ----------
        cycles : int
            0 for the X-bar grammar.

        Raises
        ------
        ParameterError
            The training had fewer cycles.
        """
        self._check_fitted("hierarchy_")
        trained = len(self.hierarchy_.grammars) - 1
        if not 0 <= cycles <= trained:
            raise ParameterError(f"cycles={cycles}: this grammar was trained for {trained}, from 0 on")
        earlier = copy(self).set_params(cycles=cycles)
        keep = slice(cycles + 1)
        earlier.hierarchy_ = SplitHierarchy(self.hierarchy_.grammars[keep], self.hierarchy_.ancestors[keep])
        earlier.course_ = tuple(step for step in self.course_ if step.cycle <= cycles)
        return earlier

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Save the grammar as a folder; an interrupted save leaves what was there."""
        from fstce.latent_files import save

        save(self, folder)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> LatentGrammar:
        """Load a saved grammar; raises ModelFileError where it is damaged, foreign or of another version."""
        from fstce.latent_files import load

        return load(folder)

    def members(self) -> list[LatentGrammar]:
        """This grammar alone; raises NotFittedError if it is not trained."""
        self._check_fitted("hierarchy_")
        return [self]


TRAINING = (
    *("cycles", "seed", "split_iterations", "merge_iterations", "smooth_iterations", "merged"),
    *("rule_smoothing", "lexicon_smoothing", "noise", "binarization"),
)


def with_trees(sentences: Sentences | Trees, trees: Trees | None = None) -> list[Sentence]:
    """Sentences that carry their trees, from what ``fit`` takes.

    Raises
    ------
    CorpusError
        There is no tree for a sentence, or it has other words.

    Examples
    --------
    >>> from fstce.corpora import parse_tree
    >>> with_trees([parse_tree("(NP (DT a) (NN dog))")])[0].words
    ('a', 'dog')
    """
    given: list[Any] = list(sentences)
    if trees is None:
        return [_with_tree(item, number) for number, item in enumerate(given, 1)]
    found = list(trees)
    if len(found) != len(given):
        raise CorpusError(f"{len(given)} sentences but {len(found)} trees; give one for each")
    for number, (words, tree) in enumerate(zip(given, found, strict=True), 1):
        if not isinstance(tree, Tree):
            raise CorpusError(f"sentence {number}: {tree!r} is no tree; see fstce.corpora.parse_tree")
        if tuple(words) != tree.leaves():
            raise CorpusError(f"sentence {number}: the words are not those of its tree")
    return [_with_tree(tree, number) for number, tree in enumerate(found, 1)]


def _with_tree(item: Any, number: int) -> Sentence:
    if isinstance(item, Sentence):
        return item
    if not isinstance(item, Tree):
        raise CorpusError(
            f"item {number} is neither a tree nor a sentence with one; give trees as the second argument"
        )
    if not item.leaves():
        raise CorpusError(f"tree {number} has no words")
    return Sentence(item.leaves(), tree=item, source=f"tree {number}")


def _add(report: ParseReport, one: ParseReport, number: int) -> None:
    """Count the report of a single sentence into that of all."""
    report.sentences += one.sentences
    for outcome in ("retried", "coarse", "flat", "cut"):
        getattr(report, outcome).extend(number for _ in getattr(one, outcome)[:1])
