"""Directional preferences against pointwise mutual information spelt out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import DirectedAlignment
from fstce.induction.learner import attachment, directional_preference
from fstce.induction.text import END, START, Text, Units, packed

texts = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=1, max_size=6)


@given(texts)
def test_it_is_the_difference_of_the_two_mutual_informations(text):
    units = Units.of_text(text)
    arrays = Text(packed(text, units), 5)
    tokens = sum(map(len, text))
    for word in units.words:
        count = sum(words.count(word) for words in text)

        def information(pair, count=count):
            return math.log(pair * tokens / (count * len(text)))

        begins, ends = (sum(words[at] == word for words in text) + 0.5 for at in (0, -1))
        expected = information(ends) - information(begins)
        found = directional_preference(arrays, int(units.numbers([word])[0]))
        assert found == pytest.approx(expected)


def test_boundaries_prefer_nothing():
    arrays = Text(packed([["a"]], Units.of_text([["a"]])), 5)
    assert directional_preference(arrays, START) == directional_preference(arrays, END) == 0.0


@pytest.mark.parametrize(
    ("left", "right", "preference", "side"),
    [
        (5, 6, -2.0, -1),
        (5, 6, 2.0, 1),
        (5, 6, 1e-9, 1),
        (5, 6, 0.0, 0),
        (START, 6, -2.0, 0),
        (START, 6, 2.0, 1),
        (5, END, 2.0, 0),
        (5, END, -2.0, -1),
    ],
)
def test_the_sign_of_the_sum_attaches(left, right, preference, side):
    assert attachment(left, right, preference) == side


@pytest.mark.parametrize(
    ("preference", "threshold", "side"),
    [(-2.0, 1.9, -1), (-2.0, 2.0, 0), (2.0, 2.5, 0), (2.0, 1.5, 1), (0.5, 0.0, 1)],
)
def test_below_the_threshold_neither_context_is_preferred(preference, threshold, side):
    """Brooks (2006), §6: "should the difference … fall below a threshold"."""
    assert attachment(5, 6, preference, threshold) == side


def test_a_high_threshold_is_alignment_without_attachment():
    text = [s.split() for s in ("the dog of the man", "the cat of the girl", "a dog of a girl")]
    options = {"context_fraction": 0.4, "min_count": 1}
    high = DirectedAlignment(preference_threshold=1e9, **options).fit(text)
    plain = DirectedAlignment(system="da", **options).fit(text)
    assert str(high.grammar_) == str(plain.grammar_)
    assert all(step.attachment == 0 for step in high.grammar_.steps)
