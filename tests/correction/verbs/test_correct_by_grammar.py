"""`fstce corrector correct` with a grammar: as with an ordinary one, but for what is too long."""

import pytest

from fstce import DependencyParser, ParsedCorrector
from fstce.corpora.running_text import tokenize
from fstce.correction.spacing import restore

TEXT = [
    row.split()
    for row in ("The old clock stopped .", "A baker lit the oven .", "Now the old baker ran .")
] * 4
TAGS = [row.split() for row in ("DT JJ NN VBD .", "DT NN VBD DT NN .", "RB DT JJ NN VBD .")] * 4
EXPONENTS = {"edited": 0.5, "unknown": 15.0}
SHORT, LONG = "The old clok stopped .", "Now the old bakker lit the oven and the clok ran ."
MIXED = f"{LONG}\n{SHORT}\nThe  oldd baker,   ran.\r\n\n{LONG}\n"


@pytest.fixture(scope="module")
def corrector():
    parser = DependencyParser(sigma2=1.0, max_iterations=5)
    return ParsedCorrector(parser, exponents=EXPONENTS, longest=8).fit(TEXT, TAGS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, corrector):
    place = tmp_path_factory.mktemp("parsed") / "model"
    corrector.save(place)
    return place


def test_lines_out_are_lines_in_corrected(fstce, folder, corrector):
    out = fstce("corrector", "correct", folder, stdin=MIXED.encode()).out
    lines = MIXED.split("\n")
    wanted = list(lines)
    for i in (1, 2):
        tokens = tokenize(lines[i], corrector.vocabulary_)
        (one,) = corrector.correct([[token.text for token in tokens]])
        wanted[i] = restore(lines[i], tokens, one.changes)
    assert out.split("\n") == wanted
    assert wanted[1] == "The old clock stopped ." and wanted[2] == "The  old baker,   ran.\r"


def test_what_is_too_long_passes_through(fstce, folder):
    code, out, err = fstce("corrector", "correct", folder, stdin=MIXED.encode())
    assert code == 0 and out.split("\n")[0] == out.split("\n")[4] == LONG
    assert "The old clock stopped ." in out
    told = "is passed through unchanged: a sentence is left as it is: Now the old bakker lit … has 12 words"
    assert (
        f"line 1 {told}" in err
        and f"line 5 {told}" in err
        and "2 lines passed through unchanged" in err
    )


def test_nothing_and_nothing_that_can_be_corrected(fstce, folder):
    assert fstce("corrector", "correct", folder, stdin=b"") == (0, "", "")
    assert fstce("corrector", "correct", folder, stdin=b"\n\n").out == "\n\n"


def test_diff(fstce, folder, corrector):
    out = fstce("corrector", "correct", folder, "--diff", stdin=SHORT.encode()).out
    assert out == "The old [-clok-]{+clock+} stopped ."


def test_the_best_sentence_of_a_grammar_has_no_threshold(fstce, folder):
    code, _, err = fstce("corrector", "correct", folder, "--threshold", "1", stdin=SHORT.encode())
    assert code == 2 and "--threshold: " in err and "a grammar, whose best sentence" in err
