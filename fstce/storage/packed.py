"""Several arrays in one uncompressed file, mapped into memory and not read.

The file is ``.npy`` after ``.npy``, each at a multiple of 64 bytes: the names of the arrays, then
the arrays. What is mapped is read from the disk when it is touched, and counts for no process's own
memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ShardError
from fstce.storage.arrays import read_header
from fstce.storage.atomic import hashed, replacing

ALIGNED = 64
_AGAIN = "build the shards again"
Named = dict[str, NDArray[Any]]
_verified: dict[Path, tuple[str, tuple[int, int, int]]] = {}


def write_packed(path: Path, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write arrays whole or not at all; returns the digest of the file, for :func:`open_packed`."""
    rows = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    with replacing(path, ShardError) as temporary:
        with temporary.open("wb") as file:
            names = np.frombuffer("\n".join(rows).encode(), np.uint8)
            for array in (names, *rows.values()):
                np.lib.format.write_array(file, array, allow_pickle=False)
                file.write(bytes(-file.tell() % ALIGNED))

        digest = digest_of(temporary)
    _verified[path.absolute()] = digest, _signature(path)
    return digest


def open_packed(path: Path, digest: str | None = None) -> Named:
    """The mapped arrays of a file."""
    with _named(path):
        if digest is not None:
            _verify(path, digest)
        return _mapped(path)


def check_packed(path: Path, digest: str) -> None:
    """Raise ShardError unless a file holds what it must; read again only when it changes."""
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
            raise ValueError("it has changed")
        _verified[place] = digest, now


def _signature(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ino


def _mapped(path: Path) -> Named:
    content = np.asarray(np.memmap(path, np.uint8, "r"))
    arrays = []
    with path.open("rb") as file:
        while file.tell() < len(content):
            header = read_header(file, path.name)
            begin = file.tell()
            end = begin + header.nbytes
            arrays.append(content[begin:end].view(header.dtype).reshape(header.shape))
            file.seek(end - end % -ALIGNED)

    names, *rows = arrays
    return dict(zip(names.tobytes().decode().splitlines(), rows, strict=True))
