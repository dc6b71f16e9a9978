"""What a corrector has learned, and the words that stand in for a dictionary."""

from __future__ import annotations

import numpy as np
import pytest

from fstce.correction.corrector_model import RARE, CorrectorModel, own_tags
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.factors.spelled import SpellingModel
from fstce.speller.wordlist import word_list

COUNTS = {"the": 3, "cat": 1}


def parts(lexicon: dict[str, int] | None = None, ngrams: bool = True) -> CorrectorModel:
    model = NgramModel([["the", "cat"]], 2) if ngrams else None
    return CorrectorModel(COUNTS, word_list(lexicon or {}), None, model, SpellingModel(COUNTS))


def test_a_word_known_in_one_case_is_known_in_all() -> None:
    found = parts({"dog": 8, "the": 90, "Iraq": 1, "cafes": 2, "élan": 1})
    known = ("cat", "dog", "Dog", "Cat", "CAT", "iraq", "IRAQ", "cafés", "Cat-dog")
    assert all(map(found.known, known))
    assert not any(map(found.known, ("cow", "elan", "cat-cow", "-", "")))


def test_a_share_is_of_what_the_lexicon_alone_has() -> None:
    share = parts({"dog": 8, "the": 90}).factors.lexicon
    assert share is not None
    assert [share(word) for word in ("dog", "Dog", "the", "cow")] == pytest.approx(
        [np.log(9 / 99)] * 2 + [0, 0]
    )
    assert parts().factors.lexicon("dog") == 0


def test_words_that_are_not_rare_are_their_own_tags() -> None:
    assert set(own_tags(COUNTS, rare=0).tagset) == {"the", "cat", RARE}
    assert set(own_tags(COUNTS, rare=1).tagset) == {"the", RARE}
