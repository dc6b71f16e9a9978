"""The public names with their parameters: nothing goes or loses a parameter in silence.

Run: python .ci/public_api.py [--write] [--last-tag]

Compared are the classes and functions of fstce.__all__ and of the rooms' with the list in
tests/golden/public_api.txt, which --write renews; with --last-tag, by griffe, with the last tag, where there
are both.
"""

from __future__ import annotations

import importlib.util
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LISTED = ROOT / "tests" / "golden" / "public_api.txt"
ROOMS = ("corpora", "evaluation", "machines", "neighborhoods", "chart", "errors")


def parameters(call: Any) -> list[str]:
    """The names of what can be given."""
    try:
        names = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return []
    return [name for name in names if name != "self"]


def public() -> Iterator[str]:
    """A line for each name and each of its parameters."""
    import fstce

    rooms = [("fstce", fstce), *((f"fstce.{room}", getattr(fstce, room)) for room in ROOMS)]
    for prefix, room in rooms:
        for name in sorted(room.__all__):
            value = getattr(room, name)
            yield f"{prefix}.{name}"
            if not callable(value):
                continue
            yield from (f"{prefix}.{name}({one})" for one in parameters(value))
            for method, call in sorted(vars(value).items()) if inspect.isclass(value) else ():
                if not method.startswith("_"):
                    yield f"{prefix}.{name}.{method}"
                    yield from (f"{prefix}.{name}.{method}({one})" for one in parameters(call))


def against_last_tag() -> int:
    """What griffe says."""
    tag = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0"], cwd=ROOT, capture_output=True, text=True
    )
    missing = (
        "no tag" if tag.returncode else "" if importlib.util.find_spec("griffe") else "no griffe"
    )
    if missing:
        print(f"skipped: there is {missing} to compare the public API by")
        return 0
    command = [sys.executable, "-m", "griffe", "check", "fstce", "--against", tag.stdout.strip()]
    return subprocess.run(command, cwd=ROOT).returncode


def main(arguments: list[str]) -> int:
    """1 where something went."""
    now = list(public())
    if "--write" in arguments:
        LISTED.write_text("".join(f"{line}\n" for line in now), encoding="utf-8")
    gone = [
        line for line in LISTED.read_text(encoding="utf-8").splitlines() if line not in set(now)
    ]
    for line in gone:
        print(f"gone: {line}")
    if gone:
        print("say in CHANGELOG.md what to use, then: python .ci/public_api.py --write")
        return 1
    return against_last_tag() if "--last-tag" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
