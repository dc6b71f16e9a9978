"""`fstce evaluate`."""

import json

import pytest

from fstce import DependencyParser, evaluation


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
    code, out, err = fstce("evaluate", model, corpus, "--confusions", 3)
    lines = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "")
    for name in ("random", "model"):
        row = expected[name]
        assert [name, f"{row.ambiguous:.1f}", f"{row.all:.1f}"] in lines
    assert lines[-3:] == [[gold, found, str(n)] for gold, found, n in expected["confusions"]]


def test_no_confusions_are_shown_if_none_are_wanted(fstce, model, corpus):
    assert len(fstce("evaluate", model, corpus, "--confusions", 0).out.splitlines()) == 3


def test_json(fstce, model, corpus, expected, sentences):
    record = json.loads(fstce("evaluate", model, corpus, "--json", "--confusions", 3).out)
    assert record["words"] == sum(map(len, sentences))
    assert record["ambiguous_words"] == expected["model"].n_ambiguous
    assert record["model"] == {"ambiguous": expected["model"].ambiguous, "all": expected["model"].all}
    assert [(c["gold"], c["found"], c["words"]) for c in record["confusions"]] == expected["confusions"]


def test_no_ambiguous_words(fstce, model, tmp_path):
    path = tmp_path / "one.pos"
    path.write_text("the/DT\n")
    assert json.loads(fstce("evaluate", model, path, "--json").out)["model"] == {
        "ambiguous": None,
        "all": 100.0,
    }
    assert ["model", "–", "100.0"] in [
        line.split() for line in fstce("evaluate", model, path).out.splitlines()
    ]


def test_the_first_words_only(fstce, model, corpus, sentences):
    record = json.loads(fstce("evaluate", model, corpus, "--json", "--words", 1).out)
    assert record["words"] == len(sentences[0])


# --- Parsers ---------------------------------------------------------------------------------------------


@pytest.fixture
def trees(parser, prepared):
    """Gold heads, heads found, and tags."""
    tags = [s.tags for s in prepared]
    return [s.heads for s in prepared], parser.predict(tags), tags


def test_a_parsers_table(fstce, grammar, treebank, trees):
    code, out, err = fstce("evaluate", grammar, treebank)
    gold, found, _ = trees
    score = evaluation.attachment(gold, found)
    lines = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert ["model", *(f"{value:.1f}" for value in score[:4])] in lines
    following = evaluation.attachment(gold, [evaluation.attach_next(len(heads)) for heads in gold])
    assert ["attach", "to", "next", *(f"{value:.1f}" for value in following[:4])] in lines
    assert len(lines) == 4


def test_a_parser_by_distance_and_by_tag(fstce, grammar, treebank, trees):
    out = fstce("evaluate", grammar, treebank, "--by-distance", "--by-tag").out
    gold, found, tags = trees
    _, distances, kinds = (part.splitlines()[1:] for part in out.split("\n\n"))
    wanted = [
        ["root" if not n else str(n), *(f"{v:.1f}" if v == v else "–" for v in s[:2]), *map(str, s[2:])]
        for n, s in evaluation.by_distance(gold, found).items()
    ]
    assert [line.split() for line in distances] == wanted
    assert [line.split() for line in kinds] == [
        [tag, f"{s.directed:.1f}", f"{s.undirected:.1f}", str(s.n_words)]
        for tag, s in evaluation.by_tag(gold, found, tags).items()
    ]


def test_a_parsers_json(fstce, grammar, treebank, trees):
    record = json.loads(fstce("evaluate", grammar, treebank, "--json").out)
    gold, found, tags = trees
    score = evaluation.attachment(gold, found)
    assert (record["words"], record["sentences"]) == (score.n_words, score.n_sentences) == (29, 9)
    names = ("directed", "undirected", "root", "exact")
    assert record["model"] == {name: getattr(score, name) for name in names}
    assert set(record) >= {"attach_to_next", "attach_to_previous"}
    distances = evaluation.by_distance(gold, found)
    assert [row["distance"] for row in record["by_distance"]] == list(distances)
    for row, kept in zip(record["by_distance"], distances.values(), strict=True):
        assert row["precision"] == (None if kept.precision != kept.precision else kept.precision)
    kinds = evaluation.by_tag(gold, found, tags)
    assert {row["tag"]: row["n_words"] for row in record["by_tag"]} == {
        t: s.n_words for t, s in kinds.items()
    }


def test_a_parser_on_short_sentences(fstce, grammar, treebank, prepared):
    code, out, err = fstce("evaluate", grammar, treebank, "--max-length", 4, "--json")
    assert code == 0
    assert json.loads(out)["sentences"] == sum(len(s) <= 4 for s in prepared)
    assert err == "left out of 9 sentences: 2 of more than 4 words\n"


def test_a_parser_by_minimum_risk(fstce, grammar, treebank, prepared):
    risky = DependencyParser.load(grammar).set_params(decoder="minimum-risk")
    found = risky.predict([s.tags for s in prepared])
    record = json.loads(fstce("evaluate", grammar, treebank, "--json", "--decoder", "minimum-risk").out)
    assert record["model"]["directed"] == evaluation.attachment([s.heads for s in prepared], found).directed


def test_heads_that_are_no_tree_are_left_out_and_named(fstce, grammar, treebank, tmp_path):
    bad = "1\ta\t_\t_\tDT\t_\t2\t_\t_\t_\n2\tb\t_\t_\tNN\t_\t1\t_\t_\t_\n"
    (tmp_path / "bad.conllu").write_text(treebank.read_text() + bad)
    code, out, err = fstce("evaluate", grammar, tmp_path / "bad.conllu", "--json")
    assert code == 0 and json.loads(out)["sentences"] == 9
    assert "left out of 10 sentences: 1 whose heads are no tree" in err
    assert "bad.conllu:" in err and "run in a cycle" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{grammar}", "{treebank}", "--decoder", "posterior"], "decoder='posterior': choose one of viterbi"),
        (["{grammar}", "{treebank}", "--words", "3"], "--words is for taggers"),
        (["{grammar}", "{corpus}"], "corpus.pos:1"),
        (["{grammar}", "{treebank}", "--coarse", "--max-length", "1", "--punctuation", "none"], None),
        (["{model}", "{corpus}", "--by-tag"], "is a tagger: --max-length"),
        (["{model}", "{corpus}", "--decoder", "minimum-risk"], "decoder='minimum-risk'"),
    ],
)
def test_options_of_the_other_kind(fstce, grammar, model, treebank, corpus, arguments, message):
    paths = {"grammar": grammar, "model": model, "treebank": treebank, "corpus": corpus}
    code, out, err = fstce("evaluate", *(argument.format(**paths) for argument in arguments))
    if message is None:
        assert code == 0 and "of 1 words" in out
        return
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert message in err
