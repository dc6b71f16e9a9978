"""Sums over the trees of lattices as functions of θ: the terms of which objectives are made.

As for taggers, criteria differ only in their lattices and signs: contrastive estimation
is Σ log Z of the sentences minus Σ log Z of their neighborhoods (Smith & Eisner 2005b).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np

from fstce.chart.batch import ChartBatch
from fstce.chart.compile import compile_charts
from fstce.chart.insideoutside import ChartSums, InsideOutside
from fstce.chart.length import TreeLengthSum
from fstce.chart.sentences import SentenceCharts
from fstce.errors import ParameterError
from fstce.estimation.resources import IN_MEMORY, Resources
from fstce.grammars.dmv import DependencyModel
from fstce.machines.lattice import Lattice
from fstce.neighborhoods.lattice_sets import wildcard_length
from fstce.numeric.types import Floats, Term

Sums = Callable[..., ChartSums]


class ChartSum:
    """Σ over the lattices of a batch, or over sentences, of coefficient · log Z(θ).

    ``coefficient`` is (lattices,). ``jobs``: threads that add up, −1 for one a core; sentences know their
    own.
    """

    def __init__(
        self, batch: ChartBatch | SentenceCharts, coefficient: Floats, jobs: int | None = None
    ) -> None:
        if np.shape(coefficient) != (len(batch),):
            raise ParameterError(f"{np.size(coefficient)} coefficients for {len(batch)} lattices")
        self.batch = batch
        self.coefficient = np.asarray(coefficient, dtype=np.float64)
        self.sums: Sums = batch.sums if isinstance(batch, SentenceCharts) else InsideOutside(batch, jobs)

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        log_z, counts = self.sums(theta, self.coefficient)
        return float(self.coefficient @ log_z), counts


def lattice_terms(
    lattices: Iterable[Lattice],
    model: DependencyModel,
    coefficient: Floats | float = 1.0,
    length_bias: float = 0.0,
    max_link: int | None = None,
    resources: Resources = IN_MEMORY,
) -> list[Term]:
    """Σ of coefficient · log Z over lattices as terms: those that are Σ^m in one, all others in another.

    ``lattices``: they are looked at once. Their words are tags of the model. ``coefficient`` is (lattices,).
    ``length_bias``: δ in nats for every word that a link spans. ``max_link``: the most words that a link may
    span. ``resources``: the threads that add up; what charts may take in memory.

    >>> from fstce import neighborhood
    >>> model = DependencyModel(["DT", "NN"])
    >>> terms = lattice_terms([neighborhood("length")(["DT", "NN"])], model)
    >>> [float(np.exp(term(np.zeros(model.size))[0]).round(9)) for term in terms]
    [8.0]
    """
    lengths: list[int] = []

    def others() -> Iterator[Lattice]:
        for lattice in lattices:
            whole = set(lattice.symbols) == set(model.tags)
            lengths.append((whole and wildcard_length(lattice)) or 0)
            if lengths[-1] and (length_bias or max_link):
                raise ParameterError(
                    "there is no structural bias in LENGTH and no bound on its links: choose another "
                    "neighborhood, or structural_bias=0 and max_link=None"
                )
            if not lengths[-1]:
                yield lattice

    summed = others()
    first = next(summed, None)
    charts = None
    if first is not None:
        charts = compile_charts(chain([first], summed), model, max_link=max_link, resources=resources)
    weight, wild = np.broadcast_to(np.asarray(coefficient, dtype=np.float64), len(lengths)), np.array(lengths)
    terms: list[Term] = []
    if charts is not None:
        terms.append(ChartSum(charts.with_length_bias(length_bias), weight[wild == 0], resources.jobs))
    if np.any(wild):
        terms.append(TreeLengthSum(model, wild[wild > 0], weight[wild > 0]))
    return terms
