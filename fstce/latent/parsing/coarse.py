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
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.numeric.types import Bools, Floats, Ints


class TagPairs(NamedTuple):
    """Pairs of symbols one of which is a tag at least: the row of each among operands, and their sums.

    ``sums`` adds up, for each operand, what its pairs give: first those where it is the left symbol.
    """

    left: Ints
    right: Ints
    sums: sparse.csr_array


class CoarseTables:
    """The rules of an unsplit grammar as matrices.

    A tag stands over one word, so that it meets one split point of a span. Pairs of symbols are
    numbered by kind: of two phrases, of a tag and a phrase, of a phrase and a tag, of two tags.

    ``grammar``: every symbol has one subcategory. ``lefts``, ``rights``: the phrases that are left children
    of a binary rule, and the right ones. ``phrases`` (n_pairs, 2): pairs of two phrases, by their places
    among `lefts` and `rights`. ``beside_tags``: the other pairs, by whether the span has two words.
    """

    def __init__(self, grammar: SplitGrammar) -> None:
        self.grammar = grammar
        self.n_symbols = n = len(grammar.symbols)
        rules = grammar.binary.reshape(-1, 3)
        kind = np.isin(rules[:, 1:], grammar.tags) @ (1, 2)
        numbered = np.column_stack([kind, rules[:, 1:]])
        pairs, pair = np.unique(numbered, axis=0, return_inverse=True)
        cuts = np.searchsorted(pairs[:, 0], np.arange(5)).tolist()
        left, right = pairs[:, 1], pairs[:, 2]
        tags = np.isin(left, grammar.tags), np.isin(right, grammar.tags)
        self.lefts, self.left_tags = np.unique(left[~tags[0]]), np.unique(left[tags[0]])
        self.rights, self.right_tags = np.unique(right[~tags[1]]), np.unique(right[tags[1]])
        self.n_phrases = cuts[1]
        self.phrases = pairs[: cuts[1], 1:].copy()
        for side, symbols in enumerate((self.lefts, self.rights)):
            self.phrases[:, side] = np.searchsorted(symbols, self.phrases[:, side])
        # The operands of pairs with a tag, in this order; two tags take the last ones.
        groups = self.left_tags, self.rights, self.lefts, self.right_tags, self.right_tags
        self.operands = offsets_of(np.array([len(group) for group in groups]))
        places = [
            (
                a + np.searchsorted(groups[one], left[i:j]),
                b + np.searchsorted(groups[other], right[i:j]),
            )
            for (one, other), (i, j) in zip(
                ((0, 1), (2, 3), (0, 4)), pairwise(cuts[1:]), strict=True
            )
            for a, b in [(self.operands[one], self.operands[other])]
        ]
        self.beside_tags = {
            two: self._tag_pairs(places if two else places[:2]) for two in (False, True)
        }
        self.binary, unary = np.split(grammar.rules, [len(rules)])
        table = sparse.csr_array(
            (self.binary, (rules[:, 0], pair.reshape(-1))), shape=(n, cuts[-1])
        )
        self.rules = {two: table[:, : cuts[4 if two else 3]].tocsr() for two in (False, True)}
        self.rules_of_pair = {two: part.T.tocsr() for two, part in self.rules.items()}
        self.lift = np.eye(n)
        above, below = grammar.unary.T
        np.add.at(self.lift, (below, above), unary)
        self.lift_inside = self.lift.copy()
        self.lift_inside[:, 0] = 0.0

    def _tag_pairs(self, places: Sequence[tuple[Ints, Ints]]) -> TagPairs:
        left, right = (np.concatenate(column) for column in zip(*places, strict=True))
        target = np.concatenate([left, right])
        ones = np.ones(len(target))
        shape = (int(self.operands[-1]), len(target))
        return TagPairs(
            left, right, sparse.csr_array((ones, (target, np.arange(len(target)))), shape=shape)
        )


class Triangle(NamedTuple):
    """The spans of a sentence, by width, then by first word."""

    start: Ints
    width: Ints


