"""The trials of Brooks' experiments."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.corpora import coarse_map
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation import unlabelled_scores
from fstce.induction.grammar import parse, spans_of
from fstce.induction.learner import Induction
from fstce.induction.parameters import SYSTEMS, Options
from fstce.reproduction.distribution import contexts
from fstce.reproduction.distribution_trials import (
    DistributionPlan,
    groups,
    noun_classes,
    prepare,
    treebank,
)

SMALL = DistributionPlan("sample", iterations=30)


def test_the_text_is_without_punctuation() -> None:
    bank = treebank("sample")
    first = bank.trees[0]
    assert len(bank.words[0]) < len(first.leaves())
    assert not {",", "."} & {tag for kept in bank.gold for tag in kept.tags}
    assert [len(words) for words in bank.words] == bank.lengths


def test_a_sentence_without_a_tree_and_one_of_punctuation(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.txt").write_text("no trees here\n")
    with pytest.raises(CorpusError, match=r"a\.txt:1: the sentence has no tree"):
        treebank(str(tmp_path / "a.txt"))
    (tmp_path / "b.mrg").write_text("(S (. .))\n(S (NN rain) (. .))\n")
    assert treebank(str(tmp_path / "b.mrg")).words == [("rain",)]
    (tmp_path / "c.mrg").write_text("(S (. .))\n")
    with pytest.raises(CorpusError, match="nothing but punctuation"):
        treebank(str(tmp_path / "c.mrg"))


def test_the_groups() -> None:
    trials = [{**group.shared, **trial} for group in groups(SMALL) for trial in group.trials]
    assert [t["system"] for t in trials] == list(SYSTEMS)
    assert {t["iterations"] for t in trials} == {30}


@pytest.mark.parametrize("single", [False, True])
def test_the_brackets_are_those_of_the_trees(single: bool) -> None:
    bank = treebank("sample")
    induction = Induction(bank.words, Options.of_system("da-stop", single_words=single))
    induction.run(40)
    spans = spans_of(induction.grammar, bank.words, single_words=single)
    trees = parse(induction.grammar, bank.words)
    assert spans == [[*tree.spans()[1:]] for tree in trees]
    of_trees = unlabelled_scores(bank.trees, trees, single_words=True)
    assert unlabelled_scores(bank.gold, spans, single_words=True).total().f1 == of_trees.total().f1


def test_a_trial_is_what_the_induction_gives_in_any_order() -> None:
    shared = {"corpus": "sample", "system": "da-stop"}
    bank = treebank("sample")
    own = Induction(bank.words, Options.of_system("da-stop"))
    own.run(20)
    run = prepare(Path(), shared)
    late = run({"iterations": 30})
    result = run({"iterations": 20})
    assert late["iterations"] == 30
    total = unlabelled_scores(bank.trees, parse(own.grammar, bank.words)).total()
    assert (result["precision"], result["recall"], result["f1"]) == (
        total.precision,
        total.recall,
        total.f1,
    )
    assert result["classes"] == len(own.grammar.classes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems": ()}, "systems=.*not empty"),
        (
            {"systems": ("da", "ccm")},
            r"systems=\('da', 'ccm'\): .*one of fwb, da, da-cluster, da-stop",
        ),
        ({"iterations": 0}, "iterations=0: give a whole number from 1"),
    ],
)
def test_plans_that_are_none(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DistributionPlan(**changes)  # type: ignore[arg-type]


def test_classes_of_nouns(tmp_path: Path) -> None:
    (tmp_path / "n.mrg").write_text("(S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (NNS cats))))\n")
    bank = treebank(str(tmp_path / "n.mrg"))
    spans = [[("A", 1, 2), ("A", 2, 3), ("B", 3, 4), ("B", 2, 4)]]
    assert noun_classes(bank, spans) == [["A", 50.0, 50.0], ["B", 50.0, 50.0]]


def test_contexts_of_phrases_are_counted() -> None:
    table = contexts(SMALL)
    classes, at = coarse_map(), 0
    left = {"#STA#": 0}
    for tree in treebank("sample").trees:
        tags = [classes.get(tag, tag) for _, tag in tree.pos()]
        for label, begin, _ in tree.spans():
            if label.split("-")[0].split("=")[0] == "PP":
                tag = tags[begin - 1] if begin else "#STA#"
                left[tag] = left.get(tag, 0) + 1
                at += 1
    rows = list(table.rows)
    place = next(i for i, row in enumerate(rows) if getattr(row, "text", "") == f"PP, {at:,} times")
    best = max(left, key=left.__getitem__)
    assert rows[place + 1][:2] == (best, pytest.approx(left[best] / at))
    assert rows[place + 1][2] == "PREP"
    assert len(rows) == 18
