"""Verbs that apply a model: each line answered as it comes, in order for any number of processes."""

from __future__ import annotations

import multiprocessing
import os
import pty
import re
import select
import signal
import statistics
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from patience import patience
from sent_work import closures_are_sent

from fstce.console.applying import Answered, Applying, applied, each
from fstce.console.output import quietly
from fstce.console.streams import batches
from fstce.corpora import Sentence
from fstce.corpora.passages import Passage
from fstce.errors import CorpusError, MachineError
from fstce.processes.workers import cores

VERBS = {
    "tagger tag": "tagger",
    "parser parse": "parser",
    "latent parse": "latent",
    "induction parse": "induction",
    "corrector correct": "corrector",
}
PLAIN = [
    b"the old clock stopped .\n",
    b"Clara lit the oven .\n",
    b"the wugs frob a glimp .\n",
    b"it rained .\n",
]
TAGGED = [
    b"the/DT old/JJ clock/NN stopped/VBD ./.\n",
    b"Clara/NNP lit/VBD the/DT oven/NN ./.\n",
] * 2


def lines_of(verb: str) -> list[bytes]:
    return TAGGED if verb == "parser parse" else PLAIN


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small model for each verb, trained by the program."""
    from fstce.cli.main import main
    from fstce.corpora import sample

    folder = tmp_path_factory.mktemp("models")
    part = folder / "part.mrg"
    part.write_text("".join(f"{s.tree}\n" for s in sample()[:40]), encoding="utf-8")
    commands = {
        "tagger": ("train", "--order", "2", "--max-iterations", "3"),
        "parser": ("train", "--max-iterations", "3", "--max-length", "6"),
        "latent": ("train", "--cycles", "0"),
        "induction": ("train",),
        "corrector": ("train", "--criterion", "none"),
    }
    for group, (verb, *options) in commands.items():
        assert main([group, verb, str(part), "-q", "-o", str(folder / group), *options]) == 0
    return {verb: folder / group for verb, group in VERBS.items()}


def answer(process: subprocess.Popen[bytes], seconds: float) -> bytes:
    """What comes next on standard output; fails where nothing does in time."""
    assert process.stdout is not None
    ready = select.select([process.stdout], [], [], seconds)[0]
    assert ready, f"no answer within {seconds} s"
    return os.read(process.stdout.fileno(), 1 << 16)


def processor_seconds(process: subprocess.Popen[bytes]) -> float:
    """What a process has computed so far, whatever else the machine does."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("verb", VERBS)
def test_a_line_a_second_is_answered_within_a_tenth(
    process: Any, models: dict[str, Path], verb: str
) -> None:
    running = process(*verb.split(), models[verb], "-", "--quiet", "--faulty", "skip")
    waited, computed = [], []
    for i, line in enumerate([*lines_of(verb)[:1], *lines_of(verb) * 2]):
        time.sleep(0.2 if i else 0)  # as a second would, but for the patience of who runs the tests
        began, used = time.monotonic(), processor_seconds(running)
        running.stdin.write(line)
        running.stdin.flush()
        # Before the next line; the first one starts Python
        assert answer(running, 60 if i == 0 else 5)
        waited.append(time.monotonic() - began)
        computed.append(processor_seconds(running) - used)
    busy = max(1.0, os.getloadavg()[0] / cores())  # who else wants each processor
    assert statistics.median(computed[1:]) <= 0.1, computed
    assert statistics.median(waited[1:]) <= 0.1 * busy, waited
    # So is a line that comes at once with a blank or a faulty one.
    for more in (b"\n", b"<s>\n" if verb != "parser parse" else b"<s>/X\n"):
        running.stdin.write(lines_of(verb)[0] + more)
        running.stdin.flush()
        assert answer(running, 60)
    out, err = running.communicate(timeout=patience(60))
    assert out.strip() == b"" and all(
        b"<s>" in line or b"skipped" in line for line in err.splitlines()
    ), err


