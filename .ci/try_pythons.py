"""Install a wheel on each Python from 3.10 to 3.14 that is here, and run the smoke suite from it alone.

Run: python .ci/try_pythons.py dist/fstce-*.whl
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SMOKE = Path(__file__).resolve().parents[1] / "tests" / "smoke.py"
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


def found(version: str) -> str | None:
    """A Python of this version that starts: on the path, or among those that pyenv keeps."""
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for python in (shutil.which(f"python{version}"), *map(str, kept)):
        if (
            python is not None
            and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0
        ):
            return python
    return None


def tried(version: str, wheel: Path) -> str:
    """How the smoke suite went on one Python, in one line."""
    python = found(version)
    if python is None:
        return "not here"
    with tempfile.TemporaryDirectory() as folder:
        commands: list[list[str | Path]] = [
            [python, "-m", "venv", "env"],
            ["env/bin/python", "-m", "pip", "install", "--quiet", "--only-binary", "pynini", wheel],
            ["env/bin/python", "-I", SMOKE],
        ]
        for command in commands:
            report = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if report.returncode:
                return f"FAILED: {' '.join(map(str, command))}\n{report.stderr}"
        return report.stdout.strip()


def main(wheel: Path) -> int:
    """Try each Python; 1 if one fails or none is here."""
    outcomes = []
    for version in VERSIONS:
        outcomes.append(tried(version, wheel.resolve()))
        print(f"Python {version}: {outcomes[-1]}", flush=True)
    return int(
        any(o.startswith("FAILED") for o in outcomes) or all(o == "not here" for o in outcomes)
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
