"""Correction: choose the best sentence among those that could have been meant.

===================  ================================================================
``channel``          what each edit costs, in −log: one cost a kind, or a confusion table
``edits``            the edit transducer: at most k edits
``lookup``           a deletion dictionary, the fast way to the same words
``distance``         the costs of many pairs of words at once
``candidates``       the vocabulary words that a typed word may have been meant to be
``casing``           capitals put back
``spelling``         SPELL≤k, a sausage of candidates
``punctuation``      PUNC≤k, marks inserted, deleted, substituted
``ngrams``           a Kneser–Ney word n-gram model; ``spelled``, one of characters
``weighting``        lattices whose states know the words before them
``readings``         what was typed may have been meant to be, and what speaks for it: ``columns``
                     of numbers, ``pruning``, and ``composing`` with the model
``tuning``           the exponents of what speaks for it, from ``mistyping`` clean text
``decoding``         which words to change, and how sure that is
``corrector``        the estimator, with ``corrector_parts``, ``checks`` and ``corrector_files``
``parsed``           the same with a dependency grammar; ``parsed_tags`` and ``parsed_emissions``
                     to train it, ``parsed_pairs``, ``parsed_readings`` and ``parsed_decoding``
                     to correct, with ``parsed_parts`` and ``parsed_files``
``tokens``           running text into words and back, its spacing kept
``alignment``        what was changed between two sentences
``corruption``       mistakes made on purpose, by a seed
``scores``           precision, recall, F½, word error rate
``baselines``        what a corrector must beat
===================  ================================================================
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fstce.correction.corrector import Corrector
    from fstce.correction.parsed import ParsedCorrector


def load(folder: str | os.PathLike[str]) -> Corrector | ParsedCorrector:
    """Load a saved corrector, of whichever of the two kinds it is.

    Raises
    ------
    ModelFileError
        The folder holds no corrector, or a file is missing, damaged or of another version.
    """
    from fstce.correction import corrector_files, parsed_files
    from fstce.manifest import model_folder, parsed

    kind = parsed(model_folder(folder)).get("kind")
    return parsed_files.load(folder) if kind == parsed_files.KIND else corrector_files.load(folder)
