"""Training with rules of attachment in stages: first without them, then with all edges that can obey.

Rules say which tag may govern which, and little of order: of the trees that obey, which are many,
EM finds those near its start. A grammar learnt from the same text without rules tells on which side
of its kids a head mostly stands. So the rules come second:

1. a grammar without the rules, θ_F, by EM from the start by headedness;
2. EM under the bound from two starts, the trees that obey, heads on the side where θ_F has most of them,
   and θ_F itself; the better maximum is θ_S;
3. θ_F stands where the text says what the rules say, and better: alone it obeys nearly as often as trees
   can, and each half of the text is significantly better explained by the θ_F that is learnt from the
   other half than by that to which EM without the rules comes from the first start of stage 2.

Measured in ``docs/results/dependencies.md``, each stage alone too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fstce.chart import DependencyModel
from fstce.chart.terms import ChartSum
from fstce.estimation.constraint import Constrained
from fstce.estimation.likelihood import Likelihood
from fstce.estimation.maximize import Training
from fstce.grammars.dmv import LEFT, RIGHT
from fstce.numeric.types import Floats

Climb = Callable[[str, Likelihood, Floats], Training]  # a stage's name, what is maximized, and where from

STRENGTH = 20.0  # nats an attachment that obeys, before anything is learnt
SIDE = 1.0  # nats a link on the commoner side
SMOOTHING = 1.0  # added to every count
ENOUGH = 0.75  # of the edges that can obey
SIGNIFICANT = 3.0  # standard errors, in each half


class Staged:
    """The sums of a corpus with its rules, and without them.

    ``constraint``: the corpus' sums under the rules. ``objective``: what is to be maximized with them.
    ``ruled``: the second stage, once it has ended.

    >>> from fstce import DependencyParser
    >>> parser = DependencyParser(attachment_rules="penn")
    >>> objective = parser.compile([["DT", "NN", "VBD"]])
    >>> staged = Staged(parser.model_, objective.terms[0], objective)
    >>> start = staged.start(parser.initial_weights())
    >>> np.exp(start[:3]).round(2).tolist()
    [0.25, 0.25, 0.5]
    """

    def __init__(self, model: DependencyModel, constraint: Constrained, objective: Likelihood) -> None:
        self.model, self.constraint, self.objective = model, constraint, objective
        self.ruled: Training | None = None
        self.free = Likelihood(constraint.terms, objective.multinomials, objective.smoothing)

    def start(self, free: Floats) -> Floats:
        """Log-probabilities of trees that obey, heads on the side where θ_F has most of them."""
        counts, tags = self._counts(free), np.arange(self.model.n_tags)
        left, right = (self.model.kid(tags[:, None], tags, side) for side in (LEFT, RIGHT))
        theta = STRENGTH * self.constraint.rewarded
        theta[right] += SIDE * np.sign(counts[right].sum() - counts[left].sum())
        return self.model.log_probabilities(self._counts(theta) + SMOOTHING)

    def obeys(self, free: Floats) -> bool:
        """Whether θ_F, which knows no rule, has ENOUGH of the edges that can obey."""
        own, counts = self.constraint, self._counts(free)
        most = Constrained(own.terms, own.rewarded, own.counted, 1.0)
        most(free)
        return bool(own.rewarded @ counts >= ENOUGH * most.reached * (own.counted @ counts))

    def train(self, initial: Floats, climb: Climb) -> Training:
        """All stages, each by `climb`, from the start by headedness: the grammar that serves."""
        free = climb("without rules", self.free, initial)
        starts = {"with rules": self.start(free.theta), "with rules from the first grammar": free.theta}
        found = [climb(name, self.objective, theta) for name, theta in starts.items()]
        self.ruled = max(found, key=lambda training: training.objective)
        return free if self.stands(initial, free.theta, climb) else self.ruled

    def stands(self, initial: Floats, free: Floats, climb: Climb) -> bool:
        """Whether θ_F serves as it is: it obeys, and explains the text better than where the rules lead."""
        return self.obeys(free) and all(self._explains_better(half, initial, climb) for half in (0, 1))

    def _explains_better(self, half: int, initial: Floats, climb: Climb) -> bool:
        """Whether θ_F of one half explains the other better than EM that goes on from its trees that obey."""
        sums = [term for term in self.constraint.terms if isinstance(term, ChartSum)]
        own, other = ([_Half(term, number) for term in sums] for number in (half, 1 - half))
        if min((term.mine.sum() for term in (*own, *other)), default=0) < 2:
            return False
        part = Constrained(own, self.constraint.rewarded, self.constraint.counted, self.constraint.share)
        objective = Likelihood([part], self.objective.multinomials, self.objective.smoothing)
        staged, where = Staged(self.model, part, objective), f", half {half + 1}"
        free = climb("without rules" + where, staged.free, initial).theta
        ruled = climb("with rules" + where, objective, staged.start(free)).theta
        onward = climb("on without rules" + where, staged.free, ruled).theta
        gain = np.concatenate([term.log_z(free) - term.log_z(onward) for term in other])
        return bool(gain.mean() > SIGNIFICANT * gain.std(ddof=1) / np.sqrt(len(gain)))

    def _counts(self, theta: Floats) -> Floats:
        """Expected counts without the rules."""
        return np.sum([term(theta)[1] for term in self.constraint.terms], axis=0)


class _Half:
    """The sum over every other chart: equal sentences, which share one, are in one half."""

    def __init__(self, whole: ChartSum, number: int) -> None:
        self.sums, self.mine = whole.sums, whole.batch.index % 2 == number
        self.coefficient = whole.coefficient * self.mine

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, shape of θ."""
        log_z, counts = self.sums(theta, self.coefficient)
        return float(self.coefficient[self.mine] @ log_z[self.mine]), counts

    def log_z(self, theta: Floats) -> Floats:
        """log Z of each of its sentences."""
        return self.sums(theta).log_z[self.mine]
