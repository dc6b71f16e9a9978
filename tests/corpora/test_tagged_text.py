"""Text in word/TAG notation."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from text_cases import sentences_of

from fstce.corpora import Sentence, read_corpus
from fstce.corpora.faults import Faults
from fstce.errors import CorpusError


def _read(*lines: str) -> list[Sentence]:
    return list(sentences_of(enumerate(lines, start=1), "a.pos", "tagged"))


def test_the_last_slash_separates() -> None:
    (sentence,) = _read("", "1/2/CD 1\\/2/CD //SYM a_b/NN")
    assert sentence.words == ("1/2", "1\\/2", "/", "a_b")
    assert sentence.tags == ("CD", "CD", "SYM", "NN")
    assert sentence.source == "a.pos:2"


@pytest.mark.parametrize("token", ["dog", "dog/", "/NN", "and\\/or", "/", "dog_NN"])
def test_a_token_without_word_or_tag_is_named(token: str) -> None:
    with pytest.raises(CorpusError) as caught:
        _read("the/DT dog/NN", f"the/DT {token}")
    assert str(caught.value) == f"a.pos:2: the token {token!r} is not of the form word/TAG"


def test_a_backslash_keeps_what_it_stands_before() -> None:
    (sentence,) = _read(r"\\/SYM a\\\\/X w/a\/b //\/")
    assert sentence.words == ("\\", "a\\\\", "w", "/")
    assert sentence.tags == ("SYM", "X", "a/b", "/")


CHUNKED = """*x*note*x*

======================================

[ the/DT old/JJ clock/NN ]
stopped/VBD
[ at/IN ]
[ noon/NN ] ./.

