"""The trials of Brooks' experiments: a system each."""

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
from fstce.evaluation.bracket_scores import Constituents, constituents
from fstce.induction.grammar import spans_of
from fstce.induction.learner import Induction
from fstce.induction.parameters import SYSTEMS, Options
from fstce.parameters.rules import COUNT, POSITIVE, Table, choice, sequence
from fstce.processes.trial_log import Result, Settings
from fstce.processes.trials import Group
from fstce.reproduction.material import read
from fstce.reproduction.run import Plan, Trial

Spans = list[tuple[str, int, int]]


@dataclass(frozen=True)
class DistributionPlan(Plan):
    """The systems that are run, and the treebank."""

    rules: ClassVar[Table] = {
        "systems": sequence(choice(*SYSTEMS), least=1).says("The systems."),
        "iterations": POSITIVE.says("The iterations of the tables."),
        "seed": COUNT.says("Of random trees."),
    }
    corpus: str = "nltk:treebank"
    systems: tuple[str, ...] = tuple(SYSTEMS)
    iterations: int = 500
    seed: int = 0


class BracketedText(NamedTuple):
    """Sentences without punctuation, with their gold trees.

    ``trees``: with punctuation. ``gold``: their phrases.
    """

    trees: list[Tree]
    gold: list[Constituents]
    words: list[tuple[str, ...]]

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
    return BracketedText([tree for tree, _ in pairs], gold, [kept.words for kept in gold])


def groups(plan: DistributionPlan) -> list[Group]:
    """A trial for each system."""
    trials: list[Settings] = [{"iterations": plan.iterations}]
    return [Group({"corpus": plan.corpus, "system": system}, trials) for system in plan.systems]


def prepare(_: Path, shared: Settings) -> Trial:
    """Read the text; the result induces a grammar and scores what it finds."""
    bank = treebank(shared["corpus"])
    options = Options.of_system(shared["system"])

    def run(trial: Settings) -> Result:
        induction = Induction(bank.words, options)
        induction.run(trial["iterations"])
        grammar = induction.grammar
        spans = spans_of(grammar, bank.words, single_words=True)
        return {
            "iterations": len(grammar.steps),
            "classes": len(grammar.classes),
            **measured(bank, spans),
            "noun_classes": noun_classes(bank, spans),
        }

    return run


def measured(bank: BracketedText, spans: Sequence[Any]) -> Result:
    """The scores of brackets, by category too; crossing_sentences: the share that has any."""
    scores = unlabelled_scores(bank.gold, spans)
    total = scores.total()
    return {
        "precision": total.precision,
        "recall": total.recall,
        "f1": total.f1,
        "crossing": total.average_crossing,
        "crossing_sentences": 1 - total.without_crossing / 100,
        "recall_of": {name: row.recall for name, row in scores.by_category().items()},
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
