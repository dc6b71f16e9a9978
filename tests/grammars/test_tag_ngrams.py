"""The machine of tag n-grams against a walk over each tag sequence."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pynini
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.errors import MachineError
from fstce.grammars import tag_ngrams
from fstce.machines import fst_to_arrays

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
    fst = tag_ngrams.build(n_tags, order)
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


@pytest.mark.parametrize(("n_tags", "order"), SIZES)
def test_the_machine_is_deterministic_sound_and_sorted(n_tags: int, order: int) -> None:
    fst = tag_ngrams.build(n_tags, order)
    assert fst.verify()
    for bit in (pynini.I_DETERMINISTIC, pynini.I_LABEL_SORTED, pynini.UNWEIGHTED):
        assert fst.properties(bit, True) == bit
    assert sum(map(fst.num_arcs, fst.states())) == (n_tags + 1) ** order


def test_nothing_follows_the_boundary_at_the_end() -> None:
    fst = tag_ngrams.build(2, 3)
    (end,) = [state for state in fst.states() if str(fst.final(state)) == "0"]
    assert fst.num_arcs(end) == 0


@given(st.integers(1, 4), st.sampled_from(tag_ngrams.ORDERS), st.data())
def test_decoding_undoes_numbering(n_tags: int, order: int, data: st.DataObject) -> None:
    tag = st.integers(0, n_tags)
    tags = data.draw(st.lists(tag, min_size=order, max_size=order))
    code = 1 + sum(tag * (n_tags + 1) ** i for i, tag in enumerate(reversed(tags)))
    assert tag_ngrams.decode(np.array([code]), n_tags, order).tolist() == [tags]


def test_weights_lie_on_the_arcs_of_their_codes() -> None:
    weight = np.arange(10.0) / 2
    arrays = fst_to_arrays(tag_ngrams.build(2, 2, weight))
    np.testing.assert_array_equal(arrays.weight, weight[arrays.olabel])


def test_too_many_ngrams_are_refused_before_they_are_built() -> None:
    with pytest.raises(MachineError, match=r"order 3 over 300 tags have 27,270,901 arcs; project the tags"):
        tag_ngrams.build(300, 3)


BIGRAMS = st.integers(1, 3).flatmap(
    lambda n_tags: st.lists(
        st.lists(st.booleans(), min_size=n_tags + 1, max_size=n_tags + 1),
        min_size=n_tags + 1,
        max_size=n_tags + 1,
    ).map(np.array)
)


def _within(bigrams: np.ndarray, order: int) -> list[tuple[int, ...]]:
    """The n-grams that may be read where the start is any number of boundaries, the end one."""
    end = len(bigrams) - 1
    allowed = {
        (a, b): bool(bigrams[a, b]) or a == b == end for a, b in product(range(end + 1), repeat=2)
    }  # boundaries before the sentence follow each other
    return [
        ngram
        for ngram in product(range(end + 1), repeat=order)
        if all(allowed[pair] for pair in pairwise(ngram))
        # nothing follows the end, and a sentence is not empty
        and not any(a != end and b == end for a, b in pairwise(ngram[:-1]))
        and (order == 1 or ngram != (end,) * order)
    ]


@given(BIGRAMS, st.sampled_from(tag_ngrams.ORDERS), st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_a_history_of_some_ngrams_reads_the_sentences_of_these(
    bigrams: np.ndarray, order: int, tags: list[int]
) -> None:
    n_tags = len(bigrams) - 1
    row = tuple(tag % n_tags for tag in tags)
    ngrams = np.array(_within(bigrams, order), dtype=np.int64).reshape(-1, order)
    codes = ngrams @ (n_tags + 1) ** np.arange(order)[::-1] + 1
    fst = tag_ngrams.build(n_tags, order, codes=codes)
    assert fst.verify()
    for bit in (pynini.I_DETERMINISTIC, pynini.I_LABEL_SORTED):
        assert fst.properties(bit, True) == bit
    allowed = {tuple(ngram) for ngram in tag_ngrams.decode(codes, n_tags, order).tolist()}
    if set(_ngrams(row, n_tags, order)) <= allowed:
        assert _codes(fst, row, n_tags) == _codes(tag_ngrams.build(n_tags, order), row, n_tags)
    else:
        with pytest.raises(ValueError, match="not enough values"):
            _codes(fst, row, n_tags)


def test_weights_lie_on_the_arcs_of_chosen_codes() -> None:
    weight = np.arange(28.0) / 2
    codes = tag_ngrams.possible(2, 3)[::2]
    arrays = fst_to_arrays(tag_ngrams.build(2, 3, weight, codes))
    np.testing.assert_array_equal(arrays.weight, weight[arrays.olabel])
    assert sorted(arrays.olabel.tolist()) == codes.tolist()


def test_a_few_ngrams_of_many_tags_are_built() -> None:
    codes = np.array([1, 301**3 - 301])
    assert tag_ngrams.build(300, 3, codes=codes).num_states() <= 6
    with pytest.raises(MachineError, match=r"order 3 over 1500 tags .* project the tags"):
        tag_ngrams.build(1500, 3, codes=codes)  # the code of an n-gram is a label of 31 bits
