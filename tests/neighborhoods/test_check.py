"""`fstce.neighborhoods.check`: what it reports of good machines, and twelve ways to be wrong."""

from __future__ import annotations

import itertools
import os
import re
import signal
import time
from pathlib import Path

import numpy as np
import oracles
import pynini
import pytest
import pywrapfst
from machine_cases import lattice_fst
from patience import patience

from fstce import neighborhood
from fstce.errors import NeighborhoodError, ParameterError
from fstce.evaluation.correction import word_errors
from fstce.machines.files import write_far, write_fst
from fstce.neighborhoods.base import Neighborhood
from fstce.neighborhoods.check import SENTENCE, check
from fstce.neighborhoods.shipped import names, names_over_vocabulary

ONE = pywrapfst.Weight.one("tropical")
ALONE = "every sentence tried is its only neighbor: there is nothing to learn from"


def of(build, **options):
    return check(Neighborhood(build, "mine"), seconds=5, **options)


def copy(symbols):
    return pynini.closure(symbols.any())


# ---- what it reports


@pytest.mark.parametrize(
    "name",
    [
        *names(),
        *names_over_vocabulary(),
        "rotations",
        "window3",
        "trans1 | trans1",
        "sub1band | window3",
    ],
)
def test_every_shipped_machine_passes(name):
    report = check(name)
    assert report.holds, report.errors
    assert [row["words"] for row in report.growth] == [2, 4, 8, 16, 32]
    assert report.lattice["strings"] == neighborhood(name)(SENTENCE).count()


@pytest.mark.parametrize(
    "name", ["trans1 | del1word", "trans1 @ trans1", "half:first", "training-set"]
)
def test_what_is_no_transducer_passes_too(name):
    report = check(name)
    assert report.holds, report.errors
    assert report.transducer == {}


@pytest.mark.parametrize("name", ["trans1", "del1word", "del1subseq", "delortrans1"])
def test_the_report_agrees_with_enumeration(name):
    words = ("a", "b", "c", "d")
    report = check(name, sentence=words, text=[words, ("a", "b", "a"), ("c",)])
    twin = getattr(oracles, name)
    assert report.lattice["strings"] == len(twin(words))
    assert report.neighbors == [len(set(twin(x))) for x in (words, ("a", "b", "a"), ("c",))]
    strange = sorted((-word_errors(words, y), " ".join(y)) for y in twin(words))
    assert report.strangest == [[-d, text] for d, text in strange[:5] if d]
    assert report.growth[0] == {**report.growth[0], "words": 2, "strings": len(twin(("a", "b")))}
    fst = neighborhood(name)(words).to_fst()
    assert report.lattice["states"] == fst.num_states()


def test_a_fast_growing_machine_warns_and_holds():
    """Every permutation of up to six words, and more than that never end: a warning, not an error."""

    def build(symbols):
        def every(words):
            return pynini.union(*(chain(symbols, order) for order in itertools.permutations(words)))

        words = list(symbols.labels)
        return every(words) | copy(symbols) if len(words) < 7 else endless()

    began = time.monotonic()
    report = check(Neighborhood(build, "mine"), seconds=8)
    assert time.monotonic() - began < patience(30)
    assert report.holds and [row["words"] for row in report.growth] == [2, 4]
    assert report.warnings == [
        "growth, 8 words: did not end within 8 s; longer sentences may not end"
    ]


def test_what_the_limit_of_states_refuses_is_a_warning():
    report = check(neighborhood("del1subseq").changed(limit=45))
    assert report.holds and [row["words"] for row in report.growth] == [2, 4, 8]
    (warning,) = report.warnings
    assert warning.startswith("growth, 16 words: ") and "more than 45 states" in warning


def test_a_long_sentence_that_is_lost_is_an_error():
    report = of(lambda symbols: pynini.closure(symbols.any(), 0, 10))
    assert len(report.errors) == 1 and report.errors[0].startswith("growth, 16 words: ")


def chain(symbols, order):
    """The sentence in its own order to the words in another."""
    first = pynini.accep("")
    for source, target in zip(sorted(order), order, strict=True):
        first = first + pynini.cross(symbols.union([source]), symbols.union([target]))
    return first


def endless():
    while True:
        time.sleep(0.01)


def test_ready_lattices_are_checked_on_their_sentences(tmp_path):
    text = [("a", "b", "c"), ("d", "e")]
    write_far(
        {str(i): neighborhood("trans1")(words).to_fst() for i, words in enumerate(text)},
        tmp_path / "x.far",
    )
    report = check(str(tmp_path / "x.far"), text=text)
    assert report.holds, report.errors
    assert (report.sentence, report.neighbors, report.growth) == ("a b c", [3, 2], [])


