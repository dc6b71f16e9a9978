"""The log of a run of trials: JSON, a line each, on the disk before the next is reported.

The first line is a header: the format, its version, and what the run is about. A record is
``{"settings": {…}, "result": {…}, "seconds": s}``, or ``"error": message`` in the place of
the result. Of two records with the same settings the later holds. A last line without its
end, left by a process that was killed, is dropped when the run goes on.
Infinities and NaN are written as Python has them, numpy's values as Python's, and every float so
that it comes back to the bit.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np

from fstce.errors import ParameterError
from fstce.numeric.types import PathName

Settings = dict[str, Any]
Result = Mapping[str, Any]
Record = dict[str, Any]

_HEADER = {"format": "fstce trials", "format_version": 1}
_ANEW = "choose another folder, or remove this one to begin anew"


def dump(record: Mapping[str, Any]) -> bytes:
    """A record (text, numbers, booleans, None, lists, mappings) as one line.

    The line is UTF-8, with its end.
    """
    text = json.dumps(record, ensure_ascii=False, default=_plain)
    # A lone surrogate, as in the name of a file that is no UTF-8, becomes its JSON escape.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _plain(value: Any) -> Any:
    """What JSON lacks as what it has: numpy's arrays and numbers, mappings of other classes."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    return dict(value)


def key(settings: Any) -> str:
    """Canonical JSON, 1.0 and 1 one number: two trials are the same if their keys are."""
    values = json.loads(dump(settings), parse_float=_number)
    return json.dumps(values, sort_keys=True)


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value


class TrialLog(AbstractContextManager["TrialLog"]):
    """The last record of each trial by its `key`; in a file as well, if there is one.

    ``about``: what all trials depend on and no setting tells: the corpus, its digest, versions.
    """

    def __init__(
        self, path: PathName | None = None, about: Mapping[str, Any] | None = None
    ) -> None:
        self.records: dict[str, Record] = {}
        self._file: FileIO | None = None
        if path is None:
            return
        self._file = _locked(Path(path))
        try:
            for record in _resumed(self._file, Path(path), about or {}):
                self.records[key(record["settings"])] = record
        except BaseException:
            self._file.close()
            raise

    def __exit__(self, *_: object) -> None:
        """Close the file; the records stay."""
        if self._file is not None:
            self._file.close()

    def add(self, line: bytes) -> Record:
        """Take in a record that `dump` wrote; once this returns, it is on the disk."""
        if self._file is not None:
            _append(self._file, line)
        record: Record = json.loads(line)
        self.records[key(record["settings"])] = record
        return record


def _locked(path: Path) -> FileIO:
    """The file, open for reading and appending by this process alone."""
    try:
        file = FileIO(path, "a+")
    except OSError as error:
        raise ParameterError(
            f"{path}: cannot be written ({error.strerror}); choose another folder"
        ) from None

    try:
        # A POSIX lock, because it ends with this process: its workers do not inherit it.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some network file systems have no locks; there the run goes on without.
        if error.errno in (errno.EACCES, errno.EAGAIN):
            file.close()
            raise ParameterError(
                f"{path}: another run is writing this log; wait for its end or choose another "
                "folder"
            ) from None

    return file


def _resumed(file: FileIO, path: Path, about: Mapping[str, Any]) -> list[Record]:
    """The records that are there, without an unfinished last line.

    A header where there is nothing.
    """
    file.seek(0)
    content = file.readall()
    header = dump({**_HEADER, "about": about})
    if b"\n" not in content and header.startswith(content):
        file.truncate(0)
        _append(file, header)
        return []

    *lines, unfinished = content.split(b"\n")
    _check_header(lines[0] if lines else b"", path, about)
    records = [_parsed(line) for line in lines[1:]]
    for number, record in enumerate(records, 2):
        match record:
            case {"settings": dict(), "result": dict()} | {"settings": dict(), "error": str()}:
                pass
            case _:
                raise ParameterError(
                    f"{path}:{number}: damaged, this is no record of a trial; delete the line, or "
                    f"{_ANEW}"
                )

    file.truncate(len(content) - len(unfinished))
    return records


def _append(file: FileIO, line: bytes) -> None:
    try:
        while line:
            line = line[file.write(line) :]
        os.fsync(file.fileno())
    except OSError as error:
        raise ParameterError(
            f"{file.name}: cannot be written ({error.strerror}); what it holds is kept, so mend "
            "that and run again"
        ) from None


def _check_header(line: bytes, path: Path, about: Mapping[str, Any]) -> None:
    """Raise ParameterError unless this is the header of a log about the same."""
    match _parsed(line):
        case {"format": "fstce trials", "format_version": 1, "about": dict(before)}:
            pass
        case {"format": "fstce trials"}:
            raise ParameterError(
                f"{path}:1: not a log of trials of this fstce, so it is left as it is; {_ANEW}"
            )
        case _:
            raise ParameterError(
                f"{path}:1: not a log of trials, so it is left as it is; choose another folder"
            )

    changed = [
        name for name in {**before, **about} if key(before.get(name)) != key(about.get(name))
    ]
    if changed:
        logged, wanted = _shown(before, changed), _shown(about, changed)
        raise ParameterError(f"{path}: was begun with {logged}, this run has {wanted}; {_ANEW}")


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _shown(about: Mapping[str, Any], names: Iterable[str]) -> str:
    return ", ".join(f"{name} = {about.get(name)!r:.60}" for name in names)
