"""TRANS1FUNCTION: the sentence, and each sentence with one function word and a neighbor transposed.

At least one of the two words is an English function word (see ``del1function``), so that
content words keep their order: 2m + 1 strings for m distinct function words, each between
two other words.

Source: after Smith & Eisner (2005a), §4: TRANS1 restricted to closed-class words.
To try: ``fstce neighborhood show trans1function "the cat sat on the mat"``
"""

from __future__ import annotations

from collections.abc import Sequence

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.transducers.del1function import function_labels
from fstce.transducers.trans1 import bigrams, transposition


def build(symbols: Symbols, sentence: Sequence[int] | None = None) -> pynini.Fst:
    """Copy; read one bigram ab of which a or b is a function word and write ba, or none; copy."""
    function = set(function_labels(symbols))
    pairs = bigrams(symbols, sentence)
    return transposition(symbols, [(a, b) for a, b in pairs if a in function or b in function])
