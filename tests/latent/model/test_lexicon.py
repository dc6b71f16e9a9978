"""Scores of words against the formulas written out word by word."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.latent.model.lexicon import LexicalUnits, Lexicon, emissions
from fstce.latent.model.rule_layout import smoothed

# "the" is above 100, "fish" above 20, "cats" and "run" are rare.
TAGGED = [
    *[[("the", "DT")]] * 150,
    *[[("fish", "NN")]] * 30,
    *[[("fish", "VB")]] * 10,
    *[[("a", "DT"), ("cats", "NN")]] * 4,
    *[[("a", "DT"), ("run", "VB")]] * 2,
    [("a", "DT"), ("run", "NN")],
]
SIZES = np.array([2, 2, 1])


@pytest.fixture(scope="module")
def vocabulary() -> LexicalUnits:
    return LexicalUnits.of_words(TAGGED)


@pytest.fixture(scope="module")
def lexicon(vocabulary: LexicalUnits) -> Lexicon:
    """Expected counts that agree with the counts of tags: each tag's are cut in random proportions."""
    rng, owner = np.random.default_rng(3), np.repeat(np.arange(3), SIZES)
    by_tag = np.zeros((vocabulary.n_units, 3))
    for sentence in TAGGED:
        for place, (word, tag) in enumerate(sentence):
            by_tag[vocabulary.unit(word, place == 0), vocabulary.tags.index(tag)] += 1
    cut = rng.uniform(0.2, 0.8, (vocabulary.n_units, 5))
    cut[:, 1], cut[:, 3], cut[:, 4] = 1 - cut[:, 0], 1 - cut[:, 2], 1
    return Lexicon(vocabulary, SIZES, by_tag[:, owner] * cut)


def expected(lexicon: Lexicon, word: str, first: bool, column: int) -> float:
    """P(word | column) as the docstring of the module has it."""
    vocabulary, counts = lexicon.vocabulary, lexicon.counts
    n_frequent = len(vocabulary.frequent)
    rare = counts[n_frequent:].sum(axis=0)
    unknown = rare[column] / rare.sum()
    total = counts[:, column].sum()
    if word not in vocabulary.rows:
        unit = vocabulary.unit(word, first)
        c_ts, c_s = (counts[unit, column], counts[unit].sum()) if unit >= 0 else (0, 0)
        return float((c_ts + 0.5 * unknown) / (c_s + 0.5) / total)
    c_w = vocabulary.tag_counts[vocabulary.rows[word]].sum()
    tag = int(np.repeat(np.arange(3), SIZES)[column])
    if word in vocabulary.frequent:
        c_tw = counts[vocabulary.rows[word], column]
    else:
        of_tag = rare[np.repeat(np.arange(3), SIZES) == tag].sum()
        c_tw = (
            vocabulary.tag_counts[vocabulary.rows[word], tag] * rare[column] / of_tag
            if of_tag
            else 0.0
        )
    beta = 1e-4 if c_w > 100 else 0.1
    return float((c_tw + beta * unknown) / (c_w + beta) * c_w / total)


@pytest.mark.parametrize("word", ["the", "fish", "cats", "run", "a", "dogs", "Dogs", "42", "漢字"])
def test_scores(lexicon: Lexicon, word: str) -> None:
    rows = lexicon.scores([word, word])
    twin = [
        [expected(lexicon, word, first, column) for column in range(5)] for first in (True, False)
    ]
    np.testing.assert_allclose(rows, twin, rtol=1e-12)


def guessed(lexicon: Lexicon, word: str, column: int, form: list[float]) -> float:
    """P(word | column) where P(T | form) is known, after the first word of a sentence."""
    vocabulary, counts, owner = lexicon.vocabulary, lexicon.counts, np.repeat(np.arange(3), SIZES)
    rare = counts[len(vocabulary.frequent) :].sum(axis=0)
    tag, total = owner[column], counts[:, column].sum()
    if word not in vocabulary.rows:
        plain = [expected(lexicon, word, False, c) * counts[:, c].sum() for c in range(5)]
        of_tag = sum(p for p, owned in zip(plain, owner, strict=True) if owned == tag)
        return (
            float((0.1 * of_tag + 0.9 * form[tag]) * plain[column] / of_tag / total)
            if of_tag
            else 0.0
        )
    c_w = vocabulary.tag_counts[vocabulary.rows[word]].sum()
    share = rare[column] / rare[owner == tag].sum() if rare[column] else 0.0
    c_tw = vocabulary.tag_counts[vocabulary.rows[word], tag] * share
    return float((c_tw + 1.0 * form[tag] * share) / (c_w + 1.0) * c_w / total)


