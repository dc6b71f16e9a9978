"""``fstce tagger evaluate``: a tagger against a tagged corpus, chance and other taggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, Model, helped, option
from fstce.console.output import Sheet, interval, report
from fstce.console.reading import reading
from fstce.console.texts import gold_of
from fstce.corpora import TagDictionary
from fstce.evaluation import Accuracy, random_accuracy, tagging_accuracy
from fstce.evaluation import tagging as evaluation
from fstce.numeric.types import Rows
from fstce.tagging.readings import ReadingTags
from fstce.tagging.tagger import Tagger
from fstce.tagging.verbs.training import TaggedText, TaggerDecoding

Scored = list[tuple[str, "Accuracy"]]


@helped("""Score a tagger on a tagged corpus.

A word is ambiguous if the model's dictionary lets it take more than one tag; the random
row is what choosing among these by chance scores on average. Where some words are not
listed in the dictionary, a table tells listed and OOV ones apart, with 95 % intervals
(bootstrap over sentences). With --against, the difference of two taggers in points, with its
interval and the p of a paired test (approximate randomization over sentences), and the words on
which they differ.

\b
Examples:
  fstce tagger evaluate model sample
  fstce tagger evaluate model nltk:treebank --coarse --confusions 20
  fstce tagger evaluate model test.conllu --json
  fstce tagger evaluate model test.conllu --against other
""")
def evaluate(
    model: Model,
    corpus: Corpus,
    decoding: TaggerDecoding,
    text: TaggedText,
    against: Annotated[
        Path | None,
        option("--against MODEL", "A second tagger: where the two differ, and how surely."),
    ] = None,
    confusions: Annotated[
        int, option("--confusions N", "How many of the most frequent errors are shown.", min=0)
    ] = 10,
    as_json: AsJson = False,
) -> None:
    tagger = load(model, "tagger", **decoding)
    reading().tag_column = reading().column_of(tagger)
    sentences = ReadingTags(tagger.reading_tags).as_gold(text.read(corpus))
    gold = gold_of(sentences, tagger.tags_)
    dictionary = tagger.dictionary_
    predicted = tagger.predict(sentences)
    tags_of_model = {"model": predicted}
    record: dict[str, Any] = {}
    compared: list[Sheet] = []

    if against is not None:
        rival = load(against, "tagger", **decoding)
        gold_of(sentences, rival.tags_)
        theirs = tags_of_model["against"] = rival.predict(sentences)
        points = evaluation.compare_taggings(sentences, gold, predicted, theirs, dictionary)
        right, apart = evaluation.disagreements(gold, predicted, theirs, confusions)
        columns = ("gold", "model", "against", "words")
        differing = [dict(zip(columns, row, strict=True)) for row in apart]
        record["comparison"] = {**points, "right": right, "differences": differing}
        compared = _comparison(points, right, apart)

    rows = scored(tags_of_model, sentences, gold, dictionary)
    record |= {"words": rows[0][1].n_all, "ambiguous_words": rows[0][1].n_ambiguous}
    record |= {name: {"ambiguous": a.ambiguous, "all": a.all} for name, a in rows}

    groups = evaluation.accuracy_by_listing(sentences, gold, predicted, dictionary)
    listing = []
    for name, group in groups.items() if groups["OOV"].n else ():
        low_to_high = interval(group.low, group.high)
        listing.append((name, group.n, group.random, group.model, low_to_high))
    record["by_listing"] = groups

    errors = evaluation.confusions(gold, predicted, confusions)
    record["confusions"] = [{"gold": gold, "found": tag, "words": n} for gold, tag, n in errors]
    report(
        as_json,
        record,
        scores(rows),
        *compared,
        (("words", "number", "random", "model", "95 %"), listing, (4,)),
        (("gold tag", "tag found", "words"), errors),
    )


def _comparison(
    differences: Mapping[str, Any], right: Mapping[str, int], apart: Sequence[tuple[Any, ...]]
) -> list[Sheet]:
    """Two taggers as tables: their difference in points, who is right, and on which tags."""
    points = [
        (
            f"{name} words",
            f"{one.difference:+.2f}",
            f"{one.low:+.2f} to {one.high:+.2f}",
            f"{one.p:.3f}",
        )
        for name, one in differences.items()
    ]
    sides = (str(sum(right.values())), *right.values())
    return [
        (("model − against", "points", "95 %", "p"), points, (1, 2, 3)),
        (("words that differ", "model right", "against right", "neither"), [sides]),
        (("gold tag", "model", "against", "words"), apart),
    ]


def trained_rows(tagger: Tagger, sentences: Rows, gold: Rows) -> Scored:
    """Chance, the weights at which training starts, and the trained weights."""
    decoder, tokens = tagger._decoder(sentences)
    taggings = decoder.taggings(tokens, tagger.initial_weights())
    trained, untrained = ([*map(tagger._named, tagging)] for tagging in taggings)
    rows = {"untrained": untrained, "trained": trained}
    return scored(rows, sentences, gold, tagger.dictionary_)


def scored(found: Mapping[str, Rows], sentences: Rows, gold: Rows, known: TagDictionary) -> Scored:
    """Chance, and the tags that were found, by the names of what has found them."""
    rows = [(name, tagging_accuracy(sentences, gold, tags, known)) for name, tags in found.items()]
    return [("random", random_accuracy(sentences, gold, known)), *rows]


def scores(rows: Scored) -> Sheet:
    """Percentages of ambiguous and of all words as a table, a row a model."""
    first = rows[0][1]
    header = ("", f"% of {first.n_ambiguous:,} ambiguous words", f"% of all {first.n_all:,} words")
    return header, [(name, a.ambiguous, a.all) for name, a in rows]
