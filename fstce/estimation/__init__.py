"""Objectives, priors and their maximization."""

from __future__ import annotations

from fstce.estimation.annealing import Annealed, anneal
from fstce.estimation.likelihood import Likelihood, expectation_maximization
from fstce.estimation.maximize import Interrupted, Monitor, Step, Training, maximize
from fstce.estimation.multinomials import Multinomials
from fstce.estimation.objective import Objective
from fstce.estimation.prior import GaussianPrior

__all__ = [
    "Annealed",
    "GaussianPrior",
    "Interrupted",
    "Likelihood",
    "Monitor",
    "Multinomials",
    "Objective",
    "Step",
    "Training",
    "anneal",
    "expectation_maximization",
    "maximize",
]
