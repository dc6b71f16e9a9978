"""The table of docs/side_by_side.md: every row both ways with the real programs; wrong inputs."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pynini
import pytest
from patience import patience

from fstce.cli.main import main
from fstce.errors import MachineError
from fstce.inspection import records
from fstce.inspection.properties import Property
from fstce.inspection.records import MachineView, record
from fstce.machines.image import Arrays, arrays_to_fst

PAGE = Path(__file__).parents[1] / "docs" / "side_by_side.md"
PROGRAMS = re.compile(r"(?:fstce|fst\w+|far\w+|foma|flookup|hfst-\w+) ")
SIZES = {"states": r"(?:# of |^ *)states\s+([\d,]+)", "arcs": r"(?:# of |^ *)arcs\s+([\d,]+)"}
MACHINES = r"(?:# of FSTs|^ *machines)\s+([\d,]+)"
FSTINFO = {
    "acceptor": ("acceptor", "y"),
    "input deterministic": ("input deterministic", "y"),
    "output deterministic": ("output deterministic", "y"),
    "no epsilons": ("input/output epsilons", "n"),
    "no input epsilons": ("input epsilons", "n"),
    "no output epsilons": ("output epsilons", "n"),
    "input label sorted": ("input label sorted", "y"),
    "output label sorted": ("output label sorted", "y"),
    "unweighted": ("weighted", "n"),
    "acyclic": ("cyclic", "n"),
    "top sorted": ("top sorted", "y"),
    "accessible": ("accessible", "y"),
    "coaccessible": ("coaccessible", "y"),
    "string": ("string", "y"),
}


class Row(NamedTuple):
    """A row: what is done, with the tool, in fstce, and how the two are compared."""

    number: int
    what: str
    theirs: str
    ours: str
    how: str


@cache
def page() -> tuple[str, list[Row]]:
    """The program that makes the files, and the rows."""
    text = PAGE.read_text(encoding="utf-8")
    cells = re.findall(r"^\| (\d+) \| (.+?) \| `(.+?)` \| `(.+?)` \| (\w+) \|$", text, re.M)
    rows = [
        Row(int(number), what, theirs.replace("\\|", "|"), ours.replace("\\|", "|"), how)
        for number, what, theirs, ours, how in cells
    ]
    return re.search(r"^```python\n(.*?)^```", text, re.M | re.S)[1], rows


def done(cell: str, names: dict[str, Any]) -> Any:
    """What a command prints, or what an expression is."""
    if not PROGRAMS.match(cell):
        return eval(cell, names)
    if cell.startswith("fstce ") and not set(cell) & set("|<>&"):
        return printed_by(shlex.split(cell)[1:])
    for program in re.findall(r"(?:^|[|&] )((?:fst|far|foma|flookup|hfst-)\S*)", cell):
        if program != "fstce" and shutil.which(program) is None:
            pytest.skip(f"no program {program}")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    command = ["bash", "-o", "pipefail", "-c", cell]
    report = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=patience(120),
        env={**os.environ, "PATH": path},
    )
    assert report.returncode == 0, report.stderr
    return report.stdout


def printed_by(arguments: list[str]) -> str:
    """What fstce prints, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main(arguments) == 0, err.getvalue()
    return out.getvalue()


def lines_of(result: Any) -> Any:
    """Lines of a text, values of a list, in one order."""
    if isinstance(result, str):
        result = [line for line in result.splitlines() if line.strip()]
    return (
        sorted(" ".join(str(value).split()) for value in result)
        if isinstance(result, list)
        else result
    )


def sizes(printed: str) -> dict[str, str]:
    """The numbers of states and arcs; of an archive the number of machines too."""
    found = {
        name: re.search(shape, printed, re.M)
        for name, shape in {**SIZES, "machines": MACHINES}.items()
    }
    return {name: hit[1].replace(",", "") for name, hit in found.items() if hit}


def edges(dot: str) -> list[tuple[str, str, str]]:
    """The arcs of a picture; ε and equal sides as fstce writes them."""
    found = re.findall(r'(\d+) -> (\d+) \[label ?= ?"([^"]*)"', dot)
    arcs = []
    for source, target, label in found:
        reads, _, writes = label.replace("<epsilon>", "ε").partition(":")
        arcs.append((source, target, reads if writes in ("", reads) else f"{reads}:{writes}"))
    return sorted(arcs)


def machine(result: Any, file: str) -> pynini.Fst:
    return result if isinstance(result, pynini.Fst) else pynini.Fst.read(file)


