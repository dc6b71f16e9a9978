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
    from fstce.correction.parsed import ParsedCorrector
    from fstce.explanation import Explanation, explain
    from fstce.grammar_products import GrammarProduct
    from fstce.induction import DirectedAlignment
    from fstce.latent_grammar import LatentGrammar
    from fstce.neighborhoods import Neighborhood, neighborhood
    from fstce.parsing import DependencyParser
    from fstce.products import TaggerProduct
    from fstce.tagging import Tagger

__all__ = [
    "Corrector",
    "DependencyParser",
    "DirectedAlignment",
    "Explanation",
    "GrammarProduct",
    "LatentGrammar",
    "Neighborhood",
    "ParsedCorrector",
    "TagDictionary",
    "Tagger",
    "TaggerProduct",
    "__version__",
    "explain",
    "neighborhood",
]

_HOMES = {
    "Corrector": "fstce.correction.corrector",
    "DependencyParser": "fstce.parsing",
    "DirectedAlignment": "fstce.induction",
    "Explanation": "fstce.explanation",
    "GrammarProduct": "fstce.grammar_products",
    "LatentGrammar": "fstce.latent_grammar",
    "Neighborhood": "fstce.neighborhoods",
    "ParsedCorrector": "fstce.correction.parsed",
    "TagDictionary": "fstce.corpora.dictionary",
    "Tagger": "fstce.tagging",
    "TaggerProduct": "fstce.products",
    "explain": "fstce.explanation",
    "neighborhood": "fstce.neighborhoods",
}
_ROOMS = (
    *("chart", "corpora", "correction", "distribution", "errors", "estimation", "evaluation"),
    *("grammars", "latent", "machines", "reporting", "reproduction", "transducers", "wfsa"),
)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"fstce.{name}")
    raise AttributeError(f"module 'fstce' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS]
