"""The table of speeds, of the benchmarks' own lines: ``python -m examples.experiments.speed CORPUS``.

CORPUS is the one that they are written for, ``nltk:treebank``. A few minutes; on a busy machine
compare ratios alone.

Page: docs/results/speed.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "tests" / "benchmarks"
TESTS = {
    "test_objective.py": ("objective_and_gradient", "structure"),
    "test_criteria.py": ("em_iteration", "conditional_iteration"),
    "test_chart.py": ("sums_and_expectations", "columns_beside_hyperedges"),
}
# What is measured, its unit, and the line that says so: ours, and another way in the same run.
LINES = {
    ("objective and gradient, TRANS1, 94K words", "ns an arc"): (
        r"objective and gradient (?P<ours>[\d.]+) ns an arc .* (?P<other>\d+) with posteriors in numpy"
    ),
    ("lattice, product and packing of a sentence", "ms"): (
        r"ms a sentence: lattice (?P<ours>[\d.]+), product (?P<more>[\d.]+), packing (?P<still>[\d.]+)"
    ),
    (
        "EM, one iteration, 94K words, trigrams",
        "ms",
    ): r"EM, order 3, .* (?P<ours>[\d.]+) ms an iteration",
    ("CRF with spelling features, 24K words, an iteration", "ms"): (
        r"CRF, 24 thousand words.* (?P<ours>[\d.]+) ms an iteration.* crfsuite (?P<other>[\d.]+) ms"
    ),
    (
        "log Z and expectations, 537 TRANS1 charts",
        "ms",
    ): r"log Z and expectations (?P<ours>[\d.]+) ms \(",
    ("best trees of 3,754 sentences of at most 40 words", "ms"): (
        r"≤ 40 words.* best trees (?P<other>[\d.]+) and (?P<ours>[\d.]+) ms"
    ),
}


def row_of(what: str, unit: str, found: dict[str, str]) -> str:
    """A row of the table: what is measured in parts is added up."""
    ours = sum(float(number) for name, number in found.items() if name != "other")
    other = float(found.get("other", 0))
    ratio = f"{other / ours:.0f}" if other > 10 * ours else f"{other / ours:.1f}"
    shown = f"{ours:.2f}" if ours < 2 else f"{ours:.1f}" if ours < 20 else f"{ours:.0f}"
    return f"| {what} | {shown} | {unit} | {f'{other:.0f}' if other else ''} | {ratio if other else ''} |"


def main() -> None:
    """Run the benchmarks and print the table; the lines themselves go to the standard error."""
    names = [f"{BENCHMARKS / file}::test_{test}" for file, tests in TESTS.items() for test in tests]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *names]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=BENCHMARKS.parents[1])
    print(done.stdout, file=sys.stderr)
    print("| what | fstce | unit | another way | ratio |\n|---|---|---|---|---|")
    for (what, unit), pattern in LINES.items():
        match = re.search(pattern, done.stdout)
        if match is None:
            raise SystemExit(
                f"no line of the benchmarks says {what!r}: run make benchmark to see why"
            )
        print(row_of(what, unit, match.groupdict()))


if __name__ == "__main__":
    main()
