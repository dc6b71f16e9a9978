"""``fstce machine compose`` and the like against OpenFst's programs, and against sets of paths."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
from collections import Counter

import pytest

from fstce.machines.convert import read_machine
from fstce.machines.openfst import has

openfst = pytest.mark.skipif(shutil.which("fstcompose") is None, reason="no OpenFst programs here")
WORDS = ("dog", "cat", "sees")
SEEDS = range(4)


def written(folder, name, seed, *, acceptor=False, weights=True, words=WORDS):
    """A random acyclic machine as text with its symbols, and compiled by fstcompile."""
    rng = random.Random(f"{name} {seed}")
    names = ("<epsilon>", *words)
    lines = []
    for source, target in itertools.combinations(range(4), 2):
        for _ in range(rng.randint(target == source + 1, 2)):
            label = rng.choice(names)
            output = label if acceptor else rng.choice(names)
            lines.append(
                f"{source} {target} {label} {output} {rng.randint(0, 8) / 4 if weights else 0}"
            )
    path = folder / f"{name}.txt"
    path.write_text("\n".join([*lines, "3", *(["1 0.5"] if weights else [])]) + "\n")
    path.with_suffix(".syms").write_text("".join(f"{word}\t{i}\n" for i, word in enumerate(names)))
    return path


def compiled(path):
    """The same compiled by OpenFst's own program."""
    syms, fst = path.with_suffix(".syms"), path.with_suffix(".fst")
    command = f"fstcompile --isymbols={syms} --keep_isymbols --osymbols={syms} --keep_osymbols {path} {fst}"
    subprocess.run(command.split(), check=True)
    return fst


def paths(machine):
    """Input, output and weight of every path, with how many have them."""
    found = Counter()
    table, out = dict(machine.input_symbols()), dict(machine.output_symbols())

    def walk(state, read, wrote, weight):
        final = float(machine.final(state))
        if final != float("inf"):
            found[read, wrote, round(weight + final, 4)] += 1
        for arc in machine.arcs(state):
            more = (table[arc.ilabel],) * (arc.ilabel > 0), (out[arc.olabel],) * (arc.olabel > 0)
            walk(arc.nextstate, read + more[0], wrote + more[1], weight + float(arc.weight))

    walk(machine.start(), (), (), 0.0)
    return found


def total(rows):
    """Of each pair of strings the least weight: what the machine means, whatever its paths."""
    best = {}
    for read, wrote, weight in rows:
        best[read, wrote] = min(weight, best.get((read, wrote), float("inf")))
    return best


def pairs(*rows):
    return itertools.product(*rows)


def twin(operation, a, b):
    """The result by enumeration."""
    match operation:
        case "compose":
            joined = ((r, y, v + w) for (r, x, v), (z, y, w) in pairs(a, b) if x == z)
        case "union":
            joined = [*a, *b]
        case "intersect":
            joined = ((r, r, v + w) for (r, _, v), (z, _, w) in pairs(a, b) if r == z)
        case "difference":
            joined = [row for row in a if row[0] not in {read for read, _, _ in b}]
        case "concat":
            joined = ((r + z, x + y, v + w) for (r, x, v), (z, y, w) in pairs(a, b))
        case "project":
            joined = ((x, x, v) for _, x, v in a)
        case "invert":
            joined = ((x, r, v) for r, x, v in a)
        case "reverse":
            joined = ((r[::-1], x[::-1], v) for r, x, v in a)
        case "optimize":
            joined = a
        case "shortest":
            joined = [
                (*pair, v) for pair, v in sorted(total(a).items(), key=lambda row: row[1])[:2]
            ]
    return {pair: pytest.approx(value, abs=1e-3) for pair, value in total(joined).items()}


PROGRAMS = {
    "compose": "fstarcsort --sort_type=olabel A | fstcompose - B",
    "union": "fstunion A B",
    "intersect": "fstarcsort --sort_type=olabel A | fstintersect - B",
    "difference": "fstrmepsilon B | fstdeterminize | fstarcsort > C; fstdifference A C",
    "concat": "fstconcat A B",
    "project": "fstproject --project_type=output A",
    "invert": "fstinvert A",
    "reverse": "fstreverse A",
    "optimize": "fstrmepsilon A | fstencode --encode_labels - codex | fstdeterminize | fstminimize | "
    "fstencode --decode - codex",
    "shortest": "fstshortestpath --nshortest=2 --unique A",
}
OPTIONS = {
    "shortest": ["--paths", "2"],
}
TWO = ("compose", "union", "intersect", "difference", "concat")


@openfst
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("operation", PROGRAMS)
def test_the_result_is_that_of_the_programs_and_of_enumeration(fstce, tmp_path, operation, seed):
    acceptor = operation in ("intersect", "difference", "shortest")
    a = written(tmp_path, "A", seed, acceptor=acceptor)
    b = written(tmp_path, "B", seed, acceptor=acceptor, weights=operation != "difference")
    files = [a, compiled(b)] if operation in TWO else [a]
    result = fstce(
        "machine", operation, *files, *OPTIONS.get(operation, ()), "-o", tmp_path / "our.fst"
    )
    expected = twin(operation, paths(read_machine(a)), paths(read_machine(b)))
    if not expected:
        assert result.code == 2 and "accepts nothing" in result.err
        return
    assert (result.code, result.out, result.err) == (0, "", "")
    ours = paths(read_machine(tmp_path / "our.fst"))
    assert total(ours) == expected
    if PROGRAMS[operation]:
        command = PROGRAMS[operation].replace("A", str(compiled(a))).replace("B", str(compiled(b)))
        command = command.replace(" C", f" {tmp_path / 'C.fst'}").replace(
            "codex", str(tmp_path / "codex")
        )
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], capture_output=True, check=True
        )
        (tmp_path / "their.fst").write_bytes(done.stdout)
        theirs = paths(read_machine(tmp_path / "their.fst"))
        assert total(theirs) == expected
        if operation not in (
            "optimize",
            "difference",
        ):  # whose paths are merged in an order of their own
            assert sorted(theirs.values()) == sorted(ours.values())


