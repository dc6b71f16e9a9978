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
from typing import NamedTuple

import numpy as np
from scipy import sparse

from fstce.latent.model.rule_layout import offsets_of
from fstce.latent.model.split_grammar import SplitGrammar
from fstce.numeric.types import Floats, Ints


class PairRules(NamedTuple):
    """The binary rules of spans of two words, or of longer ones.

    ``left``, ``right``: of pairs of symbols one of which is a tag at least, the row of each among
    operands. ``sums`` adds up, for each operand, what its pairs give: first those where it is on
    the left. ``by_parent`` (n_symbols, n_pairs): probabilities of rules, pairs of two phrases
    first. ``by_pair``: its transpose.
    """

    left: Ints
    right: Ints
    sums: sparse.csr_array
    by_parent: sparse.csr_array
    by_pair: sparse.csr_array


class CoarseTables:
    """The rules of an unsplit grammar as matrices.

    A tag stands over one word, so that it meets one split point of a span. Pairs of symbols are
    numbered by what they are: two phrases, a tag and a phrase, a phrase and a tag, two tags.

    ``grammar``: every symbol has one subcategory. ``lefts``, ``rights``: the phrases that are left
    children of a binary rule, and the right ones. ``columns`` (n_phrases,): pairs of two phrases as
    columns of a table of all `lefts` and `rights`. ``operands``: where the symbols of pairs with a
    tag begin that are left tags, rights, lefts, right tags.
    """

    def __init__(self, grammar: SplitGrammar) -> None:
        self.grammar = grammar
        self.n_symbols: int = len(grammar.symbols)

        rules = grammar.binary.reshape(-1, 3)
        self.binary: Floats
        self.binary, unary = np.split(grammar.rules, [len(rules)])

        # Pairs by whether the left symbol (1), the right one (2) or both (3) are tags
        tags_of_pair = np.isin(rules[:, 1:], grammar.tags) @ (1, 2)
        pairs, pair_of_rule = np.unique(
            np.column_stack([tags_of_pair, rules[:, 1:]]), axis=0, return_inverse=True
        )
        self.n_phrases: int
        self.n_phrases, n_long = np.searchsorted(pairs[:, 0], (1, 3)).tolist()
        left, right = pairs[:, 1], pairs[:, 2]

        left_is_tag = np.isin(left, grammar.tags)
        right_is_tag = np.isin(right, grammar.tags)
        self.lefts: Ints = np.unique(left[~left_is_tag])
        self.rights: Ints = np.unique(right[~right_is_tag])
        self.left_tags: Ints = np.unique(left[left_is_tag])
        self.right_tags: Ints = np.unique(right[right_is_tag])

        # The operand of each symbol as the left one of a pair and as the right one
        groups = (self.left_tags, self.rights, self.lefts, self.right_tags)
        self.operands: Ints = offsets_of(np.array([len(group) for group in groups]))
        operand = np.zeros((2, self.n_symbols), dtype=np.int64)
        for side, group, begin in zip((0, 1, 0, 1), groups, self.operands[:4], strict=True):
            operand[side, group] = begin + np.arange(len(group))
        of_left, of_right = operand[0, left], operand[1, right]

        _, first_right, first_left, *_ = self.operands
        columns = (of_left - first_left) * len(self.rights) + of_right - first_right
        self.columns: Ints = columns[: self.n_phrases]

        table = sparse.csr_array(
            (self.binary, (rules[:, 0], pair_of_rule.reshape(-1))),
            shape=(self.n_symbols, len(pairs)),
        )
        # Two tags are two words; the other pairs are more words or two.
        self._long = self._pair_rules(of_left, of_right, table[:, :n_long])
        self._of_two_words = self._pair_rules(of_left, of_right, table)

        self.lift: Floats = np.eye(self.n_symbols)
        above, below = grammar.unary.T
        np.add.at(self.lift, (below, above), unary)

    def of_width(self, width: int) -> PairRules:
        """The binary rules of spans of so many words, two at least."""
        return self._of_two_words if width == 2 else self._long

    def _pair_rules(self, left: Ints, right: Ints, by_parent: sparse.csr_array) -> PairRules:
        """The rules of these first pairs, whose symbols are these operands."""
        with_tag = slice(self.n_phrases, by_parent.shape[1])
        operand = np.concatenate([left[with_tag], right[with_tag]])

        entries = np.ones(len(operand)), (operand, np.arange(len(operand)))
        sums = sparse.csr_array(entries, shape=(int(self.operands[-1]), len(operand)))
        return PairRules(
            left[with_tag], right[with_tag], sums, by_parent.tocsr(), by_parent.T.tocsr()
        )


