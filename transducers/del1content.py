"""DEL1CONTENT: the sentence, and each sentence with one of its content words deleted.

A content word has a letter or a digit and is no function word of the English list that
``del1function`` reads. m + 1 strings for m distinct content words among other words.

Source: after Smith & Eisner (2005a), §4: DEL1WORD restricted to open-class words.
To try: ``fstce neighborhood show del1content "the cat sat on the mat ."``
"""

from __future__ import annotations

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.transducers.del1function import function_labels
from fstce.transducers.del1word import deletion


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, delete at most one content word, copy: ``?:?* (c:ε)? ?:?*``."""
    return deletion(symbols, content_labels(symbols))


def content_labels(symbols: Symbols) -> list[int]:
    """The ids of the content words of an alphabet: no function words, no punctuation.

    >>> content_labels(Symbols("The cat sat on it , 2 times .".split()))
    [6, 7, 11, 12]
    """
    function = set(function_labels(symbols))
    words = (label for label in symbols.labels if label not in function)
    return [label for label in words if any(map(str.isalnum, symbols.word(label)))]
