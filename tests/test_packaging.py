"""What packages are made from: the recipe for conda names what setup.cfg does."""

from __future__ import annotations

import re
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETUP = ConfigParser()
SETUP.read(ROOT / "setup.cfg", encoding="utf-8")


def requirements() -> set[str]:
    """The core dependencies with their bounds."""
    lines = SETUP["options"]["install_requires"].split("\n")
    return {line.strip() for line in lines if line.strip() and not line.startswith("#")}


def test_the_conda_recipe_is_the_package() -> None:
    recipe = (ROOT / "conda" / "meta.yaml").read_text(encoding="utf-8")
    run = recipe.partition("  run:\n")[2].partition("\n\n")[0]
    rows = {line.strip().removeprefix("- ").replace(" ", "") for line in run.splitlines()}
    assert rows == {*requirements(), f"python{SETUP['options']['python_requires']}"}
    (script,) = SETUP["options.entry_points"]["console_scripts"].split("\n")[1:]
    assert f"    - {script.strip()}\n" in recipe
    version = (ROOT / "fstce" / "version.py").read_text(encoding="utf-8")
    assert re.search(r'version = "(.+)"', recipe)[1] in version
    assert f"license: {SETUP['metadata']['license_expression']}" in recipe


def test_the_documented_environment_holds_all_that_pip_does_not_install() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    command = page.partition("conda create")[2].partition("conda activate")[0]
    assert set(re.findall(r'"(.+?)"', command)) == requirements()
    assert "pip install --no-deps dist/fstce-" in page
