"""``fstce parser evaluate``: a dependency parser against a treebank."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, FormatOption, Model, helped, option
from fstce.console.output import note
from fstce.errors import CorpusError
from fstce.parsing.verbs import attachment, treebanks
from fstce.parsing.verbs.treebanks import (
    MAX_LENGTH_HELP,
    ModelPreparationOptions,
    ParserDecoding,
)

if TYPE_CHECKING:
    from fstce.corpora.dependencies import DependencyCorpus


@helped("""Score a dependency parser on a treebank.

The share of words, without punctuation, with the right head (directed), or joined with
the right word (undirected), and of sentences with the right root, and with all heads
right; beside them attaching every word to the next, and to the one before. Relations are
the treebank's: they are not predicted. NED (neutral edge direction) is the share of words
attached to their head, their child or their head's head.

\b
Examples:
  fstce parser evaluate model test.conllu
  fstce parser evaluate model test.conllu --by-distance --by-direction
  fstce parser evaluate model test.conllu --by-tag --by-relation
  fstce parser evaluate model test.conllu --decoder minimum-risk --json
""")
def evaluate(
    model: Model,
    corpus: Corpus,
    decoding: ParserDecoding,
    options: ModelPreparationOptions,
    max_length: Annotated[int | None, option("--max-length N", MAX_LENGTH_HELP, min=1)] = None,
    by_distance: Annotated[bool, option("--by-distance", "Show links by their length.")] = False,
    by_direction: Annotated[
        bool, option("--by-direction", "Show links by the side of the head, and NED.")
    ] = False,
    by_tag: Annotated[bool, option("--by-tag", "Show the scores of each tag.")] = False,
    by_relation: Annotated[
        bool, option("--by-relation", "Show the scores of each relation of the treebank.")
    ] = False,
    format: FormatOption = None,
    as_json: AsJson = False,
) -> None:
    from fstce.evaluation import parsing as evaluation

    parser = load(model, "parser", **decoding)
    preparation = options.preparation(parser.preparation_, max_length)
    treebank = preparation.apply(preparation.iterate(corpus, format), heads="required", faulty="drop")
    treebanks.check_some(treebank, corpus)
    _tell_left_out(treebank, max_length)
    rows = [sentence.tags or () for sentence in treebank]
    gold = [sentence.heads or () for sentence in treebank]
    relations = _relations(treebank, corpus, by_relation)
    predicted = attachment.predict(parser, rows)
    scored = [*attachment.baseline_rows(gold), ("model", evaluation.attachment(gold, predicted))]
    if as_json:
        print(json.dumps(attachment.record(scored, gold, predicted, rows, relations), ensure_ascii=False))
        return
    attachment.show(scored)
    if by_distance:
        print()
        attachment.show_by_distance(gold, predicted)
    if by_direction:
        print()
        attachment.show_by_direction(gold, predicted)
        note(f"neutral edge direction: {evaluation.neutral_edge_direction(gold, predicted):.1f} %")
    if by_tag:
        print()
        attachment.show_by_tag(gold, predicted, rows)
    if by_relation and relations is not None:
        print()
        attachment.show_by_tag(gold, predicted, relations, "relation")


def _relations(treebank: DependencyCorpus, spec: str, wanted: bool) -> list[tuple[str, ...]] | None:
    """The relations of the words that are scored; None where a sentence has none."""
    rows = []
    for sentence in treebank:
        names = sentence.original.deprels
        if names is None:
            if wanted:
                raise CorpusError(f"{spec}: {sentence.source or 'a sentence'} has no relations to score by")
            return None
        rows.append(tuple(names[place] for place in sentence.kept))
    return rows


def _tell_left_out(treebank: DependencyCorpus, max_length: int | None) -> None:
    dropped = treebanks.left_out(treebank, max_length)
    if dropped:
        note(f"left out of {treebank.n_read:,} sentences: {dropped}")
    if treebank.faults:
        note(f"left out: {treebanks.first_fault(treebank.faults)}")
