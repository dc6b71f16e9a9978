"""Accuracy beside what chance and untrained weights score, as tables."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fstce.console.output import percent, table

if TYPE_CHECKING:
    from fstce.evaluation import Accuracy
    from fstce.numeric.types import Rows
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger

Scored = list[tuple[str, "Accuracy"]]


def trained_rows(tagger: Tagger, sentences: Rows, gold: Rows) -> Scored:
    """Chance, the weights at which training starts, and the trained weights."""
    untrained = copy.copy(tagger)
    untrained.theta_ = tagger.initial_weights()
    return rows_of([("untrained", untrained), ("trained", tagger)], sentences, gold)


def rows_of(taggers: Sequence[tuple[str, Tagger | TaggerProduct]], sentences: Rows, gold: Rows) -> Scored:
    """Chance, and some taggers by their names, with the dictionary of the last."""
    from fstce.evaluation import random_accuracy, tagging_accuracy

    known = taggers[-1][1].dictionary_
    return [
        ("random", random_accuracy(sentences, gold, known)),
        *((name, tagging_accuracy(sentences, gold, one.predict(sentences), known)) for name, one in taggers),
    ]


def show(rows: Scored) -> None:
    """Print percentages of ambiguous and of all words, a row a model."""
    first = rows[0][1]
    header = ("", f"% of {first.n_ambiguous:,} ambiguous words", f"% of all {first.n_all:,} words")
    table(header, [(name, percent(a.ambiguous), percent(a.all)) for name, a in rows], numbers=(1, 2))
