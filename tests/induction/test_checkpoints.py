"""Checkpoints of an induction: when they come, and that going on from any of them changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fstce.corpora import sample
from fstce.errors import ModelFileError
from fstce.induction import inducer as induction_checkpoints
from fstce.induction.inducer import PAUSE, SHARE, DirectedAlignment, checkpoints

SAMPLE = sample()[:120]


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


class Work:
    """A clock, and a save that takes its time."""

    def __init__(self, cost: float) -> None:
        self.now, self.cost, self.saved = 0.0, cost, list[float]()

    def save(self) -> None:
        self.saved.append(self.now)
        self.now += self.cost


@pytest.mark.parametrize("cost", [0.0, 0.125, 4.0])
def test_saving_takes_its_share_of_the_time_and_no_more(cost: float, monkeypatch: Any) -> None:
    work = Work(cost)
    monkeypatch.setattr(induction_checkpoints.time, "monotonic", lambda: work.now)
    keep = checkpoints(work.save)
    for iteration in range(1, 1001):
        work.now += 0.5
        keep(iteration, None)
    pauses = [b - a - cost for a, b in zip(work.saved, work.saved[1:], strict=False)]
    assert work.saved[0] == PAUSE
    assert all(max(PAUSE, cost / SHARE) <= pause < max(PAUSE, cost / SHARE) + 1 for pause in pauses)
    assert len(work.saved) > 4


def test_the_monitor_is_told_first_and_may_stop(monkeypatch: Any) -> None:
    monkeypatch.setattr(induction_checkpoints, "PAUSE", 0.0)
    heard: list[Any] = []

    def monitor(iteration: int, step: Any) -> None:
        heard.append(iteration)
        if iteration == 2:
            raise StopIteration

    keep = checkpoints(lambda: heard.append("saved"), monitor)
    keep(1, None)
    with pytest.raises(StopIteration):
        keep(2, None)
    assert heard == [1, "saved", 2]


@pytest.fixture
def at_each(monkeypatch: Any) -> None:
    monkeypatch.setattr(induction_checkpoints, "PAUSE", 0.0)
    monkeypatch.setattr(induction_checkpoints, "SHARE", 1e9)


@pytest.mark.parametrize("at", [1, 8])
def test_going_on_from_a_checkpoint_changes_nothing(at_each: None, tmp_path: Path, at: int) -> None:
    def kill(iteration: int, step: Any) -> None:
        if iteration == at + 1:
            raise SystemExit

    with pytest.raises(SystemExit):
        DirectedAlignment(iterations=20).fit(SAMPLE, monitor=kill, checkpoint=tmp_path / "m")
    parts = DirectedAlignment.load(tmp_path / "m")
    assert (len(parts.grammar_.steps), parts.stopped_) == (at, "interrupted")
    parts.resume(checkpoint=tmp_path / "m")
    DirectedAlignment(iterations=20).fit(SAMPLE).save(tmp_path / "whole")
    assert files(tmp_path / "m") == files(tmp_path / "whole")


def test_the_last_one_is_at_the_end(tmp_path: Path) -> None:
    inducer = DirectedAlignment(iterations=5).fit(SAMPLE, checkpoint=tmp_path / "m")
    inducer.save(tmp_path / "own")
    assert files(tmp_path / "m") == files(tmp_path / "own")


def test_a_place_that_is_none_is_told_at_once(tmp_path: Path) -> None:
    heard: list[int] = []
    with pytest.raises(ModelFileError, match="no folder"):
        DirectedAlignment().fit(
            SAMPLE,
            monitor=lambda iteration, step: heard.append(iteration),
            checkpoint=tmp_path / "no" / "m",
        )
    assert heard == []
