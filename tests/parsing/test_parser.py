"""The dependency parser as people call it."""

from __future__ import annotations

import copy
import math
import os
import pickle
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles_trees import is_projective, is_tree
from parsing_cases import (
    CORPUS,
    GOLD,
    brute,
    criterion_by_enumeration,
    named,
    random_theta,
    trained,
    weighing,
)
from patience import patience

from fstce import DependencyParser, neighborhood
from fstce.corpora import Sentence
from fstce.corpora.dependencies import DependencyCorpus, dependency_corpus
from fstce.errors import (
    CorpusError,
    NeighborhoodError,
    NotFittedError,
    ParameterError,
)
from fstce.estimation.maximize import Interrupted, Step
from fstce.parsing.criteria import CRITERIA, LOCAL

OTHERS = [("V", "N", "D", "V", "N"), ("N",), ("N", "D", "D"), ("V", "V")]
IMPOSSIBLE = ("V", "V", "D")


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return trained("contrastive")


@pytest.fixture(scope="module")
def zeros() -> DependencyParser:
    """A grammar with probabilities of zero, with no tree of IMPOSSIBLE: V alone is root, D is no head."""
    return trained("joint", smoothing=0.0)


def log_partition(tags: tuple[str, ...], parser: DependencyParser) -> float:
    return brute([tags], named(parser.model_, parser.theta_)).log_z


class TestTraining:
    def test_climbs_and_says_why_it_stopped(self, parser):
        training = parser.training_
        values = [step.objective for step in training.steps]
        zero = dict.fromkeys(parser.model_.names, 0.0)
        assert values == sorted(values)
        assert values[0] == pytest.approx(criterion_by_enumeration("contrastive", zero)[0])
        assert training.stopped == "converged"
        assert training.objective == values[-1] > values[0] + 0.1
        assert parser.objective(CORPUS, parser.theta_)[0] == pytest.approx(training.objective)

    def test_tags_are_those_of_the_sentences(self, parser):
        assert parser.model_.tags == ("D", "N", "V")
        assert parser.theta_.shape == (3 * (2 * 3 + 9),)
        assert list(parser.weights()) == parser.model_.names
        assert list(parser.weights().values()) == parser.theta_.tolist()

    def test_a_tagset_of_ones_own(self):
        parser = DependencyParser(neighborhood="length").fit(CORPUS, tags=["X", "V", "N", "D"])
        assert parser.model_.tags == ("X", "V", "N", "D")
        # LENGTH ranges over X too, which no sentence has: its weight falls.
        assert parser.weights()["root", "X"] < -0.05

    def test_kinds_of_rows_change_nothing(self, parser):
        rows = (list(row) for row in CORPUS)
        assert DependencyParser("trans1").fit(rows).theta_.tobytes() == parser.theta_.tobytes()

    def test_compile_and_train_are_fit(self, parser):
        other = DependencyParser("trans1")
        other.train(other.compile(CORPUS))
        assert other.theta_.tobytes() == parser.theta_.tobytes()

    def test_compile_forgets_earlier_weights(self):
        parser = DependencyParser().fit(CORPUS)
        parser.compile([("A", "B")])
        with pytest.raises(NotFittedError, match="not trained yet"):
            parser.predict(CORPUS)

    @pytest.mark.parametrize("criterion", ["contrastive", "em"])
    def test_the_monitor_hears_and_an_interruption_keeps_the_best_weights(self, criterion):
        heard: list[Step] = []

        def monitor(step: Step) -> None:
            heard.append(step)
            if step.iteration == 2:
                raise KeyboardInterrupt

        parser = DependencyParser(criterion=criterion, start="random", tolerance=0)
        with pytest.raises(KeyboardInterrupt) as caught:
            parser.fit(CORPUS, monitor=monitor)
        assert isinstance(caught.value, Interrupted)
        assert [step.iteration for step in heard] == [0, 1, 2]
        assert parser.training_.stopped == "interrupted"
        assert parser.objective(CORPUS, parser.theta_)[0] == pytest.approx(heard[-1].objective)
        assert len(parser.predict(CORPUS)) == len(CORPUS)

    @pytest.mark.parametrize(
        "kind", ["trans1", "del1word", "delortrans1", "del1subseq", "length", "identity"]
    )
    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_sentences_of_one_word(self, kind, criterion):
        parser = DependencyParser(kind, criterion=criterion).fit([["V"], ["N"]], [[0], [0]])
        assert np.all(np.isfinite(parser.theta_))
        assert parser.predict([["N"], ["V"]]) == [(0,), (0,)]

    def test_two_processes_train_the_same_bits(self, tmp_path):
        code = (
            "import sys; from fstce import DependencyParser; from parsing_cases import CORPUS; "
            "DependencyParser('delortrans1', start='random', seed=3).fit(CORPUS * 9).save(sys.argv[1])"
        )
        here = str(Path(__file__).parents[1])
        for seed in ("1", "2"):
            environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": here}
            command = [sys.executable, "-c", code, str(tmp_path / seed)]
            subprocess.run(command, env=environment, check=True, timeout=patience(120))
        for name in ("weights.npz", "model.json", "weights.tsv"):
            first, second = ((tmp_path / seed / name).read_bytes() for seed in ("1", "2"))
            assert first == second, name


