"""How a training goes: its schedule, and what its monitor is called with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, Protocol

from fstce.estimation.rules import check
from fstce.latent.parameters import SCHEDULE

Stage = Literal["split", "merge", "smooth"]


@dataclass(frozen=True, slots=True)
class EMStep:
    """One iteration of EM.

    ``cycle``: from 1. ``stage``: what came before these iterations. ``iteration``: from 0 in each stage.
    ``log_likelihood``: of the training trees before the iteration's update, in nats. ``warning``: empty, or
    what is strange: the log-likelihood fell where EM cannot let it.
    """

    cycle: int
    stage: Stage
    iteration: int
    log_likelihood: float
    subcategories: int
    seconds: float
    warning: str = ""


class EMMonitor(Protocol):
    """Anything that wants to hear of the iterations."""

    def __call__(self, step: EMStep) -> None:
        """Called after every iteration."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how hard to train.

    ``noise``: the relative perturbation of twins.
    """

    cycles: int = 4
    split_iterations: int = 50
    merge_iterations: int = 20
    smooth_iterations: int = 10
    merged: float = 0.5
    rule_smoothing: float = 0.01
    lexicon_smoothing: float = 0.1
    noise: float = 0.01

    def __post_init__(self) -> None:
        """Check the ranges."""
        check(SCHEDULE, **asdict(self))
