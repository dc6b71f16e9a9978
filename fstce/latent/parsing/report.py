"""How sentences fared in a call of the parser, and the warning when they had no parse of their own."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field


class ParseWarning(UserWarning):
    """A sentence that did not get a parse of its own."""


@dataclass(slots=True)
class ParseReport:
    """How sentences fared, each list holding their numbers, from 1 in the order of the call.

    ``retried``: no parse under pruning; parsed with less or none. ``coarse``: no parse by the split grammars;
    given the unsplit grammar's. ``flat``: no parse at all; given a flat tree of likely tags. ``cut``: longer
    than the limit; parsed in pieces.
    """

    sentences: int = 0
    retried: list[int] = field(default_factory=list)
    coarse: list[int] = field(default_factory=list)
    flat: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)

    def warn(self) -> None:
        """Say which sentences got no parse of their own."""
        for numbers, what in (
            (self.flat, "no parse; given a flat tree of likely tags"),
            (self.cut, "longer than max_length; parsed in pieces"),
        ):
            if numbers:
                named = ", ".join(map(str, numbers[:5])) + (", …" if len(numbers) > 5 else "")
                warnings.warn(f"{len(numbers)} sentence(s) ({named}): {what}", ParseWarning, stacklevel=4)