def test_a_file_that_never_ends_loading(tmp_path):
    (tmp_path / "mine.py").write_text("while True:\n    pass\n")
    report = check(str(tmp_path / "mine.py"), seconds=0.5)
    assert report.errors == ["loading: did not end within 0.5 s"]


@pytest.mark.parametrize(
    ("name", "silent"), [("trans1 & del1word", True), ("identity", True), ("trans1", False)]
)
def test_a_neighbourhood_of_the_sentence_alone_is_warned_of(name, silent):
    report = check(name)
    assert report.holds
    assert (ALONE in report.warnings) is silent


def test_what_a_machine_starts_ends_with_it(tmp_path):
    """A process that the author's code leaves behind, and output without end."""
    left = tmp_path / "pid"
    (tmp_path / "mine.py").write_text(
        "import subprocess\n"
        f"with open({str(left)!r}, 'w') as pid:\n"
        "    print(subprocess.Popen(['sleep', '600']).pid, file=pid)\n"
        "def build(symbols):\n    return symbols.any()\n"
    )
    check(str(tmp_path / "mine.py"), seconds=5)
    state = Path(f"/proc/{left.read_text().strip()}/status")
    for _ in range(100):  # a kill takes a moment on a busy machine
        if not state.exists() or "zombie" in state.read_text():
            return
        time.sleep(0.1)
    pytest.fail("the process outlives the check")


def test_output_without_end_is_an_error():
    def build(symbols):
        while True:
            print("x" * 10_000)

    assert "File too large" in check(Neighborhood(build, "mine"), seconds=20).errors[0]


# ---- the twelve faults


def state_machine(arcs, finals, start=0, states=None):
    """A machine from arcs (source, input, output, target)."""
    fst = pynini.Fst()
    size = states or 1 + max(max(arc[0] for arc in arcs), max(finals, default=0))
    fst.add_states(size)
    fst.set_start(start)
    for source, ilabel, olabel, target in arcs:
        fst.add_arc(source, pywrapfst.Arc(ilabel, olabel, ONE, target))
    for state in finals:
        fst.set_final(state)
    return fst


def cycle(symbols):
    return state_machine([(0, w, w, 0) for w in symbols.labels] + [(0, 0, 5, 1), (1, 0, 6, 0)], [0])


def unreachable(symbols):
    return state_machine([(0, w, w, 0) for w in symbols.labels] + [(1, 5, 5, 2)], [0, 2])


def weighted(symbols):
    fst = copy(symbols).rmepsilon()
    fst.add_arc(fst.start(), pywrapfst.Arc(5, 5, pywrapfst.Weight("tropical", 2.0), fst.start()))
    return fst


def empty(symbols):
    return copy(symbols) @ pynini.accep("")


def loses_x(symbols):
    return copy(symbols) + pynini.cross(symbols.any(), "") + copy(symbols)


def blow_up(symbols):
    """The classic: the word before the last n is remembered; determinizing needs 2^n states."""
    spread = pynini.closure(pynini.cross(symbols.any(), symbols.any()), 30)
    return copy(symbols) | (
        spread + pynini.closure(symbols.any() | pynini.cross("", symbols.any()), 0, 40)
    )


def memory(symbols):
    np.ones(2**28)
    return copy(symbols)


def missing_state(symbols):
    fst = copy(symbols)
    fst.add_arc(fst.start(), pywrapfst.Arc(5, 5, ONE, 77))
    return fst


def raises(symbols):
    return copy(symbols) + symbols.nothing()


def crash(symbols):
    os.kill(os.getpid(), signal.SIGSEGV)


def word_from_0(symbols):
    return pynini.closure(symbols.union(range(len(symbols))))


def spelt_from_0(symbols):
    fst, table = copy(symbols), pywrapfst.SymbolTable()
    for word in symbols:
        table.add_symbol(word)
    fst.set_input_symbols(table)
    fst.set_output_symbols(table)
    return fst


def own_table(symbols):
    fst, table = state_machine([(0, 5, 5, 0)], [0]), pywrapfst.SymbolTable()
    for word in ("<epsilon>", "a", "b", "c", "d", "e"):
        table.add_symbol(word)
    fst.set_input_symbols(table)
    return fst


