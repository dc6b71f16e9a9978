"""Parsed readings against every (sentence, tags, tree) triple of tiny sentences, one by one."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import log_sum
from oracles_trees import Heads, projective_trees, tree_features

from fstce.chart import DependencyModel
from fstce.correction.candidates import Candidates
from fstce.correction.channel import Channel
from fstce.correction.parsed import ParsedCorrector
from fstce.correction.parsed_readings import (
    COLUMNS,
    LEAST,
    Grammar,
    ParsedReadings,
    columns_of,
    learned,
    read_parsed,
    strongest,
)
from fstce.correction.parsed_tags import Emissions, pairs_of
from fstce.correction.spelled import SpellingModel
from fstce.correction.spelling import Spell
from fstce.correction.tuning import PRIOR

TEXT = [row.split() for row in ("the dogs run", "dogs run the ran", "the dog runs", "run", "a wug-2 ran")]
TAGS = [row.split() for row in ("D N V", "V N D V", "D N V", "N", "D N V")]
COUNTS = Counter(itertools.chain(*TEXT))
EMISSIONS, SPELLING = Emissions(TEXT, TAGS), SpellingModel(COUNTS)
CHANNEL = Channel(0.7, 1.3, 0.9, 0.4)
MODEL = DependencyModel(["V", "N", "D"])  # in another order than the emissions have
THETA = np.random.default_rng(3).normal(size=MODEL.size)
FIRST = np.array([0.8, 0.6, 0.5, 1.0, 0.4, 2.0, 0.2])

SENTENCES = st.lists(
    st.lists(st.sampled_from(["the", "dgos", "rnu", "Dog", "wug"]), min_size=1, max_size=3),
    min_size=1,
    max_size=2,
)
EXPONENTS = st.lists(st.floats(0, 2), min_size=len(COLUMNS), max_size=len(COLUMNS)).map(np.array)
SOME = settings(deadline=None, max_examples=20)


class Triple(NamedTuple):
    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: Heads


class Brute:
    """All triples of one sentence and their columns."""

    def __init__(self, typed: Sequence[str], theta: np.ndarray = THETA) -> None:
        candidates = Candidates(COUNTS, damerau=True, channel=CHANNEL)
        weights = dict(zip(MODEL.names, theta.tolist(), strict=True))
        self.columns: dict[Triple, np.ndarray] = {}
        for chosen in itertools.product(*(candidates.of([word])[word] for word in typed)):
            words = tuple(word for word, _, _ in chosen)
            rows = [dict(zip(*EMISSIONS(word, i == 0), strict=True)) for i, word in enumerate(words)]
            edited = [own for own, word in zip(typed, words, strict=True) if own != word]
            unknown = [word for word in words if word not in COUNTS]
            for numbers in itertools.product(*rows):
                tags = tuple(EMISSIONS.tags[t] for t in numbers)
                for heads in projective_trees(len(words)):
                    self.columns[Triple(words, tags, heads)] = np.array(
                        [
                            sum(weights[name] * n for name, n in tree_features(tags, heads).items()),
                            sum(row[t] for row, t in zip(rows, numbers, strict=True)),
                            -sum(cost for _, cost, _ in chosen),
                            -len(edited),
                            -sum(math.log1p(len(word)) for word in edited),
                            -len(unknown),
                            sum(SPELLING(unknown)),
                        ]
                    )

    def score(self, exponents: np.ndarray) -> dict[Triple, float]:
        return {triple: float(exponents @ row) for triple, row in self.columns.items()}

    def log_z(self, exponents: np.ndarray) -> float:
        return log_sum(self.score(exponents).values())

    def probability(self, exponents: np.ndarray) -> dict[Triple, float]:
        score, log_z = self.score(exponents), self.log_z(exponents)
        return {triple: math.exp(value - log_z) for triple, value in score.items()}

    def expected(self, exponents: np.ndarray) -> np.ndarray:
        return np.sum([p * self.columns[t] for t, p in self.probability(exponents).items()], axis=0)

    def log_p(self, words: Sequence[str], exponents: np.ndarray) -> float:
        """log of the sum over the taggings and trees of one sentence."""
        return log_sum(v for t, v in self.score(exponents).items() if t.words == tuple(words))


def spelt() -> Spell:
    return Spell(Candidates(COUNTS, damerau=True, channel=CHANNEL))


def readings_of(
    sentences: Sequence[Sequence[str]],
    meant: Sequence[Sequence[str]] | None = None,
    theta: np.ndarray = THETA,
) -> tuple[ParsedReadings, list[str]]:
    """Charts of all candidates, or of the meant words alone; and the spellings by number."""
    spell = spelt()
    pairs = pairs_of(sentences, spell, EMISSIONS)
    spellings = spell.candidates.spellings
    if meant is not None:
        wanted = list(itertools.chain(*meant))
        place, spelling = pairs.place.tolist(), pairs.spelling.tolist()
        own = [spellings[s] == wanted[p] for p, s in zip(place, spelling, strict=True)]
        pairs = pairs.only(np.array(own))
    columns = columns_of(pairs, list(itertools.chain(*sentences)), spellings, EMISSIONS, SPELLING)
    return read_parsed(pairs, columns, Grammar(MODEL, theta), EMISSIONS.tags), spellings


@SOME
@given(SENTENCES, EXPONENTS)
def test_sums_posteriors_and_expectations(sentences: list[list[str]], exponents: np.ndarray) -> None:
    readings, spellings = readings_of(sentences)
    brute = [Brute(row) for row in sentences]
    assert readings.log_z(exponents) == pytest.approx([twin.log_z(exponents) for twin in brute])
    total, expected = readings.expected(exponents)
    assert total == pytest.approx(sum(twin.log_z(exponents) for twin in brute))
    assert expected == pytest.approx(np.sum([twin.expected(exponents) for twin in brute], axis=0), abs=1e-9)
    mass: dict[tuple[int, str, str], float] = defaultdict(float)
    for begin, twin in zip(readings.pairs.sentence.tolist(), brute, strict=False):
        for (words, tags, _), p in twin.probability(exponents).items():
            for i, (word, tag) in enumerate(zip(words, tags, strict=True)):
                mass[begin + i, word, tag] += p
    columns = (readings.pairs.place, readings.pairs.spelling, readings.pairs.tag, readings.mass(exponents))
    found = {
        (place, spellings[s], EMISSIONS.tags[t]): p
        for place, s, t, p in zip(*(column.tolist() for column in columns), strict=True)
    }
    assert found == pytest.approx(dict(mass), abs=1e-12)


@SOME
@given(SENTENCES, EXPONENTS)
def test_the_best_triple(sentences: list[list[str]], exponents: np.ndarray) -> None:
    readings, spellings = readings_of(sentences)
    for row, (pairs, heads) in zip(sentences, readings.best(exponents), strict=True):
        words = tuple(spellings[i] for i in readings.pairs.spelling[pairs].tolist())
        tags = tuple(EMISSIONS.tags[t] for t in readings.pairs.tag[pairs].tolist())
        score = Brute(row).score(exponents)
        assert score[Triple(words, tags, heads)] == pytest.approx(max(score.values()))


def test_equal_sentences_have_charts_of_their_own() -> None:
    readings, _ = readings_of([["dgos", "rnu"]] * 3)
    assert readings.batch.n_distinct == 3
    log_z = readings.log_z(FIRST)
    assert log_z == pytest.approx([Brute(["dgos", "rnu"]).log_z(FIRST)] * 3)


def test_impossible_features_leave_the_other_trees() -> None:
    """A tree that θ forbids weighs nothing; without the model's exponent it is forgiven."""
    theta = THETA.copy()
    theta[MODEL.kid(1, 2, 0)] = -np.inf
    readings, _ = readings_of([["the", "dgos"]], theta=theta)
    clamped = np.maximum(theta, LEAST)
    assert readings.log_z(FIRST) == pytest.approx(Brute(["the", "dgos"], clamped).log_z(FIRST))
    without = np.array([0.0, *FIRST[1:]])
    assert readings.log_z(without) == pytest.approx(Brute(["the", "dgos"]).log_z(without))


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


