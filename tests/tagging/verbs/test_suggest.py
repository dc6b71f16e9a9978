"""`fstce tagger suggest`, and the round of annotation that it belongs to."""

import json

import pytest

from fstce import TagDictionary, Tagger
from fstce.tagging.suggest import suggest_sentences, suggest_words

TEXT = "the old clock stopped .\nthe wug stopped the wug .\na blick walks\n"
ROWS = [line.split() for line in TEXT.splitlines()]


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def test_words_are_lines_of_a_dictionary(fstce, model, tagger, text, tmp_path):
    code, out, err = fstce("tagger", "suggest", model, text)
    expected = suggest_words(tagger, ROWS)
    assert code == 0 and "correct them" in err
    (tmp_path / "words.tsv").write_text(out)
    listed = TagDictionary.from_tsv(tmp_path / "words.tsv")
    assert {w: set(listed[w]) for w in listed} == {s.word: set(s.tags) for s in expected}
    assert out.startswith(f"# {expected[0].tokens} tokens, {expected[0].errors:.2f} expected errors: ")


def test_what_is_listed_or_labelled_by_now_is_not_asked_for(fstce, model, tagger, text, tmp_path):
    (tmp_path / "words.tsv").write_text("wug\tNN\n")
    out = fstce("tagger", "suggest", model, text, "-d", tmp_path / "words.tsv", "--json").out
    assert [found["word"] for found in json.loads(out)] == [
        s.word for s in suggest_words(tagger, ROWS) if s.word != "wug"
    ]
    (tmp_path / "done.pos").write_text("the/DT wug/NN stopped/VBD the/DT wug/NN ./.\n")
    out = fstce("tagger", "suggest", model, text, "--sentences", "--labelled", tmp_path / "done.pos").out
    assert len(out.splitlines()) == 2 and "wug" not in out


def test_sentences_are_tagged_text(fstce, model, tagger, text):
    code, out, _ = fstce("tagger", "suggest", model, text, "--sentences", "--number", 2, "--quiet")
    rows = [[token.rpartition("/")[::2] for token in line.split()] for line in out.splitlines()]
    assert code == 0
    assert [([w for w, _ in row], tuple(t for _, t in row)) for row in rows] == [
        (ROWS[s.sentence], s.tags) for s in suggest_sentences(tagger, ROWS, 2)
    ]


def test_a_round(fstce, text, tmp_path):
    """A dictionary that grows in a file, and training that goes on."""
    words, first, second = (tmp_path / name for name in ("words.tsv", "first", "second"))
    words.write_text("the\tD\na\tD\nclock\tN\nstopped\tV\nold\tA N\n")
    options = ("-d", words, "--order", 2, "--quiet")
    assert fstce("tagger", "train", text, *options, "-o", first).code == 0
    found = fstce("tagger", "suggest", first, text, "--number", 1)
    words.write_text(words.read_text() + found.out)
    assert fstce("tagger", "train", text, *options, "--start", first, "-o", second).code == 0
    before, after = Tagger.load(first), Tagger.load(second)
    assert len(after.dictionary_) == len(before.dictionary_) + 1
    assert after.start  # what it went on from


def test_nothing_to_ask(fstce, model, tmp_path):
    (tmp_path / "t.txt").write_text("the\n")
    code, out, err = fstce("tagger", "suggest", model, tmp_path / "t.txt")
    assert (code, out) == (0, "") and "the dictionary lists every word" in err


def test_classes_of_raw_text_are_features(fstce, corpus, text, tmp_path):
    options = ("-c", "conditional", "--order", 1, "--max-iterations", 3, "--quiet", "-o", tmp_path / "m")
    (tmp_path / "names.tsv").write_text("clock\tobject\n")
    lists = ("--gazetteer", tmp_path / "names.tsv", "--classes", text)
    assert fstce("tagger", "train", corpus, *options, *lists).code == 0
    names = Tagger.load(tmp_path / "m").gazetteer
    assert "object" in names["clock"] and len(names["clock"]) == 4 and len(names["blick"]) == 3
