"""SUMPARSES: log Z, expected feature counts and posteriors of every lattice in a batch.

The expected count of a feature is the sum of the posteriors of the choices that have it. The
outside pass goes through the hyperedges of the inside pass in reverse mode; the adjoint of an item
times its value is the posterior of the item.

Each pack runs in the real semiring where that is exact, else in log space, which takes three times
as long and is exact whatever the scores; in the tropical semiring the same pass gives the best
trees. Every factor lies within e^±SAFE. If every item lies within ±RANGE, no operand or row sum has
left the normal doubles, and what underflowed is less than 1e-14 of the sum it belongs to. Where
some factors are zero, so may items be; if all others lie within ±NARROW, no product of two halves
and a root has underflowed: what is zero has no derivation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.rows import add_products, reduced, send_products, share_out, sums_at
from fstce.chart.shape import Hypergraph
from fstce.numeric.kernels import workspace
from fstce.numeric.semirings import LOG, Semiring
from fstce.numeric.types import Floats
from fstce.processes.workers import in_threads

SAFE = 100.0
RANGE = 1e250
NARROW = 1e88  # (e^−SAFE / NARROW)² · e^−SAFE is a normal double


class RealChart:
    """The chart of one pack, filled for some weights.

    ``weights``: exponentials of scores within ±SAFE, or zeros. ``z`` (lattices,): the sum over
    trees of each. All charts of a thread use the same memory for their hyperedges in turn.
    """

    def __init__(self, graph: Hypergraph, weights: ItemFactors) -> None:
        self._graph = graph
        self._weights = weights
        self._of_halves = workspace.first("half", len(graph.half_rows.left))
        self._of_links = workspace.first("link", len(graph.link_rows.left))
        self._half = np.zeros(weights.stop.shape)
        self._stop = np.empty_like(self._half)
        self._go = np.empty_like(self._half)
        self._link = np.zeros(weights.link.shape)

        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            self._inside()
            roots = graph.roots
            self._root = weights.root * self._stop[roots.left] * self._stop[roots.right]
            self.z = np.add.reduceat(self._root, graph.root_first).ravel()

        possible = [weights.link.all(), weights.stop.all(), weights.go.all(), self.z.all()]
        self._zeros = not all(possible)

    def in_range(self) -> bool:
        """Whether every half, link and lattice that has a derivation is within the range."""
        limit = NARROW if self._zeros else RANGE
        for values in (self._half, self._link, self.z):
            present = values[values != 0] if self._zeros else values
            if not (present.min(initial=1.0) > 1 / limit and present.max(initial=1.0) < limit):
                return False
        return True

    def posteriors(self, coefficient: Floats) -> ItemFactors:
        """coefficient · P of every item's own choice; once, as it overwrites the inside pass."""
        share = np.divide(coefficient, self.z, out=np.zeros_like(self.z), where=self.z > 0)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return self._outside(share.reshape(len(self._graph.root_first), -1))

    def _inside(self) -> None:
        graph = self._graph
        weights = self._weights
        half = self._half
        stop = self._stop
        go = self._go
        link = self._link
        half[: graph.half_bounds[1]] = 1.0

        for width in graph.widths:
            # R[a, j] = Σ_b link[a, b] · R̄[b, j]; then R̄ = R · stop and R′ = R · go: (halves, S)
            a, b = graph.half_bounds[width : width + 2]
            add_products(graph.half_rows, a, b, link, stop, self._of_halves, half)
            np.multiply(half[a:b], weights.stop[a:b], out=stop[a:b])
            np.multiply(half[a:b], weights.go[a:b], out=go[a:b])

            # link[a, b] = child(a, b) · Σ_q R′[a, q] · L̄[b, q]: (links, S)
            a, b = graph.link_bounds[width : width + 2]
            add_products(graph.link_rows, a, b, go, stop, self._of_links, link)
            link[a:b] *= weights.link[a:b]

    def _outside(self, share: Floats) -> ItemFactors:
        graph = self._graph
        weights = self._weights
        stop = np.zeros_like(self._half)
        go = np.zeros_like(self._half)
        link = np.zeros_like(self._link)
        root = self._add_roots(share, stop)

        for width in reversed(graph.widths):
            # R′[a, q] += link[a, b] · child · L̄[b, q], L̄[b, q] += link[a, b] · child · R′[a, q]
            a, b = graph.link_bounds[width : width + 2]
            self._forget_impossible(link, self._link, a, b)
            row = link[a:b] * weights.link[a:b]
            operands = (self._go, self._stop)
            send_products(graph.link_rows, a, b, row, operands, self._of_links, go, stop)

            # R[a, j] = R̄ · stop + R′ · go; link[a, b] += R[a, j] · R̄[b, j], and so for R̄
            a, b = graph.half_bounds[width : width + 2]
            self._forget_impossible(stop, self._stop, a, b)
            self._forget_impossible(go, self._go, a, b)
            row = stop[a:b] * weights.stop[a:b] + go[a:b] * weights.go[a:b]
            operands = self._link, self._stop
            send_products(graph.half_rows, a, b, row, operands, self._of_halves, link, stop)

        return ItemFactors(link * self._link, stop * self._stop, go * self._go, root)

    def _forget_impossible(self, adjoints: Floats, values: Floats, a: int, b: int) -> None:
        """Items a … b − 1 without a derivation may have any adjoint: make it zero."""
        if self._zeros:
            adjoints[a:b][values[a:b] == 0] = 0.0

    def _add_roots(self, share: Floats, stop: Floats) -> Floats:
        """Add the adjoints of the roots' halves; return the roots' posteriors, (N, S)."""
        roots = self._graph.roots
        by_root = share[self._graph.root_lattice]
        weighted = by_root * self._weights.root
        stop += sums_at(roots.left, weighted * self._stop[roots.right], len(stop))
        stop += sums_at(roots.right, weighted * self._stop[roots.left], len(stop))
        return by_root * self._root


