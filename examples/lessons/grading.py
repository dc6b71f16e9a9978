"""Grade a lesson's functions by its checks, which stand in `checks/`, out of the student's file.

A lesson is a script, and a notebook on the site: each function is written in place of its `...`, and
the last cell says which are right, else on what they are not, what was expected and what they gave.
All lessons with the instructor's answers, which stand in `key/`: `python examples/lessons/grading.py --key`.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from reprlib import Repr
from types import ModuleType
from typing import Any

import numpy as np

HERE = Path(__file__).parent
SHORT = Repr()
SHORT.maxlist = SHORT.maxset = SHORT.maxdict = SHORT.maxtuple = 8
SHORT.maxother = SHORT.maxstring = 60


@dataclass(frozen=True)
class Case:
    """What an exercise is called with, and what is expected of (a view of) what it returns."""

    arguments: tuple[Any, ...]
    expected: Any
    view: Callable[[Any], Any]
    says: str

    def fault(self, name: str, function: Callable[..., Any]) -> str:
        """Empty where the function is right on this case, else what it should say."""
        call = self.says or f"{name}({', '.join(map(SHORT.repr, self.arguments))})"
        try:
            result = function(*self.arguments)
            if result is ...:
                return f"{name}: not answered yet"
            got = self.view(result)
            right = same(self.expected, got)
        except Exception as error:
            return (
                f"{call}: expected {SHORT.repr(self.expected)}, got {type(error).__name__}: {error}"
            )
        return (
            "" if right else f"{call}: expected {SHORT.repr(self.expected)}, got {SHORT.repr(got)}"
        )


def case(
    *arguments: Any, gives: Any, view: Callable[[Any], Any] | None = None, says: str = ""
) -> Case:
    """A case, as checks write it: ``case(3, gives=6)``."""
    return Case(arguments, gives, view or (lambda result: result), says)


def same(expected: Any, got: Any) -> bool:
    """Whether two values agree, numbers to six digits, within lists and mappings, too."""
    if isinstance(expected, Mapping):
        return (
            isinstance(got, Mapping)
            and expected.keys() == got.keys()
            and all(same(value, got[key]) for key, value in expected.items())
        )
    if isinstance(expected, (set, frozenset)):
        return expected == set(got)
    if isinstance(expected, (list, tuple, np.ndarray)):
        return len(expected) == len(got) and all(map(same, expected, got))
    if isinstance(expected, (float, np.floating)):
        return math.isclose(expected, got, rel_tol=1e-6, abs_tol=1e-9)
    return bool(expected == got)


def grade(lesson: str, answers: Mapping[str, Any]) -> bool:
    """Say of each exercise whether it is right; whether all are."""
    lines = ModuleType(lesson)  # what checks and the key import, of a script or a notebook, too
    vars(lines).update(answers)
    sys.modules.setdefault(lesson, lines)
    checks = importlib.import_module(f"checks.{lesson}").CHECKS
    right = 0
    for name, cases in checks.items():
        faults = (one.fault(name, answers[name]) for one in cases)
        fault = next(filter(None, faults), "")
        right += not fault
        print(f"  {fault or f'{name}: right'}")
    print(f"{right} of {len(checks)} exercises are right")
    return right == len(checks)


def main(arguments: list[str]) -> int:
    """Grade lessons by name, or all; with ``--key`` the instructor's answers."""
    with_key = "--key" in arguments
    names = [name for name in arguments if name != "--key"]
    lessons = names or sorted(path.stem for path in HERE.glob("lesson_*.py"))
    sys.path[:0] = [str(HERE)]
    sys.modules["grading"] = sys.modules[__name__]  # checks import it by that name
    done = True
    for lesson in lessons:
        module = importlib.import_module(lesson)
        print(f"\n{(module.__doc__ or lesson).strip().splitlines()[0]}")
        answers = importlib.import_module(f"key.{lesson}") if with_key else module
        done = grade(lesson, vars(answers)) and done
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
