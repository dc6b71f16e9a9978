"""Sums over the trees of lattices as functions of θ: the terms of which objectives are made.

As for taggers, criteria differ only in their lattices and signs: contrastive estimation
is Σ log Z of the sentences minus Σ log Z of their neighborhoods (Smith & Eisner 2005b).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from fstce.chart.batch import ChartBatch
from fstce.chart.compile import Compiler
from fstce.chart.insideoutside import InsideOutside
from fstce.errors import ParameterError
from fstce.estimation.resources import IN_MEMORY, Resources
from fstce.grammars.dmv import ADJACENT, GO, LEFT, NOT_ADJACENT, RIGHT, STOP, DependencyModel
from fstce.machines.lattice import Lattice, wildcard_length
from fstce.numeric.kernels import total
from fstce.numeric.semirings import log_sum
from fstce.numeric.types import Floats, Ints, Term, ValueAndGradient


class _Chart(NamedTuple):
    """Log weights of halves (side, width, head) and of links (side, width, head, child)."""

    half: Floats
    stop: Floats
    go: Floats
    link: Floats


class TreeLengthSum:
    """LENGTH without enumerating Σ: Σ over lengths m of coefficient · log Z(θ) of Σ^m.

    Any tag may stand anywhere, so an item depends on its head's tag and its width, not on where it
    stands: the chart of the longest length holds those of all shorter ones. A link of width w joins
    tags a and b, one table V × V for each side and width, and a step is a product of such tables
    with what precedes them. In log space throughout; the way back shares the mass of each result
    out to its operands.

    ``lengths`` (N,): the lengths, each at least 1, in any order. ``coefficient`` is (N,).

    Three words over two tags: 2³ strings with 7 trees each.

    >>> model = DependencyModel(["N", "V"])
    >>> log_z, counts = TreeLengthSum(model, np.array([3]), np.ones(1)).sums(np.zeros(model.size))
    >>> np.exp(log_z).round(9).tolist()
    [56.0]
    """

    def __init__(self, model: DependencyModel, lengths: Ints, coefficient: Floats) -> None:
        self.model = model
        self.coefficient = coefficient
        self.lengths = lengths
        tags = np.arange(model.n_tags)
        sides = np.array([LEFT, RIGHT])
        self._child = model.child(tags[:, None], tags, sides[:, None, None])
        self._longest = widths = int(lengths.max())
        valence = np.where(np.arange(widths) > 0, NOT_ADJACENT, ADJACENT)
        self._stop = model.stop(tags, sides[:, None, None], valence[:, None], STOP)

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value in nats and its gradient, shape of θ."""
        log_z, counts = self.sums(theta)
        return float(self.coefficient @ log_z), counts

    def sums(self, theta: Floats) -> tuple[Floats, Floats]:
        """log Z of each length, (N,), and Σ over lengths of coefficient · E[feature], as θ."""
        chart = self._inside(theta)
        roots = [self._roots(chart, theta, m) for m in range(1, self._longest + 1)]
        log_z = np.array([log_sum(root, (0, 1)) for root in roots])
        share = total(self.lengths - 1, self.coefficient, len(roots))
        mass = [w * _share(root, z) for root, z, w in zip(roots, log_z, share, strict=True)]
        return log_z[self.lengths - 1], self._outside(theta, chart, mass)

    def _inside(self, theta: Floats) -> _Chart:
        child = theta[self._child]
        stops = theta[self._stop]
        goes = theta[self._stop + GO]
        half = np.full(stops.shape, -np.inf)
        link = np.full((*stops.shape, stops.shape[2]), -np.inf)
        stop = np.empty_like(half)
        go = np.empty_like(half)
        half[:, 0] = 0.0

        for width in range(self._longest):
            # R[a, w] = Σ_{u, b} link[a, b, u] · R̄[b, w − 1 − u], as logs (side, head)
            if width > 0:
                half[:, width] = log_sum(self._far(link, stop, width), (1, 3))
            stop[:, width] = half[:, width] + stops[:, width]
            go[:, width] = half[:, width] + goes[:, width]

            # link[a, b, w] = child(a, b) · Σ_u R′[a, u] · L̄[b, w − u], as logs (side, head, child)
            link[:, width] = log_sum(self._near(go, stop, width), (1,)) + child
        return _Chart(half, stop, go, link)

    @staticmethod
    def _far(link: Floats, stop: Floats, width: int) -> Floats:
        """Link of width u and the far half of its child, u + 1 + v = width.

        Its shape is (side, u, head, child).
        """
        return link[:, :width] + stop[:, width - 1 :: -1][:, :width, None, :]

    @staticmethod
    def _near(go: Floats, stop: Floats, width: int) -> Floats:
        """Half of width u that goes on and the child's near half, u + v = width.

        Its shape is (side, u, head, child).
        """
        return go[:, : width + 1, :, None] + stop[::-1, width::-1, None, :]

    def _roots(self, chart: _Chart, theta: Floats, m: int) -> Floats:
        """The score of a root with its halves and m − 1 words around it.

        Its shape is (words to its left, tag).
        """
        return (
            chart.stop[LEFT, :m] + chart.stop[RIGHT, m - 1 :: -1][:m] + theta[: self.model.n_tags]
        )

    def _outside(self, theta: Floats, chart: _Chart, roots: list[Floats]) -> Floats:
        """Expected counts, from the mass of each length's roots."""
        stop, go, link = (np.zeros_like(x) for x in (chart.stop, chart.go, chart.link))
        for m, root in enumerate(roots, 1):
            stop[LEFT, :m] += root
            stop[RIGHT, :m] += root[::-1]

        child = theta[self._child]
        for width in reversed(range(self._longest)):
            # The mass of link[a, b, w] = child · Σ_u R′[a, u] · L̄[b, w − u] goes to its operands
            # by their share in the sum: part (side, u, head, child), summed over children for R′,
            # over heads for L̄
            inner = chart.link[:, width] - np.where(np.isfinite(child), child, 0.0)
            part = (
                _share(self._near(chart.go, chart.stop, width), inner[:, None])
                * link[:, width, None]
            )
            go[:, : width + 1] += part.sum(axis=3)
            stop[:, : width + 1] += part.sum(axis=2)[::-1, ::-1]

            # The mass of R[a, w], that of R̄ and of R′, goes to link[a, b, u] and R̄[b, w − 1 − u]
            # likewise
            if width > 0:
                mass = (stop + go)[:, width, None, :, None]
                part = _share(
                    self._far(chart.link, chart.stop, width), chart.half[:, width, None, :, None]
                )
                link[:, :width] += part * mass
                stop[:, :width] += (part * mass).sum(axis=2)[:, ::-1]

        counts = np.zeros(self.model.size)
        np.add.at(counts, np.arange(self.model.n_tags), sum(root.sum(axis=0) for root in roots))
        np.add.at(counts, self._child, link.sum(axis=1))
        np.add.at(counts, self._stop, stop)
        np.add.at(counts, self._stop + GO, go)
        return counts


