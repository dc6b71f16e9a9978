"""Products of estimators: several trainings vote by multiplying what they believe (Petrov 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from fstce.estimation.estimator import Estimator
from fstce.numeric.types import Floats
from fstce.storage.state import State

Self = TypeVar("Self", bound="Product")


class Product(Estimator):
    """An estimator made of others; `MEMBERS` is the parameter that holds them, `_MEMBER` their class."""

    MEMBERS: ClassVar[str]
    _MEMBER: ClassVar[type[Estimator]]

    def to_state(self) -> State:
        parts = {
            str(number): member._whole_state() for number, member in enumerate(self._parts(), 1)
        }
        parameters = {
            name: value for name, value in self.get_params().items() if name != self.MEMBERS
        }
        return State(self.KIND, {"parameters": parameters, "members": len(parts)}, parts=parts)

    @classmethod
    def from_state(cls: type[Self], state: State) -> Self:
        numbers = range(1, state.entry("members", int) + 1)
        parts = [state.part(str(number), cls._MEMBER.KIND) for number in numbers]
        members = {cls.MEMBERS: [cls._MEMBER._of_whole_state(part) for part in parts]}
        return cls.of_parameters(state.entries, **members)

    def _parts(self) -> Sequence[Any]:
        return getattr(self, self.MEMBERS)


def multiplied(tables: Sequence[Floats]) -> Floats:
    """Π of the members' probabilities, each row normalized; the mean where all are zero."""
    with np.errstate(divide="ignore"):
        logs = np.asarray(sum(np.log(table) for table in tables))
    best = logs.max(axis=1, keepdims=True)
    # Where every answer has probability zero for some member, the mean decides.
    weight = np.where(
        np.isfinite(best), np.exp(logs - np.where(np.isfinite(best), best, 0.0)), sum(tables)
    )
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
