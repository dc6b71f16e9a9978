"""The way back from the words that a grammar sees to all words."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_trees import is_projective, is_tree, projective_trees

from fstce.corpora import Sentence
from fstce.corpora.dependencies import DependencySentence
from fstce.errors import CorpusError

ORIGINAL = Sentence(["``", "Dogs", ",", "yes", "."], source="a.conllu:3")
DOGS = DependencySentence(("Dogs", "yes"), ("NNS", "UH"), (2, 0), kept=(1, 3), original=ORIGINAL)


def test_it_is_a_sentence() -> None:
    assert isinstance(DOGS, Sentence)
    assert (list(DOGS), DOGS.tags, DOGS.heads, DOGS.kept) == (
        ["Dogs", "yes"],
        ("NNS", "UH"),
        (2, 0),
        (1, 3),
    )
    assert replace(DOGS, tags=("N", "N")).kept == (1, 3)
    assert DOGS == replace(DOGS) != replace(DOGS, kept=(0, 3))
    assert pickle.loads(pickle.dumps(DOGS)) == DOGS  # as worker processes are sent it


def test_restored_heads_worked_by_hand() -> None:
    assert DOGS.restore([2, 0]) == (2, 4, 2, 0, 4)
    assert DOGS.restore([0, 1]) == (2, 0, 2, 2, 4)


@given(st.data())
def test_restored_trees_are_trees_and_projective(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 8))
    kept = sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=5)))
    words = [str(place) for place in range(n)]
    sentence = DependencySentence(
        tuple(words[k] for k in kept), kept=tuple(kept), original=Sentence(words)
    )
    for heads in itertools.islice(projective_trees(len(kept)), 20):
        whole = sentence.restore(heads)
        assert is_tree(whole)
        assert is_projective(whole)
        assert [whole[k] for k in kept] == [kept[head - 1] + 1 if head else 0 for head in heads]


@pytest.mark.parametrize("heads", [[2], [3, 0], [-1, 0], [0, 1, 1]])
def test_heads_of_other_words(heads: list[int]) -> None:
    with pytest.raises(CorpusError, match="are not heads of 2 words"):
        DOGS.restore(heads)


@pytest.mark.parametrize("kept", [[1], [1, 5], [-1, 2]])
def test_places_that_the_original_lacks(kept: list[int]) -> None:
    with pytest.raises(CorpusError, match="a:1: 2 words cannot stand at"):
        DependencySentence(("Dogs", "yes"), source="a:1", kept=tuple(kept), original=ORIGINAL)
