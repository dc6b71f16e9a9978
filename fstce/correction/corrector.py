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
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import fault
from fstce.correction.candidates import Candidates
from fstce.correction.channel import Channel
from fstce.correction.corruption import (
    Corruption,
    confusables,
    drop_marks,
    insert_marks,
    keyboard_edits,
    random_edits,
    real_words,
    swap_marks,
)
from fstce.correction.decoding import DECODERS, Correction, corrections
from fstce.correction.ngrams import NgramModel
from fstce.correction.punctuation import Punctuate, english_marks
from fstce.correction.readings import COLUMNS, Factors, Readings, WeightedTagger, read
from fstce.correction.scores import correction_scores
from fstce.correction.spelled import SpellingModel
from fstce.correction.spelling import Spell
from fstce.correction.tuning import Tuning, tune
from fstce.errors import CorpusError, MachineError, ParameterError
from fstce.estimation.maximize import Monitor
from fstce.estimator import Estimator, checked_sentences
from fstce.machines import algebra
from fstce.machines.image import arrays_to_fst, fst_to_arrays
from fstce.machines.lattice import Lattice, linear
from fstce.machines.symbols import Symbols
from fstce.neighborhoods import Neighborhood
from fstce.tagging import Tagger

Floats = NDArray[np.float64]
Sentences = Iterable[Sequence[str]]
Dictionary = TagDictionary | Mapping[str, str | Iterable[str]]

CRITERIA = ("contrastive", "em", "none")
MISTAKES = ("random", "keyboard", "confusables", "drop", "insert", "swap")
BATCH = 500
TYPINGS = 3  # how often the held-out text is mistyped
LEAST_HELD_OUT = 10
RARE = "<rare>"

# The exponents where none are learnt; those of the Penn Treebank sample, roughly.
FIRST = {
    "model": 0.5,
    "ngrams": 0.5,
    "channel": 0.3,
    "edited": 5.0,
    "length": 1.0,
    "unknown": 6.0,
    "spelling": 0.33,
}


class _Parts(NamedTuple):
    """All that is learnt from a text but the exponents."""

    vocabulary: dict[str, int]
    tagger: Tagger | None
    ngrams: NgramModel | None
    spelling: SpellingModel


