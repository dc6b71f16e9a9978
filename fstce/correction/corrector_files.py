"""A trained corrector as a saved state, bit for bit.

==================  =================================================================
``model.json``      the manifest: parameters, exponents, and what a tagger's says
``vocabulary.tsv``  the words of the text and their counts, in the order of the text
``lexicon.npz``     the user's own, as an automaton
``unreliable.tsv``  the words of the text that count as unknown, where there are any
``ngrams.npz``      the n-gram model, where there is one
``weights.npz``     θ, with ``words.syms`` and ``tags.syms``, as of a tagger, where
                    there is one
==================  =================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from fstce.corpora.words import is_fit
from fstce.correction.corrector_model import CorrectorModel, spelling_of
from fstce.correction.factors.columns import COLUMNS
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.mistakes.misspellings import LearnedChannel
from fstce.correction.synthetic_errors import Tuning
from fstce.errors import ModelFileError
from fstce.speller.channel import Channel
from fstce.speller.error_model import ErrorModel
from fstce.speller.wordlist import WordList
from fstce.storage.arrays import Arrays
from fstce.storage.state import State, Writer, text_file, typed
from fstce.tagging import files as tagger_files
from fstce.tagging.tagger import Tagger

KIND = "corrector"
VOCABULARY, LEXICON, NGRAMS = "vocabulary.tsv", "lexicon.npz", "ngrams.npz"
UNRELIABLE = "unreliable.tsv"
COLUMNS_OF = {1: "a word and its count", 2: "a word, a tag and a count"}


def to_state(
    model: CorrectorModel, learned: Mapping[str, Any], parameters: Mapping[str, Any]
) -> State:
    """The state of a corrector: its model, what else it learned, its parameters."""
    tuning: Tuning | None = learned["tuning_"]
    tagger = None if model.tagger is None else model.tagger.to_state()

    entries = {
        "parameters": {**parameters, "channel": channel_entries(parameters["channel"])},
        "exponents": learned["exponents_"],
        "tuning": None if tuning is None else asdict(tuning),
        "unreliable": len(model.unreliable),
        "ngrams": model.ngrams and model.ngrams.order,
        "tagger": tagger and tagger.entries,
        "learned_channel": channel_entries(learned["channel_"]),
    }

    arrays: dict[str, Arrays] = {LEXICON: model.lexicon.arrays}
    if model.ngrams is not None:
        arrays[NGRAMS] = model.ngrams.arrays()
    files: dict[str, Writer | Path] = {VOCABULARY: counts_file(model.vocabulary)}
    if model.unreliable:
        files[UNRELIABLE] = counts_file(model.unreliable)
    if tagger is not None:
        arrays.update(tagger.arrays)
        files.update({name: tagger.files[name] for name in (tagger_files.WORDS, tagger_files.TAGS)})
    return State(KIND, entries, arrays, files)


def from_state(state: State) -> tuple[CorrectorModel, dict[str, Any]]:
    """The model of a saved corrector, and what else it learned, by attribute."""
    vocabulary = read_counts(state.path(VOCABULARY))
    unreliable = read_counts(state.path(UNRELIABLE)) if state.entry("unreliable", int) else {}
    lexicon = WordList(state.archive(LEXICON))

    ngrams = tagger = None
    order = state.entry("ngrams")
    if order is not None:
        ngrams = NgramModel.of_arrays(vocabulary, order, state.archive(NGRAMS))
    if state.entry("tagger") is not None:
        tagger = Tagger.from_state(replace(state, entries=state.entry("tagger", dict)))

    spelling = spelling_of(vocabulary, unreliable, lexicon)
    model = CorrectorModel(vocabulary, lexicon, tagger, ngrams, spelling, unreliable)
    return model, {
        "exponents_": exponents_of(state, COLUMNS),
        "tuning_": _tuning_of(state),
        "channel_": channel_of(state.entry("learned_channel", dict, type(None))),
    }


def exponents_of(state: State, names: tuple[str, ...]) -> dict[str, float]:
    """The exponents in a manifest."""
    saved = state.entry("exponents", dict)
    return {name: float(typed(saved[name], name, int, float)) for name in names}


def _tuning_of(state: State) -> Tuning | None:
    """The synthetic errors that exponents were learned from, in a manifest."""
    saved = state.entry("tuning", dict, type(None))
    if saved is None:
        return None
    return Tuning(**{name: typed(value, name, int, float) for name, value in saved.items()})


def channel_entries(channel: Channel | None) -> dict[str, Any] | None:
    """A channel as JSON has it."""
    if isinstance(channel, LearnedChannel):
        return asdict(channel.errors)
    return None if channel is None else asdict(channel)


def channel_of(entries: Mapping[str, Any] | None) -> Channel | None:
    """The channel of :func:`channel_entries`."""
    if entries is None:
        return None
    if "weights" in entries:
        return LearnedChannel(errors=ErrorModel.of_entries(entries))
    return Channel(**entries)


def counts_file(counts: Mapping[Any, int]) -> Writer:
    """A writer of the counts of words, or of tuples of them, a line each."""
    rows = ((key if isinstance(key, tuple) else (key,), count) for key, count in counts.items())
    return text_file("".join("\t".join((*key, str(count))) + "\n" for key, count in rows))


def read_counts(path: Path, columns: int = 1) -> dict[Any, int]:
    """The counts of words, or of tuples of so many; raises ModelFileError at another line."""
    counts: dict[Any, int] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        *words, count = line.split("\t")
        key = words[0] if columns == 1 and words else tuple(words)
        sound = len(words) == columns and all(is_fit(word) for word in words)
        is_count = count.isascii() and count.isdecimal() and (columns == 1 or int(count))
        if not sound or key in counts or not is_count:
            raise ModelFileError(
                f"{path}:{number}: not {COLUMNS_OF[columns]}; save the model again"
            )
        counts[key] = int(count)
    return counts
