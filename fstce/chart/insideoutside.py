"""SUMPARSES: log Z, expected feature counts and posteriors of every lattice in a batch.

The expected count of a feature is the sum of the posteriors of the choices that have it. A width of all
lattices is one sparse product: gather one operand, multiply by the other, sum the rows. The outside pass is
the same list in reverse mode; the adjoint of an item times its value is the posterior of the item.

Each pack runs in the real semiring where that is exact, else in log space, which takes three times as long
and is exact whatever the scores; in the tropical semiring the same pass gives the best trees.
Every factor lies within e^±SAFE.
If every item lies within ±RANGE, no operand or row sum has left the normal doubles, and what underflowed is
less than 1e-14 of the sum it belongs to. Where some factors are zero, so may items be; if all others lie
within ±NARROW, no product of two halves and a root has underflowed: what is zero has no derivation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fstce.chart.batch import ChartBatch, ItemFactors, Pack
from fstce.chart.shape import Hypergraph, Rows
from fstce.numeric.kernels import gather, scatter, total, workspace
from fstce.numeric.semirings import LOG, Semiring
from fstce.numeric.types import Floats
from fstce.processes.workers import in_threads

SAFE = 100.0
RANGE = 1e250
NARROW = 1e88  # (e^−SAFE / NARROW)² · e^−SAFE is a normal double


class RealChart:
    """The chart of one pack, filled for some weights.

    ``weights``: exponentials of scores within ±SAFE, or zeros. ``z`` (lattices,): the sum over trees of each
    lattice. All charts of a thread use the same memory for their hyperedges in turn.
    """

    def __init__(self, graph: Hypergraph, weights: ItemFactors) -> None:
        self._graph = graph
        self._weights = weights
        self._zeros = not all(factor.all() for factor in weights)
        self._left_of_half = workspace.first("half", len(graph.half_rows.left))
        self._left_of_link = workspace.first("link", len(graph.link_rows.left))
        self._half = np.zeros(len(weights.stop))
        self._stop, self._go = np.empty_like(self._half), np.empty_like(self._half)
        self._link = np.zeros(len(weights.link))
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            self._inside()
            roots = graph.roots
            self._root = weights.root * self._stop[roots.left] * self._stop[roots.right]
            self.z = np.add.reduceat(self._root, graph.root_first)

    def in_range(self) -> bool:
        """Whether every half, link and lattice that has a derivation is within the range."""
        limit = NARROW if self._zeros else RANGE
        for values in (self._half, self._link, self.z):
            present = values[values != 0] if self._zeros else values
            if not (present.min(initial=1.0) > 1 / limit and present.max(initial=1.0) < limit):
                return False
        return True

    def posteriors(self, coefficient: Floats) -> ItemFactors:
        """coefficient · P of every item's own choice; once, as it overwrites what the inside pass left."""
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            return self._outside(
                np.divide(coefficient, self.z, out=np.zeros_like(self.z), where=self.z > 0)
            )

    def _inside(self) -> None:
        graph, weights = self._graph, self._weights
        self._half[: graph.half_bounds[1]] = 1.0
        for width in graph.widths:
            # R[a, j] = Σ_b link[a, b] · R̄[b, j]; then R̄ = R · stop and R′ = R · go: the halves of this width
            a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
            _multiply_sum(
                graph.half_rows, a, b, self._link, self._stop, self._left_of_half, self._half
            )
            np.multiply(self._half[a:b], weights.stop[a:b], out=self._stop[a:b])
            np.multiply(self._half[a:b], weights.go[a:b], out=self._go[a:b])
            # link[a, b] = child(a, b) · Σ_q R′[a, q] · L̄[b, q]
            a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
            _multiply_sum(
                graph.link_rows, a, b, self._go, self._stop, self._left_of_link, self._link
            )
            self._link[a:b] *= weights.link[a:b]

    def _outside(self, share: Floats) -> ItemFactors:
        graph, weights = self._graph, self._weights
        stop, go, link = (
            np.zeros_like(self._half),
            np.zeros_like(self._half),
            np.zeros_like(self._link),
        )
        root = self._root_adjoints(share, stop)
        for width in reversed(graph.widths):
            a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
            if self._zeros:
                link[a:b][self._link[a:b] == 0] = 0.0
            # Adjoints: R′[a, q] += link[a, b] · child · L̄[b, q], and L̄[b, q] += link[a, b] · child · R′[a, q]
            row = link[a:b] * weights.link[a:b]
            _send(graph.link_rows, a, b, row, self._left_of_link, self._stop, go, stop)
            a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
            if self._zeros:
                stop[a:b][self._stop[a:b] == 0] = 0.0
                go[a:b][self._go[a:b] == 0] = 0.0
            # R[a, j] = R̄ · stop + R′ · go (adjoints); link[a, b] += R[a, j] · R̄[b, j], and so for R̄
            row = stop[a:b] * weights.stop[a:b] + go[a:b] * weights.go[a:b]
            _send(graph.half_rows, a, b, row, self._left_of_half, self._stop, link, stop)
        return ItemFactors(link * self._link, stop * self._stop, go * self._go, root)

    def _root_adjoints(self, share: Floats, stop: Floats) -> Floats:
        """Begin the outside pass: adjoints of the roots' halves, added in place; the roots' posteriors."""
        roots = self._graph.roots
        by_root = share[self._graph.root_lattice]
        weighted = by_root * self._weights.root
        stop += total(roots.left, weighted * self._stop[roots.right], len(stop))
        stop += total(roots.right, weighted * self._stop[roots.left], len(stop))
        return by_root * self._root


