"""What a parameter may be: one frozen rule for its kind and bounds, in words and as a check.

>>> order = integer(1, 3)
>>> order.allowed, order.admits(2), order.admits(True)
('a whole number from 1 to 3', True, False)
>>> real(0, above=True).or_none().check(sigma2="x")
Traceback (most recent call last):
fstce.errors.ParameterError: sigma2='x': give a number above 0, or None

Rules know no class above them, so that tables of them are read without OpenFst or scipy.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf, isnan
from numbers import Integral, Real
from typing import Any

from fstce.errors import ParameterError

LARGE = 2**31


@dataclass(frozen=True)
class Rule:
    """The values that a parameter may take.

    ``kind``: no bool is a number, no string a sequence, and NaN is no value of any kind. ``low``,
    ``high``: the bounds of a number, which may be equal to them; of a sequence or mapping, of its
    length. A whole number without an upper bound is below 2**31. ``above``, ``below``: whether a
    number must differ from the lower or the upper bound. ``choices``: of a choice; of a mapping the
    keys, if only some are allowed. ``item``: of the items of a sequence or the values of a mapping.
    ``holds``: what must be true of a value besides. ``words``: what is allowed, where the rest does
    not say it well. ``help``: what the value is for.
    """

    kind: str
    low: float | None = None
    high: float | None = None
    above: bool = False
    below: bool = False
    choices: tuple[str, ...] = ()
    item: Rule | None = None
    holds: Callable[[Any], bool] | None = None
    words: str = ""
    optional: bool = False
    other: Rule | None = None
    help: str = ""

    def or_none(self) -> Rule:
        """This rule, or None."""
        return replace(self, optional=True)

    def says(self, help: str) -> Rule:
        """This rule with a help text."""
        return replace(self, help=help)

    def __or__(self, other: Rule) -> Rule:
        """Either of two rules."""
        return replace(self, other=other)

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        ways = [self.words or self._described()]
        if self.other:
            ways.append(self.other.allowed)
        if self.optional:
            ways.append("None")
        return ", or ".join(ways)

    def admits(self, value: Any) -> bool:
        """Whether a value is allowed."""
        if value is None and self.optional:
            return True
        if _KINDS[self.kind](self, value) and (self.holds is None or self.holds(value)):
            return True
        return self.other is not None and self.other.admits(value)

    def check(self, **values: Any) -> None:
        """Raise ParameterError at the first of these values, by name, that is not allowed."""
        for name, value in values.items():
            if not self.admits(value):
                raise ParameterError(f"{name}={shown(value)}: {self.advice(value)}")

    def advice(self, value: Any) -> str:
        """Advice on what to give in place of a value that is not allowed."""
        verb = "choose" if self.kind == "choice" else "give"
        hint = ""
        if isinstance(value, int) and value >= LARGE:
            hint = ", below 2**31"
        elif isinstance(value, str):
            hint = did_you_mean(value, self.choices)

        return f"{verb} {self.allowed}{hint}"

    def _described(self) -> str:
        if self.kind in ("integer", "real"):
            return _number(self)
        if self.kind == "choice":
            return f"one of {', '.join(self.choices)}"

        if self.kind in ("sequence", "mapping"):
            described = f"a {self.kind}"
            if self.low:
                described += " that is not empty"
            if self.choices:
                described += f" with keys among {', '.join(self.choices)}"
            if self.item:
                described += f", each {self.item.allowed}"
            return described

        return "a string"


def integer(low: int | None = None, high: int | None = None, words: str = "") -> Rule:
    """A whole number within bounds."""
    return Rule("integer", low, high, words=words)


def real(
    low: float = -inf, high: float | None = None, *, above: bool = False, below: bool = False
) -> Rule:
    """A number within bounds; finite, unless a bound that it may be equal to is not."""
    upper = inf if high is None else high
    return Rule("real", low, upper, above or low == -inf, below or high is None)


def choice(*names: str) -> Rule:
    """One of some names."""
    return Rule("choice", choices=names)


def sequence(
    item: Rule | None = None, *, least: int = 0, words: str = "", holds: Any = None
) -> Rule:
    """A collection that is no string and no mapping, of at least so many items."""
    return Rule("sequence", least, item=item, words=words, holds=holds)


def mapping(item: Rule | None = None, *keys: str, least: int = 0) -> Rule:
    """A mapping of at least so many keys; with keys, of these only."""
    return Rule("mapping", least, item=item, choices=keys)


def instance(words: str, *names: str, method: str = "") -> Rule:
    """An object of a class of one of these names, or with a method of this name."""

    def holds(value: Any) -> bool:
        return any(ancestor.__name__ in names for ancestor in type(value).__mro__) or (
            bool(method) and not isinstance(value, type) and callable(getattr(value, method, None))
        )

    return Rule("object", holds=holds, words=words)


Table = Mapping[str, Rule]
COUNT = integer(0)
POSITIVE = integer(1)
SHARE = real(0, 1)
FLAG = Rule("flag", words="True or False")
PATH = Rule("path", words="a path")
FUNCTION = Rule("function", words="a function")
# Of a word; lists of the web have billions
TOTAL = integer(0, 2**60, words="a whole number from 0 to 2**60")
SEED = integer(0, 2**64 - 1, words="a whole number from 0, below 2**64")


def is_listable(value: Any) -> bool:
    """Whether something is no text and no mapping and can be gone through."""
    if isinstance(value, str | bytes | Mapping):
        return False
    try:
        iter(value)
    except TypeError:
        return False
    return not isinstance(value, type)


def shown(value: Any, width: int = 60) -> str:
    """A value for a message, in one line that is not long."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a value may not be able to say what it is, as an int of 5,000 digits
        text = f"<{type(value).__name__}>"
    return text if len(text) <= width else f"{text[: width - 1]}…"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The nearest of the names as the end of a message; nothing where none is near."""
    near = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    if not near:
        return ""
    return f"; did you mean {near[0]!r}?"


def _number(rule: Rule) -> str:
    """The numbers that a rule allows, in words."""
    noun = "a whole number" if rule.kind == "integer" else "a number"
    words = [noun]

    if rule.low not in (None, -inf):
        words.append(f"{'above' if rule.above else 'from'} {rule.low:g}")
    if rule.high not in (None, inf):
        words.append(f"{'to below' if rule.below else 'to'} {rule.high:g}")
    elif len(words) == 1 and rule.kind == "real":
        words.append("that is finite")

    return " ".join(words)


def _is_within(rule: Rule, value: Any) -> bool:
    """Whether a value is within the bounds."""
    if rule.low is not None and (value < rule.low or (rule.above and value == rule.low)):
        return False
    if rule.high is None:
        return True
    return bool(value < rule.high or (value == rule.high and not rule.below))


def _is_integer(rule: Rule, value: Any) -> bool:
    if not isinstance(value, Integral) or _is_flag(rule, value):
        return False
    return _is_within(rule, int(value)) and (rule.high is not None or value < LARGE)


def _is_real(rule: Rule, value: Any) -> bool:
    if not isinstance(value, Real) or _is_flag(rule, value):
        return False
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond 1e308
        return False
    return not isnan(number) and _is_within(rule, number)


def _is_flag(rule: Rule, value: Any) -> bool:
    # numpy's bool is no subclass of Python's, and numpy is not loaded for it.
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def _is_path(rule: Rule, value: Any) -> bool:
    if not isinstance(value, str | os.PathLike):
        return False
    name = os.fspath(value)
    return isinstance(name, str) and bool(name) and "\0" not in name


def _is_sequence(rule: Rule, value: Any) -> bool:
    if not isinstance(value, Collection) or not is_listable(value):
        return False
    items = list(value)
    return _is_within(rule, len(items)) and (rule.item is None or all(map(rule.item.admits, items)))


def _is_mapping(rule: Rule, value: Any) -> bool:
    if not isinstance(value, Mapping) or not _is_within(rule, len(value)):
        return False
    keys_allowed = not rule.choices or all(
        isinstance(key, str) and key in rule.choices for key in value
    )
    return keys_allowed and (rule.item is None or all(map(rule.item.admits, value.values())))


_KINDS: Mapping[str, Callable[[Rule, Any], bool]] = {
    "integer": _is_integer,
    "real": _is_real,
    "flag": _is_flag,
    "choice": lambda rule, value: isinstance(value, str) and value in rule.choices,
    "text": lambda rule, value: isinstance(value, str),
    "path": _is_path,
    "sequence": _is_sequence,
    "mapping": _is_mapping,
    "function": lambda rule, value: callable(value) and not isinstance(value, type),
    "object": lambda rule, value: True,
}


def check(table: Table, **values: Any) -> None:
    """Raise ParameterError at the first of these values, by name, that a table does not allow."""
    for name, value in values.items():
        table[name].check(**{name: value})
