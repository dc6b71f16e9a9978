"""`fstce corrector correct`: lines out are lines in; what cannot be corrected passes through, counted."""

import io
import json
import sys

import pytest

from fstce.cli.main import main
from fstce.console import streams
from fstce.corpora import sample
from fstce.corpora.running_text import tokenize
from fstce.correction.corrector import Corrector
from fstce.correction.reader import Settings
from fstce.correction.spacing import restore
from fstce.correction.verbs import differences

TEXT = (
    "The old clok stopped .\n"
    "\n"
    "  The  bakker,   lit the  oven.\r\n"
    "\t \n"
    "THE OLD CLOKC STOPPED .\n"
    "Clara lit the oven ."
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("correct") / "model"
    text = [list(sentence.words) for sentence in sample()[:300]]
    Corrector(criterion="none", exponents={"unknown": 9.0}).fit(text).save(place)
    return place


@pytest.fixture(scope="module")
def corrector(folder):
    return Corrector.load(folder)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(TEXT.encode())
    return path


def ends(text):
    return [line[len(line.rstrip("\r\n")) :] for line in text.splitlines(keepends=True)]


def test_lines_out_are_lines_in_corrected(fstce, folder, corrector, file):
    code, out, _ = fstce("corrector", "correct", folder, file)
    wanted = []
    for line in TEXT.splitlines():
        tokens = tokenize(line, corrector.vocabulary_)
        [one] = corrector.correct([[t.text for t in tokens]]) if tokens else [None]
        wanted.append(restore(line, tokens, one.changes) if one else line)
    assert code == 0
    assert out.splitlines() == wanted and ends(out) == ends(TEXT)
    assert "clock" in wanted[0] and wanted[2].startswith("  The  baker,   lit")


def test_standard_input_and_batches_do_not_show(fstce, folder, file, monkeypatch):
    whole = fstce("corrector", "correct", folder, file)
    assert fstce("corrector", "correct", folder, stdin=TEXT.encode()) == whole
    monkeypatch.setattr(streams, "BATCH", 2)
    assert fstce("corrector", "correct", folder, "-", stdin=TEXT.encode()) == whole


def test_changes_are_counted(fstce, folder, file):
    err = fstce("corrector", "correct", folder, file).err
    assert err.startswith("6 lines, ") and "passed through" not in err
    assert fstce("corrector", "correct", folder, file, "--quiet").err == ""
    assert fstce("corrector", "correct", folder, stdin=b"") == (0, "", "")


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        ("the \x01 clok", "control character U+0001"),
        ("the \x1b[31mclok", "control character U+001B"),
        ("the clok </s> .", "'</s>' cannot be a word"),
        ("the clok " * 1_200, "2,400 words"),
    ],
)
def test_what_cannot_be_corrected_passes_through(fstce, folder, odd, reason):
    text = f"the clok\n{odd}\nthe clok\n"
    code, out, err = fstce("corrector", "correct", folder, stdin=text.encode())
    assert code == 0 and out.split("\n") == ["the clock", odd, "the clock", ""]
    assert f"line 2 is passed through unchanged: {'it has ' if 'words' in reason else ''}" in err
    assert reason in err and "1 line passed through unchanged" in err


def test_a_lattice_beyond_its_limit_passes_through(fstce, folder, monkeypatch):
    plain = Settings.neighborhood

    def limited(settings, *model):
        return plain(settings, *model).changed(limit=6)

    monkeypatch.setattr(Settings, "neighborhood", limited)
    text = "the clok\nthe clok stopped and the clok stopped\nthe clok\n"
    code, out, err = fstce("corrector", "correct", folder, stdin=text.encode())
    assert code == 0
    assert out.split("\n") == [
        "the clock",
        "the clok stopped and the clok stopped",
        "the clock",
        "",
    ]
    assert "line 2 is passed through unchanged" in err and "1 line passed through" in err


def test_a_word_of_ten_thousand_characters_stays(fstce, folder):
    line = f"the {'a' * 10_000} clok"
    code, out, _ = fstce("corrector", "correct", folder, stdin=f"{line}\n".encode())
    assert code == 0 and out == f"the {'a' * 10_000} clock\n"


