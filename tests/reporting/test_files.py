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


def test_a_file_is_written_whole_or_a_parameter_is_wrong(tmp_path):
    path = write_whole(tmp_path / "a.txt", "old")
    assert path.read_text() == "old"
    for place, reason in ((tmp_path, "is a folder"), (tmp_path / "missing" / "a.txt", "there is no folder")):
        with pytest.raises(ParameterError, match=reason):
            write_whole(place, "new")
    with pytest.raises(ParameterError, match="surrogate"):
        write_whole(path, "\ud800")
    assert path.read_text() == "old"


def test_folders(tmp_path):
    folder = make_folder(tmp_path / "a" / "b")
    assert folder.is_dir()
    assert make_folder(str(folder)) == folder
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="cannot be made a folder"):
        make_folder(tmp_path / "file")
