"""What a corrector accepts: a lexicon, misspellings or a speller, typed sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fstce.corpora.rows import listed
from fstce.corpora.words import fault
from fstce.correction.mistakes.channel import Channel
from fstce.correction.mistakes.misspellings import LearnedChannel
from fstce.correction.mistakes.wordlist import WordList, word_list
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.estimator import checked_sentences
from fstce.numeric.rules import LARGE, TOTAL, instance, is_listable, mapping, sequence, shown
from fstce.numeric.types import Rows, Sentences
from fstce.speller.speller import Speller


def checked_lexicon(lexicon: Mapping[str, int] | None) -> WordList:
    """Its words as an automaton; raises ParameterError where a word cannot be one or a count is none."""
    if isinstance(lexicon, WordList):
        return lexicon
    mapping().or_none().check(lexicon=lexicon)
    found = dict(lexicon or {})
    for word, count in found.items():
        reason = fault(word)
        if reason is not None:
            raise ParameterError(f"the lexicon's {word!r} cannot be a word: {reason}")
        if not (type(count) is int and 0 <= count < LARGE) and not TOTAL.admits(count):
            raise ParameterError(f"the lexicon's count of {word!r} is {shown(count)}: give {TOTAL.allowed}")
    return word_list(found)


def check_typed(sentence: Sequence[str], number: int) -> None:
    """Raise CorpusError unless a typed sentence is a list of words that can be symbols."""
    if not is_listable(sentence) or not len(sentence):
        raise CorpusError(f"sentence {number} is empty or a bare string; give a list of words")
    try:
        checked_sentences([sentence])
    except CorpusError as error:
        raise CorpusError(str(error).replace("sentence 1", f"sentence {number}", 1)) from None


def checked_typed(sentences: Sentences) -> Rows:
    """Typed sentences as lists; raises CorpusError unless each is a list of words that can be symbols."""
    rows = listed(sentences, "sentences")
    for number, row in enumerate(rows, 1):
        check_typed(row, number)
    return rows


def of_speller(
    speller: Speller, lexicon: Mapping[str, int] | None, misspellings: object
) -> tuple[Mapping[str, int], LearnedChannel]:
    """The words of a trained speller where no others are given, and its errors as a channel."""
    instance("a trained Speller", "Speller").check(speller=speller)
    if misspellings is not None:
        raise ParameterError("speller and misspellings: the channel is of one of them; leave the other out")
    speller._check_fitted("errors_")
    words = speller.lexicon_.counts() if lexicon is None else lexicon
    own = words if lexicon is not None else {w: count for w, count in words.items() if fault(w) is None}
    return own, LearnedChannel(errors=speller.errors_)


def checked_misspellings(
    pairs: Sequence[tuple[str, str]] | Channel | None,
) -> tuple[tuple[str, str], ...] | Channel:
    """Pairs of a misspelling and the word meant, or a channel; raises ParameterError where one is none."""
    if isinstance(pairs, Channel):
        return pairs
    sequence().or_none().check(misspellings=pairs)
    rows = () if pairs is None else tuple(pairs)
    for pair in rows:
        is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(isinstance(w, str) for w in pair)
        if not is_pair or not all(pair):
            raise ParameterError(
                f"misspellings: {shown(pair)} is no pair of a misspelling and the word meant"
            )
    return tuple((typed, meant) for typed, meant in rows)
