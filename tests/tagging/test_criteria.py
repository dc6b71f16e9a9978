"""The tagger's criteria: their values by enumeration, their optima, and their models in files."""

from __future__ import annotations

import copy
import math
import re
import shutil
import subprocess
from collections import Counter

import numpy as np
import oracles
import oracles_neighbors
import pynini
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray
from oracles import BruteHMM, BruteTagger, hmm_names, log_weight, relative_frequencies, taggings
from patience import patience
from tagging_cases import CORPUS, DICTIONARY, ORDERS, weights_of

from fstce import TagDictionary, Tagger, explain, neighborhood
from fstce.corpora import sample
from fstce.errors import CorpusError, NeighborhoodError, ParameterError
from fstce.estimation.journal import Journal
from fstce.estimation.maximize import checked_schedule
from fstce.estimation.objective import value_of
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import UNKNOWN_ID, Symbols
from fstce.tagging.criteria import CRITERIA, HMM, LOCAL, SHARES, SUPERVISED
from fstce.tagging.export import emission_fst, export, tag_ngram_fst

Floats = NDArray[np.float64]
GOLD = [
    ("D", "N", "V"),
    ("N", "V"),
    ("D", "N", "V"),
    ("V",),
    ("N", "V", "D"),
    ("N", "V"),
    ("V", "N"),
]
HELD_OUT = [("zug", "runs"), ("The", "x-ray", "run"), ("dogs", "quux", "The")]
HELD_OUT_GOLD = [("N", "V"), ("D", "N", "N"), ("V", "V", "D")]
RAW, TAGGED, TAGS = CORPUS[2:], CORPUS[:2], GOLD[:2]


def trained(criterion: str, **parameters) -> Tagger:
    tagger = Tagger(
        **{"neighborhood": "trans1", "order": 2, "criterion": criterion, **parameters},
        unknown_word_model=False,
    )
    return tagger.fit(CORPUS, GOLD if criterion in SUPERVISED else None, dictionary=DICTIONARY)


def brute_hmm(tagger: Tagger) -> BruteHMM:
    probability = dict(zip(tagger.features_.names, np.exp(tagger.theta_).tolist(), strict=True))
    return BruteHMM(probability, DICTIONARY, tagger.features_.order)


def contrast_by_enumeration(
    tagger: Tagger, corpus, gold, neighbours, dictionary=DICTIONARY
) -> float:
    """Σ of the log weight of what is observed − the log-sum over what is contrasted."""
    weights, order = weights_of(tagger.features_, tagger.theta_), tagger.features_.order
    value = 0.0
    for i, words in enumerate(corpus):
        observed = (
            BruteTagger([words], dictionary, weights, order).log_z
            if gold is None
            else log_weight(words, gold[i], weights, order)
        )
        value += observed - BruteTagger(sorted(neighbours(words)), dictionary, weights, order).log_z
    return value


def measured_by_enumeration(tagger: Tagger, criterion: str, corpus, gold) -> float:
    if criterion == "em":
        return brute_hmm(tagger).log_likelihood(corpus)
    if criterion == "joint":
        return brute_hmm(tagger).log_joint(corpus, gold)
    neighbours = oracles.identity if criterion == "conditional" else oracles.trans1
    return contrast_by_enumeration(
        tagger, corpus, gold if criterion in SUPERVISED else None, neighbours
    )


@pytest.fixture(scope="module")
def ambiguous():
    """Sentences whose tags are drawn at random, so that no weights explain them all."""
    rng = np.random.default_rng(0)
    corpus = [words for words in CORPUS for _ in range(8)]
    gold = [tuple(str(rng.choice(DICTIONARY.lookup(word))) for word in words) for words in corpus]
    return corpus, gold


@pytest.fixture(scope="module")
def zeros():
    """An HMM with probabilities of zero."""
    tagger = trained("em", order=3, smoothing=0.0, start="random", tolerance=1e-6)
    assert np.isneginf(tagger.theta_).sum() > 10
    return tagger


@pytest.fixture(scope="module", params=[(n, s) for n in ORDERS for s in (0.0, 0.1)], ids=str)
def hmm(request):
    order, smoothing = request.param
    return trained("em", order=order, smoothing=smoothing, start="random", seed=3)


def under(tagger: Tagger, **parameters: str) -> Tagger:
    """The same weights with other parameters."""
    return copy.copy(tagger).set_params(**parameters)


