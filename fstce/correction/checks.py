"""What a corrector accepts: a lexicon, typed sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fstce.corpora.words import fault
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.estimator import checked_sentences
from fstce.numeric.rules import TOTAL, is_listable, mapping, sequence, shown


def checked_lexicon(lexicon: Mapping[str, int] | None) -> dict[str, int]:
    """A copy; raises ParameterError where a word cannot be one or a count is none."""
    mapping().or_none().check(lexicon=lexicon)
    found = dict(lexicon or {})
    for word, count in found.items():
        reason = fault(word)
        if reason is not None:
            raise ParameterError(f"the lexicon's {word!r} cannot be a word: {reason}")
        if not TOTAL.admits(count):
            raise ParameterError(f"the lexicon's count of {word!r} is {shown(count)}: give {TOTAL.allowed}")
    return found


def check_typed(sentence: Sequence[str], number: int) -> None:
    """Raise CorpusError unless a typed sentence is a list of words that can be symbols."""
    if not is_listable(sentence) or not len(sentence):
        raise CorpusError(f"sentence {number} is empty or a bare string; give a list of words")
    try:
        checked_sentences([sentence])
    except CorpusError as error:
        raise CorpusError(str(error).replace("sentence 1", f"sentence {number}", 1)) from None


def checked_misspellings(pairs: Sequence[tuple[str, str]] | None) -> tuple[tuple[str, str], ...]:
    """Pairs of a misspelling and the word meant; raises ParameterError where one is no such pair."""
    sequence().or_none().check(misspellings=pairs)
    rows = () if pairs is None else tuple(pairs)
    for pair in rows:
        is_pair = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(isinstance(w, str) for w in pair)
        if not is_pair or not all(pair):
            raise ParameterError(
                f"misspellings: {shown(pair)} is no pair of a misspelling and the word meant"
            )
    return tuple((typed, meant) for typed, meant in rows)
