"""A hierarchy of grammars as named arrays and data that JSON can hold, bit for bit.

All grammars share ``tags``, ``binary``, ``unary``, the word–tag counts in three columns (``tag_counts``) and
``form_weights`` if there are any. Each, coarse to fine, has ``sizes_0``, ``rules_0`` (all probabilities in a
row), ``units_0`` (the lexicon's counts), ``sides_0`` and ``ancestors_0``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.latent.model.lexicon import LexicalUnits, Lexicon, WordForms
from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar, SplitHierarchy
from fstce.numeric.types import Floats, Ints

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
    if vocabulary.forms is not None:
        arrays["form_weights"] = vocabulary.forms.weights
    for i, (grammar, ancestor) in enumerate(zip(hierarchy.grammars, hierarchy.ancestors, strict=True)):
        arrays[f"sizes_{i}"] = grammar.sizes
        arrays[f"rules_{i}"] = grammar.rules
        arrays[f"units_{i}"] = grammar.lexicon.counts
        arrays[f"sides_{i}"] = grammar.lexicon.sides
        arrays[f"ancestors_{i}"] = ancestor
    return arrays, {
        "symbols": list(coarsest.symbols),
        "between": [list(between) for between in coarsest.chains],
        "frequent": list(vocabulary.frequent),
        "rare": list(vocabulary.rare),
        "signatures": list(vocabulary.signatures),
        "smoothing": [grammar.lexicon.smoothing for grammar in hierarchy.grammars],
        **({} if vocabulary.forms is None else {"forms": list(vocabulary.forms.names)}),
    }


def from_arrays(arrays: Mapping[str, NDArray[Any]], described: Mapping[str, Any]) -> SplitHierarchy:
    """The hierarchy that :func:`to_arrays` took apart."""
    symbols = tuple(str(symbol) for symbol in described["symbols"])
    tags = _integers(arrays, "tags")
    named = [symbols[tag] for tag in tags]
    vocabulary = _vocabulary(
        described, _integers(arrays, "tag_counts"), named, _forms(arrays, described, len(tags))
    )
    chains = _chains(described, _integers(arrays, "unary"))
    shared = symbols, tags, chains, vocabulary
    smoothing = [float(value) for value in described["smoothing"]]
    grammars = tuple(_grammar(arrays, i, shared, alpha) for i, alpha in enumerate(smoothing))
    ancestors = tuple(_integers(arrays, f"ancestors_{i}") for i in range(len(grammars)))
    for coarse, fine, ancestor in zip(grammars[:-1], grammars[1:], ancestors[1:], strict=True):
        _check_ancestors(coarse, fine, ancestor)
    if not grammars:
        raise ValueError("there are no grammars")
    return SplitHierarchy(grammars, ancestors)


def _chains(described: Mapping[str, Any], unary: Ints) -> tuple[tuple[str, ...], ...]:
    """The labels between the ends of each unary rule; fstce 0.1 kept one chain a pair, under ``chains``."""
    if "between" in described:
        return tuple(tuple(str(label) for label in row) for row in described["between"])
    kept = {(int(a), int(b)): tuple(str(label) for label in row) for a, b, *row in described["chains"]}
    return tuple(kept.get((a, b), ()) for a, b in unary.tolist())


def _forms(arrays: Mapping[str, NDArray[Any]], described: Mapping[str, Any], n_tags: int) -> WordForms | None:
    """What forms of words say of their tags; grammars of version 0.1 do not have it."""
    if "forms" not in described:
        return None
    names = tuple(str(name) for name in described["forms"])
    weights = _of_type(arrays, "form_weights", np.dtype(np.float32))
    if weights.shape != (len(names), n_tags) or not np.isfinite(weights).all():
        raise ValueError(f"form_weights of shape {weights.shape} for {len(names)} features of {n_tags} tags")
    return WordForms(names, weights)


def _vocabulary(
    described: Mapping[str, Any], counts: Ints, tags: list[str], forms: WordForms | None
) -> LexicalUnits:
    words = [tuple(str(word) for word in described[name]) for name in ("frequent", "signatures", "rare")]
    table = np.zeros((len(words[0]) + len(words[2]), len(tags)), dtype=np.int64)
    table[counts[:, 0], counts[:, 1]] = counts[:, 2]
    return LexicalUnits(tuple(tags), words[0], words[1], words[2], table, forms)


def _grammar(
    arrays: Mapping[str, NDArray[Any]],
    number: int,
    shared: tuple[tuple[str, ...], Ints, tuple[tuple[str, ...], ...], LexicalUnits],
    smoothing: float,
) -> SplitGrammar:
    symbols, tags, chains, vocabulary = shared
    sizes, sides = _integers(arrays, f"sizes_{number}"), _integers(arrays, f"sides_{number}")
    rules, units = _floats(arrays, f"rules_{number}"), _floats(arrays, f"units_{number}")
    if len(sizes) != len(symbols) or sizes.min() < 1:
        raise ValueError(f"grammar {number} has sizes for {len(sizes)} of {len(symbols)} symbols")
    binary, unary = _integers(arrays, "binary"), _integers(arrays, "unary")
    lexicon = Lexicon(vocabulary, sizes[tags], units, sides, smoothing)
    grammar = SplitGrammar(binary, unary, sizes, symbols, tags, chains, rules, lexicon)
    if len(chains) != len(unary):
        raise ValueError(f"{len(chains)} chains for {len(unary)} unary rules")
    columns = int(sizes[tags].sum())
    if rules.shape != (int(grammar.starts[-1]),) or units.shape != (vocabulary.n_units, columns):
        raise ValueError(f"grammar {number} has {rules.shape} rules and {units.shape} units")
    if sides.shape != (columns,):
        raise ValueError(f"grammar {number} has {sides.shape} sides for {columns} columns")
    return grammar


def _check_ancestors(coarse: SplitGrammar, fine: SplitGrammar, ancestor: Ints) -> None:
    symbols = np.repeat(np.arange(len(fine.sizes)), fine.sizes)
    above = np.searchsorted(offsets_of(coarse.sizes), ancestor, side="right") - 1
    if not np.array_equal(above, symbols):
        raise ValueError("a subcategory comes from one of another symbol")


def _integers(arrays: Mapping[str, NDArray[Any]], name: str) -> Ints:
    return _of_type(arrays, name, np.dtype(np.int64))


def _floats(arrays: Mapping[str, NDArray[Any]], name: str) -> Floats:
    found: Floats = _of_type(arrays, name, np.dtype(np.float64))
    if not np.all(np.isfinite(found) & (found >= 0)):
        raise ValueError(f"{name} holds what is no probability or count")
    return found


def _of_type(arrays: Mapping[str, NDArray[Any]], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    array = arrays[name]
    if array.dtype != dtype:
        raise ValueError(f"{name} holds {array.dtype}, not {dtype}")
    return array
