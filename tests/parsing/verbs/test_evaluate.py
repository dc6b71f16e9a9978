"""`fstce parser evaluate`."""

import json

import pytest

from fstce.evaluation import parsing as evaluation


@pytest.fixture
def trees(parser, prepared):
    """Gold heads, heads found, and tags."""
    tags = [s.tags for s in prepared]
    return [s.heads for s in prepared], parser.predict(tags), tags


def test_a_parsers_table(fstce, grammar, treebank, trees):
    code, out, err = fstce("parser", "evaluate", grammar, treebank)
    gold, found, _ = trees
    score = evaluation.attachment(gold, found)
    lines = [line.split() for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert ["model", *(f"{value:.1f}" for value in score[:4])] in lines
    following = evaluation.attachment(gold, [evaluation.attach_next(len(heads)) for heads in gold])
    assert ["attach", "to", "next", *(f"{value:.1f}" for value in following[:4])] in lines
    assert len(lines) == 4


def test_a_parsers_json(fstce, grammar, treebank, trees):
    record = json.loads(fstce("parser", "evaluate", grammar, treebank, "--json").out)
    gold, found, _ = trees
    score = evaluation.attachment(gold, found)
    assert (record["words"], record["sentences"]) == (score.n_words, score.n_sentences) == (29, 9)
    names = ("directed", "undirected", "root", "exact")
    assert record["model"] == {name: getattr(score, name) for name in names}
    assert set(record) >= {"attach_to_next", "attach_to_previous"}


def test_a_parser_on_short_sentences(fstce, grammar, treebank, prepared):
    code, out, err = fstce("parser", "evaluate", grammar, treebank, "--max-length", 4, "--json")
    assert code == 0
    assert json.loads(out)["sentences"] == sum(len(s) <= 4 for s in prepared)
    assert err == "left out of 9 sentences: 2 of more than 4 words\n"


def test_a_sentence_that_is_too_long_is_named_with_what_to_do(fstce, grammar, prepared, tmp_path):
    """It stopped the scores of a treebank by a number alone, which no file has."""
    tag, path = prepared[0].tags[0], tmp_path / "long.conllu"
    rows = "\n".join(f"{i}\tw\t_\t_\t{tag}\t_\t{i - 1}\t_\t_\t_" for i in range(1, 451))
    path.write_text(f"1\tw\t_\t_\t{tag}\t_\t0\t_\t_\t_\n\n{rows}\n\n", encoding="utf-8")
    code, _, err = fstce("parser", "evaluate", grammar, path)
    assert code == 2 and err.count("\n") == 1
    assert "long.conllu:3" in err and "450 words" in err and "--max-length leaves longer" in err
    assert fstce("parser", "evaluate", grammar, path, "--max-length", "10").code == 0


def test_heads_that_are_no_tree_are_left_out_and_named(fstce, grammar, treebank, tmp_path):
    bad = "1\ta\t_\t_\tDT\t_\t2\t_\t_\t_\n2\tb\t_\t_\tNN\t_\t1\t_\t_\t_\n"
    (tmp_path / "bad.conllu").write_text(treebank.read_text() + bad)
    code, out, err = fstce("parser", "evaluate", grammar, tmp_path / "bad.conllu", "--json")
    assert code == 0 and json.loads(out)["sentences"] == 9
    assert "left out of 10 sentences: 1 whose heads are no tree" in err
    assert "bad.conllu:" in err and "run in a cycle" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{grammar}", "{treebank}", "--words", "3"], "No such option: --words"),
        (["{grammar}", "{corpus}"], "corpus.pos:1"),
        (["{model}", "{treebank}"], "is a tagger: use the verbs of fstce tagger"),
    ],
)
def test_what_is_for_other_models(fstce, grammar, model, treebank, corpus, arguments, message):
    paths = {"grammar": grammar, "model": model, "treebank": treebank, "corpus": corpus}
    code, out, err = fstce(
        "parser", "evaluate", *(argument.format(**paths) for argument in arguments)
    )
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert message in err


def test_of_trees_that_are_none_the_first_is_named(fstce, grammar, tmp_path):
    """Other options would not help."""
    path = tmp_path / "cycles.conllu"
    path.write_text("1\ta\t_\tN\t_\t_\t2\t_\t_\t_\n2\tb\t_\tN\t_\t_\t1\t_\t_\t_\n\n" * 2)
    code, _, err = fstce("parser", "evaluate", grammar, path)
    assert code == 2 and "of 2 sentences none is left: 2 whose heads are no tree; " in err
    assert (
        "cycles.conllu:1" in err
        and "(and 1 more such sentence)" in err
        and "--max-length" not in err
    )


def test_tags_that_training_did_not_see_are_said(fstce, grammar, tmp_path):
    """A treebank with another column's tags was scored in silence."""
    path = tmp_path / "other.conllu"
    path.write_text("1\ta\t_\t_\tQQ\t_\t2\t_\t_\t_\n2\tb\t_\t_\tRR\t_\t0\t_\t_\t_\n\n")
    code, _, err = fstce("parser", "evaluate", grammar, path, "--json")
    assert code == 0 and "2 of 2 words have 2 tags that training did not see (QQ RR)" in err
    assert "no tag is the model's" in err


@pytest.mark.parametrize("tag, options, see", [("PUNCT", (), False), ("DET", (1,), True)])
def test_a_limit_is_named_where_it_left_everything_out(fstce, grammar, tmp_path, tag, options, see):
    path = tmp_path / "out.conllu"
    path.write_text(f"1\ta\t_\t{tag}\t_\t_\t2\t_\t_\t_\n2\tb\t_\t{tag}\t_\t_\t0\t_\t_\t_\n\n")
    limit = [word for number in options for word in ("--max-length", number)]
    code, _, err = fstce("parser", "evaluate", grammar, path, *limit)
    assert code == 2 and ("see --max-length" in err) == see
