"""fstce: contrastive estimation (Smith & Eisner 2005) on finite-state machines.

Text in
    read_corpus, Sentence, TagDictionary: files of text, tagged text and treebanks; a dictionary of tags.
Neighbourhoods
    neighborhood, Neighborhood, Lattice: what a sentence is contrasted with, as a machine.
Tagging
    Tagger, TaggerProduct: a tagger from raw text and a dictionary; several that vote.
Parsing
    DependencyParser, ParserProduct: dependencies of tag sequences; LatentGrammar, GrammarProduct:
    constituents of treebanks; DirectedAlignment: constituents of raw text.
Correcting
    Corrector, ParsedCorrector: mistakes of typing, with a model of tags or of dependencies.
Looking inside
    inspect, Inspection: any machine as a page; explain, Explanation: why a sentence is as probable
    as it is; Analyser: morphology by a machine of one's own.

Each has its own help, ``help(fstce.Tagger)``; ``fstce --help`` lists the commands. Rooms for more:
fstce.corpora, fstce.evaluation, fstce.machines, fstce.neighborhoods, fstce.chart, fstce.errors.

>>> import fstce
>>> fstce.neighborhood("trans1")(["a", "b", "c"]).count()
3

Names are loaded when they are first used, so that ``import fstce`` and ``fstce --help``
do not wait for OpenFst and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from fstce.version import __version__

if TYPE_CHECKING:
    from fstce.corpora.dictionary import TagDictionary
    from fstce.corpora.read import read_corpus
    from fstce.corpora.sentence import Sentence
    from fstce.correction.corrector import Corrector
    from fstce.correction.parsed.corrector import ParsedCorrector
    from fstce.explanation.explain import Explanation, explain
    from fstce.induction.inducer import DirectedAlignment
    from fstce.inspection.inspect import Inspection, inspect
    from fstce.latent.latent_grammar import LatentGrammar
    from fstce.latent.product import GrammarProduct
    from fstce.machines.analyser import Analyser
    from fstce.machines.lattice import Lattice
    from fstce.neighborhoods.registry import Neighborhood, neighborhood
    from fstce.parsing.parser import DependencyParser
    from fstce.parsing.product import ParserProduct
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
    "Lattice",
    "Neighborhood",
    "ParsedCorrector",
    "ParserProduct",
    "Sentence",
    "TagDictionary",
    "Tagger",
    "TaggerProduct",
    "__version__",
    "explain",
    "inspect",
    "neighborhood",
    "read_corpus",
]

_HOMES = {
    "Analyser": "fstce.machines.analyser",
    "Corrector": "fstce.correction.corrector",
    "DependencyParser": "fstce.parsing.parser",
    "DirectedAlignment": "fstce.induction.inducer",
    "Explanation": "fstce.explanation.explain",
    "GrammarProduct": "fstce.latent.product",
    "Inspection": "fstce.inspection.inspect",
    "LatentGrammar": "fstce.latent.latent_grammar",
    "Lattice": "fstce.machines.lattice",
    "Neighborhood": "fstce.neighborhoods.registry",
    "ParsedCorrector": "fstce.correction.parsed.corrector",
    "ParserProduct": "fstce.parsing.product",
    "Sentence": "fstce.corpora.sentence",
    "TagDictionary": "fstce.corpora.dictionary",
    "Tagger": "fstce.tagging.tagger",
    "TaggerProduct": "fstce.tagging.product",
    "explain": "fstce.explanation.explain",
    "inspect": "fstce.inspection.inspect",
    "neighborhood": "fstce.neighborhoods.registry",
    "read_corpus": "fstce.corpora.read",
}
_ROOMS = (
    *("chart", "corpora", "correction", "errors", "estimation", "evaluation"),
    *(
        "explanation",
        "grammars",
        "induction",
        "inspection",
        "latent",
        "machines",
        "neighborhoods",
        "numeric",
        "parsing",
    ),
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
