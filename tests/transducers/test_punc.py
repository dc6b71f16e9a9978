"""The shipped transducer punc against its definition, and the number of its neighbors."""

from __future__ import annotations

import oracles_neighbors
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce import TagDictionary, Tagger, neighborhood
from fstce.corpora import sample
from fstce.machines import check_lattice
from fstce.transducers.punc import english_marks

SENTENCES = st.lists(st.sampled_from(["a", "b", ",", "."]), min_size=1, max_size=4)


@settings(deadline=None, max_examples=40)
@given(SENTENCES, st.integers(1, 2))
def test_it_equals_the_definition(words: list[str], k: int) -> None:
    lattice = neighborhood(f"punc{k}")(words)
    assert set(lattice.strings()) == oracles_neighbors.punc(words, english_marks(), k)
    check_lattice(lattice.to_fst(), f"punc{k}")


@pytest.mark.parametrize("m", [1, 5, 20])
def test_the_number_of_neighbors_of_words_without_marks(m: int) -> None:
    count = neighborhood("punc1")([f"w{i}" for i in range(m)]).count()
    assert count == len(english_marks()) * (m + 1) + 1


def test_it_combines_and_trains() -> None:
    text = [sentence for sentence in sample() if len(sentence) < 12][:40]
    words = ["well", ",", "go"]
    both = neighborhood("punc1 | trans1")(words)
    assert both.accepts(["well", "go"]) and both.accepts([",", "well", "go"])
    tagger = Tagger(neighborhood="punc1", order=2, max_iterations=5)
    tagger.fit(text, dictionary=TagDictionary.from_corpus(text))
    assert tagger.training_.steps[-1].objective > tagger.training_.steps[0].objective
