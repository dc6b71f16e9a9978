"""What a model is made of, apart from the class that computes with it: one way to save and load.

An estimator gives its :class:`State` and is built from one. On disk a state is a folder:

==========  ===========================================================================
``kind``    and ``entries`` are the manifest ``model.json``: parameters, tags, numbers
``arrays``  are ``.npz`` files of plain arrays: weights
``files``   are whatever else the kind of model writes: symbols, machines, text to read
``parts``   are models within the model, their files after a prefix: ``grammar-…``
==========  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from fstce.errors import ModelFileError
from fstce.numeric.types import PathName
from fstce.storage.arrays import UNREADABLE, Archive, Arrays, write_arrays
from fstce.storage.folder import MANIFEST, model_folder, read_manifest, save_folder, write_manifest

Writer = Callable[[Path], None]
Model = TypeVar("Model")

_HEAD = ("format", "format_version", "kind", "fstce_version", "files", "digest")
_TRIES = 5
_CONTRADICTIONS = (ArithmeticError, *UNREADABLE)  # between the parts of a model


@dataclass(frozen=True)
class State:
    """All of a model that is saved.

    ``arrays``: the arrays of each ``.npz``, by the name of the file. ``files``: by the name of each
    further file, what writes it to a path; of a saved model, its path. ``compress``: whether arrays
    are compressed on disk.
    """

    kind: str
    entries: Mapping[str, Any]
    arrays: Mapping[str, Arrays] = field(default_factory=dict)
    files: Mapping[str, Writer | Path] = field(default_factory=dict)
    parts: Mapping[str, State] = field(default_factory=dict)
    compress: bool = False
    place: Path | None = None

    @classmethod
    def of_members(
        cls, kind: str, parameters: Mapping[str, Any], members: Iterable[State]
    ) -> State:
        """A model that is made of others, its parts by their numbers from 1 on."""
        parts = {str(number): member for number, member in enumerate(members, 1)}
        return cls(kind, {"parameters": parameters, "members": len(parts)}, parts=parts)

    def members(self, kind: str) -> list[State]:
        """The parts of :meth:`of_members`, in order; raises ModelFileError as :meth:`part` does."""
        numbers = range(1, self.entry("members", int) + 1)
        return [self.part(str(number), kind) for number in numbers]

    def entry(self, name: str, *kinds: type) -> Any:
        """An entry, of one of these types if any are given."""
        return typed(self.entries[name], name, *kinds)

    def texts(self, name: str) -> tuple[str, ...]:
        """An entry that is a list of strings; raises LookupError or TypeError."""
        return tuple(typed(value, name, str) for value in self.entry(name, list))

    def path(self, name: str) -> Path:
        """Where a saved model's file is; raises ModelFileError unless the manifest lists it."""
        file = self.files.get(name)
        if not isinstance(file, Path):
            raise self._not_listed(name)
        return file

    def archive(self, name: str) -> Archive:
        """The arrays of a model's file; raises ModelFileError unless the manifest lists it."""
        archive_file = self.arrays.get(name)
        if not isinstance(archive_file, Archive):
            raise self._not_listed(name)
        return archive_file

    def part(self, name: str, kind: str) -> State:
        """A model within the model; raises ModelFileError where there is none of the kind."""
        part = self.parts.get(name)
        if part is None:
            raise self._not_listed(f"{name}-{MANIFEST}")
        if part.kind != kind:
            raise ModelFileError(
                f"{self.place}: {name}-{MANIFEST} is of a model of kind {part.kind!r}, not a {kind}"
            )
        return part

    def _not_listed(self, name: str) -> ModelFileError:
        where = MANIFEST if self.place is None else self.place / MANIFEST
        return ModelFileError(f"{where}: does not list {name}; copy the model or save it again")


def save_state(state: State, folder: PathName) -> None:
    """Save a state as a folder, whole or not at all, in place of an earlier one of its kind."""
    save_folder(folder, lambda place: _write(state, place), state.kind)


def load_state(folder: PathName, kind: str, build: Callable[[State], Model]) -> Model:
    """The model that a saved state makes, read again where another was saved meanwhile.

    A LookupError, TypeError, ValueError and the like of `build` mean that the parts do not fit each
    other.
    """
    for _ in range(_TRIES):
        fault = None
        before = _identity(folder)
        try:
            model = build(_read(model_folder(folder), kind))
        except ModelFileError as error:
            fault = error
        except _CONTRADICTIONS as error:
            fault = ModelFileError(
                f"{folder}: the parts of the model do not fit each other ({error}); save it again"
            )

        if _identity(folder) != before:
            continue
        if fault is not None:
            raise fault
        return model

    raise ModelFileError(f"{folder}: saved anew while it was read; load it again")


LARGEST = 1e12  # of a number that is saved; sums of exponents of it leave what floats can say


def typed(value: Any, what: str, *kinds: type) -> Any:
    """The value, if it is of one of these types, or no type is given.

    A bool or NaN is no number.
    """
    if kinds and ((isinstance(value, bool) and bool not in kinds) or not isinstance(value, kinds)):
        raise TypeError(f"{what} is {str(value)[:60]!r}")
    if isinstance(value, float) and not abs(value) < LARGEST:
        raise ValueError(f"{what} is {value}")
    return value


def parameters_of(entries: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters among the entries of a manifest; JSON has lists only, parameters tuples only.

    >>> parameters_of({"parameters": {"order": 2, "annealing": [0.5, 1.0]}})
    {'order': 2, 'annealing': (0.5, 1.0)}
    """
    saved = typed(entries["parameters"], "what stands as the parameters", dict)
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in saved.items()
    }


def text_file(content: str) -> Writer:
    """A writer of this text, UTF-8 with its line ends as they are."""

    def write(path: Path) -> None:
        path.write_text(content, encoding="utf-8", newline="\n")

    return write


def _write(state: State, place: Path, prefix: str = "") -> None:
    for name, arrays in state.arrays.items():
        write_arrays(place / f"{prefix}{name}", arrays, compress=state.compress)
    for name, write in state.files.items():
        if not isinstance(write, Path):
            write(place / f"{prefix}{name}")
    for name, part in state.parts.items():
        _write(part, place, f"{prefix}{name}-")
    write_manifest(place, state.kind, state.entries, prefix=prefix)


def _read(place: Path, kind: str | None, prefix: str = "") -> State:
    """The state of the files with this prefix."""
    content = read_manifest(place, kind, prefix)
    arrays: dict[str, Arrays] = {}
    files: dict[str, Writer | Path] = {}
    parts: dict[str, State] = {}

    for name in content["files"]:
        path = place / f"{prefix}{name}"
        part = name.removesuffix(f"-{MANIFEST}")
        if path.suffix == ".npz":
            arrays[name] = Archive(path)
        elif part == name:
            files[name] = path
        elif "-" not in part:
            parts[part] = _read(place, None, f"{prefix}{part}-")

    entries = {name: value for name, value in content.items() if name not in _HEAD}
    return State(content["kind"], entries, arrays, files, parts, place=place)


def _identity(folder: PathName) -> tuple[int, ...] | None:
    """Which folder it is; None where there is none."""
    try:
        status = Path(folder).stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns
