"""Words under tags by naive counts, and SPELL≤k over tags by every candidate and each of its tags."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fstce import DependencyParser
from fstce.chart import DependencyModel
from fstce.correction.candidates import Candidates
from fstce.correction.parsed_tags import Emissions, TaggedSpell, pairs_of
from fstce.correction.spelling import Spell
from fstce.errors import NeighborhoodError
from fstce.latent.signatures import signature
from fstce.machines import Symbols, check_lattice

TEXT = [row.split() for row in ("the dogs run", "dogs run the ran", "The dog runs", "run", "a wug-2 ran")]
TAGS = [row.split() for row in ("D N V", "V N D V", "D N V", "N", "D N V")]
COUNTS = Counter(itertools.chain(*TEXT))
SENTENCES = st.lists(
    st.lists(st.sampled_from(["The", "the", "dgos", "ran", "rnu", "wug", "Dog"]), min_size=1, max_size=3),
    min_size=1,
    max_size=3,
)
SOME = settings(deadline=None, max_examples=30)


def naive(word: str, tag: str, first: bool) -> float | None:
    """p(word | tag) by its definition; None where the word cannot have the tag."""
    pairs = Counter(zip(itertools.chain(*TEXT), itertools.chain(*TAGS), strict=True))
    rare = Counter(
        (signature(w, i == 0, COUNTS.__contains__), t)
        for words, tags in zip(TEXT, TAGS, strict=True)
        for i, (w, t) in enumerate(zip(words, tags, strict=True))
        if COUNTS[w] == 1
    )
    of_tag = sum(n for (_, t), n in pairs.items() if t == tag)
    rare_of_tag = sum(n for (_, t), n in rare.items() if t == tag)
    unknown = rare_of_tag / (of_tag + 1)
    if word in COUNTS:
        return (1 - unknown) * pairs[word, tag] / of_tag if pairs[word, tag] else None
    name = signature(word, first, COUNTS.__contains__)
    signatures = {s for s, _ in rare}
    if (name in signatures and not rare[name, tag]) or not rare_of_tag:
        return None
    return unknown * (rare[name, tag] + 0.5) / (rare_of_tag + 0.5 * (len(signatures) + 1))


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("word", [*COUNTS, "wug", "Wug", "7", "rans"])
def test_emissions_are_those_of_naive_counts(word: str, first: bool) -> None:
    emissions = Emissions(TEXT, TAGS)
    found = {emissions.tags[t]: p for t, p in zip(*emissions(word, first), strict=True)}
    expected = {tag: naive(word, tag, first) for tag in "DNV"}
    assert found == pytest.approx({tag: math.log(p) for tag, p in expected.items() if p is not None})


def test_the_words_of_a_tag_sum_to_one() -> None:
    """Known words, what each signature has, and the rest for one that was never seen."""
    emissions = Emissions(TEXT, TAGS)
    assert emissions.tags == ("D", "N", "V")
    rare = [(w, i == 0) for row in TEXT for i, w in enumerate(row) if COUNTS[w] == 1]
    names = {signature(*item, COUNTS.__contains__) for item in rare}
    assert len(names) > 2
    for number, tag in enumerate(emissions.tags):
        known = sum(math.exp(dict(zip(*emissions(w), strict=True)).get(number, -math.inf)) for w in COUNTS)
        unknown = 0.0
        of_tag = [
            w for (w, t) in zip(itertools.chain(*TEXT), itertools.chain(*TAGS), strict=True) if t == tag
        ]
        seldom = [w for w in of_tag if COUNTS[w] == 1]
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


@SOME
@given(SENTENCES)
@example([["Dog", "Dog"], ["Dog"]])  # a capital says less where a sentence begins
def test_pairs_are_candidates_with_each_of_their_tags(sentences: list[list[str]]) -> None:
    candidates, emissions = Candidates(COUNTS, damerau=True), Emissions(TEXT, TAGS)
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


@pytest.mark.parametrize("exponent", [None, 0.7])
def test_the_neighborhood_is_every_tag_of_every_candidate(exponent: float | None) -> None:
    candidates, emissions = Candidates(COUNTS, damerau=True), Emissions(TEXT, TAGS)
    kind = TaggedSpell(TEXT, Spell(candidates, exponent), emissions)
    symbols = Symbols(["Z", *emissions.tags])
    for words, tags, lattice in zip(TEXT, TAGS, kind.expand(TAGS, symbols), strict=True):
        check_lattice(lattice.to_fst(), "tags")
        weight = {}
        for path in itertools.product(*(candidates.of([w])[w] for w in words)):
            rows = [
                [
                    (emissions.tags[t], p - (exponent or 0) * cost)
                    for t, p in zip(*emissions(w, not i), strict=True)
                ]
                for i, (w, cost, _) in enumerate(path)
            ]
            for found in itertools.product(*rows):
                key = tuple(tag for tag, _ in found)
                weight[key] = weight.get(key, 0.0) + math.exp(sum(p for _, p in found))
        assert set(lattice.strings()) == set(weight)
        assert tuple(tags) in weight
        arrays = lattice.arrays
        for key, total in weight.items():
            labels, cost = symbols.ids(list(key)), 0.0
            for state, label in enumerate(labels):
                (arc,) = np.flatnonzero((arrays.source == state) & (arrays.ilabel == label))
                cost += float(arrays.weight[arc])
            assert cost == pytest.approx(-math.log(total) if exponent is not None else 0.0)


def test_it_trains_a_parser_and_its_gradient_is_right() -> None:
    kind = TaggedSpell(TEXT, Spell(Candidates(COUNTS)), Emissions(TEXT, TAGS))
    parser = DependencyParser(neighborhood=kind, sigma2=1.0).fit(TAGS)
    assert parser.training_.objective > parser.training_.steps[0].objective
    theta = np.random.default_rng(1).normal(size=DependencyModel("DNV").size)
    _, gradient = parser.objective(TAGS, theta)
    for i in range(0, len(theta), 5):
        step = np.zeros(len(theta))
        step[i] = 1e-5
        slope = parser.objective(TAGS, theta + step)[0] - parser.objective(TAGS, theta - step)[0]
        assert gradient[i] == pytest.approx(slope / 2e-5, abs=1e-5)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (TAGS[:2], "2 tag sequences for 5 sentences"),
        ([*TAGS[:-1], ["D", "N"]], r"sentence 5 \(a wug-2 ran\) has other words or tags"),
        ([["V", "N", "V"], *TAGS[1:]], r"sentence 1 \(the dogs run\) has other words or tags"),
    ],
)
def test_other_sentences_than_its_own_are_refused(rows: list[list[str]], message: str) -> None:
    kind = TaggedSpell(TEXT, Spell(Candidates(COUNTS)), Emissions(TEXT, TAGS))
    with pytest.raises(NeighborhoodError, match=message):
        list(kind.expand(rows, Symbols("DNV")))
