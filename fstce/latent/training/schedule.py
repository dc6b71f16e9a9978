"""How a training goes: its schedule, and what its monitor is called with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, Protocol

from fstce.estimation.rules import SCHEDULE, check

Stage = Literal["split", "merge", "smooth"]


@dataclass(frozen=True, slots=True)
class EMStep:
    """One iteration of EM.

    Attributes
    ----------
    cycle : int
        From 1.
    stage : {"split", "merge", "smooth"}
        What came before these iterations.
    iteration : int
        From 0 in each stage.
    log_likelihood : float
        Of the training trees before the iteration's update, in nats.
    subcategories : int
        How many there are.
    seconds : float
        Since the training began.
    warning : str
        Empty, or what is strange: the log-likelihood fell where EM cannot let it.
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

    Parameters
    ----------
    cycles : int
        Rounds of split, merge, smooth.
    split_iterations, merge_iterations, smooth_iterations : int
        EM iterations after each.
    merged : float
        The share of splits to undo.
    rule_smoothing, lexicon_smoothing : float
        α for rules and for words.
    noise : float
        The relative perturbation of twins.
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
