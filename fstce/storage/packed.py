"""Several arrays in one uncompressed ``.npy`` file, mapped into memory and not read.

The file is an array of bytes: the length of a header, the header (JSON: the type, the shape and
the place of each array), and the arrays, each at a multiple of 64 bytes. What is mapped is read
from the disk when it is touched, and counts for no process's own memory.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ShardError
from fstce.storage.atomic import hashed, replacing

ALIGNED = 64
_LENGTH = np.dtype("<u8")
_AGAIN = "build the shards again (fstce shard)"
Named = dict[str, NDArray[Any]]
_verified: dict[Path, tuple[str, tuple[int, int, int]]] = {}


def write_packed(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write arrays whole or not at all; returns the digest of the file, for :func:`open_packed`."""
    rows = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    content = _laid_out(rows)
    with replacing(path, ShardError) as temporary:
        np.save(temporary, content, allow_pickle=False)
        digest = digest_of(temporary)
    _verified[path.absolute()] = digest, _signature(path)
    return digest


def open_packed(path: Path, digest: str | None = None, build: Callable[[Named], Any] = dict) -> Any:
    """The value built of a file's mapped arrays.

    A ValueError of `build` says that it is damaged.
    """
    with _named(path):
        if digest is not None:
            _verify(path, digest)
        return build(_taken_apart(np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))))


def check_packed(path: Path, digest: str) -> None:
    """Raise ShardError unless a file holds what it must; it is read again only where it has
    changed.
    """
    with _named(path):
        _verify(path, digest)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Raise what goes wrong with a file as a ShardError."""
    try:
        yield
    except FileNotFoundError:
        raise ShardError(f"{path}: the shard is missing; {_AGAIN}") from None
    except (OSError, ValueError, LookupError, TypeError, EOFError, RecursionError) as error:
        raise ShardError(f"{path}: the shard is damaged ({error}); {_AGAIN}") from None


def digest_of_values(*parts: Any) -> str:
    """The digest of arrays and of what else is said by its text, by the same function."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = (
            part.tobytes()
            if isinstance(part, np.ndarray)
            else str(part).encode("utf-8", "surrogatepass")
        )
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def digest_of(path: Path) -> str:
    """The digest of what a file holds: BLAKE2b, 16 bytes, in hexadecimal digits."""
    return hashed(path, hashlib.blake2b(digest_size=16))


def _verify(path: Path, digest: str) -> None:
    place = path.absolute()
    now = _signature(path)
    if _verified.get(place) != (digest, now):
        if digest_of(path) != digest:
            raise ValueError("it is not what the manifest says")
        _verified[place] = digest, now


def _signature(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ino


def _laid_out(rows: Named) -> NDArray[np.uint8]:
    """The bytes of the file behind numpy's header."""
    sizes = [-(-row.nbytes // ALIGNED) * ALIGNED for row in rows.values()]
    offsets = dict(zip(rows, accumulate(sizes, initial=0), strict=False))
    places = {name: [row.dtype.str, list(row.shape), offsets[name]] for name, row in rows.items()}
    head = json.dumps(places).encode()
    start = -(-(_LENGTH.itemsize + len(head)) // ALIGNED) * ALIGNED
    content = np.zeros(start + sum(sizes), dtype=np.uint8)
    content[: _LENGTH.itemsize].view(_LENGTH)[0] = len(head)
    content[_LENGTH.itemsize : _LENGTH.itemsize + len(head)] = np.frombuffer(head, np.uint8)
    for name, row in rows.items():
        begin = start + offsets[name]
        content[begin : begin + row.nbytes] = row.reshape(-1).view(np.uint8)
    return content


def _taken_apart(content: NDArray[np.uint8]) -> Named:
    length = int(content[: _LENGTH.itemsize].view(_LENGTH)[0])
    head = json.loads(content[_LENGTH.itemsize : _LENGTH.itemsize + length].tobytes())
    start = -(-(_LENGTH.itemsize + length) // ALIGNED) * ALIGNED
    arrays = {}
    for name, (dtype, shape, offset) in head.items():
        size = math.prod(shape) * np.dtype(dtype).itemsize
        part = content[start + offset : start + offset + size]
        if len(part) != size:
            raise ValueError(f"{name} is cut off")
        arrays[name] = part.view(dtype).reshape(shape)
    return arrays