@lru_cache(maxsize=256)
def triangle(length: int) -> Triangle:
    """All spans of a sentence of this many words."""
    counts = np.arange(length, 0, -1)
    width = np.repeat(np.arange(1, length + 1), counts)
    return Triangle(np.arange(len(width)) - np.repeat(np.cumsum(counts) - counts, counts), width)


# Rows of pairs of symbols held at once: they shall stay in the cache.
_ROWS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class CoarseChart:
    """Posterior probabilities of the symbols over each span, in the order of ``triangle``.

    ``log_probability``: natural logarithm of the sentence's probability; −inf if it has no parse. ``scale``
    (n_spans,): logarithm of the largest inside probability of each span; 0 where all are 0. ``inside``,
    ``outside`` (n_spans, 2 · n_symbols): scaled probabilities of the layer below, then of that above.
    """

    length: int
    log_probability: float
    scale: Floats
    inside: Floats
    outside: Floats

    @property
    def posteriors(self) -> Floats:
        """Posterior probabilities of the symbols below the spans' unary rules, then above them."""
        return self.inside * self.outside


def coarse_charts(tables: CoarseTables, scores: Sequence[Floats]) -> list[CoarseChart]:
    """Posteriors of all spans under the unsplit grammar; ``scores`` (n_words, n_tags): P(word | tag)."""
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
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        inside = _Inside(tables, scores)
        outside = _Outside(inside)
    length = inside.length
    start, width = triangle(length)
    top = inside.above[:, 0, length, 0]
    bounded = np.all(
        [np.isfinite(chart).all(axis=(1, 2, 3)) for chart in (outside.below, outside.above)], axis=0
    )
    with np.errstate(divide="ignore"):
        value = np.where(bounded, inside.scale[:, 0, length] + np.log(top), -np.inf)
    scale = np.where(np.isfinite(inside.scale), inside.scale, 0.0)[:, start, width]
    nothing = np.zeros((len(start), 2 * tables.n_symbols))
    return [
        CoarseChart(
            length,
            float(log),
            scale[at],
            *(
                np.concatenate(
                    [layer[at, start, width] for layer in (both.below, both.above)], axis=1
                )
                for both in (inside, outside)
            ),
        )
        if np.isfinite(log)
        else CoarseChart(length, -np.inf, np.zeros(len(start)), nothing, nothing)
        for at, log in enumerate(value)
    ]