def test_binary_input_is_an_error_that_names_the_line(fstce, folder):
    nul = b"the clok\n\x00\x01\n"
    code, out, err = fstce("corrector", "correct", folder, "--faulty", "raise", stdin=nul)
    assert code == 2 and out == "the clock\n" and ":2: a NUL byte" in err
    given = b"the clok\n\xff\xfe\nthe clok\n"
    code, out, err = fstce("corrector", "correct", folder, "--faulty", "raise", stdin=given)
    assert code == 2 and out == "the clock\n" and ":2: byte 0xff" in err
    code, out, err = fstce("corrector", "correct", folder, "--faulty", "skip", stdin=given)
    assert code == 0 and out == "the clock\n" * 2 and ":2: byte 0xff" in err and "left out" in err


def test_bytes_that_are_no_text_are_passed_through_untouched(folder, monkeypatch, capsysbinary):
    given = b"the clok\n\xff\xfe clok\r\na\0b\nthe clok"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert main(["corrector", "correct", str(folder)]) == 0
    out, err = capsysbinary.readouterr()
    assert out == b"the clock\n\xff\xfe clok\r\na\0b\nthe clock"
    assert b"line 2 is passed through unchanged: byte 0xff is not valid utf-8" in err
    assert b"4 lines, 2 changes" in err


def test_wrong_paths_and_models_are_errors(fstce, folder, model, tmp_path):
    assert fstce("corrector", "correct", folder, tmp_path / "none.txt").code == 2
    assert fstce("corrector", "correct", folder, tmp_path).code == 2
    code, _, err = fstce("corrector", "correct", model, stdin=b"the\n")
    assert code == 2 and "is a tagger: use the verbs of fstce tagger" in err
    assert fstce("corrector", "correct", folder, "--threshold", "2", stdin=b"").code == 2


def test_a_diff_marks_changes_in_their_place(fstce, folder):
    out = fstce(
        "corrector", "correct", folder, "--diff", stdin=b"The  old clok stopped .\nThe old\n"
    ).out
    assert out == "The  old [-clok-]{+clock+} stopped .\nThe old\n"


