"""Words under tags by naive counts."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from parsed_cases import CASED, CASED_COUNTS, TAGS

from fstce.corpora.signatures import signature
from fstce.correction.parsed.emissions import Emissions
from fstce.errors import CorpusError


def naive(word: str, tag: str, first: bool) -> float | None:
    """p(word | tag) by its definition; None where the word cannot have the tag."""
    pairs = Counter(zip(itertools.chain(*CASED), itertools.chain(*TAGS), strict=True))
    rare = Counter(
        (signature(w, i == 0, CASED_COUNTS.__contains__), t)
        for words, tags in zip(CASED, TAGS, strict=True)
        for i, (w, t) in enumerate(zip(words, tags, strict=True))
        if CASED_COUNTS[w] == 1
    )
    of_tag = sum(n for (_, t), n in pairs.items() if t == tag)
    rare_of_tag = sum(n for (_, t), n in rare.items() if t == tag)
    unknown = rare_of_tag / (of_tag + 1)
    if word in CASED_COUNTS:
        return (1 - unknown) * pairs[word, tag] / of_tag if pairs[word, tag] else None
    name = signature(word, first, CASED_COUNTS.__contains__)
    signatures = {s for s, _ in rare}
    if (name in signatures and not rare[name, tag]) or not rare_of_tag:
        return None
    return unknown * (rare[name, tag] + 0.5) / (rare_of_tag + 0.5 * (len(signatures) + 1))


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("word", [*CASED_COUNTS, "wug", "Wug", "7", "rans"])
def test_emissions_are_those_of_naive_counts(word: str, first: bool) -> None:
    emissions = Emissions(CASED, TAGS)
    found = {emissions.tags[t]: p for t, p in zip(*emissions(word, first), strict=True)}
    expected = {tag: naive(word, tag, first) for tag in "DNV"}
    assert found == pytest.approx({tag: math.log(p) for tag, p in expected.items() if p is not None})


def test_the_words_of_a_tag_sum_to_one() -> None:
    """Known words, what each signature has, and the rest for one that was never seen."""
    emissions = Emissions(CASED, TAGS)
    assert emissions.tags == ("D", "N", "V")
    rare = [(w, i == 0) for row in CASED for i, w in enumerate(row) if CASED_COUNTS[w] == 1]
    names = {signature(*item, CASED_COUNTS.__contains__) for item in rare}
    assert len(names) > 2
    for number, tag in enumerate(emissions.tags):
        known = sum(
            math.exp(dict(zip(*emissions(w), strict=True)).get(number, -math.inf)) for w in CASED_COUNTS
        )
        unknown = 0.0
        of_tag = [
            w for (w, t) in zip(itertools.chain(*CASED), itertools.chain(*TAGS), strict=True) if t == tag
        ]
        seldom = [w for w in of_tag if CASED_COUNTS[w] == 1]
        for name in [*names, "never"]:
            row = dict(zip(*emissions._of_signature(name), strict=True))
            floor = len(seldom) / (len(of_tag) + 1) * 0.5 / (len(seldom) + 0.5 * (len(names) + 1))
            unknown += math.exp(row[number]) if number in row else floor
        assert known + unknown == pytest.approx(1.0)


def test_where_no_word_is_rare_all_are() -> None:
    emissions = Emissions([["a", "b"]] * 2, [["A", "B"]] * 2)
    tag, log_p = emissions("c")
    assert [emissions.tags[t] for t in tag] == ["A", "B"]
    assert np.all(np.isfinite(log_p)) and np.all(np.isfinite(emissions("a")[1]))


def test_the_counts_are_all_that_they_depend_on() -> None:
    emissions = Emissions(CASED, TAGS)
    again = Emissions.of_counts(emissions.pairs, emissions.rare_pairs)
    assert list(again.counts.items()) == list(CASED_COUNTS.items()) == list(emissions.counts.items())
    assert again.tags == emissions.tags and again.log_prior.tobytes() == emissions.log_prior.tobytes()
    for word, first in itertools.product([*CASED_COUNTS, "wug", "Wug", "7"], [False, True]):
        for left, right in zip(again(word, first), emissions(word, first), strict=True):
            assert left.tobytes() == right.tobytes()


@pytest.mark.parametrize("rare_pairs", [{}, {("UNK-LC", "N"): 9}])
def test_counts_of_no_text_are_refused(rare_pairs: dict[tuple[str, str], int]) -> None:
    with pytest.raises(CorpusError, match="rare"):
        Emissions.of_counts({("dogs", "N"): 3}, rare_pairs)
