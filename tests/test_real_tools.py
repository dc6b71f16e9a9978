"""Every shipped neighborhood, opened with the programs that finite-state people use.

OpenFst's own programs (Debian's ``libfst-tools``), foma and HFST read the lattices and are asked
what they see: the contract, the same strings, the same machine. A program that is not installed
skips its tests, by name.
"""

from __future__ import annotations

import itertools
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pynini
import pytest
import pywrapfst
from patience import patience

from fstce import neighborhood
from fstce.machines import Symbols, far_key, read_fst, write_far, write_fst, write_machine
from fstce.neighborhoods.shipped import names, names_over_vocabulary

SENTENCES = {
    "one": ["yes"],
    "repeated": ["the", "the", "dog", "saw", "the", "dog"],
    "figure1": ["natural", "language", "is", "a", "delicate", "thing"],
    "words": ["He", "n'est", "that", "talking", ",", "déjà-vu", "of", "moving", "$", "3\\/4", "."],
}
ELSEWHERE = ["the", "of", "to", "talked", "moves"]
SHIPPED = [*names(), *names_over_vocabulary(), "rotations", "window3"]
CONTRACT = {
    "fst type": "vector",
    "arc type": "standard",
    "initial state": "0",
    "# of input/output epsilons": "0",
    "# of input epsilons": "0",
    "# of output epsilons": "0",
    "input label multiplicity": "1",
    "acceptor": "y",
    "input deterministic": "y",
    "output deterministic": "y",
    "weighted": "n",
    "cyclic": "n",
    "top sorted": "y",
    "accessible": "y",
    "coaccessible": "y",
    "error": "n",
    "input symbol table": "fstce",
    "output symbol table": "fstce",
}
everywhere = pytest.mark.parametrize("sentence", SENTENCES)
shipped = pytest.mark.parametrize("name", SHIPPED)