class TestStarts:
    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_uniform(self, criterion):
        parser = DependencyParser(criterion=criterion)
        parser.compile(CORPUS, GOLD)
        expected = (
            parser.model_.log_probabilities(np.zeros(45)) if criterion in LOCAL else np.zeros(45)
        )
        assert_array_equal(parser.initial_weights(), expected)

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_klein_and_mannings(self, criterion):
        parser = DependencyParser(criterion=criterion, start="klein-manning")
        parser.compile(CORPUS, GOLD)
        start = parser.initial_weights()
        own = 1.0 if criterion in LOCAL else 0.1  # what is generative is smoothed as it is trained
        assert_array_equal(start, parser.model_.klein_manning(CORPUS, own))
        smoother = DependencyParser(criterion=criterion, start="klein-manning", smoothing=10.0)
        smoother.compile(CORPUS, GOLD)
        own = 10.0 if criterion in LOCAL else 0.1
        assert_array_equal(smoother.initial_weights(), parser.model_.klein_manning(CORPUS, own))
        assert_allclose(np.bincount(parser.model_.group, np.exp(start)), 1.0)
        fitted = copy.deepcopy(parser).fit(CORPUS, GOLD)
        first = fitted.training_.steps[0].objective
        assert first == pytest.approx(parser.objective(CORPUS, start, GOLD)[0])

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_random(self, criterion):
        one, same, other = (
            DependencyParser(criterion=criterion, start="random", seed=seed) for seed in (1, 1, 2)
        )
        for parser in (one, same, other):
            parser.compile(CORPUS, GOLD)
        start = one.initial_weights()
        assert_array_equal(start, same.initial_weights())
        assert not np.allclose(start, other.initial_weights())
        middle = one.model_.log_probabilities(np.zeros(45)) if criterion in LOCAL else 0.0
        # Near the uniform ones probabilities are led to one maximum, whatever the restarts.
        noise = 1.0 if criterion in LOCAL else 0.1
        assert 0.5 < (start - middle).std() / noise < 1.5
        if criterion in LOCAL:
            assert_allclose(np.bincount(one.model_.group, np.exp(start)), 1.0)

    def test_follow_a_change_of_the_parameter(self):
        parser = DependencyParser("trans1", start="klein-manning")
        objective = parser.compile(CORPUS)
        parser.set_params(start="uniform")
        assert_array_equal(parser.initial_weights(), np.zeros(45))
        assert parser.train(objective).theta_.tobytes() == trained("contrastive").theta_.tobytes()

    def test_klein_and_mannings_needs_the_corpus(self):
        parser = DependencyParser()
        parser.compile(CORPUS)
        with pytest.raises(ParameterError, match="read off the corpus: compile it with this start"):
            parser.set_params(start="klein-manning").initial_weights()

    def test_before_compiling(self):
        with pytest.raises(NotFittedError, match="not trained yet"):
            DependencyParser().initial_weights()


