"""``fstce tagger evaluate``: a tagger against a tagged corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from fstce.console.models import load
from fstce.console.options import AsJson, Corpus, Model, helped, option
from fstce.console.output import percent, plain, table
from fstce.console.texts import gold_of
from fstce.tagging.verbs import scores
from fstce.tagging.verbs.training_text import TaggedText, TaggerDecoding

if TYPE_CHECKING:
    from fstce.evaluation import ScoreDifference
    from fstce.evaluation.tagging import GroupAccuracy

Confusions = list[tuple[str, str, int]]
Groups = dict[str, "GroupAccuracy"]


class Duel(NamedTuple):
    """Two taggers on the same words: differences in points, and where they differ."""

    comparisons: dict[str, ScoreDifference]
    right: dict[str, int]
    apart: list[tuple[str, str, str, int]]

    @property
    def n(self) -> int:
        """The words on which they differ."""
        return sum(self.right.values())

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **{
                name: {key: plain(value) for key, value in one._asdict().items()}
                for name, one in self.comparisons.items()
            },
            "right": self.right,
            "differences": [
                {"gold": gold, "model": one, "against": other, "words": n}
                for gold, one, other, n in self.apart
            ],
        }


@helped("""Score a tagger on a tagged corpus.

A word is ambiguous if the model's dictionary lets it take more than one tag; the random
row is what choosing among these by chance scores on average. Where some words are not
listed in the dictionary, a table tells listed and unlisted ones apart, with 95 % intervals
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
        Path | None, option("--against MODEL", "A second tagger: where the two differ, and how surely.")
    ] = None,
    confusions: Annotated[
        int, option("--confusions N", "How many of the most frequent errors are shown.", min=0)
    ] = 10,
    as_json: AsJson = False,
) -> None:
    from fstce.evaluation import tagging as evaluation

    sentences = text.read(corpus)
    tagger = load(model, "tagger", **decoding)
    gold = gold_of(sentences, tagger.tags_)
    found = tagger.predict(sentences)
    rival = None if against is None else load(against, "tagger", **decoding)
    rows = [
        ("random", evaluation.random_accuracy(sentences, gold, tagger.dictionary_)),
        ("model", evaluation.tagging_accuracy(sentences, gold, found, tagger.dictionary_)),
    ]
    groups = evaluation.accuracy_by_listing(sentences, gold, found, tagger.dictionary_)
    errors = evaluation.confusions(gold, found, confusions)
    duel = None
    if rival is not None:
        gold_of(sentences, rival.tags_)
        theirs = rival.predict(sentences)
        rows.append(("against", evaluation.tagging_accuracy(sentences, gold, theirs, tagger.dictionary_)))
        duel = Duel(
            evaluation.compare_taggings(sentences, gold, found, theirs, tagger.dictionary_),
            *evaluation.disagreements(gold, found, theirs, confusions),
        )
    if as_json:
        print(json.dumps(_record(rows, groups, errors, duel), ensure_ascii=False))
    else:
        _show(rows, groups, errors, duel)


def _show(rows: scores.Scored, groups: Groups, errors: Confusions, duel: Duel | None) -> None:
    scores.show(rows)
    if duel is not None:
        _show_duel(duel)
    if groups["unlisted"].n:
        print()
        table(("words", "number", "random", "model", "95 %"), list(map(_row, groups.items())), (1, 2, 3, 4))
    if errors:
        print()
        table(("gold tag", "tag found", "words"), [(g, f, f"{n:,}") for g, f, n in errors], numbers=(2,))


def _show_duel(duel: Duel) -> None:
    print()
    sizes = [
        (f"{name} words", f"{one.difference:+.2f}", f"{one.low:+.2f} to {one.high:+.2f}", f"{one.p:.3f}")
        for name, one in duel.comparisons.items()
    ]
    table(("model − against", "points", "95 %", "p"), sizes, (1, 2, 3))
    print()
    which = (f"{duel.right[name]:,}" for name in ("first", "second", "neither"))
    table(
        ("words that differ", "model right", "against right", "neither"), [(str(duel.n), *which)], (1, 2, 3)
    )
    if duel.apart:
        print()
        shown = [(*tags, f"{n:,}") for *tags, n in duel.apart]
        table(("gold tag", "model", "against", "words"), shown, (3,))


def _row(group: tuple[str, GroupAccuracy]) -> tuple[str, ...]:
    """A line of the table of listed and unlisted words."""
    name, found = group
    interval = f"{percent(found.low)} to {percent(found.high)}" if found.n else "–"
    return name, f"{found.n:,}", percent(found.random), percent(found.model), interval


def _record(rows: scores.Scored, groups: Groups, errors: Confusions, duel: Duel | None) -> dict[str, Any]:
    found = {} if duel is None else {"comparison": duel.to_dict()}
    return {
        **found,
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
