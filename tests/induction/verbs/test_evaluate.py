"""`fstce induction evaluate`."""

import json

import pytest

from fstce import DirectedAlignment
from fstce.corpora import sample
from fstce.evaluation import unlabelled_scores


@pytest.fixture
def induced(tmp_path):
    DirectedAlignment(iterations=15).fit(sample()[:100]).save(tmp_path / "m")
    return tmp_path / "m"


def test_scores_are_those_of_the_library(fstce, induced):
    code, out, err = fstce("induction", "evaluate", induced, "sample", "--json")
    trees = [sentence.tree for sentence in sample()]
    total = unlabelled_scores(trees, DirectedAlignment.load(induced).predict(sample())).total()
    record = json.loads(out)
    assert (code, err) == (0, "")
    assert record["sentences"] == len(trees)
    assert (record["da-stop"]["precision"], record["da-stop"]["f1"]) == (total.precision, total.f1)
    assert set(record) >= {"left-branching", "right-branching"}


def test_the_table(fstce, induced):
    code, out, err = fstce("induction", "evaluate", induced, "sample")
    assert code == 0 and [line.split()[0] for line in out.splitlines()[1:]] == [
        "left-branching", "right-branching", "da-stop"
    ]  # fmt: skip
    assert err == ""


def test_what_it_refuses(fstce, induced, model, corpus):
    code, _, err = fstce("induction", "evaluate", induced, corpus)
    assert code == 2 and "corpus.pos:1: has no phrase-structure tree" in err
    code, _, err = fstce("induction", "evaluate", model, "sample")
    assert code == 2 and "is a tagger: use the verbs of fstce tagger" in err
