"""DEL1FUNCTION: the sentence, and each sentence with one of its function words deleted.

The list of function words is English (``grammars/function_words.tsv``) and is matched by
form, in any case. m + 1 strings for m distinct function words among other words.

Source: after Smith & Eisner (2005a), §4: DEL1WORD restricted to closed-class words.
To try: ``fstce neighborhood show del1function "the cat sat on the mat"``
"""

from __future__ import annotations

from functools import cache

from fstce.corpora.tables import bundled_rows
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.transducers.del1word import deletion


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, delete at most one function word, copy: ``?:?* (f:ε)? ?:?*``."""
    return deletion(symbols, function_labels(symbols))


def function_labels(symbols: Symbols) -> list[int]:
    """The ids of the function words of an alphabet.

    >>> function_labels(Symbols("The cat sat on the mat".split()))
    [5, 8, 9]
    """
    listed = function_words()
    return [label for label in symbols.labels if symbols.word(label).lower() in listed]


@cache
def function_words() -> frozenset[str]:
    """English function words, in lower case."""
    return frozenset(
        word for _, words in bundled_rows("function_words.tsv") for word in words.split()
    )
