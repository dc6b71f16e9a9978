"""Deterministic annealing: a row of smoother problems, each started where the last one ended.

At inverse temperature β the hidden structure's posterior is proportional to u^β: nearly
uniform for small β, the model's own at β = 1 (Rose 1998; Smith & Eisner 2004). Only the
numerators hide something that is to be learnt, so only they are annealed: contrastive
estimation then begins with an objective that is nearly concave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from fstce.estimation.maximize import Monitor, Training
from fstce.estimation.rules import BETAS
from fstce.estimation.schedule import Schedule
from fstce.numeric.types import Floats

Term = Callable[[Floats], tuple[float, Floats]]


class Annealed:
    """A term at temperature 1/β: θ ↦ (1/β) Σ log Σ_y u(x, y)^β.

    With β near 0 the sum is nearly linear, the hidden y nearly uniform; β = 1 is the term
    itself (Rose 1998; Smith & Eisner 2004, deterministic annealing).

    ``beta``: the inverse temperature β, above 0.
    """

    def __init__(self, term: Term, beta: float) -> None:
        self.term = term
        self.beta = beta

    def __call__(self, theta: Floats) -> tuple[float, Floats]:
        """The value in nats and its gradient, the expectation of the features under u^β."""
        value, gradient = self.term(self.beta * theta)
        return value / self.beta, gradient


def checked_schedule(betas: Iterable[float]) -> tuple[float, ...]:
    """The inverse temperatures, if they rise to 1.

    >>> checked_schedule([0.25, 0.5, 1])
    (0.25, 0.5, 1.0)
    """
    schedule = tuple(betas) if isinstance(betas, Iterator) else betas
    BETAS.check(annealing=schedule)
    return tuple(map(float, schedule))


def anneal(
    train: Callable[[float, Floats, Monitor], Training],
    betas: Iterable[float],
    theta: Floats,
    monitor: Monitor | None = None,
) -> Training:
    """Train at each inverse temperature in turn.

    ``betas``: rising to 1. ``monitor``: called after every iteration of every temperature, a stage each.
    Returns the last one's weights and objective, with the steps of all numbered on.
    """
    stages, training = Schedule(monitor), Training(theta)
    for beta in checked_schedule(betas):
        training = stages.run(f"β = {beta:g}", partial(train, beta, training.theta))
    return training
