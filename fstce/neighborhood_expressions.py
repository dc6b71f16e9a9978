"""Expressions of neighbourhoods: ``trans1 | del1word``, ``restrict(del1word, function-words)``.

::

    union        = difference { "|" difference }        weakest, as in Python
    ...          "&" intersection, "-" difference, "@" composition, "**" power: strongest
    atom         = name | path | 'quoted path' | "(" union ")"
                 | "restrict" "(" union "," class ")" | "limit" "(" union "," number ")"

A hyphen within a name belongs to it; the minus of a difference stands between spaces. Names
and paths are those of :func:`fstce.neighborhoods.neighborhood`; a class of words is a name of
:mod:`fstce.neighborhood_algebra` or a file of words, one a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from fstce.errors import MachineError, NeighborhoodError
from fstce.neighborhoods import Neighborhood, named, unknown

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>'[^']*'|"[^"]*")|(?P<name>[\w./~][\w./~:+-]*)|(?P<sign>\*\*|[|&@(),-]))"""
)
_LEVELS = ("|", "&", "-", "@")
FUNCTIONS = ("restrict", "limit")
Result = TypeVar("Result")


class Token(NamedTuple):
    """A piece of an expression: what it is, its text, and where it begins, from 1."""

    kind: str
    text: str
    at: int


def is_expression(text: str) -> bool:
    """Whether the text is more than one name.

    Examples
    --------
    >>> is_expression("trans1 @ trans1"), is_expression("training-set")
    (True, False)
    """
    return re.search(r"[|&@(),'\"]|\*\*|\s-\s", text) is not None


def parse(text: str) -> Neighborhood:
    """The neighbourhood that an expression describes.

    Raises
    ------
    NeighborhoodError
        The expression is not well formed, or names what is unknown; points at the place.

    Examples
    --------
    >>> parse("(trans1 | del1word) - trans1")("a b c".split()).count()
    4
    """
    try:
        return _Parser(text).whole()
    except RecursionError:
        raise NeighborhoodError(
            f"{text[:40]!r}…: too many brackets within brackets; take some away"
        ) from None


class _Parser:
    """Recursive descent, one method a level of precedence."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.next = 0

    def whole(self) -> Neighborhood:
        found = self.level(0)
        if self.peek().kind != "end":
            raise self.error("an operator (| & - @ **) or the end")
        return found

    def level(self, depth: int) -> Neighborhood:
        """Operators of one strength, from the left."""
        from fstce.neighborhood_algebra import combine

        if depth == len(_LEVELS):
            return self.power()
        left = self.level(depth + 1)
        while (token := self.peek()).text == _LEVELS[depth] and token.kind == "sign":
            self.take()
            right = self.level(depth + 1)
            left = self.told(token, partial(combine, token.text, left, right))
        return left

    def power(self) -> Neighborhood:
        from fstce.neighborhood_algebra import power

        base = self.atom()
        while (token := self.peek()).text == "**":
            self.take()
            times = self.number("a number of steps")
            base = self.told(token, partial(power, base, times))
        return base

    def atom(self) -> Neighborhood:
        token = self.peek()
        if token.text == "(" and token.kind == "sign":
            self.take()
            inner = self.level(0)
            self.expect(")")
            return inner
        if token.kind not in ("name", "quoted"):
            raise self.error("a neighbourhood")
        self.take()
        if token.kind == "name" and token.text in FUNCTIONS and self.peek().text == "(":
            return self.call(token)
        name = token.text.strip("'\"") if token.kind == "quoted" else token.text
        found = self.told(token, partial(named, name))
        if found is None:
            raise NeighborhoodError(f"{self.place(token)}: {unknown(name)}")
        return found

    def call(self, function: Token) -> Neighborhood:
        """``restrict(…, class)`` or ``limit(…, number)``."""
        from fstce.neighborhood_algebra import limit, restrict
        from fstce.neighborhood_text import word_class

        self.expect("(")
        inner = self.level(0)
        self.expect(",")
        if function.text == "limit":
            states = self.number("a number of states")
            result = self.told(function, partial(limit, inner, states))
        else:
            token = self.peek()
            if token.kind not in ("name", "quoted"):
                raise self.error("a class of words")
            self.take()
            words = self.told(token, partial(word_class, token.text.strip("'\"")))
            result = self.told(token, partial(restrict, inner, words))
        self.expect(")")
        return result

    def number(self, what: str) -> int:
        token = self.peek()
        if not (token.kind == "name" and token.text.isascii() and token.text.isdecimal()):
            raise self.error(what)
        self.take()
        return int(token.text)

    def peek(self) -> Token:
        return self.tokens[self.next]

    def take(self) -> None:
        self.next += 1

    def expect(self, sign: str) -> None:
        if self.peek().text != sign or self.peek().kind != "sign":
            raise self.error(repr(sign))
        self.take()

    def told(self, token: Token, work: Callable[[], Result]) -> Result:
        """The work's result; an error of its says where in the expression it arose."""
        try:
            return work()
        except (MachineError, NeighborhoodError) as error:
            raise type(error)(f"{self.place(token)}: {error}") from None

    def error(self, wanted: str) -> NeighborhoodError:
        token = self.peek()
        found = "the expression ends" if token.kind == "end" else f"there is {token.text!r}"
        return NeighborhoodError(f"{self.place(token)}: {wanted} is wanted, but {found}")

    def place(self, token: Token) -> str:
        return f"{self.text!r}, character {token.at}"


def _tokens(text: str) -> list[Token]:
    """The pieces of an expression, an empty one last."""
    tokens, at = [], 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            place = at + len(text[at:]) - len(text[at:].lstrip())
            raise NeighborhoodError(
                f"{text!r}, character {place + 1}: {text[place]!r} cannot stand there; quote paths"
            )
        kind = match.lastgroup or ""
        tokens.append(Token(kind, match[kind], match.start(kind) + 1))
        at = match.end()
    return [*tokens, Token("end", "", end + 1)]
