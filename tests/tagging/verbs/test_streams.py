"""`fstce tagger train` and `tag` as a filter of streams of readings."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys

import pytest
from patience import patience

from fstce import Tagger, TaggerProduct

UNITS = {
    "this": "this/this<det><dem><sg>",
    "these": "these/this<det><dem><pl>",
    "dog": "dog/dog<n><sg>/dog<vblex><inf>",
    "dogs": "dogs/dog<n><pl>/dog<vblex><pres>",
    "runs": "runs/run<vblex><pres>/run<n><pl>",
    "wug": "wug/*wug",
    "a b": "a b/a b<n><sg>",
    "<": "\\</\\<<sent>/\\<<n><sg>",
}


def stream(*rows: list[str]) -> str:
    """Rows with markup between tokens, escapes, a line of blanks, CRLF."""
    lines = (" [<b>]".join(f"^{UNITS[word]}$" for word in row) for row in rows)
    return "".join(f"{line}^./.<sent>$[]\n" for line in lines) + " \r\n\n"


TEXT = stream(["this", "dog", "runs"], ["these", "dogs", "runs"], ["wug", "a b", "<"]) * 5
CG = """"<dogs>"
\t"dog" N Pl
\t"dog" V Pres
"<run>"
\t"run" V Inf
\t"run" N Sg
"<.>"
\t"." CLB

