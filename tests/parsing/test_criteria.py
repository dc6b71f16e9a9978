"""The parser's criteria: values and gradients by enumeration, their optima by hand, their laws."""

from __future__ import annotations

import copy
import math
import re
from collections import Counter

import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from oracles_trees import tree_features
from parsing_cases import (
    CORPUS,
    GOLD,
    NEIGHBOURS,
    brute,
    criterion_by_enumeration,
    named,
    numbered,
    random_theta,
    relative_frequencies,
    trained,
)

from fstce import DependencyParser
from fstce.errors import CorpusError, ParameterError
from fstce.estimation.maximize import checked_schedule
from fstce.parsing.criteria import CRITERIA, LOCAL, SUPERVISED, Treebank, usable

CONTRASTS = [("contrastive", kind) for kind in NEIGHBOURS] + [
    ("supervised-contrastive", kind) for kind in NEIGHBOURS
]
OTHERS = [
    (criterion, "trans1")
    for criterion in CRITERIA
    if criterion not in ("contrastive", "supervised-contrastive")
]
NOT_PROJECTIVE = (3, 4, 0, 3)


def compiled(criterion, **parameters):
    parser = DependencyParser(criterion=criterion, **parameters)
    return parser, parser.compile(CORPUS, GOLD if criterion in SUPERVISED else None)


class TestObjective:
    @pytest.mark.parametrize(("criterion", "kind"), CONTRASTS + OTHERS)
    def test_value_and_gradient_equal_the_enumeration(self, criterion, kind):
        parser, objective = compiled(criterion, neighborhood=kind, sigma2=0.7, smoothing=0.3)
        theta = random_theta(len(kind))
        value, gradient = objective(theta)
        weights = named(parser.model_, theta)
        expected, slope = criterion_by_enumeration(criterion, weights, NEIGHBOURS[kind])
        if criterion in LOCAL:
            uniform = relative_frequencies({}, parser.model_.names)
            expected += 0.3 * (theta.sum() - sum(uniform.values()))
            prior = np.full(45, 0.3)
        else:
            expected -= theta @ theta / 1.4
            prior = -theta / 0.7
        assert value == pytest.approx(expected, rel=1e-9)
        assert_allclose(gradient, numbered(parser.model_, slope) + prior, rtol=1e-9, atol=1e-10)

    def test_the_training_set_is_a_neighborhood(self):
        """Each sentence against all of them, each once (2005b, §3.1, Eq. 3)."""
        parser, objective = compiled("contrastive", neighborhood="training-set", sigma2=None)
        theta = random_theta(7)
        weights = named(parser.model_, theta)
        everything = sorted({tuple(tags) for tags in CORPUS})
        expected, slope = criterion_by_enumeration("contrastive", weights, lambda _: everything)
        value, gradient = objective(theta)
        assert value == pytest.approx(expected, rel=1e-9)
        assert_allclose(gradient, numbered(parser.model_, slope), rtol=1e-9, atol=1e-10)

    @pytest.mark.parametrize(
        ("criterion", "kind"), [("contrastive", "del1subseq"), *CONTRASTS, *OTHERS]
    )
    def test_gradient_is_the_slope_of_the_value(self, criterion, kind):
        _, objective = compiled(criterion, neighborhood=kind)
        theta, h = random_theta(3), 1e-5
        gradient = objective(theta)[1]
        for i, unit in enumerate(np.eye(45) * h):
            slope = (objective(theta + unit)[0] - objective(theta - unit)[0]) / (2 * h)
            assert gradient[i] == pytest.approx(slope, rel=1e-5, abs=1e-5)

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_the_parsers_own_objective_is_what_it_compiles(self, criterion):
        parser, objective = compiled(criterion, sigma2=0.5)
        theta = random_theta(8)
        value, gradient = parser.objective(CORPUS, theta, GOLD)
        assert value == pytest.approx(objective(theta)[0], rel=1e-12)
        assert_allclose(gradient, objective(theta)[1], rtol=1e-12)

    @pytest.mark.parametrize("criterion", SUPERVISED)
    def test_a_supervised_objective_needs_trees(self, criterion):
        parser, _ = compiled(criterion)
        with pytest.raises(ParameterError, match=f"the criterion '{criterion}' learns from trees"):
            parser.objective(CORPUS, random_theta(0))

    @pytest.mark.parametrize("criterion", CRITERIA)
    @pytest.mark.parametrize("beta", [0.3, 1.0])
    def test_annealing_heats_what_is_hidden_alone(self, criterion, beta):
        parser, objective = compiled(criterion, sigma2=None, smoothing=0.0)
        theta = random_theta(5)
        value, _ = objective.annealed(beta)(theta)
        weights, heated = (named(parser.model_, x) for x in (theta, beta * theta))
        expected, _ = criterion_by_enumeration(criterion, weights)
        if criterion in ("em", "contrastive"):
            cold, hot = (sum(brute([tags], w).log_z for tags in CORPUS) for w in (weights, heated))
            expected += hot / beta - cold
        assert value == pytest.approx(expected, rel=1e-9)

    def test_without_a_prior(self):
        parser, objective = compiled("contrastive", sigma2=None)
        theta = random_theta(1)
        expected, _ = criterion_by_enumeration("contrastive", named(parser.model_, theta))
        assert objective(theta)[0] == pytest.approx(expected)


