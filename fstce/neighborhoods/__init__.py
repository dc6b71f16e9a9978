"""Neighborhoods: the sentences that could have been said and were not.

Everything that has a transducer is composed: sentence ∘ transducer, projection, removal of ε,
determinization, minimization. What is not, and why, stands in :mod:`fstce.neighborhoods.shipped`,
``algebra`` and ``precomputed``; TRANS1, DELORTRANS1 and MOVE2 of more than
``base.COMPOSED_WORDS`` distinct words are machines over positions, for their transducers have m² arcs.
"""

from __future__ import annotations

from fstce.neighborhoods.alphabet import Alphabet, Words
from fstce.neighborhoods.base import Builder, Neighborhood
from fstce.neighborhoods.registry import neighborhood
from fstce.neighborhoods.shipped import direct_names, names, names_over_vocabulary

__all__ = [
    "Alphabet",
    "Builder",
    "Neighborhood",
    "Words",
    "direct_names",
    "names",
    "names_over_vocabulary",
    "neighborhood",
]