class TestMeasure:
    @pytest.mark.parametrize("order", ORDERS)
    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_equals_the_enumeration_on_seen_and_unseen_sentences(self, criterion, order):
        tagger = trained(criterion, order=order, smoothing=0.3)
        for corpus, gold in ((CORPUS, GOLD), (HELD_OUT, HELD_OUT_GOLD)):
            value = tagger.measure(corpus, gold)
            assert isinstance(value, float)
            assert value == pytest.approx(
                measured_by_enumeration(tagger, criterion, corpus, gold), rel=1e-9
            )
            assert value < -0.1

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_any_criterion_measures_an_hmm(self, criterion):
        tagger = trained("em", smoothing=0.2, start="random")
        expected = measured_by_enumeration(tagger, criterion, CORPUS, GOLD)
        # An HMM's unknown words have weights, so the sentences are those of training here.
        assert under(tagger, criterion=criterion).measure(CORPUS, GOLD) == pytest.approx(
            expected, rel=1e-9
        )

    @pytest.mark.parametrize("criterion", ["contrastive", "conditional", "supervised-contrastive"])
    def test_one_contrast_measures_the_model_of_another(self, criterion):
        tagger = trained("contrastive", spelling=True)
        expected = measured_by_enumeration(tagger, criterion, HELD_OUT, HELD_OUT_GOLD)
        value = under(tagger, criterion=criterion).measure(HELD_OUT, HELD_OUT_GOLD)
        assert value == pytest.approx(expected, rel=1e-9)

    @pytest.mark.parametrize("kind", ["del1word", "delortrans1"])
    @pytest.mark.parametrize("criterion", ["contrastive", "supervised-contrastive"])
    def test_with_another_neighbourhood(self, criterion, kind):
        tagger = trained(criterion)
        gold = HELD_OUT_GOLD if criterion == "supervised-contrastive" else None
        expected = contrast_by_enumeration(tagger, HELD_OUT, gold, getattr(oracles, kind))
        assert under(tagger, neighborhood=kind).measure(HELD_OUT, gold) == pytest.approx(
            expected, rel=1e-9
        )
        assert tagger.neighborhood == "trans1"
        assert tagger.measure(HELD_OUT, gold) == pytest.approx(
            contrast_by_enumeration(tagger, HELD_OUT, gold, oracles.trans1), rel=1e-9
        )

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_is_zero_probability_where_an_hmm_without_smoothing_sees_a_new_word(self, criterion):
        tagger = trained("joint", smoothing=0.0)
        assert under(tagger, criterion=criterion).measure(CORPUS[:3], GOLD[:3]) > -np.inf
        with np.errstate(invalid="raise"):
            value = under(tagger, criterion=criterion).measure(HELD_OUT, HELD_OUT_GOLD)
        assert value == -np.inf

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_has_no_prior_and_is_the_trained_objective_beside_it(self, criterion):
        tagger = trained(criterion, smoothing=0.5, sigma2=0.7, tolerance=1e-6)
        theta = tagger.theta_
        prior = -float(theta @ theta) / 1.4
        if criterion in LOCAL:
            brute = brute_hmm(tagger).probability
            uniform = relative_frequencies({}, brute)
            prior = 0.5 * sum(math.log(brute[name] / uniform[name]) for name in brute)
        assert tagger.measure(CORPUS, GOLD) + prior == pytest.approx(
            tagger.training_.objective, rel=1e-9
        )
        assert prior < -0.1

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_changes_nothing(self, criterion):
        tagger = trained(criterion)
        before = tagger.theta_.copy(), tagger.get_params(), tagger.predict(CORPUS)
        value = tagger.measure(CORPUS, GOLD)
        for other in CRITERIA:
            under(tagger, criterion=other).measure(HELD_OUT, HELD_OUT_GOLD)
        assert_array_equal(tagger.theta_, before[0])
        assert (tagger.get_params(), tagger.predict(CORPUS)) == before[1:]
        assert tagger.measure(CORPUS, GOLD) == pytest.approx(value, rel=1e-12)

    def test_other_tags_give_another_value(self):
        tagger = trained("joint")
        other = [*GOLD[:5], ("V", "N"), ("N", "V")]
        swapped = [*GOLD[:6], ("N", "N")]
        values = [tagger.measure(CORPUS, gold) for gold in (GOLD, swapped, GOLD, other)]
        assert values[0] == values[2] != values[1]
        assert values[3] == pytest.approx(brute_hmm(tagger).log_joint(CORPUS, other))

    def test_score_is_the_criterion_a_sentence(self):
        tagger = trained("em")
        assert tagger.score(CORPUS) == pytest.approx(
            tagger.measure(CORPUS) / len(CORPUS), rel=1e-12
        )
        assert trained("conditional").score(CORPUS, GOLD) > 0.5

    @pytest.mark.parametrize("criterion", SUPERVISED)
    def test_needs_the_tags_of_a_supervised_criterion(self, criterion):
        with pytest.raises(ParameterError, match=f"the criterion '{criterion}' learns from tags"):
            under(trained("em"), criterion=criterion).measure(CORPUS)

    def test_does_not_take_a_model_with_spelling_for_an_hmm(self):
        with pytest.raises(ParameterError, match="has no features of spelling"):
            under(trained("contrastive", spelling=True), criterion="em").measure(CORPUS)


