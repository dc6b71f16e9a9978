"""Phrase trees as pictures."""

from itertools import combinations
from xml.etree import ElementTree

import pytest

from fstce.corpora import Tree, sample

NASTY = Tree(
    "<S>", (Tree("&", ("猫",)), Tree("VERYLONGCATEGORY", (Tree("x", ("a",)),)), Tree("NP", ("b",)))
)


def texts(tree):
    found = ElementTree.fromstring(tree.svg())
    return [
        (t.text, float(t.get("x")), float(t.get("y")))
        for t in found.iter()
        if t.tag.endswith("}text")
    ]


@pytest.mark.parametrize("tree", [NASTY, *[s.tree for s in sample()[:20] if s.tree is not None]])
def test_every_label_and_word_stands_alone(tree):
    shown = texts(tree)
    assert sorted(text for text, *_ in shown) == sorted(
        [*tree.leaves(), *(n.label for n in tree.nodes())]
    )
    for (a, x1, y1), (b, x2, y2) in combinations(shown, 2):
        assert abs(x1 - x2) >= 3.4 * (len(a) + len(b)) or abs(y1 - y2) > 12, (a, b)


def test_words_are_on_one_line_and_a_phrase_is_above_its_words():
    shown = {text: (x, y) for text, x, y in texts(NASTY)}
    assert shown["猫"][1] == shown["a"][1] == shown["b"][1] > shown["x"][1] > shown["<S>"][1]
    assert shown["猫"][0] < shown["a"][0] < shown["b"][0]


def test_notebooks_show_trees_and_depth_is_no_limit():
    deep = Tree("A", ("a",))
    for _ in range(3_000):
        deep = Tree("B", (deep,))
    assert deep._repr_svg_().count("<text ") == 3_002