TYPED = [["dgos", "rnu"], ["the", "dgo"], ["ran"]]
TRUE = [["dogs", "run"], ["the", "dog"], ["ran"]]


def likelihood(exponents: np.ndarray) -> float:
    """Σ log p(true | typed) by brute force."""
    twins = [Brute(row) for row in TYPED]
    return sum(
        twin.log_p(row, exponents) - twin.log_z(exponents) for twin, row in zip(twins, TRUE, strict=True)
    )


def test_the_exponents_make_the_true_sentences_more_probable() -> None:
    whole, true = readings_of(TYPED)[0], readings_of(TYPED, TRUE)[0]
    found, before, after = learned([whole], [true], FIRST)
    assert before == pytest.approx(likelihood(FIRST))
    assert after == pytest.approx(likelihood(found))
    assert after > before and found.min() >= 0.0

    def loss(exponents: np.ndarray) -> float:
        return PRIOR * float(np.sum((exponents - FIRST) ** 2)) - likelihood(exponents)

    for i in range(len(COLUMNS)):
        for step in (0.05, -0.05):
            other = found.copy()
            other[i] = max(other[i] + step, 0.0)
            assert loss(other) > loss(found) - 1e-4


def test_the_gradient_is_that_of_finite_differences() -> None:
    readings, _ = readings_of(TYPED)
    _, gradient = readings.expected(FIRST)
    for i in range(len(COLUMNS)):
        step = np.zeros(len(COLUMNS))
        step[i] = 1e-5
        slope = (readings.log_z(FIRST + step) - readings.log_z(FIRST - step)).sum() / 2e-5
        assert gradient[i] == pytest.approx(slope, abs=1e-6)


