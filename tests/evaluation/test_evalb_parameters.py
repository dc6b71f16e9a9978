"""Parameter files of EVALB."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.errors import ParameterError
from fstce.evaluation.evalb import collins, read_parameters


def written(folder: Path, text: str) -> Path:
    path = folder / "own.prm"
    path.write_text(text)
    return path


def test_collins_deletes_roots_empty_elements_and_five_tags_of_punctuation() -> None:
    assert collins().deleted == {"TOP", "ROOT", "S1", "-NONE-", ",", ":", "``", "''", "."}
    assert collins().deleted_for_length == {"-NONE-"}


def test_categories_are_without_tails_and_equals_are_one() -> None:
    names = ("NP-SBJ-1", "NP=2", "ADVP-TMP", "PRT", "-NONE-")
    assert [collins().category(name) for name in names] == ["NP", "NP", "ADVP", "ADVP", ""]


def test_a_file_in_evalb_syntax_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "## comment\nDEBUG 0\n\nMAX_ERROR 10\nLABELED 1   \nCUTOFF_LEN 70\nDELETE_LABEL ?\n"
        "DELETE_LABEL_FOR_LENGTH X\nQUOTE_LABEL POS\nEQ_LABEL A B\n"
        "# EQ_WORD  Example example\nEQ_WORD This this\n",
    )
    found = read_parameters(path)
    assert (found.deleted, found.deleted_for_length, found.quotes) == ({"?"}, {"X"}, {"POS"})
    assert (found.same_label["B"], found.same_word["this"]) == ("A", "This")


def test_equal_labels_make_classes(tmp_path: Path) -> None:
    found = read_parameters(written(tmp_path, "EQ_LABEL A B\nEQ_LABEL C D\nEQ_LABEL B C\nEQ_LABEL A A\n"))
    assert {found.category(label) for label in "ABCD"} == {"A"}
    assert found.category("E") == "E"


@pytest.mark.parametrize("line", ["DELETE_LABELS NP", "DELETE_LABEL", "EQ_LABEL A"])
def test_an_unknown_line_is_an_error_with_file_and_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(ParameterError, match=rf"own\.prm:2: '{line}'"):
        read_parameters(written(tmp_path, f"DEBUG 0\n{line}\n"))
