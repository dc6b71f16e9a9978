"""Codes of tag n-grams, and the machine that writes them, against a walk over each tag sequence."""

from __future__ import annotations

from itertools import product

import numpy as np
import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tagging_cases import tag_ngram_machine

from fstce.grammars import tag_ngrams

SIZES = [(n_tags, order) for n_tags in (1, 2, 3) for order in tag_ngrams.ORDERS]


def _ngrams(tags: tuple[int, ...], n_tags: int, order: int) -> list[tuple[int, ...]]:
    """The n-grams of a tagged sentence: order − 1 boundaries before it, one after it."""
    padded = (n_tags,) * (order - 1) + tags + (n_tags,)
    return [padded[i : i + order] for i in range(len(tags) + 1)]


def _codes(fst: pynini.Fst, tags: tuple[int, ...], n_tags: int) -> list[int]:
    """The output labels of the only path that reads the tags and the boundary."""
    state, codes = fst.start(), []
    for label in (*(tag + 1 for tag in tags), n_tags + 1):
        (arc,) = [arc for arc in fst.arcs(state) if arc.ilabel == label]
        codes.append(arc.olabel)
        state = arc.nextstate
    assert fst.final(state) != pynini.Weight.zero("tropical")
    return codes


@pytest.mark.parametrize(("n_tags", "order"), SIZES)
def test_each_step_writes_the_ngram_that_it_completes(n_tags: int, order: int) -> None:
    fst = tag_ngram_machine(n_tags, order)
    for length in range(5):
        for tags in product(range(n_tags), repeat=length):
            read = tag_ngrams.decode(np.array(_codes(fst, tags, n_tags)), n_tags, order)
            assert [tuple(row) for row in read.tolist()] == _ngrams(tags, n_tags, order)


@pytest.mark.parametrize(("n_tags", "order"), SIZES)
def test_the_possible_ngrams_are_those_of_some_sentence(n_tags: int, order: int) -> None:
    seen = {
        ngram
        for length in range(1, 5)
        for tags in product(range(n_tags), repeat=length)
        for ngram in _ngrams(tags, n_tags, order)
    }
    codes = tag_ngrams.possible(n_tags, order)
    listed = [tuple(row) for row in tag_ngrams.decode(codes, n_tags, order).tolist()]
    assert set(listed) == seen
    assert len(listed) == len(seen)


@given(st.integers(1, 4), st.sampled_from(tag_ngrams.ORDERS), st.data())
def test_decoding_undoes_numbering(n_tags: int, order: int, data: st.DataObject) -> None:
    tag = st.integers(0, n_tags)
    tags = data.draw(st.lists(tag, min_size=order, max_size=order))
    code = 1 + sum(tag * (n_tags + 1) ** i for i, tag in enumerate(reversed(tags)))
    assert tag_ngrams.decode(np.array([code]), n_tags, order).tolist() == [tags]
