"""`fstce tagger ask`, and training with what is answered."""

import csv
import os
import subprocess
import sys

import pytest
from patience import patience

from fstce import Tagger
from fstce.tagging.answers import read_answers

TEXT = "the old clock stopped .\n#tag saw the clock\nthe old clock saw the old clock .\n"
ROWS = [line.split() for line in TEXT.splitlines()]
WORDS = "the\tD\nold\tA N\nclock\tN V\nstopped\tV\nsaw\tN V\n.\t.\n#tag\tN X\n"


@pytest.fixture
def trained(fstce, tmp_path):
    """A folder with a tagger, beside the text and the dictionary that it was trained on."""
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "words.tsv").write_text(WORDS)
    options = ("-d", tmp_path / "words.tsv", "--order", 2, "--quiet", "-o", tmp_path / "m")
    assert fstce("tagger", "train", tmp_path / "text.txt", *options).code == 0
    return tmp_path


def test_questions_as_they_stand_are_answers(fstce, trained):
    path = trained / "questions.tsv"
    code, out, err = fstce("tagger", "ask", trained / "m", trained / "text.txt", "--output", path)
    asked = Tagger.load(trained / "m").questions(ROWS)
    assert (code, out) == (0, "") and f"train with --answers {path}" in err
    assert {word: tuple(answer.tags) for word, answer in read_answers(path).items()} == {
        q.word: q.tags for q in asked
    }
    lines = [
        line.split("\t") for line in path.read_text().splitlines() if not line.startswith("# ")
    ]
    assert [line[0] for line in lines] == [q.word.replace("#tag", "\\#tag") for q in asked]
    assert [int(line[2]) for line in lines] == [q.count for q in asked]
    assert all(
        f"[{line[0].removeprefix(chr(92))}]" in place for line in lines for place in line[3:]
    )
    assert (
        fstce("tagger", "ask", trained / "m", trained / "text.txt", "--quiet").out
        == path.read_text()
    )


def test_the_text_is_read_as_by_other_verbs(fstce, trained):
    """Its encoding and its format are said where every verb that reads takes them."""
    path = trained / "latin.txt"
    path.write_bytes("saw/V the/D café/N\nthe/D old/A café/N\n".encode("latin-1"))
    options = ("--encoding", "latin-1", "--input-format", "tagged", "--quiet")
    for verb in ("ask", "suggest"):
        code, out, _ = fstce("tagger", verb, trained / "m", path, *options)
        assert code == 0 and "café" in out and "/N/" not in out
    code, _, err = fstce("tagger", "ask", trained / "m", path)
    assert code == 2 and "latin.txt:1" in err


def test_a_round(fstce, trained):
    """Questions, two of them answered, one left, and the tagger that is trained with the answers."""
    path = trained / "answers.tsv"
    path.write_text("# clock\tV N\t3\nold\tA\t3\tsome place\n\\#tag\tY\nwug\tN\n")
    options = ("-d", trained / "words.tsv", "--answers", path, "--order", 2, "-o", trained / "new")
    code, _, err = fstce("tagger", "train", trained / "text.txt", *options)
    assert code == 0 and "answers for 3 words, with tags that the dictionary lacks: Y" in err
    found = Tagger.load(trained / "new")
    assert [found.dictionary_[word] for word in ("old", "#tag", "wug")] == [("A",), ("Y",), ("N",)]
    assert found.predict([["#tag", "saw", "the", "old", "clock"]])[0][0] == "Y"


def test_what_is_answered_is_not_asked_for_again(fstce, trained):
    path, ask = (
        trained / "answers.tsv",
        ("tagger", "ask", trained / "m", trained / "text.txt", "--quiet"),
    )
    words = [
        line.partition("\t")[0]
        for line in fstce(*ask).out.splitlines()
        if not line.startswith("# ")
    ]
    path.write_text(f"{words[0]}\tN\n")
    out = fstce(*ask, "--answers", path).out
    assert [
        line.partition("\t")[0] for line in out.splitlines() if not line.startswith("# ")
    ] == words[1:]


def typed(fstce, trained, *lines):
    command = (
        "tagger",
        "ask",
        trained / "m",
        trained / "text.txt",
        "--interactive",
        "-o",
        trained / "a.tsv",
    )
    return fstce(*command, stdin="".join(f"{line}\n" for line in lines).encode())


