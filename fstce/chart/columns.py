"""Sentences of like length as the columns of one chart: every step is one operation on all of them.

A *half* (h, w) is head h with the w words next to it, a *link* (h, d) head h with the near half of the
child behind the d words next to it. The left side is the right side of the reversed sentence, where head h
is word n − 1 − h; so both sides stand in one table (2, n, n, S) over side, head, width and sentence.
With R̄ = R · stop and R′ = R · go the recurrences of :mod:`fstce.chart.shape` are, for either side,

    R[h, w]    = Σ_{d < w} link[h, d] · R̄[h + 1 + d, w − 1 − d],    R[h, 0] = 1
    link[h, d] = child[h, d] · Σ_{q ≤ d} R′[h, q] · L̄[n − 2 − h − d, d − q]

(Eisner & Satta 1999), L̄ being the table of the other side. For one width the operands are rectangles
of these tables, read with other strides: no list of hyperedges is kept, and nothing is gathered.

A sentence of m < n words has any words behind it: no item of its own sees them, and only its roots' halves
end at m.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from fstce.numeric.semirings import log_sum
from fstce.numeric.types import Floats, Ints

TABLES = 11  # of an inside and an outside pass


class Factors(NamedTuple):
    """What each choice of S sentences of n words weighs, or its posterior; the left side reversed.

    ``child`` (2, P, S): links of width 0, heads ascending, then of width 1, …. ``stop``, ``go`` (2, 2, n, S):
    by side and valence. ``root`` is (n, S).
    """

    child: Floats
    stop: Floats
    go: Floats
    root: Floats


class Chart(NamedTuple):
    """The tables (2, n, n, S) of halves open, stopped and going on, and of links (2, n, D, S); roots, Z.

    The roots are words beyond the length of a sentence, too, for which they are zero.
    """

    half: Floats
    stop: Floats
    go: Floats
    link: Floats
    root: Floats
    z: Floats


class Numerics(NamedTuple):
    """A semiring's 1, 0 and ⊗, and ⊕ over the third axis of the ⊗ of two tables (2, heads, steps, S)."""

    one: float
    zero: float
    times: Callable[..., Any]
    join: Callable[..., Any]
    total: Callable[[Floats], Floats]


def _log_join(left: Floats, right: Floats, out: Floats) -> None:
    out[:] = log_sum(left + right, 2)


REAL = Numerics(
    1.0,
    0.0,
    np.multiply,
    lambda left, right, out: np.einsum("bhqs,bhqs->bhs", left, right, out=out),
    lambda roots: np.asarray(roots.sum(axis=0)),
)
LOG = Numerics(0.0, -np.inf, np.add, _log_join, log_sum)
TROPICAL = Numerics(
    0.0,
    -np.inf,
    np.add,
    lambda left, right, out: (left + right).max(axis=2, out=out),
    lambda roots: np.asarray(roots.max(axis=0)),
)


class Workspaces:
    """Memory for the tables of charts: as many pieces as there are threads, each used again and again."""

    def __init__(self) -> None:
        self._free: list[Floats] = []

    @contextmanager
    def tables(self, count: int, shape: tuple[int, ...]) -> Iterator[Floats]:
        """So many tables of this shape, whatever is in them, as long as the block lasts."""
        size = count * int(np.prod(shape))
        try:
            memory = self._free.pop()
        except IndexError:
            memory = np.empty(0)
        if len(memory) < size:
            memory = np.empty(size)
        yield memory[:size].reshape(count, *shape)
        self._free.append(memory)


def far(stop: Floats, w: int, links: int) -> Floats:
    """R̄[h + 1 + d, w − 1 − d]: far halves of children in halves of width w, a view (2, n − w, links, S)."""
    side, head, width, column = stop.strides
    shape = (2, stop.shape[1] - w, links, stop.shape[3])
    return as_strided(stop[:, 1:, w - 1 :], shape, (side, head, head - width, column))


