"""Sums on a real cluster: the bits of one process, whatever comes, goes or is killed."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from patience import patience

from fstce import Tagger
from fstce.errors import ParameterError, ShardError
from fstce.estimation.journal import Journal
from fstce.estimation.maximize import Step
from fstce.estimation.resources import Resources
from fstce.wfsa import building, remote

distributed = pytest.importorskip("distributed")
dask = pytest.importorskip("dask")

TEXT = [
    row.split()
    for row in (
        *(
            "the cat saw the saw",
            "the saw saw the cat",
            "a dog saw",
            "the dog saw a cat",
            "dog saw the cat",
        ),
        *(
            "cat saw",
            "the saw saw a dog saw",
            "saw the saw",
            "a cat saw a dog",
            "a saw saw the saw",
        ),
    )
]
DICTIONARY = {"the": "D", "a": "D", "cat": "N", "dog": "N", "saw": ("N", "V")}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    found = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    )
    yield found
    with suppress(TimeoutError):  # of a machine that has much to do
        found.close(timeout=patience(60))


@pytest.fixture(scope="module")
def client(cluster: Any) -> Iterator[Any]:
    found = distributed.Client(cluster)
    yield found
    with suppress(TimeoutError):
        found.close(timeout=patience(60))


@pytest.fixture(autouse=True)
def _small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "SHARD_ARCS", 60)


def fitted(
    criterion: str = "contrastive",
    monitor: Any = None,
    journal: Path | None = None,
    **place: Any,
) -> Tagger:
    tagger = Tagger("trans1", criterion=criterion, max_iterations=6, tolerance=0.0)
    objective = tagger.compile(TEXT, dictionary=DICTIONARY, resources=place)
    if journal is not None:
        objective.record(Journal(journal, objective.terms))
    return tagger.train(objective, monitor=monitor)


@pytest.mark.parametrize(
    ("workers", "criterion"), [(1, "contrastive"), (2, "contrastive"), (2, "em")]
)
def test_workers_give_the_bits_of_one_process(
    workers: int, criterion: str, cluster: Any, client: Any, tmp_path: Path
) -> None:
    cluster.scale(workers)
    client.wait_for_workers(workers)
    found = fitted(criterion, client=client, shards=tmp_path)
    alone = fitted(criterion)
    assert_array_equal(found.theta_, alone.theta_)
    assert [step.objective for step in found.training_.steps] == [
        step.objective for step in alone.training_.steps
    ]


def test_a_killed_worker_costs_a_recomputation_only(
    cluster: Any, client: Any, tmp_path: Path
) -> None:
    cluster.scale(2)
    client.wait_for_workers(2)

    def kill(step: Step) -> None:
        if step.iteration in (1, 3):
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    assert_array_equal(fitted(client=client, shards=tmp_path, monitor=kill).theta_, fitted().theta_)


@pytest.mark.parametrize("damage", ["missing", "cut off"])
def test_a_shard_that_is_lost_on_the_way_is_named(damage: str, client: Any, tmp_path: Path) -> None:
    def lose(step: Step) -> None:
        path = sorted(tmp_path.glob("part-1/*contrasted.npy"))[0]
        if damage == "missing":
            path.unlink()
        else:
            os.truncate(path, path.stat().st_size - 64)

    with pytest.raises(ShardError, match=r"000000-contrasted.npy: the shard is (missing|damaged)"):
        fitted(client=client, shards=tmp_path, monitor=lose)


def test_a_killed_training_goes_on_to_the_same_bits(client: Any, tmp_path: Path) -> None:
    def interrupt(step: Step) -> None:
        if step.iteration == 3:
            raise KeyboardInterrupt

    place = {"client": client, "shards": tmp_path / "s", "journal": tmp_path / "j"}
    with pytest.raises(KeyboardInterrupt):
        fitted(monitor=interrupt, **place)
    assert len(list((tmp_path / "j").glob("*.evaluation"))) >= 4
    assert_array_equal(fitted(**place).theta_, fitted().theta_)
    assert not (tmp_path / "j").exists()


def test_potentials_that_were_refreshed_are_refreshed_again_after_a_kill(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fstce.wfsa import sumproduct

    monkeypatch.setattr(sumproduct, "DRIFT", 30.0)
    alone = fitted()

    def interrupt(step: Step) -> None:
        if step.iteration == 4:
            raise KeyboardInterrupt

    place = {"shards": tmp_path / "s", "journal": tmp_path / "j"}
    with pytest.raises(KeyboardInterrupt):
        fitted(monitor=interrupt, **place)
    assert_array_equal(fitted(**place).theta_, alone.theta_)


def test_a_client_needs_shards_and_must_be_one(tmp_path: Path, client: Any) -> None:
    with pytest.raises(ParameterError, match="give shards="):
        fitted(client=client)
    with pytest.raises(ParameterError, match="give shards="):
        Tagger(order=2).fit(TEXT, dictionary=DICTIONARY, resources=Resources(client=client))
    with pytest.raises(ParameterError, match=r"dask\.distributed\.Client"):
        fitted(client="tcp://nobody", shards=tmp_path)
    assert np.all(np.isfinite(fitted().theta_))


def test_workers_within_this_process_do_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores by files, few shards open at a time, and potentials refreshed on the way.

    Numerators removed the files that the potentials of denominators were of, and the other way round.
    """
    from fstce.wfsa import sumproduct

    def interrupt(step: Step) -> None:
        if step.iteration == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(remote, "kept_shard", lru_cache(2)(remote.KeptShard))
    near = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**near) as cluster, distributed.Client(cluster) as client:
        alone = fitted()
        assert_array_equal(fitted(client=client, shards=tmp_path / "a").theta_, alone.theta_)
        monkeypatch.setattr(sumproduct, "DRIFT", 30.0)
        assert_array_equal(fitted(client=client, shards=tmp_path / "b").theta_, fitted().theta_)
        place = {"client": client, "shards": tmp_path / "c", "journal": tmp_path / "j"}
        with pytest.raises(KeyboardInterrupt):
            fitted(monitor=interrupt, **place)
        assert_array_equal(fitted(**place).theta_, fitted().theta_)
    assert 0 < remote.kept_shard.cache_info().currsize <= 2
    files = len(list((tmp_path / "a" / "part-1" / "scores").rglob("*.npy")))
    assert 2 * remote.KEPT_SCORES <= files <= 2 * (remote.KEPT_SCORES + 1)


