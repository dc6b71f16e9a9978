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
from fstce.chart.rows import sums_at
from fstce.chart.shape import Hypergraph
from fstce.numeric.kernels import workspace
from fstce.numeric.semirings import LOG, REAL, Semiring
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
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            self._items = inside(graph, weights, REAL)
        self.z: Floats = self._items.z
        self._zeros = not all(x.all() for x in (weights.link, weights.stop, weights.go, self.z))

    def in_range(self) -> bool:
        """Whether every half, link and lattice that has a derivation is within the range."""
        limit = NARROW if self._zeros else RANGE
        for values in (self._items.half, self._items.link, self.z):
            present = values[values != 0] if self._zeros else values
            if not (present.min(initial=1.0) > 1 / limit and present.max(initial=1.0) < limit):
                return False
        return True

    def posteriors(self, coefficient: Floats) -> ItemFactors:
        """coefficient · P of every item's own choice; once, as it overwrites the inside pass."""
        share = np.divide(coefficient, self.z, out=np.zeros_like(self.z), where=self.z > 0)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return self._outside(share.reshape(len(self._graph.root_first), -1))

    def _outside(self, share: Floats) -> ItemFactors:
        graph = self._graph
        weights = self._weights
        items = self._items
        stop = workspace.table("to stopped halves", items.stop.shape, 0.0)
        go = workspace.table("to halves going on", items.go.shape, 0.0)
        link = workspace.table("to links", items.link.shape, 0.0)
        of_halves, of_links = buffers(graph, link.shape[1])
        root = self._add_roots(share, stop)
        stops = np.zeros_like(weights.stop)
        goes = np.zeros_like(weights.go)

        for width in reversed(range(graph.widths)):
            # R′[a, q] += link[a, b] · child · L̄[b, q], L̄[b, q] += link[a, b] · child · R′[a, q]
            at = graph.link_rows.items(width)
            self._forget_impossible(link, items.link, at)
            row = link[at] * weights.link[at]
            graph.link_rows.send_products(width, row, (items.go, items.stop), (go, stop), of_links)

            # R[a, j] = R̄ · stop + R′ · go; link[a, b] += R[a, j] · R̄[b, j], and so for R̄
            at = graph.half_rows.items(width)
            self._forget_impossible(stop, items.stop, at)
            self._forget_impossible(go, items.go, at)
            own = graph.half_rows.choices(width)
            stops[own] += stop[at] * items.stop[at]
            goes[own] += go[at] * items.go[at]
            row = stop[at] * weights.stop[own] + go[at] * weights.go[own]
            operands = (items.link, items.stop)
            graph.half_rows.send_products(width, row, operands, (link, stop), of_halves)

        link *= items.link
        return ItemFactors(link, stops, goes, root)

    def _forget_impossible(self, adjoints: Floats, values: Floats, items: slice) -> None:
        """Items without a derivation may have any adjoint: make it zero."""
        if self._zeros:
            adjoints[items][values[items] == 0] = 0.0

    def _add_roots(self, share: Floats, stop: Floats) -> Floats:
        """Add the adjoints of the roots' halves; return the roots' posteriors, (N, S)."""
        roots = self._graph.roots
        stopped = self._items.stop
        by_root = share[self._graph.root_lattice]
        weighted = by_root * self._weights.root
        left, place = np.unique(roots.left, return_inverse=True)
        stop[left] += sums_at(place, weighted * stopped[roots.right], len(left))
        stop[roots.right] += weighted * stopped[roots.left]  # of each root its own
        return by_root * self._items.root


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
    With all weights zero, Z is the number of trees: 1, 2, 7, 30, 143.

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
        several = (self._pack(pack, theta, np.ones(len(pack.lattices)))[1] for pack in packs)
        return [ItemFactors(*map(np.copy, of_pack)) for of_pack in several]

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
    """The weight of every item, as the semiring has it.

    ``half``, ``stop``, ``go`` (H, S): a half open, stopped, and going on. ``link`` is (K, S),
    ``root`` (N, S). ``z`` (lattices,): each lattice's ⊕-sum over its trees.
    """

    half: Floats
    stop: Floats
    go: Floats
    link: Floats
    root: Floats
    z: Floats


