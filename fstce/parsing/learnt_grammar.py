"""What a linguist reads of a trained dependency parser: who governs whom, how often, on which side.

Of a generative grammar (EM, relative frequencies) the numbers are its own probabilities. The weights
of a log-linear grammar are normalized within each choice, which says what the grammar would do if
nothing else weighed on that choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fstce.errors import ParameterError
from fstce.grammars.dmv import ADJACENT, NOT_ADJACENT, STOP
from fstce.numeric.types import Floats
from fstce.parsing.attachment_rules import AttachmentRule, satisfying
from fstce.parsing.parser import DependencyParser
from fstce.reporting.tables import Cell, Table

SIDES = ("left", "right")
LEAST = 0.005  # children below this are left out


@dataclass(frozen=True)
class LearntGrammar:
    """p(root) (V,), p(next child | head, side) (V, 2, V), p(none, no further | head, side) (V, 2, 2)."""

    tags: tuple[str, ...]
    root: Floats
    child: Floats
    stop: Floats

    def children(self, tag: str, side: int, n: int) -> list[tuple[str, float]]:
        """The n likeliest children of a tag on a side, 0 the left, with their probabilities."""
        row = self.child[self.number(tag), side]
        order = np.argsort(-row, kind="stable")[:n].tolist()
        return [(self.tags[i], float(row[i])) for i in order if row[i] >= LEAST]

    def valence(self, tag: str, side: int) -> float:
        """How many children a tag is expected to have on a side."""
        none, last = self.stop[self.number(tag), side].tolist()
        return float((1.0 - none) / last) if last > 0 else float("inf") if none < 1 else 0.0

    def number(self, tag: str) -> int:
        """The number of a tag."""
        if tag not in self.tags:
            raise ParameterError(f"{tag!r} is none of this grammar's tags: {' '.join(self.tags)}")
        return self.tags.index(tag)


def learnt_grammar(parser: DependencyParser) -> LearntGrammar:
    """The grammar of a trained parser.

    >>> text = [["D", "N", "V"], ["N", "V"]]
    >>> parser = DependencyParser(criterion="joint").fit(text, [[2, 3, 0], [2, 0]])
    >>> grammar = learnt_grammar(parser)
    >>> grammar.children("V", 0, 1)[0][0], round(grammar.valence("V", 0), 2)
    ('N', 1.0)
    """
    parser._check_fitted("theta_")
    model, tags = parser.model_, np.arange(parser.model_.n_tags)
    greatest = np.full(int(model.group.max()) + 1, -np.inf)
    np.maximum.at(greatest, model.group, parser.theta_)
    shift = np.where(np.isfinite(greatest), greatest, 0.0)[model.group]
    p = np.exp(model.log_probabilities(np.exp(parser.theta_ - shift)))
    sides = np.array([0, 1])
    valence = np.array([ADJACENT, NOT_ADJACENT])
    return LearntGrammar(
        model.tags,
        p[model.root(tags)],
        p[model.child(tags[:, None, None], tags, sides[:, None])],
        p[model.stop(tags[:, None, None], sides[:, None], valence, STOP)],
    )


def tag_table(grammar: LearntGrammar, tags: Sequence[str] | None = None, n: int = 5) -> Table:
    """For each tag how likely it is the root, and its children on both sides.

    >>> text = [["D", "N", "V"], ["N", "V"]]
    >>> parser = DependencyParser(criterion="joint").fit(text, [[2, 3, 0], [2, 0]])
    >>> tag_table(learnt_grammar(parser), ["V"], 1).rows[0]
    ('V', 0.6, 1.0, 'N 0.60', 0.5, 'D 0.33')
    """
    chosen = grammar.tags if tags is None else tags
    order = sorted(chosen, key=lambda tag: (-grammar.root[grammar.number(tag)], tag))
    rows: list[list[Cell]] = []
    for tag in order:
        row: list[Cell] = [tag, round(float(grammar.root[grammar.number(tag)]), 4)]
        for side in (0, 1):
            children = ", ".join(f"{child} {p:.2f}" for child, p in grammar.children(tag, side, n))
            row += [round(grammar.valence(tag, side), 2), children]
        rows.append(row)
    columns = ["tag", "root", "left: children", "left: which", "right: children", "right: which"]
    note = (
        "root: probability as the head of a sentence; children: how many are expected on a side, and which."
    )
    decimals = {"root": 3, "left: children": 2, "right: children": 2}
    return Table(
        "grammar", "Each tag and its children", columns, rows, note, align="lrrlrl", decimals=decimals
    )


def contradictions(grammar: LearntGrammar, rules: Sequence[AttachmentRule], n: int = 20) -> Table:
    """The likeliest attachments that no rule allows."""
    from fstce.chart import DependencyModel  # only here are features numbered

    model, tags = DependencyModel(grammar.tags), np.arange(len(grammar.tags))
    allowed = satisfying(rules, model) > 0
    forbidden: list[tuple[float, str, str, str]] = [
        (float(p), "ROOT", tag, "")
        for tag, p, good in zip(grammar.tags, grammar.root, allowed[: model.n_tags], strict=True)
        if not good
    ]
    for side in (0, 1):
        bad = ~allowed[model.child(tags[:, None], tags, side)]
        for head, child in np.argwhere(bad).tolist():
            p = float(grammar.child[head, side, child])
            forbidden.append((p, grammar.tags[head], grammar.tags[child], SIDES[side]))
    likeliest = sorted(forbidden, reverse=True)[:n]
    rows: list[list[Cell]] = [[head, child, side, p] for p, head, child, side in likeliest if p >= LEAST]
    columns = ["head", "child", "side", "p"]
    return Table("contradictions", "Attachments that no rule allows", columns, rows, decimals=3)


def differences(first: LearntGrammar, second: LearntGrammar, n: int = 20) -> Table:
    """The attachments whose probabilities differ most between two grammars with tags in common."""
    tags = [tag for tag in first.tags if tag in second.tags]
    if not tags:
        raise ParameterError("the two grammars have no tag in common")
    a, b = ([g.number(tag) for tag in tags] for g in (first, second))
    pairs = [
        (float(p), float(q), "ROOT", tag, "")
        for tag, p, q in zip(tags, first.root[a], second.root[b], strict=True)
    ]
    for side in (0, 1):
        p, q = first.child[np.ix_(a, [side], a)][:, 0], second.child[np.ix_(b, [side], b)][:, 0]
        pairs += [
            (float(p[h, k]), float(q[h, k]), tags[h], tags[k], SIDES[side])
            for h, k in np.argwhere(np.abs(p - q) >= LEAST).tolist()
        ]
    ranked = sorted(pairs, key=lambda one: -abs(one[0] - one[1]))[:n]
    rows: list[list[Cell]] = [
        [head, child, side, p, q] for p, q, head, child, side in ranked if abs(p - q) >= LEAST
    ]
    columns = ["head", "child", "side", "p here", "p there"]
    return Table("differences", "Where the grammars differ most", columns, rows, decimals=3)
