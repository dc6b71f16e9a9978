"""Word classes: counts and mutual information by brute force, and classes that a chain can use."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
import pytest

from examples.experiments.word_classes import GRAINS, mutual_information, word_classes
from fstce import Tagger
from fstce.corpora import sample
from fstce.errors import CorpusError
from fstce.tagging.unknown_words import Neighbors

TEXT = [list(s.words) for s in sample()[:60]]
NUMBER = {word: i for i, word in enumerate(dict.fromkeys(w for row in TEXT for w in row))}


def test_counts_and_information_are_those_of_the_definition() -> None:
    words, column, counts = Neighbors.of_text(TEXT, 300)
    frequent = {word for word, _ in Counter(w for r in TEXT for w in r).most_common(300)}
    assert list(column) == ["<unk>", "<s>", "</s>", *(w for w in column if w in frequent)]
    assert words == NUMBER and frequent < {*column}
    expected = np.zeros(counts.shape)
    for row in TEXT:
        for i, word in enumerate(row):
            left = column.get(row[i - 1], column["<unk>"]) if i else column["<s>"]
            right = column.get(row[i + 1], column["<unk>"]) if i + 1 < len(row) else column["</s>"]
            expected[NUMBER[word], left] += 1
            expected[NUMBER[word], len(column) + right] += 1
    assert np.array_equal(counts.toarray(), expected)
    found, n = mutual_information(counts).toarray(), expected.sum()
    for w, c in zip(*np.nonzero(expected), strict=True):
        value = log(expected[w, c] * n / (expected[w].sum() * expected[:, c].sum()))
        assert found[w, c] == pytest.approx(max(0.0, value))


def test_each_word_has_a_class_of_each_grain_always_the_same() -> None:
    classes = word_classes(TEXT)
    assert set(classes) == set(NUMBER)
    assert all(len(names) == len(GRAINS) for names in classes.values())
    assert classes == word_classes(TEXT)


@pytest.mark.parametrize("text", [[["a"]], [["a", "b"]], [["a", "a"], ["a"]]])
def test_small_texts(text: list[list[str]]) -> None:
    assert set(word_classes(text)) == {w for row in text for w in row}


def test_no_text() -> None:
    with pytest.raises(CorpusError):
        word_classes([])


def test_a_chain_learns_from_words_that_it_has_not_seen() -> None:
    """Nothing but the class tells that *dax* is a noun."""
    raw = [
        f"{a} {n} {v}".split()
        for a in ("a", "the")
        for n in ("cat", "dog", "dax")
        for v in ("sat", "ate")
    ]
    given, tags = [["the", "cat", "sat"], ["a", "dog", "ate"]], [["D", "N", "V"]] * 2
    tagger = Tagger(criterion="conditional", order=1, gazetteer=word_classes(raw))
    assert tagger.fit(given, tags).predict([["dax"]]) == [["N"]]
    assert len(tagger.features_.spellings) > len({w for row in given for w in row})
