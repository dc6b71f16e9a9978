"""Training with rules in stages: each stage by enumeration of all trees, and what the whole comes to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles_trees import projective_trees

from fstce import DependencyParser
from fstce.estimation.likelihood import Likelihood, expectation_maximization
from fstce.estimation.maximize import Step, Training
from fstce.parsing.staged import SIDE, SMOOTHING, STRENGTH, Staged, _Half

TEXT = [s.split() for s in ("DT NN VB", "NN VB DT NN", "DT NN VB NN", "NN VB", "DT NN VB PP DT NN")]
DELTA = -0.3


def parts(text: list[list[str]], **parameters: object) -> tuple[DependencyParser, Staged]:
    parser = DependencyParser(attachment_rules="penn", **parameters)
    objective = parser.compile(text)
    return parser, Staged(parser.model_, objective.terms[0], objective)


def counts_by_enumeration(parser: DependencyParser, text: list[list[str]], theta: np.ndarray) -> np.ndarray:
    """Σ over sentences of the expected counts of all trees, each link weighing δ a word."""
    found = np.zeros(parser.model_.size)
    for tags in text:
        trees = projective_trees(len(tags))
        counts = np.array([parser.model_.tree_counts(tags, heads) for heads in trees])
        spans = [sum(abs(h - k) for k, h in enumerate(heads, 1) if h) for heads in trees]
        score = counts @ theta + DELTA * np.array(spans)
        found += np.exp(score - np.logaddexp.reduce(score)) @ counts
    return found


def test_the_second_stage_starts_from_trees_that_obey_on_the_side_of_the_first() -> None:
    parser, staged = parts(TEXT)
    free = parser.initial_weights()
    model, counts = parser.model_, counts_by_enumeration(parser, TEXT, free)
    right = np.array([name[0] == "kid" and name[3] == "right" for name in model.names])
    left = np.array([name[0] == "kid" and name[3] == "left" for name in model.names])
    side = np.sign(counts[right].sum() - counts[left].sum())
    theta = STRENGTH * staged.constraint.rewarded + SIDE * side * right
    expected = model.log_probabilities(counts_by_enumeration(parser, TEXT, theta) + SMOOTHING)
    assert_allclose(staged.start(free), expected, atol=1e-9)


@pytest.mark.parametrize("backwards", [False, True])
def test_nothing_says_beforehand_on_which_side_heads_stand(backwards: bool) -> None:
    """A corpus read from right to left has the same trees, read from right to left."""
    text = [row[::-1] for row in TEXT] if backwards else TEXT
    parser = DependencyParser(attachment_rules="penn").fit(text)
    there = DependencyParser(attachment_rules="penn").fit(TEXT)
    assert parser.training_.objective == pytest.approx(there.training_.objective, rel=1e-6)
    mirrored = [
        tuple(len(heads) + 1 - head if head else 0 for head in heads[::-1]) for heads in parser.predict(text)
    ]
    assert (mirrored if backwards else parser.predict(text)) == there.predict(TEXT)


def test_it_is_what_rules_come_to_where_nothing_else_is_named(tmp_path: Path) -> None:
    assert DependencyParser(attachment_rules="penn").recipe[4:] == (1.0, True)
    for parameters in ({"start": "uniform"}, {"criterion": "em"}, {"neighborhood": "trans1"}):
        assert DependencyParser(attachment_rules="penn", **parameters).recipe[4:] == (0.8, False)
    assert not DependencyParser(attachment_rules="penn", obey=0.0).recipe.staged
    parser = DependencyParser(attachment_rules="penn").fit(TEXT)
    parser.save(tmp_path / "grammar")
    loaded = DependencyParser.load(tmp_path / "grammar")
    assert loaded.recipe == parser.recipe
    assert loaded.predict(TEXT) == parser.predict(TEXT)


def climb(stage: str, objective: Likelihood, theta: np.ndarray) -> Training:
    return expectation_maximization(objective, theta, tolerance=1e-5, max_iterations=50)


def test_the_better_maximum_of_two_starts_serves_where_the_first_grammar_does_not_obey() -> None:
    parser, staged = parts(TEXT)
    ended: dict[str, Training] = {}

    def kept(stage: str, objective: Likelihood, theta: np.ndarray) -> Training:
        return ended.setdefault(stage, climb(stage, objective, theta))

    staged.obeys = lambda free: False
    chosen = staged.train(parser.initial_weights(), kept)
    assert list(ended) == ["without rules", "with rules", "with rules from the first grammar"]
    assert chosen.objective == max(t.objective for name, t in ended.items() if name != "without rules")


@pytest.mark.parametrize(("gains", "stands"), [((1.0, 1.0), True), ((1.0, 0.0), False), ((-1.0, 1.0), False)])
def test_a_grammar_stands_if_it_explains_each_half_significantly_better(
    monkeypatch: pytest.MonkeyPatch, gains: tuple[float, float], stands: bool
) -> None:
    """Of six sentences with equal gains, or none; a half's own gain is by the grammar of the other."""
    parser, staged = parts([*TEXT, ["VB"]])
    first = parser.initial_weights()
    monkeypatch.setattr(Staged, "obeys", lambda own, free: True)

    def log_z(half: object, theta: np.ndarray) -> np.ndarray:
        gain = gains[int(half.mine[0])]
        return np.array([-9.0, -9.01, -8.99]) + gain * (theta is first)

    monkeypatch.setattr(f"{_Half.__module__}._Half.log_z", log_z)

    def trained(stage: str, objective: Likelihood, theta: np.ndarray) -> Training:
        return Training(first if stage.startswith("without") else theta + 1)

    assert staged.stands(first, first, trained) is stands
    monkeypatch.setattr(Staged, "obeys", lambda own, free: False)
    assert not staged.stands(first, first, trained)


