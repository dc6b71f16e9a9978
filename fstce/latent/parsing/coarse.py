"""The coarse pass: inside and outside with an unsplit grammar, all spans of a width at once.

A span has two layers: *below*, what a binary rule or a tag builds, and *above*, the same or
one unary rule higher. With I and O the inside and outside probabilities,

    I_below(A, i, j) = Σ_{A → B C} p(A → B C) Σ_k I_above(B, i, k) · I_above(C, k, j)
    I_above(A, i, j) = I_below(A, i, j) + Σ_{A → B} p(A → B) · I_below(B, i, j)

The sum over split points k is a product of matrices that gives every pair (B, C) at once;
the rules gather from it. A span's numbers are divided by its largest inside probability,
exp(scale), and outside ones multiplied by exp(scale) / P(sentence), so that two hundred
words do not underflow and inside · outside is a posterior probability.

Sentences of one length are parsed together. What can be a left child is kept by first word
and width, what can be a right child by last word and the length less the width: the operands
of all spans of a width are then two slices, in the order of the split points.

In single precision a symbol below 1e-14 of its span's largest inside probability is dropped,
so that no outside probability leaves the range; a sentence that has no parse then may have one
in double precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike
from scipy import sparse

from fstce.latent.model.split_grammar import SplitGrammar
from fstce.numeric.types import Floats, Ints


class Triangle(NamedTuple):
    """The spans of a sentence, by width, then by first word."""

    start: Ints
    width: Ints


@lru_cache(maxsize=256)
def triangle(length: int) -> Triangle:
    """All spans of a sentence of this many words.

    >>> start, width = triangle(3)
    >>> list(zip(start.tolist(), width.tolist()))
    [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (0, 3)]
    """
    counts = np.arange(length, 0, -1)
    width = np.repeat(np.arange(1, length + 1), counts)
    return Triangle(np.arange(len(width)) - np.repeat(np.cumsum(counts) - counts, counts), width)


# Rows of pairs of symbols held at once: they shall stay in the cache.
_ROWS = 240
# Single precision: the smallest share of a span's largest inside probability that is kept.
_FLOOR = 1e-14


class CoarseTables:
    """The rules of an unsplit grammar as matrices.

    Parameters
    ----------
    grammar : SplitGrammar
        Every symbol has one subcategory.
    precision : {numpy.float64, numpy.float32}
        Of the charts.

    Attributes
    ----------
    lefts, rights : ndarray
        The symbols that are left children of a binary rule, and the right ones.
    pairs : ndarray
        The pairs of both that rules have, numbered lefts first.
    """

    def __init__(self, grammar: SplitGrammar, precision: DTypeLike = np.float64) -> None:
        self.grammar, self.precision = grammar, np.dtype(precision)
        self.n_symbols = n = len(grammar.symbols)
        parent, left, right = grammar.binary.reshape(-1, 3).T
        self.lefts, of_left = np.unique(left, return_inverse=True)
        self.rights, of_right = np.unique(right, return_inverse=True)
        self.pairs, pair = np.unique(of_left * len(self.rights) + of_right, return_inverse=True)
        self.binary = np.array([table.item() for table in grammar.binary_probabilities], dtype=np.float64)
        rules = sparse.csr_array((self.binary, (parent, pair.reshape(-1))), shape=(n, len(self.pairs)))
        self.rules, self.rules_of_pair = rules.astype(self.precision), rules.T.tocsr().astype(self.precision)
        self.lift = np.eye(n, dtype=self.precision)
        for (above, below), table in zip(grammar.unary, grammar.unary_probabilities, strict=True):
            self.lift[below, above] += table.item()
        self.lift_inside = self.lift.copy()
        self.lift_inside[:, 0] = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class CoarseChart:
    """Posterior probabilities of the symbols over each span, in the order of ``triangle``.

    Parameters
    ----------
    length : int
    log_probability : float
        Natural logarithm of the sentence's probability; −inf if it has no parse.
    scale : ndarray, shape (n_spans,)
        Logarithm of the largest inside probability of each span; 0 where all are 0.
    inside_below, inside_above, outside_below, outside_above : ndarray, shape (n_spans, n_symbols)
        Scaled inside and outside probabilities of the two layers.
    """

    length: int
    log_probability: float
    scale: Floats
    inside_below: Floats
    inside_above: Floats
    outside_below: Floats
    outside_above: Floats

    @property
    def below(self) -> Floats:
        """Posterior probabilities of the symbols below the spans' unary rules."""
        return self.inside_below * self.outside_below

    @property
    def above(self) -> Floats:
        """Posterior probabilities of the symbols above them."""
        return self.inside_above * self.outside_above


