"""Places that cannot be read: raised with their number, skipped, or passed over, in every reader."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import time
from bz2 import BZ2File
from pathlib import Path

import pytest

from fstce.corpora import read_corpus
from fstce.corpora.faults import Faults
from fstce.corpora.penn import read_parses
from fstce.errors import CorpusError, ParameterError

GOOD_ROW = "1\tHi\t_\tINTJ\t_\t_\t0\troot\t_\t_\n"
BAD = {
    "tagged": "a/DT dog/NN\nno slash/NN\nit/PRP rains/VBZ\nalone\n",
    "conllu": f"{GOOD_ROW}\n1\tHi\n\n{GOOD_ROW}\n{GOOD_ROW.replace('0', '7')}\n",
    "conllx": f"{GOOD_ROW}\n2\tHi\t_\tINTJ\t_\t_\t0\troot\n\n{GOOD_ROW}\n1\tHi\n",
    "vertical": "a\tDT\n\nno\n\nit\tPRP\n\n\tNN\n",
    "penn": "(S (NN a))\n(S (NN\n(S (NN b))\n(S (NN c) d)\n",
    "penn, text between": "(S (NN a))\n) oh\n(S (NN b))\n(S (NN c) ()\n",
    "plain": "It rains .\n<s> is no word .\nAll is well .\nnor is </s> one .\n",
}


@pytest.mark.parametrize("case", BAD)
def test_the_good_are_read_and_the_bad_told(case: str) -> None:
    told: list[str] = []
    format = case.partition(",")[0]
    for policy in ("skip", "pass"):
        faults = Faults(policy, told.append)
        assert len(read_corpus(io.StringIO(BAD[case]), format, faults=faults)) == 2
        assert faults.count == 2
    assert all(line.startswith("<stream>:") for line in told)
    assert len(told) == 4
    assert faults.summary() == {"count": 2, "first": faults.messages}


@pytest.mark.parametrize("case", BAD)
def test_an_error_counts_what_else_is_wrong(case: str) -> None:
    with pytest.raises(
        CorpusError, match=r"^<stream>:\d+: .*\(and 1 more such places; --faulty skip"
    ):
        read_corpus(io.StringIO(BAD[case]), case.partition(",")[0])


def test_bytes_that_are_no_text_are_a_fault_of_their_line() -> None:
    faults = Faults("skip")
    found = read_corpus(io.BytesIO(b"one\nna\xefve\nthree\n\0\n"), "plain", faults=faults)
    assert [str(sentence) for sentence in found] == ["one", "three"]
    assert faults.count == 2


def test_a_tree_over_lines_one_of_which_is_no_text_is_a_fault_as_a_whole() -> None:
    faults = Faults("skip")
    text = b"(S (NN a)\n   (NN caf\xe9)\n   (NN b))\n(S (NN c))\n"
    found = read_corpus(io.BytesIO(text), "penn", faults=faults)
    assert [str(sentence) for sentence in found] == ["c"]
    assert faults.messages[0].startswith("<stream>:2: byte 0xe9")


def test_where_nothing_can_be_read_the_first_fault_is_told() -> None:
    with pytest.raises(
        CorpusError, match=r"holds no sentence that can be read; the first fault: <stream>:1"
    ):
        read_corpus(io.StringIO("a b"), "tagged", faults=Faults("skip"))


def test_a_thousand_faults_are_enough() -> None:
    with pytest.raises(CorpusError, match=r"more than 1,000 more"):
        read_corpus(io.StringIO("bad\n" * 5000), "tagged")


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ParameterError, match="did you mean 'skip'"):
        Faults("skipp")


def test_a_failed_parse_has_no_tree() -> None:
    lines = ["(())", "( (S (NN a)) )", "(TOP )", "( ( ) )", "(S (NN -LRB-))"]
    found = read_parses(iter(enumerate(lines, 1)), "a.mrg")
    assert [parse.tree and str(parse.tree) for parse in found] == [
        None,
        "(S (NN a))",
        None,
        None,
        "(S (NN -LRB-))",
    ]
    assert len(read_corpus(io.StringIO("\n".join(lines)), "penn")) == 2


@pytest.mark.parametrize(
    ("suffix", "opener"), [("gz", gzip.open), ("bz2", BZ2File), ("xz", lzma.open)]
)
@pytest.mark.parametrize("name", ["a.mrg", "a.tree", "a"])
def test_compressed_files_are_read_by_content(
    tmp_path: Path, name: str, suffix: str, opener: object
) -> None:
    path = tmp_path / f"{name}.{suffix}"
    with opener(path, "wb") as stream:  # type: ignore[operator]
        stream.write(b"( (S (NN dog)) )\n")
    assert read_corpus(path)[0].tags == ("NN",)
    path.rename(tmp_path / "plain")
    assert read_corpus(tmp_path / "plain")[0].tags == ("NN",)


def test_a_damaged_compressed_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"it rains\n" * 1000)[:40])
    with pytest.raises(CorpusError, match=r"a\.gz: cannot be read"):
        read_corpus(path)


def test_devices_loops_and_unknown_users_are_told_in_a_line(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for spec, message in [
        ("/dev/zero", "a device, not a file"),
        (str(loop), "no such file|symbolic links"),
        ("~nosuchuser/a.txt", "no such user"),
        ("/dev/null", "holds no sentence"),
    ]:
        with pytest.raises(CorpusError, match=message):
            read_corpus(spec)


def test_a_pipe_with_a_name_is_read_and_an_idle_one_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr("fstce.storage.atomic.PATIENCE", 0.2)
    with pytest.raises(CorpusError, match="a pipe into which nobody has written"):
        read_corpus(pipe)
    monkeypatch.setattr("fstce.storage.atomic.PATIENCE", 10)
    if os.fork() == 0:
        time.sleep(0.1)
        pipe.write_bytes(b"it rains\n")
        os._exit(0)
    assert [str(sentence) for sentence in read_corpus(pipe)] == ["it rains"]


@pytest.mark.parametrize("column", [0, 6])
def test_numbers_of_thousands_of_digits_are_told(column: int) -> None:
    row = GOOD_ROW.strip().split("\t")
    row[column] = "1" * 5000
    with pytest.raises(CorpusError, match=r"<stream>:1: (head|the word is numbered) '?1{9}'? "):
        read_corpus(io.StringIO("\t".join(row)), "conllu")
