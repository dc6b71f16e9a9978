"""Training: EM against enumeration, monotone, deterministic, and hierarchies that hold together."""

from __future__ import annotations

import itertools
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from latent_cases import train
from oracles_latent import oracles, random_state, sentences, sums_by_parent

from fstce.corpora import Sentence, sample
from fstce.errors import CorpusError, ParameterError
from fstce.latent.model.files import from_arrays, to_arrays
from fstce.latent.model.lexicon import emissions
from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar, SplitHierarchy
from fstce.latent.training import trainer
from fstce.latent.training.estimates import EMStep, Estimates, Schedule
from fstce.latent.training.trainer import Trainer, check_trees, rare_word_constant
from fstce.latent.training.treebank import read_treebank
from fstce.storage.arrays import Archive

TEXT = sample()[:400]
SHORT = {"cycles": 2, "split_iterations": 8, "merge_iterations": 4, "smooth_iterations": 3}


class Log(list[EMStep]):
    def __call__(self, step: EMStep) -> None:
        self.append(step)


@pytest.fixture(scope="module")
def log() -> Log:
    return Log()


@pytest.fixture(scope="module")
def hierarchy(log: Log) -> SplitHierarchy:
    return train(TEXT, monitor=log, **SHORT)


def numbers(hierarchy: SplitHierarchy) -> bytes:
    parts = []
    for grammar in hierarchy.grammars:
        parts += [grammar.rules, grammar.lexicon.counts]
    return b"".join(part.tobytes() for part in parts)


def parent_sums(grammar: SplitGrammar) -> np.ndarray:
    sums = np.zeros(grammar.n_subcategories)
    for rule, block in zip(grammar.productions, grammar.arrays(grammar.rules), strict=True):
        start = offsets_of(grammar.sizes)[rule[0]]
        sums[start : start + len(block)] += block.reshape(len(block), -1).sum(axis=1)
    return sums


def test_one_em_step_is_that_of_enumeration() -> None:
    treebank = read_treebank(
        sentences(
            "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))",
            "(S (NP (NN cats)) (VP (VBZ see) (NP (NN x))))",
        )
    )
    state = random_state(treebank, [1, 2, 2, 2, 2, 2, 2], 1)
    given = replace(state, rules=state.rules.copy())
    after = Trainer(treebank, Schedule())._em(given, 1, "split", 1)
    counts = [tree.counts() for tree in oracles(treebank, state, emissions(state.units, 0))]
    rules, units = sum(r for r, _ in counts), sum(u for _, u in counts)
    totals = sums_by_parent(state.layout, rules)
    for rule, before, found in zip(
        [*treebank.binary, *treebank.unary],
        state.layout.matrices(rules),
        state.layout.matrices(after.rules),
        strict=True,
    ):
        start = offsets_of(state.layout.sizes)[rule[0]]
        np.testing.assert_allclose(
            found, before / totals[start : start + len(before), None], rtol=1e-10
        )
    np.testing.assert_allclose(after.units, units, rtol=1e-10)


