"""Accuracy beside what chance and untrained weights score, as tables."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from fstce.cli.output import percent, table

if TYPE_CHECKING:
    from fstce.evaluation import Accuracy
    from fstce.numeric.types import Rows
    from fstce.tagging.tagger import Tagger

Scored = list[tuple[str, "Accuracy"]]


def trained_rows(tagger: Tagger, sentences: Rows, gold: Rows) -> Scored:
    """Chance, the weights at which training starts, and the trained weights."""
    from fstce.evaluation import random_accuracy, tagging_accuracy

    untrained = copy.copy(tagger)
    untrained.theta_ = tagger.initial_weights()
    known = tagger.dictionary_
    return [
        ("random", random_accuracy(sentences, gold, known)),
        ("untrained", tagging_accuracy(sentences, gold, untrained.predict(sentences), known)),
        ("trained", tagging_accuracy(sentences, gold, tagger.predict(sentences), known)),
    ]


def show(rows: Scored) -> None:
    """Print percentages of ambiguous and of all words, a row a model."""
    first = rows[0][1]
    header = ("", f"% of {first.n_ambiguous:,} ambiguous words", f"% of all {first.n_all:,} words")
    table(header, [(name, percent(a.ambiguous), percent(a.all)) for name, a in rows], numbers=(1, 2))