class Corrector(Estimator):
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
    criterion : {"contrastive", "em", "none"}
        How the model is trained; none leaves the n-gram model alone.
    ngrams : {0, 1, 2, 3}
        The length of the n-grams of words that weight the lattices; 0 for none.
    damerau : bool
        Whether two adjacent letters in the wrong order are one edit.
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
        :mod:`fstce.correction.readings`.
    mistakes : sequence of str, optional
        With which the held-out text is mistyped, to learn the exponents: ``random``,
        ``keyboard``, ``confusables``, ``drop``, ``insert``, ``swap``. By default ``random``
        for words, ``drop`` for marks.
    rate : float
        How many words or marks are mistyped there.
    held_out : float
        The share of the text, from its end, that the exponents are learnt from.
    sigma2, smoothing, spelling
        As in :class:`fstce.Tagger`.
    rare : int
        Words seen at most so often teach the model what unknown words are like.
    decoder : {"words", "best", "sum"}
        See :mod:`fstce.correction.decoding`.
    threshold : float
        Changes of less posterior probability are not made.
    prune : float
        Arcs of less posterior probability, without the model, are not composed with it.
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
    """

    vocabulary_: dict[str, int]
    lexicon_: dict[str, int]
    tagger_: Tagger | None
    ngrams_: NgramModel | None
    exponents_: dict[str, float]
    tuning_: Tuning | None
    annealing = None

    def __init__(
        self,
        spell: int = 1,
        punctuation: int = 0,
        classes: int | str | None = "words",
        order: int = 2,
        criterion: str = "contrastive",
        ngrams: int = 3,
        damerau: bool = True,
        limit: int = 50,
        channel: Channel | None = None,
        marks: Sequence[str] | None = None,
        mark_channel: Channel | None = None,
        exponent: float | None = None,
        exponents: Mapping[str, float] | None = None,
        mistakes: Sequence[str] | None = None,
        rate: float = 0.1,
        held_out: float = 0.1,
        sigma2: float | None = 1.0,
        smoothing: float = 1.0,
        spelling: bool = True,
        rare: int = 1,
        decoder: str = "words",
        threshold: float = 0.0,
        prune: float = 1e-6,
        seed: int = 0,
        tolerance: float = 1e-4,
        max_iterations: int = 150,
        jobs: int | None = None,
    ) -> None:
        self.spell = spell
        self.punctuation = punctuation
        self.classes = classes
        self.order = order
        self.criterion = criterion
        self.ngrams = ngrams
        self.damerau = damerau
        self.limit = limit
        self.channel = channel
        self.marks = marks
        self.mark_channel = mark_channel
        self.exponent = exponent
        self.exponents = exponents
        self.mistakes = mistakes
        self.rate = rate
        self.held_out = held_out
        self.sigma2 = sigma2
        self.smoothing = smoothing
        self.spelling = spelling
        self.rare = rare
        self.decoder = decoder
        self.threshold = threshold
        self.prune = prune
        self.seed = seed
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.jobs = jobs

    def fit(
        self,
        sentences: Sentences,
        tags: Iterable[Sequence[str]] | None = None,
        *,
        dictionary: Dictionary | None = None,
        lexicon: Mapping[str, int] | None = None,
        monitor: Monitor | None = None,
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
        monitor : Monitor, optional
            Called after every iteration.

        Raises
        ------
        CorpusError, DictionaryError, MachineError, NeighborhoodError, ParameterError
            Naming the sentence, the word or the parameter.
        """
        self._check_parameters()
        rows = checked_sentences(sentences)
        if dictionary is None and tags is not None:
            dictionary = _dictionary_of(rows, list(tags))
        self.lexicon_ = _checked_lexicon(lexicon)
        self.exponents_ = {**FIRST, **dict(self.exponents or {})}
        self.tuning_ = None
        held = int(len(rows) * self.held_out)
        if held >= LEAST_HELD_OUT and self.exponents is None:
            self._adopt(self._parts(rows[:-held], dictionary, monitor))
            self._tune(rows[-held:])
        self._adopt(self._parts(rows, dictionary, monitor))
        return self

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """The corrected words of each sentence."""
        return [list(found.words) for found in self.correct(sentences)]

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences, and say what was changed, how surely, and what else it may be.

        A sentence whose lattice exceeds a limit comes back unchanged, with a warning.
        """
        return list(self.correct_each(sentences, alternatives=alternatives))

    def correct_each(self, sentences: Sentences, *, alternatives: int = 5) -> Iterator[Correction]:
        """The same one batch of sentences after another, for streams."""
        self._check_fitted("exponents_")
        self._check_parameters()
        batch: list[Sequence[str]] = []
        for number, sentence in enumerate(sentences, 1):
            _check_typed(sentence, number)
            batch.append(sentence)
            if len(batch) == BATCH:
                yield from self._corrected(batch, alternatives)
                batch = []
        if batch:
            yield from self._corrected(batch, alternatives)

    def predict_proba(self, sentences: Sentences) -> list[list[list[tuple[str, float]]]]:
        """For each typed word what it may have been meant to be, with posterior probabilities."""
        found = self.correct(sentences, alternatives=self.limit + 1)
        return [[list(row) for row in correction.alternatives] for correction in found]

    def score(self, sentences: Sentences, true: Sentences) -> float:
        """F½ of the corrections of typed sentences, given what was meant; from 0 to 1."""
        typed = list(sentences)
        return correction_scores(typed, true, self.predict(typed)).correction.f(0.5)

    def neighborhood(self, weighted: bool = False) -> Neighborhood:
        """SPELL≤k, PUNC≤k or both over the words that are known; weighted as for decoding."""
        exponent = 1.0 if weighted else self.exponent
        words: dict[str, int] = {**self.lexicon_}
        for word, count in self.vocabulary_.items():
            words[word] = words.get(word, 0) + count
        spell = None
        if self.spell:
            candidates = Candidates(
                words, self.spell, damerau=self.damerau, limit=self.limit, channel=self.channel
            )
            spell = Spell(candidates, exponent)
        if not self.punctuation:
            return spell if spell is not None else Neighborhood.__new__(Neighborhood)
        return Punctuate(
            self.punctuation, self._marks(), channel=self.mark_channel, exponent=exponent, spell=spell
        )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Save the model as a folder; an interrupted save leaves what was there."""
        from fstce.correction.corrector_files import save

        save(self, folder)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> Corrector:
        """Load a saved model; raises ModelFileError where it is damaged, foreign or of another version."""
        from fstce.correction.corrector_files import load

        return load(folder)

    def known(self, word: str) -> bool:
        """Whether text or lexicon has the word."""
        return word in self.vocabulary_ or word in self.lexicon_ or word.lower() in self.lexicon_

    def _adopt(self, parts: _Parts) -> None:
        self.vocabulary_, self.tagger_, self.ngrams_, self._spelling = parts
        self._decoding = None

    def _parts(
        self, rows: Sequence[Sequence[str]], dictionary: Dictionary | None, monitor: Monitor | None
    ) -> _Parts:
        """Train all parts on some sentences."""
        vocabulary = dict(Counter(word for row in rows for word in row))
        ngrams = NgramModel(rows, self.ngrams) if self.ngrams else None
        tagger = None
        if self.criterion != "none":
            self.vocabulary_ = vocabulary
            tagger = self._tagger().fit(rows, dictionary=self._dictionary(dictionary), monitor=monitor)
        return _Parts(vocabulary, tagger, ngrams, SpellingModel(vocabulary))

    def _tagger(self) -> Tagger:
        contrastive = self.criterion == "contrastive"
        return Tagger(
            neighborhood=self.neighborhood() if contrastive else "identity",
            order=self.order,
            sigma2=self.sigma2,
            spelling=self.spelling and contrastive and self.classes != "words",
            criterion=self.criterion,
            smoothing=self.smoothing,
            oov=True,
            rare=self.rare,
            start="random" if isinstance(self.classes, int) else "uniform",
            seed=self.seed,
            tolerance=self.tolerance,
            max_iterations=self.max_iterations,
            jobs=self.jobs,
        )

    def _dictionary(self, given: Dictionary | None) -> Dictionary:
        """The dictionary of the model: the one given, or one of latent classes."""
        if given is not None:
            return given
        if self.classes == "words":
            often = [word for word, count in self.vocabulary_.items() if count > self.rare]
            return TagDictionary({w: w for w in often}, tagset=[*often, RARE], open_class=[RARE])
        if not isinstance(self.classes, int):
            raise ParameterError("give tags or a dictionary, or the number of latent classes")
        return TagDictionary({}, tagset=[f"C{i}" for i in range(1, self.classes + 1)])

    def _marks(self) -> tuple[str, ...]:
        return english_marks() if self.marks is None else tuple(self.marks)

    def _factors(self) -> Factors:
        tagger = None
        if self.tagger_ is not None:
            tagger = WeightedTagger(self.tagger_.features_, self.tagger_.theta_, self.tagger_.dictionary_)
        return Factors(tagger, self.ngrams_, self._spelling, self.known)

    def _values(self) -> Floats:
        return np.array([self.exponents_[name] for name in COLUMNS])

    def _lattices(self, sentences: Sequence[Sequence[str]]) -> list[Lattice]:
        if self._decoding is None:
            self._decoding = self.neighborhood(weighted=True)
        kind = self._decoding
        words = list(dict.fromkeys(word for sentence in sentences for word in sentence))
        introduced = [word for word in kind.introduced(words) if fault(word) is None]
        return list(kind.expand(sentences, Symbols([*words, *introduced])))

    def _read(
        self, sentences: Sequence[Sequence[str]], lattices: Sequence[Lattice], prune: float
    ) -> Readings:
        marks = frozenset(self._marks()) if self.punctuation else frozenset()
        return read(lattices, self._factors(), self._values(), marks=marks, typed=sentences, prune=prune)

    def _corrected(self, sentences: Sequence[Sequence[str]], n: int) -> list[Correction]:
        try:
            readings = self._read(sentences, self._lattices(sentences), self.prune)
        except MachineError as error:
            if len(sentences) == 1:
                warnings.warn(f"a sentence is left as it is: {error}", stacklevel=2)
                return [Correction(tuple(sentences[0]), tuple(sentences[0]))]
            half = len(sentences) // 2
            return [*self._corrected(sentences[:half], n), *self._corrected(sentences[half:], n)]
        return corrections(
            readings,
            self._values(),
            sentences,
            marks=frozenset(self._marks()) if self.punctuation else frozenset(),
            decoder=self.decoder,
            threshold=self.threshold,
            n=n,
        )

    def _tune(self, rows: Sequence[Sequence[str]]) -> None:
        """Learn the exponents from sentences that the parts at hand were not trained on."""
        pairs = [
            pair for typing in range(TYPINGS) for pair in zip(self._mistyped(rows, typing), rows, strict=True)
        ]
        typed = [row for row, _ in pairs if row]
        wanted = [row for typing, row in pairs if typing]
        whole, true, mistakes, kept = [], [], 0, 0
        for i in range(0, len(typed), BATCH):
            lattices = self._lattices(typed[i : i + BATCH])
            meant = [_reachable(*row) for row in zip(lattices, typed[i:], wanted[i:], strict=False)]
            index = [j for j, row in enumerate(meant) if row is not None]
            if not index:
                continue
            some = [typed[i + j] for j in index]
            rest = [lattices[j] for j in index]
            truths = [meant[j] for j in index]
            only = [_restricted(a, b) for a, b in zip(rest, truths, strict=True) if b is not None]
            whole.append(self._read(some, rest, self.prune / 10))
            true.append(self._read(some, only, 0.0))
            kept += len(some)
            mistakes += sum(list(a) != list(b or ()) for a, b in zip(some, truths, strict=True))
        if not kept:
            return
        used = [name for name in COLUMNS if self._is_used(name)]
        found, before, after = tune(whole, true, self._values(), used)
        self.exponents_ = dict(zip(COLUMNS, found.tolist(), strict=True))
        self.tuning_ = Tuning(kept, mistakes, before, after)

    def _is_used(self, column: str) -> bool:
        if column == "model":
            return self.tagger_ is not None
        if column == "ngrams":
            return self.ngrams_ is not None
        return column in ("channel", "edited") or bool(self.spell)

    def _mistyped(self, rows: Sequence[Sequence[str]], typing: int) -> list[list[str]]:
        """The sentences with mistakes of each kind, one kind after another."""
        kinds = self.mistakes
        if kinds is None:
            kinds = [*(["random"] if self.spell else []), *(["drop"] if self.punctuation else [])]
        seed = self.seed * TYPINGS + typing
        typed = [list(row) for row in rows]
        for kind in kinds:
            typed = [found.typed for found in self._corruption(kind, typed, seed)]
        return typed

    def _corruption(self, kind: str, rows: list[list[str]], seed: int) -> list[Corruption]:
        if kind == "random":
            return random_edits(rows, seed, self.rate)
        if kind == "keyboard":
            return keyboard_edits(rows, seed, self.rate)
        if kind == "confusables":
            return real_words(rows, confusables(), seed, self.rate)
        marks = [mark for mark in self._marks() if mark in self.vocabulary_]
        corrupt = {"drop": drop_marks, "insert": insert_marks, "swap": swap_marks}[kind]
        return corrupt(rows, marks, seed, self.rate)

    def _check_parameters(self) -> None:
        self._check_training()
        self._check_choices(criterion=CRITERIA, decoder=DECODERS)
        for name in ("spell", "punctuation"):
            value = getattr(self, name)
            if not isinstance(value, Integral) or not 0 <= value <= 3:
                raise ParameterError(f"{name}={value!r}: the number of edits is 0, 1, 2 or 3")
        if not self.spell and not self.punctuation:
            raise ParameterError("spell and punctuation are both 0: there is nothing to correct")
        if self.ngrams not in (0, 1, 2, 3):
            raise ParameterError(f"ngrams={self.ngrams!r}: a word n-gram has 1, 2 or 3 words, or is 0 for none")
        if not (self.classes in (None, "words") or (isinstance(self.classes, int) and self.classes > 0)):
            raise ParameterError(f"classes={self.classes!r}: give a number, 'words', or None with a dictionary")
        for name in ("rate", "held_out", "threshold", "prune"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= value <= 1:
                raise ParameterError(f"{name}={value!r}: it is a number from 0 to 1")
        for kind in self.mistakes or ():
            if kind not in MISTAKES:
                raise ParameterError(f"mistakes={kind!r}: choose among {', '.join(MISTAKES)}")
        for name in self.exponents or ():
            if name not in COLUMNS:
                raise ParameterError(f"there is no exponent {name!r}; they are {', '.join(COLUMNS)}")

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_decoding": None}


def _dictionary_of(rows: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> TagDictionary:
    allowed: dict[str, set[str]] = {}
    if len(rows) != len(tags):
        raise CorpusError(f"{len(rows)} sentences but {len(tags)} rows of tags; give each sentence its own")
    for words, row in zip(rows, tags, strict=True):
        for word, tag in zip(words, row, strict=True):
            allowed.setdefault(word, set()).add(tag)
    return TagDictionary(allowed)


def _checked_lexicon(lexicon: Mapping[str, int] | None) -> dict[str, int]:
    found = dict(lexicon or {})
    for word, count in found.items():
        reason = fault(word)
        if reason is not None:
            raise ParameterError(f"the lexicon's {word!r} cannot be a word: {reason}")
        if not isinstance(count, Integral) or count < 0:
            raise ParameterError(f"the lexicon's count of {word!r} is {count!r}; counts are whole numbers")
    return found


def _check_typed(sentence: Sequence[str], number: int) -> None:
    checked_sentences([sentence]) if not isinstance(sentence, str) and len(sentence) else _refuse(number)


def _refuse(number: int) -> None:
    raise CorpusError(f"sentence {number} is empty or a bare string; give a list of words")


def _reachable(
    lattice: Lattice, typed: Sequence[str], true: Sequence[str]
) -> Sequence[str] | None:
    """The true sentence, or the nearest that the lattice has: words out of reach stay as typed."""
    if lattice.accepts(true):
        return true
    if len(typed) == len(true):
        nearest = [
            meant if lattice.accepts([*typed[:i], meant, *typed[i + 1 :]]) else word
            for i, (word, meant) in enumerate(zip(typed, true, strict=True))
        ]
        if lattice.accepts(nearest):
            return nearest
    return None


def _restricted(lattice: Lattice, words: Sequence[str]) -> Lattice:
    """The lattice with one sentence left, and that sentence's weight."""
    itself = arrays_to_fst(linear(lattice.symbols.ids(words)))
    import pynini

    one = pynini.arcmap(itself, map_type=f"to_{lattice.arc_type}")
    plain = arrays_to_fst(lattice.arrays, lattice.arc_type).arcsort("ilabel")
    found = algebra.compose(one, plain, lattice.name)
    return Lattice(fst_to_arrays(found.topsort()), lattice.symbols, lattice.name)
