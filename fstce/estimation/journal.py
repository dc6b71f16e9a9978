"""Evaluations of an objective in files: a killed training goes on to the same bits.

L-BFGS and EM are deterministic: given the values and gradients that it was given before, an
optimizer asks for the same weights and stands where it stood. Each evaluation is a file, written
before the optimizer sees it; a training that finds the files takes from them what is known
already, and evaluates only what is not. A file is a digest of its number, of θ and of what follows:
the value, the gradient and the refreshments. One that was cut off does not have its digest.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fstce.errors import ParameterError, ShardError
from fstce.numeric.types import Floats, Ints, Term, ValueAndGradient
from fstce.storage.packed import digest_of_values

SEALED = 16  # bytes of a file's digest
LARGEST = 1 << 30  # bytes of all files; what comes later is evaluated again by who goes on


class Kept(NamedTuple):
    """An evaluation: the value, the gradient, and which sums refreshed their potential."""

    value: float
    gradient: Floats
    refreshed: Ints


class Journal:
    """The evaluations of one training.

    ``folder``: made with the first evaluation; of this training alone. ``terms``: those of the
    objective. Where one has a state that its bits depend on, it has ``refreshed``, an array of
    numbers that the last evaluation has changed, and ``refresh(numbers, theta)``.

    >>> import tempfile
    >>> def square(theta):
    ...     print("evaluated")
    ...     return float(theta @ theta), 2 * theta
    >>> folder = Path(tempfile.mkdtemp(), "journal")
    >>> Journal(folder, []).recall(square, np.array([3.0]))
    evaluated
    (9.0, array([6.]))
    >>> again = Journal(folder, [])  # the first evaluation is made again, as a check
    >>> again.recall(square, np.array([3.0]))
    evaluated
    (9.0, array([6.]))
    """

    def __init__(self, folder: Path, terms: Sequence[Any]) -> None:
        self.folder = folder
        self._terms = [term for term in terms if hasattr(term, "refresh")]
        self._number = 0
        self._size = 0
        self._since: list[tuple[Floats, Ints]] = []  # refreshments that were read and not yet made

    def recall(self, evaluate: Term, theta: Floats) -> ValueAndGradient:
        """The value and gradient at θ, from the files if they have it.

        Raises ParameterError where the first that is kept is of another training.
        """
        number, self._number = self._number, self._number + 1
        kept = self._read(number, theta)
        if kept is not None:
            if number:
                self._since.append((theta.copy(), kept.refreshed))
                return kept.value, kept.gradient

            value, gradient = evaluate(theta)
            if value == kept.value and np.array_equal(gradient, kept.gradient):
                return value, gradient

        if number == 0 and self._path(number).exists():
            raise ParameterError(
                "the training that was interrupted had another text or other options; give those, "
                "or begin anew"
            )

        self._forget(number)
        self._catch_up()
        for term in self._terms:
            term.refreshed = []  # this evaluation may be of some terms alone
        value, gradient = evaluate(theta)
        self._write(number, theta, Kept(value, gradient, self._refreshed()))
        return value, gradient

    def remove(self) -> None:
        """The training has ended; nothing is kept."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _catch_up(self) -> None:
        """Refresh the potentials that evaluations not made again would have refreshed."""
        last = {}
        for theta, refreshed in self._since:
            last.update({tuple(pair): theta for pair in refreshed.tolist()})
        for (term, number), theta in last.items():
            self._terms[term].refresh([number], theta)
        self._since = []

    def _refreshed(self) -> Ints:
        """Pairs of a term and a number, shape (refreshments, 2)."""
        pairs = [
            (i, int(number)) for i, term in enumerate(self._terms) for number in term.refreshed
        ]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.evaluation"

    def _read(self, number: int, theta: Floats) -> Kept | None:
        """The record of the evaluation of this number, if it is of θ and as it was written."""
        try:
            content = self._path(number).read_bytes()
        except OSError:
            return None

        seal, rows = content[:SEALED], content[SEALED:]
        if seal != _seal(number, theta, rows):
            return None
        self._size += len(content)
        numbers = np.frombuffer(rows, np.float64, 1 + len(theta))
        refreshed = np.frombuffer(rows, np.int64, offset=numbers.nbytes).reshape(-1, 2)
        return Kept(float(numbers[0]), numbers[1:].copy(), refreshed)

    def _write(self, number: int, theta: Floats, kept: Kept) -> None:
        value = np.array([kept.value], np.float64)
        rows = value.tobytes() + kept.gradient.tobytes() + kept.refreshed.tobytes()
        self._size += SEALED + len(rows)
        if self._size > LARGEST:
            return

        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            self._path(number).write_bytes(_seal(number, theta, rows) + rows)
        except OSError as error:
            # Else the same training has ended elsewhere, and its journal with it.
            if self.folder.is_dir():
                raise ShardError(
                    f"{self.folder}: cannot be written ({error.strerror}), and a training that is "
                    "ended could not go on; make room, or choose another folder"
                ) from None

    def _forget(self, number: int) -> None:
        """From here on the files are of another course."""
        while self._path(number).exists():
            self._path(number).unlink(missing_ok=True)
            number += 1


def _seal(number: int, theta: Floats, rows: bytes) -> bytes:
    """A digest of the number of an evaluation, of θ, and of what is kept of it."""
    return bytes.fromhex(digest_of_values(number, theta, np.frombuffer(rows, np.uint8)))
