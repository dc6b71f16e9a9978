"""`fstce tagger tag`."""

import csv
import json
import math

import pytest
from patience import patience

from fstce.console import streams
from fstce.corpora import read_corpus

TEXT = "the old clock stopped .\n\nClara lit the oven .\n  \nthe wug walks\n"
LINES = [line.split() for line in TEXT.splitlines()]
SENTENCES = [words for words in LINES if words]


def slashed(words, tags):
    return " ".join(f"{w}/{t}" for w, t in zip(words, tags, strict=True))


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_lines_out_are_lines_in(fstce, model, tagger, text):
    code, out, _ = fstce("tagger", "tag", model, text)
    found = iter(tagger.predict(SENTENCES))
    assert code == 0
    assert out.split("\n") == [slashed(words, next(found)) if words else "" for words in LINES] + [
        ""
    ]


def test_standard_input_is_the_default(fstce, model, text):
    assert fstce("tagger", "tag", model, stdin=TEXT.encode()) == fstce("tagger", "tag", model, text)
    assert fstce("tagger", "tag", model, "-", stdin=TEXT.encode()) == fstce(
        "tagger", "tag", model, text
    )


def test_batches_do_not_show(fstce, model, text, monkeypatch):
    whole = fstce("tagger", "tag", model, text)
    monkeypatch.setattr(streams, "BATCH", 2)
    assert fstce("tagger", "tag", model, text) == whole


def test_dos_line_ends_and_a_missing_last_one(fstce, model, text):
    text.write_bytes(TEXT.replace("\n", "\r\n").rstrip().encode())
    assert (
        fstce("tagger", "tag", model, text).out
        == fstce("tagger", "tag", model, stdin=TEXT.encode()).out
    )


def test_no_lines_give_no_lines(fstce, model):
    assert fstce("tagger", "tag", model, "--quiet", stdin=b"") == (0, "", "")
    assert fstce("tagger", "tag", model, "--quiet", stdin=b"\n\n\n") == (0, "\n\n\n", "")


def test_unknown_words_are_counted(fstce, model, tagger, text):
    missing = [word for words in SENTENCES for word in words if word not in tagger.dictionary_]
    err = fstce("tagger", "tag", model, text).err
    assert "wug" in missing
    assert err == (
        f"13 words, {len(missing)} of them not in the model's dictionary\n"
        "read as tokenized text: its punctuation stands alone (--raw cuts it)\n"
    )


def test_known_words_are_counted(fstce, model):
    assert fstce("tagger", "tag", model, stdin=b"Clara lit the oven .\n").err == (
        "5 words, all in the model's dictionary\n"
        "read as tokenized text: its punctuation stands alone (--raw cuts it)\n"
    )


def test_a_word_that_is_listed_in_small_letters_is_known_in_capitals(fstce, model, tagger):
    """At the beginning of a sentence it was tagged as known and counted as unknown."""
    assert "OVEN" not in tagger.dictionary_ and "dough" in tagger.dictionary_
    text = b"Dough lit the OVEN .\nWug\n"
    assert fstce("tagger", "tag", model, stdin=text).err.startswith(
        "6 words, 1 of them not in the model's dictionary\n"
    )


def test_a_table_with_probabilities(fstce, model, tagger, text):
    code, out, _ = fstce("tagger", "tag", model, text, "--proba")
    header, out = out.split("\n", 1)
    assert header == "word\ttag\tprobability"
    blocks = [block.splitlines() for block in out.rstrip("\n").split("\n\n") if block.strip("\n")]
    rows = [[row.split("\t") for row in block if row] for block in blocks]
    tags, tables = tagger.predict(SENTENCES), tagger.predict_proba(SENTENCES)
    assert code == 0
    assert [[row[:2] for row in block] for block in rows] == [
        [[w, t] for w, t in zip(words, found, strict=True)]
        for words, found in zip(SENTENCES, tags, strict=True)
    ]
    for block, table in zip(rows, tables, strict=True):
        for (_, tag, chance), posterior in zip(block, table, strict=True):
            assert math.isclose(float(chance), posterior[tagger.tags_.index(tag)], abs_tol=6e-5)


