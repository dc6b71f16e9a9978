"""The papers' verbs: each has a small version on the sample that its plan allows."""

from __future__ import annotations

import pytest

from fstce.kinds import imported
from fstce.reproduction.verbs import papers

PLANS = {
    "tagging": "tagging_trials.TaggingPlan",
    "landscape": "landscape.LandscapePlan",
    "dependencies": "dependency_trials.DependencyPlan",
    "distribution": "distribution_trials.DistributionPlan",
    "products": "products_trials.ProductsPlan",
}


@pytest.mark.parametrize("name", PLANS)
def test_the_small_version_is_a_smaller_plan(name: str) -> None:
    plan = imported(f"fstce.reproduction.{PLANS[name]}")
    small = plan(**getattr(papers, f"{name.upper()}_QUICK"))
    assert small.corpus == "sample" != plan().corpus
    assert small != plan(corpus="sample")


@pytest.mark.parametrize("name", PLANS)
def test_the_help_has_an_example_of_each_verb(name: str) -> None:
    text = getattr(papers, name).help
    assert f"fstce reproduce {name} --quick" in text and "trials.jsonl" in text
    experiment = imported(f"fstce.reproduction.{name}.EXPERIMENT")
    assert experiment.name == name
