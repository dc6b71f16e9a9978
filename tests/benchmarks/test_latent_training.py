"""What training latent grammars costs and gives: run with ``python -m pytest tests/benchmarks``.

Four cycles on files 0001–0159 of the treebank sample, one core; F1 on sentences of at most
40 words of files 0180–0199. The Berkeley parser on this split: X-bar 63.6, then 74.8, 82.1, 84.6
and 86.8 after one to four cycles, trained in 115 s.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from fstce.corpora import Sentence

SECONDS, MEGABYTES = 180, 2000
XBAR, FOUR_CYCLES = 63.0, 85.0
PROGRAM = """
import json, resource, time
from fstce.corpora import read_corpus
from fstce.evaluation import evalb_scores
from fstce.latent.model.split_grammar import SplitHierarchy
from fstce.latent.parsing.coarse_to_fine import CoarseToFineParser
from latent_cases import train

def part(first, last):
    return [s for s in corpus if first <= int(s.source.rpartition("wsj_")[2][:4]) <= last]

corpus = read_corpus("nltk:treebank")
began, rows, latest = time.process_time(), [], {}

def monitor(step):
    assert not step.warning, step.warning
    latest[step.cycle] = step.log_likelihood, time.process_time() - began

hierarchy = train(part(1, 159), monitor=monitor)
seconds = time.process_time() - began
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
test = [s for s in part(180, 199) if len(s) <= 40]
for i, grammar in enumerate(hierarchy.grammars):
    parser = CoarseToFineParser([SplitHierarchy(hierarchy.grammars[: i + 1])])
    parses = parser.parse_all([s.words for s in test])
    scores = evalb_scores([s.tree for s in test], parses, disagreement="gold").total()
    rows.append([i, grammar.n_subcategories, *latest.get(i, (None, 0.0)), scores.f1])
print(json.dumps([seconds, memory, rows]))
"""


def test_four_cycles(nltk_treebank: list[Sentence], report: list[str]) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    seconds, memory, rows = json.loads(done.stdout)
    report.append(f"latent grammar, four cycles: {seconds:.0f} s on one core, peak {memory:.0f} MB")
    for cycle, size, value, at, f1 in rows:
        trained = (
            f"log-likelihood {value:,.0f} nats after {at:.0f} s, " if value is not None else ""
        )
        report.append(f"  {cycle} cycles: {size} subcategories, {trained}F1 {f1:.1f}")
    assert seconds <= SECONDS and memory <= MEGABYTES
    scores = [row[-1] for row in rows]
    assert scores[0] == pytest.approx(XBAR, abs=1.5) and scores[-1] >= FOUR_CYCLES
    assert scores == sorted(scores)
