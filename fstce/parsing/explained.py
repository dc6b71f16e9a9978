"""What an explanation asks of a dependency parser.

Sums over the trees of a lattice's tag sequences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fstce.chart import ChartBatch, InsideOutside, attachments, k_best_trees
from fstce.errors import ParameterError
from fstce.explanation.protocol import Name, Sums, Words
from fstce.machines.lattice import Lattice
from fstce.machines.openfst import pynini
from fstce.machines.symbols import Symbols
from fstce.neighborhoods.base import Neighborhood
from fstce.numeric.kernels import total
from fstce.numeric.types import Floats, Ints
from fstce.parsing.parser import DependencyParser


class ExplainedParser:
    """A trained parser as explanations see it."""

    def __init__(self, model: DependencyParser) -> None:
        self.parser = model
        self.parser._check_fitted("theta_")

    def contrast(self, asked: str | Neighborhood | None) -> str | Neighborhood:
        """The neighborhood that is asked about, by default that of the recipe."""
        if asked is not None:
            return asked
        self.parser._check_runs_no_code([self.parser.recipe.neighborhood])
        return self.parser.recipe.neighborhood

    def symbols(self, words: Words) -> Symbols:
        """The parser's tags."""
        tags = self.parser.model_.tags
        strange = [word for word in words if word not in tags]
        if strange:
            raise ParameterError(
                f"{strange[0]!r} is none of this grammar's {len(tags)} tags; it reads tags, as in "
                f"{' '.join(tags[:3])}"
            )
        return Symbols(tags)

    def over(self, lattice: Lattice) -> ParserModel:
        """The parser over the trees of a lattice's strings."""
        return ParserModel(self.parser, lattice)

    def machines(self) -> list[tuple[str, pynini.Fst, str]]:
        """None: raises ParameterError, as a grammar is no finite-state machine."""
        raise ParameterError("a parser is inspected on a sentence; give its tags")


class ParserModel:
    """A parser over the trees of a lattice's strings."""

    def __init__(self, parser: DependencyParser, lattice: Lattice) -> None:
        self.parser = parser
        self.lattice = lattice
        self.model: Any = parser.model_
        self.theta: Floats = parser.theta_
        self._symbols = lattice.symbols
        self._batch = parser._charts_of([lattice])
        self._sums = InsideOutside(self._batch)

    def whole(self) -> Sums:
        """Over all of the lattice."""
        return self._all(self._sums)

    def arc_posteriors(self) -> Floats:
        """The probability of each arc of the lattice, shape (arcs,)."""
        [table] = attachments(self._batch, self._sums.posteriors(self.theta))
        return total(
            self._batch.packs[0].arc[:, 0], table.sum(axis=0), len(self.lattice.arrays.source)
        )

    def best(self, k: int) -> list[Words]:
        """The strings of the lattice's k best trees."""
        trees = k_best_trees(self._batch, self.theta, k)
        possible = trees.tags[0][trees.score[0] > -np.inf].tolist()
        strings = []
        for row in possible:
            strings.append(tuple(self.model.tags[tag] for tag in row if tag >= 0))
        return strings

    def log_z(self, strings: Sequence[Words]) -> Floats:
        """log Z of each string, without the lattice's weights."""
        return InsideOutside(self._charts(strings))(self.theta).log_z

    def of(self, strings: Sequence[Words]) -> list[Sums]:
        """Over the trees of each string, without the lattice's weights."""
        return [self._all(InsideOutside(self._charts([words]))) for words in strings]

    def names(self, features: Ints) -> list[Name]:
        """The names of these features."""
        return [self.model.names[number] for number in features.tolist()]

    def readings(self, words: Words) -> tuple[Words, Floats, list[int]]:
        """The root and the words as heads, their posteriors, and the parser's heads."""
        heads = (f"{i} {word}" for i, word in enumerate(words, 1))
        [table] = self.parser.predict_proba([words])
        return ("root", *heads), table.T, list(self.parser.predict([words])[0])

    def _charts(self, strings: Sequence[Words]) -> ChartBatch:
        lattices = [Lattice.of_sentence(words, self._symbols) for words in strings]
        return self.parser._charts_of(lattices)

    def _all(self, sums: InsideOutside) -> Sums:
        """Over all trees of a chart; arcs' own weights and the widths of links are no features."""
        log_z, counts = sums(self.theta)
        posteriors = zip(sums.batch.packs, sums.posteriors(self.theta), strict=True)
        return Sums(
            float(log_z[0]),
            counts,
            sum(pack.expected_bias(of_pack) for pack, of_pack in posteriors),
        )
