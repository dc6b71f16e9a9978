"""A trained corrector as a saved state, bit for bit.

==================  =================================================================
``model.json``      the manifest: parameters, exponents, and what a tagger's says
``vocabulary.tsv``  the words of the text and their counts, in the order of the text
``lexicon.tsv``     the user's own
``doubtful.tsv``    the words of the text that count as unknown, where there are any
``ngrams.npz``      the n-gram model, where there is one
``weights.npz``     θ, with ``words.syms`` and ``tags.syms``, as of a tagger, where
                    there is one
==================  =================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from fstce.corpora.words import fault
from fstce.correction.corrector_model import CorrectorModel, spelling_of
from fstce.correction.factors.columns import COLUMNS
from fstce.correction.factors.ngrams import NgramModel
from fstce.correction.mistakes.channel import Channel
from fstce.correction.real_words import FEATURES, RealWordModel
from fstce.correction.tuning import Tuning
from fstce.errors import FstceError, ModelFileError
from fstce.storage.arrays import Arrays
from fstce.storage.state import State, Writer, text_file, typed
from fstce.tagging import files as tagger_files
from fstce.tagging.tagger import Tagger

KIND = "corrector"
VOCABULARY, LEXICON, NGRAMS = "vocabulary.tsv", "lexicon.tsv", "ngrams.npz"
DOUBTFUL = "doubtful.tsv"
CHANNELS = ("channel", "mark_channel")
LATER = ("names", "spaces", "joins", "apostrophes")  # factors that models saved before 0.2 have not


class TrainedCorrector(NamedTuple):
    """What training leaves in a corrector; see :class:`fstce.Corrector`."""

    model: CorrectorModel
    exponents: dict[str, float]
    tuning: Tuning | None
    channel: Channel | None
    real_words: RealWordModel | None


def to_state(trained: TrainedCorrector, parameters: Mapping[str, Any]) -> State:
    """The state of a trained corrector with these parameters."""
    model, tuning = trained.model, trained.tuning
    tagger = None if model.tagger is None else model.tagger.to_state()
    entries = {
        "parameters": {**parameters, **{name: channel_entries(parameters[name]) for name in CHANNELS}},
        "exponents": trained.exponents,
        "tuning": None if tuning is None else asdict(tuning),
        "ngrams": model.ngrams and model.ngrams.order,
        "tagger": tagger and tagger.entries,
        "doubtful": len(model.doubtful),
        "learned_channel": channel_entries(trained.channel),
        "derived": model.derived,
        "real_words": trained.real_words and trained.real_words._asdict(),
    }
    arrays: dict[str, Arrays] = {} if model.ngrams is None else {NGRAMS: model.ngrams.arrays()}
    files: dict[str, Writer | Path] = {
        VOCABULARY: text_file(_counts_text(model.vocabulary)),
        LEXICON: text_file(_counts_text(model.lexicon)),
    }
    if model.doubtful:
        files[DOUBTFUL] = text_file(_counts_text(model.doubtful))
    if tagger is not None:
        arrays.update(tagger.arrays)
        files.update({name: tagger.files[name] for name in (tagger_files.WORDS, tagger_files.TAGS)})
    return State(KIND, entries, arrays, files)


def from_state(state: State) -> TrainedCorrector:
    """What training left in the corrector of a saved state."""
    vocabulary, lexicon = _read_counts(state.path(VOCABULARY)), _read_counts(state.path(LEXICON))
    tagger = None
    if state.entry("tagger") is not None:
        tagger = Tagger.from_state(state.within("", Tagger.KIND, state.entry("tagger")))
    # Models that were saved before 0.2 say nothing of doubtful words.
    doubtful = _read_counts(state.path(DOUBTFUL)) if state.entries.get("doubtful") else {}
    # Those saved before 0.2 have exponents for words that are spelt by their characters alone.
    derived = bool(state.entries.get("derived"))
    spelling = spelling_of(vocabulary, doubtful, lexicon, derived)
    ngrams = _ngrams(state, vocabulary)
    model = CorrectorModel(vocabulary, lexicon, tagger, ngrams, spelling, doubtful, derived)
    channel = channel_of(state.entries.get("learned_channel"))
    return TrainedCorrector(
        model, exponents_of(state, COLUMNS), tuning_of(state), channel, real_words_of(state)
    )


def later_of(state: State) -> dict[str, Any]:
    """The parameters of a saved corrector that JSON has in another form, or that older ones lack."""
    saved = state.entry("parameters", dict)
    # What a model did not learn the worth of it leaves alone, as it did.
    absent = {name: False for name in ("spacing", "adapt", "real_words") if name not in saved}
    return {**absent, **{name: channel_of(saved[name]) for name in CHANNELS}}


def exponents_of(state: State, names: tuple[str, ...]) -> dict[str, float]:
    """The exponents of these factors in a manifest; 0 of those that came after it was written."""
    saved = {**dict.fromkeys(LATER, 0.0), **state.entry("exponents", dict)}
    if "joins" not in state.entry("exponents", dict):  # they were one once
        saved["joins"], saved["apostrophes"] = saved["spaces"], saved["spaces"] / 2
    return {name: float(typed(saved[name], name, int, float)) for name in names}


def tuning_of(state: State) -> Tuning | None:
    """What the exponents were learnt from, in a manifest."""
    saved = state.entry("tuning", dict, type(None))
    if saved is None:
        return None
    curve = tuple((float(a), float(b), float(c)) for a, b, c in saved.get("curve", ()))
    numbers = {name: typed(value, name, int, float) for name, value in saved.items() if name != "curve"}
    return Tuning(**numbers, curve=curve)


def real_words_of(state: State) -> RealWordModel | None:
    """What practice has learnt of known words, in a manifest; None in those saved before 0.2."""
    saved = state.entries.get("real_words")
    if saved is None:
        return None
    weights = tuple(float(typed(weight, "weight", int, float)) for weight in saved["weights"])
    if len(weights) != len(FEATURES):
        raise ValueError(f"real_words has {len(weights)} weights, not {len(FEATURES)}")
    return RealWordModel(weights, float(typed(saved["least"], "least", int, float)))


def channel_entries(channel: Channel | None) -> dict[str, Any] | None:
    """A channel as JSON has it, whose keys cannot be pairs."""
    if channel is None:
        return None
    return {**asdict(channel), "confusions": [[*pair, cost] for pair, cost in channel.confusions.items()]}


def channel_of(entries: Mapping[str, Any] | None) -> Channel | None:
    """The channel of :func:`channel_entries`."""
    if entries is None:
        return None
    confusions = {(meant, typed): cost for meant, typed, cost in entries["confusions"]}
    return Channel(**{**entries, "confusions": confusions})


def _ngrams(state: State, vocabulary: Mapping[str, int]) -> NgramModel | None:
    order = state.entry("ngrams")
    if order is None:
        return None
    archive = state.archive(NGRAMS)
    try:
        return NgramModel.of_arrays(vocabulary, order, archive)
    except FstceError:
        raise
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ModelFileError(
            f"{archive.path}: not the n-gram model of a corrector ({error}); save the model again"
        ) from None


def _counts_text(counts: Mapping[str, int]) -> str:
    return "".join(f"{word}\t{count}\n" for word, count in counts.items())


def _read_counts(path: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        word, _, count = line.partition("\t")
        if fault(word) is not None or word in counts or not (count.isascii() and count.isdecimal()):
            raise ModelFileError(f"{path}:{number}: not a word and its count; save the model again")
        counts[word] = int(count)
    return counts
