"""A journal: an optimizer that is told what it was told before goes on to the same bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from fstce.estimation.journal import Journal
from fstce.estimation.maximize import Step, maximize
from fstce.estimation.objective import GaussianPrior, Objective
from fstce.storage.packed import open_packed, write_packed

Floats = NDArray[np.float64]


class Stateful:
    """A term whose last bits depend on when it was refreshed, and that counts its evaluations."""

    def __init__(self) -> None:
        self.evaluations, self.refreshed, self.fresh_at = 0, [], 0.0

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        self.evaluations += 1
        far = abs(theta[0] - self.fresh_at) > 0.3
        self.refreshed = [0] if far else []
        if far:
            self.refresh([0], theta)
        target = np.arange(len(theta)) + 1e-9 * self.fresh_at
        moved = theta - target
        return -float(np.sum(np.cosh(moved))), -np.sinh(moved)

    def refresh(self, numbers: Any, theta: Floats) -> None:
        self.fresh_at = float(theta[0])


def trained(folder: Path | None, until: int | None = None) -> tuple[Floats, Stateful]:
    term = Stateful()
    objective = Objective([term], GaussianPrior(5.0))
    if folder is not None:
        objective.journal = Journal(folder, objective.terms)

    def monitor(step: Step) -> None:
        if step.iteration == until:
            raise KeyboardInterrupt

    return maximize(objective, np.full(4, 1.0), tolerance=1e-12, monitor=monitor).theta, term


@pytest.mark.parametrize("until", [0, 1, 2, 3, 5])
def test_a_training_goes_on_to_the_same_bits(until: int, tmp_path: Path) -> None:
    whole, alone = trained(None)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, until)
    kept = len(list(tmp_path.iterdir()))
    found, again = trained(tmp_path)
    assert_array_equal(found, whole)
    assert again.evaluations == alone.evaluations - kept + 1


def test_a_damaged_evaluation_is_made_again(tmp_path: Path) -> None:
    whole, _ = trained(None)
    trained(tmp_path)
    path = sorted(tmp_path.iterdir())[3]
    path.write_bytes(path.read_bytes()[:200])
    assert_array_equal(trained(tmp_path)[0], whole)


@pytest.mark.parametrize("name", ["value", "gradient", "refreshed", "seal"])
def test_an_altered_evaluation_is_made_again(name: str, tmp_path: Path) -> None:
    whole, _ = trained(None)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, 4)
    for path in sorted(tmp_path.iterdir())[1:]:
        rows = {key: np.array(row) for key, row in open_packed(path).items()}
        rows[name] = (
            np.zeros((1, 2), np.int64)
            if name == "refreshed"
            else rows[name] + rows[name].dtype.type(1)
        )
        write_packed(path, rows)
    assert_array_equal(trained(tmp_path)[0], whole)


def test_an_evaluation_in_the_place_of_another_is_made_again(tmp_path: Path) -> None:
    whole, _ = trained(None)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, 4)
    paths = sorted(tmp_path.iterdir())
    paths[2].write_bytes(paths[3].read_bytes())
    assert_array_equal(trained(tmp_path)[0], whole)


def test_evaluations_of_another_objective_are_dropped(tmp_path: Path) -> None:
    trained(tmp_path)
    objective = Objective([Stateful()], GaussianPrior(0.5))
    plain = maximize(Objective([Stateful()], GaussianPrior(0.5)), np.full(4, 1.0)).theta
    objective.journal = Journal(tmp_path, objective.terms)
    assert_array_equal(maximize(objective, np.full(4, 1.0)).theta, plain)


def test_a_journal_that_another_training_takes_away_stops_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two commands of one training over one folder of shards: the first that ended stopped the other."""
    whole, _ = trained(None)
    other = Journal(tmp_path / "journal", [])

    def late(path: Path, arrays: Any) -> str:
        other.remove()
        return write_packed(path, arrays)

    monkeypatch.setattr("fstce.estimation.journal.write_packed", late)
    assert_array_equal(trained(other.folder)[0], whole)


def test_a_journal_is_removed_with_its_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", [])
    journal.recall(lambda theta: (1.0, theta), np.zeros(2))
    journal.remove()
    assert list(tmp_path.iterdir()) == []
