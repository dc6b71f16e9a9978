"""The contrastive tagger: from raw text and a tagging dictionary to a log-linear trigram tagger.

>>> from fstce import Tagger
>>> text = [s.split() for s in ("the cat saw the saw", "the saw saw the cat", "the cat saw a dog")]
>>> dictionary = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V")}
>>> tagger = Tagger(neighborhood="trans1", order=2).fit(text, dictionary=dictionary)
>>> tagger.predict(["the saw saw the dog".split()])
[['D', 'N', 'V', 'D', 'N']]
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, ClassVar, Literal

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import checked_sentences, optional_rows
from fstce.errors import ParameterError
from fstce.estimation.maximize import Monitor, Training
from fstce.estimation.model import NOISE, Model
from fstce.estimation.nltk_views import NltkTagger, nltk_view
from fstce.estimation.objective import Likelihood, Objective
from fstce.estimation.resources import Resources
from fstce.evaluation.tagging import accuracy
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.registry import AUTO, saved_name
from fstce.numeric.types import Floats, Rows, Sentences
from fstce.parameters.rules import Table, choice
from fstce.parameters.tables import check_arguments
from fstce.storage.state import State
from fstce.tagging import criteria, files
from fstce.tagging.answers import Answers, follow
from fstce.tagging.criteria import Corpus, Criterion, Dictionary, Parts, Tagged, TokenFeatures
from fstce.tagging.export import WeightedTagger
from fstce.tagging.openfst_engine import OpenFstEngine
from fstce.tagging.parameters import TAGGER
from fstce.tagging.questions import Question, questions
from fstce.tagging.readings import OfReadings, ReadingTags, weights_of_symbols
from fstce.wfsa.compile import Contrast
from fstce.wfsa.decoder import Decoder
from fstce.wfsa.features import TagFeatures, interchangeable, named_tags, not_told_apart

CriterionName = Literal["contrastive", "em", "joint", "conditional", "supervised-contrastive"]

Engine = Literal["numpy", "openfst"]
ENGINE = choice("numpy", "openfst")
FAR = 1.0  # the standard deviation of a random start away from a saddle
CLOSE, SAME = 0.5, 0.01  # nats, within which words have two tags next to a saddle, and at one


@dataclass(eq=False, repr=False)
class Tagger(Model):
    """An n-gram tagger, trained by contrastive estimation (Smith & Eisner 2005a) or a rival of it.

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

    Examples
    --------
    Those of the methods go on with this tagger.

    >>> from fstce import Tagger
    >>> text = [["we", "fish"], ["we", "swim"]]
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
    >>> tagger.predict([["we", "fish"]])
    [['P', 'V']]
    """

    rules: ClassVar[Table] = TAGGER
    KIND: ClassVar[str] = files.KIND
    FEATURES: ClassVar[str] = "features_"
    LOCAL: ClassVar[Sequence[str]] = criteria.LOCAL
    GOLD: ClassVar[str] = "tags"

    neighborhood: str | Neighborhood = AUTO
    order: int = 3
    parts: Parts | None = None
    reading_tags: str | Mapping[str, str] = "first"
    sigma2: float | Mapping[str, float] | None = 1.0
    spelling: bool = False
    listed_only: bool = False
    features: Sequence[str] = ()
    gazetteer: Dictionary | None = None
    criterion: CriterionName = "contrastive"
    smoothing: float = 1.0
    alpha: float = 1.0
    annealing: Sequence[float] | None = None
    oov: bool = False
    rare: int = 0
    unknown_word_model: bool = True
    start: Literal["uniform", "random"] = "uniform"
    seed: int = 0
    tolerance: float = 1e-4
    max_iterations: int = 200
    decoder: Literal["viterbi", "posterior"] = "viterbi"
    jobs: int | None = None

    theta_: Floats = field(init=False)
    features_: TagFeatures = field(init=False)
    tags_: tuple[str, ...] = field(init=False)
    dictionary_: TagDictionary = field(init=False)
    training_: Training = field(init=False)
    _observed_tags: frozenset[str] = field(init=False, default=frozenset())
    _coarse_start: Floats | None = field(init=False, default=None)

    def fit(
        self,
        sentences: Sentences,
        tags: Sentences | None = None,
        *,
        dictionary: Dictionary | None = None,
        labelled: Tagged | None = None,
        answers: Answers | None = None,
        counts: Sequence[int] | None = None,
        monitor: Monitor | None = None,
        resources: Resources | Mapping[str, Any] | None = None,
    ) -> Tagger:
        """Train on sentences.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        tags : iterable of sequences of str, optional
            What a supervised criterion learns from. For others only to read a dictionary from,
            where none is given; training does not see them.
        dictionary : TagDictionary or mapping of str to tags
            The tags that each word may take.
        labelled : pair of sentences and their tags, optional
            A few tagged sentences with the raw ones (§6), which count `alpha` times.
        answers : path, or mapping of str to tags, optional
            What a speaker says of words (`questions`): all tags that each may take, the usual one
            first, or how often it has each (:mod:`fstce.tagging.answers`). Words and tags may be
            new.
        counts : sequence of int, optional
            How often each sentence occurs, by default once; not for a supervised criterion.
        monitor : Monitor, optional
            Called after every iteration.
        resources : Resources or mapping, optional
            ``memory``: bytes that the process may take (``"2G"``), by default half of the memory
            that is free for automata; those for which there is no room lie in mapped files.
            ``shards``: a folder in which automata lie. ``client``: a dask client whose workers add
            up, and see `shards`. ``jobs``: in place of the tagger's own.

        Returns
        -------
        This estimator, trained; after Ctrl-C with the best weights so far.

        Examples
        --------
        >>> from fstce import Tagger
        >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
        >>> text = [["we", "fish"], ["we", "swim"]]
        >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
        >>> tagger.training_.stopped
        'converged'
        """
        objective = self.compile(
            sentences,
            tags,
            dictionary=dictionary,
            labelled=labelled,
            answers=answers,
            counts=counts,
            resources=resources,
        )
        return self.train(objective, monitor=monitor)

    def compile(
        self,
        sentences: Sentences,
        tags: Sentences | None = None,
        *,
        dictionary: Dictionary | None = None,
        labelled: Tagged | None = None,
        answers: Answers | None = None,
        counts: Sequence[int] | None = None,
        resources: Resources | Mapping[str, Any] | None = None,
    ) -> Objective | Likelihood:
        """Build automata and features of a corpus, without training: the objective over θ.

        Weights of an earlier training are forgotten, since the features may be others.

        Parameters
        ----------
        sentences, tags, dictionary, labelled, answers, counts, resources
            As of `fit`.

        Returns
        -------
        Objective or Likelihood
            From θ to its value (nats) and gradient.

        Examples
        --------
        >>> objective = tagger.compile([["we", "fish"], ["we", "swim"]], dictionary=tags)
        >>> round(objective(tagger.initial_weights())[0], 2)
        -1.39
        """
        self._check_runs_no_code([self.neighborhood])
        self._check_parameters()
        means = Resources.of(resources, self.jobs)
        corpus, more = criteria.training_corpora(sentences, tags, labelled, counts)
        criterion, entries, contrast = criteria.compiled(
            self.get_params(), corpus, more, dictionary, answers, means
        )
        self._record_tokenization(corpus.sentences)
        self.dictionary_ = entries
        self.tags_ = entries.tagset
        self.features_ = contrast.features

        if criterion.auto:  # n-grams that do not occur weigh zero but for the HMM
            share = criterion.hmm / (criterion.hmm + sum(criteria.SHARES.values()))
            missing = contrast.features.missing * share
            self.features_ = replace(contrast.features, missing=missing)
        self._forget()
        observed = () if more is None else more.tags or ()
        self._observed_tags = frozenset(chain.from_iterable(observed))
        if groups := self._interchangeable():
            named_groups = " and ".join(map(", ".join, groups))
            warnings.warn(
                f"the tags {named_groups} are interchangeable: the dictionary lists them for the "
                "same words. Their training starts at random, which of them is which is chance, "
                "and not alike in the members of a product; of several seeds keep that of the "
                "greatest objective",
                stacklevel=3,
            )
        self._coarse_start = self._of_first_symbols(criterion, corpus, means)
        objective = criteria.objective(criterion, contrast)
        objective.name = criterion.name
        objective.features = self.features_
        return objective

    def _of_first_symbols(
        self, criterion: Criterion, corpus: Corpus, means: Resources
    ) -> Floats | None:
        """The weights of a tagger of the readings' first symbols, with which whole ones start.

        From equal weights, a few words of many tokens lead whole readings astray.
        """
        is_of_readings = self.reading_tags == "full" and self.parts is not None
        if not is_of_readings or criterion.name != "contrastive" or self.start == "random":
            return None

        first = ReadingTags()
        symbol_of_tag = {tag: first.of_full(tag) or tag for tag in self.tags_}
        coarse = Tagger(criterion.contrasts[0], order=2, sigma2=self.sigma2, jobs=means.jobs)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what they would say is said of this tagger
            coarse.fit(
                corpus.sentences,
                dictionary=self.dictionary_.mapped(symbol_of_tag),
                counts=corpus.counts,
                resources={"memory": means.memory},
            )

        return weights_of_symbols(self.features_.names, coarse.weights(), symbol_of_tag)

    def predict(self, sentences: Sentences, *, engine: Engine = "numpy") -> list[list[str]]:
        """The tags of each sentence's words.

        Parameters
        ----------
        sentences : iterable of sequences of str
        engine : {"numpy", "openfst"}
            What finds them: packed arrays; or OpenFst, sentence by sentence, on the machines that
            an export writes: slowly, and the same tags, unless two taggings score alike in 32 bits.

        Returns
        -------
        list of lists of str

        Raises
        ------
        ParameterError
            OpenFst is asked for what is no shortest path: the decoder is not ``viterbi``.

        Examples
        --------
        >>> tagger.predict([["we", "fish"], ["we"]])
        [['P', 'V'], ['P']]
        """
        ENGINE.check(engine=engine)
        rows = checked_sentences(sentences, least=0)

        if engine == "openfst":
            if self.decoder != "viterbi":
                raise ParameterError(f"engine='openfst', decoder={self.decoder!r}: choose viterbi")
            words = self._tokens(rows)
            machines = OpenFstEngine(self.weighted_, words)
            return [machines.tags(row) for row in words]

        decoder, tokens = self._decoder(rows)
        return list(map(self._named, getattr(decoder, self.decoder)(tokens)))

    def objective_value(self, sentences: Sentences, *, engine: Engine = "numpy") -> float:
        """The criterion of raw sentences under trained weights, without a prior, by either engine.

        Parameters
        ----------
        sentences : iterable of sequences of str
        engine : {"numpy", "openfst"}
            ``openfst`` intersects each sentence, and the lattice of its neighborhood, with the
            machines that an export writes, and takes shortest distances in log64: slow.

        Returns
        -------
        float
            In nats: Σ log Z(x) − log Z(N(x)) (Smith & Eisner 2005a, Eq. 7), of ``em`` Σ log Z(x).

        Raises
        ------
        ParameterError
            OpenFst is asked for another criterion, or for the neighborhood ``auto``.

        Examples
        --------
        >>> text = [["we", "fish"]]
        >>> value = tagger.objective_value(text, engine="openfst")
        >>> abs(tagger.objective_value(text, engine="numpy") - value) < 1e-9
        True
        """
        ENGINE.check(engine=engine)
        if engine == "numpy":
            return self.measure(sentences)

        self._check_fitted("theta_")
        criterion = self.training_criterion()
        if criterion.name not in ("contrastive", "em") or criterion.auto:
            raise ParameterError(
                "engine='openfst' sums em, and contrastive with one neighborhood; name it, as "
                "trans1"
            )
        rows = self._tokens(checked_sentences(sentences))
        kind = None
        if criterion.name == "contrastive":
            kind = criteria.over_text(criterion.contrasts[0], rows, self.dictionary_)
        return OpenFstEngine(self.weighted_, rows).objective_value(rows, kind)

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """The posterior of each tag at each word: for each sentence shape (words, tags).

        >>> tagger.tags_, tagger.predict_proba([["we", "fish"]])[0].round(2).tolist()
        (('N', 'P', 'V'), [[0.0, 1.0, 0.0], [0.39, 0.0, 0.61]])
        """
        decoder, tokens = self._decoder(checked_sentences(sentences, least=0))
        return decoder.posteriors(tokens)

    def k_best(self, sentences: Sentences, k: int) -> list[list[tuple[list[str], float]]]:
        """The k best tag sequences of each sentence, and fewer, with their log weights, best first.

        Parameters
        ----------
        sentences : iterable of sequences of str
        k : int
            How many of each sentence at most.

        Returns
        -------
        list of lists of (list of str, float)
            Tags, and their log weight in nats.

        Examples
        --------
        >>> [tags for tags, weight in tagger.k_best([["we", "fish"]], 2)[0]]
        [['P', 'V'], ['P', 'N']]
        """
        check_arguments(k=k)
        decoder, tokens = self._decoder(checked_sentences(sentences))
        best_of_each = decoder.k_best(tokens, k)
        return [[(self._named(row), score) for row, score in best] for best in best_of_each]

    def sample(self, sentences: Sentences, n: int = 1, seed: int = 0) -> list[list[list[str]]]:
        """n tag sequences of each sentence, drawn from the posterior.

        Parameters
        ----------
        sentences : iterable of sequences of str
        n : int
            How many of each sentence.
        seed : int
            Equal seeds draw the same.

        Returns
        -------
        list of lists of lists of str

        Examples
        --------
        >>> len(tagger.sample([["we", "fish"]], n=3, seed=1)[0])
        3
        """
        check_arguments(n=n, seed=seed)
        decoder, tokens = self._decoder(checked_sentences(sentences))
        drawn = decoder.sample(tokens, n, np.random.default_rng(seed))
        return [list(map(self._named, rows)) for rows in drawn]

    def _named(self, row: Iterable[int]) -> list[str]:
        return [self.tags_[t] for t in row]

    def questions(self, sentences: Sentences, number: int = 20) -> list[Question]:
        """The words of a raw text whose tags are worth most to know, best first.

        Parameters
        ----------
        sentences : iterable of sequences of str
        number : int
            How many at most.

        Returns
        -------
        list of Question
            Each with ``word``, ``tags``, ``count`` and ``places``; the answers are for
            ``fit(answers=…)``.

        Examples
        --------
        >>> [question.word for question in tagger.questions([["we", "fish"], ["we", "swim"]], 1)]
        ['we']
        """
        return questions(self, sentences, number)

    def entropy(self, sentences: Sentences) -> Floats:
        """The entropy of each sentence's distribution over tag sequences.

        Parameters
        ----------
        sentences : iterable of sequences of str

        Returns
        -------
        ndarray, shape (sentences,)
            Nats.

        Examples
        --------
        >>> tagger.entropy([["we", "fish"], ["we"]]).round(2).tolist()
        [0.67, 0.0]
        """
        decoder, tokens = self._decoder(checked_sentences(sentences))
        return decoder.entropy(tokens)

    @property
    def contrasts_(self) -> tuple[str, ...]:
        """The names of what each sentence is contrasted with, of ``auto`` what it stands for.

        Examples
        --------
        >>> tagger.contrasts_
        ('trans1',)
        """
        return tuple(map(saved_name, self.training_criterion().contrasts))

    @property
    def weighted_(self) -> WeightedTagger:
        """Features, weights and dictionary: a tagger without its training."""
        self._check_fitted("theta_")
        return WeightedTagger(self.features_, self.theta_, self.dictionary_)

    def as_nltk(self) -> Any:
        """This tagger as an ``nltk.tag.api.TaggerI``.

        Returns
        -------
        nltk.tag.api.TaggerI

        Examples
        --------
        >>> tagger.as_nltk().tag(["we"])
        [('we', 'P')]
        """
        self._check_fitted("theta_")
        return nltk_view(NltkTagger, self)

    def _learned(self) -> State:
        return files.to_state(self.weighted_)

    def _saved_parameters(self) -> dict[str, Any]:
        given = {**self.get_params(), "neighborhood": saved_name(self.neighborhood)}
        if self.gazetteer is not None:
            given["gazetteer"] = TagDictionary.coerce(self.gazetteer).to_dict()["words"]
        return given

    def _restore(self, state: State, theta: Floats) -> None:
        parts = criteria.parts_of(state.texts("tags"), self.parts)
        self._adopt(files.from_state(state, theta, parts))

    def _finish(self, objective: Objective | Likelihood) -> None:
        """Follow what a speaker or a dictionary says of how often a word has each tag."""
        if self.criterion in criteria.SUPERVISED:
            return
        if alike := not_told_apart(self.features_, self.theta_, SAME):
            self.training_.stopped = "saddle"
            pairs = " and ".join(map(", ".join, alike))
            warnings.warn(
                f"training leaves the tags {pairs} alike: by this criterion and its prior nothing "
                "in the text tells them apart; answer some words, tag some sentences, or try "
                "another seed, criterion or variance",
                stacklevel=4,
            )
        if self.dictionary_.counts or self.dictionary_.usual:
            numerators = getattr(objective, "numerators", objective.terms)
            self.theta_ = follow(numerators, self.theta_, self.features_, self.dictionary_)

    def _interchangeable(self) -> list[tuple[str, ...]]:
        """Groups of tags that neither the dictionary nor labeled sentences tell apart."""
        if self.criterion in criteria.SUPERVISED:
            return []
        observed = self._observed_tags
        groups = [
            tuple(tag for tag in tags if tag not in observed)
            for tags in interchangeable(self.features_)
        ]
        return [tags for tags in groups if len(tags) > 1]

    def _is_near_saddle(self, theta: Floats) -> bool:
        is_supervised = self.criterion in criteria.SUPERVISED
        return not is_supervised and bool(not_told_apart(self.features_, theta, CLOSE))

    def _start_noise(self) -> Floats:
        alike = {*chain.from_iterable(self._interchangeable())}
        usual = NOISE if self.start == "random" else 0.0
        noise = np.full(self.features_.size, usual)
        if alike:
            is_alike = [not alike.isdisjoint(named_tags(name)) for name in self.features_.names]
            noise[is_alike] = FAR
        return noise

    def _special_start(self) -> Floats | None:
        """Those of first symbols for whole readings; random ones where equal ones are a saddle."""
        if self._coarse_start is not None:
            return self._coarse_start
        if self.start == "uniform" and self._interchangeable():
            return self._random_weights(self.features_)
        return None

    def _adopt(self, weighted: WeightedTagger) -> None:
        self.features_, self.theta_, self.dictionary_ = weighted
        self.features_, self.tags_ = self._described.described(self.features_), weighted.tags

    def _decoder(self, rows: Rows) -> tuple[Decoder, Rows]:
        """The decoder, and the sentences as it sees them."""
        self._check_parameters()
        self._check_fitted("theta_")
        described = self._described
        lookup = OfReadings(described.of_words(self.dictionary_))
        return Decoder(self.features_, self.theta_, lookup), self._tokens(rows)

    def _tokens(self, rows: Rows) -> Rows:
        """The sentences as the automata see them."""
        reading = ReadingTags(self.reading_tags)
        rows = reading.tokens(rows, self.tags_)
        listed = self.dictionary_.listed_forms(rows)
        if listed:
            rows = [[listed.get(word, word) for word in row] for row in rows]
        return self._described.tokens(rows)

    @property
    def _described(self) -> TokenFeatures:
        """The features of tokens, if there are some besides those of the paper."""
        return TokenFeatures.of(self.features, self.gazetteer, self.spelling)

    def training_criterion(self) -> Criterion:
        """The criterion as a value, made of the parameters that define it."""
        return criteria.criterion_of(self.get_params())

    _rows = staticmethod(checked_sentences)
    _share_right = staticmethod(accuracy)

    def _corpus(self, sentences: Sentences, gold: Any = None) -> Corpus:
        return Corpus(checked_sentences(sentences), optional_rows(gold, "tags"))

    def _objective_of(self, corpus: Corpus) -> Objective | Likelihood:
        self._check_parameters()
        criterion = self.training_criterion()
        self._check_runs_no_code(criterion.contrasts)
        described = self._described
        seen = corpus._replace(sentences=self._tokens(corpus.sentences))
        contrast = Contrast(
            criteria.training_data(criterion, seen, self.dictionary_),
            OfReadings(described.of_words(self.dictionary_)),
            self.tags_,
            self.features_.order,
            features=self.features_,
            resources=Resources(self.jobs),
        )
        return criteria.objective(criterion, contrast)

    def _check_together(self) -> None:
        """Raise ParameterError where parameters exclude each other."""
        has_features = self.spelling or self.features or self.gazetteer is not None
        if has_features and self._is_local:
            raise ParameterError(
                f"an HMM (criterion {self.criterion!r}) has no features of spelling or of tokens, "
                "for they overlap; leave spelling, features and gazetteer out"
            )
        if self.parts is not None and (self._is_local or self.order != 2):
            raise ParameterError(
                "parts: pairs of them weigh bigrams of tags under a contrast; choose order=2 and a "
                f"criterion that trains no HMM, not order={self.order} and {self.criterion!r}"
            )
        if "context" in self.features and self.criterion != "conditional":
            raise ParameterError(
                "features of the context: words next to a word are known where sentences are "
                f"observed, which the criterion {self.criterion!r} contrasts with others; choose "
                "criterion='conditional'"
            )
