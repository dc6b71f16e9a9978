"""A folder of shards: one ``.npy`` file each, and ``manifest.json`` with them.

The manifest says by digests what the shards were made of and what they are; it has a digest of its
own. A shard is written whole and has a note of its digest until all are there: where building was
ended, it goes on with those that are missing or not what their note says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ShardError
from fstce.storage.atomic import read_bytes, write_whole
from fstce.storage.folder import own_digest
from fstce.storage.packed import open_packed, write_packed
from fstce.version import __version__
from fstce.wfsa.batch import Batch, Shard

KIND, FORMAT = "fstce shards", 2
MANIFEST = "manifest.json"
_ANOTHER = {
    "corpus": "another corpus",
    "dictionary": "another dictionary or tagset",
    "neighborhood": "another neighborhood",
    "order": "another order",
    "cut": "another version of fstce",
}


def open_shard(path: Path, digest: str) -> Shard:
    """The shard of a file, mapped."""
    arrays = open_packed(path, digest)
    counts = arrays.pop("counts")
    return Shard(Batch(**arrays), counts, path, digest)


class ShardFolder:
    """The shards of a part of a corpus's criterion in files.

    ``made_of``: the digests of all that they depend on.
    """

    def __init__(self, folder: Path, made_of: Mapping[str, str], sides: Sequence[str]) -> None:
        self.folder = folder
        self._made_of = dict(made_of)
        self._sides = sides

    def finished(self, n_shards: int) -> list[dict[str, Shard]]:
        """The shards that the manifest lists, by side; none where they are not finished.

        Raises ShardError where what is there is of something else, damaged or altered.
        """
        path = self.folder / MANIFEST
        manifest = _read(path)
        if manifest is None:
            return []
        with _damaged(path):
            self._check_same(manifest)
            if "shards" not in manifest:  # it was begun
                return []

            rows = manifest["shards"]
            files = [{side: row[side]["file"] for side in row} for row in rows]
            if files != [self._files(number) for number in range(n_shards)]:
                raise ValueError("it does not list the files of this corpus, each once")
            return [self.open(row) for row in rows]

    def begin(self) -> None:
        """Say what is being built."""
        _write(self.folder / MANIFEST, {"made_of": self._made_of})

    def build(self, build: Callable[[int], Mapping[str, Shard]], number: int) -> dict[str, Any]:
        """Write a shard, unless it is there as its note says; what the manifest says of it."""
        note = self._note(number)
        with suppress(ShardError, LookupError, TypeError, AttributeError):
            rows = dict((_read(note) or {})["shards"])
            are_its_own = all(row["file"] == _file(number, side) for side, row in rows.items())
            if are_its_own and self.open(rows):
                return rows

        rows = {}
        for side, shard in build(number).items():
            file = _file(number, side)
            arrays = {"counts": shard.counts}
            for name, value in vars(shard.batch).items():
                if isinstance(value, np.ndarray):
                    arrays[name] = value
            digest = write_packed(self.folder / file, arrays)
            rows[side] = {"file": file, "digest": digest}
        _write(note, {"shards": rows})
        return rows

    def finish(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write the manifest, then remove the notes of the single shards."""
        _write(self.folder / MANIFEST, {"made_of": self._made_of, "shards": rows})
        for number in range(len(rows)):
            self._note(number).unlink(missing_ok=True)

    def open(self, row: Mapping[str, Any]) -> dict[str, Shard]:
        """The shards of a row by side, mapped."""
        return {
            side: open_shard(self.folder / listed["file"], listed["digest"])
            for side, listed in row.items()
        }

    def _files(self, number: int) -> dict[str, str]:
        """The names of a shard's files, by side."""
        return {side: _file(number, side) for side in self._sides}

    def _note(self, number: int) -> Path:
        return self.folder / f"{number:06d}-built.json"

    def _check_same(self, content: Mapping[str, Any]) -> None:
        """Raise ShardError unless the shards in the folder were made of this corpus."""
        made_of = content["made_of"]
        differing = [name for name in _ANOTHER if made_of.get(name) != self._made_of.get(name)]
        if differing:
            # Another corpus is cut otherwise by any version.
            named = [_ANOTHER[name] for name in differing if name != "cut"] or [_ANOTHER["cut"]]
            raise ShardError(
                f"{self.folder}: these are the shards of {' and '.join(named)}; "
                "name another folder or remove it"
            )


def _file(number: int, side: str) -> str:
    """The name of a shard's file."""
    return f"{number:06d}-{side}.npy"


def _write(path: Path, entries: Mapping[str, Any]) -> None:
    """Write JSON that says what it is and has a digest of its own."""
    head = {"kind": KIND, "format": FORMAT, "fstce": __version__, "numpy": np.__version__}
    content = {**head, **entries}
    content["digest"] = own_digest(content)
    write_whole(path, json.dumps(content, ensure_ascii=False, indent=1), ShardError)


def _read(path: Path) -> dict[str, Any] | None:
    """The JSON that :func:`_write` wrote, or None. Raises ShardError where it has changed."""
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
    """Raise errors about the content of a file as ShardError."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, ShardError):
            raise
        raise ShardError(f"{path}: damaged ({error}); remove the folder") from None