class TestJoint:
    @pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
    @pytest.mark.parametrize("order", ORDERS)
    def test_is_the_relative_frequencies(self, order, smoothing):
        tagger = trained("joint", order=order, smoothing=smoothing)
        vocabulary = {word for words in CORPUS for word in words}
        counts: Counter[tuple[str, ...]] = Counter()
        for words, tags in zip(CORPUS, GOLD, strict=True):
            counts += oracles.hmm_events(words, tags, order, vocabulary)
        names = tagger.features_.names
        assert set(names) == set(hmm_names(vocabulary, DICTIONARY, DICTIONARY.tagset, order))
        wanted = relative_frequencies(counts, names, smoothing)
        assert_allclose(np.exp(tagger.theta_), list(wanted.values()), rtol=1e-12)
        assert tagger.training_.stopped == "converged"

    def test_by_hand(self):
        corpus, gold = [["a", "b"], ["b"], ["b", "c"]], [["D", "N"], ["N"], ["N", "N"]]
        for smoothing in (0.0, 0.5):
            tagger = Tagger(
                "trans1", order=2, criterion="joint", smoothing=smoothing, unknown_word_model=False
            ).fit(corpus, gold)
            p = dict(zip(tagger.features_.names, np.exp(tagger.theta_).tolist(), strict=True))
            assert tagger.dictionary_["b"] == ("N",)
            assert p["ngram", "<boundary>", "N"] == pytest.approx(
                (2 + smoothing) / (3 + 2 * smoothing)
            )
            assert p["ngram", "N", "<boundary>"] == pytest.approx(
                (3 + smoothing) / (4 + 3 * smoothing)
            )
            assert p["ngram", "N", "D"] == pytest.approx(smoothing / (4 + 3 * smoothing))
            assert p["word", "b", "N"] == pytest.approx((3 + smoothing) / (4 + 3 * smoothing))
            assert p["word", "<unk>", "D"] == pytest.approx(smoothing / (1 + 2 * smoothing))

    def test_no_other_distributions_are_likelier(self):
        tagger = trained("joint", smoothing=0.0)
        best, rng = tagger.measure(CORPUS, GOLD), np.random.default_rng(0)
        names = tagger.features_.names
        for _ in range(30):
            noise = {
                n: p * math.exp(rng.normal(0, 0.3))
                for n, p in brute_hmm(tagger).probability.items()
            }
            other = BruteHMM(relative_frequencies(noise, names), DICTIONARY, 2)
            assert other.log_joint(CORPUS, GOLD) < best

    def test_an_unobserved_history_is_uniform(self):
        tagger = Tagger(
            "trans1", order=3, criterion="joint", smoothing=0.0, unknown_word_model=False
        ).fit(CORPUS[:2], GOLD[:2], dictionary=DICTIONARY)
        p = dict(zip(tagger.features_.names, np.exp(tagger.theta_).tolist(), strict=True))
        assert [
            p["ngram", "V", "V", tag] for tag in ("D", "N", "V", "<boundary>")
        ] == pytest.approx([0.25] * 4)

    def test_two_passes_are_all(self):
        assert len(trained("joint").training_.steps) == 3


class TestEm:
    @pytest.mark.parametrize("smoothing", [0.0, 0.2])
    @pytest.mark.parametrize("order", ORDERS)
    def test_ends_where_a_step_changes_nothing(self, order, smoothing):
        tagger = trained(
            "em",
            order=order,
            smoothing=smoothing,
            tolerance=1e-14,
            max_iterations=2000,
            start="random",
        )
        brute = brute_hmm(tagger)
        after = brute.em_step(CORPUS, smoothing).probability
        assert_allclose(list(after.values()), list(brute.probability.values()), atol=1e-5)

    def test_beats_untrained_and_tells_its_course(self):
        tagger = trained("em", smoothing=0.0, start="random")
        steps = tagger.training_.steps
        assert [step.iteration for step in steps] == list(range(len(steps)))
        assert tagger.training_.stopped == "converged"
        assert tagger.measure(CORPUS) == pytest.approx(steps[-1].objective)
        assert steps[-1].objective > steps[0].objective

    @pytest.mark.parametrize("smoothing", [0.0, 0.5])
    def test_of_labelled_sentences_beside_raw_ones(self, smoothing):
        tagger = Tagger(
            "trans1",
            order=2,
            criterion="em",
            smoothing=smoothing,
            alpha=0.5,
            tolerance=1e-9,
            unknown_word_model=False,
        )
        tagger.fit(RAW, dictionary=DICTIONARY, labelled=(TAGGED, TAGS))
        brute = brute_hmm(tagger)
        uniform = relative_frequencies({}, brute.probability)
        prior = (
            sum(math.log(p / uniform[n]) for n, p in brute.probability.items())
            if smoothing
            else 0.0
        )
        value = brute.log_joint(TAGGED, TAGS) + 0.5 * brute.log_likelihood(RAW) + smoothing * prior
        assert tagger.training_.objective == pytest.approx(value, rel=1e-9)
        values = [step.objective for step in tagger.training_.steps]
        assert values == sorted(values)

    def test_repeated_sentences_count_as_often(self):
        twice = Tagger(
            "trans1",
            order=2,
            criterion="em",
            smoothing=0.0,
            start="random",
            tolerance=1e-8,
            unknown_word_model=False,
        )
        once = copy.deepcopy(twice).fit(CORPUS, dictionary=DICTIONARY)
        twice.fit(CORPUS * 2, dictionary=DICTIONARY)
        assert_allclose(np.exp(twice.theta_), np.exp(once.theta_), atol=1e-6)
        assert twice.training_.objective == pytest.approx(2 * once.training_.objective, rel=1e-6)

    def test_the_number_of_processes_changes_no_bit(self):
        words = [tuple(sentence.words) for sentence in sample()]
        dictionary = TagDictionary.from_corpus(sample())
        one, two = (
            Tagger(
                "trans1",
                order=2,
                criterion="em",
                max_iterations=2,
                jobs=jobs,
                unknown_word_model=False,
            ).fit(words, dictionary=dictionary)
            for jobs in (1, 2)
        )
        assert_array_equal(one.theta_, two.theta_)

    def test_an_interruption_keeps_the_best_weights(self):
        def monitor(step):
            if step.iteration == 2:
                raise KeyboardInterrupt

        tagger = Tagger(
            "trans1", order=2, criterion="em", tolerance=0, start="random", unknown_word_model=False
        )
        with pytest.raises(KeyboardInterrupt):
            tagger.fit(CORPUS, dictionary=DICTIONARY, monitor=monitor)
        assert tagger.training_.stopped == "interrupted"
        two = Tagger(
            "trans1",
            order=2,
            criterion="em",
            tolerance=0,
            start="random",
            max_iterations=2,
            unknown_word_model=False,
        )
        assert_array_equal(tagger.theta_, two.fit(CORPUS, dictionary=DICTIONARY).theta_)

    def test_a_listed_word_that_training_did_not_see_is_no_certainty(self):
        dictionary = TagDictionary({"The": "D", "cat": "N", "dogs": ["D", "N"]}, open_class=["N"])
        tagger = Tagger(
            "trans1", order=1, criterion="em", smoothing=0.1, unknown_word_model=False
        ).fit([["The", "cat"]], dictionary=dictionary)
        p = dict(zip(tagger.features_.names, np.exp(tagger.theta_).tolist(), strict=True))
        brute = BruteHMM(p, dictionary, 1)
        assert tagger.measure([["dogs"]]) == pytest.approx(brute.log_likelihood([("dogs",)]))


