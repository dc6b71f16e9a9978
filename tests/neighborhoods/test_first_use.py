"""An author's machine on its first use: what hangs, crashes, exits or lies is stopped, with a message."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pynini
import pytest
import pywrapfst
from patience import patience

from fstce import Neighborhood, Tagger, neighborhood
from fstce.corpora import TagDictionary
from fstce.errors import FstceError, MachineError, NeighborhoodError
from fstce.machines import Symbols, algebra
from fstce.neighborhoods.check import check

WORDS = ["the", "dog", "saw", "it"]


def author(folder: Path, body: str, head: str = "") -> Path:
    """An author's file whose builder has this body."""
    path = folder / "mine.py"
    path.write_text(f"import os\nimport sys\nimport pynini\n{head}\ndef build(symbols):\n{body}\n")
    return path


def copy(symbols: Symbols) -> pynini.Fst:
    return pynini.closure(symbols.any())


FAULTS = [
    (
        "    while True: pass",
        r"sentence 1 \(the dog saw it\): .*mine.py: did not end within 1 s; see what",
    ),
    ("    exit()", r"mine.py:6: build\(symbols\) called exit\(None\)"),
    ("    sys.exit(0)", r"mine.py:6: build\(symbols\) called exit\(0\)"),
    ("    os._exit(0)", r"mine.py: ended the process with exit\(0\) before it was done; see what"),
    ("    os.abort()", r"mine.py: crashed the process \(SIGABRT\)"),
    ("    b = bytearray(10**12)", r"out of memory|MemoryError|more than 4,096 MB"),
]


@pytest.mark.parametrize(("body", "message"), FAULTS)
def test_a_builder_that_does_not_come_back_is_stopped(
    tmp_path: Path, body: str, message: str
) -> None:
    kind = neighborhood(str(author(tmp_path, body))).changed(patience=1.0)
    began = time.monotonic()
    with pytest.raises(FstceError, match=message) as caught:
        kind(WORDS)
    assert "\n" not in str(caught.value)
    assert time.monotonic() - began < patience(20)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("while True: pass", "loading the file did not end within 1 s"),
        ("os._exit(0)", r"ended the process with exit\(0\)"),
    ],
)
def test_a_file_that_does_not_come_back_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, message: str
) -> None:
    monkeypatch.setattr("fstce.neighborhoods.first_use.PATIENCE", 1.0)
    with pytest.raises(NeighborhoodError, match=message):
        neighborhood(str(author(tmp_path, "    return symbols.any()", head)))


@pytest.mark.parametrize("body", ["    exit()", "    sys.exit(0)", "    os._exit(0)"])
def test_a_builder_that_exits_fails_the_check(tmp_path: Path, body: str) -> None:
    report = check(str(author(tmp_path, body)))
    assert not report.holds
    assert "exit(" in report.errors[0]


def test_training_stops_too(tmp_path: Path) -> None:
    path = author(tmp_path, "    os._exit(0)")
    tagger = Tagger(str(path), order=2, max_iterations=1)
    text = [["the", "dog"], ["the", "cat"]]
    with pytest.raises(NeighborhoodError, match=r"mine.py: ended the process with exit\(0\)"):
        tagger.fit(text, dictionary=TagDictionary({"the": ["D"], "dog": ["N"]}))


DELETES_CAT = """\
    copy = pynini.closure(symbols.any())
    cats = [label for label in symbols.labels if symbols.word(label) == "cat"]
    deleted = pynini.cross(symbols.union(cats), "") if cats else pynini.Fst()
    return copy + pynini.closure(deleted, 0, 1) + copy if cats else copy
"""