@pytest.mark.parametrize("verb", VERBS)
def test_any_number_of_processes_writes_the_same(
    fstce: Any, models: dict[str, Path], verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in (
        ("fstce.console.streams", "BATCH"),
        ("fstce.console.phrases", "TOGETHER"),
        ("fstce.correction.verbs.correct", "TOGETHER"),
    ):
        monkeypatch.setattr(f"{module}.{name}", 3)
    # However slow the machine, no pace is said
    monkeypatch.setattr("fstce.console.progress.PAUSE", 3600)
    good = lines_of(verb)
    path = tmp_path / "text"
    path.write_bytes(
        b"".join([*good * 2, b"\n<s>\n" if good is PLAIN else b"\n<s>/X\n", *good * 2])
    )
    alone = fstce(*verb.split(), models[verb], path)
    passed = "a failed parse" if verb in ("latent parse", "induction parse") else "passed through"
    assert alone.code == 0 and alone.out.count("\n") >= 8 and passed in alone.err
    assert fstce(*verb.split(), models[verb], path, "--jobs", 2) == alone
    assert (
        fstce(*verb.split(), models[verb], "-", "--jobs", 2, stdin=path.read_bytes()).out
        == alone.out
    )


def test_lines_are_answered_at_once_with_several_processes(process: Any, model: Path) -> None:
    running = process("tagger", "tag", model, "-", "--quiet", "--jobs", "2")
    for i in range(4):
        running.stdin.write(PLAIN[0])
        running.stdin.flush()
        assert answer(running, 60 if i == 0 else 2).count(b"/") == 5
    assert running.communicate(timeout=patience(60)) == (b"", b"")


def test_no_process_outlives_its_parent(process: Any, model: Path) -> None:
    running = process("tagger", "tag", model, "-", "--quiet", "--jobs", "2")
    running.stdin.write(PLAIN[0])
    running.stdin.flush()
    answer(running, 60)
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
    assert children
    running.send_signal(signal.SIGKILL)
    running.wait()
    until = time.monotonic() + patience(10)
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < until, children
        time.sleep(0.05)


def test_what_stands_before_a_fault_is_answered_first() -> None:
    def given() -> Iterator[list[int]]:
        yield [1]
        yield [2]
        raise CorpusError("a.txt:3: damaged")

    found = applied(sum, given(), "a.txt", jobs=2)
    assert [next(found), next(found)] == [([1], 1), ([2], 2)]
    with pytest.raises(CorpusError, match=r"a\.txt:3"):
        next(found)


@closures_are_sent
def test_a_process_that_dies_is_told() -> None:
    with pytest.raises(MachineError, match="fewer --jobs"):
        list(applied(lambda batch: os._exit(9), batches(range(3), "a.txt"), "a.txt", jobs=2))


def test_the_pace_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fstce.console.progress.PAUSE", 0)
    text = [Passage(Sentence(["it", "rained", "all", "day", "long"])), Passage(None)] * 2
    for quiet in (False, True):
        with quietly(quiet):
            assert [answer for _, answer in Applying("a.txt").answers(len, text)] == [4]
        out, err = capsys.readouterr()
        assert out == "" and bool(err) is not quiet
        if not quiet:
            assert re.fullmatch(r"2 sentences \(.* a second\), 10 words \(.* a second\)\n", err)


def shouted(batch: list[Passage]) -> list[Answered]:
    """Sentences in capitals; no batch that has a number."""
    if any(word.isdecimal() for one in batch for word in one.sentence or ()):
        raise MachineError("too large")
    return [Answered(f"{one.sentence}\n".upper(), known=len(batch)) for one in batch]


def test_answers_stand_where_their_sentences_did(capsys: pytest.CaptureFixture[str]) -> None:
    """Of a batch that fails each sentence is tried alone."""
    texts = ("it rained", "it is 7", "so what")
    first, *others = (Passage(Sentence(text.split())) for text in texts)

    def alone(one: Passage, error: str) -> Answered:
        return Answered(f"{one.sentence}\n", f"as it came: {error}")

    written = Applying("a.txt").written(
        partial(each, shouted, alone),
        [first, Passage(None, ("\n",)), *others],
        lambda one: Answered("".join(one.lines)),
    )
    with quietly():  # of which warnings are no part
        assert [answer.known for _, answer in written] == [1, None, None, 1]
    assert capsys.readouterr() == ("IT RAINED\n\nit is 7\nSO WHAT\n", "as it came: too large\n")


def test_what_a_batch_failed_at_is_gone_before_its_sentences_are_tried_alone() -> None:
    class Automata:
        """Stands for what a failing batch has built; it lives as long as the error that shows it."""

    built: list[weakref.ref[Automata]] = []

    def work(batch: list[Passage]) -> list[Answered]:
        assert all(one() is None for one in built)
        automata = Automata()
        built.append(weakref.ref(automata))
        raise MachineError(f"too large: {len(batch)}")

    passages = [Passage(Sentence([word])) for word in "ab"]
    answers = each(work, lambda one, error: Answered(error), passages)
    assert [answer.block for answer in answers] == ["too large: 1", "too large: 1"]
    assert len(built) == 3


def test_a_terminal_shows_a_bar_and_the_output_has_none_of_it(model: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"".join(PLAIN))
    leader, terminal = pty.openpty()
    command = [sys.executable, "-m", "fstce", "tagger", "tag", str(model), str(tmp_path / "text")]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=terminal, timeout=patience(120), check=True
    )
    os.close(terminal)
    shown = b""
    try:
        while chunk := os.read(leader, 1 << 16):
            shown += chunk
    except OSError:
        pass  # its other end is closed
    os.close(leader)
    shown = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", shown)
    assert b"4 sentences (" in shown and b"19 words (" in shown and b" a second)" in shown
    assert (
        done.stdout.count(b"\n") == 4
        and b"second" not in done.stdout
        and b"\x1b" not in done.stdout
    )


