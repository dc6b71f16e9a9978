"""``weights.npz``: θ and the features that it weighs, as plain arrays that must fit each other.

The names of tags, words and spellings stand in other files; here are numbers only, and
no array of objects, which would have to be unpickled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fstce.errors import ModelFileError
from fstce.grammars import tag_ngrams
from fstce.machines.symbols import FIRST_WORD_ID, UNKNOWN_ID, Symbols
from fstce.numeric.types import Floats, Ints
from fstce.storage.arrays import Archive, Arrays
from fstce.wfsa.features import TagFeatures

NUMBERS = ("ngrams", "word", "tag", "spelling", "spelling_tag")


def weights_of(features: TagFeatures, theta: Floats) -> Arrays:
    """θ and the numbers of its features, by name."""
    numbers = {name: np.asarray(getattr(features, name), dtype=np.int64) for name in NUMBERS}
    return {"theta": np.asarray(theta, dtype=np.float64), **numbers}


def features_of(
    archive: Archive, tags: tuple[str, ...], order: int, symbols: Symbols, spellings: tuple[str, ...]
) -> tuple[TagFeatures, Floats]:
    """The features that the arrays of :func:`weights_of` number, and θ."""
    theta: Floats = archive.array("theta", np.float64, (None,))
    numbers: dict[str, Any] = {name: archive.array(name, np.int64, (None,)) for name in NUMBERS}
    features = TagFeatures(tags=tags, order=order, symbols=symbols, spellings=spellings, **numbers)
    # Lazily, in order: keys can be compared only where lengths and ranges are right.
    reason = next((reason for reason, holds in _faults(features, theta) if holds), None)
    if reason is not None:
        raise ModelFileError(f"{archive.path}: {reason}; copy the model or save it again")
    return features, theta


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
