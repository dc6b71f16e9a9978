"""The corrector: from clean raw text alone to a speller and a punctuator (2005b, §3.3 and §5.4).

Correction asks which sentence of a lattice was intended. N-grams of words weight its sentences, and
so does, with the criteria of 2005b, a :class:`fstce.Tagger`, trained by EM or by contrastive
estimation, which moves probability from the sentences that could have been observed to the
sentences that were.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import accumulate, chain, groupby, islice
from typing import Any, ClassVar, cast

from fstce.corpora.casing import has_accents
from fstce.corpora.dictionary import dictionary_of
from fstce.corpora.words import check_aligned, check_listable, checked_sentences, composed, listed
from fstce.correction import corrector_files
from fstce.correction.base import (
    BaseCorrector,
    checked_lexicon,
    checked_misspellings,
    halved,
    in_form_of,
    of_speller,
    unchanged,
)
from fstce.correction.corrector_model import (
    CorrectorModel,
    Dictionary,
    KnownWords,
    own_tags,
    spelling_of,
    unreliable_words,
)
from fstce.correction.decoding import Correction, corrections
from fstce.correction.domain_vocabulary import DomainVocabulary, mistaken_share
from fstce.correction.factors.candidate_lattices import CandidateLattices
from fstce.correction.factors.columns import COLUMNS
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.misspellings import learned_channel
from fstce.correction.mistakes.punctuation import Punctuate
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parameters import CORRECTOR
from fstce.correction.reader import SentenceReader, Settings, SyntheticErrors
from fstce.correction.synthetic_errors import (
    TYPINGS,
    Progress,
    Tuning,
    held_out_size,
    learned_exponents,
    mistyped,
    unheard,
)
from fstce.errors import MachineError, ParameterError
from fstce.estimation.maximize import Monitor
from fstce.estimation.resources import Building
from fstce.numeric.types import Rows, Sentences, Words
from fstce.parameters.rules import Table
from fstce.parameters.tables import check_arguments
from fstce.speller.channel import Channel
from fstce.speller.speller import Speller
from fstce.speller.typos import Typo
from fstce.speller.wordlist import WordList
from fstce.storage.state import State
from fstce.tagging.tagger import Tagger
from fstce.transducers.punc import english_marks

BATCH = 500
MOST_WORDS = 25_000  # of a batch whose lattices are made together
LEARNT_FROM = 200  # candidates of a misspelling at most, when a channel is learned
SPACES, ACCENTS = "spaces", "accents"  # factors that have synthetic errors of their own
ENOUGH = 300  # mistyped sentences; fewer are mistyped several times
MISTYPED = "candidates of mistyped sentences"
TRAINED = ("contrastive", "em")  # criteria of a tagger with the n-grams
TOLERANCE, MAX_ITERATIONS = 1e-4, 150  # of its training
THRESHOLD, EVEN = 0.35, 0.5  # of words: what is surely a mistake may be one of many; of marks

# The exponents where none are learned; those of the Penn Treebank sample, roughly.
FIRST = {
    "model": 0.5,
    "ngrams": 0.5,
    "channel": 4.0,
    "edited": 2.8,
    "unknown": 6.0,
    "spelling": 0.33,
    "lexicon": 0.5,
    "marks": 0.0,
    "names": 2.0,
    "spaces": 8.0,
    "accents": 0.0,
}
OF_ACCENTS = {"accents": 2.0}  # where the text has any
OF_NATS = {"channel": 0.3, "edited": 6.5}  # where the channel is learned, and does not count edits


@dataclass(eq=False, repr=False)
class Corrector(BaseCorrector):
    """Corrects spelling and punctuation, trained on clean raw text (Smith & Eisner 2005b, §3.3).

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The words of the text and their counts.
    lexicon_ : mapping of str to int
        The user's own.
    tagger_ : Tagger or None
        The trained model, where the criterion trains one.
    exponents_ : dict of str to float
    tuning_ : Tuning or None
        What the exponents were learned from.
    channel_ : Channel or None
        Learned from misspellings.

    Examples
    --------
    >>> from fstce import Corrector
    >>> text = ("the cat sat on the mat", "a cat sat on a hat", "the hat is on the cat")
    >>> text = [sentence.split() for sentence in text]
    >>> corrector = Corrector(held_out=0).fit(text * 3)
    >>> corrector.predict([["the", "caat", "sat", "onn", "the", "hat"]])
    [['the', 'cat', 'sat', 'on', 'the', 'hat']]
    """

    rules: ClassVar[Table] = CORRECTOR
    KIND: ClassVar[str] = corrector_files.KIND
    SIZES: ClassVar[Mapping[str, str]] = {
        "exponents_": "factors",
        "vocabulary_": "words",
        "lexicon_": "words of the lexicon",
        "tagger_.theta_": "features",
    }
    COLUMNS: ClassVar[tuple[str, ...]] = COLUMNS
    FIRST: ClassVar[Mapping[str, float]] = FIRST
    annealing = None

    spell: int = 2
    punctuation: int = 0
    criterion: str = "none"
    ngrams: int = 3
    channel: Channel | None = None
    marks: Sequence[str] | None = None
    exponents: Mapping[str, float] | None = None
    mistakes: Sequence[str] | None = None
    rate: float = 0.1
    held_out: float = 0.1
    threshold: float | None = None
    prune: float = 1e-3
    user_dictionary: Sequence[str] | None = None
    adapt: bool = True
    seed: int = 0

    vocabulary_: dict[str, int] = field(init=False)
    lexicon_: WordList = field(init=False)
    tagger_: Tagger | None = field(init=False)
    channel_: Channel | None = field(init=False)
    tuning_: Tuning | None = field(init=False)
    _place: dict[str, Any] | None = field(init=False, default=None)
    _progress: Progress = field(init=False, default=unheard)
    _latest_reader: SentenceReader | None = field(init=False, default=None)

    def fit(
        self,
        sentences: Sentences,
        tags: Sentences | None = None,
        *,
        dictionary: Dictionary | None = None,
        lexicon: Mapping[str, int] | None = None,
        misspellings: Sequence[Typo] | Channel | None = None,
        speller: Speller | None = None,
        monitor: Monitor | None = None,
        memory: int | str | None = None,
        progress: Progress | None = None,
        building: Building | None = None,
    ) -> Corrector:
        """Train on clean sentences.

        Parameters
        ----------
        sentences : iterable of sequences of str
        tags : iterable of sequences of str, optional
            Read a dictionary from them, for a criterion that trains; training does not see them.
        dictionary : TagDictionary or mapping of str to tags, optional
            The tags that each word may take, likewise; without it the model has latent classes.
        lexicon : mapping of str to int, optional
            More words to choose from, with counts.
        misspellings : sequence of (str, str), or Channel, optional
            Misspellings and the intended words, from which the channel is learned where none is
            given; or the channel that was learned from such.
        speller : Speller, optional
            Its errors are the channel where none is given, and its words the lexicon where none is.
        monitor : Monitor, optional
            Called after every iteration.
        memory : int or str, optional
            Bytes that the process may take (``"2G"``); automata for which there is no room lie in
            files that are mapped. By default they may take half of the memory that is free.
        progress : callable, optional
            Called with what is being done, how much of it is done, and of how much, for all but
            the iterations of a model, which the monitor hears of.
        building : Building, optional
            Called with what automata are to be built for a contrastive training, and of each shard
            that is.

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
        >>> corrector = Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.vocabulary_
        {'the': 9, 'cat': 9, 'sat': 9}
        """
        self._check_parameters()
        check_arguments(
            monitor=monitor,
            memory=memory,
            progress=progress,
            building=building,
        )
        if self.criterion not in TRAINED and (tags is not None or dictionary is not None):
            warnings.warn(
                f"criterion={self.criterion!r}: n-grams learn nothing from tags or a dictionary; "
                "choose contrastive or em (on the command line, --criterion), or leave them out",
                stacklevel=2,
            )

        text = checked_sentences(sentences)
        rows = [list(map(composed, row)) for row in text]
        self._record_tokenization(text)
        gold = None if tags is None or dictionary is not None else listed(tags, "tags", rows=True)
        if gold is not None:
            check_aligned(rows, gold)
        if speller is not None:
            lexicon, misspellings = of_speller(speller, lexicon, misspellings)
        pairs = checked_misspellings(misspellings)

        # A copy learns, so that what was learned before is whole where this training ends early.
        fresh = copy(self)
        fresh._place = {"memory": memory, "building": building}
        fresh._progress = progress or unheard
        fresh._learn(rows, gold, dictionary, checked_lexicon(lexicon), pairs, monitor)
        fresh._place = None
        fresh._progress = unheard
        vars(self).update(vars(fresh))
        return self

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        return list(self.correct_each(sentences, alternatives=alternatives))

    def correct_each(
        self, sentences: Sentences, *, alternatives: int = 5, domain: DomainVocabulary | None = None
    ) -> Iterator[Correction]:
        """Correct a stream of sentences, one batch after another.

        The 500 sentences of a batch tell together which of their unknown words are terms.

        Parameters
        ----------
        sentences : iterable of sequences of str
        alternatives : int
            How many other candidates of each word are listed at most.
        domain : DomainVocabulary, optional
            What :meth:`domain_vocabulary` makes: each sentence is judged by itself and all before
            it, however many come together.

        Yields
        ------
        Correction

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> next(corrector.correct_each([["the", "caat", "sat"]])).words
        ('the', 'cat', 'sat')
        """
        self._check_fitted("exponents_")
        self._check_parameters()
        check_arguments(alternatives=alternatives, domain=domain)
        check_listable(sentences, "sentences")
        rows = iter(sentences)
        first = 1
        while batch := checked_sentences(islice(rows, BATCH), least=0, first=first):
            in_nfc = [list(map(composed, row)) for row in batch]
            yield from map(in_form_of, self._adapted(in_nfc, alternatives, domain), batch)
            first += len(batch)

    def domain_vocabulary(self) -> DomainVocabulary | None:
        """The vocabulary of a text still unread; None where a text is not adapted to.

        Returns
        -------
        DomainVocabulary or None
            For `correct_each`.

        Examples
        --------
        >>> from fstce import Corrector
        >>> Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9).domain_vocabulary() is None
        True
        """
        share = 0.0 if self.tuning_ is None else self.tuning_.unknown
        if not (self.adapt and self.spell and share):
            return None
        return DomainVocabulary(self._reader().model.known, share, self._log_ratio)

    def neighborhood(self, weighted: bool = False) -> Spell | Punctuate:
        """SPELL≤k over the words that are known, or PUNC≤k; weighted as for decoding.

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
        >>> corrector = Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.neighborhood()(["caat"]).accepts(["cat"])
        True
        """
        check_arguments(weighted=weighted)
        if weighted:
            return self._reader().neighborhood
        return self._settings().neighborhood(self.vocabulary_, self.lexicon_)

    def to_state(self) -> State:
        self._check_fitted("vocabulary_")
        return corrector_files.to_state(self._model, vars(self), self.get_params())

    @classmethod
    def from_state(cls, state: State) -> Corrector:
        channel = corrector_files.channel_of(state.entry("parameters", dict)["channel"])
        corrector = cls.of_parameters(state.entries, channel=channel)
        corrector._check_parameters()
        model, learned = corrector_files.from_state(state)
        vars(corrector).update(learned)
        corrector._adopt(model)
        return corrector

    def known(self, word: str) -> bool:
        """Whether text or lexicon has the word.

        Parameters
        ----------
        word : str

        Returns
        -------
        bool

        Examples
        --------
        >>> corrector = Corrector(criterion="none").fit(["we swim".split(), "we fish".split()])
        >>> corrector.known("swim"), corrector.known("swin")
        (True, False)
        """
        check_arguments(word=word)
        return self._reader().model.known(composed(word))

    def _learn(
        self,
        rows: Rows,
        gold: Rows | None,
        dictionary: Dictionary | None,
        lexicon: WordList,
        misspellings: Sequence[Typo] | Channel,
        monitor: Monitor | None,
    ) -> None:
        """Learn exponents from the end of the text, then the rest from the whole."""
        self.lexicon_ = lexicon
        self.tuning_ = None
        self.channel_ = self._learned_channel(rows, misspellings)
        self.exponents_: dict[str, float] = dict(FIRST)
        if self.channel_ is not None:
            self.exponents_ |= OF_NATS
        letters = set(chain.from_iterable(chain.from_iterable(rows)))
        if any(map(has_accents, letters)):
            self.exponents_ |= OF_ACCENTS
        self.exponents_ |= dict(self.exponents or {})

        held = held_out_size(len(rows), self.held_out)
        # Where words are not split and joined all other exponents are learned nevertheless.
        if held and (self.exponents or {SPACES: 0}) == {SPACES: 0}:
            # What the tags of the held-out sentences say would not be known of a new text.
            entries = dictionary
            if gold is not None:
                entries = dictionary_of(rows[:-held], gold[:-held])
            self._adopt(self._trained_model(rows[:-held], entries, monitor))
            self._tune(rows[-held:])

        if gold is not None:
            dictionary = dictionary_of(rows, gold)
        self._adopt(self._trained_model(rows, dictionary, monitor))

    def _learned_channel(
        self, rows: Rows, misspellings: Sequence[Typo] | Channel
    ) -> Channel | None:
        """The channel of misspellings, if there are any and words are corrected."""
        if isinstance(misspellings, Channel):
            return misspellings
        if not misspellings or not self.spell or self.channel is not None:
            return None
        self._progress(f"edits of {len(misspellings):,} misspellings", 0, None)
        words = Counter(chain.from_iterable(rows))
        near = Candidates(words, self.spell, limit=LEARNT_FROM, lexicon=self.lexicon_)
        return learned_channel(misspellings, near)

    def _outcome(self) -> dict[str, str]:
        return {} if self.tagger_ is None else self.tagger_._outcome()

    def _adopt(self, model: CorrectorModel) -> None:
        self.vocabulary_ = model.vocabulary
        self.lexicon_ = model.lexicon
        self.tagger_ = model.tagger
        self._model = model

    def _trained_model(
        self, rows: Rows, dictionary: Dictionary | None, monitor: Monitor | None
    ) -> CorrectorModel:
        """All that scores sentences, trained on some."""
        self._progress(f"n-grams of {len(rows):,} sentences", 0, None)
        counts = dict(Counter(chain.from_iterable(rows)))
        unknown = set[str]()
        if self.spell and self.lexicon_:
            unknown = unreliable_words(counts, KnownWords((), self.lexicon_).have)
        unreliable = {word: count for word, count in counts.items() if word in unknown}
        vocabulary = {word: count for word, count in counts.items() if word not in unknown}
        ngrams = NgramModel(rows, self.ngrams, unknown) if self.ngrams else None

        tagger = None
        if self.criterion in TRAINED:
            self.vocabulary_ = vocabulary  # which its neighborhood is over
            tagger = self._trained_tagger(rows, dictionary, monitor)

        spelling = spelling_of(vocabulary, unreliable, self.lexicon_)
        return CorrectorModel(vocabulary, self.lexicon_, tagger, ngrams, spelling, unreliable)

    def _trained_tagger(
        self, rows: Rows, dictionary: Dictionary | None, monitor: Monitor | None
    ) -> Tagger:
        tagger = self._tagger(tagged=dictionary is not None)
        if dictionary is None:
            dictionary = own_tags(self.vocabulary_, tagger.rare)
        objective = tagger.compile(rows, dictionary=dictionary, resources=self._place)
        # A copy lacks the automata of the training, which are many times as large.
        return copy(tagger.train(objective, monitor=monitor))

    def _tagger(self, tagged: bool) -> Tagger:
        """Trigrams of tags where a dictionary has some, bigrams of words elsewhere."""
        contrastive = self.criterion == "contrastive"
        return Tagger(
            neighborhood=self.neighborhood() if contrastive else "identity",
            order=3 if tagged else 2,
            sigma2=1.0,
            spelling=contrastive and tagged,
            criterion=cast(Any, self.criterion),
            oov=True,
            rare=int(bool(self.spell)),
            unknown_word_model=False,  # words are no tags
            start="uniform",
            tolerance=TOLERANCE,
            max_iterations=MAX_ITERATIONS,
        )

    def _marks(self) -> tuple[str, ...]:
        return english_marks() if self.marks is None else tuple(self.marks)

    def _settings(self) -> Settings:
        """The settings of sentences' readers."""
        return Settings(
            spell=self.spell,
            punctuation=self.punctuation,
            channel=self.channel or self.channel_,
            marks=self._marks(),
            user_dictionary=tuple(map(composed, self.user_dictionary or ())),
            exponents=tuple(self.exponents_[name] for name in COLUMNS),
            prune=self.prune,
        )

    def _reader(self) -> SentenceReader:
        """The reader of the settings as they are now, which remembers candidates."""
        reader = self._latest_reader
        settings = self._settings()
        is_latest = reader is not None and reader.trained is self._model
        if reader is None or not is_latest or reader.settings != settings or reader.is_full:
            reader = self._latest_reader = SentenceReader(self._model, settings)
        return reader

    def _log_ratio(self, observed: str, intended: str) -> float | None:
        return self._reader().log_ratio(observed, intended)

    def _adapted(
        self, sentences: Rows, n: int, domain: DomainVocabulary | None
    ) -> list[Correction]:
        """The corrections of a batch, in two passes where a text says something of unknown words.

        All of the batch says it of each sentence, or, with a domain, what came before and the
        sentence.
        """
        of_batch = self.domain_vocabulary()
        if of_batch is None:
            return self._corrected(sentences, n)

        corrected = self._corrected(sentences, max(n, 2))
        groups = [range(len(sentences))]
        if domain is not None:
            groups = [range(i, i + 1) for i in range(len(sentences))]
        for group in groups:
            weights = (domain or of_batch).heard([corrected[i] for i in group])
            places = [i for i in group if _says_of(weights, corrected[i])]
            again = self._corrected([sentences[i] for i in places], n, weights)
            for i, correction in zip(places, again, strict=True):
                corrected[i] = correction

        return [correction.ranked(n) for correction in corrected]

    def _corrected(
        self, sentences: Rows, n: int, terms: Mapping[str, float] | None = None
    ) -> list[Correction]:
        def lattices_of(batch: Rows) -> CandidateLattices:
            return self._reader().lattices(batch, terms)

        threshold = self.threshold
        if threshold is None:
            threshold = THRESHOLD if self.spell else EVEN
        marks = self._settings().free_marks
        corrected: list[Correction] = []
        for part in _parts(sentences):
            for batch, lattices in halved(part, lattices_of):
                if isinstance(lattices, MachineError):
                    corrected.append(unchanged(batch[0], lattices, stacklevel=2))
                else:
                    corrected += corrections(
                        lattices, self._exponents(), batch, marks=marks, threshold=threshold, n=n
                    )

        return corrected

    def _tune(self, rows: Rows) -> None:
        """Learn exponents from sentences that the model was not trained on."""
        kinds = self._mistake_kinds()
        self._learn_exponents(
            rows, [kind for kind in kinds if kind != SPACES], [n for n in COLUMNS if n != SPACES]
        )
        if SPACES in kinds:
            # Alone: what is split or joined now and then shall not change what is said of single
            # words.
            self._learn_exponents(rows, kinds, [SPACES])

    def _learn_exponents(self, rows: Rows, kinds: Sequence[str], used: Sequence[str]) -> None:
        """Learn some exponents from mistakes of some kinds; keep what the first are learned from.

        One of a factor that is nothing on every path stays what it was.
        """
        errors = self._synthesized(rows, kinds) if kinds else []
        if not errors:
            return
        learned, before, after = learned_exponents(
            [batch.lattices for batch in errors],
            [batch.true_lattices for batch in errors],
            self._exponents(),
            used,
            self._progress,
        )
        self.exponents_ = dict(zip(COLUMNS, learned.tolist(), strict=True))

        if self.tuning_ is None:
            sides = ((batch.observed, batch.true) for batch in errors)
            pairs = list(chain.from_iterable(zip(*side, strict=True) for side in sides))
            mistakes = sum(list(a) != list(b) for a, b in pairs)
            share = mistaken_share(pairs, self._reader().model.known) if self.spell else 0.0
            self.tuning_ = Tuning(len(pairs), mistakes, before, after, share)

    def _synthesized(self, rows: Rows, kinds: Sequence[str]) -> list[SyntheticErrors]:
        """Sentences that are mistyped on purpose, few several times, with their lattices."""
        typings = min(max(ENOUGH // len(rows), 1), TYPINGS)
        marks = [mark for mark in self._marks() if mark in self.vocabulary_]
        pairs: list[tuple[Sequence[str], Sequence[str]]] = []
        for seed in range(self.seed * TYPINGS, self.seed * TYPINGS + typings):
            observed = mistyped(rows, kinds, marks, seed, self.rate, max(self.spell, 1))
            pairs += [
                pair for pair in zip(observed, rows, strict=True) if self._within_reach(*pair)
            ]

        synthetic: list[SyntheticErrors] = []
        reader = self._reader()
        for i in range(0, len(pairs), BATCH):
            self._progress(MISTYPED, i, len(pairs))
            synthetic += reader.synthetic_errors(pairs[i : i + BATCH], SPACES in kinds)
        self._progress(MISTYPED, len(pairs), len(pairs))
        return synthetic

    def _within_reach(self, observed: Words, true: Words) -> bool:
        """Whether so many marks may have been lost, if any is left of the sentence."""
        return bool(observed) and (self.spell > 0 or len(true) - len(observed) <= self.punctuation)

    def _mistake_kinds(self) -> Sequence[str]:
        """The kinds of mistakes that are made in the held-out text."""
        if self.mistakes is not None:
            return self.mistakes
        if self.punctuation:
            return ("drop",)
        return ["random", *(kind for kind in (SPACES, ACCENTS) if self.exponents_[kind] > 0)]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if bool(self.spell) == bool(self.punctuation):
            raise ParameterError(
                f"spell={self.spell} and punctuation={self.punctuation}: words are corrected or "
                "marks; set one of them to 0, the other from 1 to 3"
            )

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_latest_reader": None}


def _parts(sentences: Rows) -> Iterator[Rows]:
    """The sentences in parts of so many words that their lattices have room together."""
    ends = accumulate(map(len, sentences))
    parts = groupby(zip(ends, sentences, strict=True), lambda row: row[0] // MOST_WORDS)
    return ([sentence for _, sentence in part] for _, part in parts)


def _says_of(weights: Mapping[str, float], correction: Correction) -> bool:
    """Whether a text says anything of the words of a sentence that was read."""
    words = correction.observed
    return correction.decoder != "unchanged" and any(weights.get(word.lower()) for word in words)
