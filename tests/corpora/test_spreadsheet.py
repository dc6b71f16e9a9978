"""Corpora as tables with a header."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from fstce.corpora import Sentence, read_corpus
from fstce.corpora.faults import Faults
from fstce.errors import CorpusError


def rows(path: Path) -> list[tuple[str, tuple[str, ...] | None]]:
    return [(str(sentence), sentence.tags) for sentence in read_corpus(path)]


TWO = [("the dog", ("DT", "NN")), ('" ,', ("``", ","))]


@pytest.mark.parametrize(
    "text",
    [
        'sentence,word,tag\n1,the,DT\n1,dog,NN\n2,"""",``\n2,",",","\n',
        'Sentence #,Word,POS\nS: 1,the,DT\n,dog,NN\nS: 2,"""",``\n,",",","\n',
        'word;tag\r\nthe;DT\r\ndog;NN\r\n;\r\n"""";``\r\n,;,\r\n',
        'token\tupos\tsent_id\nthe\tDT\ta\ndog\tNN\ta\n""""\t``\tb\n,\t,\tb\n',
        'sentence,tags\nthe dog,DT NN\n\n""" ,","`` ,"\n',
    ],
)
def test_tables_of_words_and_of_sentences(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_text(text, newline="")
    assert rows(tmp_path / "a.csv") == TWO
    assert [sentence.source.rpartition(":")[0] for sentence in read_corpus(tmp_path / "a.csv")] == [
        str(tmp_path / "a.csv")
    ] * 2


def test_a_table_with_tabs_is_known_by_its_header(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("word\ttag\tsentence\nthe\tDT\t1\ndog\tNN\t1\n")
    assert rows(tmp_path / "a.tsv") == TWO[:1]
    (tmp_path / "b.tsv").write_text("the\tDT\ndog\tNN\n")
    assert rows(tmp_path / "b.tsv") == TWO[:1]


def test_sentences_without_tags_are_running_text() -> None:
    found = read_corpus(io.StringIO('id,text\n1,It\'s late.\n2,"Well, go."\n'), format="table")
    assert found == [Sentence(["It", "'s", "late", "."]), Sentence(["Well", ",", "go", "."])]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "It is late, so go.\nIt rains.\n",
            "a.csv:1: a table needs a header that names a column of words",
        ),
        ("a,b\n1,2\n", "begins with 'a, b'; name its columns, or save running text as .txt"),
        (
            "word,tag\n" + "dog,NN\n" * 600,
            "a.csv:1: a table with a word a row needs a column that says where",
        ),
        ("sentence,tags\nthe dog,DT\n", "a.csv:2: 1 tags for 2 words"),
        ("sentence,word,tag\n1,<s>,DT\n", "a.csv:2: '<s>' is a reserved symbol"),
        ("sentence,word,tag\n1,the,\n", "a.csv:2"),
    ],
)
def test_what_is_no_such_table_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(CorpusError) as caught:
        read_corpus(tmp_path / "a.csv")
    assert message in str(caught.value)


@pytest.mark.parametrize("policy", ["skip", "pass"])
@pytest.mark.parametrize(
    "table",
    [
        b"sentence,word,tag\n1,the,DT\n1,dog,NN\n2,the,DT\n2,caf\xe9,NN\n3,it,PRP\n",
        b"sentence,tags\nthe dog,DT NN\nthe caf\xe9,DT NN\nit,PRP\n",
        b"sentence\nthe dog\nthe caf\xe9\nit\n",
    ],
)
def test_a_sentence_with_a_row_in_another_encoding_is_left_out_as_a_whole(
    table: bytes, policy: str
) -> None:
    told: list[str] = []
    faults = Faults(policy, told.append)
    found = read_corpus(io.BytesIO(table), "table", faults=faults)
    assert [str(sentence) for sentence in found] == ["the dog", "it"]
    assert (faults.count, faults.lost) == (1, 1)
    assert "byte 0xe9" in told[0] and told[0].endswith(": left out")


def test_a_header_in_another_encoding_is_refused() -> None:
    with pytest.raises(CorpusError, match="<stream>:1: byte 0xe9"):
        read_corpus(io.BytesIO(b"word,tag,caf\xe9\nthe,DET,1\n"), "table")


def test_a_table_in_another_encoding_is_named_as_such(tmp_path: Path) -> None:
    """The message was about a header, with half characters in it."""
    (tmp_path / "a.csv").write_bytes("word,tag\nthe,DT\n".encode("utf-16"))
    with pytest.raises(CorpusError, match=r"a\.csv:1: byte 0xff .* \(--encoding utf-16\)"):
        read_corpus(tmp_path / "a.csv")


def test_parts_of_speech_go_before_labels_of_entities() -> None:
    text = "Sentence #,Word,POS,Tag\n1,Thousands,NNS,O\n,of,IN,O\n,London,NNP,B-geo\n"
    (sentence,) = read_corpus(io.StringIO(text), "table")
    assert sentence.tags == ("NNS", "IN", "NNP")


@pytest.mark.parametrize(("first", "name"), [(1, "id"), (0, "token_id")])
def test_sentences_begin_where_numbers_of_words_do(first: int, name: str) -> None:
    """All were one sentence, with the words of a range twice."""
    rows = [(first, "it", "PRP"), (first + 1, "rains", "VBZ"), (first, "no", "UH")]
    text = f"{name},form,upos\n1-2,itrains,_\n" + "".join(f"{n},{w},{t}\n" for n, w, t in rows)
    sentences = read_corpus(io.StringIO(text))
    assert [s.words for s in sentences] == [("it", "rains"), ("no",)]
    assert [s.tags for s in sentences] == [("PRP", "VBZ"), ("UH",)]


def test_numbers_that_may_be_of_sentences_are_asked_about() -> None:
    with pytest.raises(CorpusError, match="does 'id' number sentences or words"):
        read_corpus(io.StringIO("id,word,tag\n1,it,PRP\n1,rains,VBZ\n2,no,UH\n"))


def test_counts_may_stand_before_tags() -> None:
    """A table of words with counts alone is no text."""
    (sentence,) = read_corpus(io.StringIO("word\tfreq\ttag\nsaw\t45\tNOUN\n"))
    assert sentence.tags == ("NOUN",)
