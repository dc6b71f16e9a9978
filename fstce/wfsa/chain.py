"""LENGTH without enumerating Σ: all sentence lengths on one chain of wildcards.

Σ^m has the same tag automaton at every position, so the sums over sentences of length
1, 2, …, M are M steps of one dense transition table, and log Z_m is read off after step
m. A tag's wildcard score is the log-sum over the words that it may emit
(Smith & Eisner 2005a, §3.3). Sums are scaled at every step; the table is taken relative
to its greatest entry, so entries e^700 times smaller count as zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fstce.errors import MachineError
from fstce.wfsa.kernels import total

Floats = NDArray[np.float64]
TABLE_LIMIT = 4_000_000


class WildcardChain:
    """The tag automaton over Σ^m for several lengths m.

    Parameters
    ----------
    n_tags : int
        The number T of tags.
    order : {1, 2, 3}
        The length of a tag n-gram.
    lengths : ndarray of int, shape (N,)
        The lengths, each at least 1, in any order.

    Raises
    ------
    MachineError
        The dense table of (T + 1)^order n-grams exceeds four million entries.
    """

    def __init__(self, n_tags: int, order: int, lengths: NDArray[np.int64]) -> None:
        self.base = n_tags + 1
        if self.base**order > TABLE_LIMIT:
            raise MachineError(
                f"LENGTH keeps a dense table of {self.base**order:,} tag n-grams, more than {TABLE_LIMIT:,}; "
                "project the tags to a coarser set or lower the order"
            )
        self.order = order
        self.lengths = np.asarray(lengths)
        self._shape = (self.base if order == 3 else 1, self.base if order > 1 else 1, self.base)

    def __call__(
        self, ngram_scores: Floats, wildcard_scores: Floats, coefficient: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Sum over all tagged sentences of each length.

        Parameters
        ----------
        ngram_scores : ndarray, shape ((T + 1)^order,)
            Log weights by n-gram number (code − 1); −inf where no sentence has it.
        wildcard_scores : ndarray, shape (T,)
            The log-sum of the emission weights of each tag.
        coefficient : ndarray, shape (N,)
            How much the expectations of each length count.

        Returns
        -------
        log_z : ndarray, shape (N,)
        ngram_counts : ndarray, shape ((T + 1)^order,)
        wildcard_counts : ndarray, shape (T,)
            Σ over lengths of coefficient · expected count.
        """
        shift, step, stop = self._table(ngram_scores, wildcard_scores)
        alpha, log_scale, ratio = self._forward(step)
        mass = (alpha * stop).sum(axis=(1, 2))[self.lengths]
        log_z = np.log(mass) + log_scale[self.lengths] + shift * (self.lengths + 1)
        share = total(self.lengths, coefficient / mass, len(alpha))
        beta = self._backward(step, stop, share, ratio)
        return log_z, *self._counts(alpha, beta, step, stop, share, ratio)

    def _table(self, ngram_scores: Floats, wildcard_scores: Floats) -> tuple[float, Floats, Floats]:
        """The step table W[older, last, next] with emissions, and the stop weights, both over e^shift."""
        scores = ngram_scores.reshape(self._shape).copy()
        scores[:, :, :-1] += wildcard_scores
        shift = float(scores.max())
        weights = np.exp(scores - shift)
        return shift, weights[:, :, :-1], weights[:, :, -1]

    def _forward(self, step: Floats) -> tuple[Floats, Floats, Floats]:
        """α after 0 … M words over its own sum, log of the sums' product, and each step's sum."""
        steps = int(self.lengths.max())
        alpha = np.zeros((steps + 1, *self._shape[:2]))
        alpha[0, -1, -1] = 1.0
        ratio = np.ones(steps + 1)
        by_last = np.ascontiguousarray(step.transpose(1, 0, 2))
        for i in range(1, steps + 1):
            reached = np.matmul(alpha[i - 1].T[:, None, :], by_last)[:, 0, :]
            ratio[i] = reached.sum()
            self._enter(alpha[i], reached / ratio[i])
        return alpha, np.cumsum(np.log(ratio)), ratio

    def _enter(self, alpha: Floats, reached: Floats) -> None:
        """Write the mass that has passed (last, next) as the new (older, last)."""
        if self.order == 3:
            alpha[:, :-1] = reached
        elif self.order == 2:
            alpha[0, :-1] = reached.sum(axis=0)
        else:
            alpha[0, 0] = reached.sum()

    def _ahead(self, beta: Floats) -> Floats:
        """β of the state that each (last, next) leads to, shape (last, T): the inverse of `_enter`."""
        if self.order == 3:
            return beta[:, :-1]
        shape = (self._shape[1], self.base - 1)
        return np.broadcast_to(beta[0, :-1] if self.order == 2 else beta[0, 0], shape)

    def _backward(self, step: Floats, stop: Floats, share: Floats, ratio: Floats) -> Floats:
        beta = np.zeros((len(share), *self._shape[:2]))
        by_last = np.ascontiguousarray(step.transpose(1, 0, 2))
        for i in reversed(range(len(share))):
            beta[i] = share[i] * stop
            if i + 1 < len(share):
                ahead = self._ahead(beta[i + 1])[:, :, None] / ratio[i + 1]
                beta[i] += np.matmul(by_last, ahead)[:, :, 0].T
        return beta

    def _counts(
        self, alpha: Floats, beta: Floats, step: Floats, stop: Floats, share: Floats, ratio: Floats
    ) -> tuple[Floats, Floats]:
        ahead = np.stack([self._ahead(b) / r for b, r in zip(beta[1:], ratio[1:], strict=True)])
        pairs = np.matmul(alpha[:-1].transpose(2, 1, 0), ahead.transpose(1, 0, 2)).transpose(1, 0, 2)
        counts = np.concatenate((step * pairs, (np.tensordot(share, alpha, 1) * stop)[:, :, None]), axis=2)
        return counts.ravel(), counts[:, :, :-1].sum(axis=(0, 1))
