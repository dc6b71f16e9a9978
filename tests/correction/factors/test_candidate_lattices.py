"""Candidate lattices against every sentence and structure of tiny ones: sums, posteriors, best pairs."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from correction_cases import EXPONENTS, SENTENCES, SOME, Case, log_z
from hypothesis import given
from hypothesis import strategies as st

from fstce.correction.factors import candidate_lattices
from fstce.correction.factors.candidate_lattices import CandidateLattices
from fstce.correction.factors.columns import COLUMNS, with_words
from fstce.machines.symbols import END_ID

MAKES = st.fixed_dictionaries(
    {
        "ngrams": st.sampled_from([0, 1, 2, 3]),
        "order": st.sampled_from([0, 1, 2]),
        "punctuate": st.booleans(),
    }
)


def fillings_of(
    lattices: CandidateLattices, mass: np.ndarray
) -> list[dict[tuple[int, str], float]]:
    """The mass of the lattice arcs of each word in each slot."""
    mass_of: list[dict[tuple[int, str], float]] = [
        defaultdict(float) for _ in range(lattices.batch.n_machines)
    ]
    for i in np.flatnonzero((lattices.arcs.machines.word != END_ID) & (mass > 0)).tolist():
        key = (
            int(lattices.arcs.slot[i]),
            lattices.arcs.symbols.word(int(lattices.arcs.machines.word[i])),
        )
        mass_of[lattices.arcs.sentence[i]][key] += float(mass[i])
    return mass_of


@SOME
@given(st.lists(SENTENCES, min_size=1, max_size=2), EXPONENTS, MAKES)
def test_sums_posteriors_and_expectations(
    sentences: list[list[str]], exponents: np.ndarray, make: dict[str, Any]
) -> None:
    case = Case(sentences, exponents, **make)
    assert log_z(case.candidates, exponents) == pytest.approx([brute.log_z for brute in case.brute])
    total, expected = case.candidates.expected(exponents)
    assert total == pytest.approx(sum(brute.log_z for brute in case.brute))
    assert expected == pytest.approx(np.sum([brute.expected() for brute in case.brute], axis=0))
    tables = fillings_of(case.candidates, case.candidates.mass(exponents))
    for found, brute in zip(tables, case.brute, strict=True):
        wanted = brute.fillings()
        assert {**dict.fromkeys(wanted, 0.0), **found} == pytest.approx(wanted, abs=1e-9)


@SOME
@given(SENTENCES, EXPONENTS, MAKES)
def test_the_best_pair(words: list[str], exponents: np.ndarray, make: dict[str, Any]) -> None:
    case = Case([words], exponents, **make)
    [path] = case.candidates.best(exponents)
    found = tuple(case.candidates.words(path))
    best = max(score for (row, _), score in case.brute[0].score.items() if row == found)
    assert best == pytest.approx(max(case.brute[0].score.values()))


@SOME
@given(SENTENCES, EXPONENTS, EXPONENTS)
def test_other_exponents_need_no_composition(
    words: list[str], first: np.ndarray, other: np.ndarray
) -> None:
    read_once, read_again = Case([words], first), Case([words], other)
    assert log_z(read_once.candidates, other) == pytest.approx(log_z(read_again.candidates, other))
    assert read_once.candidates.mass(other) == pytest.approx(read_again.candidates.mass(other))


PRUNES = st.sampled_from([1e-6, 0.01, 0.5, 1.0])


@SOME
@given(SENTENCES, EXPONENTS)
def test_without_n_grams_nothing_is_pruned_before_the_model_is_asked(
    words: list[str], exponents: np.ndarray
) -> None:
    """A mark for another cost so much without a context that none was ever put right."""
    whole, pruned = (Case([words], exponents, ngrams=0, prune=prune) for prune in (0.0, 0.5))
    assert pruned.candidates.batch.n_arcs == whole.candidates.batch.n_arcs


@SOME
@given(st.lists(SENTENCES, min_size=1, max_size=2), EXPONENTS, PRUNES, st.sampled_from([0, 1]))
def test_pruning_keeps_the_best_path_where_no_history_is_asked(
    sentences: list[list[str]], exponents: np.ndarray, prune: float, ngrams: int
) -> None:
    whole = Case(sentences, exponents, ngrams=ngrams, order=0)
    pruned = Case(sentences, exponents, ngrams=ngrams, order=0, prune=prune)
    for found, brute in zip(pruned.candidates.best(exponents), whole.brute, strict=True):
        words = tuple(pruned.candidates.words(found))
        assert brute.score[words, ()] == pytest.approx(max(brute.score.values()))


@SOME
@given(st.lists(SENTENCES, min_size=1, max_size=2), EXPONENTS, PRUNES)
def test_pruning_loses_paths_only(
    sentences: list[list[str]], exponents: np.ndarray, prune: float
) -> None:
    whole = Case(sentences, exponents, order=0)
    pruned = Case(sentences, exponents, order=0, prune=prune)
    assert pruned.candidates.batch.n_arcs <= whole.candidates.batch.n_arcs
    kept = log_z(pruned.candidates, exponents)
    for number, (found, brute) in enumerate(
        zip(pruned.candidates.best(exponents), whole.brute, strict=True)
    ):
        score = brute.score[tuple(pruned.candidates.words(found)), ()]
        assert score - 1e-9 <= kept[number] <= brute.log_z + 1e-9


def test_what_one_word_rules_out_is_not_split_by_two(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def counted(*arguments: Any) -> Any:
        found = with_words(*arguments)
        sizes.append(len(found.slot))
        return found

    monkeypatch.setattr(candidate_lattices, "with_words", counted)
    exponents = np.array([0.0, 0, 1, 6, *[0] * (len(COLUMNS) - 4)])
    Case([["dgos", "rnu", "rnu", "rnu"]], exponents, order=0)
    whole = sizes.copy()
    sizes.clear()
    Case([["dgos", "rnu", "rnu", "rnu"]], exponents, order=0, prune=1.0)
    assert len(sizes) == len(whole) == 3 and sizes[0] == whole[0] and sizes[2] < whole[2] / 2


def test_pruning_little_loses_little() -> None:
    exponents = np.array([0.5, 0.5, 0.3, 2.0, 1.0, 3.0, 0.3, 0.4, 0.2, *[0.0] * (len(COLUMNS) - 9)])
    whole = Case([["dgos", "rnu"]], exponents)
    pruned = Case([["dgos", "rnu"]], exponents, prune=1e-4)
    assert pruned.candidates.batch.n_arcs < whole.candidates.batch.n_arcs
    assert log_z(pruned.candidates, exponents) == pytest.approx(
        log_z(whole.candidates, exponents), abs=0.01
    )
