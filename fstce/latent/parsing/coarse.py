"""The coarse pass: inside and outside of one sentence with an unsplit grammar, all spans of a width at once.

A span has two layers: *below*, what a binary rule or a tag builds, and *above*, the same or
one unary rule higher. With I and O the inside and outside probabilities,

    I_below(A, i, j) = Σ_{A → B C} p(A → B C) Σ_k I_above(B, i, k) · I_above(C, k, j)
    I_above(A, i, j) = I_below(A, i, j) + Σ_{A → B} p(A → B) · I_below(B, i, j)

The sum over split points k is a product of matrices that gives every pair (B, C) at once;
the rules gather from it. A span's numbers are divided by its largest inside probability,
exp(scale), and outside ones multiplied by exp(scale) / P(sentence), so that two hundred
words do not underflow and inside · outside is a posterior probability.

A chart is kept twice, by first word and by last word, each at [word, width]: the operands
of all spans of a width are then two slices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
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


class CoarseTables:
    """The rules of an unsplit grammar as matrices.

    Parameters
    ----------
    grammar : SplitGrammar
        Every symbol has one subcategory.
    """

    def __init__(self, grammar: SplitGrammar) -> None:
        self.grammar = grammar
        self.n_symbols = n = len(grammar.symbols)
        parent, left, right = grammar.binary.reshape(-1, 3).T
        self.pairs, pair = np.unique(left * n + right, return_inverse=True)
        self.binary = np.array([table.item() for table in grammar.binary_probabilities], dtype=np.float64)
        self.rules = sparse.csr_array((self.binary, (parent, pair.reshape(-1))), shape=(n, len(self.pairs)))
        self.rules_of_pair = self.rules.T.tocsr()
        self.lift = np.eye(n)
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


def coarse_chart(tables: CoarseTables, scores: Floats) -> CoarseChart:
    """Posteriors of all spans of a sentence under the unsplit grammar.

    Parameters
    ----------
    tables : CoarseTables
    scores : ndarray, shape (n_words, n_tags)
        P(word | tag).

    Returns
    -------
    CoarseChart
    """
    inside = _Inside(tables, scores)
    length = len(scores)
    start, width = triangle(length)
    top = inside.above[0, length, 0]
    shape = (len(start), tables.n_symbols)
    if not top > 0.0:
        return CoarseChart(length, -np.inf, np.zeros(len(start)), *(np.zeros(shape) for _ in range(4)))
    below, above = _outside(tables, inside)
    return CoarseChart(
        length,
        float(inside.scale[0, length] + np.log(top)),
        np.where(np.isfinite(inside.scale), inside.scale, 0.0)[start, width],
        *(chart[start, width] for chart in (inside.below, inside.above, below, above)),
    )


class _Inside:
    """Scaled inside probabilities by first word; ``by_end`` holds the upper layer by last word."""

    def __init__(self, tables: CoarseTables, scores: Floats) -> None:
        self.tables, self.length = tables, len(scores)
        shape = (self.length + 1, self.length + 1, tables.n_symbols)
        self.below, self.above, self.by_end = (np.zeros(shape) for _ in range(3))
        self.scale = np.full(shape[:2], -np.inf)
        self.scale_by_end = self.scale.copy()
        words = np.zeros((self.length, tables.n_symbols))
        words[:, tables.grammar.tags] = scores
        self._store(1, words, np.zeros(self.length))
        for width in range(2, self.length + 1):
            self._combine(width)

    def operands(self, width: int) -> tuple[Floats, Floats, Floats]:
        """Left and right operands, (spans, split points, symbols), and the sum of their scales."""
        spans = self.length - width + 1
        left, right = self.above[:spans, 1:width], self.by_end[width:, width - 1 : 0 : -1]
        return left, right, self.scale[:spans, 1:width] + self.scale_by_end[width:, width - 1 : 0 : -1]

    def _combine(self, width: int) -> None:
        left, right, scale = self.operands(width)
        largest = scale.max(axis=1)
        largest[~np.isfinite(largest)] = 0.0
        # pairs[i, B, C] = Σ_k I_above(B, i, k) · I_above(C, k, j): (spans, B, k) @ (spans, k, C)
        factor = np.exp(scale - largest[:, None])
        pairs = (left * factor[:, :, None]).transpose(0, 2, 1) @ right
        # I_below(A, i, j) = Σ over rules A → B C of p · pairs[i, B, C]: (spans, symbols)
        gathered = pairs.reshape(len(pairs), -1).take(self.tables.pairs, axis=1)
        self._store(width, (self.tables.rules @ gathered.T).T, largest)

    def _store(self, width: int, below: Floats, scale: Floats) -> None:
        spans = len(below)
        # I_above(A) = I_below(A) + Σ_B p(A → B) · I_below(B), over its peak, whose log goes to scale
        above = below @ (self.tables.lift if width == self.length else self.tables.lift_inside)
        peak = above.max(axis=1)
        norm = np.where(peak > 0.0, peak, 1.0)[:, None]
        self.below[:spans, width], self.above[:spans, width] = below / norm, above / norm
        with np.errstate(divide="ignore"):
            self.scale[:spans, width] = scale + np.log(peak)
        self.by_end[width:, width] = self.above[:spans, width]
        self.scale_by_end[width:, width] = self.scale[:spans, width]


def _outside(tables: CoarseTables, inside: _Inside) -> tuple[Floats, Floats]:
    """Scaled outside probabilities of the two layers, by first word."""
    length, n = inside.length, tables.n_symbols
    below, above, by_end = (np.zeros_like(inside.above) for _ in range(3))
    above[0, length, 0] = 1.0 / inside.above[0, length, 0]
    buffer = np.zeros((length, n * n))
    for width in range(length, 0, -1):
        spans = length - width + 1
        here = above[:spans, width]
        here += by_end[width:, width]
        # A symbol that the span cannot be has no posterior; its outside probability could overflow.
        here *= inside.above[:spans, width] > 0.0
        below[:spans, width] = (here @ tables.lift.T) * (inside.below[:spans, width] > 0.0)
        if width > 1:
            left, right, scale = inside.operands(width)
            scale = (
                scale
                - np.where(np.isfinite(inside.scale[:spans, width]), inside.scale[:spans, width], 0.0)[
                    :, None
                ]
            )
            # pairs[B, C] = Σ_A O_below(A, i, j) · p(A → B C), (spans, B, C);
            # O_above(B, i, k) += Σ_C pairs[B, C] · I_above(C, k, j), and so for C
            factor = np.exp(scale)[:, :, None]
            buffer[:spans, tables.pairs] = (tables.rules_of_pair @ below[:spans, width].T).T
            pairs = buffer[:spans].reshape(spans, n, n)
            above[:spans, 1:width] += factor * (right @ pairs.transpose(0, 2, 1))
            by_end[width:, width - 1 : 0 : -1] += factor * (left @ pairs)
    return below, above