def inside(graph: Hypergraph, factors: ItemFactors, semiring: Semiring = LOG) -> Items:
    """Fill the chart, in the thread's memory for sums.

    ``semiring``: REAL or LOG for sums, TROPICAL for maxima.
    """
    columns = factors.link.shape[1]
    of_halves, of_links = buffers(graph, columns)
    halves = len(graph.halves.arc), columns
    one = float(semiring.one)
    half = workspace.table("halves open", halves, one)
    stop = workspace.table("halves stopped", halves, one)
    go = workspace.table("halves going on", halves, one)
    link = workspace.table("links", factors.link.shape, one)
    times = semiring.times

    for width in range(graph.widths):
        # R[a, j] = ⊕_b link[a, b] ⊗ R̄[b, j]; then R̄ = R ⊗ stop and R′ = R ⊗ go: (halves, S)
        at = graph.half_rows.items(width)
        graph.half_rows.add_products(width, semiring, (link, stop), half, of_halves)
        own = graph.half_rows.choices(width)
        times(half[at], factors.stop[own], out=stop[at])
        times(half[at], factors.go[own], out=go[at])

        # link[a, b] = child(a, b) ⊗ ⊕_q R′[a, q] ⊗ L̄[b, q]: (links, S)
        at = graph.link_rows.items(width)
        graph.link_rows.add_products(width, semiring, (go, stop), link, of_links)
        times(link[at], factors.link[at], out=link[at])

    # Z = ⊕ over root arcs a of root(a) ⊗ L̄[a, start] ⊗ R̄[a, end]: (lattices,)
    root = times(times(factors.root, stop[graph.roots.left]), stop[graph.roots.right])
    return Items(half, stop, go, link, root, semiring.plus_reduce(root, graph.root_first).ravel())


def buffers(graph: Hypergraph, columns: int) -> tuple[Floats, Floats]:
    """What the sums into halves and into links keep of the inside pass, in the thread's memory."""
    halves = workspace.first("products into halves", graph.half_rows.room(columns))
    return halves, workspace.first("products into links", graph.link_rows.room(columns))


def posteriors(
    graph: Hypergraph, scores: ItemFactors, items: Items, coefficient: Floats
) -> ItemFactors:
    """coefficient · P of every item's own choice: each result's mass shared out to its operands."""
    stop = workspace.table("to stopped halves", items.stop.shape, 0.0)
    go = workspace.table("to halves going on", items.go.shape, 0.0)
    link = workspace.table("to links", items.link.shape, 0.0)
    columns = link.shape[1]
    log_z = _finite(items.z).reshape(-1, columns)
    mass_of_lattice = coefficient.reshape(-1, columns)
    root = np.exp(items.root - log_z[graph.root_lattice]) * mass_of_lattice[graph.root_lattice]
    stop += sums_at(graph.roots.left, root, len(stop))
    stop[graph.roots.right] += root  # of each root its own
    stops = np.zeros_like(scores.stop)
    goes = np.zeros_like(scores.go)

    for width in reversed(range(graph.widths)):
        # The mass of link[a, b] goes to R′[a, q] and L̄[b, q] by each product's share in the sum,
        at = graph.link_rows.items(width)
        joined = _finite(items.link[at] - _finite(scores.link[at]), np.inf)
        operands = (items.go, items.stop)
        graph.link_rows.share_out(width, operands, joined, link[at], (go, stop))

        # and that of R[a, j], stopped or going on, to link[a, b] and R̄[b, j]
        at = graph.half_rows.items(width)
        own = graph.half_rows.choices(width)
        stops[own] += stop[at]
        goes[own] += go[at]
        mass = stop[at] + go[at]
        operands = (items.link, items.stop)
        half = _finite(items.half[at], np.inf)
        graph.half_rows.share_out(width, operands, half, mass, (link, stop))

    return ItemFactors(link, stops, goes, root)


def _finite(values: Floats, instead: float = 0.0) -> Floats:
    """The values, another where they are infinite."""
    return np.where(np.isfinite(values), values, instead)
