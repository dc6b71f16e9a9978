"""A step beyond Brooks (2006): learned brackets filled up to binary trees, against right-branching
ones.

The systems find few brackets, with high precision; right-branching trees have a bracket for every
word. What a learned bracket leaves open is filled by branching to one side, and which side that is
is learned too: phrases begin with their frequent words (*the*, *of*) where they branch to the
right, and end with them where they branch to the left, so that a text read backwards is filled
the other way.

Cut at punctuation marks, each stretch between two is a sentence to the systems (Spitkovsky et al.
2011 constrain dependencies so).

Page: docs/results/distribution.md.
Run: python -m examples.experiments.filled_brackets nltk:treebank --output filled-report
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from fstce.corpora import Tree
from fstce.evaluation import compare, right_branching, unlabelled_scores
from fstce.evaluation.bracket_scores import EMPTY, PUNCTUATION, SpanCounts, statistic
from fstce.induction.grammar import spans_of
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options
from fstce.processes.trial_log import Record, Settings
from fstce.processes.trials import Group
from fstce.reporting.tables import Cell, Divider, Table
from fstce.reproduction.distribution import NAMES, size_of_treebank
from fstce.reproduction.distribution_trials import (
    BracketedText,
    DistributionPlan,
    Spans,
    measured,
    treebank,
)
from fstce.reproduction.run import Experiment, ReportPage, Trial, ended

Span = tuple[int, int]
Labelled = tuple[str, int, int]

# The stretches between punctuation marks, as brackets.
STRETCH = "stretch"


def stretches(n: int, cuts: Sequence[int]) -> list[Labelled]:
    """The parts of n words between the places where a punctuation mark stands.

    >>> stretches(5, [2])
    [('stretch', 0, 2), ('stretch', 2, 5)]
    """
    ends = [0, *cuts, n]
    return [(STRETCH, start, end) for start, end in pairwise(ends)]


def filled(n: int, spans: Iterable[Labelled], right: bool = True) -> list[Span]:
    """The binary tree over n words that has these brackets and branches to one side within each.

    ``spans``: label, first word, and the word after the last; none crosses another. Returns n − 1
    brackets, the whole first.

    >>> filled(5, [("C1", 1, 3)])
    [(0, 5), (1, 5), (3, 5), (1, 3)]
    >>> filled(5, [("C1", 1, 3)], right=False)
    [(0, 5), (0, 3), (0, 4), (1, 3)]
    """
    brackets = {(0, n), *((start, end) for _, start, end in spans if 1 < end - start < n)}
    tree: list[Span] = []
    for start, end in sorted(brackets, key=lambda span: (span[0], -span[1])):
        # Where the parts of the phrase begin: its inner phrases, and the words outside of these.
        inner = (span for span in brackets - {(start, end)} if start <= span[0] and span[1] <= end)
        inside = {
            at for inner_start, inner_end in inner for at in range(inner_start + 1, inner_end)
        }
        begins = [at for at in range(start, end) if at not in inside]
        if end - start > 1:
            tree.append((start, end))
            if right:
                tree += [(at, end) for at in begins[1:-1]]
            else:
                tree += [(start, at) for at in begins[2:]]
    return tree


def branches_right(words: Sequence[Sequence[str]], spans: Sequence[Iterable[Labelled]]) -> bool:
    """Whether brackets rather begin with frequent words than end with them; where both are alike,
    yes.
    """
    counts = Counter(word for sentence in words for word in sentence)
    edges = [
        (counts[sentence[start]], counts[sentence[end - 1]])
        for sentence, found in zip(words, spans, strict=True)
        for _, start, end in found
        if end - start > 1
    ]
    first, last = np.log(np.array(edges or [(1, 1)])).mean(axis=0)
    return bool(first >= last)


def cuts_of(tree: Tree) -> list[int]:
    """The words without punctuation that a mark stands before, but for a sentence's first."""
    marks = set()
    at = 0
    for _, tag in tree.pos():
        if tag not in PUNCTUATION:
            at += 1
        elif tag != EMPTY:
            marks.add(at)
    return sorted(marks - {0, at})


def groups(plan: DistributionPlan) -> list[Group]:
    """The systems, and DA_STOP cut at punctuation marks."""
    trials: list[Settings] = [{"iterations": plan.iterations}]
    ways = [(system, False) for system in plan.systems]
    if "da-stop" in plan.systems:
        ways.append(("da-stop", True))
    return [
        Group({"corpus": plan.corpus, "system": system, "cut": cut}, trials) for system, cut in ways
    ]


def prepare(_: Path, shared: Settings) -> Trial:
    """Read the text; the result induces a grammar and scores its brackets, filled up too."""
    bank = treebank(shared["corpus"])
    options = Options.of_system(shared["system"])
    parts = [stretches(n, ()) for n in bank.lengths]
    if shared["cut"]:
        parts = _parts(bank)
    words = [
        of_sentence[start:end]
        for of_sentence, spans in zip(bank.words, parts, strict=True)
        for _, start, end in spans
    ]

    def run(trial: Settings) -> dict[str, Any]:
        induction = Induction(words, options)
        induction.run(trial["iterations"])
        spans = _joined(induction.grammar, words, parts)
        right = branches_right(bank.words, spans)
        trees = [filled(n, found, right) for n, found in zip(bank.lengths, spans, strict=True)]
        return {"right": right, "plain": counted(bank, spans), "filled": counted(bank, trees)}

    return run


