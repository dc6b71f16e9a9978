"""Neighborhoods: the sentences that could have been said and were not.

Everything that has a transducer is composed: sentence ∘ transducer, projection, removal of ε,
determinization, minimization. What is not, and why:

==================================  ========================================================
``half:…``                          what changes is known by the place of a word
``training-set``                    one union of the corpus, whatever the sentence
``a & b``, ``a - b``, ``a | b``,    set operations on two lattices, each composed where it has
``restrict(a, …)``                  a transducer; relations have no intersection in general
``lattices.far``                    made by another program
==================================  ========================================================
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
