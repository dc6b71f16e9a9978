"""Shards as files of packed arrays, which are mapped and not read."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fstce.storage.packed import open_packed, write_packed
from fstce.wfsa.batch import Batch, Shard


def write_shard(path: Path, shard: Shard) -> str:
    """Write a shard whole or not at all; the digest of its file."""
    arrays = {"counts": shard.counts}
    for name, value in vars(shard.batch).items():
        if isinstance(value, np.ndarray):
            arrays[name] = value
    return write_packed(path, arrays)


def open_shard(path: Path, digest: str) -> Shard:
    """The shard of a file, mapped."""
    arrays = open_packed(path, digest)
    counts = arrays.pop("counts")
    return Shard(Batch(**arrays), counts, path, digest)