class TestDecoding:
    @pytest.mark.parametrize("seed", range(3))
    def test_equals_the_enumeration(self, seed):
        parser = weighing(random_theta(seed))
        weights, rows = named(parser.model_, parser.theta_), [*CORPUS, *OTHERS]
        tables, best = parser.predict_proba(rows), parser.k_best(rows, 4)
        for tags, heads, table, trees in zip(rows, parser.predict(rows), tables, best, strict=True):
            twin = brute([tags], weights)
            ranked = [(tree, weight) for (_, tree), weight in twin.ranked()]
            assert heads == ranked[0][0]
            assert [tree for tree, _ in trees] == [tree for tree, _ in ranked[:4]]
            assert_allclose([weight for _, weight in trees], [weight for _, weight in ranked[:4]])
            assert_allclose(table, twin.attachments(len(tags)), atol=1e-12)
            assert_allclose(table.sum(axis=0), 1.0)

    def test_k_best_of_fewer_trees(self, parser):
        (one,), (two, more) = (
            parser.k_best([("N",)], 5),
            parser.k_best([("N", "V"), OTHERS[0]], 500),
        )
        assert (len(one), len(two), len(more)) == (1, 2, 143)
        assert len({tree for tree, _ in more}) == 143

    def test_samples_are_seeded(self, parser):
        drawn = parser.sample(CORPUS, n=20, seed=3)
        assert drawn == parser.sample(CORPUS, n=20, seed=3) != parser.sample(CORPUS, n=20, seed=4)
        assert [len(rows) for rows in drawn] == [20] * len(CORPUS)

    def test_samples_follow_the_posterior(self):
        parser, tags = weighing(random_theta(1)), ("N", "V", "D", "N")
        (drawn,) = parser.sample([tags], n=4000)
        twin = brute([tags], named(parser.model_, parser.theta_))
        share = Counter(drawn)
        for (_, tree), probability in twin.probability.items():
            deviation = math.sqrt(probability * (1 - probability) / 4000)
            assert share[tree] / 4000 == pytest.approx(probability, abs=5 * deviation + 1e-9)

    def test_a_sentence_of_sixty_tags(self, parser):
        tags = tuple(np.random.default_rng(0).choice(list("DNV"), 60).tolist())
        (heads,) = parser.predict([tags])
        assert is_tree(heads) and is_projective(heads)
        (table,) = parser.predict_proba([tags])
        assert table.shape == (61, 60)
        assert_allclose(table.sum(axis=0), 1.0)

    @given(
        st.lists(st.lists(st.sampled_from("DNVX"), min_size=1, max_size=9), min_size=1, max_size=5)
    )
    @settings(max_examples=25, deadline=None)
    def test_predictions_are_projective_trees_and_do_not_depend_on_company(self, parser, rows):
        together = parser.predict(rows)
        for row, heads in zip(rows, together, strict=True):
            assert len(heads) == len(row) and is_tree(heads) and is_projective(heads)
            ((best, _),) = parser.k_best([row], 1)[0]
            assert heads == parser.predict([row])[0] and is_projective(best)


class TestUnseenTags:
    @pytest.mark.parametrize("criterion", ["contrastive", "em"])
    def test_weigh_nothing_or_are_uniform(self, criterion):
        parser = trained(criterion, start="random")
        tags = ("N", "X", "V", "Y")
        old, unseen = parser.weights(), {"X", "Y"}

        def weight(name):
            if not unseen & set(name[1:3]):
                return old[name]
            return (
                0.0
                if criterion == "contrastive"
                else math.log(1 / 2 if name[0] == "stop" else 1 / 5)
            )

        names = numbered_names(["D", "N", "V", "X", "Y"])
        twin = brute([tags], {name: weight(name) for name in names})
        (((tree, score),),) = parser.k_best([tags], 1)
        assert score == pytest.approx(twin.ranked()[0][1])
        assert twin.weight[next(iter(twin.weight))[0], tree] == pytest.approx(score)
        assert_allclose(parser.predict_proba([tags])[0], twin.attachments(4), atol=1e-12)

    def test_leave_the_grammar_and_other_sentences_alone(self, parser):
        before = parser.theta_.tobytes(), parser.model_.tags, parser.predict(CORPUS)
        assert parser.predict([*CORPUS, ("X", "N")])[: len(CORPUS)] == before[2]
        assert (parser.theta_.tobytes(), parser.model_.tags) == before[:2]

    def test_can_be_measured(self, parser):
        value = parser.measure([("N", "X")])
        assert math.isfinite(value) and value < 0

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_are_refused_in_training_with_a_tagset(self, criterion):
        message = re.escape("sentence 2: the tag 'V' is not in the tagset of 2 tags")
        for start in ("uniform", "klein-manning"):
            with pytest.raises(CorpusError, match=message):
                DependencyParser(criterion=criterion, start=start).fit(
                    [("N",), ("N", "V")], [(0,), (2, 0)], tags=["D", "N"]
                )

    def test_are_refused_in_an_objective(self, parser):
        with pytest.raises(
            CorpusError, match="sentence 1: the tag 'X' is not in the tagset of 3 tags"
        ):
            parser.objective([("X",)], parser.theta_)


