"""The base of both correctors: corrected words, their score, exponents, what they accept.

Their parameters are the fields of a dataclass, so that each is named once.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar
from unicodedata import normalize

import numpy as np

from fstce.corpora.words import composed, fault, is_fit, listed
from fstce.correction.decoding import Change, Correction
from fstce.correction.mistakes.misspellings import LearnedChannel
from fstce.errors import MachineError, ParameterError
from fstce.estimation.estimator import Estimator
from fstce.evaluation.correction import correction_scores
from fstce.numeric.types import Floats, Sentences, Words
from fstce.parameters.rules import LARGE, TOTAL, instance, mapping, sequence, shown
from fstce.speller.channel import Channel
from fstce.speller.speller import Speller
from fstce.speller.wordlist import WordList, word_list

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class BaseCorrector(Estimator):
    """Corrects sentences with factors whose exponents are learned from mistakes made on purpose.

    Attributes
    ----------
    COLUMNS : tuple of str
        The factors of a score.
    FIRST : mapping of str to float
        Their exponents where none are learned.
    exponents_ : dict of str to float

    Examples
    --------
    >>> from fstce import Corrector
    >>> corrector = Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9)
    >>> corrector.exponents_ == corrector.FIRST
    True
    """

    COLUMNS: ClassVar[tuple[str, ...]]
    FIRST: ClassVar[Mapping[str, float]]

    spell: int
    channel: Channel | None
    exponents: Mapping[str, float] | None
    exponents_: dict[str, float]

    def correct(self, sentences: Sentences, *, alternatives: int = 5) -> list[Correction]:
        """Correct sentences, and say what was changed, how surely, and what else it may be.

        A sentence that exceeds a limit comes back unchanged, with a warning.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        alternatives : int
            How many other candidates of each word are listed at most.

        Returns
        -------
        list of Correction

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.correct([["the", "caat", "sat"]])[0].words
        ('the', 'cat', 'sat')
        """
        raise NotImplementedError

    def predict(self, sentences: Sentences) -> list[list[str]]:
        """The corrected words of each sentence.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.

        Returns
        -------
        list of lists of str

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.predict([["the", "caat", "sat"]])
        [['the', 'cat', 'sat']]
        """
        return [list(correction.words) for correction in self.correct(sentences)]

    def score(self, sentences: Sentences, true: Sentences) -> float:
        """F½ of the corrections of observed sentences, given what was intended; from 0 to 1.

        Parameters
        ----------
        sentences : iterable of sequences of str
            A sentence is a list of words.
        true : iterable of sequences of str
            What was intended.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> from fstce import Corrector
        >>> corrector = Corrector(held_out=0).fit([["the", "cat", "sat"]] * 9)
        >>> corrector.score([["the", "caat", "sat"]], [["the", "cat", "sat"]])
        1.0
        """
        observed = listed(sentences, "sentences")
        return correction_scores(observed, true, self.predict(observed)).correction.f(0.5)

    def _initial_exponents(self) -> dict[str, float]:
        """The exponents that are given, and of the other factors those of :data:`FIRST`."""
        return {**self.FIRST, **dict(self.exponents or {})}

    def _exponents(self) -> Floats:
        """The exponents in the order of the factors, shape (columns,)."""
        return np.array([self.exponents_[name] for name in self.COLUMNS])


def unchanged(sentence: Words, reason: object, stacklevel: int) -> Correction:
    """A sentence that is left as it is, with a warning that says why."""
    warnings.warn(f"a sentence is left as it is: {reason}", stacklevel=stacklevel + 1)
    return Correction(tuple(sentence), tuple(sentence))


def halved(
    items: Sequence[Item], work: Callable[[Sequence[Item]], Answer]
) -> Iterator[tuple[Sequence[Item], Answer | MachineError]]:
    """Items, part by part, with the answer of `work`, or the error of one beyond a limit.

    >>> def work(some):
    ...     if len(some) > 2:
    ...         raise MachineError("too large")
    ...     return sum(some)
    >>> list(halved([1, 2, 3, 4], work))
    [([1, 2], 3), ([3, 4], 7)]
    """
    try:
        answer: Answer | MachineError = work(items)
    except MachineError as error:
        half = len(items) // 2
        if half:
            yield from halved(items[:half], work)
            yield from halved(items[half:], work)
            return
        answer = error
    yield items, answer


def checked_lexicon(lexicon: Mapping[str, int] | None) -> WordList:
    """A lexicon as an automaton, its words composed; raises ParameterError for what is none."""
    if isinstance(lexicon, WordList):
        return lexicon
    mapping().or_none().check(lexicon=lexicon)
    counts = Counter[str]()
    for word, count in (lexicon or {}).items():
        reason = fault(word)
        if reason is not None:
            raise ParameterError(f"the lexicon's {word!r} cannot be a word: {reason}")
        # A lexicon has a hundred thousand counts, and all but some are of the plainest kind.
        if not (type(count) is int and 0 <= count < LARGE) and not TOTAL.admits(count):
            raise ParameterError(
                f"the lexicon's count of {word!r} is {shown(count)}: give {TOTAL.allowed}"
            )
        counts[composed(word)] += count
    return word_list(counts)


def in_form_of(correction: Correction, observed: Words) -> Correction:
    """A correction of words in NFC, of these words, which are what stays of it.

    What is changed is decomposed where they are.
    """
    if correction.observed == tuple(observed):
        return correction
    words: list[str] = []
    changes: list[Change] = []
    at = 0
    for change in correction.changes:
        intended = tuple(normalize("NFD", word) for word in change.words)
        words += (*observed[at : change.start], *intended)
        at = change.end
        before = tuple(observed[change.start : at])
        changes.append(replace(change, observed=before, words=intended))
    return replace(
        correction,
        observed=tuple(observed),
        words=(*words, *observed[at:]),
        changes=tuple(changes),
    )


def check_one_channel(speller: object, misspellings: object) -> None:
    """Raise ParameterError where two things are named of which the channel is to be."""
    if speller is not None and misspellings is not None:
        raise ParameterError(
            "speller and misspellings: the channel is of one of them; leave the other out"
        )


def of_speller(
    speller: Speller, lexicon: Mapping[str, int] | None, misspellings: object
) -> tuple[Mapping[str, int], LearnedChannel]:
    """The words of a trained speller where no others are given, and its errors as a channel."""
    instance("a trained Speller", "Speller").check(speller=speller)
    check_one_channel(speller, misspellings)
    speller._check_fitted("errors_")
    if lexicon is None:
        counts = speller.lexicon_.counts().items()
        lexicon = {word: count for word, count in counts if is_fit(word)}
    return lexicon, LearnedChannel(errors=speller.errors_)


def checked_misspellings(
    pairs: Sequence[tuple[str, str]] | Channel | None,
) -> tuple[tuple[str, str], ...] | Channel:
    """Misspellings with intended words, or a channel; raises ParameterError for others."""
    if isinstance(pairs, Channel):
        return pairs
    sequence().or_none().check(misspellings=pairs)
    rows = () if pairs is None else tuple(pairs)
    for pair in rows:
        is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2
        if not is_pair or not all(isinstance(word, str) and word for word in pair):
            raise ParameterError(
                f"misspellings: {shown(pair)} is no pair of a misspelling and the intended word"
            )
    return tuple((observed, intended) for observed, intended in rows)
