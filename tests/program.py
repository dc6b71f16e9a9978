"""A small trained model, and the program `fstce` in this process and in one of its own."""

import io
import os
import signal
import subprocess
import sys
from typing import NamedTuple

import pytest
import typer
from typer.testing import CliRunner

from fstce import DependencyParser, Tagger
from fstce.cli.main import main
from fstce.console.parameters import with_options
from fstce.corpora import TagDictionary, dependency_corpus, read_corpus, sample
from fstce.errors import FstceError

TREES = """\
the/DT/2 dog/NN/3 barks/VBZ/0 ././3
a/DT/2 cat/NN/3 sleeps/VBZ/0 ././3
dogs/NNS/2 bark/VBP/0
the/DT/3 old/JJ/3 dog/NN/4 sleeps/VBZ/0 ././4
``/``/2 run/VB/0 now/RB/2 !/./2
cats/NNS/2 see/VBP/0 the/DT/5 old/JJ/5 dog/NN/2
sleep/VB/0
the/DT/3 cat/NN/4 she/PRP/0 saw/VBD/3 slept/VBD/3
it/PRP/2 costs/VBZ/0 $/$/4 10/CD/2 ././2
"""


def conllu(lines=TREES):
    """word/TAG/head sentences as CoNLL-U, with a comment, a lemma and MISC that must not be lost."""
    blocks = []
    for number, line in enumerate(lines.splitlines(), 1):
        rows = [f"# sent_id = {number}"]
        for place, token in enumerate(line.split(), 1):
            word, tag, head = token.rsplit("/", 2)
            relation = "root" if head == "0" else "punct" if tag in (".", "``") else "dep"
            rows.append(
                f"{place}\t{word}\t{word}\t_\t{tag}\tA=b\t{head}\t{relation}\t_\tN={number}"
            )
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


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
    Tagger("trans1", order=2, max_iterations=30).fit(sentences, dictionary=dictionary).save(folder)
    return folder


@pytest.fixture(scope="session")
def tagger(model):
    return Tagger.load(model)


@pytest.fixture(scope="session")
def treebank(tmp_path_factory):
    """A small treebank as a CoNLL-U file; the eighth tree is not projective."""
    path = tmp_path_factory.mktemp("treebank") / "trees.conllu"
    path.write_text(conllu(), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def prepared(treebank):
    """The same as a grammar sees it."""
    return dependency_corpus(read_corpus(treebank))


@pytest.fixture(scope="session")
def grammar(tmp_path_factory, prepared):
    """A folder with a parser trained on it."""
    folder = tmp_path_factory.mktemp("cli") / "grammar"
    DependencyParser("trans1", sigma2=1.0).fit([s.tags for s in prepared]).save(folder)
    return folder


@pytest.fixture(scope="session")
def parser(grammar):
    return DependencyParser.load(grammar)


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
        capsys.readouterr()
        data = io.BytesIO()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            patch.setattr(
                sys, "stdout", io.TextIOWrapper(data, encoding="utf-8", write_through=True)
            )
            code = main([str(argument) for argument in arguments])
            written = data.getvalue().decode("utf-8", "surrogateescape")
        printed, err = capsys.readouterr()
        return Result(code, written + printed, err)

    return run


@pytest.fixture
def alone():
    """A verb by itself: its arguments and standard input to what it says; our own errors are raised."""

    def program(verb):
        app = typer.Typer()
        app.command()(with_options(verb))

        def call(*arguments, stdin=None):
            result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
            if isinstance(result.exception, FstceError):
                raise result.exception
            return result

        return call

    return program


def _listening():
    """Signals as a terminal's child has them: shells in the background and nohup ignore some."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(*arguments, **options):
    """The program as a process of its own, that hears Ctrl-C and HUP wherever the tests run."""
    return subprocess.Popen(
        [sys.executable, "-m", "fstce", *arguments],
        stdin=subprocess.PIPE,
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "", **options.pop("env", {})},
        preexec_fn=_listening,
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


@pytest.fixture
def refused(fstce):
    """Run, and demand exit code 2 with one line on standard error; that line."""

    def run(*arguments, stdin=b""):
        code, _, err = fstce(*arguments, stdin=stdin)
        assert code == 2, err
        assert err.startswith("fstce: ") and err.count("\n") == 1, err
        return err

    return run