@SOME
@given(SENTENCES, EXPONENTS, st.sampled_from([1, 3, 100]))
def test_the_greatest_sums(sentences: list[list[str]], exponents: np.ndarray, n: int) -> None:
    readings, spellings = readings_of(sentences)
    choices = readings.choices(exponents)
    begin = readings.pairs.sentence.tolist()
    for row, a, (chosen, sure) in zip(
        sentences, begin, readings.best_sums(exponents, choices, n), strict=False
    ):
        twin, sums, marginal = Brute(row), defaultdict(float), defaultdict(float)
        for (words, _, _), p in twin.probability(exponents).items():
            sums[words] += p
            for i, word in enumerate(words):
                marginal[i, word] += p
        assert choices.place[chosen].tolist() == list(range(a, a + len(row)))
        words = tuple(spellings[i] for i in choices.spelling[chosen].tolist())
        asked = sorted(sums, key=lambda ws: -math.prod(marginal[i, w] for i, w in enumerate(ws)))[:n]
        if len(sums) <= n:
            assert sure
        if sure:
            assert sums[words] == pytest.approx(max(sums.values()))
        assert sums[words] >= max(sums[ws] for ws in asked[:1]) - 1e-9
        rest = 1 - sum(sums[ws] for ws in asked)
        if abs(max(sums[ws] for ws in asked) - rest) > 1e-6:
            assert sure == (sums[words] > rest)
        for i, word in enumerate(words):
            assert choices.mass[chosen[i]] == pytest.approx(marginal[i, word])


def test_a_greatest_sum_among_too_few_is_not_called_certain() -> None:
    """Without any factor all triples are equally probable, and no sentence has half of them."""
    readings, _ = readings_of([["dgos", "rnu"]])
    nothing = np.zeros(len(COLUMNS))
    choices = readings.choices(nothing)
    assert [sure for _, sure in readings.best_sums(nothing, choices, 1)] == [False]
    assert [sure for _, sure in readings.best_sums(nothing, choices, 100)] == [True]


