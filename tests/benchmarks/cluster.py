"""One objective and gradient by one thread, two threads and the workers of a cluster, to the same bits.

python tests/benchmarks/cluster.py nltk:treebank 24000
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import distributed
import numpy as np

from fstce import TagDictionary, Tagger
from fstce.corpora import first_words, read_corpus

ROUNDS, TASKS = 9, 8


def clock(work: Callable[[], Any]) -> tuple[float, float]:
    """The medians of seconds on the wall and of this process's processor time."""
    wall, own = [], []
    for _ in range(ROUNDS):
        began, spent = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - began)
        own.append(time.process_time() - spent)
    return float(np.median(wall)), float(np.median(own))


def say(what: str, wall: float, own: float) -> None:
    """Print a measurement."""
    print(f"{what}: {1e3 * wall:.0f} ms, {1e3 * own:.0f} ms of processor time here")


def main(spec: str, words: int) -> None:
    """Measure, and say so."""
    text = [sentence.words for sentence in first_words(read_corpus(spec), words)]
    place = {"dictionary": TagDictionary.from_corpus(read_corpus(spec))}
    with tempfile.TemporaryDirectory() as folder:
        tagger = Tagger("trans1")
        alone = tagger.compile(text, **place)
        twice = Tagger("trans1", jobs=2).compile(text, **place)
        theta = np.random.default_rng(0).normal(0, 0.3, tagger.features_.size)
        expected = alone(theta)
        batches = [batch for term in alone.terms for batch in term.batches]
        print(
            f"{len(batches)} shards, {sum(batch.n_arcs for batch in batches):,} arcs, {len(theta):,} features"
        )
        for name, objective in (("one thread", alone), ("two threads", twice)):
            value, slope = objective(theta)
            assert value == expected[0] and np.array_equal(slope, expected[1])
            say(name, *clock(lambda objective=objective: objective(theta)))
        with distributed.LocalCluster(1, threads_per_worker=1, dashboard_address=None) as cluster:
            client = distributed.Client(cluster)
            shared = Tagger("trans1").compile(
                text, resources={"shards": folder, "client": client}, **place
            )
            shared.journal = None
            for workers in (1, 2, 3):
                cluster.scale(workers)
                client.wait_for_workers(workers)
                value, slope = shared(theta)
                assert value == expected[0] and np.array_equal(slope, expected[1])
                say(f"{workers} workers", *clock(lambda: shared(theta)))
                say(f"  {TASKS} empty tasks", *clock(lambda: _exchange(client, theta)))
            client.close()


def _exchange(client: Any, theta: Any) -> None:
    """Send the numbers to some tasks, which send them back."""
    client.gather([client.submit(_nothing, theta, number, pure=False) for number in range(TASKS)])


def _nothing(theta: Any, number: int) -> Any:
    return theta


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
