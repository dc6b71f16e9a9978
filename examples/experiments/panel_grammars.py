"""Dependency grammars on a panel of treebanks: is what is learned without trees better than where it began?

For each treebank the words with the right head, in percent, mean ± deviation over five folds: an
adjacent word as every head (the better side), the grammar at which the default starts, the default,
the rules alone (their trees without any training), the default with rules, and a supervised
grammar. The tables of ``docs/results/dependencies.md`` are by

    python -m examples.experiments.panel_grammars a.conllu b.conllu …
        [--max-length 10] [--sentences 600] [--rules upos]
    python -m examples.experiments.panel_grammars --curve a.conllu …  # by the number of sentences

Page: docs/results/dependencies.md.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np

from fstce import DependencyParser
from fstce.corpora import dependency_corpus, read_corpus
from fstce.evaluation import attachment
from fstce.evaluation.parsing import attach_next, attach_previous
from fstce.parsing.attachment_rules import read_rules, satisfying

FOLDS = 5
COLUMNS = ("adjacent", "start", "default", "rules alone", "with rules", "supervised")


def scores(train: list, test: list, rules: str) -> tuple[float, ...]:
    """The directed accuracy of each column on the test sentences."""
    gold = [sentence.heads for sentence in test]

    def score(parser: DependencyParser) -> float:
        return 100 * parser.score(test, gold)

    def untrained(parser: DependencyParser) -> DependencyParser:
        parser.compile(train)
        parser.theta_ = parser.initial_weights()
        return parser

    def by_rules_alone(name: str) -> DependencyParser:
        parser = untrained(DependencyParser(criterion="em"))
        parser.theta_ = satisfying(read_rules(name), parser.model_)
        return parser

    chains = ([chain(len(heads)) for heads in gold] for chain in (attach_next, attach_previous))
    supervised = DependencyParser(criterion="joint", smoothing=1.0)
    return (
        max(attachment(gold, trees).directed for trees in chains),
        score(untrained(DependencyParser())),
        score(DependencyParser().fit(train)),
        score(by_rules_alone(rules)),
        score(DependencyParser(attachment_rules=rules).fit(train)),
        score(supervised.fit(train, [sentence.heads for sentence in train])),
    )


def folds(corpus: list, rules: str, limit: int | None = None) -> np.ndarray:
    """The scores of each fold, trained on the others or on the first `limit` sentences of them."""
    parts = [corpus[k::FOLDS] for k in range(FOLDS)]
    others = [[s for i, part in enumerate(parts) if i != k for s in part] for k in range(FOLDS)]
    return np.array(
        [scores(other[:limit], part, rules) for other, part in zip(others, parts, strict=True)]
    )


def main() -> None:
    """A line of a table for every treebank, and the means."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("files", nargs="+")
    options.add_argument("--max-length", type=int)
    options.add_argument("--sentences", type=int, default=600)
    options.add_argument("--rules", default="upos")
    options.add_argument("--curve", action="store_true")
    given = options.parse_args()
    warnings.simplefilter("ignore")
    print(
        f"| treebank | sentences | {' | '.join(COLUMNS)} | seconds |\n|{'---|' * (len(COLUMNS) + 3)}"
    )
    means = []

    for file in given.files:
        column = "upos" if given.rules.startswith("upos") else None
        text = dependency_corpus(read_corpus(file, tag_column=column), max_length=given.max_length)
        order = np.random.default_rng(0).permutation(len(text))[
            : None if given.curve else given.sentences
        ]
        corpus = [text[i] for i in order]
        sizes = (
            [100 * 2**k for k in range(9) if 100 * 2**k < 0.8 * len(corpus)] if given.curve else []
        )

        for size in (*sizes, None):
            began = time.process_time()
            table = folds(corpus, given.rules, size)
            means.append(table.mean(axis=0))
            cells = (
                f"{m:.1f} ± {d:.1f}" for m, d in zip(means[-1], table.std(axis=0), strict=True)
            )
            spent = time.process_time() - began
            print(
                f"| {Path(file).stem} | {size or len(corpus)} | {' | '.join(cells)} | {spent:.0f} |",
                flush=True,
            )

    print(f"| mean | | {' | '.join(f'{m:.1f}' for m in np.mean(means, axis=0))} | |")


if __name__ == "__main__":
    main()