[ it/PRP ]
rang/VBD ./.
======================================
[ she/PRP ] left/VBD
"""


@pytest.mark.parametrize("name", ["a.pos", "a"])
def test_chunks_of_the_penn_treebank(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(CHUNKED.removeprefix("*x*note*x*\n" if name == "a" else ""))
    found = read_corpus(tmp_path / name)
    assert [str(s) for s in found] == ["the old clock stopped at noon .", "it rang .", "she left"]
    assert found[1].source.endswith(f"{name}:{10 - (name == 'a')}")
    (tmp_path / "b.pos").write_text("in/IN\n[ may/NNP ]\nit/PRP [ rained/VBD ]\n")
    assert [len(s) for s in read_corpus(tmp_path / "b.pos")] == [4]
    (tmp_path / "b.pos").write_text(
        "[ a/NN ]\n\n[ b/NN ]\nc/NN\n\nd/NN ./.\n\n''/''\n\n[ e/NN ]\n\n\n[ f/NN ]\n"
    )
    assert [len(s) for s in read_corpus(tmp_path / "b.pos")] == [3, 3, 1, 1]
    (tmp_path / "b.pos").write_text("[ the/DT clock/NN ]\nbroken\n\n[ it/PRP ]\n")
    assert [len(s) for s in read_corpus(tmp_path / "b.pos", faults=Faults("skip"))] == [1]


@pytest.mark.parametrize("text", ["old/adj clock/n ./sent\n", "clock\tn\nold\tadj\n"])
def test_tags_in_small_letters_are_tags(text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    assert read_corpus(tmp_path / "a")[0].tags is not None


@pytest.mark.parametrize("text", ["http://a.org/b https://c.org/d\n", "1/2 3/4\n", "and/or\n"])
def test_slashes_that_separate_no_tags(text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    assert read_corpus(tmp_path / "a")[0].tags is None


def test_lines_of_json(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(
        '{"words": ["New York", "sat"], "tags": ["NNP", "VBD"], "probabilities": [1, 1]}\n\n'
        '{"words": ["it"], "heads": [0], "deprels": ["root"]}\n'
    )
    first, second = read_corpus(tmp_path / "a")
    assert (first.words, first.tags) == (("New_York", "sat"), ("NNP", "VBD"))
    assert (second.heads, second.tags) == ((0,), None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"words": ["a"], "tags": ["N", "V"]}', "a.jsonl:2: 2 tags for 1 words"),
        ('{"words": ["a"], "tags": "N"}', "a.jsonl:2: 'tags' is no list of strs"),
        ('{"words": ["a"], "heads": ["0"]}', "a.jsonl:2: 'heads' is no list of ints"),
        ('{"words": ["<s>"]}', "a.jsonl:2: '<s>' is a reserved symbol"),
        ('{"word": "a"}', "a.jsonl:2: .* is no sentence"),
        ("it rains", "a.jsonl:2: is no JSON"),
    ],
)
def test_a_line_of_json_that_is_no_sentence(line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(f'{{"words": ["it"]}}\n{line}\n')
    with pytest.raises(CorpusError, match=message):
        read_corpus(tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"word": "saw", "pos": "verb"}\n', "a: JSON, but no sentences"),
        ("cups\tcup+N+Pl\t0.0\n\n", "a: words and their analyses, as a lookup gives them"),
        ('<?xml version="1.0"?>\n<text>It rains.</text>\n', "a: no text, but a document in XML"),
        ("<!DOCTYPE html>\n<html><p>It rains.</html>\n", "a: no text, but a document in XML"),
        ('{\n  "saw": 1\n}\n', "a: JSON, but no sentences"),
        ("1  it  _  PRON  _  _  0  root  _  _\n", "a:1: 1 columns where CoNLL-U has 10"),
        ("cups:cup<n><pl>\n", "a: words and their analyses"),
        ('<svg xmlns="http://www.w3.org/2000/svg">\n', "a: no text, but a document in XML"),
        ("\nthe\t[the] Det\ndogs\t[dog] N Pl\n", "a: readings in lines of CG-3"),
        ("1\n00:00:01,000 --> 00:00:02,500\nIt rains.\n", "a: subtitles"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nIt rains.\n", "a: subtitles"),
        ("#BOS 1 0 0 0\nes\t--\tPPER\t--\tSB\t0\n#EOS 1\n", "a: an export file of NEGRA"),
        ("\\_sh v3.0 Text\n\n\\tx awa na\n", "a: marked lines of Toolbox"),
        ("\\id GEN\n\\c 1\n\\v 1 In\n", "a: marked lines of Toolbox or USFM"),
        ('[["an", "owl"], ["it", "flew"]]\n', "a: JSON, but no sentences"),
        ('[\n  {\n    "words": ["an", "owl"]\n  }\n]\n', "a: JSON, but no sentences"),
        ('{ "corpus": [\n{"words": ["an", "owl"]}\n]}\n', "a: JSON, but no sentences"),
        (
            "1\tOwls\towl\towl\tNNS\tNNS\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\n",
            "a: columns of CoNLL-2008 or 2009",
        ),
        (
            "#begin document (x/y); part 000\nx/y\t0\t0\tOwls\tNNS\t(S(NP*)\n",
            "a: columns of CoNLL-2012",
        ),
        ("1\tOwls\tNNS\n2\tfly\tVBP\n", "a: tags or numbers in the first column"),
        ('File type = "ooTextFile"\nObject class = "TextGrid"\n', "a: a TextGrid"),
        ("T1\tPlace 3 9\tRiver\nT2\tDate 0 2;11 14\tMay 4\n", "a: annotations of brat"),
        ("sing\tsang\tV;PST\nsing\tsings\tV;PRS;3;SG\n", "a: a table of UniMorph"),
        ("sing\tsang\tV;PST\tsang\n", "a: a table of UniMorph"),
        ("it rains .\rit stops .\r", "a: line ends of old Macs"),
        ('# of a program\nmsgid ""\nmsgstr ""\n', "a: a catalog of gettext"),
        ("# ::snt It rains.\n(r / rain-01)\n", "a: graphs of meanings"),
        ("@UTF8\n@Begin\n*CHI:\tit rains .\n", "a: a transcript in CHAT"),
    ],
)
def test_what_is_known_and_no_corpus(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text, newline="")
    with pytest.raises(CorpusError, match=message):
        read_corpus(tmp_path / "a")


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("Es\tPPER\tes\ntaut\tVVFIN\ttauen\n.\t$.\t.\nNa\tITJ\tna\n!\t$.\t!\n", [3, 2]),
        ("<doc>\nEs\tPPER\ntaut\tVVFIN\n…\tX\n</doc>\n<doc>\nNa\tITJ\n</doc>\n\n", [3, 1]),
        ("Es\tPPER\n.\t$.\ntaut\tVVFIN\n\nNa\tITJ\n!\t$.\n", [3, 2]),
        ("Es\tPPER\n.\t$.\ntaut\tVVFIN\n.\tSENT\nNa\tITJ\n", [4, 1]),
    ],
)
def test_full_stops_end_sentences_where_nothing_else_does(
    text: str, lengths: list[int], tmp_path: Path
) -> None:
    """What TreeTagger writes of German was one sentence."""
    (tmp_path / "a.tt").write_text(text)
    assert [len(sentence) for sentence in read_corpus(tmp_path / "a.tt")] == lengths


@pytest.mark.parametrize(
    "text",
    [
        "-DOCSTART- -X- O O\n\nit PRP B-NP O\nrains VBZ B-VP O\n\nsun NN B-NP O\n",
        "it PRP B-NP\nrains VBZ B-VP\n\nsun NN O\n",
        "it PRP\nrains VBZ\n\nsun NN\n",
    ],
)
def test_columns_with_blanks_are_columns(text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    found = read_corpus(tmp_path / "a")
    assert [(s.words, s.tags) for s in found] == [
        (("it", "rains"), ("PRP", "VBZ")),
        (("sun",), ("NN",)),
    ]


def test_names_behind_blanks_are_columns(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("Turku B-LOC\nlies O\nthere O\n\nIt O\nrains O\n")
    assert [s.tags for s in read_corpus(tmp_path / "a")] == [("B-LOC", "O", "O"), ("O", "O")]


@pytest.mark.parametrize("text", ["HELLO WORLD\nit rains\n", "Yes .\nNo .\n", "A BC\n"])
def test_lines_of_two_words_are_no_columns(text: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(text)
    assert [s.tags for s in read_corpus(tmp_path / "a")] == [None] * text.count("\n")


def test_a_tag_of_sentence_ends_ends_a_sentence(tmp_path: Path) -> None:
    rows = "it\tPP\tit\nrains\tVVZ\train\n.\tSENT\t.\n"
    (tmp_path / "a").write_text(rows + rows)
    assert [len(s) for s in read_corpus(tmp_path / "a")] == [3, 3]


def test_a_line_of_chunks_may_be_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.pos").write_text("[ Owls/NNS ] fly/VBP ./.\n[ It/PRP ] rains/VBZ ./.\n''/''\n")
    assert [len(sentence) for sentence in read_corpus(tmp_path / "a.pos")] == [3, 4]


def test_numbers_may_be_words_of_vertical_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\tCD\n.\tSENT\n2\tCD\n")
    assert read_corpus(tmp_path / "a")[0].words == ("1", ".")


def test_a_hash_may_stand_before_a_header(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("#word\tlemma\tpos\nowls\towl\tNNS\n")
    (sentence,) = read_corpus(tmp_path / "a.tsv")
    assert (sentence.words, sentence.tags) == (("owls",), ("NNS",))


def test_brackets_of_chunks_without_a_blank_to_their_words(tmp_path: Path) -> None:
    """They became part of words and tags, in silence."""
    path = tmp_path / "a.pos"
    path.write_text(
        "[the/DT dog/NN] saw/VBD [ a/DT ]cat/NN [[/( x/NN ]/) ] ./.\n\n[it/PRP] ran/VBD\n"
    )
    first, second = read_corpus(path)
    assert first.words == ("the", "dog", "saw", "a", "cat", "[", "x", "]", ".")
    assert first.tags == ("DT", "NN", "VBD", "DT", "NN", "(", "NN", ")", ".")
    assert (second.words, second.tags) == (("it", "ran"), ("PRP", "VBD"))
    path.write_text("[edit]/NN this/DT\n")  # no chunk
    assert read_corpus(path)[0].words == ("[edit]", "this")


def test_underscores_separate_where_slashes_do_not() -> None:
    (sentence,) = _read("1/2_CD and_CC snake_case_NN")
    assert sentence.words == ("1/2", "and", "snake_case") and sentence.tags == ("CD", "CC", "NN")


def test_bars_separate_where_each_token_has_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("the|DT dog|NN\nit|PRP a|b|VB\n")
    first, second = read_corpus(tmp_path / "a")
    assert (first.words, first.tags) == (("the", "dog"), ("DT", "NN"))
    assert (second.words, second.tags) == (("it", "a|b"), ("PRP", "VB"))


def test_comments_are_no_words_of_vertical_text(tmp_path: Path) -> None:
    """The hash was a word, and the first word of the comment its tag."""
    (tmp_path / "a.vert").write_text("# a comment\nthe\tDT\n#\t#\n\n# another\n\nit\tPRP\n")
    assert [s.words for s in read_corpus(tmp_path / "a.vert")] == [("the", "#"), ("it",)]
    (tmp_path / "a.vert").write_text("# # B-NP\n5 CD I-NP\n")
    assert read_corpus(tmp_path / "a.vert")[0].words == ("#", "5")


VERTICAL = {
    "tabs": "the\tDT\ndog\tNN\n\nit\tPRP\n",
    "corpus manager": '<doc id="1">\n<s>\nthe\tDT\tthe\ndog\tNN\tdog\n</s>\n<s>\nit\tPRP\tit\n</s>\n</doc>\n',
    "shared task": "-DOCSTART- -X- -X- O\n\nthe DT B-NP O\ndog NN I-NP O\n\nit PRP B-NP O\n",
}


@pytest.mark.parametrize("name", VERTICAL)
def test_a_word_a_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(VERTICAL[name], encoding="utf-8")
    # Columns between blanks could be a sentence: that they are columns must be said.
    given = "vertical" if name == "shared task" else None
    found = [(s.words, s.tags) for s in read_corpus(path, given)]
    assert found == [(("the", "dog"), ("DT", "NN")), (("it",), ("PRP",))]


@pytest.mark.parametrize("line", ["dog", "dog\t", "\tNN"])
def test_a_line_without_word_or_tag_is_named(line: str) -> None:
    with pytest.raises(
        CorpusError, match=r"a\.vert:2: the line .* is not of the form word, tab, tag"
    ):
        list(sentences_of(enumerate(["the\tDT", line], 1), "a.vert", "vertical"))


@pytest.mark.parametrize("token", ["<s>/NN", "dog/<s>", "</s>/NN"])
def test_reserved_words_and_tags_are_refused(token: str) -> None:
    with pytest.raises(CorpusError, match=r"a\.pos:1: '</?s>' is a reserved symbol"):
        _read(token)


def test_brown(nltk_brown: list[Sentence]) -> None:
    assert (len(nltk_brown), sum(map(len, nltk_brown))) == (57_340, 1_161_192)
    assert str(nltk_brown[0]).startswith("The Fulton County Grand Jury said")
    assert nltk_brown[0].tags is not None
    assert nltk_brown[0].tags[:3] == ("at", "np-tl", "nn-tl")


@pytest.mark.parametrize(
    ("record", "column"),
    [
        ({"tokens": ["the", "dog"], "upos": ["DET", "NOUN"]}, "upos"),
        ({"words": ["the", "dog"], "pos_tags": ["DET", "NOUN"]}, ""),
        ({"words": ["the", "dog"], "tags": ["DET", "NOUN"], "xpos": ["x", "y"]}, ""),
    ],
)
def test_lists_of_json_go_by_the_names_that_others_give_them(record: Any, column: str) -> None:
    (sentence,) = read_corpus(io.StringIO(json.dumps(record) + "\n"))
    assert (sentence.words, sentence.tags) == (("the", "dog"), ("DET", "NOUN"))
    assert sentence.tag_column == column


def test_a_rule_and_a_note_of_a_text_with_chunks_are_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.pos"
    path.write_text("=====\n[ the/DT dog/NN ]\n*x*notes*x*\na/DT *x*foo/NN b/NN\n./.\n")
    words = [word for sentence in read_corpus(path) for word in sentence.words]
    assert words == ["the", "dog", "a", "*x*foo", "b", "."]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.pos", "Dogs/dog/NNS bark/bark/VBP the/the/DT ././.\n", "the second a lemma"),
        ("a.pos", "Dogs/NNS/dog bark/VBP/bark the/DT/the\n", "the third a lemma"),
        ("a.txt", "Dogs|dog|NNS bark|bark|VBP the|the|DT .|.|.\n", "the second a lemma"),
        ("a.pos", "Dogs//NNS bark//VBP the//DT\n", "the second a lemma"),
        ("a.vert", "Dogs\tdog\tNNS\nbark\tbark\tVBP\nthe\tthe\tDT\n.\t.\t.\n", "second column"),
        ("a.txt", "DT\tThe\nNN\tdog\nVBZ\tbarks\n.\t.\n", "tags or numbers in the first"),
        ("a.txt", "7\teng\tA dog.\n9\teng\tA cat.\n12\teng\tNo.\n", "or numbers in the first"),
    ],
)
def test_lemmas_and_tags_in_the_places_of_others_are_named(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    """Lemmas became tags, or parts of words, and tags words."""
    (tmp_path / name).write_text(text)
    with pytest.raises(CorpusError, match=message):
        read_corpus(tmp_path / name)


@pytest.mark.parametrize(
    "text",
    [
        "the\tthe\ndogs\tdog\nwere\tbe\nbarking\tbark\ncats\tcat\n",
        "cat\tcat_N\ndog\tdog_N\nthe\tthe_D\n",
    ],
)
def test_words_with_their_lemmas_alone_are_no_tagged_text(text: str) -> None:
    """Lemmas were tags, in silence."""
    with pytest.raises(CorpusError, match="lemmas in the second column"):
        read_corpus(io.StringIO(text))


@pytest.mark.parametrize(
    ("name", "text", "tags"),
    [
        ("a.vert", "in\tIN\tin\nthe\tDT\tthe\nto\tTO\tto\n", ("IN", "DT", "TO")),
        ("a.pos", "1/2/CD 3/4/CD and/or/CC\n", ("CD", "CD", "CC")),
        ("a.pos", "DT/DT NN/NN VBZ/VBZ\n", ("DT", "NN", "VBZ")),
        ("a.vert", "DT\tDT\nNN\tNN\nVBZ\tVBZ\n", ("DT", "NN", "VBZ")),
        ("a.vert", "<p><s>\nthe\tDT\ndog\tNN\n</s></p>\n", ("DT", "NN")),
    ],
)
def test_tags_that_are_like_their_words(
    tmp_path: Path, name: str, text: str, tags: tuple[str, ...]
) -> None:
    (tmp_path / name).write_text(text)
    (sentence,) = read_corpus(tmp_path / name)
    assert sentence.tags == tags


def test_where_empty_lines_follow_full_stops_a_line_with_one_ends_nothing() -> None:
    """`2 .` before an item of a list was a sentence."""
    text = "[ it/PRP ]\nruns/VBZ ./.\n\n[ 2/LS ]\n./.\n[ a/DT cat/NN ]\nsits/VBZ ./.\n"
    assert [len(sentence) for sentence in read_corpus(io.StringIO(text))] == [3, 6]
