"""Dictionaries and gold tags of a text, as the verbs that read them say what is wrong."""

import pytest


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("foo", "d.tsv:2: the word 'foo' has no tags"),
        ("foo\tN\tV", "d.tsv:2: 3 fields"),
        ("a\tN", "second time"),
    ],
)
def test_bad_dictionaries(refused, tmp_path, line, message):
    (tmp_path / "t.txt").write_text("a foo\n")
    (tmp_path / "d.tsv").write_text(f"a\tD\n{line}\n")
    assert message in refused(
        "tagger", "train", tmp_path / "t.txt", "--dictionary", tmp_path / "d.tsv"
    )


def test_text_without_any_dictionary(refused, tmp_path):
    (tmp_path / "t.txt").write_text("it rains\n")
    assert "give one with --dictionary" in refused("tagger", "train", tmp_path / "t.txt")


def test_a_table_cannot_be_diluted(refused, tmp_path):
    (tmp_path / "d.tsv").write_text("it\tD\n")
    given = ("tagger", "train", "sample", "-d", tmp_path / "d.tsv", "--min-count", "2")
    assert "a .tsv is used as it is" in refused(*given)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("wug/QQQ", [], "q.pos:1: wug/QQQ: the tag 'QQQ' is not in the model's tagset"),
        ("wug/NNX", [], "the nearest is 'NN"),
        ("wug/N", [], "it is a coarse class: leave --coarse out"),
        ("the/DT wug/QQQ", ["--coarse"], "the map has nothing for the tag 'QQQ'"),
    ],
)
def test_tags_outside_the_tagset(refused, model, tmp_path, text, options, message):
    (tmp_path / "q.pos").write_text(text)
    assert message in refused("tagger", "evaluate", model, tmp_path / "q.pos", *options)


def test_a_coarse_model_asks_for_coarse_tags(refused, corpus, tmp_path, fstce):
    options = ("--coarse", "--order", "1", "--max-iterations", "1", "-q", "-o", tmp_path / "m")
    assert fstce("tagger", "train", corpus, *options).code == 0
    assert "add --coarse" in refused("tagger", "evaluate", tmp_path / "m", corpus)


def test_a_corpus_without_tags_cannot_be_scored(refused, model, tmp_path):
    (tmp_path / "t.txt").write_text("the clock\n")
    assert "t.txt:1: the sentence has no tags" in refused(
        "tagger", "evaluate", model, tmp_path / "t.txt"
    )