def same(one: pynini.Fst, other: pynini.Fst) -> bool:
    """Whether two machines are equivalent, transducers too, and spell alike."""
    tables = [dict(fst.input_symbols() or ()) for fst in (one, other)]
    used = {arc.ilabel for fst in (one, other) for state in fst.states() for arc in fst.arcs(state)}
    plain = [fst.copy().set_input_symbols(None).set_output_symbols(None) for fst in (one, other)]
    encoder = pynini.EncodeMapper(one.arc_type(), encode_labels=True)
    both = [fst.rmepsilon().encode(encoder).optimize() for fst in plain]
    spelt = not all(tables) or all(
        tables[0].get(label) == tables[1].get(label) for label in used if label
    )
    return spelt and pynini.equivalent(*both)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The files that the page speaks of."""
    place, names = tmp_path_factory.mktemp("side"), {}
    before = Path.cwd()
    os.chdir(place)
    try:
        exec(page()[0], names)
    finally:
        os.chdir(before)
    return place, names


@pytest.mark.parametrize("row", page()[1], ids=lambda row: f"{row.number} {row.what}")
def test_a_row_gives_the_same(
    row: Row, folder: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in folder[0].iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    theirs, ours = done(row.theirs, folder[1]), done(row.ours, folder[1])
    if row.how == "files":
        written = [sorted(path.suffix for path in tmp_path.glob(f"{name}.*")) for name in "ab"]
        suffix = next(s for s in written[0] if s in written[1])
        assert lines_of(Path(f"a{suffix}").read_text()) == lines_of(Path(f"b{suffix}").read_text())
    elif row.how in ("machines", "states"):
        one, other = machine(theirs, "a.fst"), machine(ours, "b.fst")
        assert one.arc_type() == other.arc_type()
        assert same(one, other)
        assert row.how == "machines" or one.num_states() == other.num_states()
    elif row.how == "sizes":
        assert sizes(theirs) == sizes(ours) and len(sizes(ours)) >= 2
    elif row.how == "edges":
        assert edges(theirs) == edges(ours) != []
    elif row.how == "properties":
        told = dict(re.findall(r"^(.+?) {2,}(\S+)$", theirs, re.M))
        found: list[Property] = ours
        assert {one.name: one.holds for one in found} == {
            name: told[theirs] == sense for name, (theirs, sense) in FSTINFO.items()
        }
    else:
        assert lines_of(theirs) == lines_of(ours)


def test_there_are_thirty_rows() -> None:
    assert [row.number for row in page()[1]] == list(range(1, 31))
    assert {row.how for row in page()[1]} <= {
        *("files", "machines", "states", "sizes", "edges", "properties", "lines", "values")
    }


# --- Wrong inputs -----------------------------------------------------------------------------------------


def large(arcs: int) -> pynini.Fst:
    """A machine of two states and so many arcs."""
    label = np.arange(1, arcs + 1, dtype=np.int32)
    source, target = np.zeros(arcs, np.int32), np.ones(arcs, np.int32)
    final = np.array([np.inf, 0], dtype=np.float32)
    return arrays_to_fst(Arrays(0, final, source, label, label, np.zeros(arcs, np.float32), target))


def test_ten_million_arcs_are_a_stated_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert records.ARC_LIMIT == 10_000_000
    monkeypatch.setattr(records, "ARC_LIMIT", 1_000)
    with pytest.raises(MachineError, match="1,001 arcs, more than 1,000; inspect a part"):
        record(MachineView("m", large(1_001)))


def test_a_page_of_many_arcs_holds_the_nearest() -> None:
    shown = record(MachineView("m", large(100_000)))
    assert shown["held"] == 40_000 and shown["arcs"] == 100_000 and not shown["drawn"]


def test_an_unknown_arc_type_and_a_missing_symbol_have_one_message(tmp_path: Path) -> None:
    if shutil.which("fstcompile") is None:
        pytest.skip("no program fstcompile")
    from fstce.machines import read_fst

    (tmp_path / "x.txt").write_text("0 1 1 1\n1\n")
    gallic = subprocess.run(
        ["fstcompile", "--arc_type=minmax", str(tmp_path / "x.txt"), str(tmp_path / "x.fst")],
        capture_output=True,
    )
    if gallic.returncode:
        data = (tmp_path / "y.fst", large(1).write_to_string().replace(b"standard", b"minmaxes"))
        data[0].write_bytes(data[1])
        path = data[0]
    else:
        path = tmp_path / "x.fst"
    with pytest.raises(MachineError, match=r"arc type 'minmax\w*'; use standard, log, log64"):
        read_fst(path)
