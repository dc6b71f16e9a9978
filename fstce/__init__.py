"""fstce: contrastive estimation (Smith & Eisner 2005) on finite-state machines.

Names are loaded when they are first used, so that ``import fstce`` and ``fstce --help``
do not wait for OpenFst and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fstce.version import __version__

if TYPE_CHECKING:
    from fstce.corpora.dictionary import TagDictionary
    from fstce.correction.corrector import Corrector
    from fstce.correction.parsed.corrector import ParsedCorrector
    from fstce.distribution.inducer import DirectedAlignment
    from fstce.explanation.explain import Explanation, explain
    from fstce.inspection.inspect import Inspection, inspect
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.product import GrammarProduct
    from fstce.machines.analyser import Analyser
    from fstce.neighborhoods.registry import Neighborhood, neighborhood
    from fstce.parsing.parser import DependencyParser
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger

__all__ = [
    "Analyser",
    "Corrector",
    "DependencyParser",
    "DirectedAlignment",
    "Explanation",
    "GrammarProduct",
    "Inspection",
    "LatentGrammar",
    "Neighborhood",
    "ParsedCorrector",
    "TagDictionary",
    "Tagger",
    "TaggerProduct",
    "__version__",
    "explain",
    "inspect",
    "neighborhood",
]

_HOMES = {
    "Analyser": "fstce.machines.analyser",
    "Corrector": "fstce.correction.corrector",
    "DependencyParser": "fstce.parsing.parser",
    "DirectedAlignment": "fstce.distribution.inducer",
    "Explanation": "fstce.explanation.explain",
    "GrammarProduct": "fstce.latent.product",
    "Inspection": "fstce.inspection.inspect",
    "LatentGrammar": "fstce.latent.latent_grammar",
    "Neighborhood": "fstce.neighborhoods.registry",
    "ParsedCorrector": "fstce.correction.parsed.corrector",
    "TagDictionary": "fstce.corpora.dictionary",
    "Tagger": "fstce.tagging.tagger",
    "TaggerProduct": "fstce.tagging.product",
    "explain": "fstce.explanation.explain",
    "inspect": "fstce.inspection.inspect",
    "neighborhood": "fstce.neighborhoods.registry",
}
_ROOMS = (
    *("chart", "corpora", "correction", "distribution", "errors", "estimation", "evaluation"),
    *("explanation", "grammars", "inspection", "latent", "machines", "neighborhoods", "numeric", "parsing"),
    *("processes", "reporting", "reproduction", "storage", "tagging", "transducers", "wfsa"),
)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"fstce.{name}")
    raise AttributeError(f"module 'fstce' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS]