def near(stop: Floats, d: int) -> Floats:
    """L̄[n − 2 − h − d, d − q]: children's near halves in links of width d, as (2, n − 1 − d, d + 1, S)."""
    return stop[::-1, stop.shape[1] - 2 - d :: -1, d::-1]


def inside(factors: Factors, lengths: Ints, links: int, numerics: Numerics, memory: Floats) -> Chart:
    """Fill the chart.

    ``factors``: weights; in LOG and TROPICAL their logarithms. ``lengths`` is (S,). ``links``: d, how many
    widths of links there are. ``memory`` is (4, 2, n, n, S).
    """
    n, times = len(factors.root), numerics.times
    half, stop, go = memory[:3]
    link = memory[3][:, :, : max(links, 1)]
    half[:, :, 0] = numerics.one
    first = 0
    for w in range(n):
        valence, m = min(w, 1), n - 1 - w
        if w:
            # R[h, w] = Σ_{d < w} link[h, d] · R̄[h + 1 + d, w − 1 − d]: (2, n − w, S)
            reach = min(w, links)
            numerics.join(link[:, : n - w, :reach], far(stop, w, reach), out=half[:, : n - w, w])
        stop[:, n - w :, w] = 0.0
        times(half[:, : n - w, w], factors.stop[:, valence, : n - w], out=stop[:, : n - w, w])
        times(half[:, : n - w, w], factors.go[:, valence, : n - w], out=go[:, : n - w, w])
        if w < links:
            # link[h, w] = child[h, w] · Σ_{q ≤ w} R′[h, q] · L̄[n − 2 − h − w, w − q]: (2, m, S)
            numerics.join(go[:, :m, : w + 1], near(stop, w), out=link[:, :m, w])
            times(link[:, :m, w], factors.child[:, first : first + m], out=link[:, :m, w])
            first += m
    # Z = Σ_h root(h) · L̄[h, h words before it] · R̄[h, m − 1 − h words after it], h < m
    left, right = root_halves(lengths, n)
    root = times(times(factors.root, stop[left]), stop[right])
    root[np.arange(n)[:, None] >= lengths] = numerics.zero
    return Chart(half, stop, go, link, root, numerics.total(root))


