"""The dependency parser: a grammar of tag sequences, learnt without trees.

>>> from fstce import DependencyParser
>>> text = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB")]
>>> parser = DependencyParser().fit(text)
>>> heads = parser.predict(["DT NN VB".split()])[0]
>>> len(heads), heads.count(0)
(3, 1)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fstce.chart import (
    DependencyModel,
    SentenceCharts,
    best_sentence_trees,
    best_trees,
    compile_charts,
    k_best_trees,
    minimum_risk_of,
    sample_trees,
    sentence_attachments,
)
from fstce.chart.batch import ChartBatch
from fstce.corpora.rows import listed, optional_rows
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.constraint import Constrained
from fstce.estimation.estimator import Estimator, checked_sentences, checked_weights
from fstce.estimation.likelihood import Likelihood
from fstce.estimation.maximize import Monitor, Training
from fstce.estimation.multinomials import Multinomials
from fstce.estimation.objective import Objective, value_of
from fstce.estimation.resources import Resources
from fstce.estimation.rules import Table, check_arguments, check_optional
from fstce.estimation.stages import Stages
from fstce.evaluation.parsing import attach_previous, attachment
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import FIRST_WORD_ID, SIGMA_ID, Symbols
from fstce.neighborhoods.registry import Neighborhood
from fstce.numeric.rules import instance, sequence
from fstce.numeric.types import Floats, Rows, Sentences
from fstce.parsing import files
from fstce.parsing.attachment_rules import read_rules
from fstce.parsing.criteria import AUTO, LOCAL, Criterion, Recipe, Treebank, objective_of, recipe, usable
from fstce.parsing.files import TrainedParser
from fstce.parsing.headedness import headed_start
from fstce.parsing.nltk import nltk_parser
from fstce.parsing.parameters import DEPENDENCY_PARSER
from fstce.parsing.staged import Staged
from fstce.storage.state import State

Heads = Iterable[Sequence[int]]
PART = 256  # sentences whose charts there are at a time
CORPUS_STARTS = ("klein-manning", "headedness")
Parsed = tuple[list[str], tuple[int, ...], float]


@dataclass(eq=False, repr=False)
class DependencyParser(Estimator):
    """A dependency model with valence over tags, trained on raw tag sequences (Smith & Eisner 2005b).

    Attributes
    ----------
    theta_ : ndarray, shape (V(2V + 9),)
        The weights; log-probabilities of a generative grammar.
    model_ : DependencyModel
        Their names, numbers and distributions.
    training_ : Training
        Objective and gradient norm by iteration, and why training stopped.
    left_out_ : int
        The trees that supervised training could not use, since they are not projective.
    obeyed_ : float or None
        The share of the training corpus' expected edges that obeys the rules, where there is a
        constraint; below `obey` where no tree of some sentences can.
    preparation_ : dict
        How sentences became tag sequences, for the command line; empty if a caller did it.

    Examples
    --------
    >>> from fstce import DependencyParser
    >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
    >>> parser.predict([["N", "V"]])[0].count(0)
    1
    """

    rules: ClassVar[Table] = DEPENDENCY_PARSER
    KIND = files.KIND
    SIZES = MappingProxyType({"theta_": "features", "model_.tags": "tags"})

    neighborhood: str | Neighborhood = AUTO
    sigma2: float | None = 0.1
    criterion: str = AUTO
    smoothing: float = 1.0
    start: str | None = None
    seed: int = 0
    noise: float = 0.1
    annealing: Sequence[float] | None = None
    tolerance: float = 1e-5
    max_iterations: int = 500
    decoder: str = "viterbi"
    attachment_rules: str | os.PathLike[str] | None = None
    obey: float | None = None
    rule_weight: float = 1.0
    structural_bias: float | None = None
    max_link: int | None = None
    jobs: int | None = None

    theta_: Floats = field(init=False)
    model_: DependencyModel = field(init=False)
    training_: Training = field(init=False)
    left_out_: int = field(init=False)
    obeyed_: float | None = field(init=False, default=None)
    _corpus_start: dict[str, Floats] = field(init=False, default_factory=dict)
    preparation_: dict[str, Any] = field(init=False, default_factory=dict)

    def fit(
        self,
        sentences: Sentences,
        heads: Heads | None = None,
        *,
        tags: Iterable[str] | None = None,
        words: Sentences | None = None,
        monitor: Monitor | None = None,
        memory: int | str | None = None,
        scratch: str | os.PathLike[str] | None = None,
    ) -> DependencyParser:
        """Train on tag sequences.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of tags.
        heads : iterable of sequences of int, optional
            The head of each word, numbered from 1, 0 for the root: what a supervised
            criterion learns from, others do not see.
        tags : iterable of str, optional
            The tagset; by default the tags of the sentences.
        words : iterable of sequences of str, optional
            The words that bear the tags: the start by headedness sees how many there are.
        monitor : Monitor, optional
            Called after every iteration.
        memory : int or str, optional
            Bytes that the process may take (``"2G"``); charts of neighbourhoods for which there is no room
            lie in files that are mapped. By default they may take half of the memory that is free.
        scratch : path, optional
            Where temporary files lie, by default where the system has them.

        Returns
        -------
        This estimator, trained.

        Raises
        ------
        CorpusError, MachineError, NeighborhoodError, ParameterError
            Naming the sentence, the tag or the parameter.
        KeyboardInterrupt
            On Ctrl-C; the best weights so far are kept in `theta_`.

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> parser.training_.stopped
        'converged'
        """
        built = self.compile(sentences, heads, tags=tags, words=words, memory=memory, scratch=scratch)
        return self.train(built, monitor=monitor)

    def compile(
        self,
        sentences: Sentences,
        heads: Heads | None = None,
        *,
        tags: Iterable[str] | None = None,
        words: Sentences | None = None,
        memory: int | str | None = None,
        scratch: str | os.PathLike[str] | None = None,
    ) -> Objective | Likelihood:
        """Build the charts of a corpus, without training: the objective as a function of θ.

        Weights of an earlier training are forgotten, since the features may be others.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of tags.
        heads : iterable of sequences of int, optional
            The head of each word, numbered from 1, 0 for the root.
        tags : iterable of str, optional
            The tagset; by default the tags of the sentences.
        words : iterable of sequences of str, optional
            The words that bear the tags, for the start by headedness.
        memory : int or str, optional
            Bytes that the process may take (``"2G"``); charts of neighbourhoods for which there is no room
            lie in files that are mapped. By default they may take half of the memory that is free.
        scratch : path, optional
            Where temporary files lie, by default where the system has them.

        Returns
        -------
        Objective or Likelihood
            From θ to its value (nats) and gradient.

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> objective = parser.compile([["D", "N", "V"], ["N", "V"]])
        >>> value, gradient = objective(parser.initial_weights())
        >>> gradient.shape
        (45,)
        """
        self._check_parameters()
        rows = checked_sentences(sentences)
        self._record_size(rows)
        treebank, left_out = usable(Treebank(rows, optional_rows(heads, "heads")), self.recipe.criterion)
        if tags is not None:
            if isinstance(tags, str):
                raise CorpusError(f"tags={tags!r}: give a list of tags")
            own = listed(tags, "tags")
            tags = own and checked_sentences([own])[0]
        found = dict.fromkeys(tag for row in rows for tag in row)
        self.model_ = DependencyModel(sorted(found) if tags is None else tags)
        self.left_out_ = left_out
        for learned in ("theta_", "training_"):
            vars(self).pop(learned, None)
        resources = Resources.checked(self.jobs, memory=memory, scratch=scratch)
        objective = objective_of(replace(self._criterion(), resources=resources), self.model_, treebank)
        start = self.recipe.start
        bearers = None if words is None else listed(words, "words", rows=True)
        self._corpus_start = {start: self._read_start(start, rows, bearers)} if start in CORPUS_STARTS else {}
        return objective

    def train(self, objective: Objective | Likelihood, *, monitor: Monitor | None = None) -> DependencyParser:
        """The second half of `fit`: maximize what `compile` built, from the initial weights.

        Parameters
        ----------
        objective : Objective or Likelihood
            As `compile` returns it.
        monitor : callable, optional
            Called after every iteration.

        Returns
        -------
        This estimator, trained.

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> objective = parser.compile([["D", "N", "V"], ["N", "V"]])
        >>> parser.train(objective).theta_.shape
        (45,)
        """
        check_arguments(objective=objective, monitor=monitor)
        constraint = next((term for term in objective.terms if isinstance(term, Constrained)), None)
        if self.recipe.staged and constraint is not None and isinstance(objective, Likelihood):
            self._train_staged(Staged(self.model_, constraint, objective), monitor)
        else:
            self._train(objective, self.initial_weights(), monitor)
        self.obeyed_ = None
        if constraint is not None:
            constraint(self.theta_)
            self.obeyed_ = constraint.reached
        return self

    def initial_weights(self) -> Floats:
        """The weights at which training starts, for the compiled corpus.

        Returns an array (features,).
        """
        self._check_parameters()
        self._check_fitted("model_")
        chosen = self.recipe
        if chosen.start in CORPUS_STARTS:
            return self._compiled_start(chosen.start)
        local, rng = chosen.criterion in LOCAL, np.random.default_rng(self.seed)
        multinomials = Multinomials(self.model_.group)
        if local:
            uniform = chosen.start == "uniform"
            weights = self.model_.uniform() if uniform else multinomials.perturbed(rng, self.noise)
        else:
            weights = np.zeros(self.model_.size)
            if chosen.start == "random":
                weights = rng.normal(0.0, self.noise, self.model_.size)
        mean = self._criterion().mean(self.model_)
        if mean is None:
            return weights
        return self.model_.log_probabilities(np.exp(weights + mean)) if local else weights + mean

    @property
    def recipe(self) -> Recipe:
        """What the parameters that may be left open come to."""
        ruled = self.attachment_rules is not None
        return recipe(self.criterion, self.neighborhood, self.start, self.structural_bias, self.obey, ruled)

    def predict(self, sentences: Sentences) -> list[tuple[int, ...]]:
        """The head of each word of each sentence, numbered from 1, 0 for the root.

        A tag that training did not see attaches anywhere, with weight zero (in a
        generative grammar with the uniform probability). Where the grammar allows no tree,
        as one of EM without smoothing may, each word attaches to the one before it.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.

        Returns
        -------
        list of tuples of int

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> [heads.count(0) for heads in parser.predict([["D", "N", "V"], ["N"]])]
        [1, 1]
        """
        self._check_fitted("theta_")
        rows = checked_sentences(sentences, least=0)
        if not rows:
            return []
        charts, theta = self._sentence_charts(rows)
        trees = (minimum_risk_of if self.decoder == "minimum-risk" else best_sentence_trees)(charts, theta)
        found = zip(trees.heads, trees.score.tolist(), strict=True)
        return [
            tuple(heads.tolist()) if score > -np.inf else attach_previous(len(heads))
            for heads, score in found
        ]

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """The posterior of every attachment: for each sentence shape (words + 1, words), row 0 the root.

        All zero where the grammar allows no tree.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.

        Returns
        -------
        list of ndarray, shape (words + 1, words)

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> parser.predict_proba([["N", "V"]])[0].shape
        (3, 2)
        """
        self._check_fitted("theta_")
        rows = checked_sentences(sentences, least=0)
        return sentence_attachments(*self._sentence_charts(rows)) if rows else []

    def k_best(self, sentences: Sentences, k: int) -> list[list[tuple[tuple[int, ...], float]]]:
        """The k best trees of each sentence with their log weights, best first; all where there are fewer.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        k : int
            How many at most.

        Returns
        -------
        list of lists of (heads, log weight)

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> len(parser.k_best([["D", "N"]], 2)[0])
        2
        """
        check_arguments(k=k)
        rows = [tuple(row) for row in checked_sentences(sentences)]
        found: dict[Sequence[str], list[tuple[tuple[int, ...], float]]] = {}
        for part, batch, theta in self._charts(rows):
            trees = k_best_trees(batch, theta, k)
            for row, of_row, scores in zip(part, trees.heads.tolist(), trees.score.tolist(), strict=True):
                ranked = zip(of_row, scores, strict=True)
                found[row] = [(tuple(heads[: len(row)]), score) for heads, score in ranked if score > -np.inf]
        return [list(found[row]) for row in rows]

    def sample(self, sentences: Sentences, n: int = 1, seed: int = 0) -> list[list[tuple[int, ...]]]:
        """n trees of each sentence, drawn from the posterior; none where the grammar allows none.

        Equal sentences share their draws.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        n : int
            How many of each sentence.
        seed : int
            Equal seeds draw the same.

        Returns
        -------
        list of lists of tuples of int
            For each sentence n trees.

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> len(parser.sample([["N", "V"]], n=3, seed=1)[0])
        3
        """
        check_arguments(n=n, seed=seed)
        rows = [tuple(row) for row in checked_sentences(sentences)]
        found: dict[Sequence[str], list[tuple[int, ...]]] = {}
        rng = np.random.default_rng(seed)
        for part, batch, theta in self._charts(rows):
            drawn = sample_trees(batch, theta, n, rng).heads.tolist()
            for row, of_row in zip(part, drawn, strict=True):
                found[row] = [tuple(heads[: len(row)]) for heads in of_row if heads[0] >= 0]
        return [list(found[row]) for row in rows]

    def parse_lattices(self, lattices: Iterable[Lattice]) -> list[Parsed]:
        """BESTPARSE: of each lattice over tags, the best tree and the tag sequence that it yields.

        Parameters
        ----------
        lattices : iterable of Lattice
            Over tags.

        Returns
        -------
        list of (tags, heads, log weight)
            Without tags and heads, and with −inf, where the grammar allows no tree.

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> from fstce import neighborhood
        >>> tags, heads, weight = parser.parse_lattices([neighborhood("trans1")(["N", "V"])])[0]
        >>> sorted(tags), len(heads)
        (['N', 'V'], 2)
        """
        self._check_fitted("theta_")
        given = listed(lattices, "lattices")
        sequence(instance("a Lattice", "Lattice")).check(lattices=given)
        model, theta = self._extended(tag for lattice in given for tag in _tags_on(lattice))
        trees = best_trees(compile_charts(given, model), theta)
        rows = zip(trees.tags.tolist(), trees.heads.tolist(), trees.score.tolist(), strict=True)
        return [
            ([model.tags[t] for t in tags if t >= 0], tuple(h for h in heads if h >= 0), score)
            for tags, heads, score in rows
        ]

    def score(self, sentences: Sentences, heads: Heads | None = None) -> float:
        """The share of right heads if trees are given, else the criterion a sentence (nats, no prior).

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        heads : iterable of sequences of int, optional
            The head of each word, numbered from 1, 0 for the root.

        Returns
        -------
        float
            From 0 to 1 with trees; else nats a sentence.

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> parser.score([["N"]], [[0]])
        1.0
        """
        rows = checked_sentences(sentences)
        if heads is None:
            return self.measure(rows) / len(rows)
        return attachment(listed(heads, "heads", rows=True), self.predict(rows)).directed / 100

    def measure(
        self,
        sentences: Sentences,
        heads: Heads | None = None,
        *,
        criterion: str | None = None,
        neighborhood: str | Neighborhood | None = None,
    ) -> float:
        """The value of a criterion under the trained weights, in nats, without a prior.

        ``criterion``, ``neighborhood``: by default those of the training.
        """
        self._check_fitted("theta_")
        check_optional(self.rules, criterion=criterion, neighborhood=neighborhood)
        given = {"criterion": criterion, "neighborhood": neighborhood}
        changed = {name: value for name, value in given.items() if value is not None}
        other = self._with(**changed, structural_bias=0.0)
        rows = checked_sentences(sentences)
        other.attachment_rules = None  # how well the weights explain the text is for them to say alone
        other.model_, theta = self._extended(tag for row in rows for tag in row)
        treebank, _ = usable(Treebank(rows, optional_rows(heads, "heads")), other.recipe.criterion)
        return value_of(objective_of(other._criterion(), other.model_, treebank).terms, theta)

    def objective(
        self, sentences: Sentences, theta: Floats, heads: Heads | None = None
    ) -> tuple[float, Floats]:
        """The objective with its prior, to be maximized, and its gradient; call `fit` or `compile` first.

        Parameters
        ----------
        sentences : iterable of sequences of str
            Their tags are those of the grammar.
        theta : ndarray, shape (V(2V + 9),)
        heads : iterable of sequences of int, optional
            For the supervised criteria.

        Returns
        -------
        value : float
            Nats.
        gradient : ndarray, shape of θ
            Of a generative grammar, the expected counts with λ.

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> value, gradient = parser.objective([["N", "V"]], parser.theta_)
        >>> gradient.shape == parser.theta_.shape
        True
        """
        self._check_parameters()
        self._check_fitted("model_")
        weights = checked_weights(theta, self.model_.size)
        rows = checked_sentences(sentences)
        treebank, _ = usable(Treebank(rows, optional_rows(heads, "heads")), self.recipe.criterion)
        return objective_of(self._criterion(), self.model_, treebank)(weights)

    def weights(self) -> dict[tuple[str, ...], float]:
        """The weights by the names of their features.

        Returns
        -------
        dict of tuple of str to float

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> len(parser.weights()) == parser.theta_.size
        True
        """
        self._check_fitted("theta_")
        return dict(zip(self.model_.names, self.theta_.tolist(), strict=True))

    def as_nltk(self) -> Any:
        """This parser as an ``nltk.parse.api.ParserI`` of (word, tag) sentences.

        Returns
        -------
        nltk.parse.api.ParserI

        Examples
        --------
        >>> from fstce import DependencyParser
        >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
        >>> type(parser.as_nltk()).__name__
        'NltkParser'
        """
        self._check_fitted("theta_")
        return nltk_parser(self)

    def to_state(self) -> State:
        self._check_fitted("theta_")
        learnt = TrainedParser(
            self.model_,
            self.theta_,
            getattr(self, "training_", None),
            self.left_out_,
            self.preparation_,
            self.obeyed_,
        )
        return files.to_state(learnt, self.get_params())

    @classmethod
    def from_state(cls, state: State) -> DependencyParser:
        parser, learnt = cls.of_parameters(state.entries), files.from_state(state)
        parser.model_, parser.theta_ = learnt.model, learnt.theta
        parser.left_out_, parser.preparation_ = learnt.left_out, dict(learnt.preparation)
        parser.obeyed_ = learnt.obeyed
        if learnt.training is not None:
            parser.training_ = learnt.training
        return parser

    def _train_staged(self, staged: Staged, monitor: Monitor | None) -> None:
        """Without the rules, then with them where that serves."""
        stages = Stages(monitor)

        def climb(stage: str, problem: Likelihood, theta: Floats) -> Training:
            def train(told: Monitor) -> Training:
                self._train(problem, theta, told)
                return self.training_

            return stages.run(stage, train)

        chosen: Training | None = None
        try:
            chosen = staged.train(self.initial_weights(), climb)
        finally:
            # What is learnt from half of the text is not what an interruption is to leave.
            chosen = chosen or staged.ruled
            if chosen is not None:
                self.theta_, self.training_ = chosen.theta, replace(chosen, steps=stages.steps)

    def _maximized(self) -> str:
        return self.recipe.criterion

    def _criterion(self) -> Criterion:
        self._check_runs_no_code([self.recipe.neighborhood])
        known = () if self.attachment_rules is None else read_rules(self.attachment_rules)
        chosen = self.recipe
        return Criterion(
            chosen.criterion,
            chosen.neighborhood,
            self.sigma2,
            self.smoothing,
            known,
            chosen.obey,
            self.rule_weight,
            chosen.structural_bias,
            self.max_link,
            Resources(self.jobs),
        )

    def _read_start(self, start: str, rows: Rows, words: Rows | None) -> Floats:
        """A start that is read off the corpus."""
        if start == "headedness":
            return headed_start(self.model_, rows, words, self.max_link)
        return self.model_.klein_manning(rows)

    def _compiled_start(self, start: str) -> Floats:
        if start not in self._corpus_start:
            raise ParameterError(f"start={start!r} is read off the corpus: compile it with this start")
        return self._corpus_start[start]

    def _sentence_charts(self, rows: Sequence[Sequence[str]]) -> tuple[SentenceCharts, Floats]:
        """The sentences' charts, and the weights for their tags."""
        self._check_parameters()
        self._check_fitted("theta_")
        model, theta = self._extended(tag for row in rows for tag in row)
        return SentenceCharts(model, rows, max_link=self.max_link), theta

    def _charts(self, rows: Rows) -> Iterator[tuple[Rows, ChartBatch, Floats]]:
        """The charts of the distinct sentences, some at a time, and the weights for their tags."""
        self._check_parameters()
        self._check_fitted("theta_")
        model, theta = self._extended(tag for row in rows for tag in row)
        symbols, number = Symbols(model.tags), {row: i for i, row in reversed(list(enumerate(rows, 1)))}
        distinct = list(dict.fromkeys(rows))
        for part in (distinct[i : i + PART] for i in range(0, len(distinct), PART)):
            lattices = (Lattice.of_sentence(row, symbols, f"sentence {number[row]}") for row in part)
            yield part, compile_charts(lattices, model, max_link=self.max_link), theta

    def _extended(self, tags: Iterable[str]) -> tuple[DependencyModel, Floats]:
        """The grammar with these tags too, and its weights."""
        known = frozenset(self.model_.tags)
        unseen = dict.fromkeys(tag for tag in tags if tag not in known)
        if not unseen:
            return self.model_, self.theta_
        model = DependencyModel((*self.model_.tags, *unseen))
        fresh = model.uniform() if self.recipe.criterion in LOCAL else np.zeros(model.size)
        old = self.weights()
        theta = [old.get(name, weight) for name, weight in zip(model.names, fresh.tolist(), strict=True)]
        return model, np.array(theta)


def _tags_on(lattice: Lattice) -> Iterable[str]:
    """The tags of a lattice's arcs; a wildcard is any of its alphabet."""
    labels = np.unique(lattice.arrays.ilabel).tolist()
    if SIGMA_ID in labels:
        return lattice.symbols
    return [lattice.symbols.word(label) for label in labels if label >= FIRST_WORD_ID]
