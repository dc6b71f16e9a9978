"""How single grammars differ from each other: what they are good at, how they share out subcategories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fstce.evaluation.bracket_scores import CategoryCounts
from fstce.reporting import Table
from fstce.reproduction.products_scores import Cell, Scored, exact, f1
from fstce.reproduction.products_trials import PARTS

# As many grammars, labels and symbols as the paper shows, and the least gold brackets of a label.
_GRAMMARS, _LABELS, _SYMBOLS, _LEAST = 4, 6, 4, 20


def breakdown(scored: Scored) -> Table:
    """F1 over all, exact match and F1 by label, of single grammars and a product (Petrov 2010, Figure 4)."""
    seeds = scored.plan.seeds[:_GRAMMARS]
    ways = [(f"seed {seed}", [seed], "single") for seed in seeds]
    sizes = [size for size in scored.sizes("product") if size > 1]
    ways += [(f"product of {size}", scored.first(size), "product") for size in sizes]
    columns, rows = ["part", "grammar", "F1", "exact match"], list[Sequence[Cell]]()
    for part in PARTS:
        found = {name: scored.result(part, members, way) for name, members, way in ways}
        known = {name: result for name, result in found.items() if result and result.get("labels")}
        if not known:
            continue
        labels = _frequent(next(iter(known.values()))["labels"])
        columns += [label for label in labels if label not in columns]
        for name, members, way in ways:
            if name in known:
                counts = scored.counts(part, members, way)
                of_labels = known[name]["labels"]
                cells = [_f1(of_labels.get(label)) for label in columns[4:]]
                rows.append([part, name, f1(counts), exact(counts), *cells])
    filled = [[*row, *[None] * (len(columns) - len(row))] for row in rows]
    note = (
        "F1 of labels over sentences of all lengths, those with most gold brackets. Petrov (2010), Figure 4: "
        "no grammar is the best at everything, the product of four is above each at all."
    )
    return Table("breakdown", "What grammars are good at", columns, filled, note)


def _frequent(labels: Mapping[str, Sequence[int]]) -> list[str]:
    order = sorted(labels, key=lambda label: (-labels[label][0], label))
    return [label for label in order if labels[label][0] >= _LEAST][:_LABELS]


def _f1(counts: Sequence[int] | None) -> float | None:
    return None if counts is None else float(CategoryCounts(*counts).f1)


def shares(scored: Scored) -> Table:
    """The most frequent subcategories of some symbols by grammar (Petrov 2010, Figure 2)."""
    trained = list(scored.trainings().items())[:_GRAMMARS]
    known = {seed: record["result"]["shares"] for seed, record in trained if "shares" in record["result"]}
    rows = [
        [symbol, f"seed {seed}", *(100 * share for share in of_symbols[symbol])]
        for symbol in _split_most(known)
        for seed, of_symbols in known.items()
    ]
    width = max((len(row) for row in rows), default=2)
    filled = [[*row, *[None] * (width - len(row))] for row in rows]
    note = (
        "Percent of a symbol's occurrences that are its most frequent subcategory, its second, and so on: "
        "the grammars share them out differently (Petrov 2010, Figure 2). Symbols that are split most."
    )
    columns = ["symbol", "grammar", *(str(number) for number in range(1, width - 1))]
    return Table("shares", "Shares of subcategories", columns, filled, note)


def _split_most(known: Mapping[int, Mapping[str, Any]]) -> list[str]:
    """The symbols, intermediate ones left out, whose greatest subcategory is smallest on the mean."""
    first: Mapping[str, Any] = next(iter(known.values()), {})
    names = [name for name in first if not name.startswith("@") and sum(first[name][1:])]
    largest = {name: sum(of[name][0] for of in known.values()) for name in names}
    return sorted(names, key=lambda name: (largest[name], name))[:_SYMBOLS]
