"""What a corrector accepts: parameters, tags, a lexicon, typed sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from fstce.corpora.words import fault
from fstce.correction.factors.columns import COLUMNS
from fstce.correction.mistakes.mistyping import MISTAKES
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.estimator import checked_sentences

if TYPE_CHECKING:
    from fstce.correction.corrector import Corrector

NUMBERS = (int, float, np.number)


def check_parameters(corrector: Corrector) -> None:
    """Raise ParameterError where a parameter of a corrector alone is out of range."""
    for name in ("spell", "punctuation"):
        if getattr(corrector, name) not in (0, 1, 2, 3):
            raise ParameterError(f"{name}={getattr(corrector, name)!r}: the number of edits is 0, 1, 2 or 3")
    if not corrector.spell and not corrector.punctuation:
        raise ParameterError("spell and punctuation are both 0: there is nothing to correct")
    ngrams, classes = corrector.ngrams, corrector.classes
    if ngrams not in (0, 1, 2, 3):
        raise ParameterError(f"ngrams={ngrams!r}: a word n-gram has 1, 2 or 3 words, or is 0 for none")
    if not (classes in (None, "words") or (isinstance(classes, int) and classes > 0)):
        raise ParameterError(f"classes={classes!r}: give a number, 'words', or None with a dictionary")
    for name in ("rate", "threshold", "prune"):
        value = getattr(corrector, name)
        if not isinstance(value, NUMBERS) or not 0 <= value <= 1:
            raise ParameterError(f"{name}={value!r}: it is a number from 0 to 1")
    check_held_out(corrector.held_out)
    for kind in corrector.mistakes or ():
        if kind not in MISTAKES:
            raise ParameterError(f"mistakes={kind!r}: choose among {', '.join(MISTAKES)}")
    for name in corrector.exponents or ():
        if name not in COLUMNS:
            raise ParameterError(f"there is no exponent {name!r}; they are {', '.join(COLUMNS)}")


def check_held_out(share: float) -> None:
    """Raise ParameterError unless a share of the text to hold out leaves some to train on."""
    if not isinstance(share, NUMBERS) or not 0 <= share < 1:
        raise ParameterError(f"held_out={share!r}: it is a number from 0 to 1, and less than 1")


def checked_lexicon(lexicon: Mapping[str, int] | None) -> dict[str, int]:
    """A copy; raises ParameterError where a word cannot be one or a count is none."""
    found = dict(lexicon or {})
    for word, count in found.items():
        reason = fault(word)
        if reason is not None:
            raise ParameterError(f"the lexicon's {word!r} cannot be a word: {reason}")
        if not isinstance(count, Integral) or int(count) < 0:
            raise ParameterError(f"the lexicon's count of {word!r} is {count!r}; counts are whole numbers")
    return found


def check_typed(sentence: Sequence[str], number: int) -> None:
    """Raise CorpusError unless a typed sentence is a list of words that can be symbols."""
    if isinstance(sentence, str) or not len(sentence):
        raise CorpusError(f"sentence {number} is empty or a bare string; give a list of words")
    try:
        checked_sentences([sentence])
    except CorpusError as error:
        raise CorpusError(str(error).replace("sentence 1", f"sentence {number}", 1)) from None