def _multiply_sum(
    rows: Rows, a: int, b: int, left: Floats, right: Floats, kept: Floats, out: Floats
) -> None:
    """out[a:b] += Σ over the hyperedges of each row of left · right; the left operands are kept."""
    lo, hi = rows.indptr[a], rows.indptr[b]
    np.take(left, rows.left[lo:hi], out=kept[lo:hi], mode="clip")
    gather(rows.indptr[a : b + 1], rows.right, kept, right, out[a:b])


def _send(
    rows: Rows,
    a: int,
    b: int,
    row: Floats,
    kept: Floats,
    right: Floats,
    to_left: Floats,
    to_right: Floats,
) -> None:
    """Add the adjoints of rows a:b to their operands, in place."""
    lo, hi = rows.indptr[a], rows.indptr[b]
    indptr = rows.indptr[a : b + 1]
    scatter(indptr, rows.right, kept, row, to_right)
    np.take(right, rows.right[lo:hi], out=kept[lo:hi], mode="clip")
    scatter(indptr, rows.left, kept, row, to_left)


class ChartSums(NamedTuple):
    """log Z of each lattice (shape (lattices,), nats) and the weighted expected counts (shape of θ)."""

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

        def sums(pack: Pack) -> tuple[Floats, Floats]:
            of_lattices, posteriors = self._pack(pack, theta, weight[pack.lattices])
            counts = np.zeros(self.batch.model.size)
            pack.add_counts(posteriors, counts)
            return of_lattices, counts

        log_z, counts = np.empty(self.batch.n_distinct), np.zeros(self.batch.model.size)
        answers = in_threads(sums, self.batch.packs, self._jobs)
        for pack, (of_pack, add) in zip(self.batch.packs, answers, strict=True):
            log_z[pack.lattices] = of_pack
            counts += add
        return ChartSums(log_z[self.batch.index], counts)

    def posteriors(self, theta: Floats) -> list[ItemFactors]:
        """The posterior of every item's own choice, a pack at a time."""
        return [
            self._pack(pack, theta, np.ones(len(pack.lattices)))[1] for pack in self.batch.packs
        ]

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

    ``half``, ``stop``, ``go`` (H,): a half open, stopped, and going on. ``link`` is (K,). ``root`` is (N,).
    ``z`` (M,): each lattice's ⊕-sum over its trees.
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
    half, link = np.full(len(scores.stop), -np.inf), np.full(len(scores.link), -np.inf)
    stop, go = np.empty_like(half), np.empty_like(half)
    half[: graph.half_bounds[1]] = 0.0
    for width in graph.widths:
        a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
        if width > 0:
            # R[a, j] = ⊕_b link[a, b] ⊗ R̄[b, j]
            half[a:b] = _reduce(graph.half_rows, a, b, link, stop, semiring)
        stop[a:b], go[a:b] = half[a:b] + scores.stop[a:b], half[a:b] + scores.go[a:b]
        a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
        # link[a, b] = child(a, b) ⊗ ⊕_q R′[a, q] ⊗ L̄[b, q]
        link[a:b] = _reduce(graph.link_rows, a, b, go, stop, semiring) + scores.link[a:b]
    # Z = ⊕ over root arcs a of root(a) ⊗ L̄[a, start] ⊗ R̄[a, end]
    root = scores.root + stop[graph.roots.left] + stop[graph.roots.right]
    return Items(half, stop, go, link, root, semiring.plus_reduce(root, graph.root_first))


