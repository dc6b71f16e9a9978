"""The log of a run of trials: what is written comes back, to the bit, and what is damaged is named."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import patience
from trial_cases import bare, chaotic, grid, log_lines, run_trials

from fstce.errors import ParameterError
from fstce.processes.trial_log import TrialLog, dump, key
from fstce.processes.trials import Group

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.from_regex(r"\\*-?(NaN|Infinity)", fullmatch=True),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
flat = st.dictionaries(st.text(), scalars, max_size=4)


def exact(value):
    """A form in which equal means the same type and the same bits, but that all NaN are one."""
    if isinstance(value, dict):
        return {name: exact(item) for name, item in value.items()}
    if isinstance(value, list):
        return [exact(item) for item in value]
    return type(value), value.hex() if isinstance(value, float) else value


@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_a_record_comes_back_as_it_was(record):
    line = dump(record)
    assert exact(json.loads(line)) == exact(record)
    assert line.count(b"\n") == 1 and line.endswith(b"\n")


@hypothesis.settings(max_examples=25)
@given(st.lists(st.tuples(flat, json_values), max_size=5))
def test_a_log_comes_back_as_it_was(tmp_path_factory, pairs):
    path = tmp_path_factory.mktemp("log") / "log"
    for given_settings, value in pairs:
        with TrialLog(path, {"corpus": "wsj"}) as log:
            log.add(dump({"settings": given_settings, "result": {"value": value}, "seconds": 0.5}))
    with TrialLog(path, {"corpus": "wsj"}) as log:
        found = {name: record["result"]["value"] for name, record in log.records.items()}
    assert exact(found) == exact({key(one): value for one, value in pairs})


@given(flat, st.randoms(use_true_random=False))
def test_the_key_does_not_see_the_order(one, random):
    names = random.sample(list(one), len(one))
    assert key({name: one[name] for name in names}) == key(one)


ALIKE = [
    0,
    -0.0,
    False,
    1,
    1.0,
    True,
    "1",
    None,
    "null",
    math.nan,
    "NaN",
    r"\NaN",
    math.inf,
    "Infinity",
]
ALIKE += [2**53 + 1, 2.0**53, 1e300, "", 0.1, float(np.nextafter(0.1, 1))]


@pytest.mark.parametrize("one", ALIKE, ids=repr)
def test_the_key_tells_settings_apart(one):
    for other in ALIKE:
        truth = bool in (type(one), type(other)) and type(one) is not type(other)
        same = one is other or (one == other and not truth)
        assert (key({"value": one}) == key({"value": other})) == same, other


def test_infinities_go_through_a_run(tmp_path):
    result = {
        "log Z": -math.inf,
        "limits": [math.inf, math.nan],
        "word": "NaN",
        "one": np.float32(0.1),
    }
    group = Group({"sigma2": math.inf}, [{"word": "-Infinity"}])
    for _ in range(2):
        (record,) = run_trials([group], lambda _: lambda _: result, tmp_path / "log")
        assert record["settings"] == {"sigma2": math.inf, "word": "-Infinity"}
        assert record["result"]["log Z"] == -math.inf and record["result"]["word"] == "NaN"
        assert record["result"]["limits"][0] == math.inf and math.isnan(
            record["result"]["limits"][1]
        )
        assert record["result"]["one"] == float(np.float32(0.1))
    assert len(log_lines(tmp_path / "log")) == 2


def test_text_that_is_no_utf8_goes_through():
    assert json.loads(dump({"path": "caf\udce9", "σ²": "é\u2028\r"})) == {
        "path": "caf\udce9",
        "σ²": "é\u2028\r",
    }


def test_the_file_is_json_lines_with_a_header(tmp_path):
    run_trials(
        grid(1, 1), lambda _: lambda _: {"é": 0.1}, tmp_path / "log", about={"corpus": "wsj"}
    )
    header, record = (
        json.loads(line) for line in (tmp_path / "log").read_text("utf-8").splitlines()
    )
    assert header == {"format": "fstce trials", "format_version": 1, "about": {"corpus": "wsj"}}
    assert bare([record]) == [{"settings": {"group": 0, "trial": 0}, "result": {"é": 0.1}}]
    assert "é" in (tmp_path / "log").read_text("utf-8")


def test_every_cut_of_a_log_is_mended(tmp_path):
    log, about = tmp_path / "log", {"corpus": "wsj", "words": 24000}
    records = run_trials(grid(1, 3), chaotic, log, about=about)
    whole = log.read_bytes()
    ends = [n + 1 for n, byte in enumerate(whole) if byte == 10]
    near = {end + n for end in [0, *ends] for n in (-2, -1, 0, 1)}
    for cut in sorted(near.union(range(0, len(whole), 20)) & set(range(len(whole)))):
        log.write_bytes(whole[:cut])
        with TrialLog(log, about) as book:
            assert len(book.records) == max(0, sum(end <= cut for end in ends) - 1)
        if cut % 40 == 0:
            assert bare(run_trials(grid(1, 3), chaotic, log, about=about)) == bare(records)
            assert len(log_lines(log)) == 4


DAMAGED = [
    "{",
    "",
    "[]",
    '{"settings": {}}',
    '{"settings": 1, "result": {}}',
    '{"settings": {}, "error": 1}',
    "\xff",
]


@pytest.mark.parametrize("line", DAMAGED)
@pytest.mark.parametrize("place", [2, 3])
def test_a_damaged_line_is_named(line, place, tmp_path):
    log = tmp_path / "log"
    run_trials(grid(1, 3), chaotic, log)
    lines = log_lines(log)
    log.write_bytes(
        b"".join([*lines[: place - 1], line.encode("latin-1") + b"\n", *lines[place - 1 :]])
    )
    before = log.read_bytes()
    with pytest.raises(ParameterError, match=rf"log:{place}: damaged.*delete the line"):
        run_trials(grid(1, 3), chaotic, log)
    assert log.read_bytes() == before


@pytest.mark.parametrize(
    ("about", "told"),
    [
        (
            {"corpus": "brown", "words": 9},
            "begun with corpus = 'wsj', this run has corpus = 'brown'; choose",
        ),
        ({"corpus": "wsj"}, "begun with words = 9, this run has words = None; choose"),
        ({"corpus": "wsj", "words": 9, "x": 1}, "begun with x = None, this run has x = 1; choose"),
        (
            None,
            "begun with corpus = 'wsj', words = 9, this run has corpus = None, words = None; choose",
        ),
    ],
)
def test_a_log_about_something_else_is_refused(about, told, tmp_path):
    log = tmp_path / "log"
    run_trials(grid(1), chaotic, log, about={"corpus": "wsj", "words": 9})
    before = log.read_bytes()
    with pytest.raises(
        ParameterError, match=f"{told} another folder, or remove this one to begin anew"
    ):
        run_trials(grid(), chaotic, log, about=about)
    assert log.read_bytes() == before
    assert run_trials(grid(1), chaotic, log, about={"words": 9.0, "corpus": "wsj"})


@pytest.mark.parametrize(
    "content", ["hello", "hello\n", "{}\n", '{"format": "fstce model"}\n', "\n", "[]\nx"]
)
def test_a_file_that_is_no_log_is_left_alone(content, tmp_path):
    (tmp_path / "log").write_text(content)
    with pytest.raises(ParameterError, match="log:1: not a log of trials"):
        run_trials(grid(1), chaotic, tmp_path / "log")
    assert (tmp_path / "log").read_text() == content


def test_a_log_of_another_version_is_refused(tmp_path):
    run_trials(grid(1), chaotic, tmp_path / "log")
    text = (tmp_path / "log").read_text("utf-8")
    (tmp_path / "log").write_text(
        text.replace('"format_version": 1', '"format_version": 2'), "utf-8"
    )
    with pytest.raises(ParameterError, match="log:1: not a log of trials of this fstce"):
        run_trials(grid(1), chaotic, tmp_path / "log")


def test_a_log_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(ParameterError, match=r"cannot be written.*No such file"):
        run_trials(grid(1), chaotic, tmp_path / "missing" / "log")
    with pytest.raises(ParameterError, match=r"cannot be written.*[Dd]irectory"):
        run_trials(grid(1), chaotic, tmp_path)


def python(program, *arguments):
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=patience(60))


def test_a_full_disk_keeps_what_is_written(tmp_path):
    log = tmp_path / "log"
    program = (
        "import resource, sys; from fstce.processes.trials import Group, TrialLog, run_trials\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))\n"
        "trials = [{'trial': n} for n in range(9)]\n"
        "run_trials([Group({}, trials)], lambda _: lambda _: {'n': 1}, TrialLog(sys.argv[1]))"
    )
    done = python(program, log)
    assert "cannot be written (File too large); what it holds is kept" in done.stderr
    kept = len(log_lines(log)) - 2
    assert kept >= 1
    ran = []
    run_trials(
        [Group({}, [{"trial": n} for n in range(9)])], lambda _: lambda t: ran.append(t) or {}, log
    )
    assert len(ran) == 9 - kept


def test_two_runs_do_not_share_a_log(tmp_path):
    program = "import sys; from fstce.processes.trial_log import TrialLog; TrialLog(sys.argv[1])"
    with TrialLog(tmp_path / "log"):
        assert (
            "another run is writing this log; wait for its end"
            in python(program, tmp_path / "log").stderr
        )
    assert python(program, tmp_path / "log").stderr == ""
