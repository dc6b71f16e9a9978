"""fstce: contrastive estimation (Smith & Eisner 2005) on finite-state machines.

Text in
    read_corpus, Sentence, TagDictionary: files of text, tagged text and treebanks; a dictionary of
    tags.
Neighborhoods
    neighborhood, Neighborhood, Lattice: what a sentence is contrasted with, as a machine.
Tagging
    Tagger, TaggerProduct: a tagger from raw text and a dictionary; several that vote.
Parsing
    DependencyParser: dependencies of tag sequences; LatentGrammar, GrammarProduct:
    constituents of treebanks; DirectedAlignment: constituents of raw text.
Correcting
    Corrector, ParsedCorrector: mistakes of typing, with a model of tags or of dependencies;
    Speller: words that may have been intended, for HFST's programs.
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

from fstce import kinds
from fstce.version import __version__ as __version__

if TYPE_CHECKING:
    from fstce import chart as chart
    from fstce import corpora as corpora
    from fstce import errors as errors
    from fstce import evaluation as evaluation
    from fstce import machines as machines
    from fstce import neighborhoods as neighborhoods
    from fstce.corpora.dictionary import TagDictionary as TagDictionary
    from fstce.corpora.read import read_corpus as read_corpus
    from fstce.corpora.sentence import Sentence as Sentence
    from fstce.correction.corrector import Corrector as Corrector
    from fstce.correction.parsed import ParsedCorrector as ParsedCorrector
    from fstce.explanation.explain import explain as explain
    from fstce.explanation.page import Explanation as Explanation
    from fstce.induction.inducer import DirectedAlignment as DirectedAlignment
    from fstce.inspection.inspect import inspect as inspect
    from fstce.inspection.page import Inspection as Inspection
    from fstce.latent.latent_grammar import LatentGrammar as LatentGrammar
    from fstce.latent.product import GrammarProduct as GrammarProduct
    from fstce.machines.analyser import Analyser as Analyser
    from fstce.machines.lattice import Lattice as Lattice
    from fstce.neighborhoods.base import Neighborhood as Neighborhood
    from fstce.neighborhoods.registry import neighborhood as neighborhood
    from fstce.parsing.parser import DependencyParser as DependencyParser
    from fstce.speller.speller import Speller as Speller
    from fstce.tagging.product import TaggerProduct as TaggerProduct
    from fstce.tagging.tagger import Tagger as Tagger

# Public names and their modules; those of models are in their kinds.
_HOMES = {
    "Analyser": "machines.analyser",
    "Explanation": "explanation.page",
    "Inspection": "inspection.page",
    "Lattice": "machines.lattice",
    "Neighborhood": "neighborhoods.base",
    "Sentence": "corpora.sentence",
    "TagDictionary": "corpora.dictionary",
    "explain": "explanation.explain",
    "inspect": "inspection.inspect",
    "neighborhood": "neighborhoods.registry",
    "read_corpus": "corpora.read",
}
_ROOMS = ("chart", "corpora", "errors", "evaluation", "machines", "neighborhoods")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"fstce.{name}")
    if name == "__all__":
        return sorted((*_HOMES, *kinds.public_names(), "__version__"))
    homes = _HOMES if name in _HOMES or name.startswith("_") else kinds.public_names()
    found = globals()[name] = kinds.on_first_use("fstce", homes)(name)
    return found


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), *_ROOMS]
