"""The trials of Brooks' experiments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fstce.corpora import parse_tree
from fstce.errors import CorpusError, ParameterError
from fstce.evaluation import unlabelled_scores
from fstce.induction import SYSTEMS, Induction, Options, parse
from fstce.reproduction.distribution_trials import (
    BASE,
    DistributionPlan,
    groups,
    options_of,
    prepare,
    spans_of,
    treebank,
    variants_of,
)

SMALL = DistributionPlan("sample", iterations=30, resamples=20)


def test_the_text_is_without_punctuation_and_the_labels_without_functions() -> None:
    bank = treebank("sample")
    first = bank.trees[0]
    assert len(bank.words[0]) < len(first.leaves())
    assert not {",", "."} & {tag for tags in bank.tags for tag in tags}
    assert not any("-" in label for spans in bank.spans for label, _, _ in spans)
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
    found = groups(SMALL)
    trials = [{**group.shared, **trial} for group in found for trial in group.trials]
    base = [t for t in trials if t["option"] == BASE]
    assert [(t["system"], t["iterations"]) for t in base] == [(system, 30) for system in SYSTEMS]
    assert [t["detail"] for t in base] == [True] * 4
    assert {t["iterations"] for t in trials if t["option"] != BASE} == {30}
    assert len(groups(replace(SMALL, sensitivity=False))) == 4 + 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_variant_is_another_system(system: str) -> None:
    base = Options.of_system(system)
    found = [options_of({"system": system, "option": o, "value": v}) for o, v in variants_of(system)]
    assert base not in found and len(set(map(str, found))) == len(found)
    assert options_of({"system": system, "option": BASE, "value": None}) == base


def test_all_open_options_are_changed_and_refresh_for_three_systems() -> None:
    changed = {option for system in SYSTEMS for option, _ in variants_of(system)}
    assert changed == set(Options.__dataclass_fields__) - {"alignment", "attachment"}
    assert [s for s in SYSTEMS if ("refresh", False) in variants_of(s)] == ["da", "da-cluster", "da-stop"]


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("top", ["TOP", "S"])
def test_the_brackets_are_those_of_the_trees(single: bool, top: str) -> None:
    bank = treebank("sample")
    induction = Induction(bank.words, Options.of_system("da-stop", single_words=single, top=top))
    induction.run(40)
    spans = spans_of(induction.grammar, bank)
    trees = parse(induction.grammar, bank.words)
    skip = 0 if top == "S" else 1
    assert spans == [[*tree.spans()[skip:]] for tree in trees]
    of_trees = unlabelled_scores(bank.trees, trees, single_words=True)
    assert unlabelled_scores(bank.gold, spans, single_words=True).total().f1 == of_trees.total().f1


def test_a_trial_is_what_the_induction_gives_in_any_order() -> None:
    shared = {"corpus": "sample", "system": "da-stop", "option": BASE, "value": None}
    bank = treebank("sample")
    own = Induction(bank.words, Options.of_system("da-stop"))
    own.run(20)
    run = prepare(shared)
    late = run({"iterations": 30, "detail": False})
    result = run({"iterations": 20, "detail": True})
    assert late["iterations"] == 30
    total = unlabelled_scores(bank.trees, parse(own.grammar, bank.words)).total()
    assert (result["precision"], result["recall"], result["f1"]) == (total.precision, total.recall, total.f1)
    assert result["brackets"] == sum(row[1] for row in result["counts"])
    assert result["classes"] == len(own.grammar.classes)
    assert len(result["largest"]) == min(15, result["purity"][4])
    assert result["largest"][0][2] >= result["largest"][-1][2]
    assert parse_tree(result["example"]).leaves() in bank.words


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"systems": ()}, "at least one system"),
        ({"systems": ("da", "ccm")}, "system='ccm': choose one of"),
        ({"iterations": 0}, "at least one is needed"),
        ({"resamples": 0}, "resamples=0"),
    ],
)
def test_plans_that_are_none(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DistributionPlan(**changes)  # type: ignore[arg-type]
