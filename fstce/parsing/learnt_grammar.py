"""What a linguist reads of a trained dependency parser: who governs whom, how often, on which side.

Of a generative grammar (EM, relative frequencies) the numbers are its own probabilities. The
weights of a log-linear grammar are normalized within each choice, which says what the grammar would
do if nothing else weighed on that choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fstce.chart import DependencyModel
from fstce.errors import ParameterError
from fstce.grammars.dmv import ADJACENT, NOT_ADJACENT
from fstce.numeric.types import Floats
from fstce.parsing.attachment_rules import AttachmentRule, attaching, check_tagset, satisfying
from fstce.parsing.parser import DependencyParser
from fstce.reporting.tables import Cell, Table

LEAST = 0.005  # children below this are left out


@dataclass(frozen=True)
class LearntGrammar:
    """p(root), p(next child | head, side), p(none, no further | head, side).

    `p` (features,) of `model`.
    """

    model: DependencyModel
    p: Floats

    def root(self, tag: str) -> float:
        """How likely a tag is the head of a sentence."""
        return float(self.p[self.model.root(self._number(tag))])

    def children(self, tag: str, side: int, n: int) -> list[tuple[str, float]]:
        """The n likeliest children of a tag on a side, 0 the left, with their probabilities."""
        row = self.p[self.model.child(self._number(tag), np.arange(self.model.n_tags), side)]
        order = np.argsort(-row, kind="stable")[:n].tolist()
        return [(self.model.tags[i], float(row[i])) for i in order if row[i] >= LEAST]

    def valence(self, tag: str, side: int) -> float:
        """How many children a tag is expected to have on a side."""
        at = self.model.stop(self._number(tag), side, np.array([ADJACENT, NOT_ADJACENT]))
        none, no_further = self.p[at].tolist()
        if no_further > 0:
            return float((1.0 - none) / no_further)
        return float("inf") if none < 1 else 0.0

    def _number(self, tag: str) -> int:
        if tag not in self.model.tags:
            raise ParameterError(
                f"{tag!r} is none of this grammar's tags: {' '.join(self.model.tags)}"
            )
        return self.model.tags.index(tag)


def learnt_grammar(parser: DependencyParser) -> LearntGrammar:
    """The grammar of a trained parser.

    >>> text = [["D", "N", "V"], ["N", "V"]]
    >>> parser = DependencyParser(criterion="joint").fit(text, [[2, 3, 0], [2, 0]])
    >>> grammar = learnt_grammar(parser)
    >>> grammar.children("V", 0, 1)[0][0], round(grammar.valence("V", 0), 2)
    ('N', 1.0)
    """
    parser._check_fitted("theta_")
    model = parser.model_
    greatest = np.full(int(model.group.max()) + 1, -np.inf)
    np.maximum.at(greatest, model.group, parser.theta_)
    shift = np.where(np.isfinite(greatest), greatest, 0.0)[model.group]
    return LearntGrammar(model, np.exp(model.log_probabilities(np.exp(parser.theta_ - shift))))


def tag_table(grammar: LearntGrammar, tags: Sequence[str] | None = None, n: int = 5) -> Table:
    """For each tag how likely it is the root, and its children on both sides.

    >>> text = [["D", "N", "V"], ["N", "V"]]
    >>> parser = DependencyParser(criterion="joint").fit(text, [[2, 3, 0], [2, 0]])
    >>> tag_table(learnt_grammar(parser), ["V"], 1).rows[0]
    ('V', 0.6, 1.0, 'N 0.60', 0.5, 'D 0.33')
    """
    if tags is None:
        tags = grammar.model.tags

    rows: list[list[Cell]] = []
    for tag in sorted(tags, key=lambda tag: (-grammar.root(tag), tag)):
        row: list[Cell] = [tag, round(grammar.root(tag), 4)]
        for side in (0, 1):
            children = ", ".join(f"{child} {p:.2f}" for child, p in grammar.children(tag, side, n))
            row += [round(grammar.valence(tag, side), 2), children]
        rows.append(row)

    columns = ["tag", "root", "left: children", "left: which", "right: children", "right: which"]
    note = (
        "root: probability as the head of a sentence; children: how many are expected on a side, "
        "and which."
    )
    decimals = {"root": 3, "left: children": 2, "right: children": 2}
    return Table("grammar", "Each tag and its children", columns, rows, note, decimals=decimals)


def contradictions(grammar: LearntGrammar, rules: tuple[AttachmentRule, ...], n: int = 20) -> Table:
    """The likeliest attachments that no rule allows."""
    allowed = satisfying(rules, grammar.model)
    check_tagset(rules, grammar.model, allowed)
    p = grammar.p
    forbidden = np.flatnonzero((attaching(grammar.model) > allowed) & (p >= LEAST)).tolist()
    likeliest = sorted(((float(p[i]), grammar.model.names[i]) for i in forbidden), reverse=True)

    rows: list[list[Cell]] = []
    for likelihood, (choice, *tags) in likeliest[:n]:
        if choice == "root":
            tags = ["ROOT", *tags, ""]
        rows.append([*tags, likelihood])
    columns = ["head", "child", "side", "p"]
    return Table("contradictions", "Attachments that no rule allows", columns, rows, decimals=3)