def root_halves(lengths: Ints, n: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Where the left and the right half of each root stand in a table, each of shape (n, S)."""
    word, column = np.arange(n)[:, None], np.arange(len(lengths))
    return (0, n - 1 - word, word, column), (1, word, np.maximum(lengths - 1 - word, 0), column)


def outside(
    chart: Chart,
    factors: Factors,
    lengths: Ints,
    links: int,
    share: Floats,
    memory: Floats,
    zeros: bool = True,
) -> Factors:
    """share · Z · P of every choice, in the real semiring: the inside pass in reverse mode.

    Each adjoint is one sum over the wider ones, R̂ and l̂ (l̂ with its child's factor), L̂ the other side's:

        link[h, w] = Σ_x R̂[h, w + 1 + x] · R̄[h + 1 + w, x]
        R′[h, w]   = Σ_{d ≥ w} l̂[h, d] · L̄[n − 2 − h − d, d − w]
        R̄[k, w]    = Σ_{d < k} R̂[k − 1 − d, w + 1 + d] · link[k − 1 − d, d]
                   + Σ_{d ≥ w} l̂ᴸ[n − 2 − k − d, d] · L′[n − 2 − k − d, d − w]

    Where the head moves with the width, a copy by far end or by child stands still. Beyond the sentence
    all tables are zero, so that sums of heads side by side may run as far as the longest.

    ``lengths`` is (S,). ``share`` (S,): each sentence's coefficient over its Z. ``memory`` is (7, 2, n, n,
    S).
    """
    n, several = factors.root.shape
    memory[:] = 0.0
    tables, posteriors, first = _Adjoints(*memory), _none(factors), factors.child.shape[1]
    tables.copy(chart, links)
    left, right, columns = *_root_adjoints(chart, lengths, share * factors.root), np.arange(several)
    adjoints, product = np.empty((3, 2, n, several)), np.empty((2, n, several))
    for w in reversed(range(n)):
        valence, m = min(w, 1), n - 1 - w
        if w < links:
            first -= m
            adjoint, child = adjoints[0, :, :m], slice(first, first + m)
            tables.join_links(chart, w, adjoint)
            if zeros:
                adjoint[chart.link[:, :m, w] == 0] = 0.0  # what cannot be may have any adjoint
            np.multiply(adjoint, chart.link[:, :m, w], out=posteriors.child[:, child])
            np.multiply(adjoint, factors.child[:, child], out=tables.link[:, :m, w])
            tables.link_of_child[:, w + 1 :, w] = tables.link[:, :m, w]
        stops, goes, more = adjoints[:, :, : n - w]
        tables.join_halves(w, links, stops, goes, more)
        stops[0, m] += left[w]
        longer = columns[lengths > w]
        stops[1, lengths[longer] - 1 - w, longer] += right[lengths[longer] - 1 - w, longer]
        for adjoint, table, weight, count in (
            (stops, chart.stop, factors.stop, posteriors.stop),
            (goes, chart.go, factors.go, posteriors.go),
        ):
            if zeros:
                adjoint[table[:, : n - w, w] == 0] = 0.0
            np.multiply(adjoint, table[:, : n - w, w], out=product[:, : n - w])
            count[:, valence, : n - w] += product[:, : n - w]
            adjoint *= weight[:, valence, : n - w]
        np.add(stops, goes, out=tables.half[:, : n - w, w])
        tables.half_by_end[:, w:, w] = tables.half[:, : n - w, w]
    return posteriors._replace(root=share * chart.root)


class _Adjoints(NamedTuple):
    """Tables (2, n, n, S) of an outside pass: R̄ and R′ by far end, links by child; R̂ and l̂, and these so."""

    stop_by_end: Floats
    go_by_end: Floats
    link_by_child: Floats
    half: Floats
    half_by_end: Floats
    link: Floats
    link_of_child: Floats

    def copy(self, chart: Chart, links: int) -> None:
        """Fill what is read where the head moves with the width."""
        n = chart.stop.shape[1]
        for w in range(n):
            self.stop_by_end[:, w:, w] = chart.stop[:, : n - w, w]
            self.go_by_end[:, w:, w] = chart.go[:, : n - w, w]
            if w < links:
                self.link_by_child[:, w + 1 :, w] = chart.link[:, : n - 1 - w, w]

    def join_links(self, chart: Chart, w: int, adjoint: Floats) -> None:
        """The adjoints of links of width w, without their child's factor: (2, n − 1 − w, S)."""
        n = chart.stop.shape[1]
        for a, b in _blocks(n - 1 - w):
            # link[h, w] = Σ_x R̂[h, w + 1 + x] · R̄[h + 1 + w, x], heads h = a … b − 1
            children = chart.stop[:, w + 1 + a : w + 1 + b, : n - 1 - w - a]
            REAL.join(self.half[:, a:b, w + 1 : n - a], children, out=adjoint[:, a:b])

    def join_halves(self, w: int, links: int, stops: Floats, goes: Floats, more: Floats) -> None:
        """The adjoints of R̄ and R′ of width w, but for the roots': (2, n − w, S) each; `more` is room."""
        n = self.half.shape[1]
        m = n - 1 - w
        stops[:] = goes[:] = 0.0
        for a, b in _blocks(m):
            reach = min(links, n - 1 - a)
            if w < reach:
                # R′[h, w] = Σ_{d ≥ w} l̂[h, d] · L̄[n − 2 − h − d, d − w]
                ends = slice(m - b, m - a)  # from h = a … b − 1 to n − 2 − h − w, backwards
                children = self.stop_by_end[::-1, ends][:, ::-1, : reach - w]
                REAL.join(self.link[:, a:b, w:reach], children, out=goes[:, a:b])
                # R̄[k, w] = Σ_{d ≥ w} l̂ᴸ[n − 2 − k − d, d] · L′[n − 2 − k − d, d − w]
                heads = self.link_of_child[::-1, n - b : n - a][:, ::-1, w:reach]
                REAL.join(heads, self.go_by_end[::-1, ends][:, ::-1, : reach - w], out=stops[:, a:b])
        for a, b in _blocks(m):
            # R̄[k, w] += Σ_{d < k} R̂[k − 1 − d, w + 1 + d] · link[k − 1 − d, d]
            reach = min(links, b)
            heads = self.half_by_end[:, w + a + 1 : w + b + 1, w + 1 : w + 1 + reach]
            REAL.join(heads, self.link_by_child[:, a + 1 : b + 1, :reach], out=more[:, a + 1 : b + 1])
        stops[:, 1:] += more[:, 1:]


def _root_adjoints(chart: Chart, lengths: Ints, weighted: Floats) -> tuple[Floats, Floats]:
    """The adjoints of each root's left and right half, shapes (n, S); zero beyond a sentence."""
    left, right = root_halves(lengths, len(weighted))
    inner = np.where(np.arange(len(weighted))[:, None] < lengths, weighted, 0.0)
    return inner * chart.stop[right], inner * chart.stop[left]


def _blocks(heads: int) -> list[tuple[int, int]]:
    """Heads side by side whose sums run equally far: as many as pay the calls."""
    several = 1 if heads < 6 else 2 if heads < 14 else 4
    cuts = [heads * i // several for i in range(several + 1)]
    return [(a, b) for a, b in pairwise(cuts) if a < b]


def log_outside(
    chart: Chart, factors: Factors, lengths: Ints, links: int, coefficient: Floats, memory: Floats
) -> Factors:
    """coefficient · P of every choice, in log space: the mass of each result shared out to its operands.

    ``lengths`` is (S,). ``coefficient`` is (S,). ``memory`` is (3, 2, n, n, S).
    """
    n, memory[:] = len(factors.root), 0.0
    stop, go, link = memory[0], memory[1], memory[2][:, :, : max(links, 1)]
    posteriors = _none(factors)
    root = coefficient * np.exp(chart.root - _finite(chart.z))  # zero beyond a sentence
    left, right = root_halves(lengths, n)
    stop[left] += root
    np.add.at(stop, right, root)  # words beyond a sentence have one place together
    first = factors.child.shape[1]
    for w in reversed(range(n)):
        valence, m = min(w, 1), n - 1 - w
        if w < links:
            # The mass of link[h, w] goes to R′[h, q] and L̄[…, w − q] by the share of each product in the sum
            first -= m
            posteriors.child[:, first : first + m] = link[:, :m, w]
            joined = chart.link[:, :m, w] - _finite(factors.child[:, first : first + m])
            products = chart.go[:, :m, : w + 1] + near(chart.stop, w)
            part = link[:, :m, None, w] * np.exp(products - _finite(joined, np.inf)[:, :, None])
            go[:, :m, : w + 1] += part
            children = near(stop, w)
            children += part
        posteriors.stop[:, valence, : n - w] += stop[:, : n - w, w]
        posteriors.go[:, valence, : n - w] += go[:, : n - w, w]
        if w:
            # The mass of R[h, w], stopped or going on, goes to link[h, d] and R̄[h + 1 + d, w − 1 − d]
            reach, mass = min(w, links), stop[:, : n - w, w] + go[:, : n - w, w]
            products = chart.link[:, : n - w, :reach] + far(chart.stop, w, reach)
            sums = _finite(chart.half[:, : n - w, w], np.inf)  # without a derivation there is no share
            part = mass[:, :, None] * np.exp(products - sums[:, :, None])
            link[:, : n - w, :reach] += part
            children = far(stop, w, reach)
            children += part
    return posteriors._replace(root=root)


def _none(factors: Factors) -> Factors:
    return Factors(*(np.zeros_like(factor) for factor in factors))


def _finite(values: Floats, instead: float = 0.0) -> Floats:
    return np.where(np.isfinite(values), values, instead)