class ChartSums(NamedTuple):
    """log Z of each lattice (lattices,), in nats, and weighted expected counts, shape of θ."""

    log_z: Floats
    counts: Floats


class InsideOutside:
    """The inside–outside algorithm over one batch, with the memory that it needs.

    Parameters
    ----------
    batch : ChartBatch
    jobs : int, optional
        Threads that add up, −1 for one a core; the sums are the same to the bit.

    Examples
    --------
    With all weights zero, Z is the number of trees: 1, 2, 7, 30, 143, …

    >>> from fstce.chart import DependencyModel, compile_charts
    >>> from fstce.machines import Lattice, Symbols
    >>> model, symbols = DependencyModel(["N", "V"]), Symbols(["N", "V"])
    >>> batch = compile_charts([Lattice.of_sentence("N V N N".split(), symbols)], model)
    >>> sums = InsideOutside(batch)(np.zeros(model.size))
    >>> np.exp(sums.log_z).round(9).tolist(), sums.counts[:2].round(9).tolist()
    ([30.0], [0.9, 0.1])
    """

    def __init__(self, batch: ChartBatch, jobs: int | None = None) -> None:
        self.batch = batch
        self._jobs = jobs

    def __call__(self, theta: Floats, coefficient: Floats | None = None) -> ChartSums:
        """Sum over all trees of all strings.

        Parameters
        ----------
        theta : ndarray, shape (model.size,)
            The weights; −inf for what cannot be.
        coefficient : ndarray, shape (lattices,), optional
            How much each lattice's expectations count; one by default.

        Returns
        -------
        ChartSums
            log Z, −inf where nothing is possible, and Σ of coefficient · E[feature count].
        """
        weight = self.batch.on_distinct(coefficient)

        def sums(pack: Pack) -> ChartSums:
            log_z, posteriors = self._pack(pack, theta, weight[pack.lattices])
            return ChartSums(log_z, pack.counts(posteriors, self.batch.model.size))

        log_z = np.empty(self.batch.n_distinct)
        counts = np.zeros(self.batch.model.size)
        sums_of_packs = in_threads(sums, self.batch.packs, self._jobs)
        for pack, of_pack in zip(self.batch.packs, sums_of_packs, strict=True):
            log_z[pack.lattices] = of_pack.log_z
            counts += of_pack.counts
        return ChartSums(log_z[self.batch.index], counts)

    def posteriors(self, theta: Floats) -> list[ItemFactors]:
        """The posterior of every item's own choice, a pack at a time."""
        packs = self.batch.packs
        return [self._pack(pack, theta, np.ones(len(pack.lattices)))[1] for pack in packs]

    def _pack(self, pack: Pack, theta: Floats, coefficient: Floats) -> tuple[Floats, ItemFactors]:
        """log Z of each lattice of a pack and its posteriors times the coefficients."""
        if pack.magnitude(theta) <= SAFE:
            chart = RealChart(pack.graph, pack.weights(theta))
            if chart.in_range():
                with np.errstate(divide="ignore"):
                    return np.log(chart.z), chart.posteriors(coefficient)

        scores = pack.scores(theta)
        items = inside(pack.graph, scores)
        return items.z, posteriors(pack.graph, scores, items, coefficient)


