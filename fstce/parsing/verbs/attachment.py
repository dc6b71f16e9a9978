"""Attachment scores beside those of trees that need no grammar, as tables and as JSON."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fstce.console.output import percent, plain, table

if TYPE_CHECKING:
    from fstce.evaluation import Attachment
    from fstce.numeric.types import Rows
    from fstce.parsing.parser import DependencyParser

BATCH = 500
Trees = Sequence[Sequence[int]]
Scored = list[tuple[str, "Attachment"]]


def predict(parser: DependencyParser, rows: Rows) -> list[tuple[int, ...]]:
    """The heads of any number of sentences, so many at a time that their charts stay small."""
    return [heads for at in range(0, len(rows), BATCH) for heads in parser.predict(rows[at : at + BATCH])]


def baseline_rows(gold: Trees) -> Scored:
    """Every word attached to the next, or to the previous one."""
    from fstce.evaluation import attach_next, attachment
    from fstce.evaluation.parsing import attach_previous

    return [
        ("attach to next", attachment(gold, [attach_next(len(heads)) for heads in gold])),
        ("attach to previous", attachment(gold, [attach_previous(len(heads)) for heads in gold])),
    ]


def trained_rows(parser: DependencyParser, rows: Rows, gold: Trees) -> Scored:
    """The baselines, the weights at which training starts, and the trained weights."""
    from fstce.evaluation import attachment

    untrained = copy.copy(parser)
    theta = parser.initial_weights()
    # Uniform distributions weigh all trees alike but for the last bit; zeros are a tie to the bit.
    untrained.theta_ = 0 * theta if parser.recipe.start == "uniform" else theta
    return [
        *baseline_rows(gold),
        ("untrained", attachment(gold, predict(untrained, rows))),
        ("trained", attachment(gold, predict(parser, rows))),
    ]


def show(rows: Scored) -> None:
    """Print percentages, a row a way of parsing."""
    first = rows[0][1]
    table(
        (
            f"% of {first.n_words:,} words",
            "directed",
            "undirected",
            f"root of {first.n_sentences:,} sentences",
            "all heads",
        ),
        [(name, *map(percent, (a.directed, a.undirected, a.root, a.exact))) for name, a in rows],
        numbers=(1, 2, 3, 4),
    )


def show_by_distance(gold: Trees, predicted: Trees) -> None:
    """Print precision and recall of the links of each length."""
    from fstce.evaluation.parsing import by_distance

    rows = [
        (
            "root" if not length else str(length),
            percent(s.precision),
            percent(s.recall),
            f"{s.n_predicted:,}",
            f"{s.n_gold:,}",
        )
        for length, s in by_distance(gold, predicted).items()
    ]
    table(("distance", "precision", "recall", "links found", "links in gold"), rows, numbers=(0, 1, 2, 3, 4))


def show_by_tag(gold: Trees, predicted: Trees, tags: Rows, what: str = "tag") -> None:
    """Print the scores of the words of each tag, or of each relation."""
    from fstce.evaluation.parsing import by_tag

    rows = [
        (tag, percent(score.directed), percent(score.undirected), f"{score.n_words:,}")
        for tag, score in by_tag(gold, predicted, tags).items()
    ]
    table((what, "directed", "undirected", "words"), rows, numbers=(1, 2, 3))


def show_by_direction(gold: Trees, predicted: Trees) -> None:
    """Print precision and recall of the links to each side."""
    from fstce.evaluation.parsing import by_direction

    rows = [
        (name, percent(s.precision), percent(s.recall), f"{s.n_predicted:,}", f"{s.n_gold:,}")
        for name, s in by_direction(gold, predicted).items()
    ]
    table(("head", "precision", "recall", "links found", "links in gold"), rows, numbers=(1, 2, 3, 4))


def record(
    rows: Scored, gold: Trees, predicted: Trees, tags: Rows, relations: Rows | None = None
) -> dict[str, Any]:
    """All scores as JSON has them."""
    from fstce.evaluation.parsing import by_direction, by_distance, by_tag, neutral_edge_direction

    first = rows[0][1]
    return {
        "words": first.n_words,
        "sentences": first.n_sentences,
        **{
            name.replace(" ", "_"): {
                "directed": a.directed,
                "undirected": a.undirected,
                "root": a.root,
                "exact": a.exact,
            }
            for name, a in rows
        },
        "by_distance": [
            {"distance": length, **_plain(score)} for length, score in by_distance(gold, predicted).items()
        ],
        "neutral_edge_direction": neutral_edge_direction(gold, predicted),
        "by_direction": [
            {"head": name, **_plain(score)} for name, score in by_direction(gold, predicted).items()
        ],
        "by_tag": [{"tag": tag, **_plain(score)} for tag, score in by_tag(gold, predicted, tags).items()],
        "by_relation": None
        if relations is None
        else [
            {"relation": name, **_plain(score)} for name, score in by_tag(gold, predicted, relations).items()
        ],
    }


def _plain(scores: Any) -> dict[str, Any]:
    return {name: plain(value) for name, value in scores._asdict().items()}
