"""The contrastive tagger: from raw text and a tagging dictionary to a log-linear trigram tagger.

>>> from fstce import Tagger
>>> text = [s.split() for s in ("the cat saw the saw", "the saw saw the cat", "the cat saw a dog")]
>>> dictionary = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V")}
>>> tagger = Tagger(neighborhood="trans1", order=2).fit(text, dictionary=dictionary)
>>> tagger.predict(["the saw saw the dog".split()])
[['D', 'N', 'V', 'D', 'N']]
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.dictionary import TagDictionary
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.maximize import Interrupted, Monitor, Training, maximize
from fstce.estimation.objective import Objective
from fstce.estimation.prior import GaussianPrior
from fstce.estimator import Estimator, checked_sentences
from fstce.evaluation.tagging import accuracy
from fstce.neighborhoods import Neighborhood, neighborhood
from fstce.wfsa.compile import Contrast, Evidence
from fstce.wfsa.decoder import Decoder
from fstce.wfsa.features import TagFeatures

Floats = NDArray[np.float64]
Dictionary = TagDictionary | Mapping[str, str | Iterable[str]]
Sentences = Iterable[Sequence[str]]

STARTS = ("uniform", "random")
DECODERS = ("viterbi", "posterior")


class Tagger(Estimator):
    """A log-linear n-gram tagger, trained by contrastive estimation (Smith & Eisner 2005a).

    Parameters
    ----------
    neighborhood : str or Neighborhood
        What each sentence is contrasted with: ``trans1``, ``delortrans1``, ``length``, …
    order : {1, 2, 3}
        The length of a tag n-gram.
    sigma2 : float or None
        The variance of the Gaussian prior on the weights; None for no prior.
    spelling : bool
        Whether spelling features (§5.2) are added.
    start : {"uniform", "random"}
        All weights zero, or drawn from a normal distribution with standard deviation 0.1.
    seed : int
        Seeds the random start.
    tolerance : float
        The relative change of the objective at which training stops.
    max_iterations : int
        The greatest number of L-BFGS iterations.
    decoder : {"viterbi", "posterior"}
        The best tag sequence, or the most probable tag of every word.
    jobs : int or None
        Processes that build automata; None for one, −1 for one a core.

    Attributes
    ----------
    theta_ : ndarray, shape (features,)
        The weights.
    features_ : TagFeatures
        Their names and numbers.
    tags_ : tuple of str
        The tagset; columns of `predict_proba`.
    dictionary_ : TagDictionary
    training_ : Training
        Objective and gradient norm by iteration, and why training stopped.
    """

    theta_: Floats
    features_: TagFeatures
    tags_: tuple[str, ...]
    dictionary_: TagDictionary
    training_: Training

    def __init__(
        self,
        neighborhood: str | Neighborhood = "trans1",
        order: int = 3,
        sigma2: float | None = 1.0,
        spelling: bool = False,
        start: str = "uniform",
        seed: int = 0,
        tolerance: float = 1e-4,
        max_iterations: int = 200,
        decoder: str = "viterbi",
        jobs: int | None = None,
    ) -> None:
        self.neighborhood = neighborhood
        self.order = order
        self.sigma2 = sigma2
        self.spelling = spelling
        self.start = start
        self.seed = seed
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.decoder = decoder
        self.jobs = jobs

    def fit(
        self,
        sentences: Sentences,
        tags: Iterable[Sequence[str]] | None = None,
        *,
        dictionary: Dictionary | None = None,
        monitor: Monitor | None = None,
    ) -> Tagger:
        """Train on raw sentences.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        tags : iterable of sequences of str, optional
            Only to read a dictionary from, where none is given; training does not see them.
        dictionary : TagDictionary or mapping of str to tags
            The tags that each word may take.
        monitor : Monitor, optional
            Called after every iteration.

        Raises
        ------
        CorpusError, DictionaryError, MachineError, NeighborhoodError, ParameterError
            Naming the sentence, the word or the parameter.
        KeyboardInterrupt
            On Ctrl-C; the best weights so far are kept in `theta_`.
        """
        return self.train(self.compile(sentences, tags, dictionary=dictionary), monitor=monitor)

    def train(self, objective: Objective, *, monitor: Monitor | None = None) -> Tagger:
        """The second half of `fit`: maximize what `compile` built, from the initial weights."""
        try:
            training = maximize(
                objective,
                self.initial_weights(),
                tolerance=self.tolerance,
                max_iterations=self.max_iterations,
                monitor=monitor,
            )
        except Interrupted as interruption:
            self.theta_, self.training_ = interruption.training.theta, interruption.training
            raise
        self.theta_, self.training_ = training.theta, training
        return self

    def compile(
        self,
        sentences: Sentences,
        tags: Iterable[Sequence[str]] | None = None,
        *,
        dictionary: Dictionary | None = None,
    ) -> Objective:
        """Build the automata and features of a corpus, without training: the objective as a function of θ.

        Weights of an earlier training are forgotten, since the features may be others.
        """
        self._check_parameters()
        kind, prior = neighborhood(self.neighborhood), GaussianPrior(self.sigma2)
        rows = checked_sentences(sentences)
        entries = _dictionary(rows, tags, dictionary)
        evidence = Evidence(rows, kind)
        contrast = Contrast(
            evidence, entries, entries.tagset, self.order, spelling=self.spelling, jobs=self.jobs
        )
        self.dictionary_, self.tags_, self.features_ = entries, entries.tagset, contrast.features
        for learned in ("theta_", "training_"):
            vars(self).pop(learned, None)
        objective = Objective(contrast.terms, prior)
        self._compiled = (self._key(rows), objective)
        return objective

    def initial_weights(self) -> Floats:
        """The weights at which training starts, for the features of the compiled corpus."""
        self._check_fitted("features_")
        if self.start == "uniform":
            return np.zeros(self.features_.size)
        return np.random.default_rng(self.seed).normal(0.0, 0.1, self.features_.size)

    def objective(self, sentences: Sentences, theta: Floats) -> tuple[float, Floats]:
        """The contrastive objective with its prior (Eq. 7), to be maximized, and its gradient (Eq. 10).

        The automata of the sentences last asked for are kept, so that an optimizer of
        one's own can call this at every step. Call `fit` or `compile` first: they say
        what the features are.

        Parameters
        ----------
        sentences : iterable of sequences of str
        theta : ndarray, shape (features,)

        Returns
        -------
        value : float
            Nats.
        gradient : ndarray, shape (features,)
        """
        self._check_fitted("features_")
        theta = np.asarray(theta, dtype=np.float64)
        if theta.shape != (self.features_.size,):
            size = self.features_.size
            raise ParameterError(f"theta has shape {theta.shape}; this model has {size} features")
        if not np.all(np.isfinite(theta)):
            raise ParameterError("theta has entries that are not finite")
        return self._objective_of(checked_sentences(sentences))(theta)

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """The tags of each sentence's words."""
        decoder = self._decoder()
        numbers = decoder.viterbi if self.decoder == "viterbi" else decoder.posterior
        return [[self.tags_[t] for t in row] for row in numbers(checked_sentences(sentences))]

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """The posterior probability of each tag at each word: for each sentence shape (words, tags)."""
        return self._decoder().posteriors(checked_sentences(sentences))

    def k_best(self, sentences: Sentences, k: int) -> list[list[tuple[list[str], float]]]:
        """The k best tag sequences of each sentence with their log weights, best first."""
        _check_at_least_one("k", k)
        found = self._decoder().k_best(checked_sentences(sentences), k)
        return [[([self.tags_[t] for t in row], score) for row, score in best] for best in found]

    def sample(self, sentences: Sentences, n: int = 1, seed: int = 0) -> list[list[list[str]]]:
        """n tag sequences of each sentence, drawn from the posterior."""
        _check_at_least_one("n", n)
        drawn = self._decoder().sample(checked_sentences(sentences), n, np.random.default_rng(seed))
        return [[[self.tags_[t] for t in row] for row in rows] for rows in drawn]

    def entropy(self, sentences: Sentences) -> Floats:
        """The entropy of each sentence's distribution over tag sequences, in nats."""
        return self._decoder().entropy(checked_sentences(sentences))

    def score(self, sentences: Sentences, tags: Iterable[Sequence[str]] | None = None) -> float:
        """Accuracy over all words if gold tags are given, else the criterion a sentence (nats, no prior).

        The criterion on a development set without labels is how the paper selects models.
        """
        rows = checked_sentences(sentences)
        if tags is not None:
            return accuracy(list(tags), self.predict(rows))
        self._check_fitted("theta_")
        value = sum(term(self.theta_)[0] for term in self._objective_of(rows).terms)
        return value / len(rows)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Save the model as a folder; an interrupted save leaves what was there."""
        from fstce.tagger_files import save

        save(self, folder)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Tagger:
        """Load a saved model; raises ModelFileError where it is damaged, foreign or of another version."""
        from fstce.tagger_files import load

        return load(folder)

    def as_nltk(self) -> Any:
        """This tagger as an ``nltk.tag.api.TaggerI``."""
        from fstce.nltk_view import nltk_tagger

        return nltk_tagger(self)

    def _decoder(self) -> Decoder:
        self._check_parameters()
        self._check_fitted("theta_")
        return Decoder(self.features_, self.theta_, self.dictionary_)

    def _objective_of(self, rows: list[Sequence[str]]) -> Objective:
        key = self._key(rows)
        if getattr(self, "_compiled", (None,))[0] != key:
            kind, features = neighborhood(self.neighborhood), self.features_
            contrast = Contrast(
                Evidence(rows, kind),
                self.dictionary_,
                self.tags_,
                features.order,
                features=features,
                jobs=self.jobs,
            )
            self._compiled = (key, Objective(contrast.terms, GaussianPrior(self.sigma2)))
        return self._compiled[1]

    def _key(self, rows: list[Sequence[str]]) -> tuple[object, ...]:
        """What an objective depends on beside the features and the dictionary."""
        return hash(tuple(map(tuple, rows))), self.neighborhood, self.sigma2

    def _check_parameters(self) -> None:
        if self.order not in (1, 2, 3):
            raise ParameterError(f"order={self.order!r}: a tag n-gram has 1, 2 or 3 tags")
        for name in ("seed", "max_iterations"):
            if not isinstance(getattr(self, name), Integral) or getattr(self, name) < 0:
                raise ParameterError(f"{name}={getattr(self, name)!r}: give a whole number, not negative")
        if self.jobs is not None and not isinstance(self.jobs, Integral):
            raise ParameterError(f"jobs={self.jobs!r}: give a whole number, or None for one process")
        for name, choices in (("start", STARTS), ("decoder", DECODERS)):
            if getattr(self, name) not in choices:
                raise ParameterError(f"{name}={getattr(self, name)!r}: choose one of {', '.join(choices)}")

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_compiled"}


def _dictionary(
    rows: list[Sequence[str]], tags: Iterable[Sequence[str]] | None, dictionary: Dictionary | None
) -> TagDictionary:
    if dictionary is not None:
        return TagDictionary.coerce(dictionary)
    if tags is None:
        raise ParameterError("give a dictionary: the tags that each word may take (or tags to read one from)")
    allowed: dict[str, set[str]] = {}
    tags = list(tags)
    if len(rows) != len(tags):
        raise CorpusError(f"{len(rows)} sentences but {len(tags)} rows of tags; give each sentence its own")
    for number, (words, row) in enumerate(zip(rows, tags, strict=True), 1):
        if len(words) != len(row):
            raise CorpusError(f"sentence {number} has {len(words)} words and {len(row)} tags")
        for word, tag in zip(words, row, strict=True):
            allowed.setdefault(word, set()).add(tag)
    return TagDictionary(allowed)


def _check_at_least_one(name: str, value: int) -> None:
    if value < 1:
        raise ParameterError(f"{name}={value}: ask for at least one tag sequence")
