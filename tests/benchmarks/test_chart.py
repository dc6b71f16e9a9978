"""What dependency charts cost: run with ``python -m pytest tests/benchmarks``.

The corpus is that of the dependency treebank's sentences of at most ten words without
punctuation, their neighborhood TRANS1, the numbers log Z and all expectations.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from fstce import neighborhood
from fstce.chart import ChartBatch, DependencyModel, InsideOutside, best_trees, compile_charts
from fstce.chart.batch import arrays_of
from fstce.chart.terms import ChartSum, TreeLengthSum
from fstce.corpora import Sentence
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols

Floats = NDArray[np.float64]
Tags = tuple[str, ...]
PUNCTUATION = {"``", "''", ",", ".", ":", "-LRB-", "-RRB-"}
SECONDS = 0.08
MEMORY = """
import resource, sys
import numpy as np
from fstce import neighborhood
from fstce.chart import DependencyModel, compile_charts
from fstce.chart.terms import ChartSum
from fstce.machines.symbols import Symbols
sentences = [line.split() for line in sys.stdin]
symbols = Symbols(tag for sentence in sentences for tag in sentence)
model = DependencyModel(symbols)
batch = compile_charts(neighborhood("trans1").expand(sentences, symbols), model)
ChartSum(batch, np.ones(len(batch)))(np.zeros(model.size))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@pytest.fixture(scope="module")
def sentences(nltk_dependency_treebank: list[Sentence]) -> list[Tags]:
    """537 tag sequences over 34 tags."""
    bare = [
        tuple(tag for tag in s.tags or () if tag not in PUNCTUATION)
        for s in nltk_dependency_treebank
    ]
    short = [tags for tags in bare if 1 <= len(tags) <= 10]
    assert len(short) == 537 and len({tag for tags in short for tag in tags}) == 34
    return short


@pytest.fixture(scope="module")
def model(sentences: list[Tags]) -> DependencyModel:
    return DependencyModel(sorted({tag for tags in sentences for tag in tags}))


def charts(sentences: Sequence[Tags], model: DependencyModel) -> ChartBatch:
    symbols = Symbols(model.tags)
    return compile_charts(list(neighborhood("trans1").expand(sentences, symbols)), model)


def thetas(model: DependencyModel) -> list[Floats]:
    rng = np.random.default_rng(0)
    return [rng.normal(0.0, 0.5, model.size) for _ in range(4)]


def seconds(batch: ChartBatch, rounds: int = 5) -> float:
    """The median time of one evaluation."""
    sums, times = InsideOutside(batch), []
    for theta in itertools.islice(itertools.cycle(thetas(batch.model)), rounds + 1):
        began = time.perf_counter()
        sums(theta)
        times.append(time.perf_counter() - began)
    return float(np.median(times[1:]))


def test_sums_and_expectations(
    benchmark, sentences: list[Tags], model: DependencyModel, report: list[str]
) -> None:
    symbols = Symbols(model.tags)
    lattices = list(neighborhood("trans1").expand(sentences, symbols))
    began = time.perf_counter()
    batch = compile_charts(lattices, model)
    compiling = time.perf_counter() - began
    term, turn = ChartSum(batch, np.ones(len(batch))), itertools.cycle(thetas(model))
    benchmark.pedantic(lambda: term(next(turn)), rounds=20, warmup_rounds=3)
    median = benchmark.stats.stats.median
    plain = seconds(
        compile_charts([Lattice.of_sentence(tags, symbols) for tags in sentences], model)
    )
    report.append(
        f"537 sentences, TRANS1, {batch.size:,} hyperedges: compiled in {compiling * 1e3:.0f} ms, log Z and "
        f"expectations {median * 1e3:.1f} ms ({median / batch.size * 1e9:.1f} ns a hyperedge); "
        f"the sentences alone {plain * 1e3:.1f} ms"
    )
    assert median <= SECONDS and compiling < 1.0


def test_memory(sentences: list[Tags], report: list[str]) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    text = "\n".join(" ".join(tags) for tags in sentences)
    command = [sys.executable, "-c", MEMORY]
    done = subprocess.run(
        command, input=text, env=environment, capture_output=True, text=True, check=True
    )
    report.append(f"the same, peak of the process: {float(done.stdout):.0f} MB")
    assert float(done.stdout) < 1000


def test_length_sum(
    benchmark, sentences: list[Tags], model: DependencyModel, report: list[str]
) -> None:
    lengths, counts = np.unique([len(tags) for tags in sentences], return_counts=True)
    term, turn = (
        TreeLengthSum(model, lengths, -counts.astype(np.float64)),
        itertools.cycle(thetas(model)),
    )
    benchmark.pedantic(lambda: term(next(turn)), rounds=20, warmup_rounds=3)
    median = benchmark.stats.stats.median
    report.append(f"537 sentences, LENGTH over 34 tags: {median * 1e3:.1f} ms")
    assert median <= SECONDS


def test_best_trees(
    benchmark, sentences: list[Tags], model: DependencyModel, report: list[str]
) -> None:
    batch, (theta, *_) = charts(sentences, model), thetas(model)
    benchmark.pedantic(lambda: best_trees(batch, theta), rounds=5, warmup_rounds=1)
    report.append(f"537 sentences, TRANS1, best trees: {benchmark.stats.stats.median * 1e3:.1f} ms")


@pytest.mark.parametrize(
    ("length", "sentences_"), [(5, 400), (10, 200), (20, 60), (30, 20), (40, 10)]
)
def test_cost_against_length(
    length: int, sentences_: int, model: DependencyModel, report: list[str]
) -> None:
    rng = np.random.default_rng(length)
    chosen = [
        tuple(model.tags[i] for i in rng.integers(0, model.n_tags, length))
        for _ in range(sentences_)
    ]
    began = time.perf_counter()
    batch = charts(chosen, model)
    compiling = time.perf_counter() - began
    each = seconds(batch) / sentences_
    nbytes = sum(array.nbytes for array in arrays_of(batch.packs))
    report.append(
        f"TRANS1 of {length} words: {batch.size // sentences_:,} hyperedges a sentence, lattice and chart "
        f"{compiling / sentences_ * 1e3:.2f} ms, log Z and expectations {each * 1e3:.3f} ms, "
        f"{nbytes / 1e6 / sentences_:.2f} MB"
    )
    assert each / batch.size * sentences_ < 40e-9


def test_cost_against_corpus_size(
    sentences: list[Tags], model: DependencyModel, report: list[str]
) -> None:
    rng, rows = np.random.default_rng(1), []
    for size in (250, 500, 1000, 2000, 4000):
        # Shuffled words make sentences that are not yet there.
        chosen = [
            tuple(rng.permutation(sentences[i % len(sentences)]).tolist()) for i in range(size)
        ]
        batch = charts(chosen, model)
        rows.append((size, batch.size, seconds(batch)))
    found = ", ".join(f"{size}: {time_ * 1e3:.1f} ms ({edges:,})" for size, edges, time_ in rows)
    report.append(f"TRANS1, sentences: log Z and expectations (hyperedges): {found}")
    assert rows[-1][2] / rows[-1][1] < 3 * rows[1][2] / rows[1][1]
