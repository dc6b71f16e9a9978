"""Expressions of neighborhoods: ``trans1 | del1word``, ``restrict(del1word, function-words)``.

::

    union        = difference { "|" difference }        weakest, as in Python
    ...          "&" intersection, "-" difference, "@" composition: strongest
    atom         = name | path | 'quoted path' | "(" union ")" | applied
                 | "restrict" "(" union "," class ")"
    applied      = (name | path) "(" [path of a vocabulary] { "," option "=" value } ")"

A hyphen within a name belongs to it; as operator it stands between spaces.
Names and paths are those of :func:`fstce.neighborhoods.registry.neighborhood`; a class of words is
a name of :mod:`fstce.neighborhoods.word_machines` or a file of words, one a line; a vocabulary is a
file of words, each with a tab and its count or alone (:mod:`fstce.neighborhoods.over_vocabulary`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from fstce.errors import MachineError, NeighborhoodError
from fstce.neighborhoods.algebra import Combination, Restriction
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.over_vocabulary import OverVocabulary, with_arguments
from fstce.neighborhoods.word_machines import word_class

_TOKEN = re.compile(
    r"""(?P<quoted>'[^']*'|"[^"]*")|(?P<name>[\w./~][\w./~:+-]*)"""
    r"""|(?P<sign>[|&@(),=-])|(?P<strange>\S)"""
)
_STRENGTH = {"|": 1, "&": 2, "-": 3, "@": 4}
Resolve = Callable[[str], Neighborhood]


class Token(NamedTuple):
    """A piece of an expression: what it is, its text, and where it begins, from 1."""

    kind: str
    text: str
    at: int


def is_expression(text: str) -> bool:
    """Whether the text is more than one name.

    >>> is_expression("trans1 @ trans1"), is_expression("training-set")
    (True, False)
    """
    return re.search(r"[|&@(),'\"]|\s-\s", text) is not None


def parse(text: str, resolve: Resolve) -> Neighborhood:
    """The neighborhood that an expression describes.

    ``resolve``: from a single name or path to its neighborhood; raises NeighborhoodError where it
    is none.

    >>> from fstce import neighborhood
    >>> parse("(trans1 | del1word) - trans1", neighborhood)("a b c".split()).count()
    4
    """
    try:
        return _Parser(text, resolve).whole()
    except RecursionError:
        raise NeighborhoodError(
            f"{text[:40]!r}…: too many brackets within brackets; take some away"
        ) from None


class _Parser:
    """Recursive descent; operators by their strength."""

    def __init__(self, text: str, resolve: Resolve) -> None:
        self.text = text
        self.resolve = resolve
        self.tokens = _tokens(text)
        self.next = 0

    def whole(self) -> Neighborhood:
        result = self.union()
        if self.peek().kind != "end":
            raise self.error("an operator (| & - @) or the end")
        return result

    def union(self, least: int = 1) -> Neighborhood:
        """Operators of this strength and of greater, from the left."""
        result = self.atom()
        while (strength := _STRENGTH.get(self.peek().text, 0)) >= least:
            sign = self.take()
            operand = self.union(strength + 1)
            result = self.made(sign, Combination, sign.text, result, operand)
        return result

    def atom(self) -> Neighborhood:
        token = self.peek()
        if token.text == "(":
            self.take()
            inner = self.union()
            self.expect(")")
            return inner

        if token.text == "restrict" and self.peek(1).text == "(":
            self.next += 2
            return self.restriction(token)

        single = self.made(token, self.resolve, self.word("a neighborhood"))
        if self.peek().text == "(":
            return self.with_arguments(single)
        return single

    def with_arguments(self, neighborhood: Neighborhood) -> Neighborhood:
        """A neighborhood with its vocabulary and options, in brackets behind it."""
        opening = self.take()
        path = None
        options = {}

        while self.peek().text != ")":
            if self.peek(1).text == "=":
                option = self.word("an option")
                self.expect("=")
                options[option] = self.word("a value")
            elif path is None and not options:
                path = self.word("a file of words, or an option and =")
            else:
                raise self.error("an option and =")
            if self.peek().text != ")":
                self.expect(",")

        self.expect(")")
        if not isinstance(neighborhood, OverVocabulary):
            message = (
                f"{neighborhood.name} takes no vocabulary and no options; leave the brackets out"
            )
            raise NeighborhoodError(f"{self.place(opening)}: {message}")
        return self.made(opening, with_arguments, neighborhood, path, options)

    def restriction(self, function: Token) -> Neighborhood:
        """The neighborhood and the class of words in the brackets."""
        inner = self.union()
        self.expect(",")
        words = self.made(self.peek(), word_class, self.word("a class of words"))
        self.expect(")")
        return self.made(function, Restriction, inner, words)

    def word(self, wanted: str) -> str:
        """The next token, which is a name or quoted, without its quotes."""
        if self.peek().kind not in ("name", "quoted"):
            raise self.error(wanted)
        token = self.take()
        return token.text[1:-1] if token.kind == "quoted" else token.text

    def peek(self, ahead: int = 0) -> Token:
        return self.tokens[min(self.next + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        self.next += 1
        return self.tokens[self.next - 1]

    def expect(self, sign: str) -> None:
        if self.peek().text != sign:
            raise self.error(repr(sign))
        self.take()

    def made(self, token: Token, make: Callable[..., Any], *arguments: Any) -> Any:
        """The result of `make`, whose errors say where in the expression they arose."""
        try:
            return make(*arguments)
        except (MachineError, NeighborhoodError) as error:
            raise type(error)(f"{self.place(token)}: {error}") from None

    def error(self, wanted: str) -> NeighborhoodError:
        token = self.peek()
        there = "the expression ends" if token.kind == "end" else f"there is {token.text!r}"
        return NeighborhoodError(f"{self.place(token)}: {wanted} is wanted, but {there}")

    def place(self, token: Token) -> str:
        return f"{self.text!r}, character {token.at}"


def _tokens(text: str) -> list[Token]:
    """The pieces of an expression, an empty one last."""
    tokens = [
        Token(str(match.lastgroup), match[0], match.start() + 1) for match in _TOKEN.finditer(text)
    ]
    for token in tokens:
        if token.kind == "strange":
            raise NeighborhoodError(
                f"{text!r}, character {token.at}: {token.text!r} cannot stand there; quote paths"
            )
    return [*tokens, Token("end", "", len(text.rstrip()) + 1)]
