"""Bracketing as trees."""

import numpy as np

from fstce.induction.grammar import Bracketing
from fstce.induction.text import Text, Units, packed

SENTENCES = [["a", "b", "c", "d"], [], ["e", "f"]]


def brackets(*made):
    """Bracketing given as sentence, start, end, label in the order of their making."""
    text = Text(packed(SENTENCES, Units.of_text(SENTENCES)), 5)
    offsets = text.starts + 1
    columns = np.array([(offsets[s] + a, offsets[s] + b) for s, a, b, _ in made], np.int32).reshape(
        -1, 2
    )
    labels = sorted({label for *_, label in made})
    which = np.array([labels.index(label) for *_, label in made], np.int32)
    return Bracketing.of_positions(text, columns[:, 0], columns[:, 1], labels, which)


def test_outer_before_inner_and_later_before_earlier():
    made = brackets(
        (2, 0, 2, "C1"), (0, 1, 2, "C1"), (0, 1, 3, "C2"), (0, 1, 3, "C3"), (0, 0, 4, "C4")
    )
    spans = zip(made.sentence.tolist(), made.start.tolist(), made.end.tolist(), strict=True)
    assert list(spans) == [(0, 0, 4), (0, 1, 3), (0, 1, 3), (0, 1, 2), (2, 0, 2)]
    assert [made.label[which] for which in made.which] == ["C4", "C3", "C2", "C1", "C1"]


def test_trees_with_unary_chains_and_sentences_without_words():
    made = brackets((0, 1, 2, "C1"), (0, 1, 3, "C2"), (0, 1, 3, "C3"), (2, 0, 2, "C1"))
    assert list(map(str, made.trees(SENTENCES))) == [
        "(TOP (W a) (C3 (C2 (C1 (W b)) (W c))) (W d))",
        "(TOP)",
        "(TOP (C1 (W e) (W f)))",
    ]


def test_one_bracket_a_span_with_its_first_class_and_longer_ones_alone():
    made = brackets((0, 1, 2, "C1"), (0, 1, 3, "C2"), (0, 1, 3, "C3"), (2, 0, 2, "C1"))
    assert str(made.distinct().trees(SENTENCES)[0]) == "(TOP (W a) (C2 (C1 (W b)) (W c)) (W d))"
    assert str(made.distinct().longer().trees(SENTENCES)[0]) == "(TOP (W a) (C2 (W b) (W c)) (W d))"
    assert len(brackets().distinct()) == len(brackets().longer()) == 0


def test_ten_thousand_levels():
    n = 10_000
    text = Text(packed([["w"] * n], Units(["w"])), 5)
    end = np.arange(2, n + 1, dtype=np.int32) + 1
    nested = Bracketing.of_positions(text, np.ones_like(end), end, ["C1"], np.zeros_like(end))
    (tree,) = nested.trees([["w"] * n])
    assert sum(1 for _ in tree.nodes()) == 1 + (n - 1) + n
