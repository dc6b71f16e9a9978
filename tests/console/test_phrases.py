"""Phrase-structure trees on the way out: pictures as one, words as treebanks spell them."""

from __future__ import annotations

from fstce.console.applying import stacked
from fstce.console.phrases import spelt
from fstce.corpora.links import tree_svg


def test_pictures_are_stacked_as_one() -> None:
    picture = tree_svg(["Dogs", "bark"], [2, 0])
    assert stacked([picture]) == picture
    assert stacked([picture, picture]).count("<svg ") == 3


def test_words_are_spelt_as_in_treebanks() -> None:
    assert spelt(("see", "(", "1(a", ")")) == ["see", "-LRB-", "1-LRB-a", "-RRB-"]
