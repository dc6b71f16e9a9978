"""Models with weights, compiled, trained from a start, measured, saved; products of them.

Taggers and parsers differ in their features, in the sums over their lattices and in what they
answer; what stands here is what they do alike. Products of models vote by multiplying what their
members believe (Petrov 2010): either answer by answer, Π of posteriors, or exactly, for weights of
log-linear models add, so that the product of the machines is one model again (`intersect`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from fstce.corpora.words import listed
from fstce.errors import ParameterError
from fstce.estimation.estimator import Estimator, checked_weights
from fstce.estimation.maximize import Course, Interrupted, Monitor, Training, course, training_of
from fstce.estimation.objective import (
    Criterion,
    GaussianPrior,
    Likelihood,
    Multinomials,
    Objective,
    Recorded,
    value_of,
)
from fstce.numeric.types import Floats, Ints, Sentences, ValueAndGradient
from fstce.parameters.rules import shown
from fstce.parameters.tables import check_arguments
from fstce.storage.state import State

Trained = TypeVar("Trained", bound="Model")
Compiled = Objective | Likelihood
Gold = Iterable[Sequence[Any]]

WEIGHTS = "weights.npz"
LEAST_CHANGE = 1e-9  # relative, of the objective near a saddle
NOISE = 0.1  # the standard deviation of the random start


class Features(Protocol):
    """The features of a model: how many, their names, and the distribution of each."""

    @property
    def size(self) -> int:
        """The length of θ."""

    @property
    def names(self) -> list[tuple[str, ...]]:
        """The name of each weight."""

    @property
    def group(self) -> Ints:
        """The distribution that each weight belongs to, shape (features,)."""


class Answering(Estimator):
    """An estimator whose answers are right or wrong, word by word.

    `GOLD` is what they are called.
    """

    GOLD: ClassVar[str]

    def predict(self, sentences: Sentences) -> list[Any]:
        """The answers for each sentence's words.

        Parameters
        ----------
        sentences : iterable of sequences of str

        Returns
        -------
        list
            Of a tagger the tags of each sentence, of a parser its heads.

        Examples
        --------
        >>> from fstce import Tagger
        >>> words = {"we": "P", "fish": ("N", "V"), "swim": "V"}
        >>> text = [["we", "fish"], ["we", "swim"]]
        >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=words)
        >>> tagger.predict([["we", "swim"]])
        [['P', 'V']]
        """
        raise NotImplementedError

    @staticmethod
    def _rows(sentences: Sentences, least: int = 1) -> list[Sequence[str]]:
        """The sentences, checked."""
        raise NotImplementedError

    @staticmethod
    def _share_right(gold: Sequence[Sequence[Any]], predicted: list[Any]) -> float:
        """The share of right answers."""
        raise NotImplementedError

    def _accuracy(self, rows: Sentences, gold: Gold) -> float:
        return self._share_right(listed(gold, self.GOLD, rows=True), self.predict(rows))


class Model(Answering):
    """A log-linear model, or a generative one whose weights are log-probabilities.

    `FEATURES` is the attribute that holds the features, `LOCAL` are the criteria of generative
    models.

    The examples of the methods go on with that of :class:`fstce.Tagger`.
    """

    FEATURES: ClassVar[str]
    LOCAL: ClassVar[Sequence[str]]

    theta_: Floats
    training_: Training
    start: Any
    seed: int
    annealing: Sequence[float] | None
    tolerance: float
    max_iterations: int

    def train(self: Trained, objective: Criterion, *, monitor: Monitor | None = None) -> Trained:
        """The second half of `fit`: maximize what `compile` built, from the initial weights.

        Parameters
        ----------
        objective : Criterion
            As `compile` returns it, or one of your own: ``name``, the ``features`` of what
            `compile` returned, and ``value_and_gradient(theta)``, which L-BFGS climbs.
        monitor : callable, optional
            Called after every iteration.

        Returns
        -------
        This estimator, trained; after Ctrl-C with the best weights so far, which goes on raising.

        Examples
        --------
        >>> objective = tagger.compile([["we", "fish"], ["we", "swim"]], dictionary=tags)
        >>> tagger.train(objective).theta_.shape
        (14,)
        """
        check_arguments(objective=objective, monitor=monitor)
        start = self.initial_weights()
        climbed = self._climbed(objective)
        own_name = "" if climbed is objective else objective.name
        course_ = Course.of(monitor)

        try:
            training = self._climb(climbed, start, course_, self.max_iterations)
            if training.stopped == "converged" and self._is_near_saddle(training.theta):
                # there the objective hardly changes: no such change is convergence
                most = max(1, self.max_iterations - training.iterations)
                training = climbed.train(
                    training.theta, None, course_, tolerance=LEAST_CHANGE, max_iterations=most
                )
        except Interrupted as interruption:
            self.training_ = interruption.training
            if self.training_.steps and not np.isfinite(self.training_.objective):
                # the weights with which a stage begins are those with which the last one ended
                self.training_.objective = self.training_.steps[-1].objective
            self.training_.criterion = own_name
            self.theta_ = self.training_.theta
            raise

        self.training_ = training
        self.theta_ = training.theta
        self.training_.criterion = own_name
        if not own_name:
            self._finish(climbed)
        if climbed.journal is not None:
            climbed.journal.remove()
        return self

    def _climb(self, climbed: Any, start: Floats, course: Course, most: int) -> Training:
        """The training from a start, of so many iterations at most."""
        return climbed.train(
            start, self.annealing, course, tolerance=self.tolerance, max_iterations=most
        )

    def _climbed(self, criterion: Criterion) -> Any:
        """What is climbed: the objective that `compile` made, or a criterion of one's own."""
        if isinstance(criterion, Recorded):
            return criterion
        lacking = [name for name in ("name", "features") if not hasattr(criterion, name)]
        if lacking:
            raise ParameterError(
                f"the criterion {shown(criterion)} lacks {', '.join(lacking)}: it has name, the "
                "features of what compile returned, and value_and_gradient(theta)"
            )
        if criterion.features is not self._features:
            raise ParameterError(
                f"the features of the criterion {criterion.name!r} are not those of the model: "
                "take those of what compile returned last"
            )

        size = self._features.size

        def term(theta: Floats) -> ValueAndGradient:
            answer = criterion.value_and_gradient(theta)
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise ParameterError(
                    f"the criterion {criterion.name!r} returns {shown(answer)}, not a value and "
                    "its gradient"
                )
            value, gradient = answer
            if np.shape(gradient) != (size,):
                raise ParameterError(
                    f"the criterion {criterion.name!r} returns a gradient of shape "
                    f"{np.shape(gradient)}; it is ({size},), a number for each weight"
                )
            return value, gradient

        return Objective([term], GaussianPrior(None))

    def initial_weights(self) -> Floats:
        """The weights at which training starts, for the features of the compiled corpus.

        Returns
        -------
        ndarray, shape (features,)

        Examples
        --------
        >>> tagger.initial_weights().shape == tagger.theta_.shape
        True
        """
        self._check_parameters()
        self._check_fitted(self.FEATURES)
        weights = self._special_start()
        if weights is not None:
            return weights

        if self.start == "random":
            return self._random_weights(self._features)
        return self._uninformed(self._features)

    def objective(
        self, sentences: Sentences, theta: Floats, gold: Gold | None = None
    ) -> ValueAndGradient:
        """The objective with its prior, to be maximized, and its gradient.

        Every call builds the automata of the sentences; an optimizer of one's own calls at every
        step what `compile` returns. Call `fit` or `compile` first: they say what the features are.

        Parameters
        ----------
        sentences : iterable of sequences of str
        theta : ndarray, shape (features,)
        gold : iterable of sequences, optional
            The right answers, for supervised criteria.

        Returns
        -------
        value, gradient : float, ndarray of shape (features,)
            Nats; of a generative model, the expected counts with λ.

        Examples
        --------
        >>> value, gradient = tagger.objective([["we", "fish"]], tagger.theta_)
        >>> gradient.shape == tagger.theta_.shape
        True
        """
        self._check_parameters()
        self._check_fitted(self.FEATURES)
        weights = checked_weights(theta, self._features.size)
        return self._objective_of(self._corpus(sentences, gold))(weights)

    def measure(self, sentences: Sentences, gold: Gold | None = None) -> float:
        """The value of the criterion under the trained weights, in nats, without a prior.

        ``em`` and ``joint`` take the weights as log-probabilities, which only those of a generative
        model are.

        Parameters
        ----------
        sentences : iterable of sequences of str
        gold : iterable of sequences, optional
            The right answers, for supervised criteria.

        Returns
        -------
        float
            −inf where a model without smoothing gives a sentence probability zero.

        Examples
        --------
        >>> tagger.measure([["we", "fish"]]) == tagger.score([["we", "fish"]])
        True
        """
        self._check_fitted("theta_")
        return value_of(self._objective_of(self._corpus(sentences, gold)).terms, self.theta_)

    def score(self, sentences: Sentences, gold: Gold | None = None) -> float:
        """The share of right answers if given, else the criterion a sentence (nats, no prior).

        The criterion on a development set without labels is how the paper selects models.

        Parameters
        ----------
        sentences : iterable of sequences of str
        gold : iterable of sequences, optional
            The right tags, or heads.

        Returns
        -------
        float
            From 0 to 1 with answers; else nats a sentence.

        Examples
        --------
        >>> tagger.score([["we"]], [["P"]])
        1.0
        """
        rows = self._rows(sentences)
        return self.measure(rows) / len(rows) if gold is None else self._accuracy(rows, gold)

    def weights(self) -> dict[tuple[str, ...], float]:
        """The weights by the names of their features.

        Returns
        -------
        dict of tuple of str to float

        Examples
        --------
        >>> len(tagger.weights()) == tagger.theta_.size
        True
        """
        self._check_fitted("theta_")
        return dict(zip(self._features.names, self.theta_.tolist(), strict=True))

    def to_state(self) -> State:
        self._check_fitted("theta_")
        self._check_together()
        state = self._learned()

        entries = {
            "parameters": self._saved_parameters(),
            "training": course(vars(self).get("training_")),
        }
        weights = {
            "theta": np.asarray(self.theta_, dtype=np.float64),
            **state.arrays.get(WEIGHTS, {}),
        }

        arrays = {**state.arrays, WEIGHTS: weights}
        return State(self.KIND, {**entries, **state.entries}, arrays, state.files)

    @classmethod
    def from_state(cls: type[Trained], state: State) -> Trained:
        model = cls.of_parameters(state.entries)
        model._check_together()
        theta: Floats = state.archive(WEIGHTS).weights("theta")
        model._restore(state, theta)
        training = state.entry("training", dict, type(None))
        if training is not None:
            model.training_ = training_of(training, model.theta_)
        return model

    @property
    def _features(self) -> Features:
        return getattr(self, self.FEATURES)

    @property
    def _is_local(self) -> bool:
        """Whether weights are log-probabilities."""
        return self._maximized() in self.LOCAL

    def _forget(self) -> None:
        """Forget what an earlier training learned: the features may be others."""
        for learned in ("theta_", "training_"):
            vars(self).pop(learned, None)

    def _uninformed(self, features: Features) -> Floats:
        """The weights of what nothing is known of: uniform distributions, or zero."""
        return Multinomials(features.group).uniform() if self._is_local else np.zeros(features.size)

    def _random_weights(self, features: Features) -> Floats:
        rng = np.random.default_rng(self.seed)
        noise = self._start_noise()
        if self._is_local:
            return Multinomials(features.group).perturbed(rng, noise)
        return rng.normal(0.0, noise, features.size)

    def _start_noise(self) -> float | Floats:
        """The standard deviation of the weights of a random start."""
        return NOISE

    def _is_near_saddle(self, theta: Floats) -> bool:
        """Whether what is to be learned is nearly alike in these weights."""
        return False

    def _special_start(self) -> Floats | None:
        """The weights of a start that is neither uniform nor random."""
        return None

    def _corpus(self, sentences: Sentences, gold: Gold | None) -> Any:
        """Sentences and their answers as the criterion reads them."""
        raise NotImplementedError

    def _objective_of(self, corpus: Any) -> Compiled:
        """The objective of a corpus over the features that there are."""
        raise NotImplementedError

    def _finish(self, objective: Compiled) -> None:
        """Do what follows a training."""

    def _saved_parameters(self) -> dict[str, Any]:
        """The parameters as a manifest has them."""
        return self.get_params()

    def _learned(self) -> State:
        """Entries that are saved besides parameters, θ and the history of the training."""
        raise NotImplementedError

    def _restore(self, state: State, theta: Floats) -> None:
        """Take up what `_learned` gave."""
        raise NotImplementedError


def weights_by_name(
    features: Features, weights: Mapping[tuple[str, ...], float], otherwise: Floats
) -> Floats:
    """θ of these features: the weights that have their names, of others as `otherwise`."""
    pairs = zip(features.names, otherwise.tolist(), strict=True)
    return np.array([weights.get(name, weight) for name, weight in pairs], dtype=np.float64)
