"""An objective: a sum of terms and a prior, as one function of the weights.

Contrastive estimation maximizes Σ_i log Σ_y p(x_i, y | N(x_i), θ) (Smith & Eisner 2005a,
Eq. 7), whose gradient is the difference of two expectations of the features (Eq. 10).
Terms are sums over machines or charts, and what stands here: linear ones, multiples, annealed ones.

A locally normalized model (an HMM, a generative dependency grammar) is a log-linear one whose
weights in each group are the logarithms of numbers that sum to one; its likelihood is maximized by
EM.

The mean of the weights of log-linear models is the geometric mean of the models, p(x, y) ∝ Π p_k(x,
y)^(s_k), a product of experts with shares s_k that sum to one (Hinton 2002; Smith, Cohn & Osborne
2005 for sequence models): one log-linear model again. An HMM is among those models where its
log-probabilities are taken for weights.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fstce.errors import NothingToLearn
from fstce.estimation.journal import Journal
from fstce.estimation.maximize import (
    Course,
    Interrupted,
    Monitor,
    Training,
    checked_schedule,
    expectation_maximization,
    maximize,
)
from fstce.numeric.types import Floats, Ints, Term, ValueAndGradient
from fstce.parameters.tables import NOT_NEGATIVE, VARIANCE

LEAST = -30.0  # of a mean: a probability of zero forbids nothing that other members allow
_CERTAIN = 1e-6  # nats: rounding of sums over a whole corpus


class Criterion(Protocol):
    """What training maximizes: ``Model.train`` takes any object that has these.

    ``name``: what facts and messages call it. ``features``: of the weights θ, as ``compile``
    numbers them.
    """

    name: str
    features: Any

    def value_and_gradient(self, theta: Floats) -> ValueAndGradient:
        """The value at θ in nats, with its prior, and its gradient, shape of θ."""


class Linear:
    """θ ↦ c · θ + a: log-linear numerators that hide nothing, such as tagged sentences.

    ``counts`` is (features,). ``constant``: what does not depend on θ, nats.
    """

    def __init__(self, counts: Floats, constant: float = 0.0) -> None:
        self.counts = counts
        self.constant = constant
        self._seen = np.flatnonzero(counts)  # what is not seen may weigh −inf

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value in nats and its gradient, shape of θ."""
        return self.constant + float(self.counts[self._seen] @ theta[self._seen]), self.counts