def needs(*programs: str) -> pytest.MarkDecorator:
    """Skip, by name, what needs programs that are not installed."""
    missing = [program for program in programs if shutil.which(program) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def run(command: str, folder: Path) -> str:
    """What a line of shell prints; a failure of any of its programs is one of the test."""
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", command],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=patience(60),
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@cache
def symbols_of(sentence: str) -> Symbols:
    """The alphabet that all lattices of a sentence share."""
    return Symbols([*SENTENCES[sentence], *ELSEWHERE])


@cache
def machine(name: str, sentence: str) -> pynini.Fst:
    """The lattice of one sentence in one neighborhood."""
    (lattice,) = neighborhood(name).for_text().expand([SENTENCES[sentence]], symbols_of(sentence))
    return lattice.to_fst()


def strings(fst: pynini.Fst) -> set[tuple[str, ...]]:
    """Its strings over labels, the wildcard being one."""
    paths = fst.paths(input_token_type=fst.input_symbols(), output_token_type=fst.output_symbols())
    return {tuple(path.split(" ")) for path in paths.istrings()}


@cache
def strings_in(name: str, sentence: str) -> frozenset[tuple[str, ...]]:
    """The strings of one sentence's lattice in one neighborhood."""
    return frozenset(strings(machine(name, sentence)))


def verdicts(program: str, pairs: list[tuple[str, str]], folder: Path) -> list[bool]:
    """What a program that compares two machines says of each pair, by its exit code of 0 or 2."""
    lines = [f"{program} {left}.fst {right}.fst && echo 0 || echo $?" for left, right in pairs]
    said = run("\n".join(lines), folder).split()
    assert set(said) <= {"0", "2"}
    assert len(said) == len(pairs)
    return [code == "0" for code in said]


def spelt(lines: str) -> set[tuple[str, ...]]:
    """Strings from lines of symbols with spaces between."""
    return {tuple(line.split()) for line in lines.splitlines() if line.strip()}


@everywhere
@shipped
class TestEachNeighbourhood:
    @needs("fstinfo")
    def test_fstinfo_confirms_the_contract(self, name: str, sentence: str, tmp_path: Path) -> None:
        fst = machine(name, sentence)
        write_fst(fst, tmp_path / "a.fst")
        info = dict(line.rsplit(None, 1) for line in run("fstinfo a.fst", tmp_path).splitlines())
        assert {clause: info[clause] for clause in CONTRACT} == CONTRACT
        states = str(fst.num_states())
        assert info["# of states"] == info["# of connected states"] == states
        assert info["# of strongly conn components"] == states

    @needs("fstprint", "fstcompile", "fstequivalent")
    def test_fstprint_and_fstcompile_come_round(
        self, name: str, sentence: str, tmp_path: Path
    ) -> None:
        write_fst(machine(name, sentence), tmp_path / "a.fst")
        run("fstprint --save_isymbols=i.syms --save_osymbols=o.syms a.fst > a.txt", tmp_path)
        keep = "--isymbols=i.syms --osymbols=o.syms --keep_isymbols --keep_osymbols"
        run(
            f"fstcompile {keep} --keep_state_numbering a.txt b.fst && fstequivalent a.fst b.fst",
            tmp_path,
        )
        returned = read_fst(tmp_path / "b.fst")
        assert strings(returned) == strings_in(name, sentence)
        run("fstprint b.fst > b.txt && cmp a.txt b.txt", tmp_path)

    @needs("fstprint")
    def test_our_text_is_that_of_fstprint(self, name: str, sentence: str, tmp_path: Path) -> None:
        write_fst(machine(name, sentence), tmp_path / "a.fst")
        write_machine(machine(name, sentence), tmp_path / "a.txt")
        run("fstprint a.fst > theirs.txt && cmp a.txt theirs.txt", tmp_path)

    @needs("fstminimize", "fstdeterminize", "fstisomorphic")
    def test_fstminimize_makes_it_no_smaller(
        self, name: str, sentence: str, tmp_path: Path
    ) -> None:
        fst = machine(name, sentence)
        write_fst(fst, tmp_path / "a.fst")
        run("fstdeterminize a.fst | fstminimize - b.fst && fstisomorphic a.fst b.fst", tmp_path)
        smallest = read_fst(tmp_path / "b.fst")
        assert smallest.num_states() == fst.num_states()

    @needs("foma")
    def test_foma_reads_the_text(self, name: str, sentence: str, tmp_path: Path) -> None:
        write_machine(machine(name, sentence), tmp_path / "a.txt")
        commands = ("set print-space ON", "read att a.txt", "print words 100000", "quit")
        said = run(
            f"foma -q {' '.join(f'-e {command!r}' for command in commands)} < /dev/null", tmp_path
        )
        words = said.partition("a.txt\n")[2]  # behind what foma says of its settings and the file
        assert spelt(words) == strings_in(name, sentence)

    @needs("hfst-txt2fst", "hfst-fst2strings")
    def test_hfst_reads_the_text(self, name: str, sentence: str, tmp_path: Path) -> None:
        write_machine(machine(name, sentence), tmp_path / "a.txt")
        command = "hfst-txt2fst -e '<epsilon>' -i a.txt | hfst-fst2strings -X print-space"
        assert spelt(run(command, tmp_path)) == strings_in(name, sentence)


@needs("farextract")
def test_farextract_gives_every_machine_back_byte_for_byte(tmp_path: Path) -> None:
    keys = list(itertools.product(SHIPPED, SENTENCES))
    machines = {far_key(i, len(keys)): machine(*key) for i, key in enumerate(keys)}
    for key, fst in machines.items():
        write_fst(fst, tmp_path / f"{key}.fst")
    write_far(machines, tmp_path / "all.far")
    run("mkdir out && farextract --filename_prefix=out/ --filename_suffix=.fst all.far", tmp_path)
    assert len(list((tmp_path / "out").iterdir())) == len(keys)
    for key in machines:
        extracted = (tmp_path / "out" / f"{key}.fst").read_bytes()
        assert extracted == (tmp_path / f"{key}.fst").read_bytes(), key


@everywhere
@needs("fstequivalent", "fstisomorphic")
def test_openfst_finds_those_equal_that_hold_the_same_strings(
    sentence: str, tmp_path: Path
) -> None:
    """Minimal deterministic machines are isomorphic where, and only where, they are equivalent."""
    for name in SHIPPED:
        write_fst(machine(name, sentence), tmp_path / f"{name}.fst")
    # Sorted by their strings the most alike are neighbors, and equal ones stand together.
    ranked = sorted(
        SHIPPED,
        key=lambda name: (len(strings_in(name, sentence)), sorted(strings_in(name, sentence))),
    )
    pairs = list(itertools.pairwise(ranked))
    expected = [strings_in(a, sentence) == strings_in(b, sentence) for a, b in pairs]
    assert not all(expected) and any(expected)
    assert verdicts("fstequivalent", pairs, tmp_path) == expected
    assert verdicts("fstisomorphic", pairs, tmp_path) == expected


@shipped
@needs("fstequivalent", "fstisomorphic")
def test_openfst_knows_a_renumbered_and_an_unfolded_machine(name: str, tmp_path: Path) -> None:
    fst = machine(name, "figure1")
    unfolded = _prefix_tree(fst)
    machines = {
        "same": fst,
        "renumbered": _renumbered(fst),
        "tree": unfolded,
        "less": _without_a_string(fst),
    }
    for key, each in machines.items():
        write_fst(each, tmp_path / f"{key}.fst")
    pairs = [("same", key) for key in machines]
    assert [strings(fst) == strings(each) for each in machines.values()] == [
        True,
        True,
        True,
        False,
    ]
    is_tree = unfolded.num_states() == fst.num_states()
    assert verdicts("fstequivalent", pairs, tmp_path) == [True, True, True, False]
    assert verdicts("fstisomorphic", pairs, tmp_path) == [True, True, is_tree, False]
    assert is_tree == (len(strings(fst)) == 1)


def _with_symbols(fst: pynini.Fst, like: pynini.Fst) -> pynini.Fst:
    return fst.set_input_symbols(like.input_symbols()).set_output_symbols(like.output_symbols())


def _renumbered(fst: pynini.Fst) -> pynini.Fst:
    """The same machine, its states in reversed order."""
    last, turned = fst.num_states() - 1, pynini.Fst()
    turned.add_states(last + 1)
    turned.set_start(last - fst.start())
    for state in fst.states():
        turned.set_final(last - state, fst.final(state))
        for arc in fst.arcs(state):
            turned.add_arc(
                last - state,
                pywrapfst.Arc(arc.ilabel, arc.olabel, arc.weight, last - arc.nextstate),
            )
    return _with_symbols(turned, fst)


def _chains(fst: pynini.Fst) -> list[pynini.Fst]:
    table = fst.input_symbols()
    return [pynini.accep(" ".join(string), token_type=table) for string in sorted(strings(fst))]


def _prefix_tree(fst: pynini.Fst) -> pynini.Fst:
    """The strings of a machine with their beginnings shared, and nothing else."""
    union = pynini.union(
        *(chain.set_input_symbols(None).set_output_symbols(None) for chain in _chains(fst))
    )
    return _with_symbols(pynini.determinize(union.rmepsilon()), fst)


def _without_a_string(fst: pynini.Fst) -> pynini.Fst:
    """The machine without one of its strings, or, where it has but one, that string doubled."""
    chains = [chain.set_input_symbols(None).set_output_symbols(None) for chain in _chains(fst)]
    rest = pynini.union(*chains[1:]) if len(chains) > 1 else chains[0] + chains[0]
    return _with_symbols(pynini.determinize(rest.rmepsilon()).minimize(), fst)
