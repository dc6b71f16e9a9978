"""The grids of a plan, and a trial against a tagger trained and scored by hand."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstce import Tagger
from fstce.errors import NeighborhoodError, ParameterError
from fstce.evaluation import tagging_accuracy
from fstce.processes.trial_log import key
from fstce.reproduction.material import Material, material
from fstce.reproduction.tagging import restore
from fstce.reproduction.tagging_trials import (
    DILUTED,
    FIGURE2,
    TABLE3,
    TaggingPlan,
    groups,
    parameters,
    prepare,
    tagger_of,
    text_of,
    weights_file,
)

PLAN = TaggingPlan("sample", words=(12_000, 24_000))


def settings_of(plan: TaggingPlan) -> list[dict[str, Any]]:
    return [{**group.shared, **trial} for group in groups(plan) for trial in group.trials]


# --- Plans -----------------------------------------------------------------------------------------------


def test_a_plan_holds_every_condition_once_with_its_grid() -> None:
    found = settings_of(PLAN)
    assert len({key(settings) for settings in found}) == len(found)
    grids: dict[tuple[Any, ...], list[Any]] = {}
    for s in found:
        condition = (
            s["table"],
            s["words"],
            s["coarse"],
            s["dictionary"],
            s["spelling"],
            s["criterion"],
        )
        grids.setdefault(condition, []).append(s["smoothing"] if "smoothing" in s else s["sigma2"])
    wanted = {("figure2", n, False, "full", False, c) for n in (12_000, 24_000) for c in FIGURE2}
    wanted |= {("table3", 24_000, True, d, False, c) for d in DILUTED for c in TABLE3}
    wanted |= {("table3", 24_000, True, d, True, c) for d in DILUTED for c in TABLE3 if c != "em"}
    assert set(grids) == wanted
    for (*_, criterion), values in grids.items():
        assert values == list(PLAN.smoothing if criterion in ("em", "joint") else PLAN.sigma2)


def test_hmms_are_given_smoothing_and_log_linear_models_variances() -> None:
    for settings in settings_of(PLAN):
        local = settings["criterion"] in ("em", "joint")
        assert ("smoothing" in settings, "sigma2" in settings) == (local, not local)
        assert not (local and settings["spelling"])


def test_the_dearest_groups_are_told_apart() -> None:
    cost = {(g.shared["words"], g.shared["dictionary"]): g.cost for g in groups(PLAN)}
    words = sorted(PLAN.words)
    assert [cost[n, "full"] for n in words] == sorted({cost[n, "full"] for n in words})
    assert cost[24_000, "count:2"] > cost[24_000, "full"]


def test_criteria_choose_rows_of_table_3_too() -> None:
    def of_table3(**chosen: Any) -> set[str]:
        plan = TaggingPlan("sample", dictionaries=("count:2",), **chosen)
        return {s["criterion"] for s in settings_of(plan) if s["table"] == "table3"}

    assert of_table3(criteria=("em", "del1word")) == {"em"}
    assert of_table3(criteria=("del1word",)) == set()
    assert of_table3() == of_table3(criteria=()) == {"em", "trans1", "delortrans1", "length"}


def test_small_plans() -> None:
    nothing = TaggingPlan("sample", criteria=(), dictionaries=())
    assert groups(nothing) == []
    coarse = TaggingPlan("sample", criteria=(), dictionaries=("full",))
    assert {s["coarse"] for s in settings_of(coarse)} == {True}


@pytest.mark.parametrize(
    ("words", "main"),
    [
        ((12_000, 24_000, 48_000), 24_000),
        ((300, 600), 600),
        ((96_000,), 96_000),
        ((20_000, 30_000), 20_000),
    ],
)
def test_the_main_size_is_the_nearest_to_the_papers(words: tuple[int, ...], main: int) -> None:
    assert TaggingPlan(words=words).main == main


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"words": ()}, "words=.*not empty"),
        ({"sigma2": ()}, "sigma2=.*not empty"),
        ({"smoothing": ()}, "smoothing=.*not empty"),
        ({"sigma2": (1.0, 0.0)}, r"sigma2=\(1.0, 0.0\)"),
        ({"sigma2": (math.nan,)}, r"sigma2=\(nan,\)"),
        ({"smoothing": (-0.1,)}, r"smoothing=\(-0.1,\)"),
        ({"smoothing": (math.inf,)}, r"smoothing=\(inf,\)"),
        ({"dictionaries": ("full", "count2")}, "dictionary 'count2': give full, first:N"),
    ],
)
def test_plans_that_cannot_be_run(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        TaggingPlan(**wrong)


def test_a_whole_number_and_its_float_name_one_trial_and_one_file() -> None:
    whole, same = (
        TaggingPlan(sigma2=(1, None), smoothing=(0, 1)),
        TaggingPlan(sigma2=(1.0, None), smoothing=(0.0, 1.0)),
    )
    names = [[weights_file(s) for s in settings_of(plan)] for plan in (whole, same)]
    assert names[0] == names[1]
    assert len(set(names[0])) == len(names[0])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("em", {"criterion": "em"}),
        ("joint", {"criterion": "joint"}),
        ("conditional", {"criterion": "conditional"}),
        ("supervised-contrastive", {"criterion": "supervised-contrastive"}),
        ("trans1", {"criterion": "contrastive", "neighborhood": "trans1", "oov": False}),
        ("length-oov", {"criterion": "contrastive", "neighborhood": "length", "oov": True}),
        ("half:first", {"criterion": "contrastive", "neighborhood": "half:first", "oov": False}),
    ],
)
def test_parameters(name: str, wanted: dict[str, Any]) -> None:
    assert parameters(name) == wanted
    assert Tagger(**wanted).get_params().items() >= wanted.items()


def test_an_unknown_criterion_is_refused_with_the_nearest_name() -> None:
    for question in (parameters, lambda name: TaggingPlan(criteria=("em", name))):
        with pytest.raises(NeighborhoodError, match=r"'trnas1'; did you mean 'trans1'\?"):
            question("trnas1")


# --- Trials ----------------------------------------------------------------------------------------------

CASES = {
    "conditional": ({"criterion": "conditional"}, {"sigma2": 1.0}),
    "joint": ({"criterion": "joint"}, {"smoothing": 0.1}),
    "em": ({"criterion": "em"}, {"smoothing": 1.0}),
    "trans1": ({"neighborhood": "trans1"}, {"sigma2": None}),
    "length-oov": ({"neighborhood": "length", "oov": True}, {"sigma2": 10.0}),
}


def shared_of(criterion: str, **other: Any) -> dict[str, Any]:
    return {
        "table": "figure2",
        "corpus": "sample",
        "words": 300,
        "held_out": 150,
        "coarse": False,
        "dictionary": "full",
        "spelling": False,
        "criterion": criterion,
        "order": 2,
        "tolerance": 1e-4,
        "max_iterations": 15,
        **other,
    }


def by_hand(text: Material, supervised: bool, **options: Any) -> Tagger:
    gold = text.gold if supervised else None
    tagger = Tagger(**{"neighborhood": "trans1", "order": 2, "max_iterations": 15, **options})
    return tagger.fit(text.train, gold, dictionary=text.dictionary)


@pytest.mark.parametrize("criterion", CASES)
def test_a_trial_is_what_a_tagger_does_by_hand(tmp_path: Path, criterion: str) -> None:
    options, trial = CASES[criterion]
    supervised = criterion in ("conditional", "joint")
    shared = shared_of(criterion)
    result = prepare(tmp_path, shared)(trial)
    text = text_of(shared)
    assert text == material("sample", False, 300, 150, "full")
    tagger = by_hand(text, supervised, **options, **trial)

    assert result["objective"] == pytest.approx(tagger.training_.objective, rel=1e-9)
    assert result["iterations"] == len(tagger.training_.steps) - 1

    words = [s.words for s in text.train]
    right = tagging_accuracy(words, text.gold, tagger.predict(words), text.dictionary)
    assert (result["ambiguous"], result["all"]) == (right.ambiguous, right.all)

    held_out = [s.words for s in text.held_out]
    measured = tagger.measure(held_out, text.held_out_gold if supervised else None)
    assert result["held_out"] == pytest.approx(measured / len(held_out), rel=1e-9)


def test_coarse_tags_a_diluted_dictionary_and_spelling(tmp_path: Path) -> None:
    shared = shared_of("trans1", coarse=True, dictionary="count:2", spelling=True, max_iterations=5)
    result = prepare(tmp_path, shared)({"sigma2": 1.0})
    text = text_of(shared)
    assert len(text.dictionary.tagset) <= 17
    words = Counter(word for sentence in text.train for word in sentence.words)
    assert set(text.dictionary) == {word for word, count in words.items() if count >= 2}
    tagger = Tagger("trans1", order=2, spelling=True, max_iterations=5, unknown_word_model=False)
    tagger.fit(text.train, dictionary=text.dictionary)
    assert result["objective"] == pytest.approx(tagger.training_.objective, rel=1e-9)


def test_an_hmm_without_smoothing_gives_held_out_text_probability_zero(tmp_path: Path) -> None:
    assert prepare(tmp_path, shared_of("joint"))({"smoothing": 0.0})["held_out"] == -math.inf


@pytest.mark.parametrize("criterion", ["conditional", "em", "trans1", "length-oov"])
def test_weights_are_kept_and_restored(tmp_path: Path, criterion: str) -> None:
    options, trial = CASES[criterion]
    shared = shared_of(criterion)
    prepare(tmp_path, shared)(trial)
    settings = {**shared, **trial}
    (kept,) = (tmp_path / "weights").iterdir()
    assert kept == tmp_path / weights_file(settings)
    restored, text = restore(tmp_path, settings), text_of(shared)
    tagger = by_hand(text, criterion == "conditional", **options, **trial)
    np.testing.assert_allclose(restored.theta_, tagger.theta_, rtol=1e-9)
    held_out = [s.words for s in text.held_out]
    assert restored.predict(held_out) == tagger.predict(held_out)
    assert restored.get_params() == tagger_of(settings).get_params()


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"\.npy: missing; begin anew in another folder"):
        restore(tmp_path, {**shared_of("em"), "smoothing": 1.0})


@pytest.mark.parametrize("criterion", ["conditional", "em", "trans1", "length"])
def test_a_trial_does_not_depend_on_those_before_it(tmp_path: Path, criterion: str) -> None:
    """To the bit, because a resumed run goes through other trials than one that was not interrupted."""
    name = "smoothing" if criterion == "em" else "sigma2"
    grid: list[dict[str, Any]] = [{name: 0.1}, {name: 10.0}]
    timing = ("seconds", "compile_seconds")
    alone, after = prepare(tmp_path, shared_of(criterion)), prepare(tmp_path, shared_of(criterion))
    after(grid[0])
    one, two = alone(grid[1]), after(grid[1])
    assert {n: v for n, v in one.items() if n not in timing} == {
        n: v for n, v in two.items() if n not in timing
    }