class Items(NamedTuple):
    """The log weight of every item, shapes as in :class:`ItemFactors`.

    ``half``, ``stop``, ``go`` (H, S): a half open, stopped, and going on. ``link`` is (K, S),
    ``root`` (N, S). ``z`` (lattices,): each lattice's ⊕-sum over its trees.
    """

    half: Floats
    stop: Floats
    go: Floats
    link: Floats
    root: Floats
    z: Floats


def inside(graph: Hypergraph, scores: ItemFactors, semiring: Semiring = LOG) -> Items:
    """Fill the chart.

    ``semiring``: LOG for sums, TROPICAL for maxima.
    """
    half = np.full(scores.stop.shape, -np.inf)
    link = np.full(scores.link.shape, -np.inf)
    stop = np.empty_like(half)
    go = np.empty_like(half)
    half[: graph.half_bounds[1]] = 0.0

    for width in graph.widths:
        # R[a, j] = ⊕_b link[a, b] ⊗ R̄[b, j]: (halves, S)
        a, b = graph.half_bounds[width : width + 2]
        if width > 0:
            half[a:b] = reduced(graph.half_rows, a, b, link, stop, semiring)
        np.add(half[a:b], scores.stop[a:b], out=stop[a:b])
        np.add(half[a:b], scores.go[a:b], out=go[a:b])

        # link[a, b] = child(a, b) ⊗ ⊕_q R′[a, q] ⊗ L̄[b, q]: (links, S)
        a, b = graph.link_bounds[width : width + 2]
        link[a:b] = reduced(graph.link_rows, a, b, go, stop, semiring)
        link[a:b] += scores.link[a:b]

    # Z = ⊕ over root arcs a of root(a) ⊗ L̄[a, start] ⊗ R̄[a, end]: (lattices,)
    root = scores.root + stop[graph.roots.left] + stop[graph.roots.right]
    by_column = np.ascontiguousarray(root.T).ravel()
    starts = graph.root_first + len(root) * np.arange(root.shape[1])[:, None]
    z = semiring.plus_reduce(by_column, starts.ravel())
    return Items(half, stop, go, link, root, z.reshape(starts.shape).T.ravel())


def posteriors(
    graph: Hypergraph, scores: ItemFactors, items: Items, coefficient: Floats
) -> ItemFactors:
    """coefficient · P of every item's own choice: each result's mass shared out to its operands."""
    stop, go, link = (np.zeros_like(values) for values in (items.stop, items.go, items.link))
    columns = link.shape[1]
    log_z = _finite(items.z).reshape(-1, columns)
    mass_of_lattice = coefficient.reshape(-1, columns)
    root = np.exp(items.root - log_z[graph.root_lattice]) * mass_of_lattice[graph.root_lattice]
    stop += sums_at(graph.roots.left, root, len(stop))
    stop += sums_at(graph.roots.right, root, len(stop))

    for width in reversed(graph.widths):
        # The mass of link[a, b] goes to R′[a, q] and L̄[b, q] by each product's share in the sum,
        a, b = graph.link_bounds[width : width + 2]
        joined = items.link[a:b] - _finite(scores.link[a:b])
        operands = (items.go, items.stop)
        share_out(graph.link_rows, a, b, operands, joined, link[a:b], go, stop)

        # and that of R[a, j], stopped or going on, to link[a, b] and R̄[b, j]
        a, b = graph.half_bounds[width : width + 2]
        mass = stop[a:b] + go[a:b]
        operands = (items.link, items.stop)
        share_out(graph.half_rows, a, b, operands, items.half[a:b], mass, link, stop)

    return ItemFactors(link, stop, go, root)


def _finite(values: Floats) -> Floats:
    """The values, zero where they are infinite."""
    return np.where(np.isfinite(values), values, 0.0)
