"""Phrase-structure trees on the way out: words as treebanks spell them."""

from __future__ import annotations

from fstce.console.phrases import spelt


def test_words_are_spelt_as_in_treebanks() -> None:
    assert spelt(("see", "(", "1(a", ")")) == ["see", "-LRB-", "1-LRB-a", "-RRB-"]
