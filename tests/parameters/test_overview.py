"""Docstrings that are made of tables: a section of parameters, between the text and what follows."""

from __future__ import annotations

from typing import ClassVar

from fstce.parameters.overview import Overview
from fstce.parameters.rules import Table, integer


class Sized(metaclass=Overview):
    """A thing.

    More of it.

    Examples
    --------
    >>> Sized(2).size
    2
    """

    rules: ClassVar[Table] = {"size": integer(1, 3).says("How large it is.")}

    def __init__(self, size: int = 1) -> None:
        self.size = size


class Bare(metaclass=Overview):
    """A thing without a table."""


def test_the_section_stands_before_the_others() -> None:
    lines = str(Sized.__doc__).split("\n")
    assert lines[0] == "A thing." and lines.index("Parameters") < lines.index("Examples")
    place = lines.index("size : a whole number from 1 to 3, default 1")
    assert lines[place + 1] == "    How large it is."


def test_a_class_without_a_table_has_its_own_text() -> None:
    assert Bare.__doc__ == "A thing without a table."


def test_a_subclass_has_its_own_table() -> None:
    class Smaller(Sized):
        """A small thing."""

        rules: ClassVar[Table] = {"size": integer(1, 2).says("At most two.")}

    assert "from 1 to 2" in str(Smaller.__doc__) and "from 1 to 3" in str(Sized.__doc__)
