"""The contrastive dependency grammar (Smith & Eisner 2005b) and its rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fstce.kinds import on_first_use

if TYPE_CHECKING:
    from fstce.parsing.parser import DependencyParser

__all__ = ["DependencyParser"]
__getattr__: Any = on_first_use(__name__, {"DependencyParser": "parser"})