sentences = st.lists(st.sampled_from("DNV"), min_size=1, max_size=6).map(tuple)


class TestLaws:
    @given(
        st.lists(sentences, min_size=1, max_size=3),
        st.integers(0, 10**6),
        st.sampled_from([0.3, 5.0]),
    )
    @settings(max_examples=25, deadline=None)
    def test_correction_is_conditional_and_contrastive_together(self, corpus, seed, scale):
        # p(x, y | N(x)) = p(x | N(x)) · p(y | x), whatever the tree; the chain is one.
        gold = [tuple(range(len(tags))) for tags in corpus]
        value = {}
        for criterion in ("contrastive", "conditional", "supervised-contrastive"):
            parser = DependencyParser(criterion=criterion, sigma2=None, neighborhood="delortrans1")
            objective = parser.compile(corpus, gold, tags=("D", "N", "V"))
            value[criterion] = objective(random_theta(seed, scale=scale))[0]
        assert max(value["contrastive"], value["conditional"]) <= 1e-9
        together = value["contrastive"] + value["conditional"]
        assert value["supervised-contrastive"] == pytest.approx(together, rel=1e-9, abs=1e-9)

    @given(st.lists(sentences, min_size=1, max_size=3), st.integers(0, 10**6))
    @settings(max_examples=25, deadline=None)
    def test_a_likelihood_of_probabilities_is_one(self, corpus, seed):
        parser = DependencyParser(criterion="em", smoothing=0.0, start="random", seed=seed)
        objective = parser.compile(corpus, tags=("D", "N", "V"))
        theta = parser.initial_weights()
        assert objective(theta)[0] <= 0

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_sentences_given_twice_count_twice(self, criterion):
        _, once = compiled(criterion, sigma2=None, smoothing=0.0)
        parser = DependencyParser(criterion=criterion, sigma2=None, smoothing=0.0)
        twice = parser.compile(CORPUS * 2, GOLD * 2)
        theta = random_theta(2)
        assert twice(theta)[0] == pytest.approx(2 * once(theta)[0], rel=1e-12)
        assert_allclose(twice(theta)[1], 2 * once(theta)[1], rtol=1e-11, atol=1e-11)


class TestGenerative:
    @pytest.mark.parametrize("smoothing", [0.0, 0.3])
    def test_joint_is_the_relative_frequencies(self, smoothing):
        parser = trained("joint", smoothing=smoothing)
        counts = sum(map(tree_features, CORPUS, GOLD), Counter())
        wanted = relative_frequencies(counts, parser.model_.names, smoothing)
        assert_allclose(np.exp(parser.theta_), np.exp(list(wanted.values())), rtol=1e-12)
        assert parser.training_.stopped == "converged"

    def test_joint_by_hand(self):
        weights = trained("joint", smoothing=0.0).weights()
        # Of six Vs four have a child on the left; on the right one has one child and one has two.
        assert weights["root", "V"] == 0.0
        assert weights["child", "V", "N", "right"] == 0.0
        assert weights["child", "N", "D", "left"] == 0.0
        assert weights["stop", "V", "left", "adj", "go"] == pytest.approx(math.log(4 / 6))
        assert weights["stop", "V", "right", "non", "go"] == pytest.approx(math.log(1 / 3))
        assert weights["stop", "D", "right", "non", "go"] == pytest.approx(math.log(1 / 2))

    @pytest.mark.parametrize("smoothing", [0.0, 0.5])
    def test_one_step_is_the_one_by_hand(self, smoothing):
        parser = trained(
            "em", smoothing=smoothing, start="random", seed=4, max_iterations=1, tolerance=0
        )
        names = parser.model_.names
        start = named(parser.model_, parser.initial_weights())
        counts: Counter[tuple[str, ...]] = Counter()
        for tags in CORPUS:
            for name, n in brute([tags], start).expected_counts().items():
                counts[name] += n
        wanted = relative_frequencies(counts, names, smoothing)
        assert_allclose(np.exp(parser.theta_), np.exp(list(wanted.values())), rtol=1e-9, atol=1e-12)
        assert parser.training_.stopped == "iteration limit"

    @pytest.mark.parametrize("criterion", ["em"])
    @pytest.mark.parametrize("smoothing", [0.0, 1.0])
    @pytest.mark.parametrize("start", ["uniform", "random", "klein-manning"])
    def test_never_falls(self, criterion, smoothing, start):
        corpus = [*CORPUS, ("D", "V", "N", "D"), ("N", "N", "D", "V"), ("V", "D", "N", "V", "N")]
        parser = DependencyParser(
            criterion=criterion, smoothing=smoothing, start=start, tolerance=1e-9
        )
        values = [step.objective for step in parser.fit(corpus).training_.steps]
        assert np.all(np.isfinite(values))
        assert np.all(np.diff(values) >= -1e-9)
        assert values[-1] > values[0] + 0.1
        assert_allclose(np.bincount(parser.model_.group, np.exp(parser.theta_)), 1.0)
        assert parser.training_.objective == max(values)


