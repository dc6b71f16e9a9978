"""`fstce tagger evaluate`."""

import json

import pytest

from fstce import Tagger
from fstce.evaluation import tagging as evaluation


@pytest.fixture
def expected(tagger, sentences):
    gold = [sentence.tags for sentence in sentences]
    found = tagger.predict(sentences)
    return {
        "random": evaluation.random_accuracy(sentences, gold, tagger.dictionary_),
        "model": evaluation.tagging_accuracy(sentences, gold, found, tagger.dictionary_),
        "confusions": evaluation.confusions(gold, found, 3),
    }


def test_the_table(fstce, model, corpus, expected):
    code, out, err = fstce("tagger", "evaluate", model, corpus, "--confusions", 3)
    lines = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "")
    for name in ("random", "model"):
        row = expected[name]
        assert [name, f"{row.ambiguous:.1f}", f"{row.all:.1f}"] in lines
    assert lines[-3:] == [[gold, found, str(n)] for gold, found, n in expected["confusions"]]


def test_no_confusions_are_shown_if_none_are_wanted(fstce, model, corpus):
    assert len(fstce("tagger", "evaluate", model, corpus, "--confusions", 0).out.splitlines()) == 3


def test_json(fstce, model, corpus, expected, sentences):
    record = json.loads(fstce("tagger", "evaluate", model, corpus, "--json", "--confusions", 3).out)
    assert record["words"] == sum(map(len, sentences))
    assert record["ambiguous_words"] == expected["model"].n_ambiguous
    assert record["model"] == {
        "ambiguous": expected["model"].ambiguous,
        "all": expected["model"].all,
    }
    assert [(c["gold"], c["found"], c["words"]) for c in record["confusions"]] == expected[
        "confusions"
    ]


def test_no_ambiguous_words(fstce, model, tmp_path):
    path = tmp_path / "one.pos"
    path.write_text("the/DT\n")
    assert json.loads(fstce("tagger", "evaluate", model, path, "--json").out)["model"] == {
        "ambiguous": None,
        "all": 100.0,
    }
    assert ["model", "–", "100.0"] in [
        line.split() for line in fstce("tagger", "evaluate", model, path).out.splitlines()
    ]


def test_listed_and_unknown_words_are_told_apart(fstce, model, tmp_path):
    path = tmp_path / "two.pos"
    path.write_text("the/DT zug/NN\n")
    lines = [line.split() for line in fstce("tagger", "evaluate", model, path).out.splitlines()]
    assert ["words", "number", "random", "model", "95", "%"] in lines
    assert ["listed", "1", "100.0", "100.0", "100.0", "to", "100.0"] in lines
    record = json.loads(fstce("tagger", "evaluate", model, path, "--json").out)["by_listing"]
    assert record["listed"]["n"] == record["OOV"]["n"] == 1
    assert record["listed, ambiguous"]["model"] is None


def test_the_first_words_only(fstce, model, corpus, sentences):
    record = json.loads(fstce("tagger", "evaluate", model, corpus, "--json", "--words", 1).out)
    assert record["words"] == len(sentences[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{model}", "{corpus}", "--by-tag"], "No such option: --by-tag"),
        (
            ["{model}", "{corpus}", "--decoder", "minimum-risk"],
            "--decoder minimum-risk: choose one of viterbi, posterior",
        ),
        (["{grammar}", "{corpus}"], "is a dependency parser: use the verbs of fstce parser"),
    ],
)
def test_what_is_for_other_models(fstce, grammar, model, corpus, arguments, message):
    paths = {"grammar": grammar, "model": model, "corpus": corpus}
    code, out, err = fstce(
        "tagger", "evaluate", *(argument.format(**paths) for argument in arguments)
    )
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert message in err


def test_quiet_says_nothing_beside_the_scores(fstce, model, corpus):
    loud, quiet = (fstce("tagger", "evaluate", model, corpus, *more) for more in ((), ("--quiet",)))
    assert quiet == (0, loud.out, "")


@pytest.fixture
def rival(fstce, corpus, tmp_path):
    """A tagger that was trained otherwise."""
    options = ("--order", "1", "-c", "em", "--quiet", "--output", tmp_path / "rival")
    assert fstce("tagger", "train", corpus, *options).code == 0
    return tmp_path / "rival"


def test_against_another(fstce, model, tagger, rival, corpus, sentences):
    gold, found = [s.tags for s in sentences], tagger.predict(sentences)
    theirs = Tagger.load(rival).predict(sentences)
    compared = evaluation.compare_taggings(sentences, gold, found, theirs, tagger.dictionary_)
    right, apart = evaluation.disagreements(gold, found, theirs, 2)
    code, out, err = fstce(
        "tagger", "evaluate", model, corpus, "--against", rival, "--confusions", 2
    )
    lines = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "")
    for name, one in compared.items():
        row = [name, "words", f"{one.difference:+.2f}", f"{one.low:+.2f}", "to", f"{one.high:+.2f}"]
        assert [*row, f"{one.p:.3f}"] in lines
    assert [str(sum(right.values())), *map(str, right.values())] in lines
    assert all([*tags, str(n)] in lines for *tags, n in apart)
    record = json.loads(
        fstce("tagger", "evaluate", model, corpus, "--against", rival, "--json").out
    )
    assert record["comparison"]["right"] == right
    assert record["comparison"]["all"]["difference"] == pytest.approx(
        record["model"]["all"] - record["against"]["all"]
    )


def test_against_itself_there_is_no_difference(fstce, model, corpus):
    out = fstce("tagger", "evaluate", model, corpus, "--against", model, "--confusions", 0).out
    assert ["all", "words", "+0.00", "+0.00", "to", "+0.00", "1.000"] in [
        line.split() for line in out.splitlines()
    ]


def test_tags_by_a_map_of_ones_own(fstce, corpus, tmp_path, sentences):
    path = tmp_path / "map.tsv"
    path.write_text("".join(f"{t}\t{t[0]}\n" for t in {t for s in sentences for t in s.tags}))
    options = (
        "--order",
        "1",
        "--max-iterations",
        "2",
        "--quiet",
        "--tag-map",
        path,
        "-o",
        tmp_path / "m",
    )
    assert fstce("tagger", "train", corpus, *options).code == 0
    assert all(len(tag) == 1 for tag in Tagger.load(tmp_path / "m").tags_)
    assert fstce("tagger", "evaluate", tmp_path / "m", corpus, "--tag-map", path).code == 0


def test_a_gold_tag_that_the_model_lacks_is_an_error(fstce, model, tmp_path):
    (tmp_path / "q.pos").write_text("the/DT clock/QQQ\n")
    code, out, err = fstce("tagger", "evaluate", model, tmp_path / "q.pos", "--json")
    assert code == 0 and "1 word with tags that the model lacks count as errors (QQQ 1)" in err
    assert "q.pos:1: clock/QQQ: the tag 'QQQ' is not in the model's tagset" in err
    assert json.loads(out)["model"]["all"] == 50