def _parts(bank: BracketedText) -> list[Spans]:
    """The stretches between punctuation marks of each sentence."""
    return [stretches(n, cuts_of(tree)) for n, tree in zip(bank.lengths, bank.trees, strict=True)]


def _joined(grammar: Any, words: Sequence[Sequence[str]], parts: Sequence[Spans]) -> list[Spans]:
    """The brackets of each sentence: of its parts, and where there are several the parts."""
    of_parts = iter(spans_of(grammar, words))
    spans: list[Spans] = []
    for around in parts:
        inner = [(label, at + a, at + b) for _, at, _ in around for label, a, b in next(of_parts)]
        spans.append([*(around if len(around) > 1 else ()), *inner])
    return spans


def counted(bank: BracketedText, spans: Sequence[Any]) -> dict[str, Any]:
    """The scores of brackets, with the counts of each sentence for comparisons."""
    return {
        **measured(bank, spans),
        "counts": unlabelled_scores(bank.gold, spans).matrix.tolist(),
    }


def filled_up(plan: DistributionPlan, records: Sequence[Record]) -> Table:
    """The brackets filled up to binary trees, between punctuation marks too."""
    bank = treebank(plan.corpus)
    # All binary trees have n − 1 spans, so the best are those that have every gold span.
    best = [filled(n, gold.spans) for n, gold in zip(bank.lengths, bank.gold, strict=True)]
    right = counted(bank, [right_branching(n) for n in bank.lengths])
    within = [filled(n, spans) for n, spans in zip(bank.lengths, _parts(bank), strict=True)]
    between = counted(bank, within)

    rows: list[Sequence[Cell] | Divider] = [["upper bound", None, *_scores(counted(bank, best))]]
    rows.append(["right-branching", None, *_scores(right)])
    with_marks: list[Sequence[Cell] | Divider] = [["right-branching", None, *_scores(between)]]
    for record in ended(records):
        result = record["result"]
        name = NAMES[record["settings"]["system"]]
        side = "right" if result["right"] else "left"
        if record["settings"]["cut"]:
            with_marks.append([f"{name} as it is", None, *_against(plan, result["plain"], between)])
            with_marks.append([name, side, *_against(plan, result["filled"], between)])
        else:
            rows.append([name, side, *_against(plan, result["filled"], right)])

    note = (
        "What the learned brackets leave open branches to the side where they speak for it: right "
        "if they rather begin than end with frequent words, which needs no trees. Where marks are "
        "known, each stretch between two is a sentence to the learner, and a bracket. Difference "
        "in F1 to the right-branching trees of the same part; p: approximate randomization; "
        "intervals: 95 %, bootstrap."
    )
    columns = ["system", "filled to the", "UP", "UR", "F1", "crossing"]
    columns += ["difference", "low", "high", "p"]
    rows = [
        row if isinstance(row, Divider) else [*row, *[None] * (10 - len(row))]
        for row in (*rows, Divider("punctuation marks known"), *with_marks)
    ]
    decimals = {"p": 4, "crossing": 2}
    return Table("filled", "Filled up to binary trees", columns, rows, note, decimals=decimals)


def _scores(result: Mapping[str, Any]) -> list[Cell]:
    return [result[name] for name in ("precision", "recall", "f1", "crossing")]


def _against(
    plan: DistributionPlan, result: Mapping[str, Any], bar: Mapping[str, Any]
) -> list[Cell]:
    """The scores, and their difference to those of ``bar``."""
    ours, theirs = np.array(result["counts"]), np.array(bar["counts"])
    difference = compare(ours, theirs, statistic(SpanCounts, "f1"), seed=plan.seed)
    return [*_scores(result), *difference]


def _fill(page: ReportPage, plan: DistributionPlan, records: Sequence[Record]) -> None:
    page.add("Filled up", filled_up(plan, records))


def _outcome(_: Settings, result: Mapping[str, Any]) -> str:
    return f"F1 {result['plain']['f1']:.1f} %, filled up {result['filled']['f1']:.1f} %"


TITLE = "Learned brackets filled up to binary trees"
EXPERIMENT = Experiment(
    "filled", TITLE, groups, prepare, ("system", "cut"), _outcome, size_of_treebank, _fill
)
reproduce: Any = EXPERIMENT.reproduce


def main() -> None:
    """Run the experiment on a corpus."""
    parser = argparse.ArgumentParser(description=TITLE)
    parser.add_argument("corpus", nargs="?", default="nltk:treebank")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; -1 for one a core")
    parser.add_argument("--output", default="filled-report", help="the folder of the report")
    chosen = parser.parse_args()

    command = f"python -m examples.experiments.filled_brackets {shlex.join(sys.argv[1:])}"
    plan = DistributionPlan(chosen.corpus)
    print(reproduce(plan, chosen.output, jobs=chosen.jobs, command=command)[-1])


if __name__ == "__main__":
    main()
