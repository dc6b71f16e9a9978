"""Brackets filled up to binary trees: every bracket stays, none crosses, a text read backwards turns them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from examples.experiments.filled_brackets import (
    branches_right,
    cuts_of,
    filled,
    filled_up,
    groups,
    reproduce,
)
from fstce.evaluation import right_branching, unlabelled_scores
from fstce.evaluation.unlabelled import left_branching, random_binary
from fstce.reproduction.distribution_trials import DistributionPlan, treebank


@given(st.integers(1, 12), st.integers(0, 1000), st.booleans())
def test_a_binary_tree_with_all_brackets(n: int, seed: int, right: bool) -> None:
    generator = np.random.default_rng(seed)
    tree = [("C", *span) for span in random_binary(n, generator)]
    some = [span for span in tree if generator.random() < 0.5]
    found = filled(n, some, right)
    assert len(found) == len(set(found)) == max(n - 1, 0)
    assert {(start, end) for _, start, end in some if end - start > 1} <= set(found)
    assert not any(a < c < b < d for a, b in found for c, d in found)
    mirrored = filled(n, [(label, n - end, n - start) for label, start, end in some], not right)
    assert {(n - end, n - start) for start, end in mirrored} == set(found)


def test_nothing_learnt_is_a_branching_tree() -> None:
    for n in (1, 2, 6):
        assert sorted(filled(n, [])) == sorted(right_branching(n))
        assert sorted(filled(n, [], right=False)) == sorted(left_branching(n))


def test_a_text_read_backwards_branches_the_other_way() -> None:
    words = [["the", "old", "dog"], ["a", "cat", "of", "the", "king"], ["the", "king"]]
    spans = [[("C1", 0, 3)], [("C1", 0, 2), ("C2", 2, 5)], [("C1", 0, 2)]]
    turned = [
        [(label, len(text) - end, len(text) - start) for label, start, end in found]
        for text, found in zip(words, spans, strict=True)
    ]
    assert branches_right(words, spans) and not branches_right(
        [text[::-1] for text in words], turned
    )
    assert branches_right(words, [[]] * 3)


def test_a_report(tmp_path: Path) -> None:
    plan = DistributionPlan("sample", iterations=20, systems=("fwb", "da-stop"))
    ways = [(group.shared["system"], group.shared["cut"]) for group in groups(plan)]
    assert ways == [("fwb", False), ("da-stop", False), ("da-stop", True)]
    files = reproduce(plan, tmp_path / "report", jobs=1)
    assert {path.name for path in files} == {"filled.csv", "index.html"}

    bank = treebank("sample")
    cuts = [cuts_of(tree) for tree in bank.trees]
    assert any(cuts) and all(
        0 < at < n for n, of in zip(bank.lengths, cuts, strict=True) for at in of
    )
    lines = (tmp_path / "report" / "filled.csv").read_text(encoding="utf-8").splitlines()
    rows = [dict(zip(lines[0].split(","), line.split(","), strict=True)) for line in lines[1:]]
    assert rows[0]["UR"] == "100.0" and rows[0]["crossing"] == "0.0"
    wanted = unlabelled_scores(bank.gold, [right_branching(n) for n in bank.lengths]).total().f1
    assert float(rows[1]["F1"]) == wanted
    assert [row["system"] for row in rows[2:]] == [
        *("FWB", "DA_STOP", "right-branching", "DA_STOP as it is", "DA_STOP")
    ]
    assert float(rows[3]["difference"]) == float(rows[3]["F1"]) - wanted


def test_nothing_learned_has_no_rows_of_systems() -> None:
    assert len(filled_up(DistributionPlan("sample"), []).rows) == 4