def test_conllu_is_read_back(fstce, model, tagger, text, tmp_path):
    path = tmp_path / "tagged.conllu"
    path.write_text(
        fstce("tagger", "tag", model, text, "--output-format", "conllu").out, encoding="utf-8"
    )
    assert [list(s.tags) for s in read_corpus(path)] == tagger.predict(SENTENCES)


def test_tagged_output_is_read_back(fstce, model, tagger, text, tmp_path):
    path = tmp_path / "tagged.pos"
    path.write_text(fstce("tagger", "tag", model, text).out, encoding="utf-8")
    assert [list(s.tags) for s in read_corpus(path)] == tagger.predict(SENTENCES)


def test_a_word_that_begins_with_a_mark_keeps_it(fstce, model, tmp_path):
    """The first of a text lost it, which was taken for the file's own."""
    (tmp_path / "in.txt").write_text("\ufeff\ufeffthe clock .\n", encoding="utf-8")
    path = tmp_path / "tagged.pos"
    out = fstce("tagger", "tag", model, tmp_path / "in.txt", "--tokenized").out
    path.write_text(out, encoding="utf-8")
    assert [list(sentence) for sentence in read_corpus(path)] == [["\ufeffthe", "clock", "."]]
    out = fstce("tagger", "suggest", model, tmp_path / "in.txt").out
    path.write_text(out, encoding="utf-8")
    assert [list(sentence) for sentence in read_corpus(path)] == [["\ufeffthe", "clock", "."]]


def test_posterior_decoding(fstce, model, tagger, text):
    out = fstce("tagger", "tag", model, text, "--decoder", "posterior").out
    best = [
        [tagger.tags_[i] for i in table.argmax(axis=1)] for table in tagger.predict_proba(SENTENCES)
    ]
    assert [line for line in out.splitlines() if line] == list(map(slashed, SENTENCES, best))


def test_a_treebank_is_tagged_sentence_by_sentence(fstce, model, tagger, corpus, sentences):
    out = fstce("tagger", "tag", model, corpus).out
    assert out.splitlines() == list(map(slashed, sentences, tagger.predict(sentences)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--proba", "--output-format", "word/tag"], "--proba needs a place of its own"),
    ],
)
def test_contradictions_are_named(fstce, model, options, message):
    code, out, err = fstce("tagger", "tag", model, *options)
    assert (code, out) == (2, "")
    assert message in err and len(err.splitlines()) == 1


def test_a_line_too_large_is_passed_through_with_a_warning(fstce, model, tmp_path, monkeypatch):
    monkeypatch.setattr("fstce.wfsa.batch.ARC_LIMIT", 60)
    lines = ["the lamp .", " ".join(["zig", "zag"] * 30), "a lamp ."]
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, out, err = fstce("tagger", "tag", model, path)
    assert code == 0
    assert len(out.splitlines()) == 3
    assert out.splitlines()[1] == lines[1]
    assert "line 2 is passed through untagged" in err


CONLLU = b"""# sent_id = 1
# text = the oven!
1\tthe\tthe\tDET\tX\tA=b\t2\tdet\t_\t_
2-3\toven!\t_\t_\t_\t_\t_\t_\t_\t_
2\toven\toven\tNOUN\tX\t_\t0\troot\t_\tSpaceAfter=No
2.1\tx\tx\t_\t_\t_\t_\t_\t_\t_
3\t!\t!\tPUNCT\tX\t_\t2\tpunct\t_\t_

"""


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_conllu_into_conllu_changes_tags_and_no_other_byte(fstce, model, tagger, end, tmp_path):
    given = (CONLLU * 2).replace(b"\n", end)
    (tmp_path / "a").write_bytes(given)
    (tags,) = tagger.predict([["the", "oven", "!"]])
    expected = given.decode()
    for word, tag in zip(("DET", "NOUN", "PUNCT"), tags, strict=True):
        expected = expected.replace(f"{word}\tX", f"{word}\t{tag}")
    for source, stdin in (("-", given), (tmp_path / "a", b"")):
        out = fstce("tagger", "tag", model, source, "--output-format", "conllu", stdin=stdin).out
        assert out == expected


