"""The README's prompts and commands do what they say."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from fstce.corpora import TagDictionary, sample

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def commands():
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.S | re.M)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line.split("  #")[0] for line in lines if line.startswith("fstce ")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A user's folder: raw text, a dictionary, a gold standard, trees."""
    folder = tmp_path_factory.mktemp("readme")
    text = [sentence for sentence in sample() if len(sentence) < 12][:80]
    (folder / "my.txt").write_text("".join(f"{sentence}\n" for sentence in text), encoding="utf-8")
    TagDictionary.from_corpus(text).to_tsv(folder / "my.tsv")
    (folder / "trees.mrg").write_text("".join(f"{s.tree}\n" for s in text), encoding="utf-8")
    (folder / "gold.conllu").write_text("".join(map(conllu, text)), encoding="utf-8")
    return folder


def conllu(sentence):
    rows = enumerate(zip(sentence.words, sentence.tags, strict=True), 1)
    lines = [f"{i}\t{word}\t_\tX\t{tag}\t_\t0\troot\t_\t_" for i, (word, tag) in rows]
    return "\n".join(lines) + "\n\n"


def test_prompts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=OPTIONS)
    assert report.attempted > 20
    assert report.failed == 0


def test_the_readme_names_commands():
    assert len(commands()) >= 7


@pytest.mark.parametrize("command", [line for line in commands() if "nltk:" not in line])
def test_command(command, folder):
    program = [sys.executable, "-m", "fstce", *shlex.split(command)[1:]]
    report = subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=300)
    assert report.returncode == 0, report.stderr