PEAK = """
import resource, sys
from fstce.cli.main import main
assert main(["tagger", "tag", *sys.argv[1:], "-q", "--tokenized"]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


def peak(model: Path, path: Path) -> int:
    """The memory in MB that tagging a file takes at most."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(model), str(path)],
        capture_output=True,
        timeout=patience(300),
        check=True,
    )
    assert done.stdout.count(b"\n") == path.read_bytes().count(b"\n")
    return int(done.stderr.split()[-1])


def test_memory_does_not_grow_with_lines_of_unknown_words(tmp_path: Path) -> None:
    from fstce import Tagger

    tags = [f"T{i}" for i in range(25)]
    words = {f"w{i}": tag for i, tag in enumerate(tags)}
    tagger = Tagger(order=3, max_iterations=1, unknown_word_model=False)
    tagger.fit([list(words)], dictionary={**words, "both": tags[:2]}).save(tmp_path / "model")
    # A trigram model sees 25 ** 3 n-grams of a word: all lines together have 1.5 million arcs.
    lines = [" ".join(f"x{i}y{j}" for j in range(10)) for i in range(12)]
    (tmp_path / "few").write_text("\n".join(lines[:2]) + "\n")
    (tmp_path / "many").write_text("\n".join(lines) + "\n")
    assert (
        peak(tmp_path / "model", tmp_path / "many")
        < peak(tmp_path / "model", tmp_path / "few") + 60
    )


def test_processes_of_others_are_left_alone() -> None:
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    other.start()
    try:
        assert [answer for _, answer in applied(sum, [[1, 2], [3]], "my.txt", jobs=2)] == [3, 3]
        other.join(0.1)
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


def test_each_batch_comes_with_its_answer_in_order() -> None:
    assert list(applied(sum, [[1, 2], [3]], "my.txt", jobs=1)) == [([1, 2], 3), ([3], 3)]
