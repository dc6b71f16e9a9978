"""The tagger as people call it."""

from __future__ import annotations

import copy
import itertools
import re
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteTagger, contrast, del1word, trans1
from scipy.optimize import minimize
from tagging_cases import CORPUS, DICTIONARY, weights_of

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.errors import (
    CorpusError,
    DictionaryError,
    NotFittedError,
    ParameterError,
)
from fstce.estimation.maximize import Interrupted, Step

Floats = NDArray[np.float64]
PLAIN = {word: list(tags) for word, tags in DICTIONARY.items()}


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger("trans1", order=2, spelling=True, unknown_word_model=False).fit(
        CORPUS, dictionary=DICTIONARY
    )


@pytest.fixture(scope="module")
def village() -> tuple[list[tuple[str, ...]], TagDictionary]:
    """The words of the bundled sample, more than two shards of them, and their dictionary."""
    return [tuple(sentence.words) for sentence in sample()], TagDictionary.from_corpus(sample())


def oracle_value(tagger: Tagger, corpus, theta: Floats, neighbours=trans1) -> tuple[float, Floats]:
    """The objective with its prior by enumeration."""
    weights = weights_of(tagger.features_, theta)
    if tagger.features_.fixed is not None:  # κ log P(tag | word) with the weight of an unknown word
        for word in {word for sentence in corpus for word in sentence}:
            for tag, score in zip(
                tagger.tags_, tagger.features_.fixed.log_scores([word])[0], strict=True
            ):
                if np.isfinite(score) and ("word", word, tag) in weights:
                    weights["word", word, tag] += score
    value, slope = contrast(corpus, neighbours, tagger.dictionary_, weights, tagger.features_.order)
    prior = 0.0 if tagger.sigma2 is None else float(theta @ theta) / (2 * tagger.sigma2)
    decay = 0.0 if tagger.sigma2 is None else theta / tagger.sigma2
    return value - prior, np.array([slope[name] for name in weights]) - decay


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("sigma2", [0.5, None])
@pytest.mark.parametrize("predicted", [True, False])
def test_the_objective_equals_the_enumeration(
    order: int, sigma2: float | None, predicted: bool
) -> None:
    tagger = Tagger("del1word", order=order, sigma2=sigma2, unknown_word_model=predicted)
    tagger.compile(CORPUS, dictionary=DICTIONARY)
    theta = np.random.default_rng(order).normal(size=tagger.features_.size)
    value, gradient = tagger.objective(CORPUS, theta)
    expected, slope = oracle_value(tagger, CORPUS, theta, del1word)
    assert value == pytest.approx(expected, rel=1e-9)
    assert_allclose(gradient, slope, rtol=1e-9, atol=1e-10)


def test_the_objective_of_other_sentences_and_settings(tagger: Tagger) -> None:
    theta = tagger.theta_
    for corpus in (CORPUS, CORPUS[:2], [("wug", "The", "zug")], CORPUS):
        assert tagger.objective(corpus, theta)[0] == pytest.approx(
            oracle_value(tagger, corpus, theta)[0]
        )
    other = copy.deepcopy(tagger)
    other.set_params(neighborhood="del1word", sigma2=None)
    assert other.objective(CORPUS, theta)[0] == pytest.approx(
        oracle_value(other, CORPUS, theta, del1word)[0]
    )


def test_settings_changed_after_an_evaluation_are_heeded() -> None:
    tagger = Tagger("trans1", order=2, sigma2=1.0, unknown_word_model=False).fit(
        CORPUS, dictionary=DICTIONARY
    )
    theta = tagger.theta_
    tagger.objective(CORPUS, theta)
    for change, neighbours in (({"sigma2": 0.1}, trans1), ({"neighborhood": "del1word"}, del1word)):
        tagger.set_params(**change)
        expected = oracle_value(tagger, CORPUS, theta, neighbours)[0]
        assert tagger.objective(CORPUS, theta)[0] == pytest.approx(expected)
    tagger.set_params(order=3)
    expected = oracle_value(tagger, CORPUS[:3], theta, del1word)[0]
    assert tagger.objective(CORPUS[:3], theta)[0] == pytest.approx(expected)


def test_scipys_own_minimize_finds_what_fit_finds(tagger: Tagger) -> None:
    def negative(theta: Floats) -> tuple[float, Floats]:
        value, gradient = tagger.objective(CORPUS, theta)
        return -value, -gradient

    best = minimize(
        negative, tagger.initial_weights(), jac=True, method="L-BFGS-B", options={"gtol": 1e-9}
    )
    assert -best.fun == pytest.approx(tagger.training_.objective, rel=1e-4)
    assert tagger.training_.objective <= -best.fun + 1e-9