class TestNoTree:
    """The rules for sentences to which the grammar gives probability zero."""

    def test_prediction_is_a_chain(self, zeros):
        with np.errstate(invalid="raise"):
            assert zeros.predict([*CORPUS, IMPOSSIBLE]) == [*GOLD, (0, 1, 2)]
            assert zeros.predict([("D",) * n for n in range(1, 7)]) == [
                tuple(range(n)) for n in range(1, 7)
            ]

    def test_posteriors_are_zero(self, zeros):
        with np.errstate(invalid="raise"):
            possible, impossible = zeros.predict_proba([CORPUS[0], IMPOSSIBLE])
        assert_allclose(possible.sum(axis=0), 1.0)
        assert_array_equal(impossible, np.zeros((4, 3)))

    def test_there_are_no_trees(self, zeros):
        best, none = zeros.k_best([CORPUS[0], IMPOSSIBLE], 3)
        assert [tree for tree, _ in best] == [GOLD[0]]
        assert none == []

    def test_values(self, zeros):
        assert copy.copy(zeros).set_params(criterion="em").measure([IMPOSSIBLE]) == -math.inf
        value, gradient = zeros.objective([IMPOSSIBLE], zeros.theta_, [(0, 1, 2)])
        assert value == -math.inf
        assert not np.any(np.isnan(gradient))

    def test_em_without_smoothing_has_no_nan(self):
        parser = trained(
            "em", smoothing=0.0, start="klein-manning", tolerance=0, max_iterations=300
        )
        assert np.exp(parser.theta_).min() < 1e-12
        assert not np.any(np.isnan(parser.theta_))
        assert all(math.isfinite(step.objective) for step in parser.training_.steps)
        assert_allclose(
            [table.sum() for table in parser.predict_proba(CORPUS)], [len(row) for row in CORPUS]
        )


class TestScore:
    def test_is_the_share_of_right_heads(self, parser):
        gold = parser.predict(CORPUS)
        assert parser.score(CORPUS, gold) == 1.0
        words = sum(map(len, CORPUS))
        wrong = list(gold)
        wrong[4] = {(2, 0): (0, 1), (0, 1): (2, 0)}[gold[4]]
        assert parser.score(CORPUS, wrong) == pytest.approx(1 - 2 / words)

    def test_without_heads_is_the_criterion_a_sentence(self, parser):
        value, _ = criterion_by_enumeration("contrastive", named(parser.model_, parser.theta_))
        assert parser.score(CORPUS) == pytest.approx(value / len(CORPUS))
        em = trained("em")
        assert em.score(CORPUS) == pytest.approx(
            sum(log_partition(row, em) for row in CORPUS) / len(CORPUS)
        )

    def test_of_a_supervised_criterion_needs_heads(self):
        with pytest.raises(ParameterError, match="give the heads of every sentence"):
            trained("joint").score(CORPUS)

    @pytest.mark.parametrize(
        ("heads", "message"),
        [
            (GOLD[:-1], "5 sentences but 6 rows of predicted heads"),
            ([*GOLD[:-1], (0,)], "sentence 6 has 1 gold heads and 3"),
            ([*GOLD[:-1], (0, 1, 7)], "sentence 6: the gold head 7 is outside its 3 words"),
        ],
    )
    def test_heads_that_do_not_fit(self, parser, heads, message):
        with pytest.raises(CorpusError, match=message):
            parser.score(CORPUS, heads)

    def test_trees_that_are_not_projective_are_scored(self, parser):
        assert 0 <= parser.score([("V", "N", "N", "D")], [(3, 4, 0, 3)]) <= 1


