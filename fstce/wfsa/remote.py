"""Sums over shards on other machines: pure functions of files that all of them see, through Dask.

A task is a few shards and the scores: a file next to the shards that is named by its content. It
answers with the value and the expected counts of the rows that a shard has; the client adds them
in the order of the shards. Nothing is pinned to a worker: what it keeps between tasks (mapped
files, potentials) it makes again where it lacks it, to the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from fstce.errors import ShardError
from fstce.estimation.resources import ArrayStore
from fstce.numeric.types import Floats
from fstce.storage.packed import check_packed, digest_of_values, open_packed, write_packed
from fstce.wfsa.batch import Shard
from fstce.wfsa.sumproduct import ShardAnswer, ShardSum

TASKS = 4  # for each thread of the workers
KEPT_SCORES = 4  # files of scores that are left, and those that potentials are of
PATIENCE = 6.0  # seconds for a task, and for the scheduler to say that it is there
OPEN = 4096  # shards that a worker keeps open


class SchedulerLostError(ShardError):
    """The scheduler of a training does not answer any more."""

    @classmethod
    def because(cls, reason: object) -> SchedulerLostError:
        """The error, with what to do."""
        return cls(
            f"the Dask cluster does not answer any more ({reason}); start a scheduler and workers, "
            "then repeat the command with --resume, which goes on"
        )


class Scores(NamedTuple):
    """A file of scores, by its digest."""

    digest: str
    path: Path

    def read(self) -> Floats:
        """The numbers."""
        return np.asarray(open_packed(self.path)["scores"])


class Part(NamedTuple):
    """A shard as a worker finds it.

    Its automata, their rows of the scores, its potential's scores.
    """

    path: Path
    digest: str
    rows: Path
    rows_digest: str
    reference: Scores | None


class KeptShard:
    """A shard that a worker keeps, and the digest of the scores that its potential is of."""

    def __init__(self, part: Part) -> None:
        self.lock: Any = Lock()
        self.begin(part)

    def begin(self, part: Part) -> None:
        """Map the shard, without a potential."""
        opened = Shard.open(part.path, part.digest)
        rows = open_packed(part.rows, part.rows_digest)
        self.sums: ShardSum = ShardSum(
            **rows, batch=opened.batch, coefficient=opened.counts, store=_store()
        )
        self.fresh_at: str | None = None


kept_shard: Any = lru_cache(OPEN)(KeptShard)


def shard_sums(parts: Sequence[Part], scores: Scores) -> list[ShardAnswer]:
    """The answers of these shards, each with the potential of its reference."""
    numbers = scores.read()
    answers = []
    for part in parts:
        shard = kept_shard(part._replace(reference=None))
        wanted = part.reference and part.reference.digest

        # What is mapped is read through again where it has changed
        check_packed(part.path, part.digest)
        check_packed(part.rows, part.rows_digest)

        with shard.lock:
            if part.reference is not None and shard.fresh_at != wanted:
                shard.sums.refresh(part.reference.read())
            elif part.reference is None and shard.fresh_at is not None:
                shard.begin(part)

            shard.fresh_at = "unknown"  # where the sum fails
            answer = shard.sums(numbers)
            shard.fresh_at = scores.digest if answer.refreshed else wanted
            answers.append(answer)
    return answers


def _store() -> ArrayStore:
    """Where a worker keeps what it makes."""
    from distributed import get_worker

    return ArrayStore(Path(get_worker().local_directory))


class RemoteSums:
    """The shards of a sum, added up by the workers of a client.

    ``files``: the file of each shard, and its digest.
    """

    def __init__(
        self, client: Any, shards: Sequence[ShardSum], files: Sequence[tuple[Path, str]]
    ) -> None:
        self._client = client
        # Its own, for it removes files that none of its shards needs: those of numerators and of
        # denominators lie side by side.
        self._folder = files[0][0].parent / "scores" / files[0][0].stem
        self._recent: list[Path] = []
        for folder in (self._folder, files[0][0].parent / "rows"):
            folder.mkdir(parents=True, exist_ok=True)
        self._parts = [_part(shard, *file) for shard, file in zip(shards, files, strict=True)]

    def __call__(self, scores: Floats) -> Iterator[ShardAnswer]:
        """The answers in the order of the shards."""
        threads = max(1, _threads(self._client))
        size = -(-len(self._parts) // (TASKS * threads))
        groups = [self._parts[i : i + size] for i in range(0, len(self._parts), size)]

        reference = self._reference(scores)
        submit = self._client.submit
        futures = [submit(shard_sums, group, reference, pure=False) for group in groups]

        several = map(partial(_result, self._client), futures, groups)
        try:
            for number, answer in enumerate(chain.from_iterable(several)):
                if answer.refreshed:
                    self._parts[number] = self._parts[number]._replace(reference=reference)
                yield answer
        except SchedulerLostError:
            raise  # nobody is there who could cancel
        except BaseException:
            self._client.cancel([future for future in futures if not future.done()], force=True)
            raise

    def refresh(self, number: int, scores: Floats) -> None:
        """Refresh the potential of a shard by these scores."""
        self._parts[number] = self._parts[number]._replace(reference=self._reference(scores))

    def _reference(self, scores: Floats) -> Scores:
        """A file of the scores next to the shards."""
        digest = digest_of_values(scores)
        path = self._folder / f"{digest}.npy"
        if not path.exists():
            write_packed(path, {"scores": scores})
        self._recent = [*self._recent[-KEPT_SCORES:], path]
        used = {part.reference.path for part in self._parts if part.reference} | set(self._recent)
        for old in self._folder.glob("*.npy"):
            if old not in used:
                old.unlink(missing_ok=True)
        return Scores(digest, path)


def _part(shard: ShardSum, path: Path, digest: str) -> Part:
    """Write which scores a shard depends on next to it."""
    rows = {"rows": shard.rows, "pairs": shard.pairs}
    place = path.parent / "rows" / path.name
    return Part(path, digest, place, write_packed(place, rows), None)


def _threads(client: Any) -> int:
    """The threads of all workers; raises SchedulerLostError where the scheduler does not say."""
    try:
        counts = client.sync(client.scheduler.ncores, callback_timeout=PATIENCE)
    except Exception as error:  # of the network, whatever it is
        raise SchedulerLostError.because(error) from None
    return sum(counts.values())


def _result(client: Any, future: Any, group: Sequence[Part]) -> list[ShardAnswer]:
    """The answers of a task."""
    import asyncio  # takes a while, and is loaded with a client

    from distributed import KilledWorker

    idle = False  # whether nobody was there when it was last asked
    while True:
        try:
            return list(future.result(timeout=PATIENCE))
        except KilledWorker as error:
            raise ShardError(
                f"{group[0].path} to {group[-1].path.name}: workers die of these shards, probably "
                "for want "
                f"of memory ({error.last_worker.address}); give them more, or fewer threads"
            ) from None
        except CancelledError:
            raise SchedulerLostError.because("the connection is lost") from None
        except (TimeoutError, asyncio.TimeoutError):
            # Raises where no scheduler is there any more; else the task takes long.
            was_idle, idle = idle, not _threads(client)
            if was_idle and idle:
                raise SchedulerLostError.because("it has no workers") from None
