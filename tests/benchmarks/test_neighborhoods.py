"""What a lattice costs: every shipped neighborhood on 94 thousand words, equal sentences once.

Run with ``python -m pytest tests/benchmarks/test_neighborhoods.py``. Nothing is remembered
from one round to the next, so that each pattern of repeated words is made anew.
"""

from __future__ import annotations

import time

import pytest

from fstce import neighborhood
from fstce.corpora import Sentence
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.shipped import names, names_over_vocabulary

BAR = 1e-3  # seconds a sentence
COMPOSED = {"trans1": 0.45e-3, "delortrans1": 0.65e-3, "move2": 1.2e-3}  # transducers of m² arcs
SHIPPED = [*names(), *names_over_vocabulary(), "rotations", "window3", "window4"]
COMBINED = ["trans1 | del1word", "trans1 + trans1", "restrict(del1word, function-words)"]


@pytest.mark.parametrize("name", [*SHIPPED, *COMBINED])
def test_a_lattice_takes_about_a_millisecond(
    nltk_treebank: list[Sentence], name: str, report: list[str]
) -> None:
    text = [sentence.words for sentence in nltk_treebank]
    distinct = list(dict.fromkeys(text))
    symbols = Symbols(word for words in distinct for word in words)
    kind = neighborhood(name).for_text(text)
    taken, arcs = [], 0
    for _ in range(2):
        afresh = kind.changed()
        began = time.process_time()
        arcs = sum(len(lattice.arrays.source) for lattice in afresh.expand(distinct, symbols))
        taken.append((time.process_time() - began) / len(distinct))
    report.append(
        f"{name}: {1e3 * min(taken):.2f} ms a sentence, {arcs:,} arcs, {len(distinct):,} sentences"
    )
    if name in SHIPPED:
        assert min(taken) <= COMPOSED.get(name, BAR)
