"""The places of keys and of cells, against dictionaries."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fstce.wfsa.batch import number_cells
from fstce.wfsa.features import locate

NGRAMS = st.sampled_from([1, 2, 97_336, 1 << 50, (1 << 50) + 1])
WORDS = st.sampled_from([5, 6, 1 << 14, 1 << 20])
NUMBERS = st.integers(0, 300)


@given(st.lists(st.tuples(NGRAMS, WORDS), min_size=1, max_size=20))
def test_cells_are_numbered_by_first_use(pairs: list[tuple[int, int]]) -> None:
    """Also where an n-gram and a word have more bits together than a number."""
    ngram, word = np.array(pairs).T
    cell, cell_ngram, cell_word = number_cells(ngram, word)
    expected = list(dict.fromkeys(pairs))
    assert list(zip(cell_ngram.tolist(), cell_word.tolist(), strict=True)) == expected
    assert cell.tolist() == [expected.index(pair) for pair in pairs]


@given(st.sets(NUMBERS), st.lists(NUMBERS, max_size=60))
def test_keys_are_located(keys: set[int], wanted: list[int]) -> None:
    """Few that are looked up among far ones are searched, many have a table."""
    ascending = sorted(keys)
    index, is_there = locate(np.array(ascending, dtype=np.int64), np.array(wanted, dtype=np.int64))
    assert is_there.tolist() == [number in keys for number in wanted]
    assert [ascending[i] for i in index[is_there].tolist()] == [n for n in wanted if n in keys]
