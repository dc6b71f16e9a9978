"""Neighborhoods: the sentences that could have been said and were not.

====================  ======================================================================
``registry``          by name: shipped, installed packages', an author's files, expressions
``shipped``           those that come with fstce: transducers, and those whose lattices are made
                      without one: windows, rotations, the training set, a half of the sentence
``base``              what a neighborhood is: sentence ∘ transducer → lattice
``first_use``         an author's machine tried in a child process, its claim to treat all
                      words alike too
``alphabet``          the words of a sentence, over which a builder builds
``over_vocabulary``   those that take words from a vocabulary
``algebra``           ``|``, ``&``, ``-``, ``+``, ``@``, ``**``, restrict, limit, of lattices that
                      ``lattice_sets`` combines
``expressions``       the same, written as text
``author``            an author's own Python file: run, its mistakes reported by line
``word_machines``     machines over words, whose arcs may stand for any word, or for one of a class
``precomputed``       lattices that another program made
``check``             a neighborhood against its contract, by ``check_questions``
====================  ======================================================================

Everything that has a transducer is composed: sentence ∘ transducer, projection, removal of ε,
determinization, minimization. What is not, and why:

==================================  ========================================================
trans1, delortrans1, move2 of more  their transducers hold a word back, so they have m² arcs
than ``base.COMPOSED_WORDS`` (200)  for m distinct words; ``machines.positions`` takes O(m)
distinct words
``rotations``                       no regular relation: {(uv, vu)} needs all of u remembered
``window2`` … ``window9``           regular, but a transducer must remember the words passed
``half:…``                          what changes is known by the place of a word
``training-set``                    one union of the corpus, whatever the sentence
``a & b``, ``a - b``, ``a | b``,    set operations on two lattices, each composed where it has
``restrict(a, …)``                  a transducer; relations have no intersection in general
``a + b``                           composed where both are transducers and no arc is
                                    ``<sigma>``, else the lattices of all spans
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
