"""An explanation: its values, for JSON, as tables and as one self-contained page."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fstce.errors import MachineError
from fstce.explanation.protocol import FeatureContribution, Words
from fstce.machines.lattice import Lattice
from fstce.neighborhoods.pairs import difference
from fstce.numeric.types import Floats
from fstce.parameters.overview import Overview
from fstce.parameters.tables import check_arguments
from fstce.reporting.page import Page
from fstce.reporting.tables import Cell, Table, shown

RIVALS = 3  # neighbors whose features are shown
_ADDS_UP = (
    "A feature adds the difference of its expected counts times its weight, in nats. With the "
    "difference of the entropies of the hidden structures, all features add up to the log-odds."
)
LEAST = 0.005  # posteriors below this are left out
_CONTEXT = 3
_SHORT = 12


@dataclass(frozen=True)
class Comparison:
    """Why a sentence is more or less probable than another, or than its whole neighborhood.

    The contributions' nats, `entropy` and `constant` add up to `log_odds`.

    ``log_odds``: log p(x) − log p(y); or log p(x | N(x)). In nats. ``contributions``: the features
    whose expected counts differ, those that add or take most first. ``entropy``: how much more
    uncertain the structures of the sentence are than those of the other. ``constant``: the
    difference of the weights that are no features: those of a weighted lattice.
    """

    log_odds: float
    contributions: tuple[FeatureContribution, ...]
    entropy: float
    constant: float

    def top(self, n: int) -> tuple[FeatureContribution, ...]:
        """The n features that add or take most."""
        return self.contributions[:n]

    def rest(self, n: int) -> float:
        """The sum of all other features."""
        return math.fsum(contribution.nats for contribution in self.contributions[n:])

    def to_dict(self, features: int) -> dict[str, Any]:
        """The comparison for JSON, with so many features."""
        listed = [
            {
                "feature": part.name,
                "weight": part.weight,
                "own": part.own,
                "other": part.other,
                "nats": part.nats,
            }
            for part in self.top(features)
        ]
        return {
            "log_odds": self.log_odds if math.isfinite(self.log_odds) else None,
            "features": listed,
            "other_features": self.rest(features),
            "entropy": self.entropy,
            "constant": self.constant,
        }


@dataclass(frozen=True)
class Neighbor:
    """A neighbor of the sentence.

    ``probability``: p(y | N(x)), summed over all its structures.
    """

    words: Words
    probability: float
    comparison: Comparison


@dataclass(frozen=True, eq=False)
class Explanation(metaclass=Overview):
    """How a trained model sees a sentence in its neighborhood, as values, for JSON and as a page.

    Attributes
    ----------
    words : tuple of str
        The sentence.
    neighborhood : str
    lattice : Lattice
        N(x).
    arc_posteriors : ndarray, shape (arcs,)
        The probability of each arc of the lattice.
    n_neighbors : int
        How many strings the lattice has besides the sentence.
    neighbors : tuple of Neighbor
        The most probable ones, best first.
    complete : bool
        Whether it is certain that no other neighbor is more probable than those listed.
    whole : Comparison
        Of the sentence with the whole neighborhood.
    readings : tuple of str
        What a word may be: tags; for a parser the root and the words as heads.
    posteriors : ndarray, shape (words, readings)
        The probability of each, given the sentence.
    answer : tuple of int
        The reading of each word that the model answers with.

    Examples
    --------
    Those of the methods go on with this one.

    >>> from fstce import Tagger, explain
    >>> text = [["we", "fish"], ["we", "swim"]]
    >>> tags = {"we": "P", "fish": ("N", "V"), "swim": "V"}
    >>> tagger = Tagger("trans1", order=2).fit(text, dictionary=tags)
    >>> why = explain(tagger, ["we", "fish"])
    >>> print(why)
    sentence: we fish
    neighborhood: trans1
    neighbors: 1; 1 listed, the most probable
    p(x | N(x)): 0.8045
    log p(x | N(x)): −0.218 nats
    x against its whole neighborhood: feature, of, E in x, E in N(x), weight, nats
      ngram  P <boundary>  0.000  0.196  −0.349  0.068
      ngram  <boundary> P  1.000  0.804  0.349  0.068
      ngram  P V  0.610  0.491  0.271  0.032
      ngram  V <boundary>  0.610  0.491  0.271  0.032
      ngram  V P  0.000  0.088  −0.240  0.021
      7 other features  0.058
      entropy  −0.498
      log p(x | N(x))  −0.218
    The most probable neighbors: p(y | N(x)), log-odds of x, sentence
      x  0.8045  we fish
      1  0.1955  1.415  fish we
    Posteriors at each word: word, answer, p, others
      1 we  P  1.00
      2 fish  V  0.61  N 0.39
    """

    words: Words
    neighborhood: str
    lattice: Lattice = field(repr=False)
    arc_posteriors: Floats = field(repr=False)
    n_neighbors: int
    neighbors: tuple[Neighbor, ...] = field(repr=False)
    complete: bool
    whole: Comparison = field(repr=False)
    readings: Words = field(repr=False)
    posteriors: Floats = field(repr=False)
    answer: tuple[int, ...] = field(repr=False)

    def __str__(self) -> str:
        """The explanation in lines: how probable, what decides, the neighbors, the answer."""
        lines = [f"{name}: {value}" for name, value in facts(self).items()]
        for table in (contribution_table(self.whole, 5), neighbor_table(self), reading_table(self)):
            lines.append(f"{table.title}: {', '.join(table.columns).lstrip(', ')}")
            for row in table.rows:
                cells = (table.shown(cell, i) for i, cell in enumerate(row) if cell is not None)
                lines.append(f"  {'  '.join(filter(None, cells))}")
        return "\n".join(lines)

    @property
    def probability(self) -> float:
        """p(x | N(x)).

        Examples
        --------
        >>> 0 < why.probability < 1
        True
        """
        return math.exp(self.whole.log_odds)

    def to_dict(self, features: int = 10) -> dict[str, Any]:
        """The explanation for JSON, with so many features a comparison.

        ``features``: how many features a comparison lists.
        """
        check_arguments(features=features)
        listed = [
            {
                "sentence": neighbor.words,
                "probability": neighbor.probability,
                **neighbor.comparison.to_dict(features),
            }
            for neighbor in self.neighbors
        ]

        posteriors = []
        for word, answer, chances in zip(self.words, self.answer, self.posteriors, strict=True):
            order = np.argsort(-chances, kind="stable").tolist()
            likely = {self.readings[i]: float(chances[i]) for i in order if chances[i] > 0}
            posteriors.append({"word": word, "answer": self.readings[answer], "p": likely})

        return {
            "sentence": self.words,
            "neighborhood": self.neighborhood,
            "lattice": {"states": len(self.lattice), "arcs": len(self.arc_posteriors)},
            "neighbors": self.n_neighbors,
            "complete": self.complete,
            "probability": self.probability,
            **self.whole.to_dict(features),
            "listed": listed,
            "posteriors": posteriors,
        }

    def page(self, features: int = 10) -> Page:
        """The explanation as a self-contained page: lattice, posteriors, neighbors, features.

        Parameters
        ----------
        features : int
            How many features a comparison lists.

        Returns
        -------
        Page
            ``page.write(path)`` writes it; a notebook shows it.

        Examples
        --------
        >>> why.page(features=3).title
        'Explanation: we fish'
        """
        check_arguments(features=features)
        report = Page(f"Explanation: {' '.join(self.words)}", _summary(self))
        neighbors, *decided, posteriors = tables(self, features)
        report.facts(facts(self))
        report.section("The neighborhood")
        _add_lattice(report, self)
        report.text("To move about in it, and to change weights and see what comes of it:")
        report.code(f"fstce machine inspect MODEL {shlex.quote(' '.join(self.words))} -o page.html")
        report.table(neighbors)
        report.section("What decides")
        report.text(_ADDS_UP)

        for table in decided:
            report.table(table)

        report.section("Posteriors")
        report.table(posteriors)

        return report

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()


def _summary(why: Explanation) -> str:
    summary = f"The sentence has {100 * why.probability:.3g} % of its neighborhood's probability."
    if not why.neighbors:
        return f"{summary} It has no neighbors."
    rival = why.neighbors[0]
    share = f"{100 * rival.probability:.3g} %"
    return f"{summary} “{' '.join(rival.words)}” is the strongest neighbor, with {share}."


def _add_lattice(page: Page, why: Explanation) -> None:
    try:
        picture = why.lattice.draw(why.arc_posteriors.tolist())
    except MachineError:
        states = len(why.lattice)
        arcs = len(why.arc_posteriors)
        page.text(f"The lattice has {states:,} states and {arcs:,} arcs, too many to be drawn.")
        return
    caption = "The neighborhood: the thicker an arc, the more probable its words."
    page.picture(picture, caption, shrinks=False)


def facts(why: Explanation) -> dict[str, str]:
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


def tables(why: Explanation, features: int) -> list[Table]:
    """The neighbors, by what differs, what decides, the posteriors."""
    decided = [contribution_table(why.whole, features)]
    for number, rival in enumerate(why.neighbors[:RIVALS], 1):
        name = f"features-{number}"
        against = " ".join(rival.words)
        decided.append(contribution_table(rival.comparison, features, against, name))

    return [neighbor_table(why), *decided, reading_table(why)]


def neighbor_table(why: Explanation) -> Table:
    """The sentence and its neighbors by probability; of long neighbors what differs."""
    rows: list[list[Cell]] = [["x", why.probability, None, " ".join(why.words)]]
    for number, neighbor in enumerate(why.neighbors, 1):
        words = _spelt(neighbor.words, why.words)
        rows.append([str(number), neighbor.probability, neighbor.comparison.log_odds, words])
    columns = ["", "p(y | N(x))", "log-odds of x", "sentence"]
    decimals = {columns[1]: 4, columns[2]: 3}
    note = "" if why.complete else "Among more neighbors than could be looked at one by one."
    return Table("neighbors", "The most probable neighbors", columns, rows, note, decimals=decimals)


def contribution_table(
    comparison: Comparison, n: int, against: str = "", name: str = "features"
) -> Table:
    """The features that decide, and what the others add up to.

    ``against``: the neighbor's words; empty for the whole neighborhood.
    """
    title = "x against its whole neighborhood"
    expected = "E in N(x)"
    total = "log p(x | N(x))"
    if against:
        title = f"x against “{against}”"
        expected = "E in y"
        total = "log-odds"

    columns = ["feature", "of", "E in x", expected, "weight", "nats"]
    rows: list[list[Cell]] = [
        [part.name[0], " ".join(part.name[1:]), part.own, part.other, part.weight, part.nats]
        for part in comparison.top(n)
    ]
    further = len(comparison.contributions) - n
    added = {}
    if further > 0:
        added[f"{further:,} other features"] = comparison.rest(n)

    added["entropy"] = comparison.entropy
    if abs(comparison.constant) > 1e-9:
        added["weights not learned"] = comparison.constant

    added[total] = comparison.log_odds
    rows += [[text, "", None, None, None, value] for text, value in added.items()]
    return Table(
        name, title, columns, rows, decimals=dict.fromkeys(columns, 3), mark={(len(rows) - 1, 5)}
    )


def reading_table(why: Explanation) -> Table:
    """The posteriors at each word: the reading that the model answers with, then the others."""
    rows: list[list[Cell]] = []
    for number, (word, answer) in enumerate(zip(why.words, why.answer, strict=True)):
        chances = why.posteriors[number]
        rivals = [i for i in np.argsort(-chances).tolist() if i != answer and chances[i] >= LEAST]
        listed = ", ".join(f"{why.readings[i]} {chances[i]:.2f}" for i in rivals)
        rows.append([f"{number + 1} {word}", why.readings[answer], float(chances[answer]), listed])
    return Table(
        "posteriors", "Posteriors at each word", ["word", "answer", "p", "others"], rows, decimals=2
    )


def _spelt(words: Words, sentence: Words) -> str:
    """The words; or of many what differs from the sentence, with three words on each side.

    >>> _spelt(tuple("abcdefghijlkmnop"), tuple("abcdefghijklmnop"))
    '… h i j l k m n o …'
    """
    if len(words) <= _SHORT:
        return " ".join(words)
    start, _, changed = difference(sentence, words)
    a = max(start - _CONTEXT, 0)
    b = min(start + len(changed) + _CONTEXT, len(words))
    return " ".join(["…"] * (a > 0) + list(words[a:b]) + ["…"] * (b < len(words)))
