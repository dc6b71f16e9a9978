"""The kinds of model that a folder can hold: how each is loaded, and whose verbs take it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from fstce.console.reading import reading
from fstce.errors import ParameterError


class Kind(NamedTuple):
    """A kind of model."""

    group: str
    module: str
    name: str


KINDS: dict[str, Kind] = {
    "tagger": Kind("tagger", "fstce.tagging.tagger", "Tagger"),
    "tagger product": Kind("tagger", "fstce.tagging.product", "TaggerProduct"),
    "dependency parser": Kind("parser", "fstce.parsing.parser", "DependencyParser"),
    "parser product": Kind("parser", "fstce.parsing.product", "ParserProduct"),
    "latent grammar": Kind("latent", "fstce.latent.latent_grammar", "LatentGrammar"),
    "grammar product": Kind("latent", "fstce.latent.product", "GrammarProduct"),
    "constituent grammar": Kind("constituents", "fstce.induction.inducer", "DirectedAlignment"),
    "corrector": Kind("corrector", "fstce.correction.corrector", "Corrector"),
    "parsed corrector": Kind("corrector", "fstce.correction.parsed.corrector", "ParsedCorrector"),
}


def kind_of(folder: Path) -> str:
    """The kind of model that a folder holds."""
    from fstce.storage.manifest import model_folder, parsed

    return str(parsed(model_folder(folder)).get("kind"))


def load(folder: Path, *groups: str, **parameters: Any) -> Any:
    """The model in a folder."""
    found = kind_of(folder)
    kind = KINDS.get(found) or KINDS["tagger"]  # whose loader says what is wrong with an unknown one
    if found in KINDS and kind.group not in groups:
        raise ParameterError(f"{folder} is a {found}: use the verbs of fstce {kind.group}")
    model = getattr(import_module(kind.module), kind.name).load(folder)
    reading().use(model)
    given = {name: value for name, value in parameters.items() if value is not None}
    return model.set_params(**given) if given else model