class TestSupervised:
    @pytest.mark.parametrize("criterion", ["conditional", "supervised-contrastive"])
    def test_learns_the_trees(self, criterion):
        assert trained(criterion, sigma2=10.0, tolerance=1e-8).predict(CORPUS) == GOLD

    @pytest.mark.parametrize("criterion", ["contrastive", "conditional", "supervised-contrastive"])
    def test_ends_where_the_slope_is_zero(self, criterion):
        parser = trained(criterion, sigma2=1.0, tolerance=1e-14)
        _, gradient = parser.objective(CORPUS, parser.theta_, GOLD)
        assert np.abs(gradient).max() < 1e-4

    @pytest.mark.parametrize("criterion", SUPERVISED)
    def test_trees_that_are_not_projective_are_n_skipped_and_counted(self, criterion):
        corpus, gold = [*CORPUS, ("V", "N", "N", "D")], [*GOLD, NOT_PROJECTIVE]
        parser = DependencyParser(criterion=criterion).fit(corpus, gold)
        assert parser.n_skipped_ == 1
        assert_allclose(parser.theta_, trained(criterion).theta_, rtol=1e-12)
        assert trained(criterion).n_skipped_ == 0
        value = parser.measure(corpus, gold)
        assert value == pytest.approx(parser.measure(CORPUS, GOLD), rel=1e-12)

    def test_tags_of_a_tree_left_out_are_tags_all_the_same(self):
        parser = DependencyParser(criterion="joint").fit(
            [("D",), ("A", "B", "C", "A")], [(0,), NOT_PROJECTIVE]
        )
        assert parser.model_.tags == ("A", "B", "C", "D")

    @pytest.mark.parametrize("criterion", ["contrastive", "em"])
    def test_other_criteria_do_not_look_at_trees(self, criterion):
        seen = DependencyParser(criterion=criterion).fit(CORPUS, [(9,)])
        assert seen.theta_.tobytes() == trained(criterion).theta_.tobytes()
        assert seen.n_skipped_ == 0

    def test_what_is_usable(self):
        treebank = Treebank([("A", "B"), ("A", "B", "C", "D")], [np.array([2, 0]), NOT_PROJECTIVE])
        kept, left_out = usable(treebank, "joint")
        assert (list(kept.sentences), [tuple(h) for h in kept.heads], left_out) == (
            [("A", "B")],
            [(2, 0)],
            1,
        )
        assert usable(treebank, "em") == (Treebank(treebank.sentences), 0)

    @pytest.mark.parametrize("criterion", SUPERVISED)
    @pytest.mark.parametrize(
        ("heads", "error", "message"),
        [
            (None, ParameterError, "learns from trees: give the heads of every sentence"),
            ([(2, 0)], CorpusError, "2 sentences but 1 rows of heads; give each sentence its own"),
            ([(2, 0), (0, 1)], CorpusError, "sentence 2 has 3 tags and 2 heads"),
            ([(2, 0), None], CorpusError, "sentence 2 has no heads"),
            (
                [(2, 0), (2, 1, 0)],
                CorpusError,
                "sentence 2: the heads of words 1, 2 run in a cycle",
            ),
            ([(2, 0), (2, 2, 0)], CorpusError, "sentence 2: head 2 of word 2 is the word itself"),
            ([(2, 0), (0, 1, 0)], CorpusError, "sentence 2: words 1, 3 are all roots (head 0)"),
            (
                [(2, 0), (0, 1, 4)],
                CorpusError,
                "sentence 2: head 4 of word 3 is outside its sentence",
            ),
            (
                [(2, 0), (0, 1, -1)],
                CorpusError,
                "sentence 2: head -1 of word 3 is outside its sentence",
            ),
            ([(2, 0), (0, "1", 1)], CorpusError, "sentence 2: the head '1' is no whole number"),
        ],
    )
    def test_bad_trees_are_named(self, criterion, heads, error, message):
        parser = DependencyParser(criterion=criterion)
        with pytest.raises(error, match=re.escape(message)):
            parser.fit([("N", "V"), ("D", "N", "V")], heads)

    def test_no_projective_tree(self):
        with pytest.raises(ParameterError, match="no tree is projective"):
            DependencyParser(criterion="joint").fit([("V", "N", "N", "D")], [NOT_PROJECTIVE])


