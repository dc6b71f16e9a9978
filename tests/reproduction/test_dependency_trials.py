"""Plans of Table 2, the folds, and single trials against the parser used directly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce import DependencyParser
from fstce.corpora import Sentence, conllu_sentence, dependency_corpus, sample
from fstce.errors import CorpusError, FstceError, ParameterError
from fstce.reproduction.dependency_trials import (
    FOLDS,
    DependencyPlan,
    Fold,
    fold_of,
    groups,
    parameters,
    prepare,
    treebank,
)

PLAN = DependencyPlan(
    "sample", criteria=("trans1", "em"), supervised=("joint", "conditional"), max_iterations=5
)


def shared(fold: int = 0, shuffle: int = 0, **changed: Any) -> dict[str, Any]:
    about = {"corpus": "sample", "max_length": 10, "max_iterations": 5}
    return {**about, "shuffle": shuffle, "fold": fold, "tolerance": 1e-5, **changed}


def members(part: Any) -> list[tuple[Any, Any]]:
    return list(zip(part.sentences, part.heads, strict=True))


# --- Folds -----------------------------------------------------------------------------------------------


@given(shuffle=st.integers(0, 1000), fold=st.integers(0, FOLDS - 1))
@settings(max_examples=20, deadline=None)
def test_the_parts_of_a_fold_do_not_overlap_and_cover(shuffle: int, fold: int) -> None:
    """Sentences repeat in a treebank, so they are compared as sorted lists, not as sets."""
    whole = treebank("sample", 10)
    found = fold_of(shared(fold, shuffle))
    together = [
        pair for part in (found.train, found.development, found.test) for pair in members(part)
    ]
    assert sorted(together) == sorted(members(whole))
    for part in (found.development, found.test):
        assert abs(len(part.sentences) - len(whole.sentences) / FOLDS) < 1


def numbered(tmp_path: Path, n: int) -> str:
    """A treebank in which every sentence can be told by its tag."""
    path = tmp_path / "numbered.conllu"
    path.write_text(
        "".join(conllu_sentence(Sentence(["w"], [f"T{i}"], [0], ["root"])) for i in range(n))
    )
    return str(path)


@pytest.mark.parametrize("n", [10, 25])
def test_every_sentence_is_tested_once_and_developed_on_once(tmp_path: Path, n: int) -> None:
    folds = [fold_of(shared(i, corpus=numbered(tmp_path, n))) for i in range(FOLDS)]
    everything = [(f"T{i}",) for i in range(n)]

    def parts(name: str) -> list[Any]:
        return [getattr(fold, name).sentences for fold in folds]

    assert sorted(row for rows in parts("test") for row in rows) == sorted(everything)
    # Each test fold is the next one's development fold, and never in the training part.
    assert parts("development") == [parts("test")[-1], *parts("test")[:-1]]
    for fold in folds:
        rest = [*fold.train.sentences, *fold.development.sentences, *fold.test.sentences]
        assert sorted(rest) == sorted(everything) and len(set(rest)) == n
        assert fold.tags == tuple(sorted(f"T{i}" for i in range(n)))


def test_the_shuffle_is_the_seeds(tmp_path: Path) -> None:
    corpus = numbered(tmp_path, 40)
    one, same, other = (fold_of(shared(corpus=corpus, shuffle=seed)) for seed in (3, 3, 4))
    assert one == same
    assert one.test != other.test


def test_a_treebank_is_prepared_as_the_plan_says() -> None:
    kept = dependency_corpus(sample(), max_length=5)
    found = treebank("sample", 5)
    assert (found.sentences, found.heads) == ([s.tags for s in kept], [s.heads for s in kept])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "1\ta\t_\t_\tD\t_\t2\t_\t_\t_\n2\tb\t_\t_\tN\t_\t1\t_\t_\t_\n\n",
            r"bad\.conllu:1: .* run in a cycle",
        ),
        (
            "1\ta\t_\t_\tD\t_\t0\t_\t_\t_\n2\tb\t_\t_\tN\t_\t0\t_\t_\t_\n\n",
            r"bad\.conllu:1: .* all roots",
        ),
        ("1\ta\t_\t_\tD\t_\t_\t_\t_\t_\n\n", r"bad\.conllu:1"),
        ("1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", r"bad\.conllu:1: the sentence has no tags"),
        (
            "1\ta\t_\t_\tD\t_\t0\t_\t_\t_\n\n" * 9,
            r"9 sentences of at most 10 words are too few for ten folds",
        ),
    ],
)
def test_bad_treebanks(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.conllu").write_text(text)
    with pytest.raises(CorpusError, match=message):
        treebank(str(tmp_path / "bad.conllu"), 10)


# --- Plans -----------------------------------------------------------------------------------------------


def test_the_papers_grid() -> None:
    """Four values each: of the default, of four criteria from two starts, of two supervised criteria."""
    assert sum(len(group.trials) for group in groups(DependencyPlan())) == 10 * (
        4 + 4 * 2 * 4 + 2 * 4
    )


def test_generative_grammars_are_given_smoothing_and_log_linear_ones_variances() -> None:
    for group in groups(PLAN):
        grid = "smoothing" if group.shared["criterion"] in ("em", "joint") else "sigma2"
        values = {"smoothing": PLAN.smoothing, "sigma2": PLAN.sigma2}[grid]
        assert group.trials == [{grid: value} for value in values]


def test_supervised_rows_have_one_start() -> None:
    found = {(group.shared["criterion"], group.shared["start"]) for group in groups(PLAN)}
    both = {(c, s) for c in PLAN.criteria for s in ("klein-manning", "uniform")}
    assert found == both | {("joint", "uniform"), ("conditional", "uniform")}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"criteria": (), "supervised": ()}, "at least one criterion"),
        ({"criteria": ("em", "joint")}, "'joint' learns from trees: name it as supervised"),
        ({"criteria": ("trnas1",)}, "did you mean 'trans1'"),
        (
            {"supervised": ("em",)},
            r"supervised=\('em',\): .*one of joint, conditional, supervised-contrastive",
        ),
        ({"starts": ("cold",)}, r"starts=\('cold',\): .*one of klein-manning, uniform"),
        ({"starts": ()}, "starts=.*not empty"),
        ({"sigma2": ()}, "sigma2=.*not empty"),
        ({"sigma2": (0.0,)}, r"sigma2=\(0.0,\)"),
        ({"smoothing": (-1.0,)}, r"smoothing=\(-1.0,\)"),
        ({"smoothing": ()}, "smoothing=.*not empty"),
        ({"folds": 0}, "folds=0: give a whole number from 1 to 10"),
        ({"folds": 11}, "folds=11"),
    ],
)
def test_plans_that_cannot_be_run(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(FstceError, match=message):
        DependencyPlan(**wrong)


def test_names_of_rows() -> None:
    assert parameters("length") == {"criterion": "contrastive", "neighborhood": "length"}
    with pytest.raises(FstceError):
        parameters("contrastive")


# --- Trials ----------------------------------------------------------------------------------------------


def parser_of(fold: Fold, criterion: str, **options: Any) -> DependencyParser:
    parser = DependencyParser(**parameters(criterion), max_iterations=5, **options)
    heads = fold.train.heads if criterion in ("joint", "conditional") else None
    return parser.fit(fold.train.sentences, heads, tags=fold.tags)


@pytest.mark.parametrize(
    ("criterion", "start", "trial"),
    [
        ("trans1", "uniform", {"sigma2": 1.0}),
        ("delortrans1", "klein-manning", {"sigma2": None}),
        ("em", "klein-manning", {"smoothing": 0.0}),
        ("joint", "uniform", {"smoothing": 0.1}),
        ("conditional", "uniform", {"sigma2": 10.0}),
    ],
)
def test_a_trial_is_what_the_parser_does(criterion: str, start: str, trial: dict[str, Any]) -> None:
    fold = fold_of(shared(2))
    run = prepare(Path(), shared(2, criterion=criterion, start=start))
    # An earlier trial leaves no trace
    run({"sigma2": 0.1} if "sigma2" in trial else {"smoothing": 10.0})
    found, parser = run(trial), parser_of(fold, criterion, start=start, **trial)
    assert found["objective"] == parser.training_.objective
    assert found["iterations"] == parser.training_.steps[-1].iteration
    for name, part in (("train", fold.train), ("test", fold.test)):
        assert found[name] == 100 * parser.score(part.sentences, part.heads)
    heads = fold.development.heads if criterion in ("joint", "conditional") else None
    expected = parser.measure(fold.development.sentences, heads) / len(fold.development.sentences)
    assert found["held_out"] == expected
    assert np.isfinite(expected) or trial == {"smoothing": 0.0}


def test_unusable_parameters_fail_the_trial() -> None:
    with pytest.raises(ParameterError):
        prepare(Path(), shared(criterion="em", start="uniform"))({"smoothing": -1.0})


def test_the_tag_column_is_the_plans(tmp_path: Path) -> None:
    row = "{}\tw\t_\tNOUN\tNN\t_\t{}\tdep\t_\t_\n"
    path = tmp_path / "a.conllu"
    path.write_text("".join(row.format(1, 2) + row.format(2, 0) + "\n" for _ in range(12)))
    tags = {treebank(str(path), 10, column).sentences[0][0] for column in ("xpos", "upos")}
    assert tags == {"NN", "NOUN"}
