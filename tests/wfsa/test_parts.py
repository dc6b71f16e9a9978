"""Weights of pairs of the tags' parts: a bigram weighs their sum, whatever sums over it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from tagging_cases import contrast_of, random_theta, value_and_gradient, weights_of

from fstce.wfsa.features import BOUNDARY
from fstce.wfsa.parts import BOUNDARY_PART, TagParts

SPLIT = {"D": ("closed",), "N": ("open", "nominal"), "V": ("open", "verbal")}
PARTS = TagParts.of([SPLIT[tag] for tag in ("D", "N", "V")])
GOLD = [
    ["D", "N", "V"],
    ["N", "V"],
    ["D", "N", "V"],
    ["V"],
    ["N", "V", "N"],
    ["D", "V"],
    ["N", "V"],
]

parts_of_tags = st.lists(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=4
)


@given(parts_of_tags, st.integers(0, 99))
def test_a_bigram_weighs_the_sum_over_pairs_of_its_parts(tags: list[list[str]], seed: int) -> None:
    parts = TagParts.of(tags)
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=parts.size)
    weight = dict(zip(parts.weight_names(), weights.tolist(), strict=True))
    split = [sorted(set(tag)) for tag in tags] + [[BOUNDARY_PART]]

    table = parts.bigrams(weights)
    for (s, first), (t, second) in product(enumerate(split), repeat=2):
        expected = sum(weight["parts", a, b] for a, b in product(first, second))
        assert table[s, t] == pytest.approx(expected)

    # the gradient is the transpose of that map
    counts = rng.normal(size=table.shape)
    assert parts.gradient(counts) @ weights == pytest.approx(float((counts * table).sum()))


@pytest.mark.parametrize(
    ("kind", "gold"),
    [("length", None), ("trans1", None), ("del1word", GOLD), ("identity", GOLD)],
)
def test_sums_are_those_of_the_bigrams_that_pairs_make(
    kind: str, gold: list[list[str]] | None
) -> None:
    tied = contrast_of(kind, 2, gold=gold, parts=PARTS)
    theta = random_theta(tied.features, seed=3)
    features, bigrams = tied.features.untied(theta)
    plain = contrast_of(kind, 2, gold=gold, features=features)

    value, gradient = value_and_gradient(tied, theta)
    same, of_bigrams = value_and_gradient(plain, bigrams)
    assert value == pytest.approx(same)

    # ∂/∂W(a, b) = Σ over the bigrams ⟨s, t⟩ with a in s and b in t of ∂/∂T(s, t)
    slope = dict(zip(features.names, of_bigrams.tolist(), strict=True))
    split = {**SPLIT, BOUNDARY: (BOUNDARY_PART,)}
    for name, found in zip(tied.features.names, gradient.tolist(), strict=True):
        if name[0] != "parts":
            assert found == pytest.approx(slope[name], abs=1e-9)
            continue
        _, a, b = name
        bigrams_of_pair = (
            number
            for (kind_, *tags), number in slope.items()
            if kind_ == "ngram" and a in split[tags[0]] and b in split[tags[1]]
        )
        assert found == pytest.approx(sum(bigrams_of_pair), abs=1e-9)


def test_pairs_that_no_sentence_has_are_scored_by_their_parts() -> None:
    features = contrast_of("trans1", 2, gold=None, parts=PARTS).features
    theta = random_theta(features)
    weight = weights_of(features, theta)
    untied = dict(zip(features.untied(theta)[0].names, features.untied(theta)[1], strict=True))
    assert_allclose(untied["ngram", "D", "D"], weight["parts", "closed", "closed"])