def test_a_shard_that_kills_its_workers_is_named(tmp_path: Path) -> None:
    class Worker:
        address = "tcp://nowhere"

    error = distributed.KilledWorker("task", Worker, 3)
    future: concurrent.futures.Future[Any] = concurrent.futures.Future()
    future.set_exception(error)
    group = [remote.Part(tmp_path / f"00000{i}-o.npy", "", tmp_path, "", None) for i in range(2)]
    with pytest.raises(
        ShardError, match=r"000000-o\.npy to 000001-o\.npy: workers die of .*nowhere"
    ):
        remote._result(None, future, group)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[Any]:
    """A scheduler and a worker in processes of their own; its process, and a client of it."""
    program, near = [sys.executable, "-m"], ["--host", "127.0.0.1", "--no-dashboard"]
    note = tmp_path / "scheduler.json"
    own = [*near, "--port", "0", "--scheduler-file", str(note)]
    process = subprocess.Popen(
        [*program, "distributed.cli.dask_scheduler", *own], stderr=subprocess.DEVNULL
    )
    worker_options = [*near, "--scheduler-file", str(note), "--nthreads", "1"]
    worker = subprocess.Popen(
        [*program, "distributed.cli.dask_worker", *worker_options], stderr=subprocess.DEVNULL
    )
    client = distributed.Client(scheduler_file=str(note), timeout=patience(60))
    try:
        client.wait_for_workers(1, timeout=patience(60))
        yield process, client
    finally:
        process.kill()
        worker.kill()
        process.wait()
        worker.wait()
        client.close(timeout=patience(1))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_scheduler_that_is_gone_is_told_and_the_training_goes_on(
    how: signal.Signals, scheduler: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, client = scheduler
    monkeypatch.setattr(remote, "PATIENCE", 2.0)
    gone = []

    def lose(step: Step) -> None:
        if step.iteration == 3:
            process.send_signal(how)
            gone.append(time.monotonic())

    place = {"shards": tmp_path / "s", "journal": tmp_path / "j"}
    with pytest.raises(remote.SchedulerLostError, match=r"start a scheduler and .* --resume"):
        fitted(client=client, monitor=lose, **place)
    assert time.monotonic() - gone[0] < patience(15)
    assert len(list((tmp_path / "j").glob("*.evaluation"))) >= 4
    assert_array_equal(fitted(**place).theta_, fitted().theta_)


def test_workers_that_are_gone_for_good_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler was asked for ever whether it was still there, which it was."""
    monkeypatch.setattr(remote, "PATIENCE", 2.0)
    with (
        distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):

        def retire(step: Step) -> None:
            if step.iteration == 3:
                cluster.scale(0)

        with pytest.raises(remote.SchedulerLostError, match=r"no workers.*start a scheduler"):
            fitted(client=client, shards=tmp_path / "s", monitor=retire)


def test_a_worker_that_stands_still_costs_time_only(tmp_path: Path) -> None:
    """Its shards are added up by another once the scheduler has given it up."""
    options = {"distributed.scheduler.worker-ttl": "3s", "distributed.worker.daemon": True}
    with (
        dask.config.set(options),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(2, timeout=patience(60))
        stopped: list[int] = []

        def stop(step: Step) -> None:
            if step.iteration == 2:
                stopped.append(next(iter(client.run(os.getpid).values())))
                os.kill(stopped[0], signal.SIGSTOP)

        try:
            found = fitted(client=client, shards=tmp_path, monitor=stop)
        finally:
            for process in stopped:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    assert_array_equal(found.theta_, fitted().theta_)
