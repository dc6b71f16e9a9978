"""`fstce neighborhood new`: what it writes works, is a house file, and overwrites nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fstce import neighborhood
from fstce.cli.neighborhood.new import new
from fstce.errors import ParameterError

RUFF = Path(__file__).parents[3] / "ruff.toml"


def test_the_skeleton_is_a_neighbourhood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new("mine", tmp_path / "new")
    printed = capsys.readouterr()
    assert printed.out.split() == [
        str(tmp_path / "new" / name) for name in ("mine.py", "test_mine.py")
    ]
    assert str(tmp_path / "new" / "mine.py") in printed.err
    kind = neighborhood(str(tmp_path / "new" / "mine.py"))
    assert kind.equivariant
    words = ["a", "delicate", "thing"]
    assert set(kind(words).strings()) == set(neighborhood("del1word")(words).strings())


def test_its_test_passes_and_notices_another_machine(tmp_path: Path) -> None:
    new("mine", tmp_path)
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    passed = subprocess.run(pytest_, cwd=tmp_path, capture_output=True, text=True, env=bare)
    assert passed.returncode == 0, passed.stdout
    machine = tmp_path / "mine.py"
    machine.write_text(machine.read_text().replace("closure(deletion, 0, 1)", "closure(deletion)"))
    failed = subprocess.run(pytest_, cwd=tmp_path, capture_output=True, text=True, env=bare)
    assert failed.returncode == 1


def test_both_files_keep_the_house_style(tmp_path: Path) -> None:
    new("mine", tmp_path)
    for command in (["check", "--ignore", "D1"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--config", str(RUFF), str(tmp_path)]
        report = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True)
        assert report.returncode == 0, report.stdout


@pytest.mark.parametrize("there", ["mine.py", "test_mine.py"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).write_text("mine")
    with pytest.raises(ParameterError, match=rf"{there}: is there already"):
        new("mine", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "mine"


@pytest.mark.parametrize("name", ["two words", "my-machine", "class", "9lives", "../up", ""])
def test_a_name_that_is_no_module_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ParameterError, match="cannot be the name of a module"):
        new(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_shipped_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="fstce itself has a neighborhood 'trans1'"):
        new("Trans1", tmp_path)
