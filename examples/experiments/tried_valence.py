"""Extended valence (Headden, Johnson & McClosky 2009), left out: a chart for ``tried_grammars.py``.

A head counts its children on a side as none, one, more: stopping has three slots. With `by_valence`
so has the choice of the child, each mixed with `BACKOFF` counts of the choice without valence.
Charts of all sentences of one length are summed together, in the real semiring: sentences are
short.

Page: docs/notebook/dependencies.md.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fstce.numeric.types import Floats, Ints

SLOTS = 3
BACKOFF = 10.0
Weights = tuple[Floats, Floats, Floats]  # root (V), child (V, V, 2, SLOTS), stop (V, 2, SLOTS, 2)
NEXT = [min(v + 1, SLOTS - 1) for v in range(SLOTS)]


def sums(tags: Ints, weights: Weights, delta: float) -> tuple[float, Weights, Floats]:
    """Σ log Z of sentences of one length, expected counts, and the probability of each link.

    Tags have the shape (B, n), links (B, n + 1, n), head 0 the root.

    R[h, j, v]: the children of h to its right cover the words to j, the v-th class of their number;
    T[h, k, v]: the same up to the left half of the child k. Left halves are right halves of the
    mirror.

        T[h, k, v'] = Σ_{v → v'} child(h, k, v) Σ_m R[h, m, v] go(h, v) S̄[k, m + 1]
        R[h, j, v]  = Σ_k T[h, k, v] S[k, j],    S[h, j] = Σ_v R[h, j, v] stop(h, v)
    """
    root, child, stop = weights
    b, n = tags.shape
    place = np.arange(n)
    near = np.exp(delta * np.abs(place[:, None] - place))[:, :, None]
    # children[side][b, h, k, v], ends[side][b, h, v, stop or go]; side 0 is the left
    children = [child[tags[:, :, None], tags[:, None, :], side] * near for side in (0, 1)]
    ends = [stop[tags, side] for side in (0, 1)]
    half = [np.zeros((b, n, n, SLOTS)) for _ in range(2)]
    link = [np.zeros((b, n, n, SLOTS)) for _ in range(2)]
    done = [np.zeros((b, n, n)) for _ in range(2)]

    for side in (0, 1):
        half[side][:, place, place, 0] = 1.0
        done[side][:, place, place] = ends[side][:, :, 0, 0]

    for width in range(1, n):
        spans = [(1, h, h + width) for h in range(n - width)] + [
            (0, h + width, h) for h in range(n - width)
        ]
        for side, h, k in spans:
            mids, other = _between(h, k)
            went = half[side][:, h, mids] * ends[side][:, h, :, 1][:, None]
            grown = children[side][:, h, k] * np.einsum(
                "bmv,bm->bv", went, done[1 - side][:, k, other]
            )

            for v, after in enumerate(NEXT):
                link[side][:, h, k, after] += grown[:, v]

        for side, h, j in spans:
            inner = _onward(h, j)
            half[side][:, h, j] = np.einsum(
                "bkv,bk->bv", link[side][:, h, inner], done[side][:, inner, j]
            )
            done[side][:, h, j] = (half[side][:, h, j] * ends[side][:, h, :, 0]).sum(-1)

    z_root = root[tags] * done[0][:, place, 0] * done[1][:, place, n - 1]
    z = z_root.sum(1)
    # Reverse mode: d log Z / d each quantity
    d_half, d_link, d_done = ([np.zeros_like(a) for a in pair] for pair in (half, link, done))
    d_ends = [np.zeros_like(a) for a in ends]
    links = np.zeros((b, n + 1, n))
    links[:, 0] = z_root / z[:, None]
    d_done[0][:, place, 0] += root[tags] * done[1][:, place, n - 1] / z[:, None]
    d_done[1][:, place, n - 1] += root[tags] * done[0][:, place, 0] / z[:, None]
    counts = tuple(np.zeros_like(w) for w in weights)

    for width in range(n - 1, 0, -1):
        spans = [(1, h, h + width) for h in range(n - width)] + [
            (0, h + width, h) for h in range(n - width)
        ]
        for side, h, j in spans:
            inner = _onward(h, j)
            d_half[side][:, h, j] += d_done[side][:, h, j, None] * ends[side][:, h, :, 0]
            d_ends[side][:, h, :, 0] += d_done[side][:, h, j, None] * half[side][:, h, j]
            flow = d_half[side][:, h, j]
            d_link[side][:, h, inner] += flow[:, None] * done[side][:, inner, j, None]
            d_done[side][:, inner, j] += np.einsum("bv,bkv->bk", flow, link[side][:, h, inner])

        for side, h, k in spans:
            mids, other = _between(h, k)
            d_grown = d_link[side][:, h, k][:, NEXT]
            went = half[side][:, h, mids] * ends[side][:, h, :, 1][:, None]
            body = np.einsum("bmv,bm->bv", went, done[1 - side][:, k, other])
            share = d_grown * body * children[side][:, h, k]
            np.add.at(counts[1], (tags[:, h], tags[:, k], side), share)
            links[:, h + 1, k] += share.sum(-1)
            d_body = d_grown * children[side][:, h, k]
            d_went = d_body[:, None] * done[1 - side][:, k, other][:, :, None]
            d_done[1 - side][:, k, other] += np.einsum("bv,bmv->bm", d_body, went)
            d_half[side][:, h, mids] += d_went * ends[side][:, h, :, 1][:, None]
            d_ends[side][:, h, :, 1] += (d_went * half[side][:, h, mids]).sum(1)

    for side in (0, 1):
        d_ends[side][:, :, 0, 0] += d_done[side][:, place, place]
        np.add.at(counts[2], (tags, side), d_ends[side] * ends[side])

    np.add.at(counts[0], tags, links[:, 0])
    return float(np.log(z).sum()), counts, links  # type: ignore[return-value]


def _between(h: int, k: int) -> tuple[Ints, Ints]:
    """Where the inner children of h may end, and where the child's own half then begins."""
    mids = np.arange(h, k) if k > h else np.arange(h, k, -1)
    return mids, mids + (1 if k > h else -1)


