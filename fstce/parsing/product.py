"""Products of dependency parsers.

Of their edge posteriors, or of their grammars, which is one grammar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fstce.chart import DependencyModel, minimum_risk_trees
from fstce.estimation.maximize import Monitor
from fstce.estimation.model import Product, weights_by_name
from fstce.machines.lattice import Lattice
from fstce.numeric.types import Sentences
from fstce.parameters.rules import Table, check
from fstce.parsing.criteria import read_treebank, tag_rows
from fstce.parsing.parameters import PARSER_PRODUCT
from fstce.parsing.parser import DependencyParser, Heads, Parsed, heads_of, sentence_charts


class ParserProduct(Product):
    """The product of trained dependency parsers.

    Examples
    --------
    Those of the methods go on with this product.

    >>> from fstce import DependencyParser, ParserProduct
    >>> members = [DependencyParser(), DependencyParser("trans1")]
    >>> product = ParserProduct(members).fit([["D", "N", "V"], ["N", "V"]])
    >>> product.predict([["N", "V"]])[0].count(0)
    1
    """

    rules: ClassVar[Table] = PARSER_PRODUCT
    KIND: ClassVar[str] = "parser product"
    MEMBERS: ClassVar[str] = "parsers"
    AXIS: ClassVar[int] = 0
    GOLD: ClassVar[str] = DependencyParser.GOLD
    _MEMBER = DependencyParser
    _rows = staticmethod(DependencyParser._rows)
    _share_right = staticmethod(DependencyParser._share_right)
    SIZES: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"model_.tags": "tags", "parsers": "parsers"}
    )

    def __init__(self, parsers: Sequence[DependencyParser], decoder: str = "minimum-risk") -> None:
        check(PARSER_PRODUCT, parsers=parsers, decoder=decoder)
        self.parsers = parsers
        self.decoder = decoder

    def fit(
        self,
        sentences: Sentences,
        heads: Heads | None = None,
        *,
        tags: Iterable[str] | None = None,
        words: Sentences | None = None,
        monitor: Monitor | None = None,
    ) -> ParserProduct:
        """Train every member, one after the other.

        Parameters
        ----------
        sentences, heads, tags, words, monitor
            As of :meth:`DependencyParser.fit`.

        Returns
        -------
        This estimator, trained.

        Examples
        --------
        >>> from fstce import DependencyParser, ParserProduct
        >>> product = ParserProduct([DependencyParser(), DependencyParser("trans1")])
        >>> len(product.fit([["D", "N", "V"], ["N", "V"]]).parsers)
        2
        """
        treebank = read_treebank(sentences, heads, words)
        self._record_size(treebank.sentences)
        if isinstance(tags, Iterator):
            tags = list(tags)  # which more than one member reads
        return self._fit_members(
            treebank.sentences, treebank.heads, tags=tags, words=treebank.words, monitor=monitor
        )

    @property
    def model_(self) -> DependencyModel:
        """The features of all members' tags."""
        for parser in self.parsers:
            parser._check_fitted("theta_")
        return DependencyModel(
            dict.fromkeys(tag for parser in self.parsers for tag in parser.model_.tags)
        )

    @property
    def preparation_(self) -> dict[str, Any]:
        """How sentences became tag sequences: as for the first member."""
        return self.parsers[0].preparation_

    def intersect(self) -> DependencyParser:
        """The product of the members' distributions over trees as one grammar: their weights added.

        Returns
        -------
        DependencyParser
            With the parameters of the first member and the most probable tree as decoder; it is not
            trained any further.

        Examples
        --------
        >>> product.intersect().predict([["N"]])
        [(0,)]
        """
        model = self.model_
        member = self.parsers[0]
        product = member._with(decoder="viterbi")
        product.model_ = model
        product.n_skipped_ = member.n_skipped_
        product.preparation_ = dict(member.preparation_)

        product.theta_ = np.zeros(model.size)
        for parser in self.parsers:
            product.theta_ += weights_by_name(model, parser.weights(), parser._uninformed(model))
        return product

    def predict(self, sentences: Sentences) -> list[tuple[int, ...]]:
        """The heads of each sentence: see `decoder`.

        Parameters
        ----------
        sentences : iterable of sequences of str

        Returns
        -------
        list of tuples of int
            Numbered from 1, 0 for the root.

        Examples
        --------
        >>> len(product.predict([["D", "N", "V"]])[0])
        3
        """
        self._check_parameters()
        rows = tag_rows(sentences, least=0)
        if not rows:
            return []
        if self.decoder == "viterbi":
            return self.intersect().predict(rows)

        model = DependencyModel(dict.fromkeys(tag for row in rows for tag in row))
        trees: dict[tuple[str, ...], tuple[int, ...]] = {}
        for part, charts in sentence_charts(rows, model):
            decoded = minimum_risk_trees(charts, self.predict_proba(part)).heads.tolist()
            trees.update(zip(part, map(heads_of, decoded), strict=True))
        return [trees[tuple(row)] for row in rows]

    def parse_lattices(self, lattices: Iterable[Lattice]) -> list[Parsed]:
        """The best tree of each lattice under the product of grammars.

        Parameters
        ----------
        lattices : iterable of Lattice
            Over tags.

        Returns
        -------
        list of (tags, heads, log weight)
            As of :meth:`DependencyParser.parse_lattices`.

        Examples
        --------
        >>> from fstce import neighborhood
        >>> sorted(product.parse_lattices([neighborhood("trans1")(["N", "V"])])[0][0])
        ['N', 'V']
        """
        return self.intersect().parse_lattices(lattices)
