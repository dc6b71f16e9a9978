"""Scores of phrase-structure trees as tables and as JSON: EVALB's figures, limited in length and of all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fstce.cli.options import Format
from fstce.cli.output import note, percent, table
from fstce.cli.parse_latent import predicted, wished
from fstce.cli.train_latent import read_trees

if TYPE_CHECKING:
    from fstce.corpora import Sentence, Tree
    from fstce.evaluation import BracketCounts, BracketScores

CUTOFF = 40
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


class Wishes(NamedTuple):
    """How brackets are scored and shown.

    Attributes
    ----------
    corpus : str
        The gold trees.
    format : Format or None
    max_length : int or None
        The limit of the first scores; 40 if it is not given.
    as_json, by_category : bool
    parsing : mapping
        The options with which a grammar parses.
    """

    corpus: str
    format: Format | None
    max_length: int | None
    as_json: bool
    by_category: bool
    parsing: Mapping[str, Any]


def evaluate_grammar(model: Path, wishes: Wishes) -> None:
    """Parse the words of a treebank and compare with its trees."""
    parser = wished(model, wishes.parsing)
    sentences = read_trees(wishes.corpus, wishes.format)
    show(_trees(sentences), predicted(parser, sentences), wishes)


def evaluate_trees(found: Path, wishes: Wishes) -> None:
    """Compare the trees of two files."""
    show(
        _trees(read_trees(wishes.corpus, wishes.format)),
        _trees(read_trees(str(found), wishes.format)),
        wishes,
    )


def _trees(sentences: Sequence[Sentence]) -> list[Tree]:
    return [sentence.tree for sentence in sentences if sentence.tree is not None]


def show(gold: Sequence[Tree], found: Sequence[Tree], wishes: Wishes) -> None:
    """Print the scores of sentences up to 40 words (or ``--max-length``) and of all.

    Raises
    ------
    CorpusError
        The trees are not of the same words.
    """
    from fstce.evaluation import evalb_scores

    cutoff = wishes.max_length or CUTOFF
    scores = evalb_scores(gold, found, disagreement="gold")
    sides = {f"≤ {cutoff} words": scores.up_to(cutoff), "all": scores}
    if wishes.as_json:
        print(json.dumps(_record(sides, cutoff), ensure_ascii=False))
        return
    _show_totals(sides)
    if wishes.by_category:
        print()
        _show_categories(scores)
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
        found[name] = {"sentences": len(scores)}
        for _, score in _ROWS:
            value, low, high = map(_plain, interval(scores, score))
            found[name][score.replace(".", "_")] = {"value": value, "low": low, "high": high}
    found["by_category"] = {
        name: {"gold": c.gold, "found": c.predicted, "f1": _plain(c.f1)}
        for name, c in sides["all"].by_category().items()
    }
    return found


def _plain(value: float) -> float | None:
    return None if value != value else value