def test_training_climbs_and_says_why_it_stopped(tagger: Tagger) -> None:
    training = tagger.training_
    values = [step.objective for step in training.steps]
    assert values == sorted(values)
    assert values[0] == pytest.approx(
        oracle_value(tagger, CORPUS, np.zeros(tagger.features_.size))[0]
    )
    assert training.stopped == "converged"
    assert training.objective == values[-1] > values[0]


def test_decoding_equals_the_enumeration(tagger: Tagger) -> None:
    sentences = [*CORPUS, ("zug", "x-7s", "The")]
    weights = weights_of(tagger.features_, tagger.theta_)
    for words, tags, table, best, entropy in zip(
        sentences,
        tagger.predict(sentences),
        tagger.predict_proba(sentences),
        tagger.k_best(sentences, 2),
        tagger.entropy(sentences),
        strict=True,
    ):
        brute = BruteTagger([words], tagger.dictionary_, weights, 2)
        expected = brute.k_best(2)
        assert brute.weight[words, tuple(tags)] == pytest.approx(expected[0][1])
        assert_allclose([score for _, score in best], [score for _, score in expected])
        assert entropy == pytest.approx(brute.entropy(), abs=1e-10)
        posterior = [[brute.posterior(i, tag) for tag in tagger.tags_] for i in range(len(words))]
        assert_allclose(table, posterior, atol=1e-10)


def test_the_posterior_decoder_takes_the_most_probable_tags(tagger: Tagger) -> None:
    other = Tagger(**{**tagger.get_params(), "decoder": "posterior"}).fit(
        CORPUS, dictionary=DICTIONARY
    )
    tables = other.predict_proba(CORPUS)
    assert other.predict(CORPUS) == [
        [other.tags_[t] for t in table.argmax(axis=1)] for table in tables
    ]


def test_score_is_the_criterion_or_the_accuracy(tagger: Tagger) -> None:
    theta = tagger.theta_
    value = oracle_value(tagger, CORPUS, theta)[0] + float(theta @ theta) / 2
    assert tagger.score(CORPUS) == pytest.approx(value / len(CORPUS))
    gold = tagger.predict(CORPUS)
    assert tagger.score(CORPUS, gold) == 1.0
    wrong = [["?"] * len(gold[0]), *gold[1:]]
    assert tagger.score(CORPUS, wrong) == pytest.approx(1 - len(gold[0]) / sum(map(len, gold)))


def test_a_plain_mapping_is_a_dictionary(tagger: Tagger) -> None:
    plain = Tagger("trans1", order=2, spelling=True, unknown_word_model=False).fit(
        CORPUS, dictionary=PLAIN
    )
    assert_array_equal(plain.theta_, tagger.theta_)
    assert plain.tags_ == ("D", "N", "V")


def test_a_dictionary_may_be_read_from_tags_which_training_does_not_see() -> None:
    tags = [["N"] * len(words) for words in CORPUS]
    tags[1] = ["V", "V"]
    read = Tagger(order=2, unknown_word_model=False).fit(CORPUS, tags)
    assert read.dictionary_["dogs"] == ("N", "V")
    given = Tagger(order=2, unknown_word_model=False).fit(CORPUS, dictionary=read.dictionary_)
    assert_array_equal(read.theta_, given.theta_)


def test_unknown_words_take_the_tags_of_unseen_words(tagger: Tagger) -> None:
    closed = TagDictionary(PLAIN, open_class=["N"])
    other = Tagger("trans1", order=2, unknown_word_model=False).fit(CORPUS, dictionary=closed)
    assert other.predict([["gavagai", "gavagai"]]) == [["N", "N"]]
    (row,) = tagger.predict([["gavagai"]])
    assert row[0] in tagger.tags_


def test_one_seed_one_model() -> None:
    one, two, other = (
        Tagger("trans1", order=2, start="random", seed=seed, unknown_word_model=False).fit(
            CORPUS, dictionary=DICTIONARY
        )
        for seed in (1, 1, 2)
    )
    assert_array_equal(one.theta_, two.theta_)
    assert not np.array_equal(one.theta_, other.theta_)
    assert not np.array_equal(one.initial_weights(), other.initial_weights())


