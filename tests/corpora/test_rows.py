"""Rows side by side, and the dictionary that they make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Sentence, TagDictionary
from fstce.corpora.rows import check_aligned, dictionary_of
from fstce.errors import CorpusError

TOKENS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("NV")), min_size=1, max_size=4)


@given(st.lists(TOKENS, min_size=1, max_size=4))
def test_the_dictionary_is_that_of_the_corpus(corpus: list[list[tuple[str, str]]]) -> None:
    rows, tags = ([[token[i] for token in sentence] for sentence in corpus] for i in (0, 1))
    check_aligned(rows, tags)
    found = dictionary_of(rows, [*tags, ["X"]])
    complete = TagDictionary.from_corpus([Sentence(*pair) for pair in zip(rows, tags, strict=True)])
    assert {word: found[word] for word in found} == {word: complete[word] for word in complete}
    assert found.tagset == complete.tagset


def test_rows_that_do_not_fit_are_named() -> None:
    with pytest.raises(CorpusError, match="2 sentences but 1 rows of tags; give each sentence its own"):
        check_aligned([["a"], ["b"]], [["N"]])
    with pytest.raises(CorpusError, match="sentence 2 has 1 words and 2 heads"):
        check_aligned([["a"], ["b"]], [[0], [0, 1]], "heads")
