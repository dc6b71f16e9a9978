"""``fstce evaluate``: a tagger against a tagged corpus, a parser or trees against a treebank."""

from __future__ import annotations

import json
import math
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fstce.cli import attachment, scores, treebanks
from fstce.cli.bracket_scores import Wishes, evaluate_grammar, evaluate_trees
from fstce.cli.options import Coarse, Corpus, Format, FormatOption, Words
from fstce.cli.output import note, table
from fstce.cli.parse_kinds import TAKEN, kind_of
from fstce.cli.parse_options import CombinationOption, ObjectiveOption
from fstce.cli.texts import gold_of, read
from fstce.cli.treebanks import (
    MAX_LENGTH_HELP,
    CurrencyOfModel,
    Preparation,
    Punctuation,
    TagColumnOption,
    TagsOfModel,
    TagSource,
)
from fstce.errors import ParameterError

if TYPE_CHECKING:
    from fstce.corpora import DependencyCorpus
    from fstce.parsing.parser import DependencyParser

Confusions = list[tuple[str, str, int]]


class AnyDecoder(str, Enum):
    """How a tagger or a parser chooses."""

    viterbi = "viterbi"
    posterior = "posterior"
    minimum_risk = "minimum-risk"


def evaluate(
    model: Annotated[
        Path,
        typer.Argument(
            help="A folder that fstce train, train-parser or train-grammar has written, or a file of trees.",
            show_default=False,
        ),
    ],
    corpus: Corpus,
    words: Words = None,
    coarse: Coarse = False,
    confusions: Annotated[
        int, typer.Option("--confusions", min=0, help="How many of the most frequent errors are shown.")
    ] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    decoder: Annotated[
        AnyDecoder,
        typer.Option(
            "--decoder", help="The best as a whole; of a tagger also posterior, of a parser minimum-risk."
        ),
    ] = AnyDecoder.viterbi,
    format: FormatOption = None,
    max_length: Annotated[
        int | None,
        typer.Option(
            "--max-length",
            min=1,
            help=f"For a dependency parser: {MAX_LENGTH_HELP} For phrases: the limit of the first scores.",
        ),
    ] = None,
    tags: TagsOfModel = None,
    tag_column: TagColumnOption = None,
    currency: CurrencyOfModel = None,
    punctuation: Punctuation = None,
    by_distance: Annotated[
        bool, typer.Option("--by-distance", help="Show a parser's links by their length.")
    ] = False,
    by_tag: Annotated[bool, typer.Option("--by-tag", help="Show a parser's scores by tag.")] = False,
    by_category: Annotated[
        bool, typer.Option("--by-category", help="Show the scores of phrases by category.")
    ] = False,
    objective: ObjectiveOption = None,
    combination: CombinationOption = None,
) -> None:
    """Score a tagger on a tagged corpus, a parser or trees on a treebank.

    Of a tagger: a word is ambiguous if the model's dictionary lets it take more than one tag; the
    random row is what choosing among these by chance scores on average. Of a parser: the
    share of words, without punctuation, with the right head (directed), or joined with the
    right word (undirected), and of sentences with the right root, and with all heads right. Of
    a latent grammar, which sees words alone, and of a file of trees against another: EVALB's
    figures with intervals, for sentences of at most 40 words and for all.

    \b
    Examples:
      fstce evaluate model sample
      fstce evaluate model nltk:treebank --words 24000 --coarse --confusions 20
      fstce evaluate model test.conllu --json
      fstce evaluate parser test.conllu --max-length 10 --by-distance --by-tag
      fstce evaluate grammar test.mrg --by-category
      fstce evaluate parsed.mrg test.mrg
    """
    brackets = model.is_file() or kind_of(model) in TAKEN
    if brackets:
        given: dict[str, Any] = {
            "--words": words,
            "--coarse": coarse,
            "--decoder": decoder is not AnyDecoder.viterbi,
            "--tags": tags,
            "--tag-column": tag_column,
            "--currency": currency is not None,
            "--punctuation": punctuation,
            "--by-distance": by_distance,
            "--by-tag": by_tag,
        }
        parsing = {
            "--objective": objective and objective.value,
            "--combination": combination and combination.value,
        }
        _evaluate_brackets(model, Wishes(corpus, format, max_length, as_json, by_category, parsing), given)
        return
    if objective or combination or by_category:
        raise ParameterError(
            f"{model} is a {kind_of(model)}: --objective, --combination and --by-category are for latent "
            "grammars and files of trees"
        )
    if attachment.is_parser(model):
        from fstce.parsing.parser import DependencyParser

        parser = DependencyParser.load(model)
        source = TagSource.coarse if coarse else tags
        preparation = Preparation.of_model(
            parser.preparation_, source, tag_column, currency, punctuation, max_length
        )
        if words is not None:
            raise ParameterError("--words is for taggers; a parser takes the sentences of --max-length")
        parser.set_params(decoder=decoder.value)
        _evaluate_parser(parser, corpus, format, preparation, as_json, by_distance, by_tag)
        return
    if max_length is not None or tag_column is not None or punctuation is not None or by_distance or by_tag:
        raise ParameterError(
            f"{model} is a tagger: --max-length, --tag-column, --punctuation, --by-distance and --by-tag "
            "are for parsers"
        )
    _evaluate_tagger(model, read(corpus, format, words, coarse), decoder, confusions, as_json)