class Scaled:
    """A term times a number."""

    def __init__(self, term: Term, factor: float) -> None:
        self.term = term
        self.factor = factor

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value in nats and its gradient, shape of θ."""
        value, gradient = self.term(theta)
        return self.factor * value, self.factor * gradient


class Annealed:
    """A term at inverse temperature β > 0: θ ↦ (1/β) Σ log Σ_y u(x, y)^β (Smith & Eisner 2004).

    With β near 0 the sum is nearly linear, the hidden y nearly uniform; β = 1 is the term itself.
    Only the numerators hide something that is to be learned, so only they are annealed: contrastive
    estimation then begins with an objective nearly concave.
    """

    def __init__(self, term: Term, beta: float) -> None:
        self.term = term
        self.beta = beta

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """The value in nats and its gradient, the expectation of the features under u^β."""
        value, gradient = self.term(self.beta * theta)
        return value / self.beta, gradient


class GaussianPrior:
    """A Gaussian of diagonal covariance σ² around zero, or none (σ² = ∞, a flat prior).

    ``sigma2``: the variance σ² > 0, of which a weight has its share (``shares``, by default one).

    >>> value, gradient = GaussianPrior(2.0)(np.array([1.0, -2.0]))
    >>> value, gradient.tolist()
    (-1.25, [-0.5, 1.0])
    """

    def __init__(self, sigma2: float | None = 1.0, shares: Floats | float = 1.0) -> None:
        VARIANCE.check(sigma2=sigma2)
        self.sigma2: float | None = None if sigma2 is None or np.isinf(sigma2) else float(sigma2)
        self.shares = shares

    def __call__(self, theta: Floats) -> ValueAndGradient:
        """log p(θ) up to a constant, −Σ θ²/2σ² in nats, and its gradient −θ/σ²."""
        if self.sigma2 is None:
            return 0.0, np.zeros_like(theta)
        scaled = theta / self.shares
        return -float(theta @ scaled) / (2 * self.sigma2), -scaled / self.sigma2


class Recorded:
    """A criterion; a ``journal`` keeps its evaluations, so that a killed training goes on."""

    name: str = ""
    features: Any = None
    journal: Journal | None = None

    def value_and_gradient(self, theta: Floats) -> ValueAndGradient:
        """The value in nats, and its gradient; of a likelihood, expected counts + λ."""
        return self._sum(theta) if self.journal is None else self.journal.recall(self._sum, theta)

    __call__ = value_and_gradient

    def record(self, journal: Journal) -> None:
        """Keep the evaluations in a journal."""
        self.journal = journal

    def train(
        self,
        theta: Floats,
        annealing: Iterable[float] | None = None,
        monitor: Monitor | Course | None = None,
        **rule: Any,
    ) -> Training:
        """Climb from θ: a likelihood by EM, an averaged objective by its experts, others by L-BFGS.

        ``annealing``: inverse temperatures that rise to 1, a stage each; the steps of all are
        numbered on. ``**rule``: ``tolerance`` and ``max_iterations``, as in :func:`maximize`.
        """
        if annealing is None:
            return self.climb(theta, monitor, **rule)
        course, training = Course.of(monitor), Training(theta)
        stage = f"{course.stage}, " if course.stage else ""

        for beta in checked_schedule(annealing):
            course.stage = f"{stage}β = {beta:g}"
            problem = self if beta == 1 else self.annealed(beta)
            problem.journal = self.journal
            training = problem.climb(training.theta, course, **rule)
        return training

    def _sum(self, theta: Floats) -> ValueAndGradient:
        raise NotImplementedError

    def climb(
        self, theta: Floats, monitor: Monitor | Course | None = None, **rule: Any
    ) -> Training:
        """Climb from θ at this temperature."""
        raise NotImplementedError

    def annealed(self, beta: float) -> Recorded:
        """This objective at inverse temperature β."""
        raise NotImplementedError


class Objective(Recorded):
    """Σ of terms + log prior, to be maximized.

    ``terms``: θ → (value in nats, gradient). ``denominators``: more terms, which hide nothing that
    is to be learned: annealing leaves them alone.

    >>> term = lambda theta: (float(theta.sum()), np.ones_like(theta))
    >>> objective = Objective([term], GaussianPrior(0.5))
    >>> objective.value_and_gradient(np.array([1.0]))
    (0.0, array([-1.]))
    """

    def __init__(
        self,
        terms: Sequence[Term],
        prior: GaussianPrior,
        denominators: Sequence[Term] = (),
    ) -> None:
        self.numerators: list[Term] = list(terms)
        self.denominators: list[Term] = list(denominators)
        self.prior: GaussianPrior = prior

    @property
    def terms(self) -> list[Term]:
        """All terms, without the prior."""
        return self.numerators + self.denominators

    def _sum(self, theta: Floats) -> ValueAndGradient:
        value, gradient = self.prior(theta)
        for term in self.terms:
            more, slope = term(theta)
            value += more
            gradient += slope  # the prior's own array
        return value, gradient

    def annealed(self, beta: float) -> Objective:
        cooled = [Annealed(term, beta) for term in self.numerators]
        return Objective(cooled, self.prior, self.denominators)

    def climb(
        self, theta: Floats, monitor: Monitor | Course | None = None, **rule: Any
    ) -> Training:
        """By L-BFGS; warns where every sentence had all of the probability from the start."""
        course = Course.of(monitor)
        begun = len(course.steps)
        training = maximize(self, theta, monitor=course, **rule)

        certain = (
            len(training.steps) == begun + 1 and abs(training.steps[begun].objective) < _CERTAIN
        )
        if certain and self.denominators:
            warnings.warn(
                NothingToLearn(
                    "nothing to learn: what each sentence is contrasted with is the sentence "
                    "alone; choose a neighborhood that exchanges its words (fstce neighborhood "
                    "show NAME SENTENCE lists them)"
                ),
                stacklevel=2,
            )
        return training

    def smooth(self, sigma2: float | None, smoothing: float) -> None:
        """Take another prior: σ², or λ of a likelihood."""
        self.prior = GaussianPrior(sigma2, self.prior.shares)


def value_of(terms: Sequence[Term], theta: Floats) -> float:
    """Σ of the terms in nats; −∞ where one is, for −∞ above and below is no number."""
    values = [term(theta)[0] for term in terms]
    return -np.inf if -np.inf in values else float(sum(values))


class Multinomials:
    """A partition of the weights into distributions.

    ``group`` (features,): the distribution, 0 … G − 1, that each weight belongs to.

    >>> coins = Multinomials(np.array([0, 0, 1, 1]))
    >>> np.exp(coins.normalize(np.array([3.0, 1.0, 0.0, 2.0]))).round(2).tolist()
    [0.75, 0.25, 0.0, 1.0]
    """

    def __init__(self, group: Ints) -> None:
        self.group: Ints = np.asarray(group)
        self.size: NDArray[Any] = np.bincount(self.group)

    def uniform(self) -> Floats:
        """Log-probabilities that are equal within each distribution, shape (features,)."""
        return -np.log(self.size[self.group].astype(np.float64))

    def normalize(self, counts: Floats, smoothing: float = 0.0) -> Floats:
        """The log of (count + λ) over its sum in the distribution, shape (features,).

        A count of zero without smoothing has probability zero, log-probability −inf; a
        distribution of which nothing was counted stays uniform.

        ``counts`` (features,): at least zero. ``smoothing``: λ ≥ 0, added to every count: the mode
        under a flat Dirichlet prior with parameter λ + 1 (add-λ smoothing).
        """
        NOT_NEGATIVE.check(smoothing=smoothing)
        mass = np.maximum(counts, 0.0) + smoothing
        whole = np.bincount(self.group, mass, len(self.size))[self.group]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(whole > 0, np.log(mass) - np.log(whole), self.uniform())

    def perturbed(self, rng: np.random.Generator, deviation: float | Floats = 0.1) -> Floats:
        """Log-probabilities near the uniform ones, their logs moved by normal noise."""
        return self.normalize(np.exp(rng.normal(0.0, deviation, len(self.group))))


class Likelihood(Recorded):
    """log-likelihood + λ Σ log(p/u), to be maximized by :func:`expectation_maximization`.

    u is the uniform probability, so that the prior of uniform distributions is zero.

    ``terms``: θ → (log-likelihood in nats, expected counts). ``multinomials``: which weights form a
    distribution. ``smoothing``: λ ≥ 0, the flat Dirichlet prior.
    """

    def __init__(
        self, terms: Sequence[Term], multinomials: Multinomials, smoothing: float = 0.0
    ) -> None:
        self.terms: list[Term] = list(terms)
        self.multinomials = multinomials
        NOT_NEGATIVE.check(smoothing=smoothing)
        self.smoothing: float = smoothing
        self._uniform = float(multinomials.uniform().sum())

    def _sum(self, theta: Floats) -> ValueAndGradient:
        value = self.smoothing * (float(theta.sum()) - self._uniform) if self.smoothing else 0.0
        counts = np.full_like(theta, self.smoothing)
        for term in self.terms:
            more, expected = term(theta)
            value, counts = value + more, counts + expected
        return value, counts

    def annealed(self, beta: float) -> Likelihood:
        return Likelihood(
            [Annealed(term, beta) for term in self.terms], self.multinomials, self.smoothing
        )

    def climb(
        self, theta: Floats, monitor: Monitor | Course | None = None, **rule: Any
    ) -> Training:
        return expectation_maximization(
            self, self.multinomials.normalize, theta, monitor=monitor, **rule
        )

    def smooth(self, sigma2: float | None, smoothing: float) -> None:
        """Take another λ."""
        self.smoothing = smoothing


class Expert(NamedTuple):
    """One of the models.

    ``share``: how much its weights count against those of the others.
    """

    name: str
    share: float
    objective: Objective | Likelihood


class AveragedObjective(Objective):
    """An objective whose training climbs that of each expert and takes the mean of their weights.

    ``whole``: what is evaluated, without a part in the training. ``experts``: in the order in which
    they are trained.

    >>> def pull(to):
    ...     term = lambda theta: (float(to * theta.sum()), np.full(1, to))
    ...     return Objective([term], GaussianPrior(1.0))
    >>> experts = [Expert("one", 1, pull(1.0)), Expert("two", 3, pull(5.0))]
    >>> both = AveragedObjective(pull(5.0), experts)
    >>> both.train(np.zeros(1)).theta.round(3)
    array([4.])
    """

    def __init__(self, whole: Objective, experts: Sequence[Expert]) -> None:
        self.experts: list[Expert] = list(experts)
        super().__init__(whole.numerators, whole.prior, whole.denominators)

    def record(self, journal: Journal) -> None:
        """Keep the evaluations of all experts in one journal, one after the other."""
        super().record(journal)
        for expert in self.experts:
            expert.objective.record(journal)

    def train(
        self,
        theta: Floats,
        annealing: Iterable[float] | None = None,
        monitor: Monitor | Course | None = None,
        **rule: Any,
    ) -> Training:
        """Train every expert from the same weights; a likelihood's are made log-probabilities.

        ``theta`` is (features,). ``monitor``: called after every iteration; its steps run on and
        name the expert. Returns the mean of the weights, with its own value and the steps of all.
        """
        course = Course.of(monitor)
        stopped = "converged"
        learnt: list[Floats] = []

        for expert in self.experts:
            start = theta
            if isinstance(expert.objective, Likelihood):
                start = expert.objective.multinomials.normalize(np.exp(theta))

            course.stage = expert.name
            try:
                training = expert.objective.train(start, annealing, course, **rule)
            except Interrupted as interruption:
                if np.isfinite(interruption.training.objective):
                    learnt.append(interruption.training.theta)
                self._take_mean(interruption.training, learnt or [theta])
                raise
            learnt.append(training.theta)
            if stopped == "converged":
                stopped = training.stopped

        training.stopped = stopped
        self._take_mean(training, learnt)
        return training

    def _take_mean(self, training: Training, learnt: Sequence[Floats]) -> None:
        """Make a training's weights the mean of those that the first experts have learnt."""
        # θ = Σ_k s_k θ_k / Σ_k s_k, (features,)
        share = np.array([expert.share for expert in self.experts[: len(learnt)]], dtype=np.float64)
        shares = (share / share.sum()).tolist()
        bounded = (np.maximum(theta, LEAST) for theta in learnt)
        training.theta = sum(map(operator.mul, shares, bounded), np.zeros(()))
        with threadpool_limits(1, "blas"):  # the bits of sums depend on their number
            training.objective = self._sum(training.theta)[0]

    def smooth(self, sigma2: float | None, smoothing: float) -> None:
        super().smooth(sigma2, smoothing)
        for expert in self.experts:
            expert.objective.smooth(sigma2, smoothing)
