"""Objectives, priors and their maximization."""

from __future__ import annotations

from fstce.estimation.maximize import Interrupted, Monitor, Step, Training, maximize
from fstce.estimation.objective import Objective
from fstce.estimation.prior import GaussianPrior

__all__ = ["GaussianPrior", "Interrupted", "Monitor", "Objective", "Step", "Training", "maximize"]