def test_scores_with_forms(lexicon: Lexicon) -> None:
    vocabulary = lexicon.vocabulary.with_forms()
    assert vocabulary.forms is not None
    with_forms = Lexicon(vocabulary, SIZES, lexicon.counts)
    words = ["the", "cats", "dogs", "42", "run", "漢字"]
    rows = with_forms.scores(["the", *words])[1:]
    forms = vocabulary.forms.probabilities(words, vocabulary.rows.__contains__)
    for word, row, form in zip(words, rows, forms, strict=True):
        assert sum(form) == pytest.approx(1)
        frequent = word in vocabulary.frequent
        twin = [
            expected(lexicon, word, False, c)
            if frequent
            else guessed(lexicon, word, c, form.tolist())
            for c in range(5)
        ]
        np.testing.assert_allclose(row, twin, rtol=1e-12)


def test_a_capital_that_begins_the_sentence_may_be_the_sentences(lexicon: Lexicon) -> None:
    vocabulary = lexicon.vocabulary.with_forms()
    found = vocabulary.form_probabilities([("Cats", True), ("Cats", False), ("cats", False)])
    assert found is not None
    first, second, lower = found
    np.testing.assert_allclose(first, (second + lower) / 2)
    assert lexicon.vocabulary.form_probabilities([("dogs", False)]) is None


def test_the_words_of_many_sentences_score_as_sentence_by_sentence(lexicon: Lexicon) -> None:
    sentences = [line.split() for line in ("Dogs the fish cats run", "Dogs", "the Dogs 42 fish")]
    for vocabulary in (lexicon.vocabulary, lexicon.vocabulary.with_forms()):
        one = Lexicon(vocabulary, SIZES, lexicon.counts, 0.1)
        apart = np.concatenate([one.scores(words) for words in sentences])
        np.testing.assert_allclose(one.scores_of(sentences), apart, rtol=1e-12)
    assert lexicon.scores_of([]).shape == (0, 5)


def test_smoothed_scores_mix_siblings(lexicon: Lexicon) -> None:
    smoothing = Lexicon(lexicon.vocabulary, SIZES, lexicon.counts, 0.1)
    words = ["the", "fish", "dogs"]
    expected = smoothed(lexicon.scores(words), SIZES, 0.1)
    np.testing.assert_allclose(smoothing.scores(words), expected)


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4))
def test_no_row_is_all_zeros(words: list[str]) -> None:
    vocabulary = LexicalUnits.of_words(TAGGED)
    counts = np.ones((vocabulary.n_units, 3))
    for used in (
        counts,
        counts * (np.arange(vocabulary.n_units) < len(vocabulary.frequent))[:, None],
    ):
        rows = Lexicon(vocabulary, np.ones(3, np.int64), used).scores(words)
        assert rows.shape == (len(words), 3) and np.isfinite(rows).all()
        assert (rows.max(axis=1) > 0).all()


def test_a_dead_subcategory_scores_nothing(lexicon: Lexicon) -> None:
    counts = lexicon.counts.copy()
    counts[:, 1] = 0
    rows = Lexicon(lexicon.vocabulary, SIZES, counts).scores(["the", "dogs"])
    assert (rows[:, 1] == 0).all() and np.isfinite(rows).all()


def test_no_words(lexicon: Lexicon) -> None:
    assert lexicon.scores([]).shape == (0, 5)


def test_emissions_are_distributions_once_rare_words_have_their_shares(lexicon: Lexicon) -> None:
    n_frequent = len(lexicon.vocabulary.frequent)
    table = emissions(lexicon.counts, n_frequent)
    np.testing.assert_allclose(table[:n_frequent].sum(axis=0) + table[n_frequent], 1)
    assert (table[n_frequent:] == table[n_frequent]).all()
