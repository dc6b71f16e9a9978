"""Bigram taggings of sentences, position by position: sums over all of them, of raw text and of
supervised chains.

Where words may take many tags, most pairs of tags are possible between two words, and their product
automata are nearly dense: a CRF of 45 tags has some 250 arcs a word. Then all sentences take one
step together, as rows of a matrix (sentences, T) times the matrix of transitions (T, T), which is
BLAS's work. Rows are rescaled at every step, as Rabiner (1989, §V.A) does; where weights are so far
apart that a row has no mass left, the sentences around it are summed by their automata.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fstce.estimation.resources import IN_MEMORY, Resources
from fstce.numeric.kernels import ranges, total
from fstce.numeric.types import Floats, Ints, Rows
from fstce.processes.workers import in_threads
from fstce.wfsa.batch import Shard, TagStructure, sentence_batch
from fstce.wfsa.building import path_counts
from fstce.wfsa.features import EmissionTable, TagFeatures, locate
from fstce.wfsa.terms import LatticeSum

DENSE = 20  # as many cells of a table of transitions take about as long as one arc
_BLOCK = 32_000  # words
TINY = 1e-150  # of a row's mass, below which it is no more what it was, and its inverse too large


class Columns(NamedTuple):
    """Sentences of a block, longest first, and their words by position.

    ``word`` (N,): number among the distinct words of each token; of all sentences the first word,
    then the second. ``size`` (positions,): how many sentences reach so far. ``coefficient`` is
    (sentences,).
    """

    sentences: Rows
    word: Ints
    size: Ints
    coefficient: Floats


class BigramSum:
    """Σ over sentences of coefficient · log Z(θ) of their bigram taggings, times a number.

    ``features``: of order 2. ``counts`` (sentences,): how often each sentence occurs.
    """

    def __init__(
        self,
        features: TagFeatures,
        emissions: EmissionTable,
        structure: TagStructure,
        sentences: Rows,
        counts: Floats,
        scale: float = 1.0,
        resources: Resources = IN_MEMORY,
    ) -> None:
        self.scale = scale
        self._structure = structure
        self._resources = resources
        self._features = features
        self._emissions = emissions

        self._words, word_of_token = _distinct(sentences, structure)
        self._blocks = list(_blocks(sentences, word_of_token, counts))

        # Of each pair of one of these words and a tag: its place in (words, T), its row of
        # emissions
        word, tag = structure.pairs
        place, is_here = locate(self._words, word)
        self._cell = place[is_here], tag[is_here]
        self._row = emissions.index(word[is_here], tag[is_here])

        base = len(features.tags) + 1
        codes = np.arange(base * base - 1) + 1  # all but a boundary after a boundary
        index, has_feature = locate(features.ngrams, codes)
        self._ngram = np.where(has_feature, index, len(features.ngrams))

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        n_tags = len(self._features.tags)
        n_ngrams = len(self._features.ngrams)

        scores = self._emissions.scores(theta)
        table = np.full((len(self._words), n_tags), -np.inf)
        table[self._cell] = scores[self._row]
        flat = np.append(self._features.with_missing(theta)[self._ngram], -np.inf)
        steps = flat.reshape(n_tags + 1, n_tags + 1)
        scaled = _Scaled(steps, table)

        value = 0.0
        gradient = np.zeros_like(theta)
        of_steps = np.zeros_like(steps)
        of_words = np.zeros_like(table)
        answers = in_threads(scaled.sum, self._blocks, self._resources.jobs)
        for block, answer in zip(self._blocks, answers, strict=True):
            if answer is None:
                log_z, slope = self._by_automata(block, theta)
                gradient += slope
            else:
                log_z, transitions, words = answer
                of_steps += transitions
                of_words += words
            value += log_z

        counts = np.zeros_like(scores)
        counts[self._row] = of_words[self._cell]
        steps_of_ngram = total(self._ngram, of_steps.ravel()[:-1], n_ngrams + 1)[:n_ngrams]
        first_word = self._features.first_word
        gradient[:first_word] += self._features.ngram_gradient(steps_of_ngram)
        gradient[first_word:] += self._emissions.gradient(scores, counts)
        return self.scale * value, self.scale * gradient

    def _by_automata(self, block: Columns, theta: Floats) -> tuple[float, Floats]:
        """Value and gradient of a block by product automata: slower, but no weight is too small."""
        structure = self._structure
        batch = sentence_batch(block.sentences, structure.symbols, structure.automaton)
        return LatticeSum(self._features, self._emissions, [Shard(batch, block.coefficient)])(theta)


class _Forward(NamedTuple):
    """The forward pass through a block.

    ``alpha`` (N, T): of each token the probability of its tags given the words so far. ``norm``
    (N,): c. ``finish`` (sentences,): Σ_t α_n(t) m(t, end).
    """

    alpha: Floats
    norm: Floats
    finish: Floats


class _Scaled:
    """Transitions and emissions as factors, the greatest of each row or table one."""

    def __init__(self, steps: Floats, table: Floats) -> None:
        self.n_tags = table.shape[1]
        self.most = float(_finite(steps.max()))
        self.best = _finite(table.max(axis=1))
        self.factor = np.exp(steps - self.most)
        self.emission = np.exp(table - self.best[:, None])

    def sum(self, block: Columns) -> tuple[float, Floats, Floats] | None:
        """log Z, the expected transitions (T + 1, T + 1) and the expected tags of the words (words,
        T).

        None where weights are hundreds of nats apart, so that a row is next to zero.
        """
        forward = self._forward(block)
        if forward is None:
            return None

        # Z = Π_i c_i · Σ_t α_n(t) m(t, end), times what was taken out of the factors
        places = np.concatenate([np.arange(n) for n in block.size])
        taken = np.log(forward.norm) + self.best[block.word] + self.most
        log_z = np.log(forward.finish) + self.most + total(places, taken, len(forward.finish))
        transitions, posteriors = self._backward(block, forward)

        from scipy.sparse import csr_matrix  # takes a tenth of a second, which tagging need not

        tokens = np.arange(len(block.word) + 1)
        shape = len(block.word), len(self.best)
        words = csr_matrix((np.ones(len(block.word)), block.word, tokens), shape)
        value = float(np.sum(block.coefficient * log_z))
        return value, transitions, np.asarray(words.T @ posteriors)

    def _forward(self, block: Columns) -> _Forward | None:
        inside, first, last = self._transitions()
        begin = np.append(0, np.cumsum(block.size)).tolist()
        size = np.append(block.size, 0)

        alpha = self.emission[block.word]
        norm = np.empty(begin[-1])
        finish = np.empty(len(block.coefficient))

        # α_i(t) = p(w_i, t) Σ_s α_{i−1}(s) m(s, t) / c_i, c_i such that Σ_t α_i(t) = 1; (sentences,
        # T)
        for i, (a, b) in enumerate(itertools.pairwise(begin)):
            here = alpha[a:b]
            if i == 0:
                here *= first
            else:
                here *= alpha[begin[i - 1] : begin[i - 1] + b - a] @ inside

            norm[a:b] = here.sum(axis=1)
            if norm[a:b].min() < TINY:
                return None
            here /= norm[a:b, None]
            finish[size[i + 1] : size[i]] = alpha[a + size[i + 1] : b] @ last

        if finish.min() < TINY:
            return None
        return _Forward(alpha, norm, finish)

    def _backward(self, block: Columns, forward: _Forward) -> tuple[Floats, Floats]:
        """Expected transitions, and posteriors of each token's tags, times the coefficients."""
        t = self.n_tags
        inside, first, last = self._transitions()
        begin = np.append(0, np.cumsum(block.size)).tolist()
        size = np.append(block.size, 0)

        alpha, norm, finish = forward
        posteriors = np.empty_like(alpha)
        counts = np.zeros((t + 1, t + 1))
        after = np.empty((0, t))  # Σ_t m(s, t) q_i(t) of the sentences that go on

        # q_i(t) = p(w_i, t) β_i(t) / c_i; β_{i−1}(s) = Σ_t m(s, t) q_i(t)
        # β_n = coefficient · m(·, end) / Σ
        for i in range(len(block.size) - 1, -1, -1):
            a, b, n = begin[i], begin[i + 1], size[i + 1]
            ending = (block.coefficient[n : size[i]] / finish[n : size[i]])[:, None]
            counts[:t, t] += (alpha[a + n : b] * ending).sum(axis=0) * last

            beta = np.concatenate((after, ending * last))
            posteriors[a:b] = alpha[a:b] * beta
            q = self.emission[block.word[a:b]] * beta / norm[a:b, None]
            if i:
                earlier = alpha[begin[i - 1] : begin[i - 1] + b - a]
                counts[:t, :t] += earlier.T @ q  # E[s, t] / m(s, t)
                after = q @ inside.T
            else:
                counts[t, :t] = first * q.sum(axis=0)

        counts[:t, :t] *= inside
        return counts, posteriors

    def _transitions(self) -> tuple[Floats, Floats, Floats]:
        """m between two tags, m(start, ·) and m(·, end)."""
        t = self.n_tags
        return self.factor[:t, :t], self.factor[t, :t], self.factor[:t, t]


