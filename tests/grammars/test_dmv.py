"""The dependency model: numbers, names and groups of features; starts against their recipes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from oracles_trees import projective_trees, tree_features

from fstce.errors import CorpusError, ParameterError
from fstce.grammars.dmv import (
    ADJACENT,
    GO,
    LEFT,
    NOT_ADJACENT,
    RIGHT,
    STOP,
    DependencyModel,
)

MODEL = DependencyModel(["DT", "NN", "VB"])
SENTENCES = [["DT", "NN", "VB"], ["NN", "VB", "DT", "NN"], ["VB"], ["VB", "NN"], ["NN", "NN", "NN"]]
tag_sequences = st.lists(
    st.lists(st.sampled_from(MODEL.tags), min_size=1, max_size=5), min_size=1, max_size=4
)


@pytest.mark.parametrize(("tags", "size"), [(1, 11), (34, 2618), (37, 3071)])
def test_number_of_features(tags: int, size: int) -> None:
    model = DependencyModel(str(i) for i in range(tags))
    assert model.size == size == len(model.names) == len(set(model.names)) == len(model.group)


def test_numbers_agree_with_names() -> None:
    number = {name: i for i, name in enumerate(MODEL.names)}
    sides = {LEFT: "left", RIGHT: "right"}
    for t, tag in enumerate(MODEL.tags):
        assert MODEL.root(t) == number["root", tag]
        for side, name in sides.items():
            for c, child in enumerate(MODEL.tags):
                assert MODEL.child(t, c, side) == number["child", tag, child, name]
            for valence, called in ((ADJACENT, "adj"), (NOT_ADJACENT, "non")):
                assert MODEL.stop(t, side, valence) == number["stop", tag, name, called, "stop"]
                assert MODEL.stop(t, side, valence, GO) == number["stop", tag, name, called, "go"]


def test_groups_are_the_distributions_of_the_model() -> None:
    def distribution(name: tuple[str, ...]) -> tuple[str, ...]:
        return {"root": name[:1], "child": (*name[:2], *name[3:]), "stop": name[:-1]}[name[0]]

    by_group = {
        (group, distribution(name)) for group, name in zip(MODEL.group, MODEL.names, strict=True)
    }
    assert (
        len(by_group)
        == len({group for group, _ in by_group})
        == len({name for _, name in by_group})
    )
    assert_array_equal(np.unique(MODEL.group), np.arange(1 + 6 * MODEL.n_tags))


def test_uniform() -> None:
    probability = np.exp(MODEL.log_probabilities(np.zeros(MODEL.size)))
    assert_allclose(np.bincount(MODEL.group, probability), 1.0)
    assert set(probability.round(12)) == {round(1 / 3, 12), 0.5}


def test_log_probabilities_of_zero_counts() -> None:
    counts = np.zeros(MODEL.size)
    counts[MODEL.root(1)] = 4.0
    log_probability = MODEL.log_probabilities(counts)
    assert_array_equal(log_probability[:3], [-np.inf, 0.0, -np.inf])
    assert_allclose(log_probability[3:], MODEL.log_probabilities(np.zeros(MODEL.size))[3:])


@given(st.integers(1, 4), st.data())
def test_tree_counts(n: int, data: st.DataObject) -> None:
    tags = data.draw(st.lists(st.sampled_from(MODEL.tags), min_size=n, max_size=n))
    heads = data.draw(st.sampled_from(projective_trees(n)))
    counts = MODEL.tree_counts(tags, heads)
    expected = tree_features(tags, heads)
    assert {MODEL.names[i]: counts[i] for i in np.flatnonzero(counts)} == expected


def harmonic(sentences: list[list[str]], smoothing: float) -> dict[tuple[str, ...], float]:
    """Noah Smith's recipe word for word: the counts, before they are normalized."""
    counts, e = Counter(dict.fromkeys(MODEL.names, 0.0)), Counter[tuple[str, ...]]()
    for x in sentences:
        n = len(x)
        for tag in x:
            counts["root", tag] += 1 / n
        for i, head in enumerate(x):
            for side in ("left", "right"):
                c = 0.0
                for j, child in enumerate(x):
                    if (j < i and side == "left") or (j > i and side == "right"):
                        z = sum(1 / abs(k - j) for k in range(n) if k != j)
                        u = (n - 1) / n / z / abs(i - j)
                        counts["child", head, child, side] += u
                        c += u
                counts["stop", head, side, "adj", "stop"] += 1
                if c > 0:
                    counts["stop", head, side, "non", "go"] += c
                    e["stop", head, side, "adj", "go"] += 1
                    e["stop", head, side, "non", "go"] -= 1
                    e["stop", head, side, "adj", "stop"] -= 1
                    e["stop", head, side, "non", "stop"] += 1
    smoothed = {name: count + smoothing for name, count in counts.items()}
    whole = min([1.0, *(-smoothed[name] / change for name, change in e.items() if change < 0)])
    return {name: count + 0.9 * whole * e[name] for name, count in smoothed.items()}


@given(tag_sequences, st.sampled_from([0.0, 0.1, 1.0]))
def test_klein_manning_follows_the_recipe(sentences: list[list[str]], smoothing: float) -> None:
    counts = harmonic(sentences, smoothing)
    found = MODEL.klein_manning(sentences, smoothing)
    expected = MODEL.log_probabilities(np.array([counts[name] for name in MODEL.names]))
    assert_allclose(np.exp(found), np.exp(expected), atol=1e-12)


def test_klein_manning_by_hand() -> None:
    model = DependencyModel(["N"])
    # Two words: each attaches to the other by 1/2; two heads, each with a child on one side.
    # λ = 0: stop,adj 2, go,non 1/2 and e = ±1 a side; E = min(1, 2/1, 1/2/1) = 1/2, so 0.45 moves.
    probability = np.exp(model.klein_manning([["N", "N"]], smoothing=0.0))
    assert probability[0] == 1.0 and probability[model.child(0, 0, LEFT)] == 1.0
    for side in (LEFT, RIGHT):
        assert probability[model.stop(0, side, ADJACENT, GO)] == pytest.approx(0.45 / 2)
        assert probability[model.stop(0, side, NOT_ADJACENT, STOP)] == pytest.approx(0.45 / 0.5)


def test_klein_manning_prefers_neighbours() -> None:
    log_probability = MODEL.klein_manning([["DT", "NN", "VB"]] * 3)
    near, far = (log_probability[MODEL.child(2, child, LEFT)] for child in (1, 0))
    assert near > far
    assert_allclose(np.bincount(MODEL.group, np.exp(log_probability)), 1.0)


@pytest.mark.parametrize("smoothing", [-0.1, np.inf, np.nan])
def test_smoothing_out_of_range(smoothing: float) -> None:
    with pytest.raises(ParameterError, match="smoothing"):
        MODEL.klein_manning(SENTENCES, smoothing)


@pytest.mark.parametrize("tags", [[], ["N", "N"]])
def test_impossible_tagsets(tags: list[str]) -> None:
    with pytest.raises(ParameterError, match="tagset"):
        DependencyModel(tags)


def test_an_unknown_tag_is_named() -> None:
    with pytest.raises(CorpusError, match="'JJ'"):
        MODEL.numbers(["DT", "JJ"])


def test_stop_is_zero() -> None:
    assert (STOP, GO) == (0, 1) and MODEL.stop(2, RIGHT, NOT_ADJACENT, GO) == MODEL.size - 1
