"""A plan so small that it runs in a second or two, its report, and records made by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fstce.reproduction.tagging import EXPERIMENT
from fstce.reproduction.tagging_trials import TaggingPlan

TINY = TaggingPlan(
    corpus="sample",
    words=(600,),
    held_out=200,
    sigma2=(1.0, None),
    smoothing=(0.1, 1.0),
    dictionaries=("full", "count:2"),
    order=2,
    max_iterations=20,
)
Told = list[tuple[int, int, dict[str, Any] | None]]


class Report(NamedTuple):
    """A folder that `reproduce` has filled, its files, and what the monitor heard."""

    folder: Path
    files: list[Path]
    told: Told


def run(folder: Path, plan: TaggingPlan = TINY, **options: Any) -> Report:
    """Reproduce with a monitor that takes notes."""
    told: Told = []
    files = EXPERIMENT.reproduce(plan, folder, monitor=lambda *heard: told.append(heard), **options)
    return Report(folder, files, told)


@pytest.fixture(scope="session")
def tiny() -> TaggingPlan:
    return TINY


@pytest.fixture(scope="session")
def reproduced() -> Callable[..., Report]:
    return run


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of the tiny plan, with pictures."""
    pytest.importorskip("matplotlib")
    return run(tmp_path_factory.mktemp("reproduction") / "report")


@pytest.fixture
def without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture(scope="session")
def record() -> Callable[..., dict[str, Any]]:
    """A trial's record, by hand: what is not given has some value."""

    def made(
        criterion: str,
        held_out: float,
        ambiguous: float,
        all: float = 90.0,
        *,
        result: Any = None,
        **settings: Any,
    ) -> dict[str, Any]:
        about = {"table": "figure2", "words": 24_000, "coarse": False, "dictionary": "full"}
        about |= {"spelling": False, "criterion": criterion, **settings}
        if not {"sigma2", "smoothing"} & set(about):
            about["sigma2"] = 1.0
        found = {"held_out": held_out, "ambiguous": ambiguous, "all": all}
        found |= {
            "objective": -12.5,
            "iterations": 3,
        }
        found |= {
            "seconds": 1.5,
            "stopped": "converged",
            "arcs": 7,
            "features": 9,
        }
        return {"settings": about, "result": {**found, **(result or {})}, "seconds": 2.0}

    return made
