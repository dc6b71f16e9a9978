"""A hierarchy of grammars as named arrays and data that JSON can hold, bit for bit.

All grammars share ``tags``, ``binary``, ``unary``, the word–tag counts in three columns
(``tag_counts``) and ``form_weights`` if there are any. Each, coarse to fine, has ``sizes_0``,
``rules_0`` (all probabilities in a row) and ``units_0`` (the lexicon's counts).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.latent.model.lexicon import LexicalUnits, Lexicon, WordForms
from fstce.latent.model.rule_layout import RuleLayout
from fstce.latent.model.split_grammar import SplitGrammar, SplitHierarchy
from fstce.numeric.types import Floats
from fstce.storage.arrays import Archive

Arrays = dict[str, NDArray[Any]]


def to_arrays(hierarchy: SplitHierarchy) -> tuple[Arrays, dict[str, Any]]:
    """The arrays, fit for ``numpy.savez``, and all else, fit for JSON."""
    coarsest = hierarchy.grammars[0]
    vocabulary = coarsest.lexicon.vocabulary

    rows, columns = np.nonzero(vocabulary.tag_counts)
    counts = np.stack([rows, columns, vocabulary.tag_counts[rows, columns]], axis=1)
    arrays: Arrays = {
        "tags": coarsest.tags,
        "binary": coarsest.binary,
        "unary": coarsest.unary,
        "tag_counts": counts.astype(np.int64),
    }
    for i, grammar in enumerate(hierarchy.grammars):
        arrays[f"sizes_{i}"] = grammar.sizes
        arrays[f"rules_{i}"] = grammar.rules
        arrays[f"units_{i}"] = grammar.lexicon.counts

    described: dict[str, Any] = {
        "symbols": coarsest.symbols,
        "between": coarsest.chains,
        "frequent": vocabulary.frequent,
        "rare": vocabulary.rare,
        "signatures": vocabulary.signatures,
        "smoothing": [grammar.lexicon.smoothing for grammar in hierarchy.grammars],
    }
    if vocabulary.forms is not None:
        arrays["form_weights"] = vocabulary.forms.weights
        described["forms"] = vocabulary.forms.names
    return arrays, described


def from_arrays(arrays: Archive, described: Mapping[str, Any]) -> SplitHierarchy:
    """The hierarchy that :func:`to_arrays` took apart."""
    symbols = _names(described, "symbols")
    tags = arrays.array("tags", np.int64, (None,))
    binary = arrays.array("binary", np.int64, (None, 3))
    unary = arrays.array("unary", np.int64, (None, 2))
    chains = tuple(tuple(map(str, labels)) for labels in described["between"])
    vocabulary = _vocabulary(arrays, described, tuple(symbols[tag] for tag in tags))

    def grammar(i: int, smoothing: float) -> SplitGrammar:
        sizes = arrays.array(f"sizes_{i}", np.int64, (len(symbols),))
        if len(chains) != len(unary) or sizes.min() < 1:
            raise ValueError(
                f"{len(chains)} chains for {len(unary)} unary rules, sizes from {sizes.min()}"
            )

        n_columns = int(sizes[tags].sum())
        units = _not_negative(arrays, f"units_{i}", (vocabulary.n_units, n_columns))
        lexicon = Lexicon(vocabulary, sizes[tags], units, smoothing)

        n_rules = int(RuleLayout(binary, unary, sizes).starts[-1])
        rules = _not_negative(arrays, f"rules_{i}", (n_rules,))
        return SplitGrammar(binary, unary, sizes, symbols, tags, chains, rules, lexicon)

    grammars = tuple(grammar(i, float(alpha)) for i, alpha in enumerate(described["smoothing"]))
    if not grammars:
        raise ValueError("there are no grammars")
    return SplitHierarchy(grammars)


def _vocabulary(
    arrays: Archive, described: Mapping[str, Any], tags: tuple[str, ...]
) -> LexicalUnits:
    """Words with their counts, and what their forms say if the grammar was trained with forms."""
    frequent = _names(described, "frequent")
    signatures = _names(described, "signatures")
    rare = _names(described, "rare")

    row, column, count = arrays.array("tag_counts", np.int64, (None, 3)).T
    table = np.zeros((len(frequent) + len(rare), len(tags)), dtype=np.int64)
    table[row, column] = count

    forms = None
    if "forms" in described:
        names = _names(described, "forms")
        weights = arrays.array("form_weights", np.float32, (len(names), len(tags)))
        if not np.isfinite(weights).all():
            raise ValueError("form_weights holds what is no weight")
        forms = WordForms(names, weights)
    return LexicalUnits(tags, frequent, signatures, rare, table, forms)


def _names(described: Mapping[str, Any], what: str) -> tuple[str, ...]:
    names = tuple(map(str, described[what]))
    if len(set(names)) < len(names):
        raise ValueError(f"{what} holds a name twice")
    return names


def _not_negative(arrays: Archive, name: str, shape: tuple[int, ...]) -> Floats:
    numbers: Floats = arrays.array(name, np.float64, shape)
    if not np.all(np.isfinite(numbers) & (numbers >= 0)):
        raise ValueError(f"{name} holds what is no probability or count")
    return numbers
