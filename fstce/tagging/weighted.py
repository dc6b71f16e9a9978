"""A trained tagger without its parameters: what scores, exports and files are made from."""

from __future__ import annotations

from typing import NamedTuple

from fstce.corpora.dictionary import TagDictionary
from fstce.numeric.types import Floats
from fstce.wfsa.features import TagFeatures


class WeightedTagger(NamedTuple):
    """A log-linear tagger: score(x, y) = θ · f(x, y), over the tags that the dictionary allows.

    ``theta`` is (features,).
    """

    features: TagFeatures
    theta: Floats
    dictionary: TagDictionary

    @property
    def tags(self) -> tuple[str, ...]:
        """The tagset."""
        return self.features.tags
