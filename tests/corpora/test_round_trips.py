"""Twelve files in as many formats and scripts: read, trained on, tagged, written, and read back equal."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import Tagger
from fstce.console.phrases import phrase_text
from fstce.corpora import (
    Sentence,
    TagDictionary,
    TextReader,
    Tree,
    conllu_sentence,
    read_corpus,
    recognize,
)
from fstce.corpora.faults import Faults
from fstce.corpora.read import iter_passages
from fstce.corpora.tables import csv_text
from fstce.corpora.words import with_brackets_named
from fstce.errors import DictionaryError
from fstce.tagging.answers import escaped, read_answers
from fstce.tagging.verbs.tag import tagged_block


def _conllu(rows: str) -> str:
    """CoNLL-U of word/TAG sentences, a tilde where no blank follows."""
    blocks = []
    for number, row in enumerate(rows.split("\n"), 1):
        lines = [f"# sent_id = {number}"]
        for i, token in enumerate(row.split(), 1):
            word, tag = token.rstrip("~").rsplit("/", 1)
            space = "SpaceAfter=No" if token.endswith("~") else "_"
            lines.append(f"{i}\t{word}\t_\t{tag}\t_\t_\t{i - 1}\tdep\t_\t{space}")
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


FILES: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "penn.mrg": ("( (S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .)) )\n" * 3, bytes),
    "brackets.tree.gz": (
        "(S (-LRB- -LRB-) (NN a) (-RRB- -RRB-) (-LSB- -LSB-))\n" * 2,
        gzip.compress,
    ),
    "no_suffix": ("(TOP (S (`` ``) (NN x)\n  ('' '')))\n", bytes),
    "french.conllu": (_conllu("L'/DET~ eau/NOUN est/AUX là/ADV~ ./PUNCT"), bytes),
    "hindi.conllu.xz": (_conllu("यह/PRON हिन्दी/NOUN है/AUX~ ।/PUNCT"), lzma.compress),
    "turkish.conllu": (_conllu("Ankara'ya/PROPN gitti/VERB~ ./PUNCT"), bytes),
    "arabic.txt": (_conllu("أين/ADV الكتاب/NOUN~ ؟/PUNCT"), bytes),
    "depend.conll": ("a\tDT\t2\ndog\tNN\t0\n\nit\tPRP\t0\n", bytes),
    "greek.pos": ("Πού/ADV είσαι/VERB ;/PUNCT\nΕδώ/ADV ./PUNCT\n", bytes),
    "hebrew.tagged.bz2": ('צה"ל/PROPN אמר/VERB ./PUNCT\n', bz2.compress),
    "chinese.tagged": ("我们/PRON 去/VERB 图书馆/NOUN 。/PUNCT\n", bytes),
    "russian_dos.conllu": (_conllu("Он/PRON ушёл/VERB~ !/PUNCT").replace("\n", "\r\n"), bytes),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_read_trains_tags_is_written_and_read_back(tmp_path: Path, name: str) -> None:
    text, packed = FILES[name]
    path = tmp_path / name
    path.write_bytes(packed(text.encode()))
    sentences = read_corpus(path)
    assert all(sentence.tags is not None for sentence in sentences)
    tagger = Tagger("trans1", order=1, max_iterations=2)
    tagger.fit(sentences, dictionary=TagDictionary.from_corpus(sentences))
    tagged = [
        Sentence(s.words, tags, text=s.text, spans=s.spans)
        for s, tags in zip(sentences, tagger.predict(sentences), strict=True)
    ]
    (tmp_path / "out.conllu").write_text("".join(map(conllu_sentence, tagged)), encoding="utf-8")
    again = read_corpus(tmp_path / "out.conllu")
    assert [s.words for s in again] == [s.words for s in sentences]
    assert [s.tags for s in again] == [s.tags for s in sentences]
    if sentences[0].spans is not None:
        assert [(s.text, s.spans) for s in again] == [(s.text, s.spans) for s in sentences]
        reader = TextReader(recognize(sentences), raw=True)
        assert [t.words for s in sentences for t in reader.sentences(s.text, "a:1")] == [
            s.words for s in sentences
        ]


@pytest.mark.parametrize(
    "name", [name for name in FILES if ".conll" in name or name == "arabic.txt"]
)
def test_columns_are_passed_on_to_the_byte(tmp_path: Path, name: str) -> None:
    text, packed = FILES[name]
    (tmp_path / name).write_bytes(packed(text.encode()))
    found = iter_passages(tmp_path / name, faults=Faults("pass"))
    assert "".join(line for passage in found for line in passage.lines) == text


ODD = (
    r"\ / \/ \\ a/b 1\/2 a\ ^a/b<n>$ ^a$ +? a+N NN 1-2 { } [ ] ( ) # #1 % ' \" '' `` <b> </x> ^ $ "
    r"@ = ===== *x* * -DOCSTART- + _ a_b , ; | :"
)
WORDS = [*ODD.split(), '"', '""', '"<a>"', '{"words":', "می\u200cخواهم", "a\u00adb", "e\u0301"]
WORDS += ["שלום", "ﬁ", "𝒳", "a\u200db", "1", "1.5"]
TAGS = [
    "NN",
    "vblex",
    "$",
    "''",
    ".",
    "a/b",
    "a\\/b",
    "\\",
    "NOUN|Case=Gen",
    "N+Pl",
    "<n>",
    "x:1",
    "a,b",
    "-",
]
COLUMNS = st.lists(
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS)), min_size=1, max_size=6),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("notation", ["word/tag", "tsv", "conllu", "jsonl"])
@given(COLUMNS)
def test_what_a_tagger_writes_is_read_to_the_same(notation: str, rows: Any) -> None:
    sentences = [Sentence(*zip(*row, strict=True)) for row in rows]
    assert all(s.tags is not None for s in sentences)
    blocks = [tagged_block(s, s.tags or (), (), notation, "xpos") for s in sentences]
    text = "word\ttag\n" * (notation == "tsv") + "".join(blocks)
    given_format = "tagged" if notation == "word/tag" else None
    assert read_corpus(io.StringIO(text), given_format, tag_column=None) == sentences


@given(
    st.dictionaries(st.sampled_from(WORDS), st.sets(st.sampled_from(TAGS), min_size=1), min_size=1)
)
def test_a_dictionary_is_read_as_it_was_written(entries: dict[str, set[str]]) -> None:
    dictionary = TagDictionary(entries, open_class=[min(min(entries.values()))])
    numbers = {word: dict.fromkeys(tags, 1e20) for word, tags in entries.items()}
    counted = dictionary.updated(entries, numbers)
    with tempfile.TemporaryDirectory() as folder:
        for written in (dictionary, counted):
            written.to_tsv(f"{folder}/a.tsv")
            assert TagDictionary.from_file(f"{folder}/a.tsv") == written
        try:
            dictionary.to_tsv(f"{folder}/a.csv")
        except DictionaryError as error:
            assert "write a .tsv" in str(error) and {
                "NOUN|Case=Gen",
                "x:1",
                "a,b",
                "a/b",
                "a\\/b",
            } & {*dictionary.tagset}
        else:
            assert dict(TagDictionary.from_file(f"{folder}/a.csv")) == dict(dictionary)


@given(
    st.dictionaries(st.sampled_from(WORDS), st.sets(st.sampled_from(TAGS), min_size=1), min_size=1)
)
def test_answers_have_the_tags_of_their_questions(entries: dict[str, set[str]]) -> None:
    """A comma in a tag parted it, and a number behind a colon was how often it is."""
    rows = [(word, " ".join(sorted(tags)), "7", "a [b]") for word, tags in entries.items()]
    with tempfile.TemporaryDirectory() as folder:
        lines = ["\t".join([escaped(word), *others]) + "\n" for word, *others in rows]
        Path(folder, "a.tsv").write_text("".join(lines), encoding="utf-8")
        table = csv_text([("word", "tags", "tokens", "places"), *rows])
        Path(folder, "a.csv").write_text(table, encoding="utf-8")
        for name in ("a.tsv", "a.csv"):
            answers = read_answers(Path(folder, name), TAGS)
            assert {word: {*answer.tags} for word, answer in answers.items()} == entries
            assert not any(answer.counts for answer in answers.values())


@given(COLUMNS)
def test_phrases_are_read_to_the_same(rows: Any) -> None:
    trees = [
        Tree("S", tuple(Tree(tag, (word,)) for (_, tag), word in zip(row, words, strict=True)))
        for row in rows
        for words in [[with_brackets_named(word) for word, _ in row]]
    ]
    text = "".join(phrase_text("penn", tree) for tree in trees)
    found = read_corpus(io.StringIO(text))
    assert [(s.words, s.tags) for s in found] == [
        tuple(zip(*tree.pos(), strict=True)) for tree in trees
    ]


def test_a_zip_of_all_and_a_folder_with_a_format(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name in ("french.conllu", "turkish.conllu"):
            archive.writestr(name, FILES[name][0])
    assert len(read_corpus(tmp_path / "all.zip")) == 2
    (tmp_path / "f").mkdir()
    for name in ("one", "two.xyz"):
        (tmp_path / "f" / name).write_text(FILES["penn.mrg"][0])
    assert len(read_corpus(tmp_path / "f", format="penn")) == 6