def test_a_diff_is_coloured_on_a_terminal(fstce, folder, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    differences.write_marked([("the ", "same"), ("clok", "old"), ("clock", "new")], "\n")
    out = capsys.readouterr().out
    assert "\x1b[" in out and "clok" in out and "[-" not in out


def test_what_words_in_doubt_may_be_stands_in_the_json(fstce, folder, corrector):
    out = fstce("corrector", "correct", folder, "--json", stdin=b"The old clok stopped .\n").out
    doubt = next(one for one in json.loads(out)["doubts"] if one["observed"] == "clok")
    [found] = corrector.correct(
        [["The", "old", "clok", "stopped", "."]], alternatives=differences.DOUBTS
    )
    likely = [(word, round(p, 4)) for word, p in found.alternatives[2] if p >= differences.DOUBT]
    assert [(one["word"], one["probability"]) for one in doubt["suggestions"]] == likely


def test_inserted_and_deleted_marks_are_marked_and_listed():
    from fstce.correction.decoding import Change, Correction

    line = "Well then , go"
    changes = (Change(1, 1, (), (",",), 0.75), Change(2, 3, (",",), (), 0.625))
    pieces = differences.markings(line, tokenize(line), changes)
    assert "".join(differences.MARKED[kind].format(text) for text, kind in pieces) == (
        "Well{+,+} then [-,-] go"
    )
    observed = tuple(line.split())
    words = ((("Well", 1.0),), (("then", 1.0),), ((",", 0.375),), (("go", 1.0),))
    found = Correction(observed, ("Well", ",", "then", "go"), changes, words, "words")
    record = json.loads(differences.json_of(7, line, tokenize(line), found))
    assert [(c["start"], c["end"], c["observed"], c["words"]) for c in record["changes"]] == [
        (4, 4, "", ","),
        (10, 11, ",", ""),
    ]
    assert [doubt["observed"] for doubt in record["doubts"]] == []


def test_the_threshold_reaches_the_corrector(fstce, folder):
    given = b"the clok stopped\n"
    assert (
        fstce("corrector", "correct", folder, "--threshold", "1", stdin=given).out == given.decode()
    )
    assert fstce("corrector", "correct", folder, stdin=given).out == "the clock stopped\n"


def test_a_tokenizer_of_the_users_is_asked(fstce, folder):
    code, out, _ = fstce(
        "corrector", "correct", folder, "--tokenizer", "sed -u s/c/\\ c/", stdin=b"theclok\n"
    )
    assert (code, out) == (0, "theclock\n")


def test_unbroken_text_is_passed_through_with_advice(fstce, folder):
    given = "我们昨天去了图书馆借了几本书。\n"
    code, out, err = fstce("corrector", "correct", folder, stdin=given.encode())
    assert (code, out) == (
        0,
        given,
    ) and "line 1 is passed through unchanged: text without blanks" in err


def test_suggestions_as_json(fstce, folder, file):
    code, out, _ = fstce("corrector", "correct", folder, file, "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and [row["text"] for row in rows] == TEXT.splitlines()
    for row in rows:
        for one in (*row["changes"], *row["doubts"]):
            assert row["text"][one["start"] : one["end"]] == one["observed"]
    assert rows[0]["changes"][0]["words"] == "clock"
    found = [one for one in rows[0]["doubts"] if one["observed"] == "clok"]
    assert (
        found[0]["suggestions"][0]["word"] == "clock"
        and found[0]["suggestions"][0]["probability"] > 0.5
    )


def test_ways_of_showing_do_not_mix(fstce, folder):
    code, _, err = fstce("corrector", "correct", folder, "--json", "--diff", stdin=b"")
    assert code == 2 and "give one of them" in err


def test_a_text_is_corrected_as_it_stands_alone(fstce, folder, file):
    code, _, err = fstce("corrector", "correct", folder, file, "--input-format", "conllu")
    assert code == 2 and "--input-format: a text is corrected line by line" in err
    assert fstce("corrector", "correct", folder, file, "--input-format", "plain").code == 0


def test_words_of_ones_own(fstce, folder, file, tmp_path):
    (tmp_path / "own.txt").write_text("clok\n\nbakker\n", encoding="utf-8")
    _, out, _ = fstce(
        "corrector",
        "correct",
        folder,
        file,
        "--user-dictionary",
        tmp_path / "own.txt",
    )
    assert out.splitlines()[:3] == TEXT.splitlines()[:3]
    (tmp_path / "own.txt").write_text("two words\n", encoding="utf-8")
    code, _, err = fstce(
        "corrector", "correct", folder, file, "--user-dictionary", tmp_path / "own.txt"
    )
    assert code == 2 and "own.txt:1: expected one word" in err


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A model of the whole sample, as a newcomer trains it."""
    place = tmp_path_factory.mktemp("whole") / "model"
    Corrector(criterion="none").fit([list(sentence.words) for sentence in sample()]).save(place)
    return place


SPLIT_AND_JOINED = "Teh  childrn dont like the brigt star.\nHe al ways  sings tothe children.\n"


def test_split_and_joined_words_keep_the_spacing_of_the_line(fstce, whole, tmp_path):
    file = tmp_path / "text.txt"
    file.write_text(SPLIT_AND_JOINED)
    code, out, _ = fstce("corrector", "correct", whole, file)
    assert code == 0
    assert out == "The  children don't like the bright star.\nHe always  sings to the children.\n"
    _, out, _ = fstce("corrector", "correct", whole, file, "--diff")
    assert (
        "[-dont-]{+don't+}" in out
        and "[-al ways-]{+always+}  sings [-tothe-]{+to the+} children." in out
    )
    _, out, _ = fstce("corrector", "correct", whole, file, "--json")
    first, second = map(json.loads, out.splitlines())
    assert {(c["observed"], c["words"]) for c in first["changes"]} >= {
        ("dont", "don't"),
        ("Teh", "The"),
    }
    assert [(c["start"], c["end"], c["words"]) for c in second["changes"]] == [
        (3, 10, "always"),
        (18, 23, "to the"),
    ]
    assert {name: second["doubts"][0][name] for name in ("observed", "start", "end")} == {
        "observed": "al",
        "start": 3,
        "end": 5,
    }


def test_split_and_joined_words_are_marked(fstce, whole, tmp_path):
    file = tmp_path / "text.txt"
    file.write_text("He al ways sings tothe children.\n")
    code, out, _ = fstce("corrector", "correct", whole, file, "--diff")
    assert (code, out) == (0, "He [-al ways-]{+always+} sings [-tothe-]{+to the+} children.\n")


@pytest.mark.parametrize("arguments", [[], ["--diff"]])
def test_a_byte_order_mark_comes_out_as_it_went_in(fstce, folder, tmp_path, arguments):
    (tmp_path / "marked.txt").write_bytes("\ufeffthe clock stopped\n".encode())
    code, out, _ = fstce("corrector", "correct", folder, tmp_path / "marked.txt", *arguments)
    assert (code, out) == (0, "\ufeffthe clock stopped\n")


def test_a_byte_order_mark_has_no_place_in_a_table(fstce, folder):
    given = "\ufeffthe clok\n".encode()
    assert not fstce("corrector", "correct", folder, "--json", stdin=given).out.startswith("\ufeff")
