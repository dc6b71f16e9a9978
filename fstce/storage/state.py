"""What the manifests of all models share: parameters, and parts that must fit each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fstce.errors import ModelFileError


@contextmanager
def fitting(place: Path, *also: type[Exception]) -> Iterator[None]:
    """Tell what contradictions between the parts of a model raise as one ModelFileError of its folder.

    `also` are further exceptions that mean no more than that.
    """
    meant: tuple[type[Exception], ...] = (LookupError, TypeError, ValueError, *also)
    try:
        yield
    except ModelFileError:
        raise
    except meant as error:
        raise ModelFileError(
            f"{place}: the parts of the model do not fit each other ({error}); save it again"
        ) from None


def parameters_of(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as they were given: JSON has lists only, parameters tuples only."""
    given = manifest["parameters"]
    if not isinstance(given, Mapping):
        raise TypeError("the parameters are no mapping")
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
