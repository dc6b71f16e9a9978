"""Files of other programs are named for what they are."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from text_cases import checked_lines

from fstce.corpora import read_corpus
from fstce.corpora.documents import (
    from_stream,
)
from fstce.corpora.foreign import not_running
from fstce.corpora.formats import recognized, running
from fstce.errors import CorpusError


@pytest.mark.parametrize(
    ("name", "start", "what"),
    [
        ("a.pdf", b"%PDF-1.7\n\xe2", "a PDF document: take its text out"),
        ("a.docx", b"PK\x03\x04\x14", "a document of an office program .*: save a document"),
        ("a.xlsx", b"PK\x03\x04\x14", "a document of an office program .* a spreadsheet as .csv"),
        ("a", b"PK\x03\x04\x14", "a document of an office program .* or a zip archive"),
        ("a.rtf", b"{\\rtf1\\ansi ", "a document in rich text"),
        ("a.bin", b"LTTB\0\0", "a machine of lttoolbox"),
        ("a.ana", b"HFST\0\x5c\0", "a machine of HFST: name it .hfst"),
        ("a", b"\x7fELF\r\0", "a program"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1", "a document of an office program"),
    ],
)
def test_what_holds_no_text_is_named(tmp_path: Path, name: str, start: bytes, what: str) -> None:
    with pytest.raises(CorpusError, match=f"{name}: no text, but {what}"):
        checked_lines(tmp_path / name, start + b"\0\n")
    with pytest.raises(CorpusError, match=what if name == "a" else "no text, but"):
        list(from_stream(io.BytesIO(start)).lines())


REFUSED = {
    "hash": ("the#DT dog#NN barks#VBZ .#.\n", "joined to their tags, as 'the#DT'"),
    "small letters": ("the|det dog|noun barks|verb\n", "joined to their tags, as 'the|det'"),
    "with a full stop": ("The.AT0 dog.NN1 barks.VVZ\n", "joined to their tags"),
    "brackets": ("上海(Nc) 浦东(Nc) 开发(VC)\n", "joined to their tags"),
    "one token is not": ("a#D " * 12 + "dog\n", "joined to their tags"),
    "pairs of Python": ("[('the', 'DT'), ('dog', 'NN')]\n", "a value of Python"),
    "a dictionary of Python": ("{'words': ['the'], 'tags': ['DT']}\n", "a value of Python"),
    "square brackets": ("[S [NP [DT the] [NN dog]]]\n", "a tree in square brackets"),
    "LaTeX": ("\\documentclass{article}\n\\begin{document}\nA dog.\n", "LaTeX"),
    "HTML": ("<p>The dog barks.</p>\n", "marks of XML or HTML"),
    "the BNC": ("<w AT0>The <w NN1>dog<c PUN>.\n", "marks of XML or HTML"),
    "a corpus in XML": ('<w pos="DET">The</w>\n<w pos="N">dog</w>\n', "marks of XML or HTML"),
    "columns of other tasks": ("#\thttp://a [1]\n1\tDer\tO\tO\n2\tHund\tO\tO\n", "a table"),
    "numbered lines": ("a1\tA dog barks.\na2\tIt rains.\n", "a table"),
    "commas": ("the,DT\ndog,NN\nbarks,VBZ\n", "a table"),
    "bars": ("| word | tag |\n|---|---|\n| the | DT |\n", "a table"),
    "a token a line": ("The\ndog\nbarks\n.\n\nA\n", "a word a line: join"),
    "analyses alone": ("cat+N+Pl\n\nsee+V\nsaw+N\n\n+?\n", "analyses of a lookup"),
    "analyses behind blanks": ("cats cat<n><pl>\nNew York New York<np>\nwug +?\n", "analyses of"),
    "words with counts": ("the 69971\nof 36412\nand 28853\n", "words with counts"),
    "counts with words": ("   4 the\n   2 of\n   1 dog\n", "words with counts"),
    "hunspell": ("3\nsaw/S\nthe\nrun/GS po:verb\n", "a dictionary of hunspell"),
    "MeCab": ("猫\t名詞,一般,*,*,*,*,猫,ネコ,ネコ\nEOS\n", "features of MeCab"),
    "messages": ("hfst-lookup: warning: slow\ncats\tcat+N\t0.0\n", "messages of a program"),
    "Flair": ('Sentence[2]: "A dog" → ["A"/DT, "dog"/NN]\n', "as Flair prints it"),
    "foma": ("##foma-net 1.0##\n##props##\n2 1 2\n", "a machine of foma: name it .foma"),
    "LOB": ("A01   2 ^ stop_VB electing_VBG\n", "lines of the LOB corpus"),
    "Wiktionary": ("English\tsaw\tNoun\t# A tool.\n", "a table of Wiktionary"),
    "NEGRA": ("%% word\t\ttag\n#BOT ORIGIN\n0\tx\n#EOT ORIGIN\n", "an export file of NEGRA"),
    "counts in columns": ("word\tcount\nsaw\t45\nthe\t3\n", "words with counts"),
    "tags behind blanks": ("the det\ndog noun\nbarks verb\n. punct\n", "columns between blanks"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_only_looks_like_running_text_is_refused(tmp_path: Path, case: str) -> None:
    """Each was cut up as English, in silence."""
    text, message = REFUSED[case]
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError, match=rf"a\.txt: .*{re.escape(message)}"):
        read_corpus(tmp_path / "a.txt")


@pytest.mark.parametrize(
    "text",
    [
        "The dog barks.\nA cat sits.\n",
        "\tThe dog barks.\n\tA cat.\n",
        "- Yes .\n- No .\n- Oh .\n- Go .\n",
        "我们 去 图书馆 。\n你 好 。\n",
        "#dog #cat #bird\n@a @b @c\n",
        "http://a.org/x http://b.org/y http://c.org/z\n",
        "10:30 11:30 12:45\n",
        "L'AMI D'HIER N'EST\n",
        "U.S. U.K. U.N.\n",
        "a < b and c > d\n",
        "dog\ncat\nbird\nfish\n",
        "3\ndog\ncat\nbird\n",
        "Google+\nC++\nA+\n",
        "page 3\nthe dog\npage 4\n",
        "Oh!\nDog?\nNo...\nYes\n",
        "e.g. i.e. etc.\n",
        "DT NN VBZ .\nPRP VBZ .\n",
        "* one item\n* two items\n* three items\n* four items\n",
        "Who ?\n. . .\nMe .\nNo !\n",
        "the dog (see Smith)\n(S)\n",
        "New_York is big\n",
    ],
)
def test_text_is_text(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    sentences = read_corpus(tmp_path / "a.txt")
    assert all(sentence.tags is None for sentence in sentences)
    assert "".join(word for sentence in sentences for word in sentence) == "".join(text.split())


def test_of_a_flow_no_line_is_waited_for() -> None:
    """What is looked into is what has come."""
    asked: list[int] = []

    def lines() -> Iterator[tuple[int, str]]:
        for number in range(1, 9):
            asked.append(number)
            yield number, f"line {number}\n"

    flow = lines()
    format, again = recognized(flow, "a")
    assert format == "plain" and asked == [1]
    again = running(again, "a", lambda: 1)
    assert asked == [1]
    assert [number for number, _ in again] == list(range(1, 9))


def test_a_dialog_in_a_script_without_blanks_is_running_text() -> None:
    assert not not_running(["“你好吗？”", "“我很好。”", "……", "他走了，没有回头。"])
    assert not_running(["他", "走", "。", "她", "来"]).startswith("a word a line")


@pytest.mark.parametrize("n", [2, 6, 12])
def test_rows_of_as_many_cells_are_a_table_however_many(n: int) -> None:
    for mark in ",;":
        assert not_running([mark.join(["a"] * n)] * 3).startswith("a table")
    assert not_running(["x" + ",y" * n, "x" + ",y" * (n + 1), "x,y"]) == ""
    columns = [" ".join(["the"] * n), " ".join(["."] * n)] * 2
    assert not_running(columns).startswith("columns between blanks")
    assert not_running([*columns, " ".join(["the"] * (n + 1))]) == ""


def test_no_pattern_of_lines_takes_forever() -> None:
    """A line that is matched in two ways doubles the time of each that follows."""
    lines = [
        *"".join(text for text, _ in REFUSED.values()).split("\n"),
        "12 34",
        "a:b:c+N",
        "x aa:bb",
    ]
    start = time.process_time()
    for line in lines:
        for last in ("\x01", "!? ~", "dog", "the dog ."):
            not_running([line] * 39 + [last])
    assert time.process_time() - start < 20
