"""The contrastive dependency grammar (Smith & Eisner 2005b) and its rivals.

============  ================================================
``parser``    the estimator
``criteria``  what is maximized: numerators over denominators
``files``     a grammar as a folder
============  ================================================
"""

from __future__ import annotations

from fstce.parsing.parser import DependencyParser

__all__ = ["DependencyParser"]
