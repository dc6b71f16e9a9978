"""A small trained model, and the program `fstce` in this process and in one of its own."""

import io
import os
import signal
import subprocess
import sys
from typing import NamedTuple

import pytest

from fstce import Tagger
from fstce.cli.main import main
from fstce.corpora import TagDictionary, sample


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def sentences():
    """A part of the sample."""
    return sample()[:60]


@pytest.fixture(scope="session")
def model(tmp_path_factory, sentences):
    """A folder with a tagger trained on it."""
    folder = tmp_path_factory.mktemp("cli") / "model"
    dictionary = TagDictionary.from_corpus(sentences)
    Tagger(order=2, max_iterations=30).fit(sentences, dictionary=dictionary).save(folder)
    return folder


@pytest.fixture(scope="session")
def tagger(model):
    return Tagger.load(model)


@pytest.fixture
def corpus(tmp_path, sentences):
    """The same sentences as a tagged file."""
    path = tmp_path / "corpus.pos"
    lines = [" ".join(f"{w}/{t}" for w, t in zip(s.words, s.tags, strict=True)) for s in sentences]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def fstce(capsys, monkeypatch):
    """The program in this process: arguments and standard input to exit code, output and errors."""

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Result(code, *capsys.readouterr())

    return run


def start(*arguments, **options):
    """The program as a process of its own, that hears Ctrl-C wherever the tests run."""
    return subprocess.Popen(
        [sys.executable, "-m", "fstce", *arguments],
        stdin=subprocess.PIPE,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "", **options.pop("env", {})},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


@pytest.fixture
def process():
    """`start`, with every process it started ended when the test is."""
    started = []

    def begin(*arguments, **options):
        started.append(start(*map(os.fspath, arguments), **options))
        return started[-1]

    yield begin
    for one in started:
        one.kill()
        one.communicate()