class _Inside:
    """Scaled inside probabilities, (sentences, word, width, symbols), and the operands of binary rules.

    Work on the spans of one width is done on rows, (symbols, sentences · spans). What the outside pass
    needs of it again is kept by width: the ``factor`` of each split point, (sentences, spans, split
    points), relative to the largest of its span, the ``tag_operands`` of pairs with a tag, the
    ``share`` that spans were multiplied by, and which symbols they can be.
    """

    def __init__(self, tables: CoarseTables, scores: Floats) -> None:
        self.tables = tables
        n_sentences, self.length, _ = scores.shape
        cells = (n_sentences, self.length + 1, self.length + 1)
        self.below, self.above = (np.zeros((*cells, tables.n_symbols)) for _ in range(2))
        self.left, self.right = (
            np.zeros((*cells, len(of))) for of in (tables.lefts, tables.rights)
        )
        self.scale = np.full(cells, -np.inf)
        self.scale_by_end = self.scale.copy()
        self.columns = tables.phrases @ (len(tables.rights), 1)
        self.factor: dict[int, Floats] = {}
        self.tag_operands: dict[int, Floats] = {}
        self.share: dict[int, Floats] = {}
        self.alive: dict[int, tuple[Bools, Bools]] = {}
        words = np.zeros((tables.n_symbols, n_sentences * self.length))
        words[tables.grammar.tags] = _rows(scores)
        self._store(1, words, np.zeros((n_sentences, self.length)))
        above = self.above[:, : self.length, 1]
        self.left_tags, self.right_tags = (
            np.take(above, of, axis=-1) for of in (tables.left_tags, tables.right_tags)
        )
        for width in range(2, self.length + 1):
            self._combine(width)

    def operands(self, width: int) -> tuple[Floats, Floats]:
        """Left and right phrases of all split points, (sentences, spans, split points, symbols)."""
        spans, ends = slice(self.length - width + 1), slice(self.length - width + 1, self.length)
        return self.left[:, spans, 1:width], self.right[:, width:, ends]

    def _factor(self, width: int) -> tuple[Floats, Floats]:
        """exp(scales of both parts − the largest of the span), (sentences, spans, split points), and that."""
        spans, ends = slice(self.length - width + 1), slice(self.length - width + 1, self.length)
        scale = self.scale[:, spans, 1:width] + self.scale_by_end[:, width:, ends]
        largest = scale.max(axis=2)
        largest[~np.isfinite(largest)] = 0.0
        scale -= largest[:, :, None]
        return np.exp(scale), largest

    def _beside_tags(self, width: int, factor: Floats) -> Floats:
        """What pairs with a tag multiply, (operands, sentences · spans): tags times the factor of a split."""
        first = self.length - width + 1
        left_tags, right_tags = self.left_tags[:, :first], self.right_tags[:, width - 1 :]
        operands = (
            left_tags * factor[:, :, :1],
            self.right[:, width:, first],
            self.left[:, :first, width - 1],
            right_tags * factor[:, :, -1:],
            right_tags,
        )
        return _rows(np.concatenate(operands, axis=2))

    def _combine(self, width: int) -> None:
        tables = self.tables
        left, right = self.operands(width)
        # pairs[i, B, C] = Σ_k I_above(B, i, k) · I_above(C, k, j): (sentences, spans, B, k) @ (…, k, C)
        factor, largest = self._factor(width)
        self.factor[width] = factor
        pairs = left.swapaxes(2, 3) @ (right * factor[..., None])
        of = tables.beside_tags[width == 2]
        gathered = np.empty((tables.n_phrases + len(of.left), largest.size))
        gathered[: tables.n_phrases] = pairs.reshape(largest.size, -1)[:, self.columns].T
        # A tag is one word: pairs[i, B, C] = I_above(B, i, k) · I_above(C, k, j) of one k
        self.tag_operands[width] = operands = self._beside_tags(width, factor)
        np.multiply(operands[of.left], operands[of.right], out=gathered[tables.n_phrases :])
        # I_below(A, i, j) = Σ over rules A → B C of p · pairs[i, B, C]: (symbols, sentences · spans)
        self._store(width, tables.rules[width == 2] @ gathered, largest)

    def _store(self, width: int, below: Floats, scale: Floats) -> None:
        tables, shape = self.tables, (*scale.shape, -1)
        # I_above(A) = I_below(A) + Σ_B p(A → B) · I_below(B), over its peak, whose log goes to scale
        above = (tables.lift if width == self.length else tables.lift_inside).T @ below
        peak = above.max(axis=0)
        share = 1.0 / np.where(peak > 0.0, peak, 1.0)
        for values in (below, above):
            values *= share
        self.share[width] = share
        self.alive[width] = below > 0.0, above > 0.0
        spans = slice(scale.shape[1])
        by_span = above.T.reshape(shape)
        self.below[:, spans, width], self.above[:, spans, width] = below.T.reshape(shape), by_span
        self.left[:, spans, width] = above[tables.lefts].T.reshape(shape)
        self.right[:, width:, self.length - width] = above[tables.rights].T.reshape(shape)
        self.scale[:, spans, width] = scale + np.log(peak).reshape(scale.shape)
        self.scale_by_end[:, width:, self.length - width] = self.scale[:, spans, width]


def _rows(values: Floats) -> Floats:
    """Values (sentences, spans, symbols) as (symbols, sentences · spans)."""
    return np.ascontiguousarray(values.reshape(math.prod(values.shape[:-1]), values.shape[-1]).T)


