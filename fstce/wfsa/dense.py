"""Sums over lattices whose words may take most tags: at each state a row of all tag histories.

Without a dictionary an arc of a lattice becomes T³ arcs of a product automaton of trigrams. Here
the lattice stays as it is, a state q keeps α(q, h) for each of the H histories, and all states of
a level take one step together: the matrix (states, H) times the table of tag n-grams, which is
BLAS's work. Rows are rescaled at every state, as Rabiner (1989, §V.A) does; where weights are so
far apart that a row has no mass left, the lattices around it are summed by their automata.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fstce.machines.lattice import Lattice
from fstce.numeric.kernels import total, without_repeats, workspace
from fstce.numeric.types import Floats, Ints, Ints32, Rows, ValueAndGradient
from fstce.processes.workers import in_threads
from fstce.wfsa.batch import Batch, Columns, Shard, TagAutomaton, ended, pack, pack_ended, tagged
from fstce.wfsa.building import path_counts
from fstce.wfsa.features import EmissionTable, TagFeatures, locate
from fstce.wfsa.terms import LatticeSum

MANY = 150  # arcs of automata a word; fewer are as fast
DENSE = 20  # as many cells of a table of n-grams take about as long as one arc
CELLS = 1_000_000  # of the rows of a block
TINY = 1e-150  # of a row's mass, below which it is no more what it was, and its inverse too large


class _Block(NamedTuple):
    """Lattices of like size, packed with words for cells.

    ``coefficient`` is (ends,). ``machines``: what automata are made of.
    """

    batch: Batch
    coefficient: Floats
    machines: Columns


class DenseLattices:
    """The lattices of a sum, and the words and tag n-grams that are in them.

    ``words``: the ids of the distinct words, ascending. ``cell``: each pair of a place among the
    words and a tag that the word may take.
    """

    def __init__(self, structure: TagAutomaton, blocks: list[_Block]) -> None:
        self.structure = structure
        self.blocks = blocks

        tags = structure
        self.words: Ints = without_repeats(np.concatenate([block.batch.word for block in blocks]))
        place, is_here = locate(self.words, np.repeat(np.arange(len(tags.times)), tags.times))
        self.cell: tuple[Ints, Ints] = place[is_here], tags.tag[is_here]

    @classmethod
    def of(
        cls, structure: TagAutomaton, lattices: Iterable[Lattice], counts: Floats
    ) -> DenseLattices:
        """Those of lattices, the largest first; ``counts``: how often each occurs."""
        rows = list(lattices)
        states = np.array([len(row.arrays.final) for row in rows])
        order = np.argsort(-states, kind="stable")
        cells = np.cumsum(states[order]) * (len(structure.tags) + 1) ** (structure.order - 1)

        blocks = []
        for chosen in np.split(order, np.flatnonzero(np.diff(cells // CELLS)) + 1):
            lattices_of_block = [rows[i] for i in chosen.tolist()]
            names = [row.name for row in lattices_of_block]
            machines = tagged(structure, ended(lattices_of_block), names)
            blocks.append(_Block(pack(machines), counts[chosen], machines))
        return cls(structure, blocks)

    @cached_property
    def codes(self) -> Ints:
        """The tag n-grams that occur, ascending: those expected if all taggings are as likely."""
        n_codes = (len(self.structure.tags) + 1) ** self.structure.order
        table = self.table(np.zeros(len(self.cell[0])))
        weights = DenseWeights(self.structure.order, np.zeros(n_codes), table)

        counts = np.zeros(n_codes)
        for block in self.blocks:
            sums = weights.sums(block._replace(coefficient=np.ones_like(block.coefficient)), self)
            counts += 0.0 if sums is None else sums.ngrams
        return np.flatnonzero(counts) + 1

    def table(self, scores: Floats) -> Floats:
        """Scores of the cells as a table, (words, T + 1), −∞ where a word has not the tag."""
        table = np.full((len(self.words), len(self.structure.tags) + 1), -np.inf)
        table[self.cell] = scores
        return table


class DenseSum:
    """Σ over lattices of coefficient · log Z(θ), times a number; ``jobs``: threads."""

    def __init__(
        self,
        features: TagFeatures,
        emissions: EmissionTable,
        lattices: DenseLattices,
        scale: float = 1.0,
        jobs: int | None = None,
    ) -> None:
        self.scale = scale
        self.lattices = lattices
        self._features = features
        self._emissions = emissions
        self._jobs = jobs

        place, tag = lattices.cell
        self._row = emissions.index(lattices.words[place], tag)
        self._ngram = features.places(lattices.codes)

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value in nats and its gradient, shape of θ."""
        order = self._features.order
        scores = self._emissions.scores(theta)
        table = self.lattices.table(scores[self._row])
        steps = np.full(table.shape[1] ** order, -np.inf)
        steps[self.lattices.codes - 1] = self._features.with_missing(theta)[self._ngram]
        weights = DenseWeights(order, steps, table)

        value = 0.0
        gradient = np.zeros_like(theta)
        of_steps = np.zeros_like(steps)
        of_words = np.zeros_like(table)
        blocks = self.lattices.blocks
        answers = in_threads(lambda block: weights.sums(block, self.lattices), blocks, self._jobs)
        for block, answer in zip(blocks, answers, strict=True):
            if answer is None:
                block_value, slope = self._by_automata(block, theta)
                value += block_value
                gradient += slope
            else:
                value += float(np.sum(block.coefficient * answer.log_z))
                of_steps += answer.ngrams
                of_words += answer.words

        counts = np.zeros_like(scores)
        counts[self._row] = of_words[self.lattices.cell]
        n_ngrams = len(self._features.ngrams)
        of_ngrams = total(self._ngram, of_steps[self.lattices.codes - 1], n_ngrams + 1)[:n_ngrams]
        first_word = self._features.first_word
        gradient[:first_word] += self._features.ngram_gradient(of_ngrams)
        gradient[first_word:] += self._emissions.gradient(scores, counts)
        return self.scale * value, self.scale * gradient

    def _by_automata(self, block: _Block, theta: Floats) -> ValueAndGradient:
        """Value and gradient of a block by product automata: slower, but no weight is too small."""
        names = [f"lattice {number}" for number in range(1, len(block.coefficient) + 1)]
        batch = pack_ended(self.lattices.structure, block.machines, names)
        return LatticeSum(self._features, self._emissions, [Shard(batch, block.coefficient)])(theta)


