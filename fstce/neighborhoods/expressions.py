"""Expressions of neighborhoods: ``trans1 | del1word``, ``restrict(del1word, function-words)``.

======================  ==============================================================
``a | b``               weakest, as in Python; then ``&``, ``-``, and ``@``, strongest
``restrict(a, class)``  a class of words: its name, or a file of words, one a line
``a(path, width=20)``   a vocabulary, and options by name
======================  ==============================================================

The parts are names, paths, quoted paths, and expressions in brackets. A hyphen within a name
belongs to it; as operator it stands between spaces. Names and paths are those of
:func:`fstce.neighborhoods.registry.neighborhood`, classes those of
:mod:`fstce.neighborhoods.word_machines`; a vocabulary is a file of words, each with a tab and its
count or alone (:mod:`fstce.neighborhoods.over_vocabulary`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from fstce.errors import MachineError, NeighborhoodError
from fstce.neighborhoods.algebra import Combination, Restriction
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.over_vocabulary import with_arguments
from fstce.neighborhoods.word_machines import word_class
from fstce.parameters.rules import shown

_NAME = re.compile(r"""'[^']*'|"[^"]*"|[\w./~][\w./~:+-]*""")
_STRANGE = re.compile(r"[^a\s|&@(),=-]")
_SHAPE = (
    "no expression goes on so; it has names or paths, | & - @ between them, brackets, "
    "restrict(name, class), name(words.tsv, option=value)"
)
_SIGNS: dict[type, str] = {ast.BitOr: "|", ast.BitAnd: "&", ast.Sub: "-", ast.MatMult: "@"}


def is_expression(text: str) -> bool:
    """Whether the text is more than one name.

    >>> is_expression("trans1 @ trans1"), is_expression("training-set")
    (True, False)
    """
    return re.search(r"[|&@(),'\"]|\s-\s", text) is not None


def parse(text: str, resolve: Callable[[str], Neighborhood]) -> Neighborhood:
    """The neighborhood that an expression describes.

    ``resolve``: from a single name or path to its neighborhood; raises NeighborhoodError where it
    is none.

    >>> from fstce import neighborhood
    >>> parse("(trans1 | del1word) - trans1", neighborhood)("a b c".split()).count()
    4
    """
    text = text.strip()
    # Python parses it, to which every name or path is a name of as many letters.
    masked = re.sub(r"\s", " ", _NAME.sub(lambda name: "a" * len(name[0]), text))
    if strange := _STRANGE.search(masked):
        raise _error(text, strange.start(), f"{strange[0]!r} cannot stand there; quote paths")
    try:
        return _Reader(text, resolve).neighborhood(ast.parse(masked, mode="eval").body)
    except SyntaxError as error:
        raise _error(text, (error.offset or len(text) + 1) - 1, _SHAPE) from None
    except (RecursionError, MemoryError):
        raise _error(text, 0, "too many brackets or signs; take some away") from None


class _Reader(NamedTuple):
    """An expression, and what gives the neighborhood of a single name in it."""

    text: str
    resolve: Callable[[str], Neighborhood]

    def neighborhood(self, node: ast.expr) -> Neighborhood:
        """The neighborhood that a part of the expression is."""
        at = node.col_offset
        match node:
            case ast.Name():
                return self.made(at, self.resolve, self.words(node))
            case ast.BinOp(left, sign, right):
                parts = self.neighborhood(left), self.neighborhood(right)
                return self.made(at, Combination, _SIGNS[type(sign)], *parts)
            case ast.Call(function, [inner, words], []) if self.words(function) == "restrict":
                part = self.neighborhood(inner)
                chosen = self.made(words.col_offset, word_class, self.words(words))
                return self.made(at, Restriction, part, chosen)
            case ast.Call(function, ([] | [_]) as path, options) if (
                self.words(function) != "restrict"
            ):
                part = self.neighborhood(function)
                values = dict(map(self.option, options))
                return self.made(at, with_arguments, part, [*map(self.words, path)], values)
        raise _error(self.text, at, _SHAPE)

    def option(self, node: ast.keyword) -> tuple[str, str]:
        """The name of an option and its value."""
        name, _, _ = self.text[node.col_offset : node.end_col_offset].partition("=")
        return name.strip(), self.words(node.value)

    def words(self, node: ast.expr) -> str:
        """The text of a name, path or value, without its quotes."""
        text = self.text[node.col_offset : node.end_col_offset]
        return text[1:-1] if text[:1] in ("'", '"') else text

    def made(self, at: int, make: Callable[..., Any], *arguments: Any) -> Any:
        """The result of `make`, whose errors say where in the expression they arose."""
        try:
            return make(*arguments)
        except (MachineError, NeighborhoodError) as error:
            raise type(error)(str(_error(self.text, at, error))) from None


def _error(text: str, at: int, message: object) -> NeighborhoodError:
    return NeighborhoodError(f"{shown(text, 200)}, character {at + 1}: {message}")
