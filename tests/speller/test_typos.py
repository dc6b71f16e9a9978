"""Files of typos are read as they are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.errors import CorpusError
from fstce.speller.typos import read_typos


def test_typos_are_read_as_they_are_kept(tmp_path: Path) -> None:
    (tmp_path / "typos.tsv").write_text(
        "# a comment\nteh\tthe\t#swap\nteh\tthe\nab\n\nsame\tsame\n wich\twhich \n"
    )
    assert read_typos(tmp_path / "typos.tsv") == (("teh", "the"), ("wich", "which"))
    (tmp_path / "none.tsv").write_text("# teh\tthe\n")
    with pytest.raises(CorpusError, match="holds no typo"):
        read_typos(tmp_path / "none.tsv")


def test_cells_that_a_spreadsheet_has_quoted_and_counts_before_them(tmp_path: Path) -> None:
    """The quotation marks were learned as typos, and so were counts."""
    (tmp_path / "a.tsv").write_text('"teh"\t"the"\n')
    assert read_typos(tmp_path / "a.tsv") == (("teh", "the"),)
    (tmp_path / "a.tsv").write_text("3\tteh\tthe\n5\trecieve\treceive\n")
    with pytest.raises(CorpusError, match="holds no typo; give lines of misspelling, tab"):
        read_typos(tmp_path / "a.tsv")
