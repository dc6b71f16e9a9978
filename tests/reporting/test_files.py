from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.errors import ParameterError
from fstce.reporting.files import check_name, make_folder, slug, write_whole


@given(st.text())
def test_a_slug_is_a_name(text):
    check_name(slug(text), "table")


@pytest.mark.parametrize("name", ["", "a/b", "../a", ".hidden", "a b", "ä", "a\n", "x" * 101, None])
def test_bad_names_are_refused(name):
    with pytest.raises(ParameterError, match=r"picture .*its files take this name"):
        check_name(name, "picture")


def test_text_keeps_its_line_ends_and_is_utf8(tmp_path):
    path = write_whole(tmp_path / "a.csv", "σ\r\nb\n")
    assert path.read_bytes() == b"\xcf\x83\r\nb\n"


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "a.txt"
    write_whole(path, "old")
    write_whole(path, b"new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    path = write_whole(tmp_path / "a.txt", "old")
    with pytest.raises(ParameterError, match="surrogate"):
        write_whole(path, "new \ud800")
    with pytest.raises(ParameterError, match=r"cannot be written .*name too long"):
        write_whole(tmp_path / ("a" * 300), "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_moved_leaves_nothing(tmp_path, monkeypatch):
    def fail(self, target):
        assert self.read_text() == "new"
        raise OSError(28, "No space left on device")

    path = write_whole(tmp_path / "a.txt", "old")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ParameterError, match=r"No space left on device.*choose another folder"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_bad_places_are_named(tmp_path):
    with pytest.raises(ParameterError, match="is a folder"):
        write_whole(tmp_path, "a")
    with pytest.raises(ParameterError, match="there is no folder"):
        write_whole(tmp_path / "missing" / "a.txt", "a")


def test_folders(tmp_path):
    folder = make_folder(tmp_path / "a" / "b")
    assert folder.is_dir()
    assert make_folder(str(folder)) == folder
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="cannot be made a folder"):
        make_folder(tmp_path / "file")