@pytest.mark.parametrize("kind", ["trans1", "length"])
def test_the_number_of_processes_changes_no_bit(kind: str, village) -> None:
    corpus, dictionary = village
    one, two = (
        Tagger(kind, order=2, max_iterations=5, jobs=jobs, unknown_word_model=False).fit(
            corpus, dictionary=dictionary
        )
        for jobs in (1, 2)
    )
    assert_array_equal(one.theta_, two.theta_)
    assert one.features_.names == two.features_.names


def test_duplicated_sentences_double_their_weight() -> None:
    once, twice = (
        Tagger(order=2, sigma2=None, unknown_word_model=False),
        Tagger(order=2, sigma2=None, unknown_word_model=False),
    )
    objective, double = (
        tagger.compile(corpus, dictionary=DICTIONARY)
        for tagger, corpus in ((once, CORPUS), (twice, CORPUS * 2))
    )
    theta = np.random.default_rng(0).normal(size=once.features_.size)
    assert double(theta)[0] == pytest.approx(2 * objective(theta)[0], rel=1e-12)
    assert_allclose(double(theta)[1], 2 * objective(theta)[1], rtol=1e-12)


@pytest.mark.parametrize(
    "kind", ["trans1", "del1word", "delortrans1", "del1subseq", "length", "identity"]
)
def test_sentences_of_one_word(kind: str) -> None:
    tagger = Tagger(kind, unknown_word_model=False).fit([["run"], ["The"]], dictionary=DICTIONARY)
    assert tagger.predict([["The"], ["run"]])[0] == ["D"]
    assert np.all(np.isfinite(tagger.theta_))


def test_a_sentence_of_five_thousand_words(tagger: Tagger) -> None:
    words = list(itertools.islice(itertools.cycle(["The", "dogs", "run", "gavagai"]), 5000))
    (tags,), (table,) = tagger.predict([words]), tagger.predict_proba([words])
    assert len(tags) == 5000
    assert tags[0::4] == ["D"] * 1250
    assert_allclose(table.sum(axis=1), np.ones(5000))
    assert np.isfinite(tagger.objective([words], tagger.theta_)[0])


def test_compile_forgets_earlier_weights() -> None:
    tagger = Tagger("trans1", order=2, unknown_word_model=False).fit(CORPUS, dictionary=DICTIONARY)
    objective = tagger.compile(CORPUS[:1], dictionary=DICTIONARY)
    theta = tagger.initial_weights()
    assert objective(theta)[0] == pytest.approx(oracle_value(tagger, CORPUS[:1], theta)[0])
    with pytest.raises(NotFittedError):
        tagger.predict(CORPUS)


def test_the_monitor_hears_and_an_interruption_keeps_the_best_weights() -> None:
    heard: list[Step] = []

    def monitor(step: Step) -> None:
        heard.append(step)
        if step.iteration == 3:
            raise KeyboardInterrupt

    tagger = Tagger("trans1", order=2, tolerance=0, unknown_word_model=False)
    with pytest.raises(KeyboardInterrupt) as caught:
        tagger.fit(CORPUS, dictionary=DICTIONARY, monitor=monitor)
    assert isinstance(caught.value, Interrupted)
    assert [step.iteration for step in heard] == [0, 1, 2, 3]
    assert tagger.training_.stopped == "interrupted"
    assert tagger.objective(CORPUS, tagger.theta_)[0] == pytest.approx(heard[-1].objective)
    assert len(tagger.predict(CORPUS)) == len(CORPUS)


