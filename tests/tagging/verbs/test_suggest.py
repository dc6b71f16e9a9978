"""`fstce tagger suggest`, and features that raw text gives."""

import json

import pytest

from fstce.tagging.questions import suggest_sentences

TEXT = "the old clock stopped .\nthe wug stopped the wug .\na blick walks\n"
ROWS = [line.split() for line in TEXT.splitlines()]


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def test_sentences_are_tagged_text(fstce, model, tagger, text):
    code, out, _ = fstce("tagger", "suggest", model, text, "--number", 2, "--quiet")
    rows = [[token.rpartition("/")[::2] for token in line.split()] for line in out.splitlines()]
    assert code == 0
    assert [([w for w, _ in row], tuple(t for _, t in row)) for row in rows] == [
        (ROWS[s.sentence], s.tags) for s in suggest_sentences(tagger, ROWS, 2)
    ]


def test_what_is_labelled_by_now_is_not_asked_for(fstce, model, text, tmp_path):
    (tmp_path / "done.pos").write_text("the/DT wug/NN stopped/VBD the/DT wug/NN ./.\n")
    code, out, err = fstce(
        "tagger", "suggest", model, text, "--labelled", tmp_path / "done.pos", "--json"
    )
    assert code == 0 and "2 sentences; the tags are the tagger's" in err
    suggested = json.loads(out)
    assert sorted(found["words"] for found in suggested) == sorted([ROWS[0], ROWS[2]])
    assert all(ROWS[found["sentence"]] == found["words"] for found in suggested)


def test_a_sentence_that_the_text_repeats_is_named_once(fstce, model, text):
    text.write_text(TEXT * 3)
    code, out, err = fstce("tagger", "suggest", model, text, "--number", 5)
    assert code == 0 and "3 sentences; the tags are the tagger's" in err
    assert len({*out.splitlines()}) == len(out.splitlines()) == 3


def test_nothing_to_ask(fstce, model, text):
    code, out, err = fstce("tagger", "suggest", model, text, "--labelled", text)
    assert (code, out) == (0, "") and "all sentences are labeled" in err
