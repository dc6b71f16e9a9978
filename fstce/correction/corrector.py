"""The corrector: from clean raw text alone to a speller and a punctuator (2005b, §3.3 and §5.4).

Training moves probability from the sentences that could have been typed to the sentences
that were; correction asks the same model which sentence was meant. Only lattices change:
the model is a :class:`fstce.Tagger`, trained by contrastive estimation or by EM.

>>> from fstce import Corrector
>>> text = [s.split() for s in ("the cat sat on the mat", "a cat sat on a hat", "the hat is on the cat")]
>>> corrector = Corrector(classes=2, held_out=0).fit(text * 3)
>>> corrector.predict([["the", "caat", "sat", "onn", "the", "hat"]])
[['the', 'cat', 'sat', 'on', 'the', 'hat']]
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fstce.corpora.rows import check_aligned, check_listable, dictionary_of, listed
from fstce.corpora.words import fault
from fstce.correction import corrector_files
from fstce.correction.base import BaseCorrector, unchanged
from fstce.correction.checks import check_typed, checked_lexicon, checked_misspellings
from fstce.correction.corrector_files import TrainedCorrector
from fstce.correction.corrector_model import CorrectorModel, Dictionary, classes_of, is_listed, spelling_of
from fstce.correction.decoding import Correction, corrections
from fstce.correction.doubtful import doubtful_words
from fstce.correction.eagerness import curve_of, eagerness_for, judged
from fstce.correction.factors.columns import COLUMNS, RESPELLINGS, ScoredArcs, scored, scored_arcs, with_terms
from fstce.correction.factors.nearest import nearest_arcs
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.factors.pruning import trimmed
from fstce.correction.factors.readings import Readings, read_arcs
from fstce.correction.factors.respelling import found_in, labelled
from fstce.correction.factors.sifting import SiftedCandidates
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.learned_channel import learned_channel
from fstce.correction.mistakes.misspellings import Misspelling, Slips
from fstce.correction.mistakes.mistyping import mistyped
from fstce.correction.mistakes.punctuation import Punctuate, english_marks
from fstce.correction.mistakes.respacing import Respacing
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.real_words import RealWordModel, RealWords, neighbours
from fstce.correction.terms import mistaken_share, pair, pair_weights, term_weights
from fstce.correction.tuning import (
    TYPINGS,
    ContrastiveTrial,
    Progress,
    Tuning,
    held_out_size,
    tune,
    unseen,
)
from fstce.errors import MachineError, ParameterError
from fstce.estimation.estimator import checked_sentences
from fstce.estimation.maximize import Monitor
from fstce.estimation.resources import Building
from fstce.estimation.rules import CORRECTOR, Table, check_arguments
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.types import Floats, Sentences
from fstce.storage.state import State
from fstce.tagging.tagger import Tagger

BATCH = 500
LEARNT_FROM = 200  # candidates of a misspelling at most, when a channel is learnt
SPACES = "spaces"
ENOUGH = 300  # sentences that are mistyped once alone to learn what split and joined words cost
SURELY = 1e-9  # nearer to 0 or 1 no probability is asked for
MISTYPED = "candidates of mistyped sentences"
COMPARED = 1000  # sentences that tell whether contrastive training pays

# The exponents where none are learnt; those of the Penn Treebank sample, roughly.
FIRST = {
    "model": 0.5,
    "ngrams": 0.5,
    "channel": 0.3,
    "edited": 5.0,
    "length": 1.0,
    "unknown": 6.0,
    "spelling": 0.33,
    "lexicon": 0.5,
    "marks": 0.0,
    "names": 2.0,
    "spaces": 8.0,
    "joins": 8.0,
    "apostrophes": 4.0,
}


class _Practice(NamedTuple):
    """Sentences mistyped on purpose, all readings of what was typed, and those of the truth alone."""

    typed: Sequence[Sequence[str]]
    true: Sequence[Sequence[str]]
    whole: Readings
    only: Readings


class _Scored(NamedTuple):
    """Typed sentences with all that may have been meant, as :func:`read_arcs` takes them."""

    arcs: ScoredArcs
    symbols: Symbols
    names: list[str]


@dataclass(eq=False, repr=False)
class Corrector(BaseCorrector):
    """Corrects spelling and punctuation, trained on clean raw text (Smith & Eisner 2005b, §3.3).

    Parameters
    ----------
    spell : int
        SPELL≤k: how many edits a word may be away from what was meant; 0 leaves words alone.
    punctuation : int
        PUNC≤k: how many marks of a sentence may be wrong; 0 leaves them alone.
    classes : int, "words" or None
        The latent classes of the model where `fit` is given neither tags nor a dictionary:
        so many, or each word that occurs twice for itself.
    order : {1, 2, 3}
        The length of an n-gram of tags or classes.
    criterion : {"auto", "contrastive", "em", "none"}
        How the model is trained; none leaves the n-gram model alone. By default contrastively
        where that pays: where held-out mistakes are told better with it than without, learning
        from the first thousand sentences, or where there are too few to hold any out.
    ngrams : {0, 1, 2, 3}
        The length of the n-grams of words that weight the lattices; 0 for none.
    damerau : bool
        Whether two adjacent letters in the wrong order are one edit.
    variants : bool
        Whether a word may become one that differs in capitals or accents alone.
    limit : int
        How many candidates of a word are kept, the most frequent.
    channel : Channel, optional
        What edits cost; by default one nat each.
    marks : sequence of str, optional
        The punctuation marks; by default the English ones.
    mark_channel : Channel, optional
        What mistakes of punctuation cost; its symbols are marks.
    exponent : float or None
        Of the channel in training; None trains with sets of sentences, as the paper does.
    exponents : mapping of str to float, optional
        Of the factors in decoding, in place of those that are learnt; see
        :mod:`fstce.correction.factors.columns`.
    mistakes : sequence of str, optional
        With which the held-out text is mistyped, to learn the exponents: ``random``,
        ``keyboard``, ``confusables``, ``spaces``, ``drop``, ``lose``, ``insert``, ``swap``. By
        default ``random`` and ``spaces`` for words, ``drop`` for marks.
    rate : float
        How many words or marks are mistyped there.
    held_out : float
        The share of the text, from its end, that the exponents are learnt from; at most a
        thousand sentences.
    sigma2, smoothing, spelling
        As in :class:`fstce.Tagger`.
    rare : int, optional
        Words seen at most so often teach the model what unknown words are like; by default
        1 where words are corrected, else 0.
    decoder : {"words", "best", "sum"}
        See :mod:`fstce.correction.decoding`.
    threshold : float
        Changes of less posterior probability are not made.
    prune : float
        Arcs of less posterior probability, without the model, are not composed with it; all are where
        there are no n-grams.
    eagerness : float, optional
        How probable a typed word must be to stay, where the decoder is ``words``: more than ½
        changes more, less changes less. By default it stays if no other word is more probable.
    precision : float, optional
        How many of the changes shall be right: the greatest eagerness that had it in held-out
        mistakes, in place of `eagerness`.
    own_words : sequence of str, optional
        Words of one's own: they are known, stay, and may be what was meant.
    never : sequence of str, optional
        Words that stay as they are typed, in any case.
    spacing : bool
        Whether words typed as two, or two as one, are put right, and contractions typed without
        their apostrophe.
    adapt : bool
        Whether sentences that are corrected together tell how many of their unknown words are
        mistakes, so that terms of another field stay; see :mod:`fstce.correction.terms`.
    real_words : bool
        Whether known words, too, give way to other known ones that were meant; see
        :mod:`fstce.correction.real_words`.
    seed, tolerance, max_iterations, jobs
        As in :class:`fstce.Tagger`.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The words of the text and their counts.
    lexicon_ : dict of str to int
        The user's own.
    tagger_ : Tagger or None
        The trained model.
    ngrams_ : NgramModel or None
    exponents_ : dict of str to float
    tuning_ : Tuning or None
        What the exponents were learnt from.
    channel_ : Channel or None
        Learnt from misspellings.
    real_words_ : RealWordModel or None
        Which known words stand for others, learnt from held-out mistakes.
    comparison_ : ContrastiveTrial or None
        Held-out mistakes with and without contrastive training, where the criterion is auto.

    Examples
    --------
    >>> from fstce import Corrector
    >>> corrector = Corrector(classes=2, held_out=0).fit([["the", "cat", "sat"]] * 9)
    >>> corrector.predict([["the", "caat", "sat"]])
    [['the', 'cat', 'sat']]
    """

    rules: ClassVar[Table] = CORRECTOR
    KIND = corrector_files.KIND
    SIZES = MappingProxyType({"exponents_": "factors", "vocabulary_": "words", "tagger_.theta_": "features"})
    COLUMNS = COLUMNS
    FIRST = FIRST
    annealing = None

    spell: int = 1
    punctuation: int = 0
    classes: int | str | None = "words"
    order: int = 2
    criterion: str = "auto"
    ngrams: int = 3
    damerau: bool = True
    limit: int = 50
    channel: Channel | None = None
    marks: Sequence[str] | None = None
    mark_channel: Channel | None = None
    exponent: float | None = None
    exponents: Mapping[str, float] | None = None
    mistakes: Sequence[str] | None = None
    rate: float = 0.1
    held_out: float = 0.1
    sigma2: float | None = 1.0
    smoothing: float = 1.0
    spelling: bool = True
    rare: int | None = None
    decoder: str = "words"
    threshold: float = 0.0
    prune: float = 1e-3
    seed: int = 0
    tolerance: float = 1e-4
    max_iterations: int = 150
    jobs: int | None = None
    variants: bool = False
    eagerness: float | None = None
    precision: float | None = None
    own_words: Sequence[str] | None = None
    never: Sequence[str] | None = None
    spacing: bool = True
    adapt: bool = True
    real_words: bool = True

    vocabulary_: dict[str, int] = field(init=False)
    lexicon_: dict[str, int] = field(init=False)
    tagger_: Tagger | None = field(init=False)
    ngrams_: NgramModel | None = field(init=False)
    comparison_: ContrastiveTrial | None = field(init=False)
    channel_: Channel | None = field(init=False)
    real_words_: RealWordModel | None = field(init=False)
    _misspellings: Sequence[Misspelling] = field(init=False, default=())
    _own: tuple[tuple[tuple[str, ...], CorrectorModel], CorrectorModel] | None = field(
        init=False, default=None
    )
    _slips: Slips | None = field(init=False, default=None)
    _place: dict[str, Any] | None = field(init=False, default=None)
    _progress: Progress = field(init=False, default=unseen)
    _apart: tuple[tuple[Any, ...], Respacing] | None = field(init=False, default=None)
    _real: tuple[tuple[Any, ...], RealWords] | None = field(init=False, default=None)

    def fit(
        self,
        sentences: Sentences,
        tags: Iterable[Sequence[str]] | None = None,
        *,
        dictionary: Dictionary | None = None,
        lexicon: Mapping[str, int] | None = None,
        misspellings: Sequence[Misspelling] | None = None,
        monitor: Monitor | None = None,
        memory: int | str | None = None,
        scratch: str | os.PathLike[str] | None = None,
        progress: Progress | None = None,
        building: Building | None = None,
    ) -> Corrector:
        """Train on clean sentences.

        Parameters
        ----------
        sentences : iterable of sequences of str
        tags : iterable of sequences of str, optional
            Read a dictionary from them; training does not see them.
        dictionary : TagDictionary or mapping of str to tags, optional
            The tags that each word may take; without it the model has latent classes.
        lexicon : mapping of str to int, optional
            More words to choose from, with counts.
        misspellings : sequence of (str, str), optional
            What people typed and what they meant. The channel is learnt from them, where none is
            given, and two thirds of the mistakes made on purpose are like theirs.
        monitor : Monitor, optional
            Called after every iteration.
        memory : int or str, optional
            Bytes that the process may take (``"2G"``); automata for which there is no room lie in files
            that are mapped. By default they may take half of the memory that is free.
        scratch : path, optional
            Where temporary files lie, by default where the system has them.
        progress : callable, optional
            Called with what is being done, how much of it is done, and of how much, for all but
            the iterations of a model, which the monitor hears of.
        building : Building, optional
            Told what automata are to be built for a contrastive training, and of each shard that is.

        Returns
        -------
        This estimator, trained.

        Raises
        ------
        CorpusError, DictionaryError, MachineError, NeighborhoodError, ParameterError
            Naming the sentence, the word or the parameter.

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(classes=2, held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.vocabulary_
        {'the': 9, 'cat': 9, 'sat': 9}
        """
        self._check_parameters()
        check_arguments(monitor=monitor, memory=memory, scratch=scratch, progress=progress, building=building)
        rows = checked_sentences(sentences)
        self._record_reading(rows)
        gold = None if tags is None or dictionary is not None else listed(tags, "tags", rows=True)
        if gold is not None:
            check_aligned(rows, gold)
        # A copy learns, so that what was learnt before is whole where this training ends early.
        fresh = copy(self)
        fresh._misspellings = checked_misspellings(misspellings)
        fresh._place = {"memory": memory, "scratch": scratch, "building": building}
        fresh._progress = progress or unseen
        fresh._learn(rows, gold, dictionary, checked_lexicon(lexicon), monitor)
        fresh._misspellings, fresh._place, fresh._progress = (), None, unseen
        vars(self).update(vars(fresh))
        return self

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences, and say what was changed, how surely, and what else it may be.

        A sentence whose lattice exceeds a limit comes back unchanged, with a warning.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        alternatives : int
            How many other readings of each word are listed at most.

        Returns
        -------
        list of Correction

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(classes=2, held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.correct([["the", "caat", "sat"]])[0].words
        ('the', 'cat', 'sat')
        """
        return list(self.correct_each(sentences, alternatives=alternatives))

    def correct_each(self, sentences: Sentences, *, alternatives: int = 5) -> Iterator[Correction]:
        """The same one batch of sentences after another, for streams.

        The 500 sentences of a batch tell together which of their unknown words are terms.

        ``alternatives``: how many other readings of each word are listed at most.
        """
        self._check_fitted("exponents_")
        self._check_parameters()
        check_arguments(alternatives=alternatives)
        check_listable(sentences, "sentences")
        batch: list[Sequence[str]] = []
        for number, sentence in enumerate(sentences, 1):
            check_typed(sentence, number)
            batch.append(sentence)
            if len(batch) == BATCH:
                yield from self._with_real_words(self._adapted(batch, alternatives))
                batch = []
        if batch:
            yield from self._with_real_words(self._adapted(batch, alternatives))

    def predict_proba(self, sentences: Sentences) -> list[list[list[tuple[str, float]]]]:
        """For each typed word what it may have been meant to be, with posterior probabilities.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.

        Returns
        -------
        list of lists of lists of (str, float)
            For each word what it may be, the most probable first.

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(classes=2, held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> [word for word, p in corrector.predict_proba([["the", "caat", "sat"]])[0][1]]
        ['cat', 'caat']
        """
        found = self.correct(sentences, alternatives=self.limit + 1)
        return [[list(row) for row in correction.alternatives] for correction in found]

    def neighborhood(self, weighted: bool = False) -> Neighborhood:
        """SPELL≤k, PUNC≤k or both over the words that are known; weighted as for decoding.

        Parameters
        ----------
        weighted : bool
            Whether the channel's weights count, and candidates that no context makes probable are
            left out, as in decoding.

        Returns
        -------
        Neighborhood

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(classes=2, held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.neighborhood()(["caat"]).accepts(["cat"])
        True
        """
        check_arguments(weighted=weighted)
        exponent = 1.0 if weighted else self.exponent
        spell = Spell(self._candidates(self._words(), self._kind(weighted)), exponent) if self.spell else None
        if spell is not None and not self.punctuation:
            return spell
        return Punctuate(
            self.punctuation, self._marks(), channel=self.mark_channel, exponent=exponent, spell=spell
        )

    def _words(self) -> dict[str, int]:
        """The words of text and lexicon, with counts."""
        words = {**dict.fromkeys(self.own_words or (), 1), **self.lexicon_}
        for word, count in self.vocabulary_.items():
            words[word] = words.get(word, 0) + count
        return words

    def _known_model(self) -> CorrectorModel:
        """The model with the user's own words in its lexicon."""
        if not self.own_words:
            return self._model
        key = tuple(self.own_words), self._model
        if self._own is None or self._own[0] != key:
            self._own = key, self._model.with_words(self.own_words)
        return self._own[1]

    def _protected(self) -> tuple[str, ...]:
        return (*(self.own_words or ()), *(self.never or ()))

    def _kind(self, weighted: bool) -> Callable[..., Candidates]:
        """Candidates, in decoding without those that no context makes probable."""
        if not weighted:
            return Candidates
        factors, exponents = self._known_model().factors(), self._exponents()
        return partial(SiftedCandidates, factors=factors, exponents=exponents, least=self.prune)

    def to_state(self) -> State:
        self._check_fitted("vocabulary_")
        trained = TrainedCorrector(
            self._model, self.exponents_, self.tuning_, self.channel_, self.real_words_
        )
        return corrector_files.to_state(trained, self.get_params())

    @classmethod
    def from_state(cls, state: State) -> Corrector:
        corrector = cls.of_parameters(state.entries, **corrector_files.later_of(state))
        corrector._check_parameters()
        found = corrector_files.from_state(state)
        model, corrector.exponents_, corrector.tuning_, corrector.channel_, corrector.real_words_ = found
        corrector.comparison_ = None
        corrector._adopt(model)
        return corrector

    def known(self, word: str) -> bool:
        """Whether text or lexicon has the word."""
        check_arguments(word=word)
        return self._known_model().known(word)

    def _learn(
        self,
        rows: Sequence[Sequence[str]],
        gold: Sequence[Sequence[str]] | None,
        dictionary: Dictionary | None,
        lexicon: dict[str, int],
        monitor: Monitor | None,
    ) -> None:
        """The exponents from the end of the text, then all else from the whole."""
        self.lexicon_, self.tuning_, self.comparison_ = lexicon, None, None
        self.exponents_ = self._initial_exponents()
        held = held_out_size(len(rows), self.held_out)
        self._criterion = self.criterion
        self._slips, self.channel_, self.real_words_ = None, None, None
        if self._misspellings and self.spell:
            self._slips = Slips(self._misspellings, self.spell)
            if self.channel is None:
                self._progress(f"edits of {len(self._misspellings):,} misspellings", 0, None)
                words = {**lexicon, **Counter(word for row in rows for word in row)}
                near = Candidates(words, self.spell, damerau=self.damerau, limit=LEARNT_FROM, variants=False)
                self.channel_ = learned_channel(self._misspellings, near)
        if self.criterion == "auto":
            first = dictionary_of(rows[:-held], gold[:-held]) if gold is not None and held else dictionary
            self._criterion = self._choose(rows, held, first, monitor)
        if held and self.exponents is None:
            # What the tags of the held-out sentences say would not be known of a new text.
            first = dictionary_of(rows[:-held], gold[:-held]) if gold is not None else dictionary
            self._adopt(self._trained_model(rows[:-held], first, monitor))
            self._tune(rows[-held:])
            self._learn_real_words(rows[-held:])
        if gold is not None:
            dictionary = dictionary_of(rows, gold)
        self._adopt(self._trained_model(rows, dictionary, monitor))

    def _choose(
        self, rows: Sequence[Sequence[str]], held: int, dictionary: Dictionary | None, monitor: Monitor | None
    ) -> str:
        """Whether contrastive training pays: exponents from half of the held-out text, judged on the rest."""
        if not held:
            return "contrastive"
        found = {}
        learnt, judged = rows[-held:][::2], rows[-held:][1::2]
        for criterion in ("none", "contrastive"):
            one = copy(self)
            one._criterion = criterion
            one._adopt(one._trained_model(rows[:-held][:COMPARED], dictionary, monitor))
            if one.exponents is None:
                one._tune(learnt)
            found[criterion] = one._loss(judged)
        self.comparison_ = ContrastiveTrial(
            min(len(rows) - held, COMPARED), found["none"], found["contrastive"]
        )
        return self.comparison_.better

    def _outcome(self) -> dict[str, str]:
        return {} if self.tagger_ is None else self.tagger_._outcome()

    def _adopt(self, model: CorrectorModel) -> None:
        self.vocabulary_, self.lexicon_ = model.vocabulary, model.lexicon
        self.tagger_, self.ngrams_ = model.tagger, model.ngrams
        self._model = model
        self._own, self._apart, self._real = None, None, None
        self._decoding: tuple[list[Any], Neighborhood] | None = None

    def _trained_model(
        self, rows: Sequence[Sequence[str]], dictionary: Dictionary | None, monitor: Monitor | None
    ) -> CorrectorModel:
        """All that scores sentences, trained on some."""
        self._progress(f"n-grams of {len(rows):,} sentences", 0, None)
        counts = dict(Counter(word for row in rows for word in row))
        unknown = doubtful_words(counts, is_listed(self.lexicon_)) if self.spell else set()
        doubtful = {word: count for word, count in counts.items() if word in unknown}
        vocabulary = {word: count for word, count in counts.items() if word not in unknown}
        ngrams = NgramModel(rows, self.ngrams, unknown) if self.ngrams else None
        tagger = None
        if self._criterion != "none":
            self.vocabulary_ = vocabulary  # which its neighbourhood is over
            tagger = self._tagger(spelling=dictionary is not None or self.classes != "words")
            entries = classes_of(self.classes, vocabulary, self._rare()) if dictionary is None else dictionary
            objective = tagger.compile(rows, dictionary=entries, **(self._place or {}))
            # A copy lacks the automata of the training, which are many times as large.
            tagger = copy(tagger.train(objective, monitor=monitor))
        spelling = spelling_of(vocabulary, doubtful, self.lexicon_)
        return CorrectorModel(vocabulary, self.lexicon_, tagger, ngrams, spelling, doubtful)

    def _tagger(self, spelling: bool) -> Tagger:
        contrastive = self._criterion == "contrastive"
        return Tagger(
            neighborhood=self.neighborhood() if contrastive else "identity",
            order=self.order,
            sigma2=self.sigma2,
            spelling=self.spelling and contrastive and spelling,
            criterion=self._criterion,
            smoothing=self.smoothing,
            oov=True,
            rare=self._rare(),
            guess=False,  # word classes are no tags, and candidates are words of the lexicon
            start="random" if isinstance(self.classes, int) else "uniform",
            seed=self.seed,
            tolerance=self.tolerance,
            max_iterations=self.max_iterations,
            jobs=self.jobs,
        )

    def _rare(self) -> int:
        return int(bool(self.spell)) if self.rare is None else self.rare

    def _marks(self) -> tuple[str, ...]:
        return english_marks() if self.marks is None else tuple(self.marks)

    def _free_marks(self) -> frozenset[str]:
        """The marks that may come and go."""
        return frozenset(self._marks()) if self.punctuation else frozenset()

    def _scored(
        self, sentences: Sequence[Sequence[str]], spacing: bool, terms: Mapping[str, float] | None = None
    ) -> _Scored:
        """All that may have been meant, and what speaks for it but histories and the model.

        With terms the columns have a last one, of what the text at hand says of its unknown words.
        """
        kind, marks = self._decoding_neighborhood(), self._free_marks()
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        introduced = [word for word in kind.introduced(words) if fault(word) is None]
        rows = []
        if self.spell and spacing:
            plain = [[word for word in row if word not in marks] for row in sentences] if marks else sentences
            rows = found_in(self._respacing(), plain)
        symbols = Symbols([*words, *introduced, *(word for *_, row in rows for word in row)])
        factors, respellings = self._known_model().factors(), labelled(rows, symbols)
        if isinstance(kind, Spell):
            machines = kind.columns(sentences, symbols)
            found = scored(machines, symbols, factors, sentences, marks, respellings)
        else:
            lattices = list(kind.expand(sentences, symbols))
            found = scored_arcs(lattices, factors, sentences, marks, respellings)
        if terms is not None:
            found = with_terms(found, symbols, terms, sentences, marks)
        names = [f"sentence {number} ∘ {kind.name}" for number in range(1, len(sentences) + 1)]
        return _Scored(found, symbols, names)

    def _respacing(self) -> Respacing:
        key = self._known_model(), self._protected()
        if self._apart is None or self._apart[0] != key:
            self._apart = key, self._known_model().respacing(self._protected())
        return self._apart[1]

    def _known_pairs(self) -> RealWords | None:
        """Known words that may stand for other ones; None where nothing is said of them."""
        if not (self.real_words and self.spell) or self.ngrams_ is None:
            return None
        key = self._known_model(), self._protected(), self.damerau, self.variants, self.limit, self.channel
        if self._real is None or self._real[0] != key:
            model = self._known_model()
            near = neighbours(model.vocabulary, model.lexicon, partial(self._candidates, spell=1))
            self._real = key, RealWords(self.ngrams_, model.lexicon, near, model.known)
        return self._real[1]

    def _learn_real_words(self, rows: Sequence[Sequence[str]]) -> None:
        """What known words stand for, from sentences that the parts at hand were not trained on."""
        pairs = self._known_pairs()
        if pairs is not None:
            self._progress("known words for known words", 0, None)
            self.real_words_ = pairs.learned(rows, self._mistyping_seeds())

    def _with_real_words(self, found: list[Correction]) -> list[Correction]:
        """Corrections in which known words give way, too, where the decoder goes by single words."""
        pairs, model = self._known_pairs(), self.real_words_
        if pairs is None or model is None or self.decoder != "words":
            return found
        eagerness = self._eagerness()
        asked = 1 - eagerness if eagerness is not None else self.threshold
        if asked:  # as of the changes of other words
            asked = min(max(asked, SURELY), 1 - SURELY)
            least = float(np.log(asked / (1 - asked)))
            model = model._replace(least=least if eagerness is not None else max(model.least, least))
        return pairs.corrected(found, model)

    def _decoding_neighborhood(self) -> Neighborhood:
        """The weighted neighbourhood, which remembers candidates, until a parameter of it changes."""
        key: list[Any] = [self.spell, self.punctuation, self.damerau, self.variants, self.limit, self.prune]
        key += [self.own_words, self.never, self.channel, self._marks(), self.mark_channel, self.exponents_]
        if self._decoding is None or self._decoding[0] != key:
            self._decoding = key, self.neighborhood(weighted=True)
        return self._decoding[1]

    def _read(self, scored: _Scored, prune: float) -> Readings:
        factors, width = self._known_model().factors(), len(scored.arcs.columns) + 1
        return read_arcs(*scored, factors, self._exponents(width), prune)

    def _exponents(self, width: int = len(COLUMNS)) -> Floats:
        """Those of the factors, and 1 of further columns; shape (width,)."""
        return np.append(super()._exponents(), np.ones(width - len(COLUMNS)))

    def _adapted(self, sentences: Sequence[Sequence[str]], n: int) -> list[Correction]:
        """Corrections of a text, whose unknown words are judged by all of it."""
        share = self.tuning_.unknown if self.tuning_ is not None else 0.0
        if not (self.adapt and share and self.spell):
            return self._corrected(sentences, n)
        found = self._corrected(sentences, max(n, 2))
        pairs = pair_weights(found)
        terms = {**term_weights(found, self.known, share, self._alone), **pairs}
        places = [
            i
            for i, one in enumerate(found)
            if one.decoder != "unchanged" and _says_of(terms, one.typed, bool(pairs))
        ]
        again = self._corrected([sentences[i] for i in places], n, terms) if places else []
        for i, one in zip(places, again, strict=True):
            found[i] = one
        return found if n > 1 else [one.ranked(n) for one in found]

    def _alone(self, typed: str, other: str) -> float | None:
        """log p(other) / p(typed) without a context; None if that is not known."""
        kind = self._decoding_neighborhood()
        spell = kind if isinstance(kind, Spell) else getattr(kind, "spell", None)
        candidates = spell.candidates if isinstance(spell, Spell) else None
        return candidates.log_ratio(typed, other) if isinstance(candidates, SiftedCandidates) else None

    def _corrected(
        self, sentences: Sequence[Sequence[str]], n: int, terms: Mapping[str, float] | None = None
    ) -> list[Correction]:
        try:
            scored = self._scored(sentences, self.spacing, terms)
            readings = self._read(scored, self.prune)
        except MachineError as error:
            if len(sentences) == 1:
                return [unchanged(sentences[0], error, stacklevel=2)]
            half = len(sentences) // 2
            sides = (sentences[:half], sentences[half:])
            return [one for side in sides for one in self._corrected(side, n, terms)]
        return corrections(
            readings,
            self._exponents(1 + len(readings.columns)),
            sentences,
            marks=self._free_marks(),
            decoder=self.decoder,
            threshold=self.threshold,
            eagerness=self._eagerness(),
            n=n,
        )

    def _eagerness(self) -> float | None:
        if self.precision is None:
            return self.eagerness
        if self.tuning_ is None or not self.tuning_.curve:
            raise ParameterError(
                f"precision={self.precision}: nothing was held out to learn it from; give an eagerness, or "
                "train with held-out text"
            )
        return eagerness_for(self.tuning_.curve, self.precision)

    def _tune(self, rows: Sequence[Sequence[str]]) -> None:
        """Learn the exponents from sentences that the parts at hand were not trained on."""
        kinds, others = self._mistake_kinds(), self._mistakes_of_words()
        used = self._model.columns(self.spell, self.punctuation)
        found = self._mistyped_readings(rows, others) if others else []
        if found:
            self._learn_exponents(found, used)
        if SPACES in kinds:
            # Alone: what is split or joined now and then shall not change what is said of single words.
            practice = self._mistyped_readings(rows, kinds, typings=1 if len(rows) > ENOUGH else TYPINGS)
            if practice:
                self._learn_exponents(practice, RESPELLINGS, told=not found)

    def _learn_exponents(self, found: Sequence[_Practice], used: Sequence[str], told: bool = True) -> None:
        """Learn some exponents from practice, and keep what it says of them where that is to be told."""
        whole, true = [one.whole for one in found], [one.only for one in found]
        exponents, before, after = tune(whole, true, self._exponents(), used, self._progress)
        self.exponents_ = dict(zip(COLUMNS, exponents.tolist(), strict=True))
        if not told:
            return
        pairs = [pair for one in found for pair in zip(one.typed, one.true, strict=True)]
        mistakes = sum(list(a) != list(b) for a, b in pairs)
        marks = self._free_marks()
        results = [
            row for one in found for row in corrections(one.whole, exponents, one.typed, marks=marks, n=2)
        ]
        curve = curve_of(judged(results, *zip(*pairs, strict=True))) if self.spell else ()
        share = mistaken_share(pairs, self.known) if self.spell else 0.0
        self.tuning_ = Tuning(len(pairs), mistakes, before, after, curve, share)

    def _loss(self, rows: Sequence[Sequence[str]]) -> float:
        """−log p(true | typed) of held-out sentences, nats; infinite where no lattice has the truth."""
        found = self._mistyped_readings(rows, self._mistakes_of_words())
        exponents = self._exponents()
        sides = [float((one.whole.log_z(exponents) - one.only.log_z(exponents)).sum()) for one in found]
        return sum(sides) if found else float("inf")

    def _mistyped_readings(
        self, rows: Sequence[Sequence[str]], kinds: Sequence[str], typings: int = TYPINGS
    ) -> list[_Practice]:
        """The readings of sentences that are mistyped on purpose, several times."""
        marks = [mark for mark in self._marks() if mark in self.vocabulary_]
        pairs = [
            pair
            for seed in self._mistyping_seeds()[:typings]
            for pair in zip(self._mistyped(rows, kinds, marks, seed), rows, strict=True)
            if pair[0]
        ]
        found = []
        for i in range(0, len(pairs), BATCH):
            self._progress(MISTYPED, i, len(pairs))
            found += self._tuning_readings(pairs[i : i + BATCH], SPACES in kinds)
        self._progress(MISTYPED, len(pairs), len(pairs))
        return found

    def _mistyped(
        self, rows: Sequence[Sequence[str]], kinds: Sequence[str], marks: Sequence[str], seed: int
    ) -> list[list[str]]:
        """The rows with mistakes made on purpose; two times of three with those of people."""
        slips = None if seed % TYPINGS == 0 else self._slips
        return mistyped(rows, kinds, marks, seed, self.rate, max(self.spell, 1), slips)

    def _learned_channel(self) -> Channel | None:
        return self.channel_

    def _tuning_readings(
        self, pairs: Sequence[tuple[Sequence[str], Sequence[str]]], spacing: bool
    ) -> list[_Practice]:
        """The readings of (typed, true) sentences.

        A sentence whose lattice exceeds a limit, or lacks the true one, is left out.
        """
        try:
            scored = self._scored([typed for typed, _ in pairs], spacing)
            paths = nearest_arcs(scored.arcs, scored.symbols, [true for _, true in pairs])
            if None in paths:
                found = [pair for pair, path in zip(pairs, paths, strict=True) if path is not None]
                return self._tuning_readings(found, spacing) if found else []
            # What is pruned here must not be what the exponents turn out to favour.
            whole = self._read(scored, self.prune / 10)
        except MachineError:
            half = len(pairs) // 2
            sides = (pairs[:half], pairs[half:]) if half else ()
            return [one for side in sides for one in self._tuning_readings(side, spacing)]
        kept = np.zeros(len(scored.arcs.slot), dtype=bool)
        kept[[arc for path in paths for arc in path or ()]] = True
        only = scored._replace(arcs=scored.arcs.over(trimmed(scored.arcs.machines, kept)))
        typed, true = zip(*pairs, strict=True)
        return [_Practice(typed, true, whole, self._read(only, 0.0))]

    def _mistake_kinds(self) -> Sequence[str]:
        """The kinds of mistakes that are made in the held-out text."""
        if self.mistakes is not None:
            return self.mistakes
        words = ["random", *([SPACES] if self.spacing else [])]
        return [*(words if self.spell else []), *(["drop"] if self.punctuation else [])]

    def _mistakes_of_words(self) -> list[str]:
        """The same without those of white space."""
        return [kind for kind in self._mistake_kinds() if kind != SPACES]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        asked = self.eagerness is not None or self.precision is not None
        if asked and self.decoder != "words":
            raise ParameterError(
                f"decoder={self.decoder!r}: an eagerness or precision needs the decoder 'words'"
            )
        if not self.spell and not self.punctuation:
            raise ParameterError("spell=0 and punctuation=0: nothing is corrected; give one from 1 to 3")

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_decoding": None, "_own": None, "_apart": None, "_real": None}


def _says_of(terms: Mapping[str, float], words: Sequence[str], pairs: bool) -> bool:
    """Whether a text says anything of the words of a sentence, or of two of them."""
    alone = any(terms.get(word.lower()) for word in words)
    return alone or (pairs and any(terms.get(pair(*two)) for two in pairwise(words)))