def dense_bigrams(structure: TagStructure, sentences: Rows) -> Ints | None:
    """The possible bigrams where :class:`BigramSum` is the faster way, else None.

    The text alone decides, not the resources: the two ways differ in the last bits.
    """
    if structure.order != 2:
        return None

    arcs = float(path_counts(sentences, structure.symbols, structure.pairs[0], 2).sum())
    if sum(map(len, sentences)) * (len(structure.tags) + 1) ** 2 > DENSE * arcs:
        return None
    return possible_bigrams(structure, sentences)


def possible_bigrams(structure: TagStructure, sentences: Rows) -> Ints:
    """The codes of the tag bigrams, boundaries among them, that some sentence allows, ascending."""
    n_tags = len(structure.tags)
    words, word_of_token = _distinct(sentences, structure)
    boundary = len(words)

    word, tag = structure.pairs
    place, is_here = locate(words, word)
    allowed = np.zeros((boundary + 1, n_tags + 1), dtype=np.float32)
    allowed[place[is_here], tag[is_here]] = 1
    allowed[boundary, n_tags] = 1

    ends = np.cumsum([len(sentence) for sentence in sentences])
    tokens = np.insert(word_of_token, np.append(0, ends), boundary)
    neighbors = np.unique(tokens[:-1] * (boundary + 1) + tokens[1:])
    left, right = np.divmod(neighbors, boundary + 1)
    is_pair = left + right < 2 * boundary  # not the end of a sentence and the start of the next
    left, right = left[is_pair], right[is_pair]

    # Two neighbors allow each pair of a tag of the one and a tag of the other
    possible = np.zeros((n_tags + 1, n_tags + 1))
    for a in range(0, len(left), _BLOCK):
        possible += allowed[left[a : a + _BLOCK]].T @ allowed[right[a : a + _BLOCK]]
    return np.flatnonzero(possible).astype(np.int64) + 1


