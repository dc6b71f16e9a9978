"""A journal: an optimizer that is told what it was told before goes on to the same bits."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from fstce import Tagger
from fstce.errors import ParameterError
from fstce.estimation import journal
from fstce.estimation.journal import Journal
from fstce.estimation.maximize import Step, maximize
from fstce.estimation.objective import GaussianPrior, Objective

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


def test_a_journal_has_a_bound_and_what_is_beyond_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, alone = trained(None)
    monkeypatch.setattr(journal, "LARGEST", 200)
    trained(tmp_path)
    files = list(tmp_path.iterdir())
    assert 0 < sum(file.stat().st_size for file in files) <= 200
    found, again = trained(tmp_path)
    assert_array_equal(found, whole)
    assert again.evaluations == alone.evaluations - len(files) + 1


def test_a_damaged_evaluation_is_made_again(tmp_path: Path) -> None:
    whole, _ = trained(None)
    trained(tmp_path)
    path = sorted(tmp_path.iterdir())[3]
    path.write_bytes(path.read_bytes()[:200])
    assert_array_equal(trained(tmp_path)[0], whole)


@pytest.mark.parametrize("at", [0, 16, 24, -1])
def test_an_altered_evaluation_is_made_again(at: int, tmp_path: Path) -> None:
    """Of the seal, the value, the gradient and the last byte there is."""
    whole, _ = trained(None)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, 4)
    for path in sorted(tmp_path.iterdir())[1:]:
        content = bytearray(path.read_bytes())
        content[at] ^= 1
        path.write_bytes(content)
    assert_array_equal(trained(tmp_path)[0], whole)


def test_a_training_that_must_go_on_begins_no_other(tmp_path: Path) -> None:
    trained(tmp_path)
    kept = sorted(path.read_bytes() for path in tmp_path.iterdir())
    objective = Objective([Stateful()], GaussianPrior(0.5))
    objective.journal = Journal(tmp_path, objective.terms)
    with pytest.raises(ParameterError, match="had another text or other options"):
        maximize(objective, np.full(4, 1.0))
    assert sorted(path.read_bytes() for path in tmp_path.iterdir()) == kept


def test_an_evaluation_in_the_place_of_another_is_made_again(tmp_path: Path) -> None:
    whole, _ = trained(None)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, 4)
    paths = sorted(tmp_path.iterdir())
    paths[2].write_bytes(paths[3].read_bytes())
    assert_array_equal(trained(tmp_path)[0], whole)


def test_a_journal_that_another_training_takes_away_stops_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of two trainings that ended stopped the other."""
    whole, _ = trained(None)
    other = Journal(tmp_path / "journal", [])
    write = Path.write_bytes

    def late(path: Path, content: bytes) -> int:
        other.remove()
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", late)
    assert_array_equal(trained(other.folder)[0], whole)


@pytest.mark.parametrize("annealing", [None, (0.2, 1.0)])
@pytest.mark.parametrize("criterion", ["contrastive", "em"])
def test_a_tagger_of_several_trainings_goes_on(
    criterion: str, annealing: Any, tmp_path: Path
) -> None:
    """Of `auto` three experts, each by stages: interrupted in each of them."""
    text = [line.split() for line in ("the saw saw the cat", "a cat saw the saw", "the dog ran")]
    words = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V"), "ran": "V"}

    def train(until: int | None, folder: Path | None) -> Tagger:
        tagger = Tagger(criterion=criterion, order=2, annealing=annealing, tolerance=1e-9)
        objective = tagger.compile(text, dictionary=words)
        if folder is not None:
            objective.record(Journal(folder, objective.terms))

        def monitor(step: Step) -> None:
            if step.iteration == until:
                raise KeyboardInterrupt

        with suppress(KeyboardInterrupt):
            tagger.train(objective, monitor=monitor)
        return tagger

    whole = train(None, None)
    for until in range(1, whole.training_.iterations):
        assert train(until, tmp_path / "journal").training_.stopped == "interrupted"
    assert_allclose(train(None, tmp_path / "journal").theta_, whole.theta_, atol=1e-9)
    assert not (tmp_path / "journal").exists()


def test_a_journal_is_removed_with_its_folder(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", [])
    journal.recall(lambda theta: (1.0, theta), np.zeros(2))
    journal.remove()
    assert list(tmp_path.iterdir()) == []
