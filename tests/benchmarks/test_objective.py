"""What the inner loop and the structure cost: run with ``python -m pytest tests/benchmarks``.

The objective is that of TRANS1 with trigrams on the Penn Treebank sample (94 thousand
words); OpenFst sums over the same automata in the same run.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
import pywrapfst
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from fstce import TagDictionary, neighborhood
from fstce.corpora import Sentence
from fstce.estimation.objective import GaussianPrior, Objective
from fstce.machines.image import Arrays, arrays_to_fst
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.wfsa.batch import Batch, TagAutomaton, pack_products
from fstce.wfsa.compile import Contrast, TrainingData
from fstce.wfsa.features import tag_pairs
from fstce.wfsa.sumproduct import SumProduct

Floats = NDArray[np.float64]
ORDER = 3
SUBSET = 300
PASSES = 3
MEMORY = """
import resource
from fstce import TagDictionary, neighborhood
from fstce.corpora import first_words, read_corpus
from fstce.estimation.objective import Objective
from fstce.estimation.objective import GaussianPrior
from fstce.wfsa.compile import Contrast, TrainingData
import numpy as np

def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

corpus = read_corpus("nltk:treebank")
dictionary = TagDictionary.from_corpus(corpus)
sentences = [sentence.words for sentence in first_words(corpus, 24_000)]
before = megabytes()
contrast = Contrast(TrainingData(sentences, neighborhood("del1subseq")), dictionary, dictionary.tagset, 3)
Objective(contrast.terms, GaussianPrior(1.0))(np.zeros(contrast.features.size))
print(before, megabytes(), sum(batch.n_arcs for term in contrast.terms for batch in term.batches))
"""


class Weighted(NamedTuple):
    """One product automaton for OpenFst; its arcs' ends, −log weights and numbers in the batch."""

    fst: pywrapfst.Fst
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    cost: Floats
    final: int
    arcs: NDArray[np.int64]


@pytest.fixture(scope="module")
def sentences(nltk_treebank: list[Sentence]) -> list[tuple[str, ...]]:
    return [tuple(sentence.words) for sentence in nltk_treebank]


@pytest.fixture(scope="module")
def dictionary(nltk_treebank: list[Sentence]) -> TagDictionary:
    return TagDictionary.from_corpus(nltk_treebank)


@pytest.fixture(scope="module")
def contrast(sentences: list[tuple[str, ...]], dictionary: TagDictionary) -> Contrast:
    return Contrast(
        TrainingData(sentences, neighborhood("trans1")), dictionary, dictionary.tagset, ORDER
    )


@pytest.fixture(scope="module")
def thetas(contrast: Contrast) -> list[Floats]:
    """Weights as far apart as the steps of a training."""
    rng = np.random.default_rng(0)
    start = rng.normal(0, 0.5, contrast.features.size)
    return [start + rng.normal(0, 0.05, contrast.features.size) for _ in range(4)]


def weighted(batch: Batch, scores: Floats, number: int) -> Weighted:
    """A machine of the batch as log64, its states in the batch's topological order."""
    states = np.flatnonzero(batch.machine == number)
    arcs = np.flatnonzero(batch.machine[batch.source] == number)
    arcs = arcs[np.argsort(batch.source[arcs], kind="stable")]
    source = np.searchsorted(states, batch.source[arcs])
    target = np.searchsorted(states, batch.target[arcs])
    final = int(np.searchsorted(states, batch.final[number]))
    ends = np.where(np.arange(len(states)) == final, 0.0, np.inf)
    label, cost = np.ones(len(arcs), np.int32), -scores[arcs]
    fst = arrays_to_fst(Arrays(0, ends, source, label, label, cost, target), "log64")
    return Weighted(fst, source, target, cost, final, arcs)


Passes = tuple[list[pywrapfst.Weight], list[pywrapfst.Weight]]


def openfst_passes(machine: Weighted) -> Passes:
    """OpenFst's shortest distance of every state, forward and reverse."""
    fst = machine.fst
    return pywrapfst.shortestdistance(fst), pywrapfst.shortestdistance(fst, reverse=True)


def openfst_posteriors(machine: Weighted, passes: Passes) -> Floats:
    """Posteriors of the arcs from OpenFst's distances, taken to numpy."""
    alpha, beta = (np.array([float(weight) for weight in distance]) for distance in passes)
    return np.exp(
        alpha[machine.final] - alpha[machine.source] - machine.cost - beta[machine.target]
    )


