"""The plan of the products: what is trained, what is parsed, how a treebank is divided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fstce.corpora import Sentence
from fstce.errors import ParameterError
from fstce.processes.trial_log import key
from fstce.reproduction.products_trials import ProductsPlan, parses, parts, trainings


def test_the_split_of_nltks_treebank(nltk_treebank: list[Sentence]) -> None:
    found = parts("nltk:treebank")
    assert [len(part) for part in found] == [3396, 273, 245]
    assert sum(len(sentence) <= 40 for sentence in found.test) == 230
    assert "wsj_0160" in found.development[0].source and "wsj_0180" in found.test[0].source
    assert [sentence for part in found for sentence in part] == nltk_treebank


def test_a_number_in_the_path_of_the_treebank_is_no_number_of_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources = [f"/wsj_199/2/treebank.zip/wsj_{file}.mrg:2" for file in ("0001", "0170", "0190")]
    texts = [Sentence((f"w{number}",), source=source) for number, source in enumerate(sources)]
    monkeypatch.setattr("fstce.reproduction.products_trials.read", lambda spec, needs: texts)

    parts.cache_clear()
    found = parts("nltk:treebank")
    parts.cache_clear()
    assert found == tuple([text] for text in texts)


def test_tenths(tmp_path: Path) -> None:
    path = tmp_path / "t.mrg"
    path.write_text("".join(f"(S (NN w{i}))\n" for i in range(20)), encoding="utf-8")
    found = parts(str(path))
    assert [sentence.words[0] for sentence in found.development] == ["w8", "w18"]
    assert [sentence.words[0] for sentence in found.test] == ["w9", "w19"]
    assert len(found.train) == 16


def test_how_many_are_multiplied_and_added() -> None:
    plan = ProductsPlan(grammars=4)
    assert (list(plan.multiplied), list(plan.added)) == ([2, 3, 4], [2, 4])
    plan = ProductsPlan(grammars=2)
    assert (list(plan.multiplied), list(plan.added)) == ([2], [2])
    plan = ProductsPlan(grammars=1)
    assert (list(plan.multiplied), list(plan.added)) == ([], [])
    plan = ProductsPlan(products=(2, 8), sums=())
    assert (list(plan.multiplied), list(plan.added)) == ([2, 8], [])


def test_every_trial_once() -> None:
    plan = ProductsPlan()
    groups = [*trainings(plan), *parses(plan)]
    names = [key({**group.shared, **trial}) for group in groups for trial in group.trials]
    assert len(set(names)) == len(names)
    ways = 4 + 8 + 7 + 2  # cycles, seeds, products, sums
    assert len(trainings(plan)) == 8 and len(parses(plan)) == 2 * ways


def test_products_take_the_first_seeds() -> None:
    plan = ProductsPlan(grammars=3, seed=4, products=(2, 3), sums=())
    found = [group.trials[0] for group in parses(plan)]
    members = {t["members"] for t in found if t["combination"] == "product"}
    assert members == {"4 5", "4 5 6"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cycles": -1}, "cycles=-1"),
        ({"grammars": 0}, "grammars=0"),
        ({"products": (9,)}, "products of 9 grammars"),
        ({"sums": (1,)}, r"sums=\(1,\)"),
        ({"iterations": (1, 2)}, "three numbers"),
    ],
)
def test_bad_plans(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        ProductsPlan(**wrong)