def _share(values: Floats, whole: Floats) -> Floats:
    """The part of each value in a sum, zero of a sum of nothing."""
    return np.exp(values - np.where(np.isfinite(whole), whole, np.inf))


class ChartSum:
    """Σ over the lattices of a batch of coefficient · log Z(θ).

    ``coefficient`` is (lattices,). ``jobs``: threads that add up, −1 for one a core. ``beside``:
    weights of features that trees have besides the grammar's.
    """

    def __init__(
        self,
        batch: ChartBatch,
        coefficient: Floats,
        jobs: int | None = None,
        beside: Floats | float = 0.0,
    ) -> None:
        self.batch = batch
        self.coefficient = coefficient
        self.sums: InsideOutside = InsideOutside(batch, jobs)
        self._beside = beside

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value in nats and its gradient, shape of θ."""
        log_z, counts = self.sums(theta + self._beside, self.coefficient)
        return float(self.coefficient @ log_z), counts


def lattice_terms(
    lattices: Iterable[Lattice],
    model: DependencyModel,
    coefficient: Floats | float = 1.0,
    length_bias: float = 0.0,
    resources: Resources = IN_MEMORY,
) -> list[Term]:
    """Σ of coefficient · log Z over lattices as terms: those that are Σ^m in one, the rest in one.

    ``lattices``: they are looked at once. Their words are tags of the model. ``coefficient`` is
    (lattices,). ``length_bias``: δ in nats for every word that a link spans. ``resources``:
    the threads that add up; what charts may take in memory.

    >>> from fstce import neighborhood
    >>> model = DependencyModel(["DT", "NN"])
    >>> terms = lattice_terms([neighborhood("length")(["DT", "NN"])], model)
    >>> [float(np.exp(term(np.zeros(model.size))[0]).round(9)) for term in terms]
    [8.0]
    """
    lengths: list[int] = []
    compiler = Compiler(model, resources)
    for lattice in lattices:
        lengths.append((set(lattice.symbols) == set(model.tags) and wildcard_length(lattice)) or 0)
        if not lengths[-1]:
            compiler.add(lattice)
        elif length_bias:
            raise ParameterError(
                "there is no structural bias in LENGTH: choose another neighborhood, or "
                "structural_bias=0"
            )
    weight = np.broadcast_to(np.asarray(coefficient, dtype=np.float64), len(lengths))
    wild = np.array(lengths)

    terms: list[Term] = []
    if not np.all(wild):
        charts = compiler.batch().with_length_bias(length_bias)
        terms.append(ChartSum(charts, weight[wild == 0], resources.jobs))
    if np.any(wild):
        terms.append(TreeLengthSum(model, wild[wild > 0], weight[wild > 0]))
    return terms
