"""Workers and clients killed at random: what comes out is compared with a training that nobody disturbed.

    python tests/benchmarks/kill_trainings.py 150 50 [SECONDS]

Trains again and again on a cluster of two processes, while a thread kills workers
(SIGKILL) in mid-training, each after a random time; then starts clients as processes of their own, without
Dask, and kills these (SIGKILL) until one ends. Weights must be, to the bit, those of one process alone.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import dask
import distributed
import numpy as np

from fstce import TagDictionary, Tagger
from fstce.corpora import sample
from fstce.errors import FstceError
from fstce.estimation.journal import Journal
from fstce.wfsa import building

SENTENCES, ITERATIONS, WORKERS = 100, 25, 2
building.SHARD_ARCS = 2000
MANY = {"distributed.scheduler.allowed-failures": 1000}


def train(journal: Path | None = None, **place: Any) -> Tagger:
    """A short training over small shards; it goes on where its journal ends."""
    text = [sentence.words for sentence in sample()[:SENTENCES]]
    tagger = Tagger("trans1", order=2, max_iterations=ITERATIONS, tolerance=0)
    dictionary = TagDictionary.from_corpus(sample())
    objective = tagger.compile(text, dictionary=dictionary, resources=place)
    if journal is not None:
        objective.record(Journal(journal, objective.terms))
    return tagger.train(objective)


class Killer(threading.Thread):
    """Kills a random worker whenever all of them are there, until it has killed enough."""

    def __init__(self, cluster: Any, client: Any, wanted: int, until: float) -> None:
        super().__init__(daemon=True)
        self.kills = 0
        self._cluster, self._client, self._wanted, self._until = cluster, client, wanted, until
        self._random = random.Random(0)

    def run(self) -> None:
        """Until there are as many kills as are wanted."""
        while self.kills < self._wanted and time.monotonic() < self._until:
            with suppress(TimeoutError, OSError, IndexError):
                self._client.wait_for_workers(WORKERS, timeout=30)
                time.sleep(self._random.uniform(0, 0.5))
                os.kill(self._random.choice(self._working()), signal.SIGKILL)
                self.kills += 1
            self._cluster.scale(WORKERS)

    def _working(self) -> list[int]:
        """Processes of the workers that the scheduler knows: a nanny gives up on one that dies at its start.

        Read off the nannies, which are here: a worker that has just died would be asked for ever.
        """
        known = self._client.scheduler_info(n_workers=-1)["workers"]
        nannies = list(self._cluster.workers.values())
        return sorted(nanny.pid for nanny in nannies if nanny.pid and nanny.worker_address in known)


def kill_workers(theta: Any, wanted: int, until: float) -> str:
    """Trainings on a cluster whose workers are killed."""
    with dask.config.set(MANY), tempfile.TemporaryDirectory() as folder:
        cluster = distributed.LocalCluster(
            WORKERS, threads_per_worker=1, dashboard_address=None, silence_logs=50
        )
        client = distributed.Client(cluster)
        killer = Killer(cluster, client, wanted, until)
        killer.start()
        trainings = wrong = errors = 0
        while killer.is_alive():
            try:
                wrong += not np.array_equal(
                    train(shards=Path(folder) / "s", client=client).theta_, theta
                )
                trainings += 1
                print(f"training {trainings}: {killer.kills} workers killed so far", flush=True)
            except FstceError as error:
                errors += 1
                print(error, flush=True)
        ended = f"{trainings} trainings, {wrong} with other weights, {errors} with an error"
        with suppress(KeyError, TimeoutError):  # of workers that are killed while the cluster ends
            client.close()
            cluster.close()
    return f"{killer.kills} workers killed: {ended}"


def kill_clients(theta: Any, wanted: int, until: float) -> str:
    """Trainings, each a process, that are killed and started again until they end."""
    kills = trainings = wrong = 0
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        place, result = Path(folder) / "s", Path(folder) / "theta.npy"
        command = [sys.executable, __file__, "child", str(place), str(result)]
        began = time.monotonic()
        subprocess.run(command, check=True)
        longest = time.monotonic() - began
        while kills < wanted and time.monotonic() < until:
            child = subprocess.Popen(command)
            try:
                child.wait(draw.uniform(0, longest))
                trainings += 1
                wrong += not np.array_equal(np.load(result), theta)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                kills += 1
    return f"{kills} clients killed: {trainings} trainings that ended, {wrong} with other weights"


def main(workers: int, clients: int, seconds: float) -> None:
    """Kill so often, or so long; say what was found."""
    alone, began = train().theta_, time.monotonic()
    print(kill_clients(alone, clients, began + seconds / 3), flush=True)
    print(kill_workers(alone, workers, began + seconds), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "child":
        place = Path(sys.argv[2])
        np.save(sys.argv[3], train(place / "journal", shards=place).theta_)
    else:
        main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 3600)