def test_running_text_is_cut_and_written_back_with_its_spacing(fstce, model):
    code, out, err = fstce("tagger", "tag", model, stdin=b"The clock stopped. Clara's oven!\n")
    assert code == 0
    assert [token.rsplit("/", 1)[0] for token in out.split()] == (
        ["The", "clock", "stopped", ".", "Clara", "'s", "oven", "!"]
    )
    assert out.count("\n") == 2
    assert (
        "read as running text, cut into words as in Penn Treebank (``; 'd 'll 'm 're 's 've n't"
        in err
    )
    given = b"The clock stopped. Clara's oven!\n"
    table = fstce("tagger", "tag", model, "--output-format", "conllu", stdin=given).out
    assert "# text = The clock stopped.\n" in table
    assert [row.split("\t")[9] for row in table.splitlines() if "\t" in row].count(
        "SpaceAfter=No"
    ) == 3
    (out, _) = fstce("tagger", "tag", model, "--tokenized", stdin=given)[1:]
    assert out.startswith("The/")
    assert "stopped./" in out


def test_bad_lines_are_passed_through_left_out_or_refused(fstce, model):
    given = b"the old clock\n<s> no word\nthe oven\n"
    code, out, err = fstce("tagger", "tag", model, stdin=given)
    assert (code, out.splitlines()[1], out.count("\n")) == (0, "<s> no word", 3)
    assert "<stream>:2: '<s>' is a reserved symbol" in err
    assert "passed through as it is" in err
    code, out, err = fstce("tagger", "tag", model, "--faulty", "skip", stdin=given)
    assert (code, out.count("\n")) == (0, 2)
    assert "left out" in err
    code, out, err = fstce("tagger", "tag", model, "--faulty", "raise", stdin=given)
    assert (code, out.count("\n")) == (2, 1)


def test_a_pipe_that_types_is_answered_line_by_line(process, model):
    import time

    tagging = process("tagger", "tag", model, "-", "--quiet")
    for line in (b"the old clock stopped .\n", b"the oven\n", b"\n", b"Clara lit it .\n"):
        tagging.stdin.write(line)
        tagging.stdin.flush()
        answer = tagging.stdout.readline()
        assert answer.count(b"/") == len(line.split())
    began = time.monotonic()
    tagging.stdin.write(b"the clock\n")
    tagging.stdin.flush()
    assert tagging.stdout.readline().startswith(b"the/")
    assert time.monotonic() - began < patience(1)
    assert tagging.communicate(timeout=patience(60))[1] == b""


def test_json_lines_of_a_table(fstce, model, tagger, text, tmp_path):
    tags = tagger.predict(SENTENCES)
    rows = (
        f"{' '.join(words)},{' '.join(row)}\n" for words, row in zip(SENTENCES, tags, strict=True)
    )
    (tmp_path / "a.csv").write_text("".join(["sentence,tags\n", *rows]))
    again = fstce("tagger", "tag", model, tmp_path / "a.csv", "--output-format", "jsonl").out
    assert again == fstce("tagger", "tag", model, text, "--output-format", "jsonl").out
    records = [json.loads(line) for line in again.splitlines()]
    assert records == [{"words": w, "tags": t} for w, t in zip(SENTENCES, tags, strict=True)]
    out = fstce("tagger", "tag", model, text, "--output-format", "jsonl", "--proba").out
    assert [len(json.loads(line)["probabilities"]) for line in out.splitlines()] == [
        *map(len, SENTENCES)
    ]


@pytest.mark.parametrize(("notation", "mark"), [("tsv", "\t"), ("csv", ",")])
def test_tables_are_the_same_to_a_spreadsheet_and_to_us(fstce, model, tmp_path, notation, mark):
    """A bare quotation mark began a cell that went on over lines."""
    rows = [['"', "the", '"clock', 'a"b', '""', ",", ";"], ['"the"', "#", '"', "'", "."]]
    (tmp_path / "in.txt").write_text("\n".join(map(" ".join, rows)) + "\n")
    path = tmp_path / f"out.{notation}"
    options = ("--tokenized", "--output-format", notation)
    path.write_text(fstce("tagger", "tag", model, tmp_path / "in.txt", *options).out)
    with path.open(newline="") as stream:
        header, *table = [row for row in csv.reader(stream, delimiter=mark) if row]
    assert header == ["word", "tag"]
    assert [word for word, _ in table] == [word for row in rows for word in row]
    read = read_corpus(path)
    assert [list(sentence) for sentence in read] == rows
    assert [tag for sentence in read for tag in sentence.tags] == [tag for _, tag in table]
