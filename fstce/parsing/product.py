"""Products of dependency parsers: several trainings vote by multiplying what they believe.

Of log-linear grammars weights add: the product of distributions over trees is one grammar
again, which :meth:`ParserProduct.intersect` gives. The product of edge posteriors is taken
edge by edge, and the tree with the greatest sum of them is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fstce.chart import DependencyModel, minimum_risk_trees
from fstce.corpora.words import optional_rows
from fstce.estimation.maximize import Monitor
from fstce.estimation.product import Product, multiplied
from fstce.evaluation.parsing import attachment
from fstce.machines.lattice import Lattice
from fstce.numeric.types import Floats, Sentences
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
    KIND = "parser product"
    MEMBERS, _MEMBER = "parsers", DependencyParser
    SIZES = MappingProxyType({"model_.tags": "tags", "parsers": "parsers"})

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
        own = list(tags) if isinstance(tags, Iterator) else tags  # which more than one member reads
        for parser in self.parsers:
            parser.fit(
                treebank.sentences, treebank.heads, tags=own, words=treebank.words, monitor=monitor
            )
        return self

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
        model, first = self.model_, self.parsers[0]
        whole = first._with(decoder="viterbi")
        whole.model_, whole.n_skipped_, whole.preparation_ = (
            model,
            first.n_skipped_,
            dict(first.preparation_),
        )
        whole.theta_ = np.zeros(model.size)
        for parser in self.parsers:
            own, theta = parser._extended(model.tags)
            weight = dict(zip(own.names, theta.tolist(), strict=True))
            whole.theta_ += [weight[name] for name in model.names]
        return whole

    def predict_proba(self, sentences: Sentences) -> list[Floats]:
        """Π of the members' posteriors of each word's heads, normalized.

        Parameters
        ----------
        sentences : iterable of sequences of str

        Returns
        -------
        list of ndarray, shape (words + 1, words)
            Row 0 is the root.

        Examples
        --------
        >>> product.predict_proba([["N", "V"]])[0].shape
        (3, 2)
        """
        rows = tag_rows(sentences, least=0)
        tables = zip(*(parser.predict_proba(rows) for parser in self.parsers), strict=True)
        return [multiplied([table.T for table in members]).T for members in tables]

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
        if self.decoder == "viterbi" or not rows:
            return self.intersect().predict(rows) if rows else []
        model = DependencyModel(dict.fromkeys(tag for row in rows for tag in row))
        trees: dict[tuple[str, ...], tuple[int, ...]] = {}
        for part, charts in sentence_charts(rows, model):
            decoded = minimum_risk_trees(charts, self.predict_proba(part)).heads.tolist()
            trees.update(zip(part, map(heads_of, decoded), strict=True))
        return [trees[tuple(row)] for row in rows]

    def k_best(self, sentences: Sentences, k: int) -> list[list[tuple[tuple[int, ...], float]]]:
        """The k best trees of the product of grammars; see :meth:`DependencyParser.k_best`.

        Parameters
        ----------
        sentences : iterable of sequences of str
        k : int
            How many at most.

        Returns
        -------
        list of lists of (heads, log weight)

        Examples
        --------
        >>> len(product.k_best([["D", "N"]], 2)[0])
        2
        """
        return self.intersect().k_best(sentences, k)

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

    def score(self, sentences: Sentences, heads: Heads) -> float:
        """The share of right heads.

        Parameters
        ----------
        sentences, heads
            As of :meth:`DependencyParser.score`.

        Returns
        -------
        float
            From 0 to 1.

        Examples
        --------
        >>> product.score([["N"]], [[0]])
        1.0
        """
        rows = tag_rows(sentences)
        return attachment(optional_rows(heads, "heads") or [], self.predict(rows)).directed / 100