class TestEquivariance:
    @pytest.mark.parametrize("words", [WORDS, ["the", "cat"]])
    def test_a_false_claim_is_found_on_first_use(self, tmp_path: Path, words: list[str]) -> None:
        path = author(tmp_path, DELETES_CAT, "EQUIVARIANT = True\n")
        with pytest.raises(
            NeighborhoodError, match="EQUIVARIANT = True is not true: the builder looks at words"
        ):
            neighborhood(str(path))(words)
        assert neighborhood(str(path)).changed(equivariant=False)(["the", "cat"]).count() == 2

    def test_a_false_claim_fails_the_check(self, tmp_path: Path) -> None:
        report = check(str(author(tmp_path, DELETES_CAT, "EQUIVARIANT = True\n")))
        assert len(report.errors) == 1
        assert "EQUIVARIANT = True is not true: the builder looks" in report.errors[0]

    def test_it_is_found_within_a_combination(self, tmp_path: Path) -> None:
        path = author(tmp_path, DELETES_CAT, "EQUIVARIANT = True\n")
        with pytest.raises(NeighborhoodError, match="EQUIVARIANT = True is not true"):
            (neighborhood("trans1") | neighborhood(str(path)))(WORDS)

    @pytest.mark.parametrize(
        "holds",
        [str.istitle, lambda word: len(word) > 6, lambda word: word == "zebra", lambda w: w > "n"],
    )
    def test_whatever_looks_at_words_is_found(self, holds: Callable[[str], bool]) -> None:
        def build(symbols: Symbols) -> pynini.Fst:
            chosen = [
                label for label, word in zip(symbols.labels, symbols, strict=True) if holds(word)
            ]
            deleted = pynini.cross(symbols.union(chosen), "")
            return copy(symbols) + (deleted | pynini.accep("")) + copy(symbols)

        with pytest.raises(NeighborhoodError, match="EQUIVARIANT = True is not true"):
            Neighborhood(build, "mine", equivariant=True)(WORDS)

    def test_a_true_claim_holds_and_is_tried_once(self) -> None:
        pids: list[int] = []

        def build(symbols: Symbols) -> pynini.Fst:
            pids.append(os.getpid())
            return copy(symbols)

        kind = Neighborhood(build, "mine", equivariant=True)
        assert kind(WORDS).count() == kind(["a", "cat"]).count() == 1
        assert set(pids) == {os.getpid()} and len(pids) == 2  # what the child appended, it kept

    @pytest.mark.parametrize(
        "looks",
        [
            lambda symbols: symbols.label("cat"),
            lambda symbols: symbols.words_of(symbols.labels),
            lambda symbols: symbols.word(symbols.labels[0]),
            lambda symbols: "cat" in symbols,
            list,
        ],
    )
    def test_a_look_is_found_though_its_error_is_caught(
        self, looks: Callable[[Symbols], object]
    ) -> None:
        def build(symbols: Symbols) -> pynini.Fst:
            with suppress(Exception):
                looks(symbols)
            return copy(symbols)

        with pytest.raises(NeighborhoodError, match="EQUIVARIANT = True is not true"):
            Neighborhood(build, "mine", equivariant=True)(WORDS)

    def test_words_of_another_module_are_tried(self, tmp_path: Path) -> None:
        """Those of a list that the builder's file imports, which stand nowhere in the file itself."""
        (tmp_path / "fish_of_mine.py").write_text(
            "FISH = frozenset(['zan' + 'der', 'pi' + 'ke'])\n"
        )
        (tmp_path / "author.py").write_text(
            "import pynini\nfrom fish_of_mine import FISH\n\nEQUIVARIANT = True\n\n"
            "def build(symbols):\n"
            "    copy = pynini.closure(symbols.any())\n"
            "    fish = symbols.union([i for i, w in zip(symbols.labels, symbols) if w in FISH])\n"
            "    return copy + pynini.closure(pynini.cross(fish, ''), 0, 1) + copy\n"
        )
        with pytest.raises(NeighborhoodError, match="EQUIVARIANT = True is not true"):
            neighborhood(str(tmp_path / "author.py"))(WORDS)

    def test_a_function_that_exits_beyond_the_first_sentences_is_an_error(self) -> None:
        def build(symbols: Symbols) -> pynini.Fst:
            if "late" in symbols:
                sys.exit(3)
            return copy(symbols)

        kind = Neighborhood(build, "mine")
        kind.try_first([WORDS], Symbols(WORDS))
        with pytest.raises(
            NeighborhoodError, match=r"sentence 2 \(late\): mine: the builder called exit\(3\)"
        ):
            list(kind.expand([WORDS, ["late"]], Symbols([*WORDS, "late"])))


def machine(arc_type: str, *loops: float) -> pynini.Fst:
    """One word, and cycles of ε of these weights at its start."""
    fst = pynini.Fst(arc_type)
    source, target = fst.add_state(), fst.add_state()
    fst.set_start(source)
    fst.set_final(target)
    fst.add_arc(source, pynini.Arc(5, 5, pywrapfst.Weight.one(fst.weight_type()), target))
    for weight in loops:
        fst.add_arc(source, pynini.Arc(0, 0, pywrapfst.Weight(fst.weight_type(), weight), source))
    return fst


@pytest.mark.parametrize(
    ("arc_type", "loops"),
    [("log64", [0]), ("log64", [-1]), ("log64", [0.5, 0.5]), ("standard", [-1])],
)
def test_a_cycle_of_epsilon_without_a_sum_is_refused(arc_type: str, loops: list[float]) -> None:
    with pytest.raises(
        MachineError,
        match=r"mine: a cycle of ε at state 0 has a (negative weight|weight of 0 or below)",
    ):
        algebra.to_lattice(machine(arc_type, *loops), "mine")


@pytest.mark.parametrize(
    ("arc_type", "loops"), [("log64", [1]), ("log64", [0.7, 0.7]), ("standard", [0, 1])]
)
def test_a_cycle_of_epsilon_with_a_sum_is_removed(arc_type: str, loops: list[float]) -> None:
    found = algebra.to_lattice(machine(arc_type, *loops), "mine")
    total = -np.log(1 / (1 - np.sum(np.exp(-np.array(loops))))) if arc_type == "log64" else 0
    weight = float(str(next(iter(found.arcs(0))).weight)) + float(str(found.final(1)))
    assert weight == pytest.approx(total, abs=1e-3)


def test_a_builder_that_raises_runs_in_the_child_alone(tmp_path: Path) -> None:
    """Its error is told from there: again in this process it would have no limit of memory."""
    seen = tmp_path / "seen"
    body = f"    with open({str(seen)!r}, 'a') as log:\n        print(os.getpid(), file=log)\n"
    body += "    raise MemoryError"
    kind = neighborhood(str(author(tmp_path, body)))
    with pytest.raises(
        NeighborhoodError, match=r"sentence 1 \(the dog saw it\): .*raised MemoryError"
    ):
        kind(WORDS)
    assert str(os.getpid()) not in seen.read_text().split()
