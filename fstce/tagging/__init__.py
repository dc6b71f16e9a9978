"""The contrastive tagger (Smith & Eisner 2005a), its rivals and their products.

=================  =====================================================
``tagger``         the estimator
``criteria``       what is maximized, and what of; features of tokens
``unknown_words``  the tags of words that the dictionary does not list
``answers``        what a speaker says of words; ``questions`` to ask
``product``        several taggers vote
``files``          a tagger as a saved state
``export``         a tagger as OpenFst machines
``explained``      a tagger as explanations see it, over any lattice
=================  =====================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fstce.kinds import on_first_use

if TYPE_CHECKING:
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger

__all__ = ["Tagger", "TaggerProduct"]
__getattr__: Any = on_first_use(__name__, {"Tagger": "tagger", "TaggerProduct": "product"})
