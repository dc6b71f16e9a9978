"""The shipped transducer length against its definition; its lattice is a chain of wildcards."""

from __future__ import annotations

import oracles
from neighbor_cases import ALPHABET, assert_equals_oracle, assert_equivariance_is_earned

from fstce import neighborhood
from fstce.machines.symbols import SIGMA_ID
from fstce.transducers import length


def test_it_equals_the_definition_on_every_short_sentence() -> None:
    assert_equals_oracle(length, lambda words: oracles.length(words, ALPHABET))


def test_it_treats_all_words_alike() -> None:
    assert_equivariance_is_earned(length)


def test_the_vocabulary_is_never_enumerated() -> None:
    lattice = neighborhood("length")(["a", "b", "a"], vocabulary=[f"w{i}" for i in range(10_000)])
    assert lattice.arrays.ilabel.tolist() == [SIGMA_ID] * 3
    assert lattice.count() == 10_002**3


def test_it_accepts_words_of_the_vocabulary_that_the_sentence_has_not() -> None:
    lattice = neighborhood("length")(["a", "b"], vocabulary=["z"])
    assert lattice.accepts(["z", "z"])
    assert not lattice.accepts(["z"])
    assert not lattice.accepts(["z", "unheard"])