def coarse_charts(tables: CoarseTables, scores: Sequence[Floats]) -> list[CoarseChart]:
    """Posteriors of all spans of sentences under the unsplit grammar, those of one length together.

    Parameters
    ----------
    tables : CoarseTables
    scores : sequence of ndarray, shape (n_words, n_tags)
        P(word | tag), a sentence each.

    Returns
    -------
    list of CoarseChart
    """
    lengths = np.array([len(of_words) for of_words in scores], dtype=np.int64)
    found: dict[int, CoarseChart] = {}
    for length in np.unique(lengths).tolist():
        alike = np.flatnonzero(lengths == length)
        for block in np.array_split(alike, min(len(alike), -(-len(alike) * length // _ROWS))):
            charts = _alike(tables, np.stack([scores[at] for at in block]))
            found.update(zip(block.tolist(), charts, strict=True))
    return [found[at] for at in range(len(scores))]


def _alike(tables: CoarseTables, scores: Floats) -> list[CoarseChart]:
    """The charts of sentences of one length, scores (sentences, words, tags)."""
    with np.errstate(over="ignore", invalid="ignore"):
        inside = _Inside(tables, scores)
        below, above = _outside(tables, inside)
    length = inside.length
    start, width = triangle(length)
    top = inside.above[:, 0, length, 0].astype(np.float64)
    charts = (inside.below, inside.above, below, above)
    bounded = np.all([np.isfinite(chart).all(axis=(1, 2, 3)) for chart in (below, above)], axis=0)
    with np.errstate(divide="ignore"):
        value = np.where(bounded, inside.scale[:, 0, length] + np.log(top), -np.inf)
    scale = np.where(np.isfinite(inside.scale), inside.scale, 0.0)[:, start, width]
    nothing = np.zeros((len(start), tables.n_symbols), dtype=tables.precision)
    return [
        CoarseChart(length, float(log), scale[at], *(chart[at, start, width] for chart in charts))
        if np.isfinite(log)
        else CoarseChart(length, -np.inf, np.zeros(len(start)), *(nothing for _ in charts))
        for at, log in enumerate(value)
    ]


class _Inside:
    """Scaled inside probabilities, (sentences, word, width, symbols), and the operands of binary rules."""

    def __init__(self, tables: CoarseTables, scores: Floats) -> None:
        self.tables = tables
        n_sentences, self.length, _ = scores.shape
        cells = (n_sentences, self.length + 1, self.length + 1)
        dtype = tables.precision
        self.below, self.above = (np.zeros((*cells, tables.n_symbols), dtype) for _ in range(2))
        self.left, self.right = (np.zeros((*cells, len(of)), dtype) for of in (tables.lefts, tables.rights))
        self.scale = np.full(cells, -np.inf)
        self.scale_by_end = self.scale.copy()
        words = np.zeros((n_sentences, self.length, tables.n_symbols))
        words[:, :, tables.grammar.tags] = scores
        self._store(1, words, np.zeros((n_sentences, self.length)))
        for width in range(2, self.length + 1):
            self._combine(width)

    def operands(self, width: int) -> tuple[Floats, Floats, Floats]:
        """Left and right operands, (sentences, spans, split points, symbols), and the sum of their scales."""
        spans, ends = slice(self.length - width + 1), slice(self.length - width + 1, self.length)
        left, right = self.left[:, spans, 1:width], self.right[:, width:, ends]
        return left, right, self.scale[:, spans, 1:width] + self.scale_by_end[:, width:, ends]

    def _combine(self, width: int) -> None:
        left, right, scale = self.operands(width)
        largest = scale.max(axis=2)
        largest[~np.isfinite(largest)] = 0.0
        # pairs[i, B, C] = Σ_k I_above(B, i, k) · I_above(C, k, j): (sentences, spans, B, k) @ (…, k, C)
        factor = np.exp(scale - largest[:, :, None]).astype(left.dtype)
        pairs = (left * factor[..., None]).swapaxes(2, 3) @ right
        # I_below(A, i, j) = Σ over rules A → B C of p · pairs[i, B, C]: (sentences · spans, symbols)
        gathered = pairs.reshape(largest.size, -1).take(self.tables.pairs, axis=1)
        below = (self.tables.rules @ gathered.T).T
        self._store(width, below.reshape(*largest.shape, -1), largest)

    def _store(self, width: int, below: Floats, scale: Floats) -> None:
        tables, spans = self.tables, below.shape[1]
        # I_above(A) = I_below(A) + Σ_B p(A → B) · I_below(B), over its peak, whose log goes to scale
        above = below @ (tables.lift if width == self.length else tables.lift_inside)
        peak = above.max(axis=2)
        norm = np.where(peak > 0.0, peak, 1.0)[..., None]
        below, above = below / norm, above / norm
        if tables.precision.itemsize == 4:
            below[below < _FLOOR] = 0.0
            above[above < _FLOOR] = 0.0
        self.below[:, :spans, width], self.above[:, :spans, width] = below, above
        self.left[:, :spans, width] = above[..., tables.lefts]
        self.right[:, width:, self.length - width] = above[..., tables.rights]
        with np.errstate(divide="ignore"):
            self.scale[:, :spans, width] = scale + np.log(peak.astype(np.float64))
        self.scale_by_end[:, width:, self.length - width] = self.scale[:, :spans, width]


def _outside(tables: CoarseTables, inside: _Inside) -> tuple[Floats, Floats]:
    """Scaled outside probabilities of the two layers, as inside ones."""
    length, dtype = inside.length, tables.precision
    below, above = np.zeros_like(inside.below), np.zeros_like(inside.above)
    of_left, of_right = np.zeros_like(inside.left), np.zeros_like(inside.right)
    top = inside.above[:, 0, length, 0]
    n_pairs = len(tables.lefts) * len(tables.rights)
    buffer = np.zeros((len(top) * length, n_pairs), dtype)
    for width in range(length, 0, -1):
        spans = length - width + 1
        here = above[:, :spans, width]
        if width == length:
            here[:, 0, 0] = np.divide(1.0, top, out=np.zeros_like(top), where=top > 0.0)
        here[..., tables.lefts] += of_left[:, :spans, width]
        here[..., tables.rights] += of_right[:, width:, length - width]
        # A symbol that the span cannot be has no posterior; its outside probability could overflow.
        here *= inside.above[:, :spans, width] > 0.0
        lower = (here @ tables.lift.T) * (inside.below[:, :spans, width] > 0.0)
        below[:, :spans, width] = lower
        if width > 1:
            left, right, scale = inside.operands(width)
            whole = inside.scale[:, :spans, width]
            scale = scale - np.where(np.isfinite(whole), whole, 0.0)[..., None]
            # pairs[B, C] = Σ_A O_below(A, i, j) · p(A → B C), (sentences, spans, B, C);
            # O_above(B, i, k) += Σ_C pairs[B, C] · I_above(C, k, j), and so for C
            factor = np.exp(scale).astype(dtype)[..., None]
            rows = lower.reshape(-1, tables.n_symbols)
            buffer[: len(rows), tables.pairs] = (tables.rules_of_pair @ rows.T).T
            pairs = buffer[: len(rows)].reshape(*lower.shape[:2], len(tables.lefts), len(tables.rights))
            of_left[:, :spans, 1:width] += factor * (right @ pairs.swapaxes(2, 3))
            of_right[:, width:, spans:length] += factor * (left @ pairs)
    return below, above
