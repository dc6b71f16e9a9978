"""Where the processor time of five common commands goes, in two states of fstce.

``python -m examples.experiments.where_time_goes BEFORE AFTER PICTURE.svg``: two interpreters, each
with a state of fstce installed. A command runs in a process of its own, which an alarm of its
processor time stops again and again; the time since the last stop is that of the innermost frame
that is fstce's, or of imports where a module is being loaded. The states take turns, and of five
runs that counts which took least. Printed is a table, milliseconds a cell.

Page: docs/notebook/speed.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from fstce.reporting.charts import PALETTE

ROUNDS = 5
SENTENCE = "The baker will light the lamp in the village .\n"
# The commands, and what each reads from its standard input.
COMMANDS = {
    "tagger tag, one line": ("tagger tag model -q", SENTENCE),
    "tagger train, 9,487 words": ("tagger train sample --neighborhood trans1 -o trained -q", ""),
    "parser train, 405 sentences": ("parser train sample -o parser -q", ""),
    "neighborhood show": ("neighborhood show trans1 'The oven was warm .'", ""),
    "tagger evaluate, 9,487 words": ("tagger evaluate model sample -q", ""),
}
PREPARED = "tagger train sample --neighborhood trans1 -o model -q"

MODEL = "models and files"
ROOMS = {
    "Python itself": ("interpreter",),
    "imports": ("imports",),
    "the command line": ("cli", "console", "kinds", "parameters"),
    "reading texts": ("corpora",),
    "machines, lattices": ("machines", "neighborhoods", "transducers", "grammars"),
    "sums, optimization": ("wfsa", "chart", "numeric", "estimation"),
}
PART_OF_ROOM = {room: part for part, rooms in ROOMS.items() for room in rooms}
PARTS = (*ROOMS, MODEL)

# In the process of the command: who has the processor, by room.
SAMPLED = """
import atexit, json, os, shlex, signal, sys, time

seconds_of_room = {}
last = [0.0]  # all that came before is the interpreter's


def room(frame):
    innermost = "interpreter"
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("importlib"):
            return "imports"  # whoever is called by a module that is being loaded
        names = name.split(".")
        if innermost == "interpreter" and names[0] in ("fstce", "transducers", "grammars"):
            innermost = names[min(1, len(names) - 1)] if names[0] == "fstce" else names[0]
        frame = frame.f_back
    return innermost


def stopped(_, frame):
    now = time.process_time()
    key = room(frame)
    seconds_of_room[key] = seconds_of_room.get(key, 0.0) + now - last[0]
    last[0] = now


def written():
    signal.setitimer(signal.ITIMER_PROF, 0)
    stopped(0, None)
    with open("rooms.json", "w") as file:
        json.dump(seconds_of_room, file)


stopped(0, None)
atexit.register(written)
signal.signal(signal.SIGPROF, stopped)
signal.setitimer(signal.ITIMER_PROF, 5e-4, 5e-4)
sys.argv = ["fstce", *shlex.split(sys.argv[1])]
from fstce.cli.main import main
main()
"""


def parts_of_run(python: str, command: str, given: str, folder: Path) -> dict[str, float]:
    """The milliseconds of each part in one run of a command."""
    subprocess.run(
        [python, "-c", SAMPLED, command],
        input=given,
        text=True,
        cwd=folder,
        check=True,
        capture_output=True,
    )
    parts: dict[str, float] = {}
    for room, seconds in json.loads((folder / "rooms.json").read_text()).items():
        part = PART_OF_ROOM.get(room, MODEL)
        parts[part] = parts.get(part, 0.0) + 1000 * seconds
    return parts


def milliseconds(before: str, after: str) -> dict[tuple[str, str], dict[str, float]]:
    """Of each command and state the milliseconds of each part; the states take turns."""
    least: dict[tuple[str, str], dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        for state, python in (("before", before), ("after", after)):
            Path(name, state).mkdir()
            prepare = [python, "-m", "fstce", *PREPARED.split()]
            subprocess.run(prepare, cwd=Path(name, state), check=True, capture_output=True)

        for command in COMMANDS:
            for _ in range(ROUNDS):
                for state, python in (("before", before), ("after", after)):
                    parts = parts_of_run(python, *COMMANDS[command], Path(name, state))
                    known = least.get((command, state), parts)
                    least[command, state] = min(known, parts, key=lambda part: sum(part.values()))
    return least


def draw(least: Mapping[tuple[str, str], Mapping[str, float]], path: Path) -> None:
    """Two bars a command, whose pieces are its parts."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    with pyplot.rc_context({"svg.fonttype": "none", "svg.hashsalt": "where time goes"}):
        axes = pyplot.subplots(figsize=(7.5, 4), layout="constrained")[1]
        labels = [f"{command}, {state}" for command, state in least]
        starts = [0.0] * len(least)
        for part, color in zip(PARTS, PALETTE, strict=False):
            widths = [parts.get(part, 0.0) for parts in least.values()]
            axes.barh(labels, widths, left=starts, color=color, label=part)
            starts = [start + width for start, width in zip(starts, widths, strict=True)]

        axes.invert_yaxis()
        axes.set_xlabel("milliseconds of the processor")
        axes.spines[["top", "right"]].set_visible(False)
        axes.figure.legend(frameon=False, loc="outside lower center", ncols=4)
        axes.figure.savefig(path, metadata={"Date": None})


def main(before: str, after: str, picture: str) -> None:
    """Print the table, and draw it."""
    least = milliseconds(str(Path(before).absolute()), str(Path(after).absolute()))
    print("command", "state", *PARTS, "all", sep="\t")
    for (command, state), parts in least.items():
        cells = [parts.get(part, 0.0) for part in PARTS]
        print(command, state, *(f"{cell:.0f}" for cell in (*cells, sum(cells))), sep="\t")
    draw(least, Path(picture))


if __name__ == "__main__":
    main(*sys.argv[1:])