class TestConditional:
    @pytest.mark.parametrize("criterion", ["conditional", "supervised-contrastive"])
    def test_the_optimum_without_a_prior_is_one(self, ambiguous, criterion):
        corpus, gold = ambiguous
        tagger = Tagger(
            "trans1",
            order=2,
            criterion=criterion,
            sigma2=None,
            tolerance=1e-13,
            max_iterations=2000,
            unknown_word_model=False,
        )
        best, theta = (
            tagger.fit(corpus, gold, dictionary=DICTIONARY).measure(corpus, gold),
            tagger.theta_,
        )
        objective, rng = (
            tagger.compile(corpus, gold, dictionary=DICTIONARY),
            np.random.default_rng(1),
        )
        assert objective(theta)[0] == pytest.approx(best, rel=1e-12)
        for deviation in (0.001, 0.1, 1.0):
            others = [objective(theta + rng.normal(0, deviation, len(theta)))[0] for _ in range(20)]
            # Weights of what was never observed are still on their way to −∞: hence a little room.
            assert max(others) < best + 1e-4
        assert max(others) < best - 1

    def test_at_the_optimum_expected_counts_are_the_observed(self, ambiguous):
        corpus, gold = ambiguous
        tagger = Tagger(
            "trans1",
            order=2,
            criterion="conditional",
            sigma2=None,
            tolerance=1e-14,
            max_iterations=3000,
            unknown_word_model=False,
        )
        tagger.fit(corpus, gold, dictionary=DICTIONARY)
        weights = weights_of(tagger.features_, tagger.theta_)
        difference: Counter[tuple[str, ...]] = Counter()
        for words, tags in zip(corpus, gold, strict=True):
            difference.update(oracles.tagged_features(words, tags, 2))
            difference.subtract(BruteTagger([words], DICTIONARY, weights, 2).expected_counts())
        assert_allclose([difference[name] for name in weights], 0, atol=0.01)

    def test_tags_that_training_saw_are_learnt(self):
        corpus, gold = CORPUS[:6], GOLD[:6]
        tagger = Tagger(
            "trans1", order=3, criterion="conditional", sigma2=10.0, unknown_word_model=False
        ).fit(corpus, gold, dictionary=DICTIONARY)
        assert [tuple(row) for row in tagger.predict(corpus)] == gold
        assert tagger.measure(corpus, gold) > -1


class TestLabelled:
    @pytest.mark.parametrize("alpha", [1.0, 0.3])
    @pytest.mark.parametrize("kind", ["trans1", "del1word", "length"])
    def test_their_conditional_likelihood_is_added_to_the_contrast(self, kind, alpha):
        tagger = Tagger(kind, order=2, sigma2=0.5, alpha=alpha, unknown_word_model=False)
        objective = tagger.compile(RAW, dictionary=DICTIONARY, labelled=(TAGGED, TAGS))
        tagger.theta_ = theta = np.random.default_rng(3).normal(size=tagger.features_.size)
        vocabulary = sorted({word for words in (*RAW, *TAGGED) for word in words})

        def neighbours(words):
            return (
                oracles.length(words, vocabulary)
                if kind == "length"
                else getattr(oracles, kind)(words)
            )

        conditional = contrast_by_enumeration(tagger, TAGGED, TAGS, oracles.identity)
        contrast = contrast_by_enumeration(tagger, RAW, None, neighbours)
        assert objective(theta)[0] == pytest.approx(
            conditional + alpha * contrast - theta @ theta, rel=1e-9
        )

    def test_training_climbs_that_sum(self):
        tagger = Tagger("trans1", order=2, alpha=0.3, unknown_word_model=False).fit(
            RAW, dictionary=DICTIONARY, labelled=(TAGGED, TAGS)
        )
        theta = tagger.theta_
        value = (
            contrast_by_enumeration(tagger, TAGGED, TAGS, oracles.identity)
            + 0.3 * contrast_by_enumeration(tagger, RAW, None, oracles.trans1)
            - theta @ theta / 2
        )
        assert tagger.training_.objective == pytest.approx(value, rel=1e-9)
        assert tagger.training_.objective > tagger.training_.steps[0].objective

    @pytest.mark.parametrize("criterion", ["contrastive", "em"])
    def test_what_is_measured_afterwards_are_the_sentences_asked_for(self, criterion):
        tagger = Tagger("trans1", order=2, criterion=criterion, alpha=0.3, unknown_word_model=False)
        tagger.fit(RAW, dictionary=DICTIONARY, labelled=(TAGGED, TAGS))
        for corpus in (RAW, TAGGED, RAW):
            expected = measured_by_enumeration(tagger, criterion, corpus, None)
            assert tagger.measure(corpus) == pytest.approx(expected, rel=1e-9)
            assert tagger.score(corpus) == pytest.approx(expected / len(corpus), rel=1e-9)

    def test_a_dictionary_may_be_read_from_them(self):
        tagger = Tagger("trans1", order=2, unknown_word_model=False).fit(
            [["a", "b"], ["b", "c"]], labelled=([["a", "b"]], [["X", "Y"]])
        )
        assert tagger.dictionary_.to_dict()["words"] == {"a": ["X"], "b": ["Y"]}
        assert tagger.predict([["a", "b"]]) == [["X", "Y"]]

    @pytest.mark.parametrize("criterion", SUPERVISED)
    def test_are_not_for_supervised_criteria(self, criterion):
        tagger = Tagger("trans1", order=2, criterion=criterion, unknown_word_model=False)
        with pytest.raises(ParameterError, match=f"the criterion '{criterion}' learns from tags"):
            tagger.fit(RAW, GOLD[2:], dictionary=DICTIONARY, labelled=(TAGGED, TAGS))

    @pytest.mark.parametrize(
        ("labelled", "message"),
        [
            ((TAGGED, TAGS[:1]), "2 sentences but 1 rows of tags"),
            ((TAGGED, [TAGS[0], ("N",)]), "sentence 2 has 2 words and 1 tags"),
            (([], []), "there is no sentence"),
        ],
    )
    def test_bad_ones_are_named(self, labelled, message):
        with pytest.raises(CorpusError, match=message):
            Tagger("trans1", order=2, unknown_word_model=False).fit(
                RAW, dictionary=DICTIONARY, labelled=labelled
            )

    @pytest.mark.parametrize("predicted", [True, False])
    def test_their_tags_join_the_tagset_and_the_words(self, predicted):
        """A word list that lacks tags does not keep them from being learned."""
        labelled = [["The", "wug", "dogs", "such"]], [["Q", "N", "N", "D"]]
        tagger = Tagger("trans1", order=2, unknown_word_model=predicted).fit(
            [*RAW, ["such", "The"]],
            dictionary=TagDictionary({**DICTIONARY, "dogs": "V"}, open_class=["N", "V"]),
            labelled=labelled,
        )
        assert "Q" in tagger.tags_ and "Q" in tagger.dictionary_["The"]
        assert tagger.dictionary_["dogs"] == ("N", "V") and "D" in tagger.dictionary_["such"]
        assert tagger.dictionary_.open_class == ("N", "V") and "wug" not in tagger.dictionary_


