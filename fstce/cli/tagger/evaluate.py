"""``fstce tagger evaluate``: a tagger against a tagged corpus."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from fstce.cli.decoding import TaggerDecoding
from fstce.cli.kinds import load
from fstce.cli.options import AsJson, Coarse, Corpus, FormatOption, Model, Words, option
from fstce.cli.output import percent, plain, table
from fstce.cli.tagger import scores
from fstce.cli.texts import gold_of, read

if TYPE_CHECKING:
    from fstce.evaluation import GroupAccuracy

Confusions = list[tuple[str, str, int]]
Groups = dict[str, "GroupAccuracy"]


def evaluate(
    model: Model,
    corpus: Corpus,
    decoding: TaggerDecoding,
    words: Words = None,
    coarse: Coarse = False,
    confusions: Annotated[
        int, option("--confusions N", "How many of the most frequent errors are shown.", min=0)
    ] = 10,
    format: FormatOption = None,
    as_json: AsJson = False,
) -> None:
    """Score a tagger on a tagged corpus.

    A word is ambiguous if the model's dictionary lets it take more than one tag; the random
    row is what choosing among these by chance scores on average. Where some words are not
    listed in the dictionary, a table tells listed and unlisted ones apart, with 95 % intervals
    (bootstrap over sentences).

    \b
    Examples:
      fstce tagger evaluate model sample
      fstce tagger evaluate model nltk:treebank --coarse --confusions 20
      fstce tagger evaluate model test.conllu --json
    """
    from fstce import evaluation

    sentences = read(corpus, format, words, coarse)
    tagger = load(model, "tagger", **decoding)
    gold = gold_of(sentences, tagger.tags_)
    found = tagger.predict(sentences)
    rows = [
        ("random", evaluation.random_accuracy(sentences, gold, tagger.dictionary_)),
        ("model", evaluation.tagging_accuracy(sentences, gold, found, tagger.dictionary_)),
    ]
    groups = evaluation.accuracy_by_listing(sentences, gold, found, tagger.dictionary_)
    errors = evaluation.confusions(gold, found, confusions)
    if as_json:
        print(json.dumps(_record(rows, groups, errors), ensure_ascii=False))
    else:
        _show(rows, groups, errors)


def _show(rows: scores.Scored, groups: Groups, errors: Confusions) -> None:
    scores.show(rows)
    if groups["unlisted"].n:
        print()
        table(("words", "number", "random", "model", "95 %"), list(map(_row, groups.items())), (1, 2, 3, 4))
    if errors:
        print()
        table(("gold tag", "tag found", "words"), [(g, f, f"{n:,}") for g, f, n in errors], numbers=(2,))


def _row(group: tuple[str, GroupAccuracy]) -> tuple[str, ...]:
    """A line of the table of listed and unlisted words."""
    name, found = group
    interval = f"{percent(found.low)} to {percent(found.high)}" if found.n else "–"
    return name, f"{found.n:,}", percent(found.random), percent(found.model), interval


def _record(rows: scores.Scored, groups: Groups, errors: Confusions) -> dict[str, Any]:
    return {
        "words": rows[0][1].n_all,
        "ambiguous_words": rows[0][1].n_ambiguous,
        **{name: {"ambiguous": plain(a.ambiguous), "all": plain(a.all)} for name, a in rows},
        "by_listing": {
            name: {
                "words": one.n,
                **{key: plain(value) for key, value in one._asdict().items() if key != "n"},
            }
            for name, one in groups.items()
        },
        "confusions": [{"gold": gold, "found": found, "words": n} for gold, found, n in errors],
    }
