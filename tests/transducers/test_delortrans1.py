"""The shipped transducer delortrans1 against its definition."""

from __future__ import annotations

import oracles
from neighbor_cases import assert_equals_oracle, assert_equivariance_is_earned, short_sentences

from fstce import neighborhood
from fstce.transducers import delortrans1


def test_it_equals_the_definition_on_every_short_sentence() -> None:
    assert_equals_oracle(delortrans1, oracles.delortrans1)


def test_it_treats_all_words_alike() -> None:
    assert_equivariance_is_earned(delortrans1)


def test_it_is_the_union_of_del1word_and_trans1() -> None:
    both, union = map(neighborhood, ("delortrans1", "del1word | trans1"))
    for words in short_sentences():
        assert set(both(words).strings()) == set(union(words).strings())
