"""Hold the share of branches that tests take against a floor; that of coverage counts lines too."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import coverage


def main(floor: float) -> int:
    """Print the share of each room; 1 if all of them together stay below the floor, in percent."""
    measured = coverage.Coverage()
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(path))
        report = json.loads(path.read_text(encoding="utf-8"))
    rooms: dict[str, list[int]] = {}
    for name, file in report["files"].items():
        taken, all_of_them = rooms.setdefault(Path(name).parent.name, [0, 0])
        summary = file["summary"]
        rooms[Path(name).parent.name] = [
            taken + summary["covered_branches"],
            all_of_them + summary["num_branches"],
        ]
    for room, (taken, all_of_them) in rooms.items():
        print(f"{room:12} {taken:5,} of {all_of_them:5,} branches")
    share = (
        100 * sum(taken for taken, _ in rooms.values()) / sum(total for _, total in rooms.values())
    )
    print(f"all          {share:.1f} %, the floor is {floor:g} %")
    return int(share < floor)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
