"""The docstring of a class, with a section of its parameters that is made of its table.

>>> from fstce import Tagger
>>> lines = iter(Tagger.__doc__.splitlines())
>>> next(line for line in lines if line.startswith("order"))
'order : a whole number from 1 to 3, default 3'
>>> next(lines)
'    The length of a tag n-gram.'
"""

from __future__ import annotations

import inspect
import re
from abc import ABCMeta
from collections.abc import Iterator
from textwrap import fill

from fstce.parameters.tables import parameters


class Overview(ABCMeta):
    """The kind of a public class.

    Its docstring has the section *Parameters*, made when it is read.
    """

    @property
    def __doc__(cls) -> str | None:
        written = vars(cls).get("__doc__")
        if not written or not getattr(
            cls, "rules", None
        ):  # Python leaves docstrings out, or no table
            return written and inspect.cleandoc(written)

        head, *sections = re.split(r"^(?=[A-Z][a-z]+\n-+\n)", inspect.cleandoc(written), flags=re.M)
        section = "\n".join(("Parameters", "----------", *_entries(cls)))
        return "\n\n".join(part.strip() for part in (head, section, *sections))

    @__doc__.setter
    def __doc__(cls, text: str | None) -> None:  # dataclasses write a signature where there is none
        vars(type)["__doc__"].__set__(cls, text)


def _entries(cls: type) -> Iterator[str]:
    """Each parameter that has a rule, as numpydoc has it."""
    for name, parameter in parameters(cls).items():
        default = ""
        if parameter.default is not inspect.Parameter.empty:
            default = f", default {parameter.default!r}"

        yield f"{name} : {parameter.rule.allowed}{default}"
        yield fill(parameter.rule.help, 96, initial_indent="    ", subsequent_indent="    ")
