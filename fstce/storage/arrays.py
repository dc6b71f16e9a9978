"""Arrays in ``.npz`` files, whose headers are checked before any memory is taken.

An ``.npz`` is a zip archive of one ``.npy`` file an array: a header (dtype, shape) and its bytes.
What a header promises, what the archive's directory promises and how many bytes there are must
agree, so that a small file cannot ask for more memory than it has content for.
"""

from __future__ import annotations

import math
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fstce.errors import ModelFileError
from fstce.processes.memory import memory
from fstce.storage.folder import check_regular

Arrays = Mapping[str, NDArray[Any]]

_AGAIN = "copy the model or save it again"
_SUFFIX = ".npy"
_INFLATED = 1032  # bytes that deflate makes of one, at most
UNREADABLE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, EOFError),
    *(zipfile.BadZipFile, zlib.error),
    *(SyntaxError, tokenize.TokenError),  # of a header, which is a text of Python's
)

HEAVIEST = 1e9  # of a weight, in nats: sums over a text of greater ones leave what floats can say


class Header(NamedTuple):
    """The header of an array: its type as numpy spells it (``"<f8"``), and its shape."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """How many bytes the array takes."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize

    def __str__(self) -> str:
        return f"{np.dtype(self.dtype).name} of shape {self.shape}"


def write_arrays(path: Path, arrays: Arrays, *, compress: bool = False) -> None:
    """Write arrays as ``numpy.savez`` does.

    Equal arrays are equal files, whatever the time of day.
    """
    try:
        # Opened once: a second opening may fail, and ZipFile's mode "a" then begins a new archive.
        with zipfile.ZipFile(
            path, "w", zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
        ) as archive:
            for name, array in arrays.items():
                with archive.open(f"{name}{_SUFFIX}", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)
    except ValueError as error:
        # Ctrl-C right behind open() leaves a member open, of which the archive complains in its
        # place.
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None

        raise


class Archive(Mapping[str, NDArray[Any]]):
    """The arrays of an ``.npz``, read when one is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def headers(self) -> dict[str, Header]:
        """The headers of the arrays, by name; none of them is read for that."""
        try:
            check_regular(self.path)
            headers = _headers(self.path)
        except UNREADABLE as error:
            raise self._error(f"damaged, or not written by fstce ({error})") from None
        needed = sum(header.nbytes for header in headers.values())
        if needed > memory():
            raise self._too_large(max(headers, key=lambda name: headers[name].nbytes), needed)
        return headers

    def array(
        self, name: str, dtype: DTypeLike, shape: tuple[int | None, ...] | None = None
    ) -> NDArray[Any]:
        """An array of this type and shape, None for any length; checked before it is read."""
        header = self._header(name)
        wanted = np.dtype(dtype)
        fits = shape is None or (
            len(shape) == len(header.shape)
            and all(n in (None, m) for n, m in zip(shape, header.shape, strict=True))
        )
        if np.dtype(header.dtype) != wanted or not fits:
            lengths = "" if shape is None else f" of shape {shape}".replace("None", "any")
            raise self._error(f"{name} is {header}, not {wanted.name}{lengths}")
        return self[name]

    def weights(self, name: str) -> NDArray[np.float64]:
        """Weights, of any number; −∞ is one, NaN and what no sum holds is none."""
        values = self.array(name, np.float64, (None,))
        finite = values[~np.isneginf(values)]
        if not np.all(np.abs(finite) < HEAVIEST):  # nor is NaN less
            raise self._error(f"{name} has a value that is no weight")
        return values

    def __getitem__(self, name: str) -> NDArray[Any]:
        self._header(name)
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.headers)

    def __len__(self) -> int:
        return len(self.headers)

    @cached_property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays: to open the archive for each takes longer than to read a small one."""
        name = ""
        try:
            with np.load(self.path, allow_pickle=False) as archive:
                arrays = {}
                for name in self.headers:  # which an error names
                    arrays[name] = archive[name]
        except MemoryError:
            raise self._too_large(name, self.headers[name].nbytes) from None
        except UNREADABLE as error:
            raise self._error(f"{name} cannot be read ({error})") from None
        return arrays

    def _header(self, name: str) -> Header:
        try:
            return self.headers[name]
        except KeyError:
            raise self._error(f"lacks the array {name!r}") from None

    def _too_large(self, name: str, needed: int) -> ModelFileError:
        return ModelFileError(
            f"{self.path}: {name} takes {needed / 1e9:,.1f} GB of memory, which is not there; "
            "use a machine with more, or a smaller model"
        )

    def _error(self, reason: str) -> ModelFileError:
        return ModelFileError(f"{self.path}: {reason}; {_AGAIN}")


def _headers(path: Path) -> dict[str, Header]:
    """The headers of all arrays; raises ValueError where one fits not the bytes that it is for."""
    size = path.stat().st_size
    headers = {}

    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        # Members that share bytes would count them twice.
        if sum(info.compress_size for info in members) > size or len(
            {m.filename for m in members}
        ) < len(members):
            raise ValueError("its members overlap")

        for info in members:
            name = info.filename.removesuffix(_SUFFIX)
            most = info.compress_size
            if info.compress_type == zipfile.ZIP_DEFLATED:
                most *= _INFLATED
            if info.file_size > most:
                raise ValueError(
                    f"{name} says that it has {info.file_size:,} bytes, in a file of {size:,}"
                )

            with archive.open(info) as member:
                header = read_header(member, name)
                length = info.file_size - member.tell()

            if header.nbytes != length:
                raise ValueError(
                    f"{name} says {header}, {header.nbytes:,} bytes, but has {length:,}"
                )

            headers[name] = header

    return headers


def read_header(file: IO[bytes], name: str) -> Header:
    """The header of an array at this place of a file; raises ValueError if it is none of ours."""
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_2_0
    if version == (1, 0):
        read = np.lib.format.read_array_header_1_0

    shape, _, dtype = read(file)
    if dtype.kind not in "biuf":
        raise ValueError(f"{name} holds {dtype}, and fstce reads plain arrays only")
    if any(length < 0 for length in shape):
        raise ValueError(f"{name} says that its shape is {shape}")
    return Header(dtype.str, tuple(map(int, shape)))