class TestParameters:
    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            (
                {"criterion": "crf"},
                "criterion='crf': choose one of contrastive, em, joint, conditional, supervised-contrastive",
            ),
            ({"criterion": None}, "criterion=None: choose one of"),
            ({"criterion": "em", "smoothing": -1}, "smoothing=-1: give a number from 0"),
            ({"criterion": "em", "smoothing": "some"}, "smoothing='some': give a number from 0"),
            (
                {"criterion": "em", "spelling": True},
                "an HMM (criterion 'em') has no features of spelling",
            ),
            (
                {"criterion": "joint", "spelling": True},
                "an HMM (criterion 'joint') has no features of spelling",
            ),
            ({"alpha": 0}, "alpha=0: give a number above 0"),
            ({"alpha": "x"}, "alpha='x': give a number above 0"),
            ({"alpha": float("nan")}, "alpha=nan: give a number above 0"),
            (
                {"annealing": (0.5, 0.2, 1.0)},
                "annealing=(0.5, 0.2, 1.0): give inverse temperatures above 0",
            ),
            ({"annealing": 0.5}, "annealing=0.5: give inverse temperatures above 0"),
        ],
    )
    def test_out_of_range_are_named(self, parameters, message):
        with pytest.raises(ParameterError, match=re.escape(message)):
            Tagger(
                **{"neighborhood": "trans1", "order": 2, **parameters}, unknown_word_model=False
            ).fit(CORPUS, GOLD, dictionary=DICTIONARY)

    @pytest.mark.parametrize("criterion", SUPERVISED)
    def test_supervised_criteria_need_tags_that_fit(self, criterion):
        tagger = Tagger("trans1", order=2, criterion=criterion, unknown_word_model=False)
        with pytest.raises(
            ParameterError, match=f"'{criterion}' learns from tags: give those of every sent"
        ):
            tagger.fit(CORPUS, dictionary=DICTIONARY)
        with pytest.raises(
            CorpusError, match="7 sentences but 6 rows of tags; give each sentence its own"
        ):
            tagger.fit(CORPUS, GOLD[:6], dictionary=DICTIONARY)
        with pytest.raises(CorpusError, match="sentence 2 has 2 words and 3 tags"):
            tagger.fit(CORPUS, [GOLD[0], GOLD[0], *GOLD[2:]], dictionary=DICTIONARY)

    @pytest.mark.parametrize(
        "criterion",
        [
            *("joint", "conditional", "supervised-contrastive"),
        ],
    )
    def test_supervised_criteria_need_tags_that_the_dictionary_allows(self, criterion):
        with pytest.raises(
            CorpusError, match="The/N: the dictionary does not list this tag for the word"
        ):
            Tagger("trans1", order=2, criterion=criterion, unknown_word_model=False).fit(
                [["The"]], [["N"]], dictionary=DICTIONARY
            )

    @pytest.mark.parametrize("criterion", ["joint", "conditional"])
    def test_a_gold_tag_that_was_not_predicted_for_an_unknown_word_is_learned(
        self, criterion, sentences
    ):
        rows, tags = [list(s.words) for s in sentences], [s.tags for s in sentences]
        few = TagDictionary.from_corpus(sentences, min_count=2)
        tagger = Tagger(order=2, criterion=criterion, sigma2=1.0, max_iterations=3)
        tagger.fit(rows, tags, dictionary=few)
        lacking = {
            w
            for row, gold in zip(rows, tags, strict=True)
            for w, t in zip(row, gold, strict=True)
            if t not in tagger.dictionary_.lookup(w)
        }
        assert not lacking

    def test_training_does_not_see_tags_that_it_should_not(self):
        for criterion in ("contrastive", "em"):
            blind = Tagger(
                "trans1", order=2, criterion=criterion, start="random", unknown_word_model=False
            )
            one, two = (
                copy.deepcopy(blind).fit(CORPUS, tags, dictionary=DICTIONARY)
                for tags in (None, [["?"] * len(words) for words in CORPUS])
            )
            assert_array_equal(one.theta_, two.theta_)

    def test_settings_changed_after_a_measurement_are_heeded(self):
        tagger = trained("em", smoothing=0.4)
        for criterion in (*CRITERIA, "em"):
            tagger.set_params(criterion=criterion)
            expected = measured_by_enumeration(tagger, criterion, CORPUS, GOLD)
            assert tagger.measure(CORPUS, GOLD) == pytest.approx(expected, rel=1e-9)

    def test_a_symbol_for_unknown_words_is_trained_by_length_only(self):
        # Under LENGTH it stands in Σ and falls; neighborhoods of the sentence's own words never hold it.
        for kind, falls in (("length", True), ("trans1", False)):
            tagger = Tagger(kind, order=2, oov=True, unknown_word_model=False).fit(
                CORPUS, dictionary=DICTIONARY
            )
            names = tagger.features_.names
            weights = [
                w for name, w in zip(names, tagger.theta_, strict=True) if name[1] == "<unk>"
            ]
            assert len(weights) == 3
            assert all(w < 0 for w in weights) if falls else weights == [0.0] * 3


