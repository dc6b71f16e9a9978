"""``fstce parser evaluate``.

A dependency parser against a treebank, next to trees that need no grammar.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Annotated, Any

from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, Model, helped, option
from fstce.console.output import Sheet, report
from fstce.console.reading import reading
from fstce.corpora import dependency_corpus
from fstce.evaluation import Attachment, attach_next, attachment
from fstce.evaluation.parsing import attach_previous
from fstce.numeric.types import Rows
from fstce.parsing.parser import DependencyParser
from fstce.parsing.verbs import treebanks
from fstce.parsing.verbs.treebanks import MAX_LENGTH_HELP

Trees = Sequence[Sequence[int]]
Scored = list[tuple[str, "Attachment"]]


@helped("""Score a dependency parser on a treebank.

The share of words, without punctuation, with the right head (directed), or joined with
the right word (undirected), and of sentences with the right root, and with all heads
right; besides them attaching every word to the next, and to the one before. Relations are
the treebank's: they are not predicted.

\b
Examples:
  fstce parser evaluate model test.conllu
  fstce parser evaluate model test.conllu --json
""")
def evaluate(
    model: Model,
    corpus: Corpus,
    max_length: Annotated[int | None, option("--max-length N", MAX_LENGTH_HELP, min=1)] = None,
    as_json: AsJson = False,
) -> None:
    parser = load(model, "parser")
    reading().tag_column = reading().column_of(parser)
    sentences = reading().sentences(corpus)
    treebank = dependency_corpus(sentences, max_length=max_length, heads="required", faulty="drop")
    treebanks.check_some(treebank, corpus, max_length)

    rows, gold = treebanks.columns(treebank)
    treebanks.report_unseen(Counter(chain(*rows)), parser)
    with treebanks.placed(treebank):
        predicted = parser.predict(rows)

    scored = [*baseline_rows(gold), ("model", attachment(gold, predicted))]

    record: dict[str, Any] = {"words": scored[0][1].n_words, "sentences": scored[0][1].n_sentences}
    for name, score in scored:
        record[name.replace(" ", "_")] = _shares(score)
    report(as_json, record, scores(scored))


def baseline_rows(gold: Trees) -> Scored:
    """Every word attached to the next, or to the previous one."""
    return [
        ("attach to next", attachment(gold, [attach_next(len(heads)) for heads in gold])),
        ("attach to previous", attachment(gold, [attach_previous(len(heads)) for heads in gold])),
    ]


def trained_rows(parser: DependencyParser, rows: Rows, gold: Trees) -> Scored:
    """The baselines, the weights at which training starts, and the trained weights."""
    untrained = copy.copy(parser)
    theta = parser.initial_weights()
    # Uniform distributions weigh all trees alike but for the last bit; zeros are a tie to the bit.
    untrained.theta_ = 0 * theta if parser.recipe.start == "uniform" else theta
    return [
        *baseline_rows(gold),
        ("untrained", attachment(gold, untrained.predict(rows))),
        ("trained", attachment(gold, parser.predict(rows))),
    ]


def scores(rows: Scored) -> Sheet:
    """Percentages as a table, a row a way of parsing."""
    size = rows[0][1]
    words = f"% of {size.n_words:,} words"
    roots = f"root of {size.n_sentences:,} sentences"
    header = (words, "directed", "undirected", roots, "all heads")
    return header, [(name, *_shares(score).values()) for name, score in rows]


def _shares(score: Attachment) -> dict[str, float]:
    return {name: getattr(score, name) for name in ("directed", "undirected", "root", "exact")}
