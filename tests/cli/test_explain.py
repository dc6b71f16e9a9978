"""`fstce explain`, and `fstce neighborhood draw --model`."""

import json
import re

import pytest

from fstce.explanation.explain import arc_posteriors, explain
from fstce.machines.drawing import to_dot
from fstce.neighborhoods.registry import neighborhood

SENTENCE = "the baker will light the lamp"


@pytest.fixture(scope="module")
def why(tagger):
    return explain(tagger, SENTENCE.split(), k=3)


def blocks(out):
    """What is printed between empty lines, as rows of words."""
    return [[line.split() for line in block.splitlines()] for block in out.strip().split("\n\n")]


def test_tables_are_printed(fstce, model, why):
    code, out, err = fstce("explain", model, SENTENCE, "--k", "3", "--features", "2")
    assert (code, err) == (0, "")
    facts, neighbors, whole, *rivals, posteriors = blocks(out)
    assert facts[0] == ["sentence", *SENTENCE.split()]
    assert ["p(x", "|", "N(x))", f"{why.probability:.4g}"] in facts
    assert [" ".join(row[3:]) for row in neighbors[3:]] == [
        " ".join(one.words) for one in why.neighbors
    ]
    assert neighbors[2][:2] == ["x", f"{why.probability:.4f}"]
    guessed = [row for row in whole if row[:3] == ["weights", "not", "learned"]]  # of unknown words
    assert len(whole) - len(guessed) == 2 + 2 + 3 and whole[-1][:2] == ["log", "p(x"]
    assert len(rivals) == 3 and all(rival[0][:2] == ["x", "against"] for rival in rivals)
    assert [row[1] for row in posteriors[2:]] == SENTENCE.split()


def test_json_is_the_whole_explanation(fstce, model, why):
    code, out, _ = fstce("explain", model, SENTENCE, "--k", "3", "--features", "4", "--json")
    assert (code, json.loads(out)) == (0, json.loads(json.dumps(why.to_dict(4))))


def test_a_page_is_written(fstce, model, tmp_path):
    path = tmp_path / "why.html"
    code, out, err = fstce("explain", model, SENTENCE, "--output", path)
    assert (code, err) == (0, f"wrote {path}\n")
    assert out.startswith("sentence")
    html = path.read_text(encoding="utf-8")
    assert fstce("explain", model, SENTENCE, "--output", path, "--quiet")[2] == ""
    assert html.startswith("<!DOCTYPE html>") and SENTENCE in html and html.count("<iframe ") == 1


def test_another_neighborhood_may_be_asked_about(fstce, model, tagger):
    _, out, _ = fstce("explain", model, SENTENCE, "-n", "del1word | trans1", "--json")
    record = json.loads(out)
    assert (record["neighborhood"], record["neighbors"]) == ("del1word | trans1", 11)
    assert (
        record["probability"] == explain(tagger, SENTENCE.split(), "del1word | trans1").probability
    )


def test_long_neighbours_are_shown_where_they_differ(fstce, model):
    long = "the baker will light the lamp and the old man will close the door of the house"
    _, out, _ = fstce("explain", model, long)
    listed = [" ".join(row[3:]) for row in blocks(out)[1][3:]]
    assert all("…" in line and len(line.split()) < 12 for line in listed)


def test_a_grammar_is_explained(fstce, grammar):
    code, out, _ = fstce("explain", grammar, "DT NN VBZ", "-n", "trans1", "--json")
    record = json.loads(out)
    assert code == 0 and record["neighbors"] == 2
    assert [one["word"] for one in record["posteriors"]] == ["DT", "NN", "VBZ"]
    assert set(record["posteriors"][0]["p"]) <= {"root", "2 NN", "3 VBZ"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a b", "--output", "x.svg"], "the suffix says what is written; use .html"),
        (["a b", "-n", "trans"], "unknown neighborhood 'trans'; did you mean"),
        (["a b", "-n", "training-set"], "training-set is made from a whole corpus"),
        ([" "], "the sentence is empty"),
        (["a b", "--k", "0"], "Invalid value for '--k'"),
    ],
)
def test_wrong_wishes_are_named(fstce, model, arguments, message):
    code, out, err = fstce("explain", model, *arguments)
    assert (code, out) == (2, "")
    assert message in err and len(err.splitlines()) == 1


def test_what_is_no_model_or_no_tag_is_named(fstce, grammar, tmp_path):
    code, _, err = fstce("explain", tmp_path, "a b")
    assert code == 2 and "no fstce model" in err
    code, _, err = fstce("explain", grammar, "the dog")
    assert code == 2 and "'the' is none of this grammar's" in err


def test_posteriors_are_drawn(fstce, model, tagger, tmp_path):
    words = SENTENCE.split()
    lattice = neighborhood("trans1")(words)
    code, dot, err = fstce("neighborhood", "draw", "trans1", SENTENCE, "--model", model)
    assert (code, err) == (0, "")
    widths = re.findall(
        r"penwidth=([0-9.]+),", to_dot(lattice.to_fst(), posteriors=arc_posteriors(tagger, lattice))
    )
    assert re.findall(r"penwidth=([0-9.]+),", dot) == widths and len(set(widths)) > 3
    path = tmp_path / "x.svg"
    assert fstce("neighborhood", "draw", "trans1", SENTENCE, "--model", model, "-o", path).code == 0
    assert "lamp" in path.read_text(encoding="utf-8")


def test_posteriors_need_a_sentence(fstce, model, tmp_path):
    code, _, err = fstce("neighborhood", "draw", "trans1", "--model", model)
    assert code == 2 and "the sentence is empty" in err
    code, _, err = fstce("neighborhood", "draw", "trans1", "a b", "--model", tmp_path / "none")
    assert code == 2 and "none" in err and len(err.splitlines()) == 1