class TestParameters:
    def test_round_trip(self):
        given = {
            "neighborhood": "length",
            "criterion": "em",
            "annealing": (0.5, 1),
        }
        parser = DependencyParser(**given)
        assert (
            DependencyParser().set_params(**parser.get_params()).get_params() == parser.get_params()
        )
        assert given.items() <= parser.get_params().items()

    def test_repr_shows_what_is_not_the_default(self):
        assert repr(DependencyParser()) == "DependencyParser()"
        shown = "DependencyParser(neighborhood='length', sigma2=None)"
        assert repr(DependencyParser("length", sigma2=None)) == shown

    def test_unknown(self):
        with pytest.raises(
            ParameterError, match="no parameter 'order'; DependencyParser has neighborhood"
        ):
            DependencyParser().set_params(order=2)

    @pytest.mark.parametrize(
        ("parameters", "error", "message"),
        [
            (
                {"criterion": "ce"},
                ParameterError,
                "criterion='ce': choose one of auto, contrastive, em",
            ),
            (
                {"start": "km"},
                ParameterError,
                "start='km': choose one of uniform, random, klein-manning",
            ),
            ({"sigma2": 0}, ParameterError, "sigma2=0"),
            ({"sigma2": "x"}, ParameterError, "sigma2='x'"),
            ({"seed": -1}, ParameterError, "seed=-1"),
            ({"tolerance": -1}, ParameterError, "tolerance"),
            ({"max_iterations": 0}, ParameterError, "max_iterations"),
            ({"max_iterations": 2.5}, ParameterError, "max_iterations=2.5"),
            ({"annealing": [0.5]}, ParameterError, "annealing"),
            ({"criterion": "em", "smoothing": -1}, ParameterError, "smoothing=-1"),
            ({"neighborhood": "tran1"}, NeighborhoodError, "did you mean 'trans1'?"),
        ],
    )
    def test_bad_ones_are_named(self, parameters, error, message):
        with pytest.raises(error, match=re.escape(message)):
            DependencyParser(**parameters).fit(CORPUS)

    def test_fewer_than_one_tree(self, parser):
        for k in (0, 1.5):
            with pytest.raises(ParameterError, match=f"k={k}: give a whole number from 1"):
                parser.k_best(CORPUS, k)

    @pytest.mark.parametrize(
        ("theta", "message"),
        [
            (np.zeros(2), r"theta has shape \(2,\); this model has 45 features"),
            (np.full(45, np.nan), "no weights"),
            (np.full(45, np.inf), "no weights"),
        ],
    )
    def test_theta_that_is_none(self, parser, theta, message):
        with pytest.raises(ParameterError, match=message):
            parser.objective(CORPUS, theta)

    @pytest.mark.parametrize("tags", [[], ["N", "N"]])
    def test_impossible_tagsets(self, tags):
        with pytest.raises(ParameterError, match="a tagset has at least one tag, and no tag twice"):
            DependencyParser().fit([("N",)], tags=tags)


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([["N"], []], "sentence 2 is empty"),
        (["N V"], "sentence 1 is 'N V', not a list"),
        ("N V", "sentences are lists of words, but a string was given"),
        ([["N"], ["</s>"]], "sentence 2: '</s>' is no word: it is spelt like a reserved symbol"),
        ([["N", None]], "sentence 1: None is no word"),
        ([], "there is no sentence"),
    ],
)
def test_bad_sentences_are_named(parser, sentences, message):
    asks = (
        DependencyParser().fit,
        *([parser.predict, parser.predict_proba] if sentences else []),
        parser.score,
        lambda rows: parser.k_best(rows, 1),
        parser.sample,
        lambda rows: parser.objective(rows, parser.theta_),
    )
    for ask in asks:
        with pytest.raises(CorpusError, match=re.escape(message)):
            ask(sentences)


