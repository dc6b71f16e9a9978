"""The dependency parser: a grammar of tag sequences, learned without trees."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, groupby
from typing import Any, ClassVar, TypeVar

import numpy as np

from fstce.chart import (
    DependencyModel,
    InsideOutside,
    attachments,
    best_trees,
    compile_charts,
    compile_sentences,
    favoring_best_trees,
    k_best_trees,
    sample_trees,
)
from fstce.chart.batch import ChartBatch
from fstce.corpora.words import checked_sentences, listed
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.estimator import checked_weights
from fstce.estimation.maximize import Course, Interrupted, Monitor, Training
from fstce.estimation.model import Model, weights_by_name
from fstce.estimation.nltk_views import NltkParser, nltk_view
from fstce.estimation.objective import Likelihood, Objective, value_of
from fstce.estimation.resources import Resources
from fstce.evaluation.parsing import attach_previous, attachment
from fstce.machines.lattice import Lattice
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import saved_name
from fstce.numeric.types import Floats, PathName, Rows, Sentences
from fstce.parameters.rules import Table
from fstce.parameters.tables import check_arguments
from fstce.parsing.attachment_rules import AttachmentRule, read_rules, rule_of, satisfying
from fstce.parsing.criteria import (
    AUTO,
    BIAS,
    BIASES,
    LOCAL,
    NO_TREEBANK,
    Criterion,
    Recipe,
    Treebank,
    agreement,
    labelled_trees,
    read_treebank,
    tag_rows,
    tree_counts,
    usable,
)
from fstce.parsing.parameters import DEPENDENCY_PARSER
from fstce.storage.state import State, text_file

Heads = Iterable[Sequence[int]]
PART = 2**20  # squares of the lengths of sentences whose charts there are at a time
CORPUS_STARTS = ("klein-manning", "headedness", "rules")
SAMPLE = 100  # sentences of the training text, evenly spaced, that are parsed after training
COLLAPSED = 0.9  # of the heads an adjacent word; in treebanks .5 to .65
WORDLESS = (
    "without words less is known of which tags are heads: pass sentences of a corpus, or words="
)
Decoded = TypeVar("Decoded")


@dataclass(eq=False, repr=False)
class DependencyParser(Model):
    """A dependency model with valence, trained on raw tag sequences (Smith & Eisner 2005b).

    Attributes
    ----------
    theta_ : ndarray, shape (V(2V + 9),)
        The weights; log-probabilities of a generative grammar.
    model_ : DependencyModel
        Their names, numbers and distributions.
    training_ : Training
        Objective and gradient norm by iteration, and why training stopped.
    n_skipped_ : int
        The trees that supervised training could not use, since they are not projective.
    n_labelled_ : int
        How many trees stood beside the raw text.
    constraint_satisfaction_ : float or None
        The share of the words whose predicted head the rules allow, in a hundred sentences of the
        training text, evenly spaced.

    Examples
    --------
    Those of the methods go on with this parser.

    >>> from fstce import DependencyParser
    >>> parser = DependencyParser("trans1").fit([["D", "N", "V"], ["N", "V"]])
    >>> parser.predict([["N", "V"]])[0].count(0)
    1
    """

    rules: ClassVar[Table] = DEPENDENCY_PARSER
    KIND: ClassVar[str] = "dependency parser"
    SIZES: ClassVar[Mapping[str, str]] = {"theta_": "features", "model_.tags": "tags"}
    FEATURES: ClassVar[str] = "model_"
    LOCAL: ClassVar[Sequence[str]] = LOCAL
    GOLD: ClassVar[str] = "heads"

    neighborhood: str | Neighborhood = AUTO
    sigma2: float | None = 0.1
    criterion: str = AUTO
    smoothing: float = 1.0
    start: str | None = None
    seed: int = 0
    restarts: int = 1
    annealing: Sequence[float] | None = None
    tolerance: float = 1e-5
    max_iterations: int = 500
    attachment_rules: PathName | None = None
    head_final: bool = False
    structural_bias: float | None = None
    jobs: int | None = None

    theta_: Floats = field(init=False)
    model_: DependencyModel = field(init=False)
    training_: Training = field(init=False)
    n_skipped_: int = field(init=False)
    n_labelled_: int = field(init=False, default=0)
    constraint_satisfaction_: float | None = field(init=False, default=None)
    _corpus_start: tuple[str, Floats | None] = field(init=False, default=("", None))
    _text: Rows = field(init=False, default=())
    _rules: tuple[AttachmentRule, ...] = field(init=False, default=())

    def fit(
        self,
        sentences: Sentences,
        heads: Heads | None = None,
        *,
        tags: Iterable[str] | None = None,
        words: Sentences | None = None,
        labelled: tuple[Sentences, Heads] | None = None,
        monitor: Monitor | None = None,
        memory: int | str | None = None,
    ) -> DependencyParser:
        """Train on tag sequences.

        Parameters
        ----------
        sentences : iterable of sequences of str
            Sentences of a corpus with their tags and words, or lists of tags.
        heads : iterable of sequences of int, optional
            The head of each word, numbered from 1, 0 for the root: what a supervised
            criterion learns from, others do not see.
        tags : iterable of str, optional
            The tagset; by default the tags of the sentences.
        words : iterable of sequences of str, optional
            The words that bear the tags, where the sentences are lists of tags: how many different
            ones there are says which tags are heads.
        labelled : pair of sentences and their heads, optional
            A handful of trees beside the raw text, for criteria that learn from tags: their
            likelihood counts whole, the text like fifteen sentences, however many it has.
        monitor : Monitor, optional
            Called after every iteration.
        memory : int or str, optional
            Bytes that the process may take (``"2G"``); charts for which there is no room
            lie in files that are mapped. By default they may take half of the memory that is free.

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
        objective = self.compile(
            sentences,
            heads,
            tags=tags,
            words=words,
            labelled=labelled,
            memory=memory,
        )
        return self.train(objective, monitor=monitor)

    def compile(
        self,
        sentences: Sentences,
        heads: Heads | None = None,
        *,
        tags: Iterable[str] | None = None,
        words: Sentences | None = None,
        labelled: tuple[Sentences, Heads] | None = None,
        memory: int | str | None = None,
    ) -> Objective | Likelihood:
        """Build the charts of a corpus, without training: the objective as a function of θ.

        Weights of an earlier training are forgotten, since the features may be others.

        Parameters
        ----------
        sentences, heads, tags, words, labelled, memory
            As of :meth:`fit`.

        Returns
        -------
        Objective or Likelihood
            From θ to its value (nats) and gradient.

        Examples
        --------
        >>> objective = parser.compile([["D", "N", "V"], ["N", "V"]])
        >>> value, gradient = objective(parser.initial_weights())
        >>> gradient.shape
        (45,)
        """
        self._check_parameters()
        corpus = read_treebank(sentences, heads, words)
        observed, not_projective = labelled_trees(labelled, self.recipe.criterion, corpus.sentences)
        self.n_labelled_ = len(observed.sentences)
        treebank, self.n_skipped_ = usable(corpus, self.recipe.criterion)
        self.n_skipped_ += not_projective

        self._record_size(corpus.sentences)
        if tags is None:
            tags = sorted(set(chain(*corpus.sentences, *observed.sentences)))
        elif isinstance(tags, str):
            raise CorpusError(f"tags={tags!r}: give a list of tags")
        else:
            tagset = listed(tags, "tags")
            tags = tagset and checked_sentences([tagset])[0]
        self.model_ = DependencyModel(tags)

        self._text = () if treebank.heads else treebank.sentences
        self._rules = read_rules(self.attachment_rules) if self.attachment_rules else ()
        self._forget()

        resources = Resources.of({"memory": memory}, self.jobs)
        criterion = self._criterion(self.model_, treebank, resources, observed)
        objective = criterion.objective()
        objective.name = self.recipe.criterion
        objective.features = self.model_
        self._corpus_start = self.recipe.start, criterion.start()
        if "headedness" in (self.recipe.start, self.recipe.knowledge) and treebank.words is None:
            warnings.warn(WORDLESS, stacklevel=3)
        return objective

    @property
    def recipe(self) -> Recipe:
        """The values of parameters that are left open: those that the measurements recommend.

        >>> tuple(DependencyParser().recipe)
        ('em', 'trans1', 'headedness', -0.6, 'headedness')
        >>> tuple(DependencyParser(attachment_rules="penn").recipe)
        ('em', 'trans1', 'rules', -0.1, 'rules')
        >>> tuple(DependencyParser("trans1").recipe)
        ('contrastive', 'trans1', 'uniform', 0.0, '')
        """
        unnamed = isinstance(self.neighborhood, str) and self.neighborhood.strip().lower() == AUTO
        criterion = self.criterion
        if criterion == AUTO:
            criterion = "em" if unnamed else "contrastive"

        knowledge = ""
        if self.criterion == AUTO and unnamed:
            knowledge = "headedness" if self.attachment_rules is None else "rules"
        bias = self.structural_bias
        if bias is None:
            bias = BIAS if knowledge and self.n_labelled_ else BIASES[knowledge]

        neighborhood = "trans1" if unnamed else self.neighborhood
        start = self.start or knowledge or "uniform"
        if self.restarts > 1:
            start = "random"
        return Recipe(criterion, neighborhood, start, bias, knowledge)

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
        >>> [heads.count(0) for heads in parser.predict([["D", "N", "V"], ["N"]])]
        [1, 1]
        """
        return self._trees(tag_rows(sentences, least=0))

    def _trees(self, rows: Rows) -> list[tuple[int, ...]]:
        """The heads of each sentence's words."""

        def decode(charts: ChartBatch, theta: Floats) -> list[tuple[int, ...]]:
            return list(map(heads_of, best_trees(charts, theta).heads.tolist()))

        decoded = zip(rows, self._decoded(rows, decode), strict=True)
        return [heads or attach_previous(len(row)) for row, heads in decoded]

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """The posterior of each attachment: shape (words + 1, words) a sentence, row 0 the root.

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
        >>> parser.predict_proba([["N", "V"]])[0].shape
        (3, 2)
        """

        def decode(charts: ChartBatch, theta: Floats) -> list[Floats]:
            return attachments(charts, InsideOutside(charts).posteriors(theta))

        return self._decoded(tag_rows(sentences, least=0), decode)

    def k_best(self, sentences: Sentences, k: int) -> list[list[tuple[tuple[int, ...], float]]]:
        """The k best trees of each sentence with their log weights, best first, or all there are.

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
        >>> len(parser.k_best([["D", "N"]], 2)[0])
        2
        """
        check_arguments(k=k)

        def decode(charts: ChartBatch, theta: Floats) -> list[list[tuple[tuple[int, ...], float]]]:
            trees = k_best_trees(charts, theta, k)
            return list(map(possible, trees.heads.tolist(), trees.score.tolist()))

        def possible(
            trees: list[list[int]], scores: list[float]
        ) -> list[tuple[tuple[int, ...], float]]:
            ranked = zip(trees, scores, strict=True)
            return [(heads_of(tree), score) for tree, score in ranked if score > -np.inf]

        return self._decoded(tag_rows(sentences), decode)

    def sample(
        self, sentences: Sentences, n: int = 1, seed: int = 0
    ) -> list[list[tuple[int, ...]]]:
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
        >>> len(parser.sample([["N", "V"]], n=3, seed=1)[0])
        3
        """
        check_arguments(n=n, seed=seed)
        rng = np.random.default_rng(seed)

        def decode(charts: ChartBatch, theta: Floats) -> list[list[tuple[int, ...]]]:
            drawn = sample_trees(charts, theta, n, rng).heads
            return [list(map(heads_of, heads[heads[:, 0] >= 0].tolist())) for heads in drawn]

        return self._decoded(tag_rows(sentences), decode)

    def measure(self, sentences: Sentences, gold: Heads | None = None) -> float:
        """The value of the criterion under the trained weights, in nats, without a prior.

        How well the weights explain the text is for them to say alone, without rules or a bias.

        Parameters
        ----------
        sentences : iterable of sequences of str
        gold : iterable of sequences of int, optional
            The right heads, for supervised criteria.

        Returns
        -------
        float

        Examples
        --------
        >>> parser.measure([["N"], ["N"]]) == 2 * parser.measure([["N"]])
        True
        """
        self._check_fitted("theta_")
        treebank = self._corpus(sentences, gold)
        model, theta = self._extended(tag for row in treebank.sentences for tag in row)
        unruled = self._with(criterion=self.recipe.criterion, structural_bias=0.0)
        return value_of(unruled._criterion(model, treebank).objective().terms, theta)

    def as_nltk(self) -> Any:
        """This parser as an ``nltk.parse.api.ParserI`` of (word, tag) sentences.

        Returns
        -------
        nltk.parse.api.ParserI

        Examples
        --------
        >>> type(parser.as_nltk()).__name__
        'NltkParser'
        """
        self._check_fitted("theta_")
        return nltk_view(NltkParser, self)

    def _learned(self) -> State:
        entries = {
            "tags": self.model_.tags,
            "left_out": self.n_skipped_,
            "labelled": self.n_labelled_,
            "constraint_satisfaction": self.constraint_satisfaction_,
            "rules": [rule.line for rule in self._rules],
        }
        rows = (f"{weight!r}\t{' '.join(name)}\n" for name, weight in self.weights().items())
        return State(self.KIND, entries, files={"weights.tsv": text_file("".join(rows))})

    def _saved_parameters(self) -> dict[str, Any]:
        return {
            **self.get_params(),
            "neighborhood": saved_name(self.neighborhood),
            "attachment_rules": self.attachment_rules and os.fspath(self.attachment_rules),
        }

    def _restore(self, state: State, theta: Floats) -> None:
        self.model_ = DependencyModel(state.texts("tags"))
        self.theta_ = checked_weights(theta, self.model_.size)
        self.n_skipped_ = state.entry("left_out", int)
        self.n_labelled_ = state.entry("labelled", int)
        satisfaction = state.entry("constraint_satisfaction", float, type(None))
        self.constraint_satisfaction_ = satisfaction
        self._rules = tuple(rule_of(line, "rules") for line in state.texts("rules"))

    def _finish(self, objective: Objective | Likelihood) -> None:
        """Parse a sample of the training text: how many heads the rules allow, and the collapse.

        A second pass over the whole text would take as long as a short training.
        """
        self.constraint_satisfaction_ = None
        if not self._text:
            return

        step = -(-len(self._text) // SAMPLE)
        sample = self._text[::step]
        trees = self._trees(sample)
        if self._rules:
            allowed = satisfying(self._rules, self.model_, self.head_final)
            satisfied = float(allowed @ tree_counts(self.model_, sample, trees))
            self.constraint_satisfaction_ = satisfied / sum(map(len, trees))

        share = adjacent_share(trees)
        if share >= COLLAPSED:
            warnings.warn(
                f"{100 * share:.0f} % of the heads are an adjacent word: the grammar has learned "
                "hardly more; what helps: attachment rules, the words of the sentences, more text",
                stacklevel=3,
            )

    def _check_together(self) -> None:
        """Raise ParameterError where rules serve nothing, or starts are not random."""
        recipe = self.recipe
        if self.attachment_rules is not None and recipe.knowledge != "rules":
            raise ParameterError(
                "attachment_rules: they weigh the trees of EM with criterion='auto' and no "
                "neighborhood; leave one of them out"
            )
        if self.restarts > 1 and self.start not in (None, "random"):
            raise ParameterError(
                f"restarts={self.restarts} are random: leave start={self.start!r} out"
            )

    def _climb(self, climbed: Any, start: Floats, course: Course, most: int) -> Training:
        """The best of all trainings, one from each start."""
        best = super()._climb(climbed, start, course, most)
        for number in range(1, self.restarts):
            course.stage = f"start {number + 1}"
            start = self._with(seed=self.seed + number)._random_weights(self.model_)
            try:
                training = super()._climb(climbed, start, course, most)
            except Interrupted as interruption:
                if interruption.training.objective < best.objective:
                    interruption.training = best
                raise
            best = max(best, training, key=lambda training: training.objective)
        return best

    def _start_noise(self) -> float | Floats:
        """Probabilities near the uniform ones would all be led to one maximum."""
        if self._is_local:
            return 1.0
        return super()._start_noise()

    def _special_start(self) -> Floats | None:
        """The weights of random starts, and of one that is read off the corpus."""
        start = self.recipe.start
        if start == "random":
            return self._random_weights(self.model_)
        if start not in CORPUS_STARTS:
            return None
        compiled, weights = self._corpus_start
        if weights is None or start != compiled:
            raise ParameterError(
                f"start={start!r} is read off the corpus: compile it with this start"
            )
        return weights

    @staticmethod
    def _rows(sentences: Sentences, least: int = 1) -> list[Sequence[str]]:
        return tag_rows(sentences, least)

    @staticmethod
    def _share_right(gold: Sequence[Sequence[Any]], predicted: list[Any]) -> float:
        return attachment(gold, predicted).directed / 100

    def _corpus(self, sentences: Sentences, gold: Any = None) -> Treebank:
        return usable(read_treebank(sentences, gold), self.recipe.criterion)[0]

    def _objective_of(self, corpus: Treebank) -> Objective | Likelihood:
        return self._criterion(self.model_, corpus).objective()

    @property
    def _parsing_bias(self) -> float:
        """δ in parsing: that of the training where the trees had weights besides the grammar's."""
        if not self.recipe.knowledge:
            return 0.0
        return self.recipe.structural_bias

    def _maximized(self) -> str:
        return self.recipe.criterion

    def _criterion(
        self,
        model: DependencyModel,
        treebank: Treebank = NO_TREEBANK,
        resources: Resources | None = None,
        labelled: Treebank = NO_TREEBANK,
    ) -> Criterion:
        self._check_runs_no_code([self.recipe.neighborhood])
        resources = resources or Resources(self.jobs)
        return Criterion(
            self.get_params(), self.recipe, model, treebank, resources, self._rules, labelled
        )

    def _decoded(
        self, rows: Rows, decode: Callable[[ChartBatch, Floats], Sequence[Decoded]]
    ) -> list[Decoded]:
        """An answer for each sentence.

        Equal ones are decoded once, and charts of like length built together, as many as fill a
        part.
        """
        model, theta = self._extended(chain.from_iterable(rows))
        number: dict[tuple[str, ...], int] = {}
        for n, row in enumerate(rows, 1):
            number.setdefault(tuple(row), n)

        ascending = sorted(number, key=len)
        reached = accumulate(len(row) ** 2 for row in ascending)  # n words: about 2 n² items
        decoded: dict[tuple[str, ...], Decoded] = {}
        for _, part in groupby(zip(reached, ascending, strict=True), lambda pair: pair[0] // PART):
            some = [row for _, row in part]
            charts = compile_sentences(some, model, numbers=[number[row] for row in some])
            decoded.update(zip(some, decode(self._weighed(charts), theta), strict=True))
        return [decoded[tuple(row)] for row in rows]

    def _weighed(self, charts: ChartBatch) -> ChartBatch:
        """Charts of sentences with what trees weigh in parsing besides the grammar's weights."""
        if self._rules and not (self.head_final or self.n_labelled_):  # nothing else tells of order
            allowed = satisfying(self._rules, charts.model, self.head_final)
            sentences, _ = self._text_size or (1, 1)
            charts = favoring_best_trees(charts, allowed, agreement(sentences))
        return charts.with_length_bias(self._parsing_bias)

    def _charts_of(self, lattices: Iterable[Lattice]) -> ChartBatch:
        """The charts of lattices over the parser's tags as it weighs them."""
        return compile_charts(lattices, self.model_).with_length_bias(self._parsing_bias)

    def _extended(self, tags: Iterable[str]) -> tuple[DependencyModel, Floats]:
        """The grammar with these tags too, and its weights."""
        self._check_parameters()
        self._check_fitted("theta_")
        tagset = frozenset(self.model_.tags)
        unseen = [tag for tag in dict.fromkeys(tags) if tag not in tagset]
        if not unseen:
            return self.model_, self.theta_

        model = DependencyModel((*self.model_.tags, *unseen))
        return model, weights_by_name(model, self.weights(), self._uninformed(model))


def adjacent_share(trees: Sequence[Sequence[int]]) -> float:
    """The share of the heads that are an adjacent word, in sentences of three words or more."""
    spans = [
        abs(head - word)
        for heads in trees
        if len(heads) > 2
        for word, head in enumerate(heads, 1)
        if head
    ]
    return spans.count(1) / max(len(spans), 1)


def heads_of(row: Sequence[int]) -> tuple[int, ...]:
    """The heads of a tree, without what fills its row up."""
    return tuple(row[: row.index(-1)] if -1 in row else row)
