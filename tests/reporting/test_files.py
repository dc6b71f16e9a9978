import pytest

from fstce.errors import ParameterError
from fstce.reporting.page import Page, make_folder


def test_a_file_is_written_whole_or_a_parameter_is_wrong(tmp_path):
    path = Page("old").write(tmp_path / "a.html")
    before = path.read_text(encoding="utf-8")
    for place, reason in (
        (tmp_path, "is a folder"),
        (tmp_path / "missing" / "a.html", "there is no folder"),
    ):
        with pytest.raises(ParameterError, match=reason):
            Page("new").write(place)
    assert path.read_text(encoding="utf-8") == before


def test_folders(tmp_path):
    folder = make_folder(tmp_path / "a" / "b")
    assert folder.is_dir()
    assert make_folder(str(folder)) == folder
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="cannot be made a folder"):
        make_folder(tmp_path / "file")