def test_choices_are_the_words_of_each_place_the_most_probable_first() -> None:
    readings, spellings = readings_of([["dgos", "rnu"], ["the"]])
    choices = readings.choices(FIRST)
    assert choices.place.tolist() == sorted(choices.place.tolist())
    assert choices.place[choices.first].tolist() == [0, 1, 2]
    for place in range(3):
        mass = choices.mass[choices.place == place]
        assert np.all(np.diff(mass) <= 0) and mass.sum() == pytest.approx(1.0)
    assert np.array_equal(choices.place[choices.of_pair], readings.pairs.place)
    assert np.array_equal(choices.spelling[choices.of_pair], readings.pairs.spelling)
    assert {spellings[i] for i in choices.spelling[choices.place == 0].tolist()} == {"dgos", "dogs"}


# --- The corrector against the same triples ---------------------------------------------------------------

EXPONENTS_BY_NAME = dict(zip(COLUMNS, FIRST.tolist(), strict=True))
OBSERVED = [["the", "dgos", "rnu"], ["wug"], ["dgo", "runs"], ["the", "ran"]]


@pytest.fixture(scope="module")
def corrector() -> ParsedCorrector:
    return ParsedCorrector(channel=CHANNEL, exponents=EXPONENTS_BY_NAME).fit(TEXT, TAGS)


@pytest.fixture(scope="module")
def twins(corrector: ParsedCorrector) -> list[Brute]:
    weights = corrector.parser_.weights()
    theta = np.array([weights[name] for name in MODEL.names])
    return [Brute(row, theta) for row in OBSERVED]


def posteriors(twin: Brute) -> list[dict[str, float]]:
    """The probability of each word at each place."""
    found: list[dict[str, float]] = []
    for (words, _, _), p in twin.probability(FIRST).items():
        found = found or [defaultdict(float) for _ in words]
        for row, word in zip(found, words, strict=True):
            row[word] += p
    return found


def test_alternatives_are_the_posteriors_of_all_triples(
    corrector: ParsedCorrector, twins: list[Brute]
) -> None:
    for found, twin in zip(corrector.correct(OBSERVED, alternatives=100), twins, strict=True):
        expected = posteriors(twin)
        assert [dict(row) for row in found.alternatives] == [pytest.approx(row) for row in expected]
        assert [row[0][0] for row in found.alternatives] == [
            max(row, key=lambda w: row[w]) for row in expected
        ]
        assert found.words == tuple(max(row, key=lambda w: row[w]) for row in expected)
        assert found.decoder == "words"
        for change in found.changes:
            assert change.end == change.start + 1 and change.typed == (found.typed[change.start],)
            assert change.probability == pytest.approx(expected[change.start][change.words[0]])
    assert any(found.changes for found in corrector.correct(OBSERVED))


@pytest.mark.parametrize("decoder", ["best", "sum"])
def test_the_best_triple_and_the_greatest_sum(
    corrector: ParsedCorrector, twins: list[Brute], decoder: str
) -> None:
    other = ParsedCorrector(**{**corrector.get_params(), "decoder": decoder}).fit(TEXT, TAGS)
    for found, twin in zip(other.correct(OBSERVED), twins, strict=True):
        score = twin.score(FIRST)
        if decoder == "best":
            assert found.words == max(score, key=lambda triple: score[triple]).words
        else:
            sums: dict[tuple[str, ...], float] = defaultdict(float)
            for triple, p in twin.probability(FIRST).items():
                sums[triple.words] += p
            assert found.words == max(sums, key=lambda words: sums[words])
        assert found.decoder == decoder


def test_the_best_parse_has_the_best_score(corrector: ParsedCorrector, twins: list[Brute]) -> None:
    for (words, tags, heads), twin in zip(corrector.parse(OBSERVED), twins, strict=True):
        score = twin.score(FIRST)
        best = max(score, key=lambda triple: score[triple])
        assert (tuple(words), tuple(tags), heads) == best