class TestFiles:
    def test_an_hmm_with_zeros_is_loaded_bit_for_bit(self, zeros, tmp_path):
        zeros.save(tmp_path / "model")
        loaded = Tagger.load(tmp_path / "model")
        assert loaded.theta_.tobytes() == zeros.theta_.tobytes()
        assert loaded.features_.names == zeros.features_.names
        for sentences in (CORPUS, HELD_OUT):
            assert loaded.predict(sentences) == zeros.predict(sentences)
            assert loaded.measure(sentences) == pytest.approx(zeros.measure(sentences), rel=1e-12)
            for left, right in zip(
                loaded.predict_proba(sentences), zeros.predict_proba(sentences), strict=True
            ):
                assert_array_equal(left, right)
        assert loaded.measure(HELD_OUT) == -np.inf
        assert loaded.training_.objective == zeros.training_.objective
        assert loaded.training_.stopped == zeros.training_.stopped

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_parameters_of_all_kinds_survive(self, criterion, tmp_path):
        tagger = trained(
            criterion,
            smoothing=0.25,
            alpha=0.5,
            annealing=(0.5, 1),
            oov=True,
            sigma2=None,
            jobs=1,
            seed=7,
        )
        tagger.save(tmp_path / "model")
        loaded = Tagger.load(tmp_path / "model")
        ours, theirs = (
            {**t.get_params(), "annealing": checked_schedule(t.annealing)} for t in (loaded, tagger)
        )
        assert ours == theirs
        assert loaded.features_.has_oov == tagger.features_.has_oov is True
        assert loaded.measure(CORPUS, GOLD) == pytest.approx(
            tagger.measure(CORPUS, GOLD), rel=1e-12
        )
        again = loaded.fit(CORPUS, GOLD, dictionary=DICTIONARY)
        assert_array_equal(again.theta_, tagger.theta_)

    def test_a_schedule_is_loaded_as_it_was_given(self, tmp_path):
        tagger = trained("em", annealing=(0.5, 1.0))
        tagger.save(tmp_path / "model")
        assert Tagger.load(tmp_path / "model").get_params() == tagger.get_params()

    def test_a_schedule_of_numpy_numbers_is_saved(self, tmp_path):
        tagger = trained("em", annealing=tuple(np.array([0.5, 1.0])), smoothing=np.float64(0.5))
        tagger.save(tmp_path / "model")
        assert checked_schedule(Tagger.load(tmp_path / "model").annealing) == (0.5, 1.0)


