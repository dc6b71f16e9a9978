"""Trainings from many starts: what is run, and what the tables say of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fstce import Tagger
from fstce.errors import ParameterError
from fstce.evaluation import tagging_accuracy
from fstce.reproduction.landscape import (
    EXPERIMENT,
    LandscapePlan,
    groups,
    landscape,
    prepare,
)
from fstce.reproduction.tagging_trials import text_of

PLAN = LandscapePlan(
    "sample",
    words=300,
    held_out=150,
    criteria=("trans1", "em"),
    starts=3,
    order=2,
    max_iterations=8,
)


def record(criterion: str, seed: int | None, objective: float, ambiguous: float) -> dict[str, Any]:
    settings = {"criterion": criterion, "start": "random", "seed": seed}
    if seed is None:
        settings = {"criterion": criterion, "start": "uniform"}
    result = {"objective": objective, "ambiguous": ambiguous, "iterations": 5}
    return {"settings": settings, "result": result}


def test_each_criterion_begins_at_each_start() -> None:
    trials = [{**group.shared, **trial} for group in groups(PLAN) for trial in group.trials]
    assert [(t["criterion"], t["start"], t.get("seed")) for t in trials] == [
        (criterion, *start)
        for criterion in ("trans1", "em")
        for start in (("uniform", None), *(("random", seed) for seed in (1, 2, 3)))
    ]


def test_a_trial_is_a_training_from_its_start(tmp_path: Path) -> None:
    group = groups(PLAN)[0]
    run = prepare(tmp_path, group.shared)
    run(group.trials[0])
    result = run(group.trials[2])

    text = text_of(group.shared)
    tagger = Tagger(
        "trans1", order=2, start="random", seed=2, max_iterations=8, unknown_word_model=False
    )
    rows = [sentence.words for sentence in text.train]
    tagger.fit(rows, dictionary=text.dictionary)
    assert result["objective"] == pytest.approx(tagger.training_.objective, rel=1e-9)
    right = tagging_accuracy(rows, text.gold, tagger.predict(rows), text.dictionary)
    assert result["ambiguous"] == pytest.approx(right.ambiguous)


def test_the_table_says_how_starts_differ() -> None:
    random = [(-10.0, 60.0), (-12.0, 70.0), (-9.0, 50.0)]
    records = [record("trans1", None, -9.5, 55.0)]
    records += [record("trans1", seed, *pair) for seed, pair in enumerate(random, 1)]
    records += [record("em", seed, -3.0, 40.0) for seed in (1, 2)]

    trans1, em = landscape(records).rows
    objective, accuracy = np.array(random).T
    assert trans1 == (
        "TRANS1",
        55.0,
        *(pytest.approx(x) for x in (60.0, 10.0, 50.0, 70.0, 50.0)),
        pytest.approx(objective.std(ddof=1)),
        pytest.approx(np.corrcoef(objective, accuracy)[0, 1]),
    )
    assert em == ("EM", None, 40.0, 0.0, 40.0, 40.0, 40.0, 0.0, None)


def test_a_small_run(tmp_path: Path) -> None:
    files = EXPERIMENT.reproduce(PLAN, tmp_path / "report", jobs=1)
    assert {path.name for path in files} == {
        "landscape.csv",
        "index.html",
    }


@pytest.mark.parametrize(
    "wrong", [{"criteria": ()}, {"starts": 1}, {"criteria": ("trans7",)}, {"words": 0}]
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((ParameterError, ValueError)):
        LandscapePlan("sample", **wrong)
