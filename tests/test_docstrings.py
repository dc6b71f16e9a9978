"""What people import and what pages name is documented: parameters, what comes back, a run example."""

from __future__ import annotations

import ast
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
        "Stored.save",
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


def paragraphs(text: str) -> list[str]:
    return [paragraph.strip() for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip()]


@pytest.mark.parametrize("room", ["fstce", "transducers", "grammars"])
def test_no_docstring_ends_in_an_ellipsis(room: str) -> None:
    cut = []
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                last = paragraphs(ast.get_docstring(node) or "")[-1:]
                cut += [f"{path}: {text}" for text in last if text.endswith(("…", "..."))]
    assert cut == []


def test_no_public_paragraph_ends_in_an_ellipsis() -> None:
    cut = []
    for name, thing in documented():
        for paragraph in paragraphs(inspect.getdoc(thing) or ""):
            if paragraph.endswith(("…", "...")):
                cut.append(f"{name}: {paragraph}")
    assert cut == []


class Mine(fstce.Tagger):
    """A tagger of a user's own."""

    def boast(self) -> str:
        """Say how good it is."""
        return "very"


def test_help_has_every_parameter_and_every_method() -> None:
    shown = pydoc.plain(pydoc.render_doc(Mine))
    for name, rule in fstce.Tagger.rules.items():
        assert f"\n |  {name} : {rule.allowed}" in shown
    for name, _ in inspect.getmembers(Mine, inspect.isroutine):
        assert name.startswith("_") or re.search(rf"^ \|  {name}\(|{name} = ", shown, re.M), name
    assert "Say how good it is." in shown


def test_who_asks_what_a_class_has_is_told() -> None:
    """Its `__dir__` lied to whoever asked through `inspect.classify_class_attrs`."""
    asked = {attribute.name for attribute in inspect.classify_class_attrs(Mine)}
    assert set(dir(Mine)) <= asked
    assert {"fit", "save", "boast"} <= asked


def documented_names(docstring: str) -> list[str]:
    """The names that the section *Parameters* of a docstring explains."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n\S|\Z)", docstring, re.M | re.S)
    if section is None:
        return []
    lines = re.findall(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: :.*)?$", section[1], re.M)
    return [name.strip("* ") for line in lines for name in line.split(",")]


def arguments_of(function: ast.FunctionDef) -> set[str]:
    """The names of the arguments of a function."""
    signature = function.args
    usual = (*signature.posonlyargs, *signature.args, *signature.kwonlyargs)
    packed = (signature.vararg, signature.kwarg)
    return {argument.arg for argument in (*usual, *filter(None, packed))}


@pytest.mark.parametrize("room", ["fstce", "transducers", "grammars"])
def test_what_is_explained_is_an_argument(room: str) -> None:
    wrong = []
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = documented_names(ast.get_docstring(node) or "")
                wrong += [f"{path}:{node.name}: {n}" for n in names if n not in arguments_of(node)]
    assert wrong == []
