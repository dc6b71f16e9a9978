"""What a training may use: threads, memory, disk, other machines. The result stays the same."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ParameterError
from fstce.numeric.types import PathName
from fstce.parameters.rules import mapping
from fstce.parameters.tables import check_arguments
from fstce.processes.memory import memory, own_memory
from fstce.storage.scratch import mapped

BYTES_AN_ARC = 40  # of packed automata with what is kept between two evaluations, measured
SHARE = 0.5  # of the memory that is free, without a budget
# Bytes that building and summing take besides, wherever automata lie, measured
WORKING = 100_000_000


@dataclass(frozen=True)
class Forecast:
    """An estimate of building: sentences, arcs, bytes, seconds of one core; where it lies.

    So small a text that nothing is measured has 0 arcs; `least`: the bytes that the process will
    take though none of it is in memory, where that is beyond the budget, else 0.
    """

    sentences: int
    arcs: float
    nbytes: float
    seconds: float
    on_disk: bool
    least: float = 0.0


class Building(Protocol):
    """Who wants to hear of the building."""

    def planned(self, forecast: Forecast) -> None:
        """Called before a part of the evidence is built."""

    def built(self, sentences: int, words: int) -> None:
        """Called whenever a shard is there."""


def to_bytes(size: int | str | None) -> int | None:
    """A size in bytes, given as a number or as in ``500M``, ``2G``.

    >>> to_bytes("1.5G"), to_bytes(1000)
    (1500000000, 1000)
    """
    if not isinstance(size, str):
        return size
    match = re.fullmatch(r"([\d.]+)\s*([KMGT]?)B?", size.strip().upper())
    number, unit = match.groups()  # type: ignore[union-attr]
    return int(float(number) * 1000 ** "_KMGT".index(unit or "_"))


@dataclass(frozen=True)
class Resources:
    """Threads, memory and disk for one objective.

    ``jobs``: processes that build, and threads that add up; −1 for as many as there are cores.
    ``shards``: a folder in which the shards lie, for other machines to read. ``memory``: bytes
    that the process may take; automata for which there is no room lie in files that are mapped. By
    default they may take half of the memory that is free. ``building``: hears what is to be built,
    and of each shard that is.
    """

    jobs: int | None = None
    shards: PathName | None = None
    memory: int | None = None
    client: Any = None
    building: Building | None = None

    @classmethod
    def of(cls, given: Resources | Mapping[str, Any] | None, jobs: int | None = None) -> Resources:
        """The resources that a caller gives, with these jobs where it names none.

        Raises ParameterError where it is none.

        >>> Resources.of({"memory": "2G"}).memory
        2000000000
        """
        if isinstance(given, Resources):
            means = given if given.jobs is not None else replace(given, jobs=jobs)
        else:
            GIVEN.check(resources=given)
            named = {"jobs": jobs, **(given or {})}
            check_arguments(**named)
            means = cls(**{**named, "memory": to_bytes(named.get("memory"))})
        if means.client is not None and means.shards is None:
            raise ParameterError(
                "workers read shards from a folder that all of them see: give shards="
            )
        return means

    @property
    def room(self) -> float:
        """The bytes that automata may take in memory, besides what the process has already."""
        return float(
            SHARE * memory()
            if self.memory is None
            else max(0, self.memory - own_memory() - WORKING)
        )

    @property
    def least(self) -> float:
        """The bytes that the process takes with all automata on disk, where over the budget."""
        if self.memory is None:
            return 0.0
        needed = own_memory() + WORKING
        return float(needed) if needed > self.memory else 0.0

    def fits(self, nbytes: float) -> bool:
        """Whether so much may stay in memory."""
        return self.shards is None and self.client is None and not nbytes > self.room

    @property
    def place(self) -> Path:
        """The folder for temporary files."""
        return Path(tempfile.gettempdir())


@dataclass(frozen=True)
class ArrayStore:
    """Arrays in memory, or in files without a name in a folder."""

    folder: Path | None = None

    def allocate(self, length: int, dtype: Any) -> NDArray[Any]:
        """A new array."""
        return (
            np.empty(length, dtype) if self.folder is None else mapped(self.folder, length, dtype)
        )

    def keep(self, array: NDArray[Any]) -> NDArray[Any]:
        """The array, where arrays lie."""
        if self.folder is None:
            return array
        kept = self.allocate(len(array), array.dtype)
        kept[:] = array
        return kept


GIVEN = mapping(None, *(field.name for field in fields(Resources))).or_none()
IN_MEMORY = Resources()
STORED_IN_MEMORY = ArrayStore()