class TestExport:
    @staticmethod
    def products(tagger, sentences):
        symbols = Symbols(
            [*tagger.features_.symbols, *(word for words in sentences for word in words)]
        )
        emissions, history = (
            emission_fst(tagger.weighted_, symbols),
            tag_ngram_fst(tagger.weighted_),
        )
        for words in sentences:
            acceptor = Lattice.of_sentence(words, symbols).to_fst()
            yield pynini.compose(pynini.compose(acceptor, emissions), history)

    def test_the_machines_are_sound_and_weigh_minus_log_probabilities(self, hmm):
        brute, fst = brute_hmm(hmm), emission_fst(hmm.weighted_)
        assert fst.verify()
        assert tag_ngram_fst(hmm.weighted_).verify()
        words, tags = fst.input_symbols(), fst.output_symbols()
        for arc in fst.arcs(fst.start()):
            word, tag = words.find(arc.ilabel), tags.find(arc.olabel)
            if word != "<unk>":
                p = brute.probability["word", word, tag]
                assert math.exp(-float(arc.weight)) == pytest.approx(p, rel=1e-4, abs=1e-30)

    def test_shortest_paths_are_the_tags_and_their_probabilities(self, hmm):
        brute = brute_hmm(hmm)
        # A word that training did not see is possible with smoothing only.
        sentences = CORPUS + HELD_OUT
        for words, tags, machine in zip(
            sentences, hmm.predict(sentences), self.products(hmm, sentences), strict=True
        ):
            best = max(brute.joint(words, y) for y in taggings(words, DICTIONARY))
            symbols = machine.output_symbols()
            paths = pynini.shortestpath(machine).paths(output_token_type=symbols)
            if best == 0:
                assert paths.done()
                assert hmm.smoothing == 0
                continue
            found = tuple(paths.ostring().split())
            assert math.exp(-float(paths.weight())) == pytest.approx(best, rel=1e-4)
            assert brute.joint(words, tuple(tags)) == pytest.approx(best)
            assert brute.joint(words, found) == pytest.approx(best, rel=1e-4)

    @pytest.mark.skipif(
        shutil.which("fstcompose") is None,
        reason="fstcompose is not installed (Debian: libfst-tools)",
    )
    def test_openfsts_tools_run_them(self, hmm, tmp_path):
        export(hmm.weighted_, tmp_path, CORPUS)
        (tmp_path / "own.txt").write_text("".join(" ".join(words) + "\n" for words in CORPUS))
        brute = brute_hmm(hmm)
        for number, words in enumerate(CORPUS, 1):
            command = (
                "farcompilestrings --symbols=words.syms --keep_symbols --generate_keys=4 own.txt own.far "
                "&& farextract --filename_suffix=.fst own.far && "
                f"fstcompose {number:04d}.fst emissions.fst | fstcompose - history.fst | fstshortestdistance "
                "--reverse"
            )
            ran = subprocess.run(
                ["bash", "-o", "pipefail", "-c", command],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=patience(60),
            )
            assert ran.returncode == 0, ran.stderr
            cost = float(ran.stdout.splitlines()[0].split()[1])
            best = max(brute.joint(words, y) for y in taggings(words, DICTIONARY))
            assert math.exp(-cost) == pytest.approx(best, rel=1e-4)

    def test_unknown_words_weigh_what_the_model_says(self):
        hmm = trained("em", smoothing=0.1)
        brute, fst = brute_hmm(hmm), emission_fst(hmm.weighted_)
        label = fst.input_symbols().find("<unk>")
        costs = {
            fst.output_symbols().find(a.olabel): float(a.weight)
            for a in fst.arcs(0)
            if a.ilabel == label
        }
        for tag, cost in costs.items():
            assert math.exp(-cost) == pytest.approx(
                brute.probability["word", "<unk>", tag], rel=1e-4
            )


