"""A byte order mark, as Windows editors write it, is no part of any file of the user's."""

import pytest

from fstce.corpora.vocabulary import Vocabulary
from fstce.correction.mistakes.punctuation import read_marks
from fstce.machines import read_machine, read_symbols

READERS = {
    "lattice.att": (lambda path: str(read_machine(path)), "0 1 3 3\n1\n"),
    "words.syms": (lambda path: list(read_symbols(path)), "<eps>\t0\ndog\t1\n"),
    "marks.txt": (read_marks, ",\n.\n"),
    "counts.tsv": (lambda path: Vocabulary.read(path)["dog"], "dog\t3\ncat\t1\n"),
}


@pytest.mark.parametrize("name", READERS)
def test_a_byte_order_mark_changes_nothing(name, tmp_path):
    read, text = READERS[name]
    results = []
    for mark in ("", "\ufeff"):
        (tmp_path / name).write_text(mark + text, encoding="utf-8")
        results.append(read(tmp_path / name))
    assert results[0] == results[1]
