"""SUB1SUFFIX: the sentence, and each sentence with one word replaced by another with its suffix.

The other word is one of the same sentence, whose words are all that a builder sees; morphology
proper needs a vocabulary. Both words have more than three characters and the same last two, in
any case: ``talking`` and ``Thing``, not ``his`` and ``is``. A word has as many substitutes as
there are other words with its suffix: often none, and the sentence is alone.

Source: after Smith & Eisner (2005a), §4: one word changed, as in DEL1WORD, and its ending kept.
To try: ``fstce neighborhood show sub1suffix "they were talking and nothing was moving"``
"""

from __future__ import annotations

from collections import defaultdict

from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols


def build(symbols: Symbols) -> pynini.Fst:
    """Copy, replace at most one word v by a word w with its suffix, copy: ``?:?* (v:w)? ?:?*``."""
    copy = pynini.closure(symbols.any())
    groups = [symbols.union(labels) for labels in suffix_groups(symbols)]
    substitution = pynini.union(pynini.Fst(), *(pynini.cross(group, group) for group in groups))
    return copy + pynini.closure(substitution, 0, 1) + copy


def suffix_groups(symbols: Symbols) -> list[list[int]]:
    """The ids of the words that share their last two characters, in groups of two and more.

    >>> suffix_groups(Symbols("they were talking and nothing was here".split()))
    [[6, 11], [7, 9]]
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for label in symbols.labels:
        word = symbols.word(label).lower()
        if len(word) > 3:
            groups[word[-2:]].append(label)
    return [labels for labels in groups.values() if len(labels) > 1]