FAULTS = [
    (cycle, r"state \d is on a cycle that reads no word and writes"),
    (unreachable, r"final state 2 cannot be reached from the start"),
    (weighted, r"the machine has weights; a neighborhood is a set, so remove them"),
    (empty, r"accepts nothing|no start state"),
    (loses_x, r"the sentence is not in its own neighborhood; let the machine copy it"),
    (missing_state, r"the machine is unsound: an arc of state \d+ leads to no state \(\d+\)"),
    (raises, r"test_check.py:\d+: the author's code raised AttributeError: .*'nothing'"),
    (crash, r"transducer: crashed the process \(SIGSEGV\)"),
    (lambda symbols: endless(), r"transducer: did not end within 1 s"),
    (memory, r"out of memory"),
    (lambda symbols: "a:b", r"transducer mine: expected a machine, not str"),
    (lambda symbols: pynini.closure(pynini.accep("a")), r"label 97 is no word of the sentence"),
    (word_from_0, r"label 2 is a reserved symbol, not a word: ids of words begin at 5"),
    (spelt_from_0, r"the input symbols spell id 0 'natural', but id 0 is ε"),
    (own_table, r"the input symbols spell id 5 'e', where the sentence has 'natural'"),
]


@pytest.mark.parametrize(("build", "message"), FAULTS)
def test_a_fault_has_one_clear_message(build, message):
    began = time.monotonic()
    report = check(Neighborhood(build, "mine"), seconds=1, megabytes=512)
    assert time.monotonic() - began < patience(5)
    assert not report.holds and len(report.errors) == 1, report.errors
    assert re.search(message, report.errors[0]), report.errors
    assert "\n" not in report.errors[0]


def test_a_blow_up_ends():
    began = time.monotonic()
    report = check(Neighborhood(blow_up, "mine"), sentence=[f"w{i}" for i in range(40)], seconds=2)
    assert time.monotonic() - began < patience(15)
    assert len(report.errors) == 1
    assert re.search("did not end within 2 s|more than|memory", report.errors[0]), report.errors


@pytest.mark.parametrize("arc_type", ["log", "log64"])
def test_an_arc_type_without_weights_is_as_good_as_another(arc_type):
    report = of(lambda symbols: pynini.arcmap(copy(symbols), map_type=f"to_{arc_type}"))
    assert report.holds and report.lattice["strings"] == 1


def test_an_epsilon_loop_is_a_warning():
    def build(symbols):
        return state_machine([(0, w, w, 0) for w in symbols.labels] + [(0, 0, 0, 0)], [0])

    report = of(build)
    assert report.holds and report.lattice["strings"] == 1
    epsilon = "state 0 is on a cycle of ε, which does nothing; rmepsilon() removes it"
    assert report.warnings == [epsilon, ALONE]


def test_a_state_of_no_use_is_a_warning():
    report = of(
        lambda s: state_machine([(0, w, w, 0) for w in s.labels] + [(0, 5, 5, 1)], [0], states=2)
    )
    assert report.holds
    assert report.warnings == [
        "state 1 lies on no path from the start to a final state; connect()",
        ALONE,
    ]


def test_a_machine_that_fails_on_one_word_is_found():
    report = of(lambda symbols: symbols.any() + symbols.any() + copy(symbols))
    assert len(report.errors) == 1
    assert report.errors[0].startswith("sentence (natural): ")


def test_a_compiled_machine_without_symbols_is_refused(tmp_path):
    fst = lattice_fst()
    fst.set_input_symbols(None)
    fst.set_output_symbols(None)
    write_fst(fst, tmp_path / "mine.fst")
    with pytest.raises(NeighborhoodError, match="symbol"):
        check(str(tmp_path / "mine.fst"))


def test_a_bad_line_of_text_is_named(tmp_path):
    (tmp_path / "mine.txt").write_text("0 0 ? ?\n0 x ? ?\n0\n")
    with pytest.raises(NeighborhoodError, match=r"mine.txt:2"):
        check(str(tmp_path / "mine.txt"))


# ---- limits, the child


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"megabytes": 0}, {"sentence": ()}])
def test_limits_are_checked(limits):
    with pytest.raises(ParameterError, match=rf"{next(iter(limits))}=(0|\(\)): give "):
        check("trans1", **limits)


def test_an_unknown_name_is_an_error():
    with pytest.raises(NeighborhoodError, match="did you mean 'trans1'"):
        check("trans7")


def test_a_sentence_of_the_text_is_named():
    def build(symbols):
        if "zebra" in symbols:
            raise KeyError("no zebra")
        return copy(symbols)

    report = of(build, text=[["a"], ["a", "zebra"]])
    assert report.neighbors == [1]
    assert report.errors[0].startswith("the text's sentence 2: ")
    assert "the author's code raised KeyError: 'no zebra'" in report.errors[0]


def test_a_time_beyond_all_clocks_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"seconds=99999999999"):
        check("trans1", seconds=99999999999)
