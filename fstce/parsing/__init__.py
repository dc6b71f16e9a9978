"""The contrastive dependency grammar (Smith & Eisner 2005b) and its rivals.

====================  ================================================
``parser``            the estimator
``criteria``          what is maximized: numerators over denominators
``headedness``        where EM starts: which tags are likely heads
``attachment_rules``  which tag may govern which, as knowledge
``product``           several grammars vote
``files``             a grammar as a saved state
====================  ================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fstce.kinds import on_first_use

if TYPE_CHECKING:
    from fstce.parsing.parser import DependencyParser
    from fstce.parsing.product import ParserProduct

__all__ = ["DependencyParser", "ParserProduct"]
__getattr__ = on_first_use(__name__, {"DependencyParser": "parser", "ParserProduct": "product"})
