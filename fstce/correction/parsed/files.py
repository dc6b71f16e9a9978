"""A trained parsed corrector as a saved state, bit for bit.

==================  =================================================================
``model.json``      the manifest: parameters, exponents
``words.tsv``       words, their tags and how often they have them, in the order of the
                    text; ``signatures.tsv``, the same of the signatures of rare words
``grammar-*``       the files of the grammar: see :mod:`fstce.parsing.files`
``other-*``         those of the corrector of long sentences, where there is one: see
                    :mod:`fstce.correction.corrector_files`
==================  =================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from fstce.corpora.words import fault
from fstce.correction.corrector_files import channel_entries, channel_of, exponents_of, tuning_of
from fstce.correction.parsed.emissions import Counts, Emissions
from fstce.correction.parsed.readings import COLUMNS
from fstce.correction.tuning import Tuning
from fstce.errors import ModelFileError
from fstce.parsing.files import saved_parameters
from fstce.parsing.parser import DependencyParser
from fstce.storage.state import State, text_file, typed

KIND = "parsed corrector"
WORDS, SIGNATURES, GRAMMAR, OTHER = "words.tsv", "signatures.tsv", "grammar", "other"


class TrainedParsedCorrector(NamedTuple):
    """What training leaves in a parsed corrector; see :class:`fstce.ParsedCorrector`."""

    emissions: Emissions
    parser: DependencyParser
    exponents: dict[str, float]
    tuning: Tuning | None


def to_state(trained: TrainedParsedCorrector, parameters: Mapping[str, Any], other: State | None) -> State:
    """The state of a trained parsed corrector with these parameters, and of the corrector within it."""
    parser, tuning = parameters["parser"], trained.tuning
    own = {
        "channel": channel_entries(parameters["channel"]),
        # The parser that was given is trained anew, so no more is kept than its parameters.
        "parser": None if parser is None else saved_parameters(parser.get_params()),
        "other": None if other is None else OTHER,
    }
    entries = {
        "parameters": {**parameters, **own},
        "exponents": trained.exponents,
        "tuning": None if tuning is None else asdict(tuning),
    }
    files = {
        WORDS: text_file(_counts_text(trained.emissions.pairs)),
        SIGNATURES: text_file(_counts_text(trained.emissions.rare_pairs)),
    }
    parts = {GRAMMAR: trained.parser.to_state(), **({} if other is None else {OTHER: other})}
    return State(KIND, entries, files=files, parts=parts)


def from_state(state: State) -> TrainedParsedCorrector:
    """What training left in the parsed corrector of a saved state."""
    words = state.path(WORDS)
    emissions = Emissions.of_counts(_read_counts(words), _read_counts(state.path(SIGNATURES)))
    parser = DependencyParser.from_state(state.part(GRAMMAR, DependencyParser.KIND))
    if set(parser.model_.tags) != set(emissions.tags):
        raise ModelFileError(f"{words}: has other tags than the grammar; save the model again")
    return TrainedParsedCorrector(emissions, parser, exponents_of(state, COLUMNS), tuning_of(state))


def own_parameters_of(state: State) -> dict[str, Any]:
    """The parameters of a saved parsed corrector that JSON has in another form; `other` is None."""
    saved = state.entry("parameters", dict)
    parser = saved["parser"]
    if parser is not None:
        parser = DependencyParser.of_parameters({"parameters": parser})
    return {"channel": channel_of(saved["channel"]), "parser": parser, "other": None}


def other_of(state: State, kind: str) -> State | None:
    """The corrector of long sentences within a saved state, where there is one."""
    other = typed(state.entry("parameters", dict)["other"], "other", str, type(None))
    return None if other is None else state.part(OTHER, kind)


def _counts_text(counts: Counts) -> str:
    return "".join(f"{word}\t{tag}\t{count}\n" for (word, tag), count in counts.items())


def _read_counts(path: Path) -> Counts:
    counts: dict[tuple[str, str], int] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        word, _, rest = line.partition("\t")
        tag, _, count = rest.partition("\t")
        sound = fault(word) is None and fault(tag) is None and count.isascii() and count.isdecimal()
        if not sound or (word, tag) in counts or not int(count):
            raise ModelFileError(f"{path}:{number}: not a word, a tag and a count; save the model again")
        counts[word, tag] = int(count)
    return counts
