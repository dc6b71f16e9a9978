"""Grammar induction by distribution: cost and order of the systems.

``python -m pytest tests/benchmarks/test_distribution.py`` learns 500 classes from the Brown
corpus (1.16 million words) in a process of its own, under 2 minutes and 1 GB; prints the cost
by corpus size and by iterations; and compares the systems on the Penn Treebank sample without
punctuation, over constituents of two words or more below the root.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fstce.corpora import Sentence
from fstce.corpora.dependencies import PUNCTUATION_TAGS
from fstce.induction.grammar import parse, spans_of
from fstce.induction.learner import Induction
from fstce.induction.parameters import SYSTEMS, Options

ITERATIONS = 500
CATEGORIES = ("NP", "VP", "PP")
Span = tuple[str, int, int]

ALONE = """
import resource, sys, time
from fstce.corpora import read_corpus
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options
text = [sentence.words for sentence in read_corpus("nltk:brown")]
begin = time.perf_counter()
induction = Induction(text, Options.of_system(sys.argv[1]))
induction.run(500)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(time.perf_counter() - begin, peak, len(induction.steps))
"""


@pytest.mark.parametrize("system", ["da", "da-cluster", "da-stop"])
def test_brown_in_two_minutes_and_a_gigabyte(
    system: str, nltk_home: Path, nltk_brown: list[Sentence], report: list[str]
) -> None:
    environment = {**os.environ, "NLTK_DATA": str(nltk_home), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", ALONE, system]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seconds, peak, steps = map(float, ran.stdout.split())
    report.append(
        f"Brown, {system}: {steps:.0f} iterations in {seconds:.1f} s, at most {peak / 1e9:.2f} GB"
    )
    assert steps == ITERATIONS
    assert seconds < 120
    assert peak < 1e9


def test_cost_by_size_and_iterations(nltk_brown: list[Sentence], report: list[str]) -> None:
    text = [sentence.words for sentence in nltk_brown]
    for share in (0.125, 0.25, 0.5, 1.0):
        part = text[: int(len(text) * share)]
        begin = time.perf_counter()
        induction = Induction(part)
        marks = [time.perf_counter() - begin]
        for _ in range(4):
            induction.run(ITERATIONS // 4)
            marks.append(time.perf_counter() - begin)
        costs = ", ".join(f"{int(cost * 1e3)}" for cost in np.diff(marks) / (ITERATIONS / 4))
        report.append(
            f"{sum(map(len, part)):,} words: read in {marks[0]:.2f} s, ms an iteration by quarter: {costs}"
        )
    begin = time.perf_counter()
    parse(induction.grammar, text)
    report.append(f"parsing all of it with {ITERATIONS} steps: {time.perf_counter() - begin:.1f} s")


def without_punctuation(sentence: Sentence) -> tuple[list[str], list[Span]]:
    """The words that are no punctuation, and the constituents over two or more of them."""
    assert sentence.tags is not None
    assert sentence.tree is not None
    kept = [tag not in PUNCTUATION_TAGS for tag in sentence.tags]
    before = np.concatenate(([0], np.cumsum(kept))).tolist()
    words = [word for word, keep in zip(sentence.words, kept, strict=True) if keep]
    spans = [(label.split("-")[0], before[a], before[b]) for label, a, b in sentence.tree.spans()]
    return words, [span for span in spans if span[2] - span[1] > 1 and span[1:] != (0, len(words))]


def test_the_order_of_the_systems(nltk_treebank: list[Sentence], report: list[str]) -> None:
    prepared = [item for item in map(without_punctuation, nltk_treebank) if item[0]]
    text = [words for words, _ in prepared]
    f1, recall = {}, {}
    for system in SYSTEMS:
        induction = Induction(text, Options.of_system(system))
        induction.run(ITERATIONS)
        rows = enumerate(spans_of(induction.grammar, text))
        found = {(i, a, b) for i, row in rows for _, a, b in row}
        guessed = {(i, a, b) for i, a, b in found if (a, b) != (0, len(text[i]))}
        gold = [(i, *span) for i, (_, spans) in enumerate(prepared) for span in spans]
        wanted = {(i, a, b) for i, _, a, b in gold}
        precision, recalled = (len(guessed & wanted) / len(part) for part in (guessed, wanted))
        f1[system] = 200 * precision * recalled / (precision + recalled)
        there = Counter(label for _, label, _, _ in gold)
        hit = Counter(label for i, label, a, b in gold if (i, a, b) in guessed)
        recall[system] = {label: 100 * hit[label] / there[label] for label in CATEGORIES}
        by_category = ", ".join(f"{label} {recall[system][label]:.2f}" for label in CATEGORIES)
        report.append(
            f"{system}: UP {100 * precision:.1f}, UR {100 * recalled:.1f}, F1 {f1[system]:.1f}; {by_category}"
        )
    assert f1["da-stop"] > f1["fwb"] > max(f1["da"], f1["da-cluster"])
    assert max(recall[system]["PP"] for system in ("fwb", "da", "da-cluster")) < 1
    assert recall["da-stop"]["PP"] > 10 * recall["da"]["PP"]
