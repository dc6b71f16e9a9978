"""The trials of Brooks' experiments: the systems, and DA_STOP between punctuation marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from fstce.corpora import Tree
from fstce.errors import CorpusError
from fstce.evaluation import unlabelled_scores
from fstce.evaluation.bracket_scores import (
    EMPTY,
    PUNCTUATION,
    BracketScores,
    Constituents,
    SpanCounts,
    constituents,
)
from fstce.evaluation.evalb import COLLINS
from fstce.induction import SYSTEMS, Grammar, Induction, Options, bracket
from fstce.parameters.rules import COUNT, POSITIVE, Table, choice, sequence
from fstce.processes.trial_log import Settings
from fstce.processes.trials import Group
from fstce.reproduction.distribution_filled import (
    branches_right,
    filled,
    flat_noun_phrases,
    stretches,
    verb_groups,
)
from fstce.reproduction.material import read
from fstce.reproduction.run import Plan, Trial

Spans = list[tuple[str, int, int]]


@dataclass(frozen=True)
class DistributionPlan(Plan):
    """The systems that are run, and the treebank."""

    rules: ClassVar[Table] = {
        "systems": sequence(choice(*SYSTEMS), least=1).says("The systems."),
        "iterations": POSITIVE.says("The iterations of the tables."),
        "resamples": POSITIVE.says("Resamples of the bootstrap."),
        "seed": COUNT.says("Of random trees and the bootstrap."),
    }
    corpus: str = "nltk:treebank"
    systems: tuple[str, ...] = tuple(SYSTEMS)
    iterations: int = 500
    resamples: int = 1000
    seed: int = 0


class BracketedText(NamedTuple):
    """Sentences without punctuation, with their gold trees.

    ``trees``: with punctuation. ``gold``, ``verb_groups``, ``flat``: their phrases; the same with
    verb groups for verb phrases, as in ICE-GB; with flat noun phrases too. ``spans``: labels
    without function tags; phrases of all lengths, parents first. ``cuts``: the words that a
    punctuation mark stands before, but for a sentence's first.
    """

    trees: list[Tree]
    gold: list[Constituents]
    verb_groups: list[Constituents]
    flat: list[Constituents]
    words: list[tuple[str, ...]]
    spans: list[Spans]
    cuts: list[list[int]]

    @property
    def lengths(self) -> list[int]:
        """The number of words of each sentence."""
        return [len(words) for words in self.words]


@lru_cache(maxsize=2)
def treebank(spec: str) -> BracketedText:
    """The sentences of a treebank that hold more than punctuation, read once a process."""
    trees = [sentence.tree for sentence in read(spec, "tree") if sentence.tree is not None]
    pairs = [(tree, kept) for tree in trees if (kept := constituents(tree)).words]
    if not pairs:
        raise CorpusError(f"{spec}: there is nothing but punctuation in it")
    gold = [kept for _, kept in pairs]
    grouped = [verb_groups(tree) for tree, _ in pairs]

    return BracketedText(
        [tree for tree, _ in pairs],
        gold,
        [constituents(tree) for tree in grouped],
        [constituents(flat_noun_phrases(tree)) for tree in grouped],
        [kept.words for kept in gold],
        [list(map(_plain, kept.spans)) for kept in gold],
        [_cuts(tree, len(kept.words)) for tree, kept in pairs],
    )


def _plain(span: tuple[str, int, int]) -> tuple[str, int, int]:
    """A span whose label has no function tags."""
    label, begin, end = span
    return COLLINS.category(label), begin, end


def _cuts(tree: Tree, n: int) -> list[int]:
    """The words, of n without punctuation, that a mark stands before, but for the first."""
    marks = set()
    at = 0
    for _, tag in tree.pos():
        if tag not in PUNCTUATION:
            at += 1
        elif tag != EMPTY:
            marks.add(at)
    return sorted(marks - {0, n})


def groups(plan: DistributionPlan) -> list[Group]:
    """All trials of a plan: the systems, and DA_STOP cut at punctuation marks."""
    kinds = [(system, False) for system in plan.systems]
    if "da-stop" in plan.systems:
        kinds.append(("da-stop", True))
    return [
        Group(
            {"corpus": plan.corpus, "system": system, "cut": cut}, [{"iterations": plan.iterations}]
        )
        for system, cut in kinds
    ]


def prepare(_: Path, shared: Settings) -> Trial:
    """Read the text; the result induces a grammar and scores what it finds."""
    bank = treebank(shared["corpus"])
    options = Options.of_system(shared["system"])
    cut = shared["cut"]
    words = _stretched(bank) if cut else bank.words

    def run(trial: Settings) -> dict[str, Any]:
        induction = Induction(words, options)
        induction.run(trial["iterations"])
        grammar = induction.grammar
        spans = _joined(grammar, bank, words) if cut else spans_of(grammar, bank)

        result = {
            "iterations": len(grammar.steps),
            "classes": len(grammar.classes),
            **measured(bank, spans),
            "filled": _filled(bank, spans),
        }
        if not cut:
            every_span = spans_of(grammar, bank, single_words=True)
            result["as_published"] = as_published(bank, every_span)
            result["noun_classes"] = noun_classes(bank, every_span)
        return result

    return run


def spans_of(grammar: Grammar, bank: BracketedText, *, single_words: bool = False) -> list[Spans]:
    """The brackets of a grammar's trees, outer before inner."""
    brackets = bracket(grammar, bank.words).distinct()
    if not single_words:
        brackets = brackets.longer()
    return brackets.spans(len(bank.words))


