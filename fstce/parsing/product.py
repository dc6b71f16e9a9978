"""Products of dependency parsers: edge posteriors multiply, and the best tree is taken."""

from __future__ import annotations

from collections.abc import Sequence

from fstce.chart import DependencyModel, compile_charts, minimum_risk_trees
from fstce.estimation.estimator import checked_sentences
from fstce.machines.lattice import Lattice
from fstce.machines.symbols import Symbols
from fstce.numeric.rules import instance, sequence
from fstce.numeric.types import Floats, Sentences
from fstce.numeric.votes import multiplied
from fstce.parsing.parser import DependencyParser


class ParserProduct:
    """The product of trained dependency parsers' edge posteriors.

    Parameters
    ----------
    parsers : sequence of DependencyParser

    Raises
    ------
    ParameterError
        There is none.
    """

    def __init__(self, parsers: Sequence[DependencyParser]) -> None:
        sequence(instance("a DependencyParser", "DependencyParser"), least=1).check(parsers=parsers)
        self.parsers = list(parsers)

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """Π of the members' posteriors of each word's heads, normalized: shape (words + 1, words)."""
        rows = checked_sentences(sentences)
        tables = zip(*(parser.predict_proba(rows) for parser in self.parsers), strict=True)
        return [multiplied([table.T for table in members]).T for members in tables]

    def predict(self, sentences: Sentences) -> list[tuple[int, ...]]:
        """The projective tree of each sentence with the greatest sum of edge posteriors."""
        rows = checked_sentences(sentences)
        model = DependencyModel(dict.fromkeys(tag for row in rows for tag in row))
        symbols = Symbols(model.tags)
        batch = compile_charts([Lattice.of_sentence(row, symbols) for row in rows], model)
        trees = minimum_risk_trees(batch, self.predict_proba(rows))
        return [tuple(heads[: len(row)]) for heads, row in zip(trees.heads.tolist(), rows, strict=True)]
