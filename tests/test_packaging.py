"""How packages are made: conda's recipe, a release and its bill of materials, the public API."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest
from patience import patience

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


@pytest.mark.lint
def test_no_public_name_or_parameter_goes_in_silence() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "public_api.py"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a release; the program ends badly unless two builds of them are equal."""
    folder = tmp_path_factory.mktemp("release")
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "release.py", folder],
        capture_output=True,
        text=True,
        timeout=patience(900),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 2
    return folder


@pytest.mark.lint
def test_a_release_is_built_twice_alike_and_says_what_it_needs(release: Path) -> None:
    (wheel,), (sdist,) = release.glob("*.whl"), release.glob("*.tar.gz")
    bill = json.loads(next(release.glob("*.cdx.json")).read_text(encoding="utf-8"))
    component = bill["metadata"]["component"]
    listed = {file["name"]: file["hashes"][0]["content"] for file in component["components"]}
    assert listed == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (wheel, sdist)
    }
    required = {
        one["name"] + "".join(sorted(one["properties"][0]["value"].split(","), reverse=True))
        for one in bill["components"]
        if one["scope"] == "required"
    }
    assert required == {
        re.match(r"[\w-]+", line)[0]
        + "".join(sorted(re.sub(r"^[\w-]+", "", line).split(","), reverse=True))
        for line in requirements()
    }
    references = [one["bom-ref"] for one in bill["components"]]
    assert set(bill["dependencies"][0]["dependsOn"]) <= set(references)
    assert component["licenses"] == [{"license": {"id": SETUP["metadata"]["license_expression"]}}]


@pytest.mark.lint
def test_what_an_index_shows_leads_into_the_repository(release: Path) -> None:
    with zipfile.ZipFile(next(release.glob("*.whl"))) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        text = archive.read(name).decode("utf-8")
    head, _, readme = text.partition("\n\n")
    home = re.search(r"^Project-URL: Source, (.+)$", head, re.M)[1]
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", readme)
    assert links and all(link.startswith(("https://", "#")) for _, link in links)
    pictures = [link for picture, link in links if picture]
    assert pictures and all(link.startswith(f"{home}/raw/v") for link in pictures)
    for link in [link for _, link in links if link.startswith(home)]:
        path = link.removeprefix(home).split("/", 3)[3].partition("#")[0]
        assert (ROOT / path).exists(), link


def test_another_repository_publishes_nothing(tmp_path: Path) -> None:
    command = [
        sys.executable,
        ROOT / ".ci" / "release.py",
        tmp_path,
        "--repository",
        "someone/else",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "this is someone/else" in done.stderr
    assert not list(tmp_path.iterdir())


def test_all_addresses_are_of_one_repository() -> None:
    rows = [
        line.partition("=")[2].strip()
        for line in SETUP["metadata"]["project_urls"].splitlines()
        if line
    ]
    assert len({"/".join(url.split("/")[:5]) for url in rows}) == 1


def test_the_workflow_runs_what_there_is() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    for path in re.findall(r"\.ci/[\w.]+", workflow):
        assert (ROOT / path).exists(), path
    assert "id-token: write" in workflow and "password" not in workflow.partition("name:")[2]


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda p: p.name
)
def test_actions_are_commits_and_each_job_says_what_it_may(path: Path) -> None:
    """A tag of an action can be moved to other code; without permissions a job has the platform's."""
    workflow = path.read_text(encoding="utf-8")
    actions = re.findall(r"uses: (\S+)(.*)", workflow)
    assert actions
    for action, comment in actions:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
        assert re.search(r"# v\d+\.\d+", comment), f"{action}: name the release"
    jobs = re.split(r"^  (?=\w+:$)", workflow.partition("\njobs:\n")[2], flags=re.M)[1:]
    assert jobs and all("permissions:" in job and "timeout-minutes:" in job for job in jobs)
    assert "\npermissions: {}\n" in workflow and "\nconcurrency:\n" in workflow


def test_every_python_of_the_classifiers_is_tried() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (versions,) = re.findall(r"python: \[(.*)\]", workflow)
    classified = re.findall(r"Python :: (3\.\d+)", SETUP["metadata"]["classifiers"])
    assert versions == ", ".join(f'"{version}"' for version in classified)