class _Outside:
    """Scaled outside probabilities of the two layers, as inside ones.

    Those of tags, which only a word can be, are added up by rows: (symbols, sentences, words).
    """

    def __init__(self, inside: _Inside) -> None:
        self.inside, self.tables = inside, inside.tables
        self.below, self.above = np.zeros_like(inside.below), np.zeros_like(inside.above)
        self.left, self.right = np.zeros_like(inside.left), np.zeros_like(inside.right)
        n = len(self.above), inside.length
        self.left_tags = np.zeros((len(self.tables.left_tags), *n))
        self.right_tags = np.zeros((len(self.tables.right_tags), *n))
        n_pairs = len(self.tables.lefts) * len(self.tables.rights)
        self._buffer = np.zeros((n[0] * n[1], n_pairs))
        for width in range(inside.length, 0, -1):
            self._split(width, self._lowered(width))

    def _lowered(self, width: int) -> Floats:
        """O_below of the spans of a width, whose parents have been split, (symbols, sentences · spans)."""
        inside, tables = self.inside, self.tables
        length, spans = inside.length, inside.length - width + 1
        shape = len(self.above), spans, tables.n_symbols
        here = np.zeros((tables.n_symbols, shape[0] * spans))
        here[tables.lefts] = _rows(self.left[:, :spans, width])
        here[tables.rights] += _rows(self.right[:, width:, length - width])
        if width == length:
            top = inside.above[:, 0, length, 0]
            here[0] = np.divide(1.0, top, out=np.zeros_like(top), where=top > 0.0)
        if width == 1:
            here[tables.left_tags] += self.left_tags.reshape(-1, here.shape[1])
            here[tables.right_tags] += self.right_tags.reshape(-1, here.shape[1])
        # A symbol that the span cannot be has no posterior; its outside probability could overflow.
        can_be_below, can_be_above = inside.alive[width]
        here *= can_be_above
        lower: Floats = tables.lift @ here
        lower *= can_be_below
        self.above[:, :spans, width] = here.T.reshape(shape)
        self.below[:, :spans, width] = lower.T.reshape(shape)
        return lower

    def _split(self, width: int, lower: Floats) -> None:
        if width == 1:
            return
        inside, tables = self.inside, self.tables
        length, spans, n = inside.length, inside.length - width + 1, len(self.above)
        left, right = inside.operands(width)
        factor, operands = inside.factor[width], inside.tag_operands[width]
        # pairs[B, C] = Σ_A O_below(A, i, j) · p(A → B C): (pairs, sentences · spans), by the span's scale
        of_pairs = tables.rules_of_pair[width == 2] @ (lower * inside.share[width])
        # O_above(B, i, k) += Σ_C pairs[B, C] · I_above(C, k, j), and so for C: (sentences, spans, B, C)
        buffer = self._buffer[: n * spans]
        buffer[:, inside.columns] = of_pairs[: tables.n_phrases].T
        pairs = buffer.reshape(n, spans, left.shape[-1], right.shape[-1])
        self.left[:, :spans, 1:width] += (right * factor[..., None]) @ pairs.swapaxes(2, 3)
        of_right = left @ pairs
        of_right *= factor[..., None]
        self.right[:, width:, spans:length] += of_right
        # of one k where B or C is a tag; the factor is in the other's operand
        of, weights = tables.beside_tags[width == 2], of_pairs[tables.n_phrases :]
        given = np.empty((2 * len(weights), n * spans))
        np.multiply(weights, operands[of.right], out=given[: len(weights)])
        np.multiply(weights, operands[of.left], out=given[len(weights) :])
        to_tag, to_right, to_left, to_last, to_both = np.split(
            of.sums @ given, tables.operands[1:-1]
        )
        first, last = (np.ascontiguousarray(factor[:, :, at]) for at in (0, -1))
        by_word = (-1, n, spans)
        self.left_tags[:, :, :spans] += to_tag.reshape(by_word) * first
        self.right_tags[:, :, width - 1 :] += to_last.reshape(by_word) * last + to_both.reshape(
            by_word
        )
        self.right[:, width:, spans] += to_right.T.reshape(n, spans, -1)
        self.left[:, :spans, width - 1] += to_left.T.reshape(n, spans, -1)
