"""Exercises that grade themselves: a function without an answer, and a check of what it returns.

A lesson is a script: `python examples/lessons/lesson_01.py` runs it and tells which exercises are
right. An exercise is answered by writing its function. All lessons with the instructor's answers,
which stand in `key/`: `python examples/lessons/grading.py --key`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Check = Callable[[Callable[..., Any]], bool]
EXERCISES: dict[str, list[tuple[Callable[..., Any], Check]]] = {}


def exercise(check: Check) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function that is to be written, and what must hold of it."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        EXERCISES.setdefault(function.__module__, []).append((function, check))
        return function

    return register


def grade(lesson: str, key: Any = None) -> bool:
    """Tell of each exercise whether it is right; whether all are."""
    right = 0
    for function, check in EXERCISES[lesson]:
        answer = function if key is None else getattr(key, function.__name__)
        try:
            verdict = "right" if check(answer) is True else "not yet"
        except Exception as error:
            verdict = f"not yet ({type(error).__name__}: {error})"
        right += verdict == "right"
        print(f"  {function.__name__}: {verdict}")
    print(f"{right} of {len(EXERCISES[lesson])} exercises are right")
    return right == len(EXERCISES[lesson])


def main(arguments: list[str]) -> int:
    """Run lessons by name, or all; with ``--key`` the instructor's answers are graded."""
    with_key = "--key" in arguments
    names = [name for name in arguments if name != "--key"]
    lessons = names or sorted(path.stem for path in HERE.glob("lesson_*.py"))
    sys.path[:0] = [str(HERE)]
    sys.modules["grading"] = sys.modules[__name__]  # lessons register with this very module
    done = True
    for lesson in lessons:
        module = importlib.import_module(lesson)
        print(f"\n{(module.__doc__ or lesson).splitlines()[0]}")
        key = importlib.import_module(f"key.{lesson}") if with_key else None
        done = grade(lesson, key) and done
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