def test_objective_and_gradient(
    benchmark, contrast: Contrast, thetas: list[Floats], report: list[str]
) -> None:
    objective, turn = Objective(contrast.terms, GaussianPrior(1.0)), itertools.cycle(thetas)
    benchmark.pedantic(lambda: objective(next(turn)), rounds=20, warmup_rounds=3)
    arcs = sum(batch.n_arcs for term in contrast.terms for batch in term.batches)
    ours = benchmark.stats.stats.median / arcs * 1e9
    batches = contrast.denominators[0].batches
    middle = batches[len(batches) // 2]
    scores = np.random.default_rng(2).normal(0, 0.5, len(middle.ngram))
    passes, posteriors = _openfst_cost(middle, scores)
    theirs = passes + posteriors
    benchmark.extra_info.update(
        arcs=arcs,
        ns_an_arc=ours,
        openfst_passes_ns_an_arc=passes,
        openfst_posteriors_ns_an_arc=posteriors,
        passes_ratio=passes / ours,
        ratio=theirs / ours,
    )
    report.append(
        f"TRANS1, {arcs:,} product arcs: objective and gradient {ours:.1f} ns an arc "
        f"({benchmark.stats.stats.median * 1e3:.1f} ms); OpenFst's shortestdistance {passes:.0f} ns an arc "
        f"for both passes (ratio {passes / ours:.0f}), {theirs:.0f} with posteriors in numpy "
        f"(ratio {theirs / ours:.0f})"
    )
    assert ours <= 30 and theirs / ours >= 60


def _openfst_cost(batch: Batch, cell_scores: Floats) -> tuple[float, float]:
    """Nanoseconds an arc of passes and of posteriors on random machines; the sums are checked."""
    scores, ours = batch.arc_scores(cell_scores), SumProduct(batch).posteriors(cell_scores)
    chosen = np.random.default_rng(1).choice(batch.n_machines, SUBSET, replace=False)
    machines = [weighted(batch, scores, number) for number in chosen.tolist()]
    seconds = []
    for _ in range(PASSES):
        clock = [time.perf_counter()]
        passes = [openfst_passes(machine) for machine in machines]
        clock.append(time.perf_counter())
        found = [openfst_posteriors(*pair) for pair in zip(machines, passes, strict=True)]
        clock.append(time.perf_counter())
        seconds.append(np.diff(clock))
    for machine, posterior in zip(machines, found, strict=True):
        assert_allclose(posterior, ours[machine.arcs], rtol=1e-2, atol=1e-4)
    arcs = sum(len(machine.cost) for machine in machines)
    both: tuple[float, float] = tuple((np.median(seconds, axis=0) / arcs * 1e9).tolist())
    return both


def test_structure(benchmark, sentences, dictionary: TagDictionary, report: list[str]) -> None:
    chosen = list(dict.fromkeys(sentences))
    symbols = Symbols(word for sentence in sentences for word in sentence)
    pairs = tag_pairs(symbols, symbols, dictionary, dictionary.tagset)
    automaton = TagAutomaton(symbols, pairs, dictionary.tagset, ORDER)
    seconds: list[tuple[float, float]] = []

    def build() -> None:
        times = list(_stages(chosen, symbols, automaton))
        seconds.append((times[1] - times[0], times[2] - times[1]))

    benchmark.pedantic(build, rounds=2)
    lattice, product = (np.median(np.array(seconds), axis=0) / len(chosen) * 1e3).tolist()
    benchmark.extra_info.update(lattice_ms=lattice, product_ms=product)
    report.append(f"TRANS1, ms a sentence: lattice {lattice:.3f}, packed product {product:.3f}")


def _stages(
    sentences: list[tuple[str, ...]], symbols: Symbols, automaton: TagAutomaton
) -> Iterator[float]:
    """The clock before and after each stage; the neighborhood is new, so that no lattice is remembered."""
    kind = Neighborhood(neighborhood("trans1").build, "trans1", equivariant=True)
    yield time.perf_counter()
    lattices = list(kind.expand(sentences, symbols))
    yield time.perf_counter()
    pack_products(automaton, lattices)
    yield time.perf_counter()


def test_memory_of_del1subseq(benchmark, nltk_home, report: list[str]) -> None:
    environment = {**os.environ, "NLTK_DATA": str(nltk_home)}
    # the shell stands between because a forked child begins with its parent's peak
    command = ["sh", "-c", '"$0" -c "$1"; exit $?', sys.executable, MEMORY]
    run = benchmark.pedantic(
        lambda: subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ),
        rounds=1,
    )
    before, peak, arcs = map(float, run.stdout.split())
    benchmark.extra_info.update(megabytes_before=before, megabytes_peak=peak, arcs=int(arcs))
    assert peak < 6000
    report.append(
        f"DEL1SUBSEQ, 24 thousand words, {int(arcs):,} product arcs: "
        f"peak {peak:.0f} MB, of which {before:.0f} MB before anything is built"
    )
