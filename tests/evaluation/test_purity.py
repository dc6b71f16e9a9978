"""Class purity and tags at the edges of phrases, by hand and against counting span by span."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.errors import CorpusError
from fstce.evaluation.purity import END, NO_CATEGORY, START, class_profiles, edge_tags, purity

TAGS = [["DT", "NN", "VBD", "IN", "DT", "NN"], ["PRP", "VBD"]]
GOLD = [
    [("S", 0, 6), ("NP", 0, 2), ("VP", 2, 6), ("PP", 3, 6), ("NP", 4, 6)],
    [("S", 0, 2), ("NP", 0, 1), ("S", 1, 2), ("VP", 1, 2)],
]
INDUCED = [[("C1", 0, 2), ("C1", 4, 6), ("C1", 2, 4), ("C2", 3, 6)], [("C2", 1, 2)]]

Row = list[tuple[str, int, int]]


@st.composite
def rows(draw: st.DrawFn) -> tuple[Row, list[str], Row]:
    """Induced spans of three classes, tags, and gold spans of one sentence."""
    tags = draw(st.lists(st.sampled_from("DNV"), min_size=1, max_size=6))
    place = st.integers(0, len(tags) - 1)

    def span(labels: str) -> st.SearchStrategy[tuple[str, int, int]]:
        return st.tuples(st.sampled_from(labels), place, place).map(
            lambda s: (s[0], min(s[1:]), max(s[1:]) + 1)
        )

    return draw(st.lists(span("abc"), max_size=5)), tags, draw(st.lists(span("XY"), max_size=5))


def test_profiles_by_hand() -> None:
    profiles = class_profiles(INDUCED, TAGS, GOLD)
    assert list(profiles) == ["C1", "C2"]
    first, second = profiles.values()
    # C1: DT NN, NP; DT NN, NP; VBD IN, no constituent.
    assert (first.n, first.sequence, first.category) == (3, ("DT", "NN"), "NP")
    assert first.sequence_share == first.category_share == first.constituent_share == pytest.approx(200 / 3)
    assert first.categories[NO_CATEGORY] == 1
    # C2: IN DT NN, PP; VBD, VP below S: the lowest counts. Of equals the first in the alphabet.
    assert second.categories == {"PP": 1, "VP": 1}
    assert (second.sequence, second.category, second.constituent_share) == (("IN", "DT", "NN"), "PP", 100)


def test_purity_by_hand() -> None:
    # Largest parts: C1 2 of 3, C2 1 of 2, by sequence as by category; 4 of 5 are constituents.
    found = purity(class_profiles(INDUCED, TAGS, GOLD).values())
    assert (found.sequences, found.categories, found.constituents) == pytest.approx((60, 60, 80))
    assert (found.n_occurrences, found.n_classes) == (5, 2)


def test_edges_by_hand() -> None:
    found = edge_tags(GOLD, TAGS)
    assert list(found) == ["NP", "VP", "PP"]
    assert found["NP"].left == {START: 2, "IN": 1}
    assert found["NP"].start == {"DT": 2, "PRP": 1}
    assert found["NP"].end == {"NN": 2, "PRP": 1}
    assert found["NP"].right == {"VBD": 2, END: 1}
    assert found["PP"] == ({"VBD": 1}, {"IN": 1}, {"NN": 1}, {END: 1})


@given(st.lists(rows(), min_size=1, max_size=5))
def test_profiles_are_those_of_counting(sentences: list[tuple[Row, list[str], Row]]) -> None:
    induced, tags, gold = (list(column) for column in zip(*sentences, strict=True))
    sequences, categories = Counter[object](), Counter[object]()
    for spans, row, right in sentences:
        for label, start, end in spans:
            around = [name for name, a, b in right if (a, b) == (start, end)]
            sequences[label, tuple(row[start:end])] += 1
            categories[label, around[-1] if around else NO_CATEGORY] += 1
    profiles = class_profiles(induced, tags, gold)
    assert {(c, s): n for c, row in profiles.items() for s, n in row.sequences.items()} == sequences
    assert {(c, s): n for c, row in profiles.items() for s, n in row.categories.items()} == categories
    assert all(row.n == row.sequences.total() == row.categories.total() for row in profiles.values())


@given(st.lists(rows(), min_size=1, max_size=5))
def test_edges_are_those_of_counting(sentences: list[tuple[Row, list[str], Row]]) -> None:
    _, tags, gold = (list(column) for column in zip(*sentences, strict=True))
    found = edge_tags(gold, tags, ["X"])["X"]
    phrases = [
        (row, a, b) for row, spans in zip(tags, gold, strict=True) for label, a, b in spans if label == "X"
    ]
    assert found.left == Counter(row[a - 1] if a else START for row, a, _ in phrases)
    assert found.start == Counter(row[a] for row, a, _ in phrases)
    assert found.end == Counter(row[b - 1] for row, _, b in phrases)
    assert found.right == Counter(row[b] if b < len(row) else END for row, _, b in phrases)


def test_nothing_induced_is_nan() -> None:
    found = purity(class_profiles([[]], [["NN"]], [[]]).values())
    assert found.n_classes == 0
    assert found.sequences != found.sequences


def test_what_does_not_fit_is_an_error() -> None:
    with pytest.raises(CorpusError, match="1 sentences of tags but 2 of induced spans"):
        class_profiles([[], []], [["NN"]], [[]])
    with pytest.raises(CorpusError, match=r"sentence 1: the span \(0, 3\) of C1 is not within its 2 words"):
        class_profiles([[("C1", 0, 3)]], [["DT", "NN"]], [[]])
    with pytest.raises(CorpusError, match="sentence 1"):
        edge_tags([[("NP", 1, 1)]], [["DT", "NN"]])