def test_the_log_likelihood_is_that_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without splits, it is that of relative frequencies, word by word."""
    log = Log()
    monkeypatch.setattr("fstce.latent.training.estimates.NOISE", 1e-12)
    given = TEXT
    train(
        given,
        cycles=1,
        split_iterations=1,
        merge_iterations=0,
        smooth_iterations=0,
        monitor=log,
    )
    treebank = read_treebank(given)
    rules = np.bincount(treebank.production[treebank.production >= 0]).astype(float)
    parents = np.concatenate([treebank.binary[:, 0], treebank.unary[:, 0]])
    words = treebank.vocabulary.tag_counts.astype(float)
    expected = (rules * np.log(rules / np.bincount(parents, rules)[parents])).sum()
    seen = words > 0
    expected += (words[seen] * np.log((words / words.sum(axis=0))[seen])).sum()
    assert log[0].log_likelihood == pytest.approx(expected, rel=1e-12)


def test_monotone_within_split_and_merge(hierarchy: SplitHierarchy, log: Log) -> None:
    stages = itertools.groupby(log, key=lambda step: (step.cycle, step.stage))
    found = {key: [step.log_likelihood for step in steps] for key, steps in stages}
    assert list(found) == [(c, s) for c in (1, 2) for s in ("split", "merge", "smooth")]
    assert [len(values) for values in found.values()] == [8, 4, 3] * 2
    for (_, stage), values in found.items():
        assert stage == "smooth" or (np.diff(values) >= -1e-9 * abs(values[0])).all()
    assert found[2, "split"][-1] > found[1, "split"][0]


def test_grammars_are_normalized(hierarchy: SplitHierarchy) -> None:
    for grammar in hierarchy.grammars:
        tags = np.isin(np.repeat(np.arange(len(grammar.sizes)), grammar.sizes), grammar.tags)
        np.testing.assert_allclose(parent_sums(grammar), np.where(tags, 0, 1), atol=1e-9)
        assert grammar.sizes[0] == 1


def test_half_of_the_splits_are_undone(hierarchy: SplitHierarchy) -> None:
    for before, after in itertools.pairwise(hierarchy.grammars):
        pairs = before.n_subcategories - 1
        assert after.n_subcategories == 1 + 2 * pairs - pairs // 2


def test_the_same_rules_in_all(hierarchy: SplitHierarchy) -> None:
    for grammar in hierarchy.grammars[1:]:
        assert grammar.binary is hierarchy.grammars[0].binary
        assert grammar.symbols == hierarchy.grammars[0].symbols


def test_the_lexicon_is_smoothed_after_a_cycle(hierarchy: SplitHierarchy) -> None:
    assert hierarchy.finest.lexicon.smoothing == 0.1
    assert hierarchy.grammars[0].lexicon.smoothing == 0


def test_one_seed_one_grammar(hierarchy: SplitHierarchy) -> None:
    assert numbers(train(TEXT, **SHORT)) == numbers(hierarchy)
    other = train(TEXT, seed=1, **SHORT)
    assert numbers(other) != numbers(hierarchy)


@pytest.mark.parametrize("done", [0, 1, 2])
def test_the_rest_of_the_cycles_is_the_same_to_the_bit(
    hierarchy: SplitHierarchy, done: int, tmp_path: Path
) -> None:
    arrays, described = to_arrays(SplitHierarchy(hierarchy.grammars[: done + 1]))
    np.savez(tmp_path / "begun.npz", **arrays)
    begun = from_arrays(Archive(tmp_path / "begun.npz"), described)
    log = Log()
    trainer = Trainer(read_treebank(TEXT), Schedule(**SHORT), monitor=log)
    *_, found = trainer.cycles(begun)
    assert [step.cycle for step in log[::15]] == list(range(done + 1, 3))
    assert numbers(found) == numbers(hierarchy)


def test_other_trees_are_told(hierarchy: SplitHierarchy) -> None:
    text = TEXT
    check_trees(read_treebank(text), hierarchy)
    for other in (text[:-1], [*text, text[0]], text[:300]):
        with pytest.raises(ParameterError, match="begun with other trees"):
            check_trees(read_treebank(other), hierarchy)


def test_no_cycles_is_the_treebank_grammar() -> None:
    log = Log()
    found = train(TEXT, cycles=0, monitor=log)
    assert len(found.grammars) == 1 and found.finest.sizes.max() == 1 and not log


def test_everything_or_nothing_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    for share, largest in ((1.0, 1), (0.0, 2)):
        monkeypatch.setattr(trainer, "MERGED", share)
        found = train(sample()[:30], **{**SHORT, "cycles": 1}).finest
        assert found.sizes[1:].min() == found.sizes.max() == largest


def test_no_stage_keeps_the_rules_of_an_earlier_one(monkeypatch: pytest.MonkeyPatch) -> None:
    twins: list[weakref.ref[Any]] = []

    def split(*given: Any) -> Estimates:
        found = split_anew(*given)
        twins.append(weakref.ref(found.rules))
        return found

    split_anew = trainer.split
    monkeypatch.setattr(trainer, "split", split)
    alive: list[bool] = []
    train(
        sample()[:20],
        cycles=1,
        split_iterations=3,
        merge_iterations=1,
        smooth_iterations=1,
        monitor=lambda _: alive.append(twins[0]() is not None),
    )
    # EM renews them in place while its stage lasts; no later stage has them.
    assert alive == [True] * 3 + [False] * 2


def test_one_word() -> None:
    found = train(sentences("(NN Stop)"), cycles=2)
    assert parent_sums(found.finest)[0] == pytest.approx(1)
    assert (found.finest.lexicon.scores(["Stop", "Go"]) > 0).any(axis=1).all()


def test_a_sentence_of_300_words() -> None:
    tree = "(S " + " ".join(f"(NP (DT the) (NN w{i}))" for i in range(150)) + ")"
    log = Log()
    train(sentences(tree, tree), monitor=log, **{**SHORT, "cycles": 1})
    assert np.isfinite([step.log_likelihood for step in log]).all()


def test_rare_word_constant() -> None:
    treebank = read_treebank(sentences("(S (NN a) (NN b) (VB a))", "(S (NN a) (NN c) (NN d))"))
    # Under NN, a stands twice of five times, b, c and d once; under VB a alone.
    assert rare_word_constant(treebank) == pytest.approx(2 * np.log(2 / 5) + 3 * np.log(1 / 5))


def test_no_trees() -> None:
    with pytest.raises(CorpusError, match=r"plain\.txt:1: has no tree"):
        train([Sentence(["a", "b"], source="plain.txt:1")])
