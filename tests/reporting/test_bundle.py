import csv

import pytest

from fstce.errors import ParameterError
from fstce.reporting.page import Page, write_report
from fstce.reporting.tables import Table


def table(name, cell=1):
    return Table(name, "A table", ["x"], [[cell]])


def titled(title, *tables):
    page = Page(title)
    for one in tables:
        page.table(one)
    return page


def test_a_report_is_a_page_and_its_parts(tmp_path, page):
    paths = write_report(tmp_path / "a" / "report", page)
    names = ["results.csv", "lines.svg", "cells.svg", "index.html"]
    assert [path.name for path in paths] == names
    assert sorted(path.name for path in (tmp_path / "a" / "report").iterdir()) == sorted(names)
    assert all(path.stat().st_size for path in paths)


def test_contents(tmp_path, page, results):
    files = {path.name: path.read_bytes() for path in write_report(tmp_path, page)}
    assert files["results.csv"] == results.to_csv().encode()
    assert files["lines.svg"] == page.pictures[0].svg.encode()
    assert files["index.html"] == page.to_html().encode()
    with (tmp_path / "results.csv").open(newline="", encoding="utf-8") as file:
        assert len(list(csv.reader(file))) == 5


def test_writing_again_replaces_and_leaves_other_files(tmp_path):
    write_report(tmp_path, titled("old", table("t", 1)))
    (tmp_path / "log.jsonl").write_text("kept")
    write_report(tmp_path, titled("new", table("t", 2)))
    assert (tmp_path / "t.csv").read_text().split() == ["x", "2"]
    assert "<title>new" in (tmp_path / "index.html").read_text()
    assert (tmp_path / "log.jsonl").read_text() == "kept"


def test_a_table_given_twice_is_written_once(tmp_path):
    paths = write_report(tmp_path, titled("T", table("t"), table("t")))
    assert [path.name for path in paths] == ["t.csv", "index.html"]


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="cannot be made a folder"):
        write_report(tmp_path / "file", Page("T"))
