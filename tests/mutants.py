"""Mutants: whether the tests notice when the heart is wrong; ``make mutants``.

A plugin of pytest, a seeded sample. A mutant has another operator, constant, condition, result, keyword
argument, or lacks a call or a refusal; texts of messages are left alone. In a forked child of the process
that has collected the tests the code of the function is exchanged, and the tests that cover the statement
run, the quickest first, until one fails. Coverage says which these are (``--cov-context=test``), a run
without a mutant how long each takes. What is in the log is not done again.
"""

from __future__ import annotations

import ast
import copy
import gc
import json
import os
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import coverage
import pytest
from _pytest.main import pytest_runtestloop as run_tests

from tests.campaign.child import call

ROOMS = ("wfsa", "chart", "machines", "estimation")
FOUND, SLOW, SURVIVED, BARE = "found", "found by time", "survived", "no test covers it"
_MEGABYTES, _LEAST = 4000, 20.0  # memory of a child; seconds that it has at least
_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.MatMult: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitXor: ast.BitAnd,
}  # fmt: skip


class Site(NamedTuple):
    """A node of a module's tree, what takes its place, and the line of the statement that it is in."""

    node: ast.AST
    new: ast.AST
    line: int


def sites(tree: ast.AST) -> list[Site]:
    """All mutants of the bodies of functions, in the order of the text."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inner = {
        id(node) for function in functions for node in ast.walk(function) if node is not function
    }
    found = []
    for function in functions:
        if id(function) not in inner:
            for statement in function.body[ast.get_docstring(function) is not None :]:
                found += list(_within(statement, statement.lineno))
    return found


def _within(node: ast.AST, line: int) -> Iterator[Site]:
    line = node.lineno if isinstance(node, ast.stmt) else line
    for new in _others(node):
        yield Site(node, ast.copy_location(new, node), line)
    if isinstance(node, ast.Raise):
        return
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _within(child, line)


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """What could take the node's place."""
    if isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)) and type(node.op) in _SWAPS:
        yield _with(node, op=_SWAPS[type(node.op)]())
    if isinstance(node, ast.Compare):
        yield _with(node, ops=[_SWAPS[type(node.ops[0])](), *node.ops[1:]])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield ast.Constant(node.value + 1)
    if isinstance(node, (ast.If, ast.While, ast.IfExp)) and isinstance(
        node.test, (ast.Name, ast.Attribute, ast.Call)
    ):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    if (
        isinstance(node, ast.Return)
        and node.value is not None
        and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Return(ast.Constant(None))
    if isinstance(node, ast.Raise) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()
    if isinstance(node, (ast.Continue, ast.Break)):
        yield ast.Break() if isinstance(node, ast.Continue) else ast.Continue()
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            yield _with(node, keywords=[other for other in node.keywords if other is not keyword])


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


class _Exchange(ast.NodeTransformer):
    def __init__(self, site: Site) -> None:
        self.site = site

    def visit(self, node: ast.AST) -> ast.AST:
        return self.site.new if node is self.site.node else self.generic_visit(node)


def mutate(path: Path, number: int) -> None:
    """Exchange the code of a loaded module's functions for that of a mutant."""
    tree = ast.parse(path.read_bytes())
    new = ast.fix_missing_locations(_Exchange(sites(tree)[number]).visit(tree))
    codes = {
        (code.co_name, code.co_firstlineno): code
        for code in _codes(compile(new, str(path), "exec"))
    }
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == str(path):
            old = function.__code__
            function.__code__ = codes.get((old.co_name, old.co_firstlineno), old)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mutants")
    group.addoption("--mutants", type=int, default=500)
    group.addoption("--mutant-seed", type=int, default=1)
    group.addoption("--mutant-minutes", type=float, default=120.0)
    group.addoption(
        "--mutant-tests", type=float, default=60.0, help="seconds of tests that a mutant meets"
    )
    group.addoption("--mutant-log", type=Path, default=Path("build/mutants"))
    group.addoption("--mutant", help="one mutant, as the log names it")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of the tests, the mutants."""
    option = session.config.option
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(option.mutant_log / "hypothesis")
    option.mutant_log.mkdir(parents=True, exist_ok=True)
    seconds = _seconds(session, option.mutant_log / "seconds.json")
    log = option.mutant_log / "log.jsonl"
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    done = {row["mutant"] for row in rows} if not option.mutant else set()
    until = time.monotonic() + 60 * option.mutant_minutes
    for mutant in [option.mutant] if option.mutant else _sample(option.mutants, option.mutant_seed):
        if mutant not in done and time.monotonic() < until:
            rows.append(_row(session, mutant, seconds))
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(rows[-1]) + "\n")
    for row in rows:
        if row["end"] in (SURVIVED, BARE):
            print(f"\n{row['end']}: {row['mutant']}: {row['change']}", end="")
    noticed = sum(row["end"] in (FOUND, SLOW) for row in rows)
    print(f"\n{noticed} of {len(rows)} mutants found")
    return True


def _sample(number: int, seed: int) -> list[str]:
    """Mutants as ``path:number``."""
    paths = sorted(path for room in ROOMS for path in Path("fstce", room).glob("*.py"))
    names = [
        f"{path}:{i}" for path in paths for i in range(len(sites(ast.parse(path.read_bytes()))))
    ]
    print(f"\n{len(names):,} mutants, of which {number}")
    return Random(seed).sample(names, min(number, len(names)))


def _row(session: pytest.Session, mutant: str, seconds: dict[str, float]) -> dict[str, Any]:
    """The end of a mutant."""
    name, _, number = mutant.rpartition(":")
    path = Path(name).resolve()
    site = sites(ast.parse(path.read_bytes()))[int(number)]
    tests = {
        test for line in {site.line, site.node.lineno} for test in _covering(path).get(line, ())
    } & set(seconds)
    ordered = sorted(
        (item for item in session.items if item.nodeid in tests),
        key=lambda item: seconds[item.nodeid],
    )
    until = accumulate(seconds[item.nodeid] for item in ordered)
    most = session.config.option.mutant_tests
    items = [
        item for item, at in zip(ordered, until, strict=True) if at < most or item is ordered[0]
    ]
    began = time.monotonic()
    limit = _LEAST + 5 * sum(seconds[item.nodeid] for item in items)
    end = SURVIVED
    if items:
        ended = call(
            lambda: _failed(session, items, path, int(number)), seconds=limit, megabytes=_MEGABYTES
        )
        end = SLOW if ended.code is None else FOUND if ended.code else SURVIVED
    change = f"line {site.node.lineno}: {_shown(site.node)} -> {_shown(site.new)}"
    taken = round(time.monotonic() - began, 2)
    return {
        "mutant": mutant,
        "end": end if items else BARE,
        "change": change,
        "tests": len(items),
        "seconds": taken,
    }


def _shown(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0][:150]


def _covering(path: Path) -> dict[int, list[str]]:
    """The tests that run each line of a file."""
    if path not in _known:
        data = coverage.CoverageData(os.environ.get("COVERAGE_FILE", ".coverage"))
        data.read()
        by_line = data.contexts_by_lineno(str(path))
        _known[path] = {
            line: [name.partition("|")[0] for name in names] for line, names in by_line.items()
        }
    return _known[path]


_known: dict[Path, dict[int, list[str]]] = {}


def _failed(session: pytest.Session, items: list[pytest.Item], path: Path, number: int) -> int:
    """In a child: whether a test fails on the mutant."""
    mutate(path, number)
    return _run(session, items, exit_first=True)


def _run(session: pytest.Session, items: list[pytest.Item], exit_first: bool) -> int:
    session.items = items
    session.config.option.maxfail = int(exit_first)
    try:
        run_tests(session)
    except session.Failed:
        return 1
    return int(session.testsfailed > 0)


def _seconds(session: pytest.Session, path: Path) -> dict[str, float]:
    """How long each test takes that passes on the code as it is."""
    if not path.exists():
        taken: dict[str, float] = {}

        class Clock:
            def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
                taken[report.nodeid] = taken.get(report.nodeid, 0.0) + report.duration
                if not report.passed:
                    taken[report.nodeid] = float("inf")

        def work() -> int:
            session.config.pluginmanager.register(Clock())
            _run(session, list(session.items), exit_first=False)
            path.write_text(
                json.dumps({test: taken[test] for test in taken if taken[test] < float("inf")})
            )
            return 0

        call(work, seconds=3600.0, megabytes=None)
    return dict(json.loads(path.read_text()))