"""


@pytest.fixture
def trained(tmp_path, fstce):
    folder = tmp_path
    (folder / "text").write_text(TEXT, encoding="utf-8", newline="")
    done = fstce("tagger", "train", folder / "text", "-o", folder / "model")
    assert done.code == 0 and "member 2 of 2: classes" in done.err
    return folder


def readings(text: str) -> list[list[str]]:
    units = re.findall(r"\^((?:\\.|[^$\\])*)\$", text)
    return [re.findall(r"(?:\\.|[^/\\])+", unit) for unit in units]


def bare(text: str) -> str:
    """All but the readings."""
    return re.sub(r"/(?:\\.|[^/$\\])*", "", text)


def test_the_best_reading_alone_and_every_other_byte(fstce, trained):
    code, out, err = fstce("tagger", "tag", trained / "model", trained / "text")
    assert code == 0 and "words" in err
    assert bare(out) == bare(TEXT)
    for (word, *all_), (same, *left) in zip(readings(TEXT), readings(out), strict=True):
        assert word == same and len(left) == 1 and left[0] in all_


def test_a_byte_order_mark_stays(fstce, trained, tmp_path):
    (tmp_path / "marked").write_text("\ufeff" + TEXT, encoding="utf-8")
    out = fstce("tagger", "tag", trained / "model", tmp_path / "marked", "-q").out
    assert bare(out) == "\ufeff" + bare(TEXT)


@pytest.mark.parametrize(
    ("stream", "format"),
    [('"<gul>"\n\t"gul" A\n\t"gul" N\n', "cg"), ("^gul/gul<adj>/gul<n>$\n", "apertium")],
)
def test_a_stream_behind_other_text_is_named(fstce, trained, tmp_path, stream, format):
    """It was read as words and quotation marks, without a word of doubt."""
    (tmp_path / "text").write_text(f"Some words, and then more of them.\n{stream}")
    refused = fstce("tagger", "train", tmp_path / "text", "-o", tmp_path / "m")
    assert refused.code == 2
    assert "text:2: readings of an analyzer, behind other text" in refused.err
    assert f"(--input-format {format})" in refused.err
    tag = ("tagger", "tag", trained / "model", tmp_path / "text", "-q")
    out = fstce(*tag, "--input-format", format).out
    assert out.startswith("Some words, and then more of them.\n")


def test_the_same_command_replaces_its_model(fstce, trained):
    """The product that it had made was no tagger, and was not replaced."""
    done = fstce("tagger", "train", trained / "text", "-o", trained / "model", "-q")
    assert done.code == 0, done.err


def test_all_readings_best_first_and_with_weights(fstce, trained):
    best = fstce("tagger", "tag", trained / "model", trained / "text").out
    ranked = fstce("tagger", "tag", trained / "model", trained / "text", "--readings", "ranked").out
    weighted = fstce(
        "tagger", "tag", trained / "model", trained / "text", "--readings", "weighted"
    ).out
    for came, first, row, costs in zip(
        readings(TEXT), readings(best), readings(ranked), readings(weighted), strict=True
    ):
        assert sorted(came) == sorted(row) and first[:2] == row[:2]
        assert [re.sub("<W:.*?>", "", cost) for cost in costs] == row
        found = [float(number) for cost in costs for number in re.findall("<W:(.*?)>", cost)]
        assert found == sorted(found)
        if "*wug" not in came:
            assert sum(2.718281828**-cost for cost in found) == pytest.approx(1, abs=1e-4)


def test_whole_numbers_for_weights(fstce, trained):
    options = ("--readings", "weighted", "--weight-scale", "100", "--weight-digits", "0")
    out = fstce("tagger", "tag", trained / "model", trained / "text", *options).out
    assert {type(int(number)) for number in re.findall("<W:(.*?)>", out)} == {int}


def test_constraint_grammar(fstce, tmp_path):
    (tmp_path / "text").write_text(CG * 4, encoding="utf-8")
    options = ("--reading-tags", "first", "-c", "em", "--order", "2")
    assert fstce("tagger", "train", tmp_path / "text", *options, "-o", tmp_path / "m").code == 0
    out = fstce("tagger", "tag", tmp_path / "m", tmp_path / "text").out
    kept = [line for line in out.splitlines() if line.startswith("\t")]
    assert len(kept) == 3 * 4 and set(out.splitlines()) <= set(CG.splitlines())


def test_a_symbol_that_the_map_lacks_stays_and_is_said(fstce, trained, tmp_path):
    (tmp_path / "map").write_text("n\tNOUN\nvblex\tVERB\n", encoding="utf-8")
    done = fstce(
        *("tagger", "train", trained / "text", "--tag-map", tmp_path / "map"),
        *("-n", "trans1", "-o", tmp_path / "m"),
    )
    assert done.code == 0, done.err
    assert "lacks det sent, which stay as they are" in done.err and "2 of 2" in done.err
    assert len(readings(fstce("tagger", "tag", tmp_path / "m", trained / "text").out)[0]) == 2


def test_a_damaged_stream_is_named_with_its_line(fstce, trained, tmp_path):
    (tmp_path / "text").write_text(TEXT + "^this/this<det", encoding="utf-8")
    code, _, err = fstce("tagger", "train", tmp_path / "text", "-o", tmp_path / "m")
    assert code == 2 and "damaged stream" in err and "Traceback" not in err


@pytest.mark.parametrize("options", [(), ("-z",), ("--null-flush",)])
def test_answers_a_pipe_at_each_null(trained, options):
    """As lt-proc -z has it: who asks waits for the answer before it asks again."""
    command = [sys.executable, "-m", "fstce", "tagger", "tag", str(trained / "model"), "--quiet"]
    chosen = (b"^dogs/dog<n><pl>$[]\0", b"^dogs/dog<vblex><pres>$[]\0")
    damaged = (b"^dogs/*dogs$ [a\0", b"^dogs/dog<n\0", b"\0")
    with subprocess.Popen(
        [*command, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as pipe:
        assert pipe.stdin is not None and pipe.stdout is not None
        for asked in (b"^dogs/dog<n><pl>/dog<vblex><pres>$[]\0", *damaged) * 2:
            os.write(pipe.stdin.fileno(), asked)
            answer = b""
            while not answer.endswith(b"\0"):
                assert select.select([pipe.stdout], [], [], patience(30))[0]
                answer += os.read(pipe.stdout.fileno(), 1 << 16)
            assert answer == asked if asked in damaged else answer in chosen
        pipe.stdin.close()


def test_null_flush_is_for_streams(trained, fstce):
    done = fstce("tagger", "tag", trained / "model", "-z", "--proba", trained / "text")
    assert done.code == 2 and "--null-flush" in done.err and done.err.count("\n") == 1


def test_right_readings_do_not_tell_the_answer(trained, fstce):
    """What rules have left of a token is its right tag where a tagger is scored."""
    wrong = TEXT.replace("/dog<n><pl>/dog<vblex><pres>", "/dog<vblex><pres>")
    for several, chosen in (
        ("/dog<n><sg>/dog<vblex><inf>", 1),
        ("/run<vblex><pres>/run<n><pl>", 1),
    ):
        wrong = wrong.replace(several, "/" + several.split("/")[chosen])
    wrong = wrong.replace("/*wug", "/wug<n><sg>").replace("/\\<<n><sg>", "")
    (trained / "gold").write_text(wrong, encoding="utf-8", newline="")
    done = fstce("tagger", "evaluate", trained / "model", trained / "gold", "--json")
    assert done.code == 0, done.err
    assert 0 <= json.loads(done.out)["model"]["ambiguous"] < 100
    assert json.loads(done.out)["ambiguous_words"] >= 15


@pytest.mark.parametrize("text", [TEXT, CG])
def test_a_stream_is_not_explained_as_words(trained, fstce, text):
    done = fstce("explain", trained / "model", text)
    assert done.code == 2 and "leave the readings out" in done.err and done.err.count("\n") == 1


DAMAGED = (
    "^dogs/dog<n><pl",
    "^dogs/dog<n><pl><x>",
    "^dogs/*dogs",
    "dogs/dog<n><pl>$",
    '\t"dog" N Pl',
    '"<dogs>',
    '"<dogs',
)


@pytest.mark.parametrize("damaged", DAMAGED)
@pytest.mark.parametrize(
    "verb", ["tagger ask MODEL", "tagger suggest MODEL", "tagger tag MODEL", "tagger train", "info"]
)
def test_a_damaged_token_alone_is_no_text(trained, fstce, verb, damaged):
    (trained / "damaged").write_text(damaged + "\n", encoding="utf-8")
    command = verb.replace("MODEL", str(trained / "model")).split()
    done = fstce(*command, trained / "damaged")
    assert done.code == 2 and "damaged:1: damaged stream" in done.err
    assert not done.out.strip("\n").replace(damaged, "") and "Traceback" not in done.err


@pytest.mark.parametrize("options", [("ranked",), ("best",), ("weighted", "--proba")])
def test_plain_text_has_no_readings_to_rank(trained, fstce, options):
    (trained / "plain").write_text("these dogs\n", encoding="utf-8")
    done = fstce("tagger", "tag", trained / "model", trained / "plain", "--readings", *options)
    assert done.code == 2 and "--readings" in done.err
    assert not done.out and done.err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [("--weight-scale", "3"), ("--readings", "ranked", "--weight-digits", "0")],
)
def test_weights_that_are_not_written_are_refused(trained, fstce, options):
    done = fstce("tagger", "tag", trained / "model", trained / "text", *options)
    assert done.code == 2 and "--readings weighted" in done.err


@pytest.mark.parametrize("scale", ["nan", "inf", "0", "-1"])
def test_weights_have_a_scale(trained, fstce, scale):
    options = ("--readings", "weighted", f"--weight-scale={scale}")
    done = fstce("tagger", "tag", trained / "model", trained / "text", *options)
    assert done.code == 2 and "--weight-scale" in done.err


def test_a_stream_is_learned_by_whole_readings_and_by_first_symbols(trained, fstce):
    """The default is their product; options that one tagger has make one."""
    members = TaggerProduct.load(trained / "model").taggers
    assert [tagger.reading_tags for tagger in members] == ["full", "first"]
    assert [tagger.order for tagger in members] == [2, Tagger().order]
    asked = fstce("tagger", "ask", trained / "model", trained / "text", "--number", "2").out
    rows = [line.split("\t") for line in asked.splitlines() if not line.startswith("#")]
    assert all("." in tag for row in rows for tag in row[1].split() if tag != "sent")

    (trained / "answers").write_text("dogs\tn.pl\nruns\tvblex.pres\n", encoding="utf-8")
    done = fstce(
        *("tagger", "train", trained / "text", "--answers", trained / "answers"),
        *("-o", trained / "answered"),
    )
    assert done.code == 0, done.err
    out = fstce("tagger", "tag", trained / "answered", trained / "text").out
    chosen = {word: left for word, *left in readings(out)}
    assert chosen["dogs"] == ["dog<n><pl>"] and chosen["runs"] == ["run<vblex><pres>"]

    for options in (
        ("--reading-tags", "full"),
        ("--reading-tags", "first"),
        ("-c", "em"),
        ("--open-class", "n.sg"),
    ):
        done = fstce("tagger", "train", trained / "text", *options, "-o", trained / "one")
        assert done.code == 0, done.err
        manifest = (trained / "one" / "model.json").read_text(encoding="utf-8")
        assert "tagger product" not in manifest


def test_unknown_words_are_guessed_on_request(trained, fstce):
    options = ("tagger", "tag", trained / "model", trained / "text")
    guessed = fstce(*options, "--guess", trained / "text", "--readings", "ranked")
    assert guessed.code == 0, guessed.err
    units = {word: left for word, *left in readings(guessed.out)}
    assert units["wug"] and all("<guess>" in reading for reading in units["wug"])
    best = fstce(*options, "--guess", trained / "text").out
    assert {word: left for word, *left in readings(best)}["wug"] == units["wug"][:1]
    asked = fstce(*options, "--readings", "ranked").out
    assert re.sub(r"\^wug/[^$]*", "^wug", asked) == re.sub(r"\^wug/[^$]*", "^wug", guessed.out)
    weights = fstce(*options, "--guess", trained / "text", "--readings", "weighted").out
    assert all("<guess><W:" in r for r in {w: left for w, *left in readings(weights)}["wug"])

    (trained / "plain").write_text("these dogs\n", encoding="utf-8")
    for plain in (
        (*options[:3], trained / "plain", "--guess", trained / "text"),
        (*options, "--guess", trained / "plain"),
        (*options, "--guess", trained / "text", "--proba"),
    ):
        done = fstce(*plain)
        assert done.code == 2 and "--guess" in done.err and done.err.count("\n") == 1


GOLD = "".join(
    f"{row}\n"
    for row in (
        "^this/this<det><dem><sg>$ ^dog/dog<n><sg>$ ^runs/run<vblex><pres>$ ^./.<sent>$",
        "^these/this<det><dem><pl>$ ^runs/run<n><pl>$ ^dog/dog<vblex><inf>$ ^./.<sent>$",
    )
)
NEW = (
    "^these/this<det><dem><pl>$ ^runs/run<vblex><pres>/run<n><pl>$ ^dog/dog<n><sg>/dog<vblex><inf>$"
)


@pytest.mark.parametrize("options", [("-c", "conditional"), ("-c", "joint")], ids=str)
@pytest.mark.parametrize("rule", ["first", "full"])
def test_a_stream_of_right_readings_is_a_tagged_text(tmp_path, fstce, options, rule):
    """Its tokens had one reading to choose from, so that there was nothing to learn."""
    (tmp_path / "gold").write_text(GOLD * 3)
    (tmp_path / "new").write_text(f"{NEW}\n")
    features = ("--features", "form,context") if "conditional" in options else ()
    train = ("tagger", "train", tmp_path / "gold", "--reading-tags", rule, *options, *features)
    done = fstce(*train, "-o", tmp_path / "m", "-q")
    assert done.code == 0, done.err
    out = fstce("tagger", "tag", tmp_path / "m", tmp_path / "new").out
    assert [left for _, *left in readings(out)][1:] == [["run<n><pl>"], ["dog<vblex><inf>"]]

    (tmp_path / "gold").write_text(f"{GOLD}^wug/*wug$\n")
    refused = fstce(*train, "-o", tmp_path / "n", "-q")
    assert refused.code == 2 and "gold:3: 'wug' has 0 readings" in refused.err


def test_right_readings_beside_a_stream_are_whole_as_the_others(trained, fstce):
    """Their first symbols joined the tagset, as tags of their own."""
    (trained / "gold").write_text(GOLD)
    labelled = ("--labelled", trained / "gold", "-o", trained / "m")
    done = fstce("tagger", "train", trained / "text", *labelled)
    assert done.code == 0 and "lacks" not in done.err
    assert {*Tagger.load(trained / "m").tags_} >= {"n.sg", "vblex.inf"}
    assert "n" not in Tagger.load(trained / "m").tags_


def test_a_dictionary_of_other_tags_than_the_stream_is_refused(trained, fstce):
    """No reading was one of its tags, so that all of them came out again, without a word."""
    (trained / "ud.tsv").write_text("dogs\tNOUN VERB\nruns\tNOUN VERB\nthis\tDET\n")
    train = ("tagger", "train", trained / "text", "-d")
    done = fstce(*train, trained / "ud.tsv", "-o", trained / "m")
    assert done.code == 2 and "has a tag of it, DET NOUN VERB: they have det n" in done.err

    (trained / "map.tsv").write_text("n\tNOUN\nvblex\tVERB\ndet\tDET\n")
    mapped = ("--tag-map", trained / "map.tsv", "-o", trained / "m")
    assert fstce(*train, trained / "ud.tsv", *mapped).code == 0

    (trained / "own.tsv").write_text("dogs\tn vblex\nruns\tn vblex\nthis\tdet\n.\tsent\n")
    assert fstce(*train, trained / "own.tsv", "-o", trained / "own").code == 0
    assert Tagger.load(trained / "own").reading_tags == "first"
    out = fstce("tagger", "tag", trained / "own", trained / "text").out
    assert {word: len(left) for word, *left in readings(out)}["dogs"] == 1


def test_openfst_does_not_tag_streams(trained, fstce):
    """It gave a token any tag of its word, whatever its readings."""
    train = ("tagger", "train", trained / "text", "--reading-tags", "first", "-o", trained / "one")
    assert fstce(*train).code == 0
    done = fstce("tagger", "tag", trained / "one", trained / "text", "--engine", "openfst")
    assert done.code == 2 and "not what a stream says of each token" in done.err


def test_a_model_of_other_tags_than_the_stream_says_that_it_chose_nothing(fstce, model, trained):
    out, err = fstce("tagger", "tag", model, trained / "text", "-q")[1:]
    assert out == TEXT and "no reading has a tag of the model's" in err
    assert "no reading" not in fstce("tagger", "tag", trained / "model", trained / "text").err
