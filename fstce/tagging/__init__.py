"""The contrastive tagger (Smith & Eisner 2005a), its rivals and their products.

===============  ===================================================
``tagger``       the estimator
``weighted``     features, weights and dictionary of a trained one
``criteria``     what is maximized: numerators over denominators
``product``      several taggers vote
``files``        a tagger as a saved state, with ``weights``
``export``       a tagger as OpenFst machines, with ``export_text``
``nltk``         a tagger as NLTK sees one
===============  ===================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.kinds import on_first_use

if TYPE_CHECKING:
    from fstce.tagging.product import TaggerProduct
    from fstce.tagging.tagger import Tagger

__all__ = ["Tagger", "TaggerProduct"]
__getattr__ = on_first_use(__name__, {"Tagger": "tagger", "TaggerProduct": "product"})
