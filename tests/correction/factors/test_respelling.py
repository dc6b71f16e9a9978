"""Split and joined words in the lattice against every way to read a tiny sentence; and decoding them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
import pytest
from correction_cases import EXPONENTS, SOME, log_z, read
from hypothesis import given
from hypothesis import strategies as st
from oracles_correction import KneserNey
from tagging_cases import to_columns, with_end

from fstce.correction.decoding import Correction, corrections
from fstce.correction.factors.candidate_lattices import CandidateLattices
from fstce.correction.factors.columns import COLUMNS, Factors, scored
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.factors.respacing import Respacing
from fstce.correction.factors.respelling import labelled, rewrites_in
from fstce.correction.mistakes.candidates import Candidates
from fstce.correction.mistakes.spelling import Spell
from fstce.correction.reader import nearest_arcs
from fstce.machines import Symbols

TEXT = [
    row.split()
    for row in ("a cat do n't sit", "the cat sat on the mat", "a lot do", "on a mat into it")
]
COUNTS = Counter(word for row in TEXT for word in row)
OBSERVED = st.sampled_from(
    ["a", "alot", "dont", "ont", "he", "th", "e", "ca", "t", "mat", "in", "to", "lot", "te"]
)
SENTENCES = st.lists(OBSERVED, min_size=1, max_size=4)
WEIGHTS = {"ngrams": 1.0, "channel": 0.5, "edited": 4.0, "unknown": 6.0, "spaces": 2.0}
SURE = np.array([WEIGHTS.get(name, 0.0) for name in COLUMNS])
MODEL = NgramModel(TEXT, 2)
RESPACING = Respacing(COUNTS, {}, MODEL.side_by_side)
Filling = tuple[int, tuple[str, ...]]  # how many observed words it stands for, and the words


class Case:
    """The readings of a sentence, and all of them one by one."""

    def __init__(self, words: list[str], exponents: np.ndarray) -> None:
        self.words, self.exponents = words, exponents
        spell = Spell(Candidates(COUNTS), weighted=True)
        rewrites = rewrites_in(RESPACING, [words])
        names = dict.fromkeys(
            [
                *words,
                *spell.introduced(words),
                *(word for rewrite in rewrites for word in rewrite.words),
            ]
        )
        self.symbols = Symbols(names)
        self.factors = Factors(None, MODEL, None, COUNTS.__contains__)
        self.lattices = list(spell.expand([words], self.symbols))
        self.rewrites = labelled(rewrites, self.symbols)
        self.candidates: CandidateLattices = read(
            self.lattices,
            self.factors,
            exponents,
            observed=[words],
            prune=0.0,
            rewrites=self.rewrites,
        )
        self.near = spell.candidates.of(words)
        self.log_p = KneserNey(TEXT, 2).log_p

    def fillings(self, i: int) -> Iterator[tuple[Filling, float]]:
        """What may stand at an observed word, with the score of all but the n-grams and unknown words."""
        weight = dict(zip(COLUMNS, self.exponents.tolist(), strict=True))
        word = self.words[i]
        for other, cost, _ in self.near[word]:
            edited = other != word
            score = -weight["channel"] * cost
            yield (1, (other,)), score - weight["edited"] * edited
        rewrites = [(1, row) for row in RESPACING.apart(word)]
        if i + 1 < len(self.words):
            rewrites += [(2, row) for row in RESPACING.joined(word, self.words[i + 1])]
        for span, words in rewrites:
            has_apostrophe = any("'" in word for word in words)
            yield (span, words), -weight["spaces"] * (0.3 if has_apostrophe else 1.0)

    def paths(self, i: int = 0) -> Iterator[tuple[list[Filling], float]]:
        if i == len(self.words):
            yield [], 0.0
            return
        for filling, score in self.fillings(i):
            for rest, more in self.paths(i + filling[0]):
                yield [filling, *rest], score + more

    def scores(self) -> list[tuple[list[Filling], float]]:
        weight = dict(zip(COLUMNS, self.exponents.tolist(), strict=True))
        found = []
        for path, score in self.paths():
            words = [word for _, row in path for word in row]
            unknown = [i for i, word in enumerate(words) if word not in COUNTS]
            found.append(
                (
                    path,
                    score + weight["ngrams"] * self.log_p(words) - weight["unknown"] * len(unknown),
                )
            )
        return found


@SOME
@given(SENTENCES, EXPONENTS)
def test_sums_are_those_of_all_readings(words: list[str], exponents: np.ndarray) -> None:
    case = Case(words, exponents)
    scores = [score for _, score in case.scores()]
    assert log_z(case.candidates, exponents) == pytest.approx([np.logaddexp.reduce(scores)])


@SOME
@given(SENTENCES, EXPONENTS)
def test_masses_are_those_of_all_readings(words: list[str], exponents: np.ndarray) -> None:
    case = Case(words, exponents)
    rows = case.scores()
    total = np.logaddexp.reduce([score for _, score in rows])
    wanted: dict[tuple[int, str], float] = defaultdict(float)
    for path, score in rows:
        slot = 0
        for span, filling in path:
            for word in filling:
                wanted[slot, word] += math.exp(score - total)
            slot += span
    mass, lattices = case.candidates.mass(exponents), case.candidates
    found: dict[tuple[int, str], float] = defaultdict(float)
    for i in np.flatnonzero(lattices.arcs.slot < len(words)).tolist():
        found[
            int(lattices.arcs.slot[i]),
            lattices.arcs.symbols.word(int(lattices.arcs.machines.word[i])),
        ] += float(mass[i])
    assert {**dict.fromkeys(wanted, 0.0), **found} == pytest.approx(wanted, abs=1e-9)


@SOME
@given(SENTENCES, EXPONENTS)
def test_changes_lead_from_what_was_observed_to_the_correction(
    words: list[str], exponents: np.ndarray
) -> None:
    case = Case(words, exponents)
    [found] = corrections(case.candidates, exponents, [words])
    made, at = list[str](), 0
    for change in found.changes:
        assert tuple(words[change.start : change.end]) == change.observed != change.words
        assert 0.0 <= change.probability <= 1.0 + 1e-9 and change.start >= at
        made += [*words[at : change.start], *change.words]
        at = change.end
    assert (*made, *words[at:]) == found.words
    assert len(found.alternatives) == len(words)
    assert found.words in {
        tuple(word for _, row in path for word in row) for path, _ in case.scores()
    }


def corrected(text: str, **options: object) -> Correction:
    words = text.split()
    return corrections(Case(words, SURE).candidates, SURE, [words], **options)[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("observed", "intended"),
    [
        ("alot dont sit", "a lot do n't sit"),
        ("the ca t sat", "the cat sat"),
        ("the cat sat onthe mat", "the cat sat on the mat"),
        ("the cat sat on a mat", "the cat sat on a mat"),
    ],
)
def test_split_and_joined_words_are_put_right(observed: str, intended: str) -> None:
    assert " ".join(corrected(observed).words) == intended


def test_a_change_holds_all_words_that_change_together() -> None:
    joined, apart = corrected("the ca t sat"), corrected("alot")
    assert [(c.start, c.end, c.observed, c.words) for c in joined.changes] == [
        (1, 3, ("ca", "t"), ("cat",))
    ]
    assert [(c.start, c.end, c.observed, c.words) for c in apart.changes] == [
        (0, 1, ("alot",), ("a", "lot"))
    ]
    assert [row[0][0] for row in joined.alternatives] == ["the", "cat", "cat", "sat"]
    assert apart.alternatives[0][0][0] == "a lot"
    assert corrected("dont sit").alternatives[0][0][0] == "don't"


def test_what_is_too_improbable_stays() -> None:
    assert corrected("the ca t sat", threshold=1.0).words == ("the", "ca", "t", "sat")


def nearest(observed: str, intended: str) -> list[str]:
    case = Case(observed.split(), SURE)
    machines = to_columns([with_end(lattice.arrays) for lattice in case.lattices])
    found = scored(machines, case.symbols, case.factors, [case.words], frozenset(), case.rewrites)
    path = nearest_arcs(found, [case.words], [intended.split()])
    return [case.symbols.word(i) for i in found.machines.word[path].tolist()[:-1]]


def test_the_nearest_reading_leaves_the_fewest_words_wrong() -> None:
    assert nearest("the ca t dont", "the cat do n't") == ["the", "cat", "do", "n't"]
    assert nearest("the xyzzy sat", "the frog sat") == ["the", "xyzzy", "sat"]
    assert nearest("the frogsit te", "the frog sit the") == ["the", "frogsit", "the"]
    assert nearest("th e xy zzy", "the xyzzy") == ["the", "xy", "zzy"]