def test_obeying_is_by_the_edges_that_can_obey() -> None:
    _, staged = parts(TEXT)
    obeying = 5.0 * staged.constraint.rewarded
    assert staged.obeys(obeying)
    assert not staged.obeys(-obeying)


def test_halves_add_up_to_the_whole_and_equal_sentences_are_in_one() -> None:
    parser, staged = parts([*TEXT, *TEXT[:2]])
    (term,) = staged.constraint.terms
    theta = parser.initial_weights()
    halves = [_Half(term, number) for number in (0, 1)]
    value, counts = (np.sum([half(theta)[i] for half in halves], axis=0) for i in (0, 1))
    assert_allclose(value, term(theta)[0])
    assert_allclose(counts, term(theta)[1], atol=1e-12)
    assert [half.mine[0] == half.mine[5] for half in halves] == [True, True]
    assert sum(len(half.log_z(theta)) for half in halves) == 7


def test_text_of_a_sentence_or_two_has_no_halves() -> None:
    for text in (TEXT[:1], TEXT[:2], [["DT", "NN"]] * 9):
        parser, staged = parts(text)
        staged.obeys = lambda free: True
        assert not staged.stands(parser.initial_weights(), parser.initial_weights(), climb)


def test_probabilities_of_zero_are_no_obstacle() -> None:
    parser = DependencyParser(attachment_rules="penn", smoothing=0.0).fit(TEXT * 3)
    assert np.isfinite(parser.training_.objective)


def test_iterations_run_on_through_the_stages_and_name_them(tmp_path: Path) -> None:
    heard: list[Step] = []
    parser = DependencyParser(attachment_rules="penn").fit(TEXT, monitor=heard.append)
    assert [step.iteration for step in heard] == list(range(len(heard)))
    assert list(dict.fromkeys(step.stage for step in heard))[:2] == ["without rules", "with rules"]
    assert parser.training_.steps == heard
    parser.save(tmp_path / "grammar")
    loaded = DependencyParser.load(tmp_path / "grammar").training_.steps
    assert [(s.iteration, s.stage) for s in loaded] == [(s.iteration, s.stage) for s in heard]


def test_an_interruption_between_stages_keeps_the_weights_and_the_course() -> None:
    heard: list[Step] = []

    def monitor(step: Step) -> None:
        heard.append(step)
        if step.stage == "with rules":
            raise KeyboardInterrupt

    parser = DependencyParser(attachment_rules="penn")
    with pytest.raises(KeyboardInterrupt):
        parser.fit(TEXT, monitor=monitor)
    assert parser.training_.steps == heard
    assert len(parser.predict(TEXT)) == len(TEXT)


def test_rules_that_the_text_keeps_by_itself_change_nothing(tmp_path: Path) -> None:
    """Rules that allow every attachment: the label-free grammar obeys, and is the best of the text."""
    path = tmp_path / "all.tsv"
    path.write_text("*\t*\nROOT\t*\n")
    free, ruled = DependencyParser().fit(TEXT), DependencyParser(attachment_rules=path).fit(TEXT)
    assert ruled.obeyed_ == pytest.approx(1.0)
    # With a bound that nothing breaks the second start is the maximum of the first stage.
    assert ruled.training_.objective >= free.training_.objective - 1e-3
