"""``fstce parser evaluate``: a dependency parser against a treebank."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from fstce.cli.decoding import ParserDecoding
from fstce.cli.kinds import load
from fstce.cli.options import AsJson, Corpus, FormatOption, Model, TagColumnOption, option
from fstce.cli.output import note
from fstce.cli.parser import attachment, treebanks
from fstce.cli.parser.treebanks import (
    MAX_LENGTH_HELP,
    CurrencyOfModel,
    Preparation,
    Punctuation,
    TagsOfModel,
)

if TYPE_CHECKING:
    from fstce.corpora import DependencyCorpus


def evaluate(
    model: Model,
    corpus: Corpus,
    decoding: ParserDecoding,
    max_length: Annotated[int | None, option("--max-length N", MAX_LENGTH_HELP, min=1)] = None,
    tags: TagsOfModel = None,
    tag_column: TagColumnOption = None,
    currency: CurrencyOfModel = None,
    punctuation: Punctuation = None,
    by_distance: Annotated[bool, option("--by-distance", "Show links by their length.")] = False,
    by_tag: Annotated[bool, option("--by-tag", "Show the scores of each tag.")] = False,
    format: FormatOption = None,
    as_json: AsJson = False,
) -> None:
    """Score a dependency parser on a treebank.

    The share of words, without punctuation, with the right head (directed), or joined with
    the right word (undirected), and of sentences with the right root, and with all heads
    right; beside them attaching every word to the next, and to the one before.

    \b
    Examples:
      fstce parser evaluate model test.conllu
      fstce parser evaluate model test.conllu --by-distance --by-tag
      fstce parser evaluate model test.conllu --decoder minimum-risk --json
    """
    from fstce import evaluation

    parser = load(model, "parser", **decoding)
    preparation = Preparation.of_model(
        parser.preparation_, tags, tag_column, currency, punctuation, max_length
    )
    treebank = preparation.apply(preparation.iterate(corpus, format), heads="required", faulty="drop")
    treebanks.check_some(treebank, corpus)
    _tell_left_out(treebank, max_length)
    rows = [sentence.tags or () for sentence in treebank]
    gold = [sentence.heads or () for sentence in treebank]
    found = attachment.predict(parser, rows)
    scored = [*attachment.baseline_rows(gold), ("model", evaluation.attachment(gold, found))]
    if as_json:
        print(json.dumps(attachment.record(scored, gold, found, rows), ensure_ascii=False))
        return
    attachment.show(scored)
    if by_distance:
        print()
        attachment.show_by_distance(gold, found)
    if by_tag:
        print()
        attachment.show_by_tag(gold, found, rows)


def _tell_left_out(treebank: DependencyCorpus, max_length: int | None) -> None:
    dropped = treebanks.left_out(treebank, max_length)
    if dropped:
        note(f"left out of {treebank.n_read:,} sentences: {dropped}")
    if treebank.faults:
        note(f"left out: {treebanks.first_fault(treebank.faults)}")
