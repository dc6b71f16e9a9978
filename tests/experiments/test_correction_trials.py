"""The correction experiment's trials: who is trained on what, and what the test suffers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from examples.experiments import correction_trials as systems
from examples.experiments.correction_trials import (
    PUNCTUATION,
    SPELLING,
    CorrectionPlan,
    groups,
    mistyped,
    only_one,
    parts,
    prepare,
)
from fstce.corpora import sample
from fstce.correction.mistakes.corruption import Corruption, corrupted, drop_marks
from fstce.errors import CorpusError, FstceError, MissingToolError

ROWS = [
    row.split()
    for row in ("well , then , go .", "no marks here", "there , you see", "one , and , three .")
]


def _mistakes(row: Corruption) -> int:
    return sum(true != observed for true, observed in row.pairs)


def trial(mistake: str, seed: int = 1) -> dict[str, Any]:
    return {"mistake": mistake, "seed": seed, "rate": 0.3 if mistake in SPELLING else None}


def test_the_test_is_what_training_does_not_see() -> None:
    train, test = parts("sample", 700)
    whole = parts("sample", 1)
    assert len(train) == 700 and [*train, *test] == [*whole[0], *whole[1]]
    with pytest.raises(CorpusError, match="some are left"):
        parts("sample", 10_000)


@pytest.mark.parametrize("mistake", [*SPELLING, *PUNCTUATION])
def test_mistakes_are_the_seed_s(mistake: str) -> None:
    _, test = parts("sample", 600)
    found = mistyped(test, trial(mistake))
    assert [row.true for row in found] == test
    assert found == mistyped(test, trial(mistake))
    assert any(row.observed != row.true for row in found)
    assert mistake == "commas" or found != mistyped(test, trial(mistake, 2))


def test_one_comma_is_lost_of_each_sentence_that_has_any() -> None:
    for row, found in zip(ROWS, mistyped(ROWS, trial("comma")), strict=True):
        assert len(found.observed) == len(row) - ("," in row)
        assert [word for word in found.observed if word != ","] == [
            word for word in row if word != ","
        ]
    assert all("," not in found.observed for found in mistyped(ROWS, trial("commas")))


def test_only_one_undoes_the_others_and_reaches_each() -> None:
    all_dropped = corrupted([ROWS[0]] * 40, drop_marks([",", "."]), rate=1.0)
    found = only_one(all_dropped, 3)
    assert all(row.true == ROWS[0] and _mistakes(row) == 1 for row in found)
    assert len({tuple(row.observed) for row in found}) == 3
    assert only_one(corrupted([ROWS[1]], drop_marks([","]), rate=1.0), 3)[0].observed == ROWS[1]


def test_a_plan_s_trials() -> None:
    plan = CorrectionPlan(
        spellers=("alone", "ce"), punctuators=("ngrams",), spelling=("random",), seeds=2
    )
    found = [
        (group.shared["system"], group.shared["mistakes"], trial)
        for group in groups(plan)
        for trial in group.trials
    ]
    spelling = [(name, row["seed"]) for name, _, row in found if row["mistake"] == "random"]
    assert spelling == [("alone", 1), ("alone", 2), ("ce", 1), ("ce", 2)]
    assert [(m, row["mistake"], row["seed"]) for name, m, row in found if name == "ngrams"] == [
        *(("drop", "comma", 1), ("drop", "comma", 2), ("drop", "commas", 1)),
    ]


@pytest.mark.parametrize("name", ["alone", "frequent", "ngrams"])
def test_a_trial_counts_words(name: str) -> None:
    plan = CorrectionPlan("sample", 700, (name,), (), ("random",), ())
    [group] = groups(plan)
    result = prepare(Path(), group.shared)({**group.trials[0]})
    words = result["words"]
    assert result["sentences"] == 43 and words["before"] > 0
    assert words["after"] == words["before"] if name == "alone" else words["proposed"] > 0
    assert result["seconds"] >= 0 and result["training"] >= 0


def test_a_trial_counts_commas() -> None:
    plan = CorrectionPlan("sample", 700, (), ("ngrams",), (), ("comma",))
    [group] = groups(plan)
    result = prepare(Path(), group.shared)({**group.trials[0]})
    _, test = parts("sample", 700)
    assert result["marks"]["wanted"] == sum("," in row for row in test)


def test_tags_make_a_dictionary_where_the_corpus_has_them(tmp_path: Path) -> None:
    corpus = tmp_path / "part.pos"
    rows = [zip(s.words, s.tags or (), strict=True) for s in sample() if len(s) < 15][:130]
    corpus.write_text(
        "".join(" ".join(map("/".join, row)) + "\n" for row in rows), encoding="utf-8"
    )
    plan = CorrectionPlan(str(corpus), 100, (), ("ce-tags",), (), ("comma",))
    [group] = groups(plan)
    result = prepare(Path(), group.shared)({**group.trials[0]})
    assert result["marks"]["wanted"] > 0
    with pytest.raises(CorpusError, match="no tags"):
        systems.trained("ce-tags", ROWS, {"spell": 1})


def test_packages_that_are_missing_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "spellchecker", None)
    for name in ("pyspellchecker", "pyspellchecker-own", "ngrams-lexicon"):
        with pytest.raises(MissingToolError, match="pip install pyspellchecker"):
            systems.trained(name, ROWS, {"spell": 1})


@pytest.mark.parametrize("name", ["pyspellchecker", "symspellpy"])
def test_packages_correct(name: str) -> None:
    pytest.importorskip({"pyspellchecker": "spellchecker"}.get(name, name))
    correct = systems.trained(name, [["cat", "hat", "marvellous"]] * 3, {})
    assert correct([["marvelous", "cat"]]) == [["marvellous", "cat"]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"spellers": ("best",)},
        {"punctuators": ("frequent",)},
        {"spelling": ("typos",)},
        {"punctuation": ("full stop",)},
        {"spellers": (), "punctuators": ()},
        {"seeds": 0},
        {"train": 0},
        {"rate": 2.0},
    ],
)
def test_a_wrong_plan_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(FstceError):
        CorrectionPlan(**wrong)
