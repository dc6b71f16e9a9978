"""The features' names, where they stand, and the scores of known and unknown words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles import spelling_signs
from tagging_cases import CORPUS, DICTIONARY, contrast_of, random_theta, weights_of

from fstce.grammars import tag_ngrams
from fstce.machines.symbols import SIGMA_ID, Symbols
from fstce.wfsa.features import BOUNDARY, EmissionTable, TagFeatures, locate, tag_pairs

TAGS = ("D", "N", "V")


def features_of(words: list[str], use_spelling: bool, order: int = 2) -> TagFeatures:
    symbols = Symbols(words)
    pairs = tag_pairs(symbols, words, DICTIONARY, TAGS)
    ngrams = tag_ngrams.possible(len(TAGS), order)
    return TagFeatures.from_pairs(TAGS, order, symbols, ngrams, *pairs, use_spelling)


def test_names_in_order() -> None:
    features = features_of(["run", "B52s"], True, order=1)
    assert features.names == [
        ("ngram", "D"),
        ("ngram", "N"),
        ("ngram", "V"),
        ("ngram", BOUNDARY),
        ("word", "run", "N"),
        ("word", "run", "V"),
        ("word", "B52s", "D"),
        ("word", "B52s", "N"),
        *[
            ("spelling", sign, tag)
            for sign, tags in [
                ("capital", "DN"),
                ("digit", "DN"),
                ("suffix=2s", "DN"),
                ("suffix=52s", "DN"),
                ("suffix=n", "NV"),
                ("suffix=run", "NV"),
                ("suffix=s", "DN"),
                ("suffix=un", "NV"),
            ]
            for tag in tags
        ],
    ]


def test_every_name_is_used_once_and_size_counts_them() -> None:
    features = contrast_of("trans1", 3, spelling=True).features
    names = features.names
    assert len(set(names)) == len(names) == features.size
    assert {name[1] for name in names if name[0] == "word"} == {
        word for row in CORPUS for word in row
    }


def test_ngrams_are_those_of_the_automata() -> None:
    names = contrast_of("trans1", 2, sentences=[("The", "x-ray")]).features.names
    found = {name[1:] for name in names if name[0] == "ngram"}
    assert found == {
        (BOUNDARY, "D"),
        ("D", "N"),
        ("N", BOUNDARY),
        (BOUNDARY, "N"),
        ("N", "D"),
        ("D", BOUNDARY),
    }


def test_ngram_scores() -> None:
    features = contrast_of("identity", 2, sentences=[("The", "x-ray")]).features
    theta = random_theta(features)
    codes = np.append(features.ngrams, [1, 15])
    assert_array_equal(features.ngram_scores(theta, codes), [*theta[:3], 0.0, 0.0])
    bare = TagFeatures(
        TAGS, 2, Symbols([]), *[np.zeros(0, np.int64)] * 3, (), *[np.zeros(0, np.int64)] * 2
    )
    assert bare.ngram_scores(np.zeros(0), np.array([1, 2])).tolist() == [0.0, 0.0]


def test_the_matrix_holds_the_features_of_each_pair_word_by_word() -> None:
    features = features_of(["run", "B52s", "x-ray", "The"], True)
    words = ["run", "B52s", "x-ray", "The", "unseen-9s", "dogs"]
    symbols = Symbols(words)
    word, tag = tag_pairs(symbols, words, DICTIONARY, TAGS)
    pair, feature = features.emission_entries(symbols, word, tag)
    columns = features.names[len(features.ngrams) :]
    assert len({*zip(pair.tolist(), feature.tolist(), strict=True)}) == len(pair)
    for row, (w, t) in enumerate(zip(word.tolist(), tag.tolist(), strict=True)):
        name = symbols.word(w)
        wanted = {
            ("word", name, TAGS[t]),
            *(("spelling", sign, TAGS[t]) for sign in spelling_signs(name)),
        }
        assert {columns[i] for i in feature[pair == row]} == wanted & set(columns)


def test_an_unknown_word_scores_by_its_spelling_alone() -> None:
    symbols = Symbols(["dogs", "hogs"])
    pair = (np.array([symbols.ids(["hogs"])[0]]), np.array([TAGS.index("N")]))
    plain, spelled = features_of(["dogs"], False), features_of(["dogs"], True)
    assert not len(plain.emission_entries(symbols, *pair)[0])
    names = spelled.names[len(spelled.ngrams) :]
    _, feature = spelled.emission_entries(symbols, *pair)
    assert sorted(names[i] for i in feature) == [
        ("spelling", f"suffix={s}", "N") for s in ("gs", "ogs", "s")
    ]


@given(st.lists(st.integers(0, 30)), st.lists(st.integers(0, 30)))
def test_locate(keys: list[int], wanted: list[int]) -> None:
    ascending = np.unique(np.array(keys, dtype=np.int64))
    index, known = locate(ascending, np.array(wanted, dtype=np.int64))
    assert known.tolist() == [key in keys for key in wanted]
    assert ascending[index[known]].tolist() == [key for key in wanted if key in keys]


def test_they_say_how_many_they_are() -> None:
    features = contrast_of("trans1", 2).features
    assert repr(features) == f"<TagFeatures: {features.size} of 3 tags, order 2>"


def test_the_rows_of_the_emission_table() -> None:
    features = contrast_of("length", 2, sentences=[("The", "run")]).features
    table = EmissionTable(features, features.symbols, features.word, features.tag, wildcards=True)
    theta = random_theta(features)
    the, run = (int(i) for i in features.symbols.ids(["The", "run"]))
    rows = table.index(
        np.array([the, run, run, SIGMA_ID, SIGMA_ID, 3]), np.array([0, 1, 2, 0, 2, 3])
    )
    assert rows.tolist() == [0, 1, 2, 3, 5, 6]
    scores = table.scores(theta)
    pairs = theta[len(features.ngrams) :]
    assert_allclose(scores, [*pairs, *pairs, 0.0])


def test_a_wildcard_is_the_log_sum_over_the_words_of_a_tag() -> None:
    features = contrast_of("length", 1, sentences=[("run", "dogs", "The")]).features
    table = EmissionTable(features, features.symbols, features.word, features.tag, wildcards=True)
    theta = random_theta(features)
    weight = weights_of(features, theta)
    noun = np.logaddexp(weight["word", "run", "N"], weight["word", "dogs", "N"])
    assert table.scores(theta)[len(features.word) + 1] == pytest.approx(noun)


def test_without_a_guess_nothing_is_added() -> None:
    features = contrast_of("trans1", 1).features
    table = EmissionTable(features, features.symbols, features.word, features.tag)
    scores = table.scores(random_theta(features))
    assert table.fixed(scores, np.ones(len(scores))) == 0.0