@pytest.mark.parametrize(
    ("sentences", "error", "message"),
    [
        ([["run"], []], CorpusError, "sentence 2 is empty"),
        (["run runs"], CorpusError, "sentence 1 is 'run runs', not a list"),
        (
            [["run"], ["</s>"]],
            CorpusError,
            "sentence 2: '</s>' is no word: it is spelt like",
        ),
        ([], CorpusError, "there is no sentence"),
    ],
)
def test_bad_sentences_are_named(tagger: Tagger, sentences, error, message: str) -> None:
    for method in (
        lambda s: Tagger(unknown_word_model=False).fit(s, dictionary=DICTIONARY),
        *([tagger.predict] if sentences else []),
        tagger.score,
        tagger.entropy,
    ):
        with pytest.raises(error, match=re.escape(message)):
            method(sentences)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ParameterError, "give a dictionary: the tags that each word may take"),
        ({"dictionary": ["run"]}, DictionaryError, "is a mapping from words to tags, not list"),
        ({"dictionary": {"run": [], "dogs": ["N"]}}, DictionaryError, "word 'run' has no tags"),
        ({"tags": [["N"]]}, CorpusError, "2 sentences but 1 rows of tags"),
        ({"tags": [["N"], ["N"]]}, CorpusError, "sentence 2 has 2 words and 1 tags"),
    ],
)
def test_bad_dictionaries_are_named(arguments, error, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Tagger(unknown_word_model=False).fit([["run"], ["dogs", "run"]], **arguments)


def test_theta_of_another_shape(tagger: Tagger) -> None:
    with pytest.raises(
        ParameterError, match=r"theta has shape \(2,\); this model has \d+ features"
    ):
        tagger.objective(CORPUS, np.zeros(2))


def test_unknown_words_are_predicted_and_the_model_is_saved(tmp_path: Path) -> None:
    """Nothing but their form tells what the words of the second text are."""
    nouns, verbs = ("cable", "table", "fable", "gable"), ("baking", "making", "taking", "waking")
    dictionary = {**dict.fromkeys(nouns, "N"), **dict.fromkeys(verbs, "V"), "the": "D"}
    text = [["the", noun, verb] for noun in nouns for verb in verbs]
    tagger = Tagger(order=2).fit(text, dictionary=dictionary)
    assert tagger.predict([["the", "sable", "raking"]]) == [["D", "N", "V"]]
    tagger.save(tmp_path / "m")
    other = Tagger.load(tmp_path / "m")
    for one, two in zip(
        *(t.predict_proba([["sable", "raking", "the"]]) for t in (tagger, other)), strict=True
    ):
        assert_array_equal(one, two)
    plain = Tagger(order=2, unknown_word_model=False).fit(text, dictionary=dictionary)
    assert plain.dictionary_.lookup("sable") == ("D", "N", "V")
    assert_array_equal(plain.theta_, tagger.theta_)  # all words of the training are listed


def test_words_are_known_in_both_normal_forms_of_unicode() -> None:
    tags = {"\u0109u": "PART", "li": "PRON", "ven\u015d": ("VERB", "NOUN"), "ne": "PART"}
    text = [["\u0109u", "li", "ven\u015d"], ["li", "ne", "ven\u015d"]]
    apart = {normalize("NFD", word): tag for word, tag in tags.items()}
    rows = [[normalize("NFD", word) for word in row] for row in text]
    for dictionary, known, other in ((tags, text, rows), (apart, text, rows), (tags, rows, text)):
        tagger = Tagger("trans1", order=2, max_iterations=5).fit(known, dictionary=dictionary)
        assert "\u0109u" in tagger.dictionary_ or normalize("NFD", "\u0109u") in tagger.dictionary_
        found = tagger.predict(other)
        assert found == tagger.predict(known)
        assert found[0][0] == "PART"


def test_samples_are_seeded_and_allowed(tagger: Tagger) -> None:
    drawn = tagger.sample(CORPUS, n=20, seed=3)
    assert drawn == tagger.sample(CORPUS, n=20, seed=3) != tagger.sample(CORPUS, n=20, seed=4)
    for words, rows in zip(CORPUS, drawn, strict=True):
        assert len(rows) == 20
        for row in rows:
            assert all(tag in DICTIONARY.lookup(word) for word, tag in zip(words, row, strict=True))


def test_fewer_than_one_sequence(tagger: Tagger) -> None:
    with pytest.raises(ParameterError, match="k=0: give a whole number from 1"):
        tagger.k_best(CORPUS, 0)
    with pytest.raises(ParameterError, match="n=0: give a whole number from 1"):
        tagger.sample(CORPUS, 0)


def test_words_of_a_new_text_are_known_by_their_small_letters() -> None:
    dictionary = TagDictionary(
        {"in": "IN", "the": "DT", "dog": "NN", "runs": "VBZ", "May": "NNP", "may": "MD"},
        open_class=["NN", "VBZ"],
    )
    text = [["the", "dog", "runs", "in", "May"], ["dog", "may", "the"]]
    tagger = Tagger(max_iterations=3).fit(text, dictionary=dictionary)
    new = ["In", "the", "dog", "IN", "THE", "MAY"]
    assert tagger.predict([new]) == tagger.predict([["in", "the", "dog", "in", "the", "may"]])
    assert tagger.predict([["the", "Dog"]])[0][1] in dictionary.open_class
