"""The numeric tests on the oldest release of each dependency that setup.cfg allows, for the running Python.

Run: python .ci/oldest.py [arguments of pytest]    (make oldest; the environment is build/oldest)
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "oldest"
TESTS = tuple(f"tests/{room}" for room in ("numeric", "estimation", "wfsa", "chart", "machines"))
BESIDE = ("pytest>=8", "pytest-xdist>=3", "hypothesis>=6.90")  # what these tests themselves need


def oldest() -> list[str]:
    """The lower bound of each core dependency, pinned."""
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    lines = setup["options"]["install_requires"].splitlines()
    found = [re.match(r"([\w-]+)>=([\w.]+)", line.strip()) for line in lines if line.strip()]
    return [f"{match[1]}=={match[2]}" for match in found if match]


def main(arguments: list[str]) -> int:
    """Make the environment unless it is there, and run the tests in it."""
    python = PLACE / "bin" / "python"
    pins = oldest()
    made = PLACE / "made-of"
    if not made.is_file() or made.read_text(encoding="utf-8").split() != pins:
        shutil.rmtree(PLACE, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", PLACE], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        report = subprocess.run([*pip, "--only-binary", ":all:", *pins, *BESIDE])
        if report.returncode:
            print(f"skipped: no wheels of {', '.join(pins)} for Python {platform.python_version()}")
            return 0
        subprocess.run([*pip, "--no-deps", "--editable", ROOT], check=True)
        made.write_text("\n".join(pins), encoding="utf-8")
    print(f"Python {platform.python_version()} with {', '.join(pins)}", flush=True)
    return subprocess.run(
        [python, "-m", "pytest", "-q", *(arguments or TESTS)], cwd=ROOT
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