def _reduce(rows: Rows, a: int, b: int, left: Floats, right: Floats, semiring: Semiring) -> Floats:
    if a == b:
        return np.zeros(0)
    return semiring.plus_reduce(
        _through(rows, a, b, left, right), rows.indptr[a:b] - rows.indptr[a]
    )


def _through(rows: Rows, a: int, b: int, left: Floats, right: Floats) -> Floats:
    """The product of each hyperedge's operands, for the rows a:b."""
    edges = slice(rows.indptr[a], rows.indptr[b])
    return left[rows.left[edges]] + right[rows.right[edges]]


def shares(rows: Rows, a: int, b: int, left: Floats, right: Floats, result: Floats) -> Floats:
    """Each hyperedge's part of the sum of its row, for the rows a:b; `result` is their sums."""
    greatest = np.where(
        np.isfinite(result), result, np.inf
    )  # a row without a derivation has no shares
    counts = np.diff(rows.indptr[a : b + 1])
    return np.exp(_through(rows, a, b, left, right) - np.repeat(greatest, counts))


def posteriors(
    graph: Hypergraph, scores: ItemFactors, items: Items, coefficient: Floats
) -> ItemFactors:
    """coefficient · P of every item's own choice: the mass of each result shared out to its operands."""
    stop, go, link = (np.zeros_like(x) for x in (items.stop, items.go, items.link))
    whole = np.where(np.isfinite(items.z), items.z, 0.0)
    root = np.exp(items.root - whole[graph.root_lattice]) * coefficient[graph.root_lattice]
    stop += total(graph.roots.left, root, len(stop)) + total(graph.roots.right, root, len(stop))
    for width in reversed(graph.widths):
        # The mass of link[a, b] goes to R′[a, q] and L̄[b, q], that of R[a, j] to link[a, b] and R̄[b, j],
        # by the share of each product in its sum: part (hyperedges of this width,)
        a, b = graph.link_bounds[width], graph.link_bounds[width + 1]
        inner = _unlinked(scores.link[a:b], items.link[a:b])
        part = shares(graph.link_rows, a, b, items.go, items.stop, inner)
        _share_out(graph.link_rows, a, b, part, link[a:b], go, stop)
        a, b = graph.half_bounds[width], graph.half_bounds[width + 1]
        part = shares(graph.half_rows, a, b, items.link, items.stop, items.half[a:b])
        _share_out(graph.half_rows, a, b, part, stop[a:b] + go[a:b], link, stop)
    return ItemFactors(link, stop, go, root)


def _unlinked(score: Floats, link: Floats) -> Floats:
    """The sum under each link, without the link's own score; −inf where that is."""
    return link - np.where(np.isfinite(score), score, 0.0)


def _share_out(
    rows: Rows, a: int, b: int, part: Floats, mass: Floats, to_left: Floats, to_right: Floats
) -> None:
    """Add to each operand its share of the mass of rows a:b, in place."""
    edges = slice(rows.indptr[a], rows.indptr[b])
    indptr = rows.indptr[a : b + 1] - rows.indptr[a]
    scatter(indptr, rows.left[edges], part, mass, to_left)
    scatter(indptr, rows.right[edges], part, mass, to_right)
