"""Files of other programs, which are no corpus: what they are, and what to do about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from fstce.errors import CorpusError

# What files begin with that hold no text as it is, and what to do about them.
_NO_TEXT: dict[bytes, str] = {
    b"%PDF-": "a PDF document: take its text out (pdftotext)",
    b"{\\rtf": "a document in rich text (RTF): save it as plain text in UTF-8 (.txt)",
    b"%!PS": "a document in PostScript: take its text out (ps2txt)",
    b"PK\x03\x04": "a document of an office program (.docx, .odt, .xlsx, .epub) or a zip archive: "
    "save a document as plain text in UTF-8 (.txt), a spreadsheet as .csv; name an archive .zip",
    b"\xd0\xcf\x11\xe0": "a document of an office program: save it as plain text in UTF-8 (.txt), "
    "a spreadsheet as .csv",
    b"HFST\0": "a machine of HFST: name it .hfst, as a --dictionary; as a list, print its words "
    "(hfst-fst2strings)",
    b"\xd6\xfd\xb2\x7e": "a machine of OpenFst: name it .fst",
    b"LTTB": "a machine of lttoolbox: print it (lt-expand of its source, or lt-print)",
    b"SQLite format 3": "a database: export its table as .csv",
    b"PAR1": "a table of Parquet: export it as .csv",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"7z\xbc\xaf\x27\x1c": "an archive of 7-Zip: unpack it",
    b"\x28\xb5\x2f\xfd": "compressed by Zstandard: unpack it, or compress it with xz",
}
# What texts of other programs are, with what to do about them, and a line with which they begin.
_FOREIGN: dict[str, str] = {
    "no text, but a document in XML or HTML: save its text alone, as .txt": (
        r"(?i)\s*<(?:\?xml|!doctype|html|tei|svg|\w+[^>]*\sxmlns)\b"
    ),
    "subtitles: take their text out, without numbers and times": r"WEBVTT\b|[\d:,.]+ --> [\d:,.]+",
    "an export file of NEGRA: convert it to brackets (.mrg) or to CoNLL-U": r"#FORMAT \d|#BO[ST]\b",
    "marked lines of Toolbox or USFM: take the words of one marker out, as of \\tx: "
    "sed -n 's/^.tx //p'": r"\\(?:_sh|ref|id|tx|lx|t)\b",
    "a TextGrid of Praat: save the text of a tier alone, as .txt": r'File type = "ooTextFile',
    "readings in lines of CG-3 (niceline): convert them (cg-conv --in-niceline)": (
        r"\S+\t\[[^\]\t]+\](?: \S+)+"
    ),
    "annotations of brat, which belong to a text: give that (.txt)": r"T\d+\t\S+ \d+ \d+[\t;]",
    "a table of UniMorph (lemma, form, features): no corpus, but a dictionary (--dictionary)": (
        r"[^\t]+\t[^\t]+\t[A-Z][A-Z0-9.]*;[A-Z0-9.;+/{},-]+(?:\t[^\t]*)?\s*$"
    ),
    "columns of CoNLL-2008 or 2009, more than ten: convert them to CoNLL-U": r"1(?:\t[^\t]*){10,}$",
    "columns of CoNLL-2012: convert them to CoNLL-U, or its trees to brackets (.mrg)": (
        r"#begin document\b"
    ),
    "a source of lexc: compile it (hfst-lexc), and give the machine": (
        r"Multichar_Symbols\b|LEXICON \S+\s*$"
    ),
    "a value of Python: write its words as JSON, or a word, tab and tag a line": (
        r"""\s*(?:\[*\(\s*(['"]).*?\1, ['"]|[\[{]\s*'[^']*'\s*[,:])"""
    ),
    "a tree in square brackets: write round ones (tr '[]' '()')": r"\s*\[[A-Z]+\S* \[[A-Z]",
    "a document in LaTeX: take its text out (detex)": r"\\(?:documentclass|usepackage|begin)\b",
    "a catalog of gettext: take its texts out (po2txt)": r'msg(?:id|ctxt) "',
    "graphs of meanings (AMR): take the sentences out (sed -n 's/^# ::snt //p')": r"\(\w+ / \w",
    "a transcript in CHAT: take the speakers' lines out (flo, of CLAN)": r"@(?:UTF8|Begin|Font)\b",
}
_MARKED_UP = re.compile(r"<(\w+)(?:\s[^<>]*)?>.*</\1\s*>|<\w+ [\w:-]+=[\"'\w]|<\w [A-Z]")
# A word, a mark and a tag, or a mark in its place; closing brackets belong to the tag.
_JOINED = re.compile(r"\S+?([^\w\s'’]|_)(?:([^\W\d_][\w$<>|:+-]*[\])>}]?)|[^\w\s]+)")
_NEVER_INSIDE = "#~^@|_<([{*\\"  # of words, so that a tag in small letters tells as well
_BULLETS = "-–—*•"
_SENTENCE = re.compile(r"\s*\S*\w[?!。？！…][”»」』\"']?\s*")  # as of a script without blanks
FIRST = 5  # rows, of which each word tells
LONGEST = 200  # letters of a word joined to a tag
_MANY = 4  # rows, of which one begins with a mark


def check_is_text(start: bytes, name: str) -> None:
    """Raise CorpusError if a file's first line is that of a known form of file that is no text.

    Or of a text whose lines end as on old Macs: it would be one line.
    """
    if b"\r" in start.rstrip(b"\r\n") and not start.endswith(b"\n"):
        raise CorpusError(f"{name}: line ends of old Macs: convert them (tr '\\r' '\\n')")
    for magic, advice in _NO_TEXT.items():
        if start.startswith(magic):
            raise CorpusError(f"{name}: no text, but {advice}")


def known_text(lines: Sequence[str]) -> str:
    """The advice for first lines of another program's text; nothing for others."""
    for advice, beginning in _FOREIGN.items():
        if any(re.match(beginning, line) for line in lines):
            return advice
    return ""


def not_running(rows: Sequence[str]) -> str:
    """The advice for rows that only look like running text; nothing for text.

    >>> not_running(["the#DT dog#NN barks#VBZ"])
    "words joined to their tags, as 'the#DT': put a slash between them (the/DT)"
    >>> not_running(["the dog barks ."])
    ''
    """
    if any(map(_MARKED_UP.search, rows[:FIRST])):
        return "marks of XML or HTML in the text: take them out (sed 's/<[^>]*>//g')"
    if _are_cells(rows):
        return "a table: name its columns in a first line (word, tag; or sentence)"
    tokens = " ".join(rows[:FIRST]).split()
    if _are_joined(tokens):
        return f"words joined to their tags, as {tokens[0]!r}: put a slash between them (the/DT)"

    widths = {len(row.split()) for row in rows}
    beginnings = [row.split()[0] for row in rows]
    marks = [
        word for word in beginnings if not any(map(str.isalnum, word)) and word not in _BULLETS
    ]
    if len(rows) < _MANY or len(widths) > 1 or not 0 < len(marks) < len(rows):
        return ""
    if any(map(_SENTENCE.fullmatch, rows)):
        return ""
    if widths == {1}:
        return "a word a line: join those of a sentence (awk 'BEGIN{RS=\"\"}{$1=$1}1')"
    return "columns between blanks: put tabs there (tr -s ' ' '\\t')"


def _are_joined(tokens: Sequence[str]) -> bool:
    """Whether almost all tokens are a word and a tag with one mark between them."""
    matches = [match for token in tokens if (match := _JOINED.fullmatch(token[:LONGEST]))]
    ((mark, n),) = Counter(match[1] for match in matches).most_common(1) or [("", 0)]
    tags = [match[2] for match in matches if match[1] == mark and match[2]]
    is_sure = mark in _NEVER_INSIDE or all(map(str.isupper, tags))
    return len(tokens) > 2 and n >= 0.9 * len(tokens) and len(tags) > 1 and is_sure


def _are_cells(rows: Sequence[str]) -> bool:
    """Whether all rows have tabs or bars between them, or are each a stretch with commas."""
    is_stretch = len(rows) > 2 and " " not in "".join(rows)
    for mark in "\t|,;":
        numbers = {row.count(mark) for row in rows}
        if 0 not in numbers and (mark in "\t|" or (is_stretch and len(numbers) == 1)):
            return len(rows) > 1
    return False
