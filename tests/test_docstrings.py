"""What people import and what pages name is documented: parameters, what comes back, a run example."""

from __future__ import annotations

import inspect
import pydoc
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fstce

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.py")]
NAMED = set(re.findall(r"\.(\w+)", "\n".join(page.read_text(encoding="utf-8") for page in PAGES)))


def documented() -> Iterator[tuple[str, Any]]:
    """The functions and classes of ``fstce.__all__``, and the methods, inherited too, that a page names."""
    for name in fstce.__all__:
        thing = getattr(fstce, name)
        if callable(thing):
            yield name, thing
        if inspect.isclass(thing):
            for home in thing.__mro__:
                if home.__module__.startswith("fstce."):
                    yield from methods(home)


def methods(home: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class itself defines, with the docs that they inherit."""
    for name in vars(home):
        value = getattr(home, name, None)
        if (
            name in NAMED
            and not name.startswith("_")
            and (inspect.isroutine(value) or isinstance(value, property))
        ):
            yield f"{home.__name__}.{name}", value


def has(thing: Any, *sections: str) -> bool:
    doc = inspect.getdoc(thing) or ""
    return any(f"{section}\n{'-' * len(section)}" in doc for section in sections)


def takes_something(function: Callable[..., Any]) -> bool:
    return bool(set(inspect.signature(function).parameters) - {"self", "cls"})


def returns_something(function: Callable[..., Any]) -> bool:
    return inspect.signature(function).return_annotation not in ("None", None)


def test_the_walk_finds_the_api() -> None:
    names = dict(documented())
    assert {
        "Tagger.fit",
        "TagDictionary.from_corpus",
        "Estimator.save",
        "explain",
        "Lattice",
    } <= set(names)
    assert len(names) > 70


def test_everything_public_has_an_example() -> None:
    assert [
        name for name, thing in documented() if ">>>" not in (inspect.getdoc(thing) or "")
    ] == []


def test_parameters_and_returns_have_sections() -> None:
    functions = [(name, thing) for name, thing in documented() if inspect.isroutine(thing)]
    silent = [name for name, f in functions if takes_something(f) and not has(f, "Parameters")]
    assert silent == []
    silent = [
        name for name, f in functions if returns_something(f) and not has(f, "Returns", "Yields")
    ]
    assert silent == []


@pytest.mark.parametrize("name", sorted({*fstce.__all__} - {"__version__"}))
def test_help_fits_two_screens(name: str) -> None:
    lines = pydoc.plain(pydoc.render_doc(getattr(fstce, name))).splitlines()
    assert sum(-(-len(line) // 100) or 1 for line in lines) <= 100


def test_help_names_every_parameter_and_method_and_says_where_all_of_it_is() -> None:
    shown = pydoc.plain(pydoc.render_doc(fstce.Tagger))
    for parameter in inspect.signature(fstce.Tagger).parameters:
        assert f"\n |  {parameter}" in shown
    methods = [name for name in dir(fstce.Tagger) if not name.startswith("_")]
    assert {"fit", "save", "load"} <= set(methods)
    for name in methods:
        if inspect.isroutine(getattr(fstce.Tagger, name)):
            assert f"\n |  {name}(" in shown
    assert f"order=3 : {fstce.Tagger.rules['order'].help}"[:60] in shown
    assert "A new or empty folder" in pydoc.plain(pydoc.render_doc(fstce.Tagger.save))
    shown = pydoc.plain(pydoc.render_doc(fstce.Neighborhood))
    assert "\n |  __call__(words" in shown and "\n |  has_transducer : " in shown