def _stretched(bank: BracketedText) -> list[tuple[str, ...]]:
    """The stretches between punctuation marks, each a sentence."""
    return [
        words[start:end]
        for words, cuts in zip(bank.words, bank.cuts, strict=True)
        for _, start, end in stretches(len(words), cuts)
    ]


def _joined(grammar: Grammar, bank: BracketedText, parts: Sequence[tuple[str, ...]]) -> list[Spans]:
    """The brackets of each sentence: of its stretches, and the stretches themselves."""
    of_parts = iter(bracket(grammar, parts).distinct().longer().spans(len(parts)))
    found: list[Spans] = []
    for n, cuts in zip(bank.lengths, bank.cuts, strict=True):
        around = stretches(n, cuts)
        inner = [(label, at + a, at + b) for _, at, _ in around for label, a, b in next(of_parts)]
        found.append([*around, *inner])
    return found


def measured(bank: BracketedText, spans: Sequence[Any]) -> dict[str, Any]:
    """The scores of brackets, by category too, and the `SpanCounts` of each sentence, for the
    bootstrap.
    """
    scores = unlabelled_scores(bank.gold, spans)
    return {
        **_summary(scores),
        "recall_of": {name: row.recall for name, row in scores.by_category().items()},
        "counts": scores.matrix.tolist(),
    }


def as_published(bank: BracketedText, spans: Sequence[Any]) -> dict[str, Any]:
    """The scores as the paper must have counted: ICE-GB's VP, single words, CB by sentences; flat
    NP.
    """
    scores = unlabelled_scores(bank.verb_groups, spans, single_words=True)
    return {
        **_summary(scores),
        "crossing_sentences": 1 - scores.total().without_crossing / 100,
        "flat": _summary(unlabelled_scores(bank.flat, spans, single_words=True)),
    }


def noun_classes(bank: BracketedText, spans: Sequence[Spans]) -> list[list[Any]]:
    """The five classes that hold most nouns: name, recall, precision, in percent."""
    phrases, nouns = Counter[str](), Counter[str]()
    for of_sentence, spans_of_sentence in zip(bank.gold, spans, strict=True):
        for label, begin, end in spans_of_sentence:
            phrases[label] += 1
            nouns[label] += end - begin == 1 and of_sentence.tags[begin].startswith("NN")

    n_nouns = sum(tag.startswith("NN") for of_sentence in bank.gold for tag in of_sentence.tags)
    return [
        [label, 100 * n / n_nouns, 100 * n / phrases[label]] for label, n in nouns.most_common(5)
    ]


def _summary(scores: BracketScores[SpanCounts]) -> dict[str, Any]:
    total = scores.total()
    return {
        "precision": total.precision,
        "recall": total.recall,
        "f1": total.f1,
        "crossing": total.average_crossing,
        "crossing_share": total.crossing_share,
        "brackets": total.predicted,
    }


def _filled(bank: BracketedText, spans: list[Spans]) -> dict[str, Any]:
    """The scores of the brackets filled up to binary trees, to the side that they speak for."""
    right = branches_right(bank.words, spans)
    trees = [filled(n, found, right) for n, found in zip(bank.lengths, spans, strict=True)]
    return {"right": right, **measured(bank, trees)}
