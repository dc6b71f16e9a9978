"""``fstce latent evaluate``: EVALB's figures of a grammar or of a file of trees."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fstce.console.options import AsJson, Corpus, FormatOption, argument, helped, option
from fstce.console.output import count, note, percent, plain, table
from fstce.console.phrases import read_parsed, read_trees, trees_of
from fstce.console.reading import reading
from fstce.errors import ParameterError
from fstce.latent.verbs.parse import GrammarDecoding, loaded, predicted

if TYPE_CHECKING:
    from fstce.corpora import Tree
    from fstce.evaluation.bracket_scores import BracketCounts, BracketScores

_ROWS = (
    ("labelled precision", "precision"),
    ("labelled recall", "recall"),
    ("labelled F1", "f1"),
    ("exact match", "exact"),
    ("unlabelled F1", "unlabelled.f1"),
    ("average crossing", "average_crossing"),
    ("no crossing", "without_crossing"),
    ("two or less crossing", "two_or_less_crossing"),
    ("tagging accuracy", "tagging_accuracy"),
)


@helped("""Score a latent grammar, or trees in a file, on a treebank.

A grammar sees words alone. EVALB's figures with intervals, for sentences of at most
--max-length words and for all.

\b
Examples:
  fstce latent evaluate model test.mrg
  fstce latent evaluate model test.mrg --by-category
  fstce latent evaluate parsed.mrg test.mrg --json
""")
def evaluate(
    model: Annotated[Path, argument("MODEL", "The folder of a model, or a file of its trees.")],
    corpus: Corpus,
    decoding: GrammarDecoding,
    max_length: Annotated[
        int, option("--max-length N", "The most words of a sentence of the first scores.", min=1)
    ] = 40,
    by_category: Annotated[bool, option("--by-category", "Show the scores of each category.")] = False,
    format: FormatOption = None,
    as_json: AsJson = False,
) -> None:
    sentences = read_trees(corpus, format)
    if not model.is_file():
        parsed: Sequence[Tree | None] = predicted(loaded(model, decoding), sentences)
    elif not decoding:
        parsed = read_parsed(model)
    else:
        raise ParameterError(
            f"{model} is a file of trees: --objective and --combination are for a grammar that parses"
        )
    show(trees_of(sentences), parsed, max_length, as_json, by_category)


def show(
    gold: Sequence[Tree], parsed: Sequence[Tree | None], cutoff: int, as_json: bool, by_category: bool
) -> None:
    """Print the scores of sentences up to so many words and of all."""
    from fstce.evaluation import evalb_scores

    scores = evalb_scores(gold, parsed, disagreement="gold")
    sides = {f"≤ {cutoff} words": scores.up_to(cutoff), "all": scores}
    if as_json:
        print(json.dumps(_record(sides, cutoff), ensure_ascii=False))
        return
    _show_totals(sides)
    skipped = scores.total().skipped
    if skipped and not reading().quiet:
        note(f"{count(skipped, 'sentence')} without a parse: left out of all figures, as by EVALB")
    if by_category:
        print()
        _show_categories(scores)
    if not reading().quiet:
        note("a word is punctuation if its gold tag says so; intervals: 95 %, bootstrap over sentences")


def _show_totals(sides: Mapping[str, BracketScores[BracketCounts]]) -> None:
    header, columns = [""], []
    for name, scores in sides.items():
        header += [name, "95 %"]
        columns.append([f"{len(scores):,}", "", *(cell for row in _ROWS for cell in _cells(scores, row[1]))])
    names = ["sentences", *(name for name, _ in _ROWS)]
    rows = [
        (name, *(cell for column in columns for cell in column[2 * i : 2 * i + 2]))
        for i, name in enumerate(names)
    ]
    table(header, rows, numbers=(1, 3))


def _cells(scores: BracketScores[BracketCounts], name: str) -> tuple[str, str]:
    """A score and its interval, as text."""
    value, low, high = interval(scores, name)
    if name == "average_crossing":
        return f"{value:.2f}", f"{low:.2f}–{high:.2f}"
    return percent(value), f"{percent(low)}–{percent(high)}"


def interval(scores: BracketScores[BracketCounts], name: str) -> tuple[float, float, float]:
    """A score and the ends of its interval; NaN of no sentences."""
    from fstce.evaluation import bootstrap

    if not len(scores):
        return float("nan"), float("nan"), float("nan")
    return bootstrap(scores.matrix, scores.statistic(name))[:3]


def _show_categories(scores: BracketScores[BracketCounts]) -> None:
    rows = [
        (name, f"{c.gold:,}", f"{c.predicted:,}", *map(percent, (c.precision, c.recall, c.f1)))
        for name, c in scores.by_category().items()
    ]
    header = ("category", "gold", "found", "precision", "recall", "F1")
    table(header, rows, numbers=(1, 2, 3, 4, 5))


def _record(sides: Mapping[str, BracketScores[BracketCounts]], cutoff: int) -> dict[str, Any]:
    found: dict[str, Any] = {"max_length": cutoff}
    for name, scores in zip(("short", "all"), sides.values(), strict=True):
        found[name] = {"sentences": len(scores), "without_parse": scores.total().skipped}
        for _, score in _ROWS:
            value, low, high = map(plain, interval(scores, score))
            found[name][score.replace(".", "_")] = {"value": value, "low": low, "high": high}
    found["by_category"] = {
        name: {"gold": c.gold, "found": c.predicted, "f1": plain(c.f1)}
        for name, c in sides["all"].by_category().items()
    }
    return found
