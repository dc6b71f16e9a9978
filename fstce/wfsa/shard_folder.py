"""A folder of shards: one ``.npy`` file each, and ``manifest.json`` with them.

The manifest says what the shards were made of, by digests, and what they hold; it has a digest of its own.
A shard is written whole; where building was ended, it goes on with those that are missing. No loop goes
through the arrays of a file that has not proved to be automata.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ShardError
from fstce.numeric.types import Floats
from fstce.storage.atomic import read_bytes, write_whole
from fstce.storage.folder import own_digest
from fstce.storage.packed import Named, open_packed, write_packed
from fstce.version import __version__
from fstce.wfsa.batch import Batch, Shard

KIND, FORMAT = "fstce shards", 2
MANIFEST, PLAN = "manifest.json", "plan.json"
_ANOTHER = {
    "corpus": "another corpus",
    "dictionary": "another dictionary or tagset",
    "neighborhood": "another neighborhood",
    "order": "another order",
    "cut": "another version of fstce",
}


def open_shard(path: Path, digest: str) -> Shard:
    """The shard of a file, mapped."""

    def checked(arrays: Named) -> Shard:
        counts = arrays.pop("counts")
        batch = Batch(**arrays)
        batch.check()
        if counts.shape != batch.start.shape or counts.dtype != np.float64:
            raise ValueError("it does not count each automaton")
        return Shard.of(batch, counts, path, digest)

    return open_packed(path, digest, checked)


class ShardFolder:
    """The shards of a part of a corpus's criterion in files.

    ``made_of``: the digests of all that they depend on; empty for a folder of this process alone.
    """

    def __init__(self, folder: Path, made_of: Mapping[str, str]) -> None:
        self.folder, self._made_of = folder, dict(made_of)

    def finished(
        self, sides: Sequence[str], counts: Sequence[Floats], largest: int
    ) -> list[dict[str, Shard]]:
        """The shards that the manifest lists, by side; none where they are not finished.

        ``counts``: how often each automaton of each shard must occur. ``largest``: the greatest code of a tag
        n-gram. Raises ShardError where what is there is of something else, damaged or altered.
        """
        path = self.folder / MANIFEST
        manifest = _read(path)
        unfinished = _read(self.folder / PLAN) if manifest is None else None
        with _damaged(path if unfinished is None else self.folder / PLAN):
            self._check_same(manifest or unfinished or {"made_of": self._made_of})
            if manifest is None:
                return []
            rows = manifest["shards"]
            files = [{side: row[side]["file"] for side in row} for row in rows]
            if files != [{side: _file(i, side) for side in sides} for i in range(len(counts))]:
                raise ValueError("it does not list the files of this corpus, each once")
            opened = [self.open(row) for row in rows]
            for shards, expected in zip(opened, counts, strict=True):
                for shard in shards.values():
                    if not np.array_equal(shard.counts, expected) or shard.ngrams[-1] > largest:
                        raise ValueError(f"{shard.path} is not of this corpus")
        return opened

    def begin(self) -> None:
        """Say what is being built."""
        _write(self.folder / PLAN, {"made_of": self._made_of})

    def build(self, number: int, build: Callable[[], Mapping[str, Shard]]) -> dict[str, Any]:
        """Write a shard, unless it is there; what the manifest says of it."""
        note = self.folder / f"{number:06d}.json"
        with suppress(ShardError, LookupError, TypeError, AttributeError):
            rows = dict((_read(note) or {})["shards"])
            if all(row["file"] == _file(number, side) for side, row in rows.items()) and self.open(rows):
                return rows
        rows = {}
        for side, shard in build().items():
            batch, name = shard.batch, _file(number, side)
            arrays = {key: value for key, value in vars(batch).items() if isinstance(value, np.ndarray)}
            digest = write_packed(self.folder / name, {**arrays, "counts": shard.counts})
            sizes = {"machines": batch.n_machines, "states": batch.n_states, "arcs": batch.n_arcs}
            rows[side] = {"file": name, "digest": digest, **sizes, "sentences": float(shard.counts.sum())}
        _write(note, {"shards": rows})
        return rows

    def finish(self, rows: Sequence[Mapping[str, Any]], entries: Mapping[str, Any]) -> None:
        """Write the manifest, then remove the notes of the single shards."""
        sizes = {
            name: sum(side[name] for row in rows for side in row.values())
            for name in ("machines", "states", "arcs")
        }
        _write(self.folder / MANIFEST, {"made_of": self._made_of, **entries, **sizes, "shards": rows})
        for number in range(len(rows)):
            (self.folder / f"{number:06d}.json").unlink(missing_ok=True)
        (self.folder / PLAN).unlink(missing_ok=True)

    def open(self, row: Mapping[str, Any]) -> dict[str, Shard]:
        """The shards of a row by side, mapped."""
        return {side: open_shard(self.folder / one["file"], one["digest"]) for side, one in row.items()}

    def _check_same(self, content: Mapping[str, Any]) -> None:
        """Raise ShardError unless what is there was made of the same."""
        differing = [name for name in _ANOTHER if content["made_of"].get(name) != self._made_of.get(name)]
        if differing:
            # Another corpus is cut otherwise by any version.
            named = [_ANOTHER[name] for name in differing if name != "cut"] or [_ANOTHER["cut"]]
            raise ShardError(
                f"{self.folder}: these are the shards of {' and '.join(named)}; "
                "name another folder or remove it"
            )


def _file(number: int, side: str) -> str:
    return f"{number:06d}-{side}.npy"


def _write(path: Path, entries: Mapping[str, Any]) -> None:
    """Write JSON that says what it is and has a digest of its own."""
    head = {"kind": KIND, "format": FORMAT, "fstce": __version__, "numpy": np.__version__}
    content = {**head, **entries}
    content["digest"] = own_digest(content)
    write_whole(path, json.dumps(content, ensure_ascii=False, indent=1), ShardError)


def _read(path: Path) -> dict[str, Any] | None:
    """What :func:`_write` wrote; None where there is nothing. Raises ShardError where it has changed."""
    if not path.exists():
        return None
    with _damaged(path):
        content: dict[str, Any] = json.loads(read_bytes(path, ShardError))
        if content["kind"] != KIND or content["format"] != FORMAT:
            raise ValueError(f"of format {content['format']!r}; this is fstce {__version__}")
        if content["digest"] != own_digest(content):
            raise ValueError("changed since it was written")
    return content


@contextmanager
def _damaged(path: Path) -> Iterator[None]:
    """What does not fit in a file, as a ShardError."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, ShardError):
            raise
        raise ShardError(f"{path}: damaged ({error}); remove the folder") from None
