"""Tab-separated tables."""

from __future__ import annotations

from fstce.corpora.tables import bundled_rows, table_rows


def test_a_hash_alone_is_data_and_a_hash_with_a_space_is_not() -> None:
    lines = ["# comment\twith tab\n", "#\tN\r\n", "  \n", "#x\tN\n"]
    assert list(table_rows(lines)) == [(2, ["#", "N"]), (4, ["#x", "N"])]


def test_an_empty_last_field_is_kept() -> None:
    assert list(table_rows(["FRAG\tright\t"])) == [(1, ["FRAG", "right", ""])]


def test_bundled_tables_have_rows_of_one_width() -> None:
    assert {len(row) for row in bundled_rows("ptb45_coarse17.tsv")} == {2}
    assert {len(row) for row in bundled_rows("collins_heads.tsv")} == {3}
