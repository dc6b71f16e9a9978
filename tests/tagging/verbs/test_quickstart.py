"""`fstce quickstart`, once, from start to end."""

import shutil

import pytest

from fstce import Tagger
from fstce.corpora import sample
from fstce.machines.files import read_fst


@pytest.fixture(scope="module")
def quickstart(tmp_path_factory):
    import contextlib
    import io

    from fstce.cli.main import main

    folder = tmp_path_factory.mktemp("quickstart") / "new" / "place"
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["quickstart", "--output", str(folder)])
    return code, out.getvalue(), folder


def test_it_ends_well_with_three_commands(quickstart):
    code, out, folder = quickstart
    assert code == 0
    commands = out.partition("Next:\n")[2].splitlines()
    assert len(commands) == 3 and all("fstce " in line for line in commands)
    assert f"fstce info {folder / 'model'}" in commands[1]


def test_training_beats_chance_and_untrained_weights(quickstart):
    rows = {line.split()[0]: line.split()[1:] for line in quickstart[1].splitlines() if line}
    ambiguous = {name: float(rows[name][0]) for name in ("random", "untrained", "trained")}
    assert ambiguous["random"] < ambiguous["untrained"] < ambiguous["trained"]
    assert "trained and scored on the same raw text" in quickstart[1]


def test_ten_sentences_with_their_errors_marked(quickstart):
    _, out, folder = quickstart
    shown = out.partition("[gold]:\n")[2].partition("\n\n")[0].splitlines()
    corpus, tagger = sample(), Tagger.load(folder / "model")
    chosen = [
        s for line in shown for s in corpus if s.words == tuple(_word(t) for t in line.split())
    ]
    wrong = [
        found != gold
        for s, tags in zip(chosen, tagger.predict(chosen), strict=True)
        for found, gold in zip(tags, s.tags, strict=True)
    ]
    assert len(shown) == len(chosen) == 10
    assert [token.endswith("]") for line in shown for token in line.split()] == wrong


def test_files_are_written(quickstart):
    folder = quickstart[2]
    assert sorted(path.name for path in folder.iterdir()) == [
        "lattice.dot",
        "lattice.fst",
        "lattice.svg",
        "model",
    ]
    assert read_fst(folder / "lattice.fst").num_states() > 0
    assert "delicate" in (folder / "lattice.svg").read_text(encoding="utf-8")


def _word(token):
    return token.rpartition("/")[0]


@pytest.mark.parametrize("name", ["lattice.svg", "lattice.dot", "lattice.fst"])
@pytest.mark.parametrize("has_model", [False, True])
def test_a_file_of_the_user_is_not_replaced(fstce, quickstart, tmp_path, name, has_model):
    """It was, after the training; and again where a model stands next to it."""
    if has_model:
        shutil.copytree(quickstart[2] / "model", tmp_path / "model")
    (tmp_path / name).write_text("my own work")
    before = sorted(path.name for path in tmp_path.iterdir())
    code, out, err = fstce("quickstart", "--output", tmp_path)
    assert (code, out) == (2, "") and f"{name}: is not what quickstart draws" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / name).read_text() == "my own work"
