"""Words as units: the threshold of rare words, signatures, counts."""

from __future__ import annotations

import numpy as np
import pytest

from fstce.corpora.signatures import signature
from fstce.latent.model.lexicon import RARE, LexicalUnits


@pytest.fixture(scope="module")
def vocabulary() -> LexicalUnits:
    often = [[("the", "DT"), ("The", "NNP")]] * (RARE + 1)
    return LexicalUnits.of_words([*often, [("Cats", "NNS"), ("run", "VBP")], [("run", "NN")]])


def test_words_of_count_20_are_rare() -> None:
    found = LexicalUnits.of_words([[("a", "DT")]] * RARE + [[("b", "DT")]] * (RARE + 1))
    assert (found.frequent, found.rare) == (("b",), ("a",))


def test_units(vocabulary: LexicalUnits) -> None:
    assert vocabulary.frequent == ("The", "the")
    assert vocabulary.signatures == ("UNK-INITC-s", "UNK-LC")
    assert vocabulary.n_units == 4
    units = [
        vocabulary.unit(word, first)
        for word, first in (("the", True), ("Dogs", True), ("run", False))
    ]
    assert units == [1, 2, 3]
    assert vocabulary.unit("Dogs", False) == -1


def test_a_known_lower_case_form_is_seen_in_the_signature(vocabulary: LexicalUnits) -> None:
    assert signature("Run", True, vocabulary.rows.__contains__) == "UNK-INITC-KNOWNLC"


def test_tag_counts(vocabulary: LexicalUnits) -> None:
    assert vocabulary.tags == ("DT", "NN", "NNP", "NNS", "VBP")
    run = vocabulary.tag_counts[vocabulary.rows["run"]]
    assert run.tolist() == [0, 1, 0, 0, 1]
    np.testing.assert_array_equal(vocabulary.tag_counts.sum(axis=1), [21, 21, 1, 2])