@openfst
def test_a_pipe_reads_and_writes_as_openfst_s_programs_do(process, tmp_path):
    a, b = (compiled(written(tmp_path, name, 1)) for name in "AB")
    composing = process("machine", "compose", "-", b)
    piped, err = composing.communicate(
        subprocess.run(["fstinvert", a], capture_output=True).stdout, 60
    )
    assert err == b""
    printed = subprocess.run(["fstprint"], input=piped, capture_output=True, check=True).stdout
    command = f"fstinvert {a} | fstarcsort --sort_type=olabel | fstcompose - {b} | fstprint"
    assert sorted(printed.splitlines()) == sorted(
        subprocess.run(["bash", "-c", command], capture_output=True, check=True).stdout.splitlines()
    )


def test_closure_without_bound_is_cyclic(fstce, tmp_path):
    a = written(tmp_path, "A", 1)
    assert fstce("machine", "closure", a, "-o", tmp_path / "some.fst").code == 0
    assert not has(read_machine(tmp_path / "some.fst"), "ACYCLIC")


@pytest.mark.parametrize("suffix", [".fst", ".att", ".hfst", ".foma", ".far"])
def test_every_format_is_an_operand_and_a_result(fstce, tmp_path, suffix):
    a, b = (written(tmp_path, name, 2, acceptor=True, weights=False) for name in "AB")
    assert fstce("machine", "convert", b, tmp_path / f"C{suffix}", "-q").code == 0
    done = fstce("machine", "union", a, tmp_path / f"C{suffix}", "-o", tmp_path / f"D{suffix}")
    assert (done.code, done.err) == (0, "")
    expected = twin("union", paths(read_machine(a)), paths(read_machine(b)))
    assert total(paths(read_machine(tmp_path / f"D{suffix}"))) == expected


def test_different_tables_are_made_one(fstce, tmp_path):
    a = written(tmp_path, "A", 0)
    b = written(tmp_path, "B", 0, words=("fish", *reversed(WORDS)))
    for operation in ("union", "compose", "concat"):
        assert fstce("machine", operation, a, b, "-o", tmp_path / "c.fst").code == 0
        expected = twin(operation, paths(read_machine(a)), paths(read_machine(b)))
        assert total(paths(read_machine(tmp_path / "c.fst"))) == expected


def test_symbols_that_mean_other_words_are_refused_by_name(fstce, tmp_path):
    a = written(tmp_path, "A", 0)
    (tmp_path / "any.att").write_text("0\t1\t<unk>\t<unk>\n1\n")
    done = fstce("machine", "union", a, tmp_path / "any.att", "-o", tmp_path / "c.fst")
    assert (
        done.code == 2 and "<unk> stands for the words that a machine's own table lacks" in done.err
    )
    assert "convert that machine with --spelling hfst" in done.err
    assert not (tmp_path / "c.fst").exists()
    convert = ("machine", "convert", tmp_path / "any.att", tmp_path / "any.hfst")
    assert fstce(*convert, "--spelling", "hfst").code == 0
    done = fstce("machine", "union", a, tmp_path / "any.hfst", "-o", tmp_path / "c.fst")
    assert done.code == 0 and (tmp_path / "c.fst").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("union A.txt", "union takes two machines or more"),
        ("union - -", "- is standard input, which holds one machine"),
        ("union A.txt none.fst", "no such file"),
        (
            "intersect A.txt B.txt",
            "A.txt ∩ B.txt: a machine writes what it does not read; project it",
        ),
        ("difference S.txt W.txt", "what is taken away has weights"),
        ("difference S.txt S.txt", "S.txt − S.txt: the difference accepts nothing"),
        ("union A.txt L.fst", "arc types 'standard' and 'log64'"),
        ("shortest L.fst", "L.fst: arc type 'log64' has no best path"),
        ("closure A.txt --paths 2", "--paths is for shortest, not for closure"),
        ("invert A.txt B.txt", "invert takes one machine"),
        ("operate turn A.txt", "'turn' is no operation; these are compose, union"),
        ("turn A.txt", "No such command 'turn'"),
        ("reverse A.txt -o nowhere/c.fst", "nowhere"),
        ("reverse A.txt -o c.png", "the suffix says what is written"),
    ],
)
def test_what_cannot_be_done_is_one_line(fstce, tmp_path, monkeypatch, command, message):
    monkeypatch.chdir(tmp_path)
    for name in "AB":
        written(tmp_path, name, 0)
    written(tmp_path, "S", 0, acceptor=True, weights=False)
    written(tmp_path, "W", 0, acceptor=True)
    fstce("machine", "convert", "A.txt", "L.fst", "--arc-type", "log64", "-q")
    output = [] if "-o" in command else ["-o", "c.fst"]
    code, out, err = fstce("machine", *command.split(), *output)
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1
    assert not (tmp_path / "c.fst").exists()
