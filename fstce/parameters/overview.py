"""The help of a class in two screens: a line for each parameter and each method.

>>> from fstce import Tagger
>>> next(line for line in Tagger.__doc__.splitlines() if line.startswith("order="))
'order=3 : The length of a tag n-gram.'
"""

from __future__ import annotations

import inspect
import re
import sys
from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator
from textwrap import shorten
from typing import Any

WIDTH = 96


class Overview(ABCMeta):
    """The kind of a public class: its docstring lists parameters and methods, and its help is no more.

    ``help(cls.method)`` says all of a method, ``cls.rules[name]`` of a parameter.
    """

    @property
    def __doc__(cls) -> str | None:
        own = vars(cls).get("__doc__")
        if not own:  # Python leaves docstrings out, or there is none
            return None
        head, *sections = re.split(r"^(?=[A-Z][a-z]+\n-+\n)", inspect.cleandoc(own), flags=re.M)
        parameters, methods = list(_parameters(cls)), list(_methods(cls))
        if parameters:
            more = (
                f"Each in full: ``{cls.__name__}.rules[name].help``; what it may be: ``.allowed``."
            )
            sections.insert(0, _section("Parameters", parameters, more))
        if methods:
            place = next(
                (i for i, text in enumerate(sections) if text.startswith("Examples")), len(sections)
            )
            name = re.split(r"\W", methods[-1])[0]
            sections.insert(
                place,
                _section("Methods", methods, f"Each in full: ``help({cls.__name__}.{name})``."),
            )
        return "\n\n".join(part.strip() for part in (head, *sections))

    @__doc__.setter
    def __doc__(
        cls, text: str | None
    ) -> None:  # a dataclass that has no docstring writes its signature there
        vars(type)["__doc__"].__set__(cls, text)

    def __dir__(cls) -> Iterable[str]:
        # help(cls) would repeat the whole help of each method; all others who ask are answered.
        if sys._getframe(1).f_code is inspect.classify_class_attrs.__code__:
            return []
        return super().__dir__()


def _parameters(cls: type) -> Iterator[str]:
    """A line for each parameter that has a rule."""
    rules = getattr(cls, "rules", {})
    for name, one in inspect.signature(cls).parameters.items():
        if name in rules:
            yield _line(
                name if one.default is one.empty else f"{name}={one.default!r}", rules[name].help
            )


def _methods(cls: type) -> Iterator[str]:
    """A line for each public method or property that is not the standard library's."""
    for name in dir(cls):
        method = getattr(cls, name) if name == "__call__" or not name.startswith("_") else None
        if isinstance(method, property):
            yield _line(name, method.__doc__ or "")
        elif (
            inspect.isroutine(method)
            and method.__module__.split(".")[0] not in sys.stdlib_module_names
        ):
            yield _line(_call(name, method), inspect.getdoc(method) or "")


def _call(name: str, method: Callable[..., Any]) -> str:
    """A method with the arguments that it must have."""
    given = [one for one in inspect.signature(method).parameters.values() if one.name != "self"]
    needed = [one.name for one in given if one.default is one.empty and one.kind != one.VAR_KEYWORD]
    return f"{name}({', '.join([*needed, '…'] if len(needed) < len(given) else needed)})"


def _line(what: str, doc: str) -> str:
    """What it is, and the first sentence about it."""
    sentence = re.split(r"(?<=\.)\s+(?=[A-Z`])|\n\n", doc, maxsplit=1)[0]
    return shorten(f"{what} : {sentence}", WIDTH, placeholder=" …")


def _section(title: str, lines: list[str], more: str) -> str:
    return "\n".join((title, "-" * len(title), *lines, "", more))