class _Sums(NamedTuple):
    """log Z of each end, and the expected n-grams (B^order,) and tags of words (words, B)."""

    log_z: Floats
    ngrams: Floats
    words: Floats


class _Forward(NamedTuple):
    """The forward pass: of each state the row of its histories, its log mass, its row one step on.

    ``arc``: from the steps of an arc's source to its part of the target's row.
    """

    alpha: Floats
    ahead: Floats
    mass: Floats
    arc: Floats


class DenseWeights:
    """Steps and emissions as factors, the greatest of each row or table one.

    A history is (d, k): a step sums over d, and k and the next tag n are the next history. Of
    trigrams d and k are tags, of bigrams k is alone; unigrams are bigrams that ignore d. With
    B = T + 1, the boundary counted, the steps are (K, B, B).
    """

    def __init__(self, order: int, steps: Floats, table: Floats) -> None:
        base = table.shape[1]
        self.order = order
        self.most: float = float(_finite(steps.max()))
        self.best: Floats = _finite(table.max(axis=1))

        if order == 1:
            steps = np.tile(steps, base)
        by_k = steps.reshape(base, -1, base).transpose(1, 0, 2)
        self.step: Floats = np.array(by_k, order="C")  # a copy, which is written to
        self.step -= self.most
        np.exp(self.step, out=self.step)
        self.emission: Floats = np.exp(table - self.best[:, None])

    def sums(self, block: _Block, lattices: DenseLattices) -> _Sums | None:
        """The sums of a block; None where weights differ so much that a row is next to zero."""
        batch = block.batch
        word = np.searchsorted(lattices.words, batch.word).astype(np.int32)[batch.cell]
        forward = self._forward(block, word)
        if forward is None:
            return None

        ahead, posteriors = self._backward(block, word, forward)

        # E[d, k, n] = step(d, k, n) · Σ over states of α(d, k) · V(k, n)
        alpha = self._by_k(forward.alpha).transpose(0, 2, 1)
        ngrams = self.of_ngrams(alpha @ ahead.transpose(1, 0, 2) * self.step)

        from scipy.sparse import csr_matrix  # takes a tenth of a second, which tagging need not

        shape = len(word), len(self.best)
        of_word = csr_matrix((np.ones(len(word)), word, np.arange(len(word) + 1)), shape)
        log_z = forward.mass[batch.final]
        return _Sums(log_z, ngrams, np.asarray(of_word.T @ posteriors))

    def of_ngrams(self, steps: Floats) -> Floats:
        """The counts of steps (K, B, B) by their n-grams, (B^order,)."""
        by_d = steps.transpose(1, 0, 2)
        return by_d.sum(axis=0).ravel() if self.order == 1 else by_d.ravel()

    def _forward(self, block: _Block, word: Ints32) -> _Forward | None:
        batch = block.batch
        n_k, n_d, n_next = self.step.shape
        alpha = workspace.table("alpha", (batch.n_states, n_d * n_k), 0.0)
        alpha[batch.start, -1] = 1.0  # nothing but boundaries
        ahead = workspace.first("ahead", batch.n_states * n_k * n_next).reshape(-1, n_k, n_next)
        mass = np.zeros(batch.n_states)
        of_arc = self.best[word] + self.most
        if batch.bias is not None:
            of_arc += batch.bias

        self._step(alpha, ahead, 0, int(batch.levels[1]))
        for a, b, indptr in batch.rows():
            # α(q', (k, n)) = Σ over arcs q → q' of p(word, n) Σ_d α(q, (d, k)) step(d, k, n), over
            # its sum
            arcs = slice(indptr[0], indptr[-1])
            source = batch.source[arcs]
            through = ahead.take(source, axis=0)
            through *= self.emission.take(word[arcs], axis=0)[:, None]
            shift = mass[source] + of_arc[arcs]
            if len(source) > b - a:
                first = indptr[:-1] - indptr[0]
                greatest = np.maximum.reduceat(shift, first)
                through *= np.exp(shift - np.repeat(greatest, np.diff(indptr)))[:, None, None]
                through = np.add.reduceat(through, first)
                shift = greatest

            row = through.reshape(b - a, -1)
            norm = row.sum(axis=1)
            if norm.min() < TINY:
                return None
            np.divide(row, norm[:, None], out=alpha[a:b])
            mass[a:b] = shift + np.log(norm)
            self._step(alpha, ahead, a, b)

        arc = np.exp(mass[batch.source] + of_arc - mass[batch.target])
        return _Forward(alpha, ahead, mass, arc)

    def _step(self, alpha: Floats, ahead: Floats, a: int, b: int) -> None:
        """Set ahead(q, k, n) = Σ_d α(q, (d, k)) · step(d, k, n) for some states."""
        np.matmul(self._by_k(alpha[a:b]), self.step, out=ahead[a:b].transpose(1, 0, 2))

    def _by_k(self, rows: Floats) -> Floats:
        """Rows of histories (d, k) as (K, rows, D), which BLAS can multiply."""
        n_k, n_d, _ = self.step.shape
        return np.ascontiguousarray(rows.reshape(-1, n_d, n_k).transpose(2, 0, 1))

    def _backward(self, block: _Block, word: Ints32, forward: _Forward) -> tuple[Floats, Floats]:
        """V(q, k, n), (S, K, B), and the posterior of each arc's tag, (A, B), by coefficients.

        V weighs a state's row one step on.
        """
        batch = block.batch
        n_k, n_d, n_next = self.step.shape
        beta = workspace.table("beta", forward.alpha.shape, 0.0)
        beta[batch.final] = block.coefficient[:, None]
        ahead = workspace.table("back", forward.ahead.shape, 0.0)
        posteriors = workspace.first("posteriors", len(word) * n_next).reshape(-1, n_next)

        step_back = self.step.transpose(0, 2, 1)
        out = np.bincount(batch.source, minlength=batch.n_states)
        first = np.append(0, np.cumsum(out))

        # V(q, k, n) = Σ over arcs q → q' of p(word, n) β(q', (k, n)); β(q, (d, k)) = Σ_n step(d, k,
        # n) V(q, k, n)
        for level in reversed(range(len(batch.levels) - 1)):
            a, b = batch.levels[level], batch.levels[level + 1]
            states = a + np.flatnonzero(out[a:b])
            if not len(states):
                continue

            arcs = batch.by_source[first[a] : first[b]]
            weight = self.emission.take(word[arcs], axis=0)
            weight *= forward.arc[arcs, None]
            through = beta.take(batch.target[arcs], axis=0).reshape(-1, n_k, n_next)
            through *= weight[:, None]
            ahead_of_arc = forward.ahead.take(batch.source[arcs], axis=0)
            posteriors[arcs] = np.einsum("akn,akn->an", ahead_of_arc, through)
            if len(arcs) > len(states):
                through = np.add.reduceat(through, first[states] - first[a])
            ahead[states] = through
            back = through.transpose(1, 0, 2) @ step_back
            beta.reshape(-1, n_d, n_k)[states] = back.transpose(1, 2, 0)
        return ahead, posteriors


def is_dense(structure: TagAutomaton, sentences: Rows) -> bool:
    """Whether :class:`DenseSum` is the faster way.

    The text alone decides, not the resources: the two ways differ in the last bits.
    """
    arcs = path_counts(sentences, structure.symbols, structure.pairs[0], structure.order).sum()
    words = sum(map(len, sentences))
    cells = words * (len(structure.tags) + 1) ** structure.order
    return bool(arcs >= MANY * words and cells <= DENSE * arcs)


def _finite(numbers: Floats) -> Floats:
    """The numbers with zero in place of −∞."""
    return np.where(np.isneginf(numbers), 0.0, numbers)
