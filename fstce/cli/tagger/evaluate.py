"""``fstce tagger evaluate``: a tagger against a tagged corpus."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fstce.cli.decoding import TaggerDecoding
from fstce.cli.kinds import load
from fstce.cli.options import AsJson, Coarse, Corpus, FormatOption, Model, Words, option
from fstce.cli.output import plain, table
from fstce.cli.tagger import scores
from fstce.cli.texts import gold_of, read

Confusions = list[tuple[str, str, int]]


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
    row is what choosing among these by chance scores on average.

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
    errors = evaluation.confusions(gold, found, confusions)
    if as_json:
        print(json.dumps(_record(rows, errors), ensure_ascii=False))
    else:
        _show(rows, errors)


def _show(rows: scores.Scored, errors: Confusions) -> None:
    scores.show(rows)
    if errors:
        print()
        table(("gold tag", "tag found", "words"), [(g, f, f"{n:,}") for g, f, n in errors], numbers=(2,))


def _record(rows: scores.Scored, errors: Confusions) -> dict[str, Any]:
    return {
        "words": rows[0][1].n_all,
        "ambiguous_words": rows[0][1].n_ambiguous,
        **{name: {"ambiguous": plain(a.ambiguous), "all": plain(a.all)} for name, a in rows},
        "confusions": [{"gold": gold, "found": found, "words": n} for gold, found, n in errors],
    }