def test_one_by_one_ended_and_gone_on_with(fstce, trained):
    asked = Tagger.load(trained / "m").questions(ROWS)
    first, second, third, *_ = asked
    code, out, _ = typed(fstce, trained, "7", "2 1", "", "q")
    assert (
        code == 0 and f"{first.word}  ({first.count} tokens; {len(asked)} questions to go)" in out
    )
    assert "type the numbers" in out  # of 7, which is none
    assert read_answers(trained / "a.tsv").keys() == {first.word}
    assert read_answers(trained / "a.tsv")[first.word].tags == list(first.tags[1::-1])
    code, out, _ = typed(fstce, trained, "1 NEW", "1 NEW")
    assert code == 0 and "no tag of the model: NEW; it has . A D N V X. Type" in out
    assert f"\n{third.word}  (" in out and f"\n{second.word}  (" not in out
    answers = read_answers(trained / "a.tsv")
    assert {word: answer.tags for word, answer in answers.items()} == {
        first.word: list(first.tags[1::-1]),
        third.word: [third.tags[0], "NEW"],
    }


def test_no_file_is_named_where_nothing_was_answered(fstce, trained):
    """It said to train with a file that was not there."""
    code, _, err = typed(fstce, trained, "?", "q")
    assert code == 0 and "a.tsv is not written" in err and "train with" not in err


def test_how_often_of_ten_is_an_answer(fstce, trained):
    first, *_ = Tagger.load(trained / "m").questions(ROWS)
    code, _, _ = typed(fstce, trained, "2:7 1:3", "q")
    assert code == 0
    answer = read_answers(trained / "a.tsv")[first.word]
    assert answer.tags == list(first.tags[1::-1])
    assert answer.counts == {first.tags[1]: 7.0, first.tags[0]: 3.0}


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_an_answer_that_is_no_utf8_is_asked_for_again(trained, errors):
    first, *_ = Tagger.load(trained / "m").questions(ROWS)
    path = trained / "a.tsv"
    names = [trained / "m", trained / "text.txt", "--interactive", "-o", path]
    ended = subprocess.run(
        [sys.executable, "-m", "fstce", "tagger", "ask", *names],
        input=b"N\xe9\n1\nq\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": f"utf-8:{errors}"},
    )
    assert ended.returncode == 0 and b"Traceback" not in ended.stderr
    assert b"standard input: this answer is not valid UTF-8" in ended.stdout
    assert read_answers(path)[first.word].tags == [first.tags[0]]


def test_nothing_that_is_there_is_overwritten(fstce, trained):
    (trained / "a.tsv").write_text("saw\tN\n")
    command = ("tagger", "ask", trained / "m", trained / "text.txt")
    code, _, err = fstce(*command, "-o", trained / "a.tsv")
    assert code == 2 and "is there already" in err and (trained / "a.tsv").read_text() == "saw\tN\n"
    code, _, err = fstce(*command, "--interactive")
    assert code == 2 and "name a file with --output" in err
    (trained / "a.tsv").write_text("no answer\n")
    code, _, err = fstce(*command, "--interactive", "-o", trained / "a.tsv", stdin=b"1\n")
    assert code == 2 and "a.tsv:1: 'no answer' is no answer" in err


def test_nothing_to_ask(fstce, trained):
    (trained / "one.txt").write_text(". . .\n")
    code, out, err = fstce("tagger", "ask", trained / "m", trained / "one.txt")
    assert code == 0 and "nothing to ask" in err and not read_lines(out)


def read_lines(out):
    return [line for line in out.splitlines() if not line.startswith("#")]


def test_questions_of_a_csv_are_answered_as_such(fstce, corpus, tmp_path):
    """They were written with tabs, whatever the name, and their commas cut the cells."""
    model, questions = tmp_path / "m", tmp_path / "q.csv"
    assert fstce("tagger", "train", corpus, "--order", "2", "-q", "-o", model).code == 0
    assert fstce("tagger", "ask", model, corpus, "--number", "4", "-o", questions).code == 0
    rows = list(csv.reader(questions.open(newline="")))
    assert rows[0] == ["word", "tags", "tokens", "places"] and len(rows) == 5
    assert read_answers(questions).keys() == {row[0] for row in rows[1:]}
    options = ("--interactive", "-o", tmp_path / "i.csv")
    code, _, err = fstce("tagger", "ask", model, corpus, *options)
    assert code == 2 and "--interactive writes a .tsv" in err


def test_questions_go_through_a_pipe(process, trained):
    """``/dev/stdout`` that somebody reads was called a file that is there already."""
    asking = ("tagger", "ask", trained / "m", trained / "text.txt", "--output", "/dev/stdout")
    out, err = process(*asking).communicate(timeout=patience(60))
    assert b"\nclock\t" in out and b"already" not in err