def _evaluate_brackets(model: Path, wishes: Wishes, given: dict[str, Any]) -> None:
    """Score a latent grammar, or a file of trees; refuse what is for other models."""
    taken = frozenset() if model.is_file() else TAKEN[kind_of(model)]
    given |= {name: value for name, value in wishes.parsing.items() if name not in taken}
    wrong = next((name for name, value in given.items() if value), None)
    if wrong is not None:
        what = "a file of trees" if model.is_file() else f"a {kind_of(model)}"
        raise ParameterError(f"{model} is {what}, for which {wrong} means nothing; leave it out")
    if model.is_file():
        evaluate_trees(model, wishes)
    else:
        evaluate_grammar(model, wishes)


def _evaluate_tagger(
    model: Path, sentences: Any, decoder: AnyDecoder, confusions: int, as_json: bool
) -> None:
    from fstce import evaluation
    from fstce.tagging.tagger import Tagger

    tagger = Tagger.load(model).set_params(decoder=decoder.value)
    gold = gold_of(sentences, tagger.tags_)
    found = tagger.predict(sentences)
    rows = [
        ("random", evaluation.random_accuracy(sentences, gold, tagger.dictionary_)),
        ("model", evaluation.tagging_accuracy(sentences, gold, found, tagger.dictionary_)),
    ]
    errors = evaluation.confusions(gold, found, confusions)
    if as_json:
        print(json.dumps(_record(rows, errors), ensure_ascii=False))
    else:
        _show(rows, errors)


def _evaluate_parser(
    parser: DependencyParser,
    corpus: str,
    format: Format | None,
    preparation: Preparation,
    as_json: bool,
    by_distance: bool,
    by_tag: bool,
) -> None:
    from fstce import evaluation

    treebank = preparation.apply(preparation.iterate(corpus, format), heads="required", faulty="drop")
    treebanks.check_some(treebank, corpus)
    _tell_left_out(treebank, preparation.max_length)
    tags = [sentence.tags or () for sentence in treebank]
    gold = [sentence.heads or () for sentence in treebank]
    found = attachment.predict(parser, tags)
    rows = [*attachment.baseline_rows(gold), ("model", evaluation.attachment(gold, found))]
    if as_json:
        print(json.dumps(attachment.record(rows, gold, found, tags), ensure_ascii=False))
        return
    attachment.show(rows)
    if by_distance:
        print()
        attachment.show_by_distance(gold, found)
    if by_tag:
        print()
        attachment.show_by_tag(gold, found, tags)


def _tell_left_out(treebank: DependencyCorpus, max_length: int | None) -> None:
    dropped = treebanks.left_out(treebank, max_length)
    if dropped:
        note(f"left out of {treebank.n_read:,} sentences: {dropped}")
    if treebank.faults:
        note(f"left out: {treebanks.first_fault(treebank.faults)}")


def _show(rows: scores.Scored, errors: Confusions) -> None:
    scores.show(rows)
    if errors:
        print()
        table(("gold tag", "tag found", "words"), [(g, f, f"{n:,}") for g, f, n in errors], numbers=(2,))


def _record(rows: scores.Scored, errors: Confusions) -> dict[str, Any]:
    return {
        "words": rows[0][1].n_all,
        "ambiguous_words": rows[0][1].n_ambiguous,
        **{name: {"ambiguous": _number(a.ambiguous), "all": _number(a.all)} for name, a in rows},
        "confusions": [{"gold": gold, "found": found, "words": n} for gold, found, n in errors],
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