@lru_cache(maxsize=256)
def triangle(length: int) -> tuple[Ints, Ints]:
    """First word and width of all spans of a sentence of so many words, by width first."""
    counts = np.arange(length, 0, -1)
    width = np.repeat(np.arange(1, length + 1), counts)
    return np.arange(len(width)) - np.repeat(np.cumsum(counts) - counts, counts), width


# Rows of pairs of symbols held at once: they shall stay in the cache.
_ROWS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class CoarseChart:
    """Posterior probabilities of the symbols over each span, in the order of ``triangle``.

    ``scale`` (n_spans,): logarithm of the largest inside probability of each span; 0 where all are
    0. ``inside``, ``outside`` (n_spans, 2 · n_symbols): scaled probabilities of the layer below,
    then of that above; all 0 if the sentence has no parse.
    """

    length: int
    scale: Floats
    inside: Floats
    outside: Floats

    @property
    def posteriors(self) -> Floats:
        """Posterior probabilities of the symbols below the spans' unary rules, then above them."""
        return self.inside * self.outside


def coarse_charts(tables: CoarseTables, scores: Sequence[Floats]) -> list[CoarseChart]:
    """Posteriors of spans, the grammar unsplit; ``scores`` (n_words, n_tags): P(word | tag)."""
    lengths = np.array([len(of_words) for of_words in scores], dtype=np.int64)
    chart_of_sentence: dict[int, CoarseChart] = {}

    for length in np.unique(lengths).tolist():
        sentences = np.flatnonzero(lengths == length)
        n_blocks = min(len(sentences), -(-len(sentences) * length // _ROWS))
        for block in np.array_split(sentences, n_blocks):
            charts = _of_one_length(tables, np.stack([scores[at] for at in block]))
            chart_of_sentence.update(zip(block.tolist(), charts, strict=True))

    return [chart_of_sentence[at] for at in range(len(scores))]


def _of_one_length(tables: CoarseTables, scores: Floats) -> list[CoarseChart]:
    """The charts of sentences of one length, scores (sentences, words, tags)."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        inside = _Inside(tables, scores)
        outside = _Outside(inside)
    length = inside.length

    start, width = triangle(length)
    scale = np.where(np.isfinite(inside.scale), inside.scale, 0.0)[:, start, width]
    of_spans = []  # of the inside and of the outside pass, (sentences, spans, 2 · n_symbols)
    for below, above in ((inside.below, inside.above), (outside.below, outside.above)):
        of_spans.append(np.concatenate([below[:, start, width], above[:, start, width]], axis=2))

    has_parse = inside.above[:, 0, length, 0] > 0.0
    has_parse &= np.isfinite(of_spans[1]).all(axis=(1, 2))
    for layers in of_spans:
        layers[~has_parse] = 0.0
    return [CoarseChart(length, *of_sentence) for of_sentence in zip(scale, *of_spans, strict=True)]


class _Inside:
    """Scaled inside probabilities, (sentences, word, width, symbols), and operands of binary rules.

    Work on the spans of one width is done on rows, (symbols, sentences · spans). What the outside
    pass needs of it again is kept by width: the ``factor`` of each split point, (sentences, spans,
    split points), relative to the largest of its span, the ``tag_operands`` of pairs with a tag,
    and the ``share`` that spans were multiplied by.
    """

    def __init__(self, tables: CoarseTables, scores: Floats) -> None:
        self.tables = tables
        n_sentences, self.length, _ = scores.shape
        cells = (n_sentences, self.length + 1, self.length + 1)

        self.below = np.zeros((*cells, tables.n_symbols))
        self.above = np.zeros((*cells, tables.n_symbols))
        self.left = np.zeros((*cells, len(tables.lefts)))
        self.right = np.zeros((*cells, len(tables.rights)))
        self.scale = np.full(cells, -np.inf)

        self.factor: dict[int, Floats] = {}
        self.tag_operands: dict[int, Floats] = {}
        self.share: dict[int, Floats] = {}

        words = np.zeros((tables.n_symbols, n_sentences * self.length))
        words[tables.grammar.tags] = _rows(scores)
        self._store(1, words, np.zeros((n_sentences, self.length)))

        above_words = self.above[:, : self.length, 1]
        self.left_tags = np.take(above_words, tables.left_tags, axis=-1)
        self.right_tags = np.take(above_words, tables.right_tags, axis=-1)

        for width in range(2, self.length + 1):
            self._combine(width)

    def operands(self, width: int) -> tuple[Floats, Floats]:
        """Left and right phrases of all split points, (sentences, spans, split points, symbols)."""
        first = self.length - width + 1
        return self.left[:, :first, 1:width], self.right[:, width:, first : self.length]

    def _beside_tags(self, width: int, factor: Floats) -> Floats:
        """The operands of pairs with a tag, tags times the factor of a split.

        (operands, sentences · spans).
        """
        first = self.length - width + 1
        left_tags = self.left_tags[:, :first]
        right_tags = self.right_tags[:, width - 1 :]

        operands = (
            left_tags * factor[:, :, :1],
            self.right[:, width:, first],
            self.left[:, :first, width - 1],
            right_tags * factor[:, :, -1:],
        )
        return _rows(np.concatenate(operands, axis=2))

    def _combine(self, width: int) -> None:
        tables = self.tables
        rules = tables.of_width(width)
        left, right = self.operands(width)
        start = np.arange(left.shape[1])[:, None]
        split = np.arange(1, width)

        # exp(scales of both parts − the largest of the span): (sentences, spans, split points)
        scale = self.scale[:, start, split] + self.scale[:, start + split, width - split]
        largest = scale.max(axis=2)
        largest[~np.isfinite(largest)] = 0.0
        factor = np.exp(scale - largest[:, :, None])

        # pairs[i, B, C] = Σ_k I_above(B, i, k) · I_above(C, k, j): (…, spans, B, k) @ (…, k, C)
        pairs = left.swapaxes(2, 3) @ (right * factor[..., None])

        gathered = np.empty((rules.by_parent.shape[1], largest.size))
        gathered[: tables.n_phrases] = pairs.reshape(largest.size, -1)[:, tables.columns].T

        # A tag is one word: pairs[i, B, C] = I_above(B, i, k) · I_above(C, k, j) of one k
        operands = self._beside_tags(width, factor)
        with_tag = gathered[tables.n_phrases :]
        np.multiply(operands[rules.left], operands[rules.right], out=with_tag)

        self.factor[width] = factor
        self.tag_operands[width] = operands

        # I_below(A, i, j) = Σ over A → B C of p · pairs[i, B, C]: (symbols, sentences · spans)
        self._store(width, rules.by_parent @ gathered, largest)

    def _store(self, width: int, below: Floats, scale: Floats) -> None:
        tables = self.tables
        shape = (*scale.shape, -1)

        # I_above(A) = I_below(A) + Σ_B p(A → B) · I_below(B), ROOT over the whole alone; both
        # over the peak, whose log goes to scale
        above = tables.lift.T @ below
        if width < self.length:
            above[0] = 0.0
        peak = above.max(axis=0)
        share = 1.0 / np.where(peak > 0.0, peak, 1.0)
        below *= share
        above *= share

        self.share[width] = share

        spans = slice(scale.shape[1])
        left_over = self.length - width
        self.below[:, spans, width] = below.T.reshape(shape)
        self.above[:, spans, width] = above.T.reshape(shape)
        self.left[:, spans, width] = above[tables.lefts].T.reshape(shape)
        self.right[:, width:, left_over] = above[tables.rights].T.reshape(shape)
        self.scale[:, spans, width] = scale + np.log(peak).reshape(scale.shape)


def _rows(values: Floats) -> Floats:
    """Values (sentences, spans, symbols) as (symbols, sentences · spans)."""
    return np.ascontiguousarray(values.reshape(math.prod(values.shape[:-1]), values.shape[-1]).T)


class _Outside:
    """Scaled outside probabilities of the two layers, laid out like inside ones.

    Those of tags, which only a word can be, are added up by rows: (symbols, sentences, words).
    """

    def __init__(self, inside: _Inside) -> None:
        self.inside = inside
        self.tables = inside.tables
        self.below = np.zeros_like(inside.below)
        self.above = np.zeros_like(inside.above)
        self.left = np.zeros_like(inside.left)
        self.right = np.zeros_like(inside.right)

        n_sentences = len(self.above)
        words = n_sentences, inside.length
        self.left_tags = np.zeros((len(self.tables.left_tags), *words))
        self.right_tags = np.zeros((len(self.tables.right_tags), *words))

        n_pairs = len(self.tables.lefts) * len(self.tables.rights)
        self._buffer = np.zeros((n_sentences * inside.length, n_pairs))
        for width in range(inside.length, 1, -1):
            self._split(width, self._lowered(width))
        self._lowered(1)

    def _lowered(self, width: int) -> Floats:
        """O_below of the spans of a width, whose parents have been split.

        (symbols, sentences · spans).
        """
        inside = self.inside
        tables = self.tables
        spans = inside.length - width + 1
        shape = len(self.above), spans, tables.n_symbols

        upper = np.zeros((tables.n_symbols, shape[0] * spans))
        upper[tables.lefts] = _rows(self.left[:, :spans, width])
        upper[tables.rights] += _rows(self.right[:, width:, inside.length - width])
        if width == inside.length:
            top = inside.above[:, 0, width, 0]
            upper[0] = np.divide(1.0, top, out=np.zeros_like(top), where=top > 0.0)
        if width == 1:
            upper[tables.left_tags] += self.left_tags.reshape(-1, upper.shape[1])
            upper[tables.right_tags] += self.right_tags.reshape(-1, upper.shape[1])

        # A symbol that the span cannot be has no posterior; its outside probability could overflow.
        upper *= _rows(inside.above[:, :spans, width]) > 0.0
        lower: Floats = tables.lift @ upper
        lower *= _rows(inside.below[:, :spans, width]) > 0.0

        self.above[:, :spans, width] = upper.T.reshape(shape)
        self.below[:, :spans, width] = lower.T.reshape(shape)
        return lower

    def _split(self, width: int, lower: Floats) -> None:
        """Give the parts of all spans of a width, two words or more, their share."""
        # pairs[B, C] = Σ_A O_below(A, i, j) · p(A → B C): (pairs, sentences · spans), by the scale
        of_pairs = self.tables.of_width(width).by_pair @ (lower * self.inside.share[width])
        n_phrases = self.tables.n_phrases
        self._split_phrases(width, of_pairs[:n_phrases])
        self._split_tags(width, of_pairs[n_phrases:])

    def _split_phrases(self, width: int, of_pairs: Floats) -> None:
        """O_above(B, i, k) += Σ_C pairs[B, C] · I_above(C, k, j) for all k, and so for C."""
        inside = self.inside
        n_sentences = len(self.above)
        spans = inside.length - width + 1
        factor = inside.factor[width][..., None]

        left, right = inside.operands(width)  # (…, spans, B, C)
        buffer = self._buffer[: n_sentences * spans]
        buffer[:, self.tables.columns] = of_pairs.T
        pairs = buffer.reshape(n_sentences, spans, left.shape[-1], right.shape[-1])

        self.left[:, :spans, 1:width] += (right * factor) @ pairs.swapaxes(2, 3)
        to_right = left @ pairs
        to_right *= factor
        self.right[:, width:, spans : inside.length] += to_right

    def _split_tags(self, width: int, of_pairs: Floats) -> None:
        """The shares of pairs with a tag, which stands over the first or the last word."""
        inside = self.inside
        rules = self.tables.of_width(width)
        n_sentences = len(self.above)
        spans = inside.length - width + 1

        # The factor is in the operand across from it.
        operands = inside.tag_operands[width]
        shares = np.empty((2 * len(of_pairs), n_sentences * spans))
        np.multiply(of_pairs, operands[rules.right], out=shares[: len(of_pairs)])
        np.multiply(of_pairs, operands[rules.left], out=shares[len(of_pairs) :])
        to_left_tag, to_right, to_left, to_right_tag = np.split(
            rules.sums @ shares, self.tables.operands[1:-1]
        )

        factor = inside.factor[width]
        first = np.ascontiguousarray(factor[:, :, 0])
        last = np.ascontiguousarray(factor[:, :, -1])
        by_word = (-1, n_sentences, spans)
        last_words = self.right_tags[:, :, width - 1 :]
        self.left_tags[:, :, :spans] += to_left_tag.reshape(by_word) * first
        last_words += to_right_tag.reshape(by_word) * last
        self.right[:, width:, spans] += to_right.T.reshape(n_sentences, spans, -1)
        self.left[:, :spans, width - 1] += to_left.T.reshape(n_sentences, spans, -1)