def under(parser: DependencyParser, **parameters: str) -> DependencyParser:
    """The same weights with other parameters."""
    return copy.copy(parser).set_params(**parameters)


class TestMeasure:
    @pytest.mark.parametrize("criterion", CRITERIA)
    @pytest.mark.parametrize("source", ["contrastive", "em"])
    def test_any_criterion_of_any_model(self, criterion, source):
        parser = trained(source)
        corpus, gold = [("V", "D", "N"), ("N", "N")], [(0, 3, 1), (2, 0)]
        weights = named(parser.model_, parser.theta_)
        expected, _ = criterion_by_enumeration(criterion, weights, oracles.trans1, corpus, gold)
        assert under(parser, criterion=criterion).measure(corpus, gold) == pytest.approx(
            expected, rel=1e-9
        )
        assert parser.criterion == source

    @pytest.mark.parametrize("kind", ["del1word", "length"])
    def test_with_another_neighbourhood(self, kind):
        parser = trained("contrastive")
        weights = named(parser.model_, parser.theta_)
        expected, _ = criterion_by_enumeration("contrastive", weights, NEIGHBOURS[kind])
        assert under(parser, neighborhood=kind).measure(CORPUS) == pytest.approx(expected, rel=1e-9)
        assert parser.recipe.neighborhood == "trans1"

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_is_the_trained_objective_without_its_prior(self, criterion):
        parser = trained(criterion, sigma2=0.7, smoothing=0.5)
        if criterion in LOCAL:
            prior = (
                0.5
                * (
                    parser.theta_ - parser.model_.log_probabilities(np.zeros(parser.theta_.size))
                ).sum()
            )
        else:
            prior = -parser.theta_ @ parser.theta_ / 1.4
        assert prior < -0.1
        assert parser.measure(CORPUS, GOLD) + prior == pytest.approx(
            parser.training_.objective, rel=1e-9
        )

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_is_minus_infinity_where_the_grammar_allows_no_tree(self, criterion):
        parser = trained("joint", smoothing=0.0)
        with np.errstate(invalid="raise"):
            value = under(parser, criterion=criterion).measure(
                [*CORPUS, ("V", "V", "D")], [*GOLD, (0, 1, 2)]
            )
        assert value == -math.inf
        assert np.isfinite(under(parser, criterion=criterion).measure(CORPUS, GOLD))


class TestAnnealing:
    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_ends_at_the_criterion_itself(self, criterion):
        betas = (0.2, 0.6, 1)
        parser = trained(criterion, annealing=betas, start="random", smoothing=0.0)
        assert checked_schedule(betas)
        heads = GOLD if criterion in SUPERVISED else None
        value, _ = parser.objective(CORPUS, parser.theta_, heads)
        assert value == pytest.approx(parser.training_.objective, rel=1e-9)
        steps = [step.iteration for step in parser.training_.steps]
        assert steps == list(range(len(steps)))

    @pytest.mark.parametrize("criterion", ["em", "contrastive"])
    def test_begins_with_the_heated_one(self, criterion):
        parser = trained(criterion, annealing=(0.2, 1), start="random", smoothing=0.0, sigma2=None)
        heated = named(parser.model_, 0.2 * parser.initial_weights())
        weights = named(parser.model_, parser.initial_weights())
        expected = sum(brute([tags], heated).log_z for tags in CORPUS) / 0.2
        if criterion == "contrastive":
            expected -= sum(brute(oracles.trans1(tags), weights).log_z for tags in CORPUS)
        assert parser.training_.steps[0].objective == pytest.approx(expected)

    def test_one_temperature_is_none(self):
        heated, plain = trained("em", annealing=[1.0]), trained("em")
        assert heated.theta_.tobytes() == plain.theta_.tobytes()

    def test_another_way_may_end_elsewhere(self):
        heated, plain = (trained("em", start="random", annealing=a) for a in ((0.05, 1), None))
        assert not np.allclose(heated.theta_, plain.theta_)