def _onward(h: int, j: int) -> Ints:
    """The places of an outermost child of h in a half that ends at j."""
    return np.arange(h + 1, j + 1) if j > h else np.arange(h - 1, j - 1, -1)


class Valence:
    """EM of a grammar with three slots of valence over tag numbers."""

    def __init__(self, rows: list[Ints], n_tags: int, delta: float, by_valence: bool) -> None:
        self.n = n_tags
        self.delta = delta
        self.by_valence = by_valence
        self.groups = [
            np.array([row for row in rows if len(row) == length])
            for length in sorted({len(r) for r in rows})
        ]

    def start(self, score: Floats, nearness: float) -> Weights:
        """From trees whose heads are headed and near, as ``fstce.parsing.headedness``."""
        child = np.broadcast_to(np.exp(score)[:, None, None, None], (self.n, self.n, 2, SLOTS))
        return self.normalized(
            self.expected((np.exp(score), child, np.ones((self.n, 2, SLOTS, 2))), nearness)[1]
        )

    def expected(self, weights: Weights, delta: float) -> tuple[float, Weights]:
        found = [sums(group, weights, delta)[:2] for group in self.groups]
        columns = zip(*(counts for _, counts in found), strict=True)
        return sum(value for value, _ in found), tuple(np.sum(c, axis=0) for c in columns)  # type: ignore

    def normalized(self, counts: Weights, smoothing: float = 1.0) -> Weights:
        root, child, stop = counts
        whole = child.sum(3, keepdims=True) + smoothing
        whole /= whole.sum(1, keepdims=True)
        mixed = child + BACKOFF * whole if self.by_valence else np.broadcast_to(whole, child.shape)
        stop = stop + smoothing
        return (
            (root + smoothing) / (root + smoothing).sum(),
            mixed / mixed.sum(1, keepdims=True),
            stop / stop.sum(3, keepdims=True),
        )

    def em(self, weights: Weights, steps: int) -> Weights:
        before = -np.inf
        for _ in range(steps):
            value, counts = self.expected(weights, self.delta)
            weights = self.normalized(counts)
            if abs(value - before) <= 1e-6 * abs(value):
                break
            before = value
        return weights


def links_of(
    weights: Weights, numbered: Callable[[str], Ints], rows: list[list[str]]
) -> list[Floats]:
    """The probability of each link of each sentence, without δ, shape (n + 1, n)."""
    return [sums(numbered(row)[None], weights, 0.0)[2][0] for row in rows]