class TestAuto:
    # all words listed, the unknown ones with the tags that they may take anyway
    WHOLE = TagDictionary(
        {word: DICTIONARY.lookup(word) for words in CORPUS for word in words}, DICTIONARY.tagset
    )

    # where less than half of a text is listed, what is not is exchanged, too, and EM counts half
    LITTLE = TagDictionary({"The": "D", "x-ray": "N"}, DICTIONARY.tagset)

    @pytest.mark.parametrize(
        "dictionary, near_the",
        [
            (DICTIONARY, ["dogs", "runs", "x-ray", "run"]),
            (LITTLE, ["dogs", "runs", "zip", "x-ray"]),
        ],
    )
    def test_the_objective_contrasts_with_words_of_like_frequency_and_other_tags(
        self, dictionary, near_the
    ):
        text = [("dogs", "zip"), ("The", "dogs", "zip", "runs"), ("x-ray", "zip"), ("zip", "run")]
        tagger = Tagger("auto", order=2, sigma2=0.5, unknown_word_model=False)
        objective = tagger.compile(text, dictionary=dictionary)
        theta = np.random.default_rng(3).normal(size=tagger.features_.size)
        n = len(tagger.features_.ngrams)
        theta[n : n + len(tagger.features_.word)][tagger.features_.word == UNKNOWN_ID] = -np.inf
        tagger.theta_ = theta

        ranked = ["zip", "dogs", "The", "runs", "x-ray", "run"]  # equals as they come
        exchanged = [w for w in ranked if w in dictionary or dictionary is self.LITTLE]

        def near(word: str) -> list[str]:
            tags = dictionary.lookup(word) if word in exchanged else None
            place = ranked.index(word)
            others = [w for w in exchanged if dictionary.lookup(w) != tags and w != word]
            return sorted(others, key=lambda w: (abs(ranked.index(w) - place), ranked.index(w)))[:4]

        assert near("dogs") == ["The", "x-ray"]
        assert near("The") == near_the
        of_words = contrast_by_enumeration(
            tagger, text, None, lambda words: oracles_neighbors.sub1(words, near), dictionary
        )
        of_order = contrast_by_enumeration(tagger, text, None, oracles.trans1, dictionary)
        expected = pytest.approx((of_words + of_order) / 2, rel=1e-9)
        assert tagger.contrasts_ == ("sub1band", "trans1")
        assert value_of(objective.terms, theta) == expected
        assert tagger.measure(text) == expected

    def test_what_is_reported_is_the_objective_of_the_mean(self):
        tagger = Tagger(order=2, unknown_word_model=False, max_iterations=3)
        objective = tagger.compile(RAW, dictionary=self.WHOLE)
        tagger.train(objective)
        assert tagger.training_.objective == objective(tagger.training_.theta)[0]
        assert tagger.training_.objective != tagger.training_.steps[-1].objective

    @pytest.mark.parametrize("labelled", [None, (TAGGED, TAGS)])
    @pytest.mark.parametrize("dictionary, hmm", [(WHOLE, HMM), (LITTLE, 1.5)])
    def test_weights_are_the_mean_of_three_trainings(self, labelled, dictionary, hmm):
        """Each of them as by itself, with every n-gram and the unknown word among its features."""
        given = {"order": 2, "unknown_word_model": False, "alpha": 0.3, "tolerance": 1e-9}
        tagger = Tagger(**given).fit(RAW, dictionary=dictionary, labelled=labelled)
        parts = [
            Tagger(criterion="em", **given),
            Tagger("sub1band", oov=True, spelling=True, **given),
            Tagger("trans1", oov=True, spelling=True, **given),
        ]
        names, found, whole = tagger.features_.names, tagger.theta_, 0
        for part, share in zip(parts, (hmm, *SHARES.values()), strict=True):
            part.fit(RAW, dictionary=dictionary, labelled=labelled)
            weights = dict(zip(part.features_.names, part.theta_.tolist(), strict=True))
            whole = whole + share * np.array([weights.get(name, 0.0) for name in names])
        assert_allclose(found, whole / (hmm + 1.5), atol=2e-3)

    def test_more_tags_than_length_has_a_table_for(self):
        dictionary = TagDictionary({f"w{i}": f"T{i}" for i in range(300)})
        given = {"unknown_word_model": False, "max_iterations": 2}
        tagger = Tagger("AUTO", **given).fit([["w1", "w2", "w3"]], dictionary=dictionary)
        stages = dict.fromkeys(step.stage for step in tagger.training_.steps)
        assert list(stages) == ["hmm", "sub1band", "trans1"]
        hmm = Tagger(criterion="em", **given).fit([["w1", "w2", "w3"]], dictionary=dictionary)
        share = HMM / 2
        assert tagger.features_.missing == pytest.approx(share * hmm.features_.missing)
        assert tagger.features_.missing < 0

    def test_forms_have_no_hmm_and_that_is_said(self):
        tagger = Tagger(order=2, features=["form"], max_iterations=2)
        with pytest.warns(UserWarning, match="features: auto is without its HMM"):
            tagger.fit(CORPUS, dictionary=self.WHOLE)
        stages = dict.fromkeys(step.stage for step in tagger.training_.steps)
        assert list(stages) == ["sub1band", "trans1"]

    def test_a_correction_is_one_training(self):
        tagger = Tagger(order=2, criterion="supervised-contrastive", max_iterations=2)
        tagger.fit(TAGGED, TAGS, dictionary=self.WHOLE)
        assert tagger.contrasts_ == ("sub1band", "trans1")
        assert {step.stage for step in tagger.training_.steps} == {""}

    def test_spellings_weigh_nothing_in_the_hmm(self):
        tagger = Tagger(order=2, spelling=True, max_iterations=2)
        likelihood = tagger.compile(CORPUS, dictionary=self.WHOLE).experts[0].objective
        theta = likelihood.multinomials.normalize(likelihood(likelihood.multinomials.uniform())[1])
        assert not np.any(theta[len(theta) - len(tagger.features_.spelling) :])

    def test_an_interrupted_training_keeps_the_mean_of_what_there_is(self):
        def interrupt(step):
            if step.stage == "sub1band":
                raise KeyboardInterrupt

        tagger = Tagger(order=2, unknown_word_model=False, smoothing=0.0)
        with pytest.raises(KeyboardInterrupt):
            tagger.fit(CORPUS, dictionary=self.WHOLE, monitor=interrupt)
        hmm = Tagger(criterion="em", order=2, unknown_word_model=False, smoothing=0.0).fit(
            CORPUS, dictionary=self.WHOLE
        )
        weights = dict(zip(hmm.features_.names, np.maximum(hmm.theta_, -30), strict=True))
        expected = [
            weights.get(name, 0.0) * HMM / (HMM + SHARES["sub1band"])
            for name in tagger.features_.names
        ]
        assert_allclose(tagger.theta_, expected, atol=1e-12)
        assert tagger.predict(CORPUS)

    def test_goes_on_from_files_to_the_same_bits(self, tmp_path):
        heard = []

        def stop(step):
            heard.append(step)
            if step.stage == "sub1band" and heard[-2].stage == step.stage:
                raise RuntimeError("killed")

        def trained(monitor=None):
            tagger = Tagger(order=2)
            objective = tagger.compile(CORPUS, dictionary=self.WHOLE)
            objective.record(Journal(tmp_path / "journal", objective.terms))
            return tagger.train(objective, monitor=monitor)

        with pytest.raises(RuntimeError):
            trained(stop)
        whole = Tagger(order=2).fit(CORPUS, dictionary=self.WHOLE)
        assert_array_equal(trained().theta_, whole.theta_)

    def test_is_kept_in_a_saved_model(self, tmp_path):
        tagger = Tagger(order=2, max_iterations=3).fit(CORPUS, dictionary=self.WHOLE)
        tagger.save(tmp_path / "model")
        loaded = Tagger.load(tmp_path / "model")
        assert (loaded.neighborhood, loaded.contrasts_) == ("auto", ("sub1band", "trans1"))
        assert loaded.measure(CORPUS) == pytest.approx(tagger.measure(CORPUS), rel=1e-12)

    def test_is_explained_over_trans1_which_needs_no_text(self):
        tagger = Tagger(order=2, max_iterations=3).fit(CORPUS, dictionary=self.WHOLE)
        assert explain(tagger, CORPUS[0]).neighborhood == "trans1"

    @pytest.mark.parametrize("name", ["auto", "Auto", "auto | del1word"])
    def test_is_no_neighbourhood_by_itself(self, name):
        with pytest.raises(NeighborhoodError, match="auto is no neighborhood"):
            neighborhood(name)
