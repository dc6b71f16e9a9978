"""A handful of trees: what are 5, 10, 30, 100, 300 worth alone, beside raw text, and with rules?

For each treebank the words with the right head, in percent, mean of two folds of at most 600
sentences of at most ten words, of which the others are raw text:

    python -m examples.experiments.few_trees a.conllu b.conllu …

Page: docs/results/dependencies.md.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

from fstce import DependencyParser
from fstce.corpora import dependency_corpus, read_corpus

FOLDS, FOLDS_RUN = 5, 2
SENTENCES, LONGEST = 600, 10
SIZES = (5, 10, 30, 100, 300)


def scores(train: list, test: list, tagset: list[str]) -> list[float]:
    """Rules without trees; then for each size trees alone, beside text, beside text with rules."""
    gold = [sentence.heads for sentence in test]
    ruled = DependencyParser(attachment_rules="upos").fit(train)
    right = [ruled.score(test, gold)]
    for size in SIZES:
        trees = [s.tags for s in train[:size]], [s.heads for s in train[:size]]
        for parser in (
            DependencyParser(criterion="joint").fit(*trees, tags=tagset),
            DependencyParser().fit(train, labelled=trees),
            DependencyParser(attachment_rules="upos").fit(train, labelled=trees),
        ):
            right.append(parser.score(test, gold))
    return [100 * share for share in right]


def main() -> None:
    """A line for every treebank, and the means."""
    warnings.simplefilter("ignore")
    columns = [f"{size} {way}" for size in SIZES for way in ("alone", "text", "rules")]
    print("treebank", "rules", *columns, sep="\t")
    means = []
    for file in sys.argv[1:]:
        text = dependency_corpus(read_corpus(file, tag_column="upos"), max_length=LONGEST)
        order = np.random.default_rng(0).permutation(len(text))[:SENTENCES]
        corpus = [text[i] for i in order]
        tagset = sorted({tag for sentence in corpus for tag in sentence.tags})

        rows = []
        for fold in range(FOLDS_RUN):
            train = [s for i, s in enumerate(corpus) if i % FOLDS != fold]
            rows.append(scores(train, corpus[fold::FOLDS], tagset))
        means.append(np.mean(rows, axis=0))
        print(Path(file).stem, *(f"{value:.1f}" for value in means[-1]), sep="\t", flush=True)
    print("mean", *(f"{value:.1f}" for value in np.mean(means, axis=0)), sep="\t")


if __name__ == "__main__":
    main()
