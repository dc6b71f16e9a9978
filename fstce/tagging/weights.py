"""``weights.npz``: θ and the features that it weighs, as plain arrays that must fit each other.

The names of tags, words and spellings stand in other files; here are numbers only, and
no array of objects, which would have to be unpickled.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fstce.errors import ModelFileError
from fstce.grammars import tag_ngrams
from fstce.machines.symbols import FIRST_WORD_ID, UNKNOWN_ID, Symbols
from fstce.numeric.types import Floats, Ints
from fstce.wfsa.features import TagFeatures

Arrays = dict[str, NDArray[Any]]

NUMBERS = ("ngrams", "word", "tag", "spelling", "spelling_tag")
_UNREADABLE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, EOFError),
    *(zipfile.BadZipFile, zlib.error),
)


def write_weights(features: TagFeatures, theta: Floats, path: Path) -> None:
    """Write the weights and the numbers of their features, uncompressed."""
    arrays: dict[str, Any] = {name: np.asarray(getattr(features, name), dtype=np.int64) for name in NUMBERS}
    np.savez(path, theta=np.asarray(theta, dtype=np.float64), **arrays)


def read_weights(path: Path) -> Arrays:
    """The arrays of :func:`write_weights`, by name.

    Raises
    ------
    ModelFileError
        The file is no archive of arrays, lacks one, or holds something else than numbers.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in ("theta", *NUMBERS)}
    except _UNREADABLE as error:
        raise ModelFileError(
            f"{path}: not the weights of a tagger ({error}); "
            "fstce reads plain arrays only, save the model again"
        ) from None
    for name, array in arrays.items():
        wanted = np.float64 if name == "theta" else np.int64
        if array.ndim != 1 or array.dtype != wanted:
            raise ModelFileError(f"{path}: {name} is no row of {wanted.__name__}; save the model again")
    return arrays


def features_of(
    arrays: Arrays,
    tags: tuple[str, ...],
    order: int,
    symbols: Symbols,
    spellings: tuple[str, ...],
    path: Path,
) -> TagFeatures:
    """The features that the arrays number.

    Parameters
    ----------
    arrays : dict of str to ndarray
        From :func:`read_weights`.
    tags, order, symbols, spellings
        As in TagFeatures.
    path : Path
        Where the arrays were read, for messages.

    Raises
    ------
    ModelFileError
        θ has another length than there are features, a number is out of range or out of
        order, or a weight is not finite.
    """
    numbers: dict[str, Any] = {name: arrays[name] for name in NUMBERS}
    features = TagFeatures(tags=tags, order=order, symbols=symbols, spellings=spellings, **numbers)
    # Lazily, in order: keys can be compared only where lengths and ranges are right.
    reason = next((reason for reason, holds in _faults(features, arrays["theta"]) if holds), None)
    if reason is not None:
        raise ModelFileError(f"{path}: {reason}; copy the model or save it again")
    return features


def _faults(features: TagFeatures, theta: Floats) -> Iterator[tuple[str, bool]]:
    """What may be wrong with the features of θ, and whether it is."""
    width, words = len(features.tags), len(features.symbols)
    yield f"the order of the n-grams is {features.order!r}", features.order not in tag_ngrams.ORDERS
    yield f"{len(theta)} weights for {features.size} features", len(theta) != features.size
    yield "a weight is not finite", bool(np.any(np.isnan(theta) | np.isposinf(theta)))
    yield "an n-gram has no such number", _beyond(features.ngrams, 1, (width + 1) ** features.order + 1)
    yield "a word has no such number", _beyond(features.word, UNKNOWN_ID, FIRST_WORD_ID + words)
    yield "a spelling has no such number", _beyond(features.spelling, 0, len(features.spellings))
    for tag, name in ((features.tag, features.word), (features.spelling_tag, features.spelling)):
        yield "some pairs lack their tag", len(tag) != len(name)
        yield "a tag has no such number", _beyond(tag, 0, width)
        yield "the pairs are out of order", _unsorted(name * width + tag)
    yield "the n-grams are out of order", _unsorted(features.ngrams)


def _beyond(numbers: Ints, low: int, high: int) -> bool:
    return bool(np.any((numbers < low) | (numbers >= high)))


def _unsorted(keys: Ints) -> bool:
    return bool(np.any(keys[1:] <= keys[:-1]))
