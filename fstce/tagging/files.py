"""A trained tagger as a saved state, bit for bit.

================  ===================================================================
``model.json``    the manifest: parameters, tags, dictionary, course of the training
``weights.npz``   θ, and the numbers of the features that it weighs
``words.syms``    the training words and their ids; ``tags.syms``, the tags and theirs
``guess.npz``     the unknown-word model, if there is one
================  ===================================================================

A neighborhood of one's own is saved by its name. Arrays hold
numbers alone, which must fit each other: objects would have to be unpickled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from fstce.corpora.dictionary import TagDictionary
from fstce.corpora.words import RESERVED
from fstce.errors import ModelFileError
from fstce.grammars import tag_ngrams
from fstce.machines.symbols import FIRST_WORD_ID, UNKNOWN_ID, Symbols
from fstce.machines.text import symbol_ids, write_symbols
from fstce.numeric.types import Floats, Ints
from fstce.storage.state import State
from fstce.tagging.export import WeightedTagger, tag_symbols
from fstce.tagging.unknown_words import (
    Description,
    EndingModel,
    UnknownWordDictionary,
    UnknownWordModel,
)
from fstce.wfsa.features import TagFeatures
from fstce.wfsa.parts import TagParts

KIND = "tagger"
WEIGHTS = "weights.npz"
WORDS = "words.syms"
TAGS = "tags.syms"
GUESS = "guess.npz"
NUMBERS = ("ngrams", "word", "tag", "spelling", "spelling_tag")  # of features


def to_state(tagger: WeightedTagger) -> State:
    """The state of a trained tagger."""
    features = tagger.features
    entries = {
        "order": features.order,
        "tags": features.tags,
        "spellings": features.spellings,
        "missing": features.missing,
        "dictionary": tagger.dictionary.to_dict(),
    }
    files = {
        WORDS: partial(write_symbols, features.symbols.table),
        TAGS: partial(write_symbols, tag_symbols(features.tags)),
    }
    numbers = {name: np.asarray(getattr(features, name), dtype=np.int64) for name in NUMBERS}
    if features.parts is not None:  # all that are possible
        del numbers["ngrams"]
    arrays: dict[str, Any] = {WEIGHTS: numbers}

    predicted = tagger.dictionary
    if isinstance(predicted, UnknownWordDictionary):
        guess: dict[str, Any] = {}
        model = predicted.model
        if isinstance(model, UnknownWordModel):  # one of endings is made of the dictionary again
            guess = {"tags": model.tags, "names": model.names, "seen": list(model.seen)}
            seen = np.array(list(model.seen.values())).reshape(len(model.seen), len(model.tags))
            arrays[GUESS] = {"weights": model.weights, "seen": seen}
        entries["guess"] = guess
    return State(KIND, entries, arrays, files)


def from_state(state: State, theta: Floats, parts: TagParts | None) -> WeightedTagger:
    """The tagger that a saved state holds, whose tags have these parts."""
    dictionary = TagDictionary.from_dict(state.entry("dictionary", dict))
    tags = _tags(state, dictionary)
    predicting = _unknown_words(state, dictionary)
    symbols = Symbols(_symbols(state.path(WORDS), RESERVED))
    archive = state.archive(WEIGHTS)

    numbers: dict[str, Any] = {}
    if parts is not None:
        numbers["ngrams"] = tag_ngrams.possible(len(tags), 2)
    for name in NUMBERS:
        if name not in numbers:
            numbers[name] = archive.array(name, np.int64, (None,))
    features = TagFeatures(
        tags=tags,
        order=state.entry("order", int),
        symbols=symbols,
        spellings=state.texts("spellings"),
        missing=float(state.entry("missing", int, float)),
        fixed=predicting,
        parts=parts,
        **numbers,
    )
    # Lazily, in order: keys can be compared only where lengths and ranges are right.
    reason = next((reason for reason, holds in _faults(features, theta) if holds), None)
    if reason is not None:
        raise ModelFileError(f"{archive.path}: {reason}; copy the model or save it again")
    return WeightedTagger(features, theta, predicting or dictionary)


def _unknown_words(state: State, dictionary: TagDictionary) -> UnknownWordDictionary | None:
    """The dictionary with the saved unknown-word model, if there is one."""
    if "guess" not in state.entries:
        return None
    saved = state.entry("guess", dict)
    if not saved:
        return UnknownWordDictionary(dictionary, EndingModel(dictionary))

    archive = state.archive(GUESS)
    tags = tuple(saved["tags"])
    possible = set(dictionary.oov_tags) <= set(tags) <= set(dictionary.tagset)
    if len(set(tags)) < len(tags) or not possible:
        raise ValueError("the tags that are predicted are not those of unknown words")

    names = list(map(str, saved["names"]))
    words = list(map(str, saved["seen"]))
    weights = archive.array("weights", np.float64, (len(names), len(tags)))
    seen = archive.array("seen", np.float64, (len(words), len(tags)))
    seen_words = dict(zip(words, seen, strict=True))
    describe = Description(dictionary)
    return UnknownWordDictionary(
        dictionary, UnknownWordModel(tags, tuple(names), weights, seen_words, describe)
    )


def _tags(state: State, dictionary: TagDictionary) -> tuple[str, ...]:
    """The tags, about which manifest, dictionary and symbols must agree."""
    tags = state.texts("tags")
    path = state.path(TAGS)
    if not tags == dictionary.tagset == _symbols(path, RESERVED[:1]):
        raise ModelFileError(f"{path}: not the tags of the model; copy the model or save it again")
    return tags


def _symbols(path: Path, reserved: tuple[str, ...]) -> tuple[str, ...]:
    """The symbols of a table that begins with the reserved ones and has no gaps."""
    ids = symbol_ids(path)
    symbols = tuple(ids)
    if list(ids.values()) != list(range(len(ids))) or symbols[: len(reserved)] != reserved:
        raise ModelFileError(
            f"{path}: its ids are not 0, 1, 2, … from {reserved[0]} on; save the model again"
        )
    return symbols[len(reserved) :]


def _faults(features: TagFeatures, theta: Floats) -> Iterator[tuple[str, bool]]:
    """Faults that the features of θ may have, and whether they do."""
    width = len(features.tags)
    words = len(features.symbols)
    yield f"the order of the n-grams is {features.order!r}", features.order not in tag_ngrams.ORDERS
    yield f"{len(theta)} weights for {features.size} features", len(theta) != features.size
    yield (
        "an n-gram has no such number",
        _beyond(features.ngrams, 1, (width + 1) ** features.order + 1),
    )
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
