"""Brackets of raw text as constraints on a dependency grammar, which did not pay: here, not in the package.

Brooks' (2006) DA_STOP is learned from the words of a whole corpus, filled up to binary trees if
asked (``docs/results/distribution.md``), and brackets the sentences of at most ten words. A phrase
has one head: of the words of a bracket one is governed from outside. So a link from outside into a
bracket pays δ nats (*into*), or every link that crosses a bracket's border does (*across*), in
training, when trees are chosen, or both. Folds and baselines are those of ``tried_grammars``. To
run: ``python -m examples.experiments.tried_brackets DATA [CORPUS ...]``.

Page: docs/notebook/induction.md.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from examples.experiments.filled_brackets import branches_right, filled
from examples.experiments.tried_grammars import FOLDS, SPECS, TRAINED, Text
from fstce.chart import best_trees
from fstce.chart.batch import ChartBatch
from fstce.corpora import read_corpus
from fstce.corpora.dependencies import dependency_corpus
from fstce.evaluation import attachment
from fstce.induction.grammar import spans_of
from fstce.induction.learner import Induction
from fstce.induction.parameters import Options
from fstce.numeric.types import Floats

DELTAS = (-0.5, -1.0)
Spans = list[tuple[int, int]]


def learnt_brackets(text: list, sentences: list) -> dict[str, list[Spans]]:
    """The brackets of sentences by what is learned from a text, as they are and filled up, and
    baselines.
    """
    induction = Induction([s.words for s in text], Options.of_system("da-stop"))
    induction.run(500)
    found = spans_of(induction.grammar, [s.words for s in sentences])

    plain = [
        [(a, b) for _, a, b in row if b - a < len(s)]
        for s, row in zip(sentences, found, strict=True)
    ]
    right = branches_right([s.words for s in sentences], found)
    whole = [filled(len(s), spans, right) for s, spans in zip(sentences, found, strict=True)]
    return {
        "DA_STOP": plain,
        "DA_STOP, filled up": [
            [span for span in row if span[1] - span[0] < len(s)]
            for s, row in zip(sentences, whole, strict=True)
        ],
        "right-branching": [[(a, len(s)) for a in range(1, len(s) - 1)] for s in sentences],
    }


def gold_brackets(sentences: list) -> list[Spans]:
    """The spans that each word governs with all below it: how much brackets could help at most."""
    rows = []
    for s in sentences:
        low, high = np.arange(len(s)), np.arange(len(s)) + 1
        for _ in s.heads:
            for child, head in enumerate(s.heads):
                if head > 0:
                    low[head - 1] = min(low[head - 1], low[child])
                    high[head - 1] = max(high[head - 1], high[child])
        rows.append(
            sorted({(int(a), int(b)) for a, b in zip(low, high, strict=True) if 1 < b - a < len(s)})
        )
    return rows


def costs(n: int, spans: Spans, across: bool) -> Floats:
    """How many brackets a link from head to child crosses, (n + 1, n + 1) with words from 1."""
    found = np.zeros((n + 1, n + 1))
    for a, b in spans:
        inside = np.zeros(n + 1, dtype=bool)
        inside[a + 1 : b + 1] = True
        found += ~inside[:, None] & inside[None, :]
        if across:
            found += inside[:, None] & ~inside[None, :]
    return found


def charged(batch: ChartBatch, rows: Sequence[Floats], delta: float) -> ChartBatch:
    """The charts, a link paying δ times its costs: the mean of the sentences that share a chart."""
    mean = [
        np.mean([rows[i] for i in np.flatnonzero(batch.index == m)], axis=0)
        for m in range(batch.n_distinct)
    ]
    packs = []

    for pack in batch.packs:
        graph = pack.graph
        lattice = graph.arc_lattice
        place = np.arange(len(lattice)) - graph.arc_first[:-1][lattice] + 1
        table = [mean[number] for number in pack.lattices.tolist()]
        head = graph.links.head
        child = graph.links.child
        root = graph.roots.arc
        paid = [
            table[lattice[c]][place[h], place[c]]
            for h, c in zip(head.tolist(), child.tolist(), strict=True)
        ]
        of_root = [table[lattice[c]][0, place[c]] for c in root.tolist()]
        old = (0.0, 0.0) if pack.link_bias is None else (pack.link_bias, pack.root_bias)
        bias = {
            "link_bias": old[0] + delta * np.array(paid)[:, None],
            "root_bias": old[1] + delta * np.array(of_root)[:, None],
        }
        packs.append(replace(pack, **bias))

    return replace(batch, packs=packs)


def chosen(text: Text, batch: ChartBatch, theta: Floats) -> float:
    """Right heads of the test part in percent, by charts that may be charged."""
    found = best_trees(batch, theta).heads.tolist()
    pairs = zip(found, text.test, strict=True)
    return attachment([s.heads for s in text.test], [row[: len(s)] for row, s in pairs]).directed


def ways(train: list, test: list, brackets: dict[str, list[Spans]]) -> dict[str, float]:
    """The test scores by way; brackets are those of the training part, then of the test part."""
    text = Text(train, test)
    plain = text.charts([s.tags for s in test])
    default = text.em(text.start)
    scores = {"the default": chosen(text, plain, default)}

    for name, rows in brackets.items():
        for across in (False, True):
            paid = [
                costs(len(s), row, across) for s, row in zip([*train, *test], rows, strict=True)
            ]
            for delta in DELTAS:
                learnt = text.em(text.start, charged(text.biased, paid[: len(train)], delta))
                decoding = charged(plain, paid[len(train) :], delta)
                way = f"{name}, {'across' if across else 'into'}, {delta}"
                scores[f"{way}, in training"] = chosen(text, plain, learnt)
                scores[f"{way}, when chosen"] = chosen(text, decoding, default)
                scores[f"{way}, both"] = chosen(text, decoding, learnt)

    return scores


def main(data: Path, corpora: list[str]) -> None:
    """Print the table."""
    table: dict[str, list[str]] = {}
    for corpus in corpora:
        spec, column = SPECS[corpus]
        read = list(
            read_corpus(spec if spec.startswith("nltk:") else str(data / spec), tag_column=column)
        )
        text = dependency_corpus(read, heads="required")
        whole = [s for s in text if len(s) <= 10]
        brackets = learnt_brackets(text, whole)
        brackets["a treebank's own spans"] = gold_brackets(whole)
        pieces = np.array_split(np.random.default_rng(0).permutation(len(whole)), 10)
        scores: dict[str, list[float]] = {}

        for fold in range(FOLDS):
            places = np.concatenate(
                [p for i, p in enumerate(pieces) if i not in (fold, (fold - 1) % 10)]
            )
            train = np.sort(places[:TRAINED]).tolist()
            test = pieces[fold].tolist()
            both = {name: [rows[i] for i in (*train, *test)] for name, rows in brackets.items()}

            for name, score in ways(
                [whole[i] for i in train], [whole[i] for i in test], both
            ).items():
                scores.setdefault(name, []).append(score)

            print(corpus, fold, file=sys.stderr, flush=True)

        for name, found in scores.items():
            table.setdefault(name, []).append(f"{np.mean(found):.1f} ± {np.std(found, ddof=1):.1f}")

    print(f"| way | {' | '.join(corpora)} |\n|---|{'---|' * len(corpora)}")
    for name, cells in table.items():
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or ["WSJ", "CRAFT"])