def _finite(numbers: Floats) -> Floats:
    """The numbers with zero in place of −∞."""
    return np.where(np.isneginf(numbers), 0.0, numbers)


def _distinct(sentences: Rows, structure: TagStructure) -> tuple[Ints, Ints]:
    """The ids of the distinct words, ascending, and the number of each token's word among them."""
    ids = structure.symbols.ids(list(itertools.chain.from_iterable(sentences)))
    return np.unique(ids.astype(np.int64), return_inverse=True)


def _blocks(sentences: Rows, word: Ints, counts: Floats) -> Iterator[Columns]:
    """Sentences of like length, longest first, in blocks of about so many words.

    ``word``: the number of each token's word.
    """
    lengths = np.array([len(sentence) for sentence in sentences])
    first = np.cumsum(lengths) - lengths
    order = np.argsort(-lengths, kind="stable")
    before = np.cumsum(lengths[order]) - lengths[order]

    for chosen in np.split(order, np.flatnonzero(np.diff(before // _BLOCK)) + 1):
        size = lengths[chosen]
        position = ranges(np.zeros_like(size), size)
        tokens = ranges(first[chosen], size)
        by_position = tokens[np.argsort(position, kind="stable")]
        rows = [sentences[i] for i in chosen.tolist()]
        yield Columns(rows, word[by_position], np.bincount(position), counts[chosen])
