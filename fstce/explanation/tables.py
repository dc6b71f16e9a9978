"""An explanation as tables, for the terminal and for a page."""

from __future__ import annotations

import numpy as np

from fstce.explanation.values import Comparison, Findings
from fstce.reporting.cells import Cell, shown
from fstce.reporting.tables import Table

LEAST = 0.005  # posteriors below this are left out
_CONTEXT = 3
_SHORT = 12


def facts(why: Findings) -> dict[str, str]:
    """The sentence, its neighborhood, and what the model makes of them."""
    which = "the most probable" if why.complete else "the best found, perhaps not the most probable"
    listed = f"{why.n_neighbors:,}; {len(why.neighbors):,} listed, {which}"
    return {
        "sentence": " ".join(why.words),
        "neighborhood": why.neighborhood,
        "neighbors": listed if why.neighbors else "none",
        "p(x | N(x))": f"{why.probability:.4g}",
        "log p(x | N(x))": f"{shown(why.whole.log_odds, 3)} nats",
    }


def neighbor_table(why: Findings, *, whole: bool = True) -> Table:
    """The sentence and its neighbors by probability; whole sentences, or only what differs."""
    rows: list[list[Cell]] = [["x", why.probability, None, _spelt(why.words, why.words, whole)]]
    for number, neighbor in enumerate(why.neighbors, 1):
        words = _spelt(neighbor.words, why.words, whole)
        rows.append([str(number), neighbor.probability, neighbor.comparison.log_odds, words])
    columns = ["", "p(y | N(x))", "log-odds of x", "sentence"]
    decimals = {columns[1]: 4, columns[2]: 3}
    note = "" if why.complete else "Among more neighbors than could be looked at one by one."
    return Table(
        "neighbors", "The most probable neighbors", columns, rows, note, align="rrrl", decimals=decimals
    )


def decision_table(comparison: Comparison, n: int, against: str = "", name: str = "features") -> Table:
    """The features that decide, and what the others add up to.

    ``against``: the neighbor's words; empty for the whole neighborhood.
    """
    other, whole = ("E in y", "log-odds") if against else ("E in N(x)", "log p(x | N(x))")
    columns = ["feature", "of", "E in x", other, "weight", "nats"]
    rows: list[list[Cell]] = [
        [one.name[0], " ".join(one.name[1:]), one.own, one.other, one.weight, one.nats]
        for one in comparison.top(n)
    ]
    added = {"entropy": comparison.entropy, "weights not learned": comparison.constant}
    if len(comparison.decisions) > n:
        added = {f"{len(comparison.decisions) - n:,} other features": comparison.rest(n), **added}
    if not abs(comparison.constant) > 1e-9:
        del added["weights not learned"]
    rows += [
        [text, "", None, None, None, value] for text, value in (*added.items(), (whole, comparison.log_odds))
    ]
    title = f"x against “{against}”" if against else "x against its whole neighborhood"
    return Table(
        name, title, columns, rows, decimals=dict.fromkeys(columns, 3), mark={(len(rows) - 1, "nats")}
    )


def reading_table(why: Findings) -> Table:
    """The posteriors at each word: the reading that the model answers with, then the others."""
    rows: list[list[Cell]] = []
    for number, (word, answer) in enumerate(zip(why.words, why.answer, strict=True)):
        chances = why.posteriors[number]
        others = [i for i in np.argsort(-chances).tolist() if i != answer and chances[i] >= LEAST]
        listed = ", ".join(f"{why.readings[i]} {chances[i]:.2f}" for i in others)
        rows.append([f"{number + 1} {word}", why.readings[answer], float(chances[answer]), listed])
    return Table("posteriors", "Posteriors at each word", ["word", "answer", "p", "others"], rows, decimals=2)


def _spelt(words: tuple[str, ...], own: tuple[str, ...], whole: bool) -> str:
    """The sentence; or of a long one what differs from the own, with three words on each side.

    >>> _spelt(tuple("abcdefghijlkmnop"), tuple("abcdefghijklmnop"), False)
    '… h i j l k m n o …'
    """
    if whole or words == own or len(words) <= _SHORT:
        return " ".join(words)
    alike = [a == b for a, b in zip(words, own, strict=False)]
    first = alike.index(False) if False in alike else len(alike)
    backward = [a == b for a, b in zip(words[first:][::-1], own[first:][::-1], strict=False)]
    last = len(words) - (backward.index(False) if False in backward else len(backward))
    a, b = max(first - _CONTEXT, 0), min(last + _CONTEXT, len(words))
    return " ".join(["…"] * (a > 0) + list(words[a:b]) + ["…"] * (b < len(words)))
