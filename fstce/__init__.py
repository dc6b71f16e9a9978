"""fstce: contrastive estimation (Smith & Eisner 2005) on finite-state machines."""

from __future__ import annotations

from fstce.corpora.dictionary import TagDictionary
from fstce.neighborhoods import Neighborhood, neighborhood
from fstce.tagging import Tagger
from fstce.version import __version__

__all__ = ["Neighborhood", "TagDictionary", "Tagger", "__version__", "neighborhood"]
