"""How large the charts of neighbourhoods will be, and how long they take to build, told before they are."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fstce.console.output import count, note, seconds
from fstce.console.progress import note_least

if TYPE_CHECKING:
    from fstce.parsing.parser import DependencyParser

SAMPLED = 6  # sentences that are built to see how large the charts are
WORTH = 5.0  # seconds from which on it is told


def tell_forecast(parser: DependencyParser, rows: Sequence[Sequence[str]], place: dict[str, Any]) -> None:
    """Say how many hyperedges, how much room and time the charts of these sentences are expected to take."""
    import numpy as np

    from fstce.estimation.resources import Resources

    distinct = sorted({tuple(row) for row in rows}, key=len)
    tags = sorted({tag for row in distinct for tag in row})
    chosen = np.unique(np.linspace(0, len(distinct) - 1, SAMPLED).round().astype(int)).tolist()
    measured = np.array([_measured(parser, distinct[number], tags) for number in chosen])
    lengths = np.array([len(row) for row in distinct])
    # Of a sentence by its length: between the samples on a straight line.
    edges, nbytes, spent = (np.interp(lengths, lengths[chosen], column).sum() for column in measured.T)
    if spent < WORTH:
        return
    resources = Resources.checked(**place)
    note_least(resources.least)
    where = "of memory" if resources.fits(float(nbytes)) else "of mapped files"
    note(
        f"{count(len(distinct), 'distinct sentence')}, about {edges / 1e6:,.1f} million hyperedges, "
        f"{nbytes / 1e9:,.1f} GB {where}; about {seconds(float(spent))} of one core to build"
    )


def _measured(parser: DependencyParser, row: Sequence[str], tags: Sequence[str]) -> tuple[float, ...]:
    """Hyperedges, bytes and seconds of the charts of one sentence."""
    began = time.process_time()
    terms = parser.compile([row], tags=tags).terms
    batches = [term.batch for term in terms if hasattr(term, "batch") and hasattr(term.batch, "packs")]
    spent = time.process_time() - began
    return float(sum(b.size for b in batches)), float(sum(b.nbytes() for b in batches)), spent
