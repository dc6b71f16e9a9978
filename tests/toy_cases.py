"""A model that learns nothing but the mean of numbers, for what all estimators do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fstce.corpora.words import checked_sentences
from fstce.estimation.model import Model
from fstce.estimation.objective import GaussianPrior, Objective
from fstce.numeric.types import Floats
from fstce.parameters.rules import FLAG, Table, choice, integer, real
from fstce.parameters.tables import BETAS
from fstce.storage.state import State

TEXT = [["we", "fish"], ["we", "swim", "well"]]


def pull(theta: np.ndarray) -> tuple[float, np.ndarray]:
    """−θ²/2 for every weight, around 3."""
    return -float((theta - 3.0) @ (theta - 3.0)) / 2, 3.0 - theta


class ToyFeatures:
    """Two features."""

    size, names, group = 2, [("left",), ("right",)], np.array([0, 0])


class Toy(Model):
    """Two weights that are pulled to 3."""

    KIND = "toy"
    FEATURES, LOCAL, GOLD = "features_", (), "numbers"
    features_ = ToyFeatures()
    SIZES: ClassVar[Mapping[str, str]] = MappingProxyType({"theta_": "weights", "words_": "words"})
    rules: ClassVar[Table] = {
        "neighborhood": choice("trans1", "./mine.py"),
        "start": real(),
        "loud": FLAG,
        "tolerance": real(0),
        "max_iterations": integer(1),
        "other": integer().or_none(),
        "annealing": BETAS.or_none(),
    }

    def __init__(
        self,
        neighborhood: str = "trans1",
        start: float = 0.0,
        loud: bool = False,
        tolerance: float = 1e-6,
        max_iterations: int = 50,
        other: Any = None,
        annealing: Any = None,
    ) -> None:
        self.neighborhood, self.start, self.loud, self.other = neighborhood, start, loud, other
        self.tolerance, self.max_iterations, self.annealing = tolerance, max_iterations, annealing

    def fit(self, sentences: Any, monitor: Any = None) -> Toy:
        self._record_tokenization(checked_sentences(sentences))
        return self.train(Objective([pull], GaussianPrior(None)), monitor=monitor)

    def _special_start(self) -> Floats:
        return np.full(2, self.start)

    def _learned(self) -> State:
        return State("toy", {})

    def _restore(self, state: State, theta: Floats) -> None:
        self.theta_ = theta
