"""Files of other programs are named for what they are."""

from __future__ import annotations

import io
import re
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
