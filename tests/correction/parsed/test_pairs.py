"""Candidates with their tags by every candidate and each of its tags; the strongest tags by sorting."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles import log_sum
from parsed_cases import CASED, CASED_COUNTS, FIRST, TAGS, readings_of

from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.parsed.emissions import Emissions
from fstce.correction.parsed.pairs import pairs_of, strongest

SENTENCES = st.lists(
    st.lists(st.sampled_from(["The", "the", "dgos", "ran", "rnu", "wug", "Dog"]), min_size=1, max_size=3),
    min_size=1,
    max_size=3,
)
SOME = settings(max_examples=settings.default.max_examples // 4)  # each takes long


@SOME
@given(SENTENCES)
@example([["Dog", "Dog"], ["Dog"]])  # a capital says less where a sentence begins
def test_pairs_are_candidates_with_each_of_their_tags(sentences: list[list[str]]) -> None:
    candidates, emissions = Candidates(CASED_COUNTS, damerau=True), Emissions(CASED, TAGS)
    pairs = pairs_of(sentences, Spell(candidates), emissions)
    expected, place = [], 0
    for row in sentences:
        for i, word in enumerate(row):
            for other, cost, _ in candidates.of([word])[word]:
                for tag, log_p in zip(*emissions(other, i == 0), strict=True):
                    expected.append((place, other, int(tag), float(log_p), cost, other == word))
            place += 1
    assert pairs.sentence.tolist() == [0, *itertools.accumulate(map(len, sentences))]
    names = [candidates.spellings[i] for i in pairs.spelling.tolist()]
    columns = (pairs.place, names, pairs.tag, pairs.log_p, pairs.cost, pairs.typed)
    found = list(zip(*(list(column) for column in columns), strict=True))
    assert [(row[0], row[2]) for row in found] == sorted((row[0], row[2]) for row in expected)
    assert sorted(found) == sorted(expected)


def test_the_strongest_tags_are_kept_with_that_of_the_typed_word() -> None:
    sentences = [["dgos", "the"], ["rnu", "ran", "wug"]]
    readings, _ = readings_of(sentences)
    pairs = readings.pairs
    prior = np.array([-1.0, -0.5, -2.0])
    score = FIRST[1:] @ readings.columns
    for most in (1, 2, 3):
        kept = strongest(pairs, score, prior, most)
        expected = np.zeros(len(score), dtype=bool)
        for place in np.unique(pairs.place):
            here = pairs.place == place
            tags = np.unique(pairs.tag[here]).tolist()
            sums = {t: log_sum(score[here & (pairs.tag == t)]) + prior[t] for t in tags}
            best = sorted(sums, key=lambda t: -sums[t])[:most]
            own = np.flatnonzero(here & pairs.typed)
            best.append(int(pairs.tag[max(own, key=lambda i: score[i] + prior[pairs.tag[i]])]))
            expected |= here & np.isin(pairs.tag, best)
        assert kept.tolist() == expected.tolist()
    assert kept.all()
    alone = strongest(pairs, score, prior, 1)
    always = np.arange(len(score)) == np.flatnonzero(~alone)[0]
    with_it = strongest(pairs, score, prior, 1, always=always)
    arc = (pairs.place == pairs.place[always]) & (pairs.tag == pairs.tag[always])
    assert np.array_equal(with_it, alone | arc)