@pytest.mark.parametrize(
    "ask",
    [
        lambda parser: parser.predict(CORPUS),
        lambda parser: parser.measure(CORPUS),
        lambda parser: parser.objective(CORPUS, np.zeros(45)),
        lambda parser: parser.weights(),
        lambda parser: parser.as_nltk(),
        lambda parser: parser.save("nowhere"),
    ],
)
def test_untrained(ask):
    with pytest.raises(NotFittedError, match="this DependencyParser is not trained yet"):
        ask(DependencyParser())


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda parser: pickle.loads(pickle.dumps(parser))]
)
def test_copies_are_independent_and_the_same(copied):
    parser = DependencyParser(neighborhood("del1word"), start="klein-manning").fit(CORPUS)
    other = copied(parser)
    assert other.theta_.tobytes() == parser.theta_.tobytes()
    assert other.predict([*CORPUS, *OTHERS]) == parser.predict([*CORPUS, *OTHERS])
    theta = random_theta(0)
    assert other.objective(CORPUS, theta)[0] == parser.objective(CORPUS, theta)[0]
    assert_array_equal(other.initial_weights(), parser.initial_weights())
    other.theta_[:] = 0.0
    assert np.any(parser.theta_)


def numbered_names(tags: list[str]) -> list[tuple[str, ...]]:
    """The features over a tagset, as the paper counts them."""
    sides, valences, choices = ("left", "right"), ("adj", "non"), ("stop", "go")
    children = [("child", head, child, side) for head in tags for child in tags for side in sides]
    stops = [("stop", t, s, v, c) for t in tags for s in sides for v in valences for c in choices]
    return [*(("root", tag) for tag in tags), *children, *stops]


def test_a_text_is_measured_as_often_as_its_sentences_occur() -> None:
    parser = trained("em")
    text = [*CORPUS, *CORPUS[:2], CORPUS[0]]
    expected = sum(log_partition(tuple(tags), parser) for tags in text)
    assert parser.measure(text) == pytest.approx(expected)


@pytest.fixture(scope="module")
def treebank(nltk_dependency_treebank: list[Sentence]) -> DependencyCorpus:
    """The dependencies of the Penn sample's sentences of up to 10 words, without punctuation."""
    return dependency_corpus(nltk_dependency_treebank, max_length=10)


def test_the_treebank_is_as_measured(treebank: DependencyCorpus) -> None:
    assert len(treebank) == 537
    assert len({tag for sentence in treebank for tag in sentence.tags}) == 34


def test_the_measured_bar(treebank: DependencyCorpus) -> None:
    rows, gold = [s.tags for s in treebank], [s.heads for s in treebank]
    parser = DependencyParser("trans1", sigma2=0.1).fit(rows)
    assert parser.training_.objective == pytest.approx(-830.0748, abs=0.001)
    assert parser.score(rows, gold) >= 0.58


def test_em_comes_to_the_same_likelihood(treebank: DependencyCorpus) -> None:
    parser = DependencyParser(criterion="em").fit([s.tags for s in treebank])
    assert parser.training_.objective == pytest.approx(-10767.9432, abs=0.001)
    assert len(parser.weights()) == 34 * (2 * 34 + 9)


def test_the_best_of_random_starts_counts():
    text = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB", "VB DT NN")]
    alone = [
        DependencyParser(criterion="em", start="random", seed=seed, max_iterations=9).fit(text)
        for seed in (3, 4, 5)
    ]
    best = DependencyParser(criterion="em", restarts=3, seed=3, max_iterations=9).fit(text)
    objectives = [parser.training_.objective for parser in alone]
    assert len(set(objectives)) == 3
    assert best.training_.objective == max(objectives)
    assert best.theta_.tobytes() == alone[int(np.argmax(objectives))].theta_.tobytes()
    with pytest.raises(ParameterError, match="restarts=3 are random: leave start='uniform' out"):
        DependencyParser(restarts=3, start="uniform").fit(text)


def test_an_interrupted_start_leaves_the_best_of_those_before():
    text = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB", "VB DT NN")]
    first = DependencyParser(criterion="em", start="random", max_iterations=9).fit(text)

    def monitor(step):
        if step.stage == "start 2":
            raise KeyboardInterrupt

    parser = DependencyParser(criterion="em", restarts=2, max_iterations=9)
    with pytest.raises(KeyboardInterrupt):
        parser.fit(text, monitor=monitor)
    assert parser.training_.objective >= first.training_.objective
