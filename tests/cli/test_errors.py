"""Bad input to every verb: exit code 2 and one line that names the place, never a traceback."""

import os
import shutil

import pytest
from patience import patience

from fstce import neighborhood
from fstce.machines.files import write_fst

BAD_TEXTS = {
    "invalid.txt": (b"it rains\nit \xff\xfe snows\n", "invalid.txt:2: byte 0xff"),
    "nul.txt": (b"it rains\nit\0 snows\n", "nul.txt:2: a NUL byte"),
    "reserved.txt": (b"it <s> rains\n", "reserved.txt:1: '<s>' is a reserved symbol"),
    "epsilon.txt": (b"it <epsilon> rains\n", "epsilon.txt:1: '<epsilon>' is a reserved symbol"),
    "broken.pos": (
        b"it/PRP rains\n",
        "broken.pos:1: the token 'rains' is not of the form word/TAG",
    ),
    "broken.mrg": (b"( (S (NN dog)\n", "broken.mrg"),
}


@pytest.mark.parametrize("name", BAD_TEXTS)
@pytest.mark.parametrize("verb", ["train", "tag", "evaluate", "info", "export"])
def test_bad_texts(refused, model, tmp_path, verb, name):
    content, message = BAD_TEXTS[name]
    path = tmp_path / name
    path.write_bytes(content)
    command = {
        "train": ["tagger", "train", path, "--dictionary", "sample", "--quiet"],
        "tag": ["tagger", "tag", "--faulty", "raise", model, path],
        "evaluate": ["tagger", "evaluate", model, path],
        "info": ["info", path],
        "export": ["tagger", "export", model, tmp_path / "machines", "--text", path],
    }
    assert message in refused(*command[verb])


@pytest.mark.parametrize("verb", ["train", "evaluate", "info", "export"])
@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_empty_files(refused, model, tmp_path, verb, content):
    path = tmp_path / "empty.txt"
    path.write_bytes(content)
    command = {
        "train": ["tagger", "train", path, "--dictionary", "sample"],
        "evaluate": ["tagger", "evaluate", model, path],
        "info": ["info", path],
        "export": ["tagger", "export", model, tmp_path / "machines", "--text", path],
    }
    assert refused(*command[verb]) == f"fstce: {path}: holds no sentence\n"


@pytest.mark.parametrize(
    "command",
    [
        ["tagger", "train", "{missing}"],
        ["tagger", "train", "sample", "--dictionary", "{missing}"],
        ["tagger", "train", "sample", "--dictionary", "{missing}.tsv"],
        ["tagger", "tag", "{missing}"],
        ["tagger", "tag", "{model}", "{missing}"],
        ["tagger", "evaluate", "{missing}", "sample"],
        ["tagger", "evaluate", "{model}", "{missing}"],
        ["machine", "draw", "{missing}.fst"],
        ["tagger", "export", "{missing}", "machines"],
        ["info", "{missing}"],
        ["info", "{missing}.fst"],
        ["info", "{missing}.far"],
    ],
)
def test_missing_paths(refused, model, tmp_path, command):
    missing = str(tmp_path / "missing")
    assert missing in refused(*(part.format(missing=missing, model=model) for part in command))


def test_bad_standard_input_is_named(refused, model):
    message = refused(
        "tagger", "tag", model, "--quiet", "--faulty", "raise", stdin=b"it rains\nit \xff snows\n"
    )
    assert ":2: byte 0xff" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sigma2", "nan"], "--sigma2 nan: give a number above 0"),
        (["--sigma2", "0"], "--sigma2 0"),
        (["--sigma2", "-1"], "--sigma2 -1"),
        (["--sigma2", "one"], "--sigma2 one"),
        (["--tolerance", "nan"], "--tolerance nan"),
        (["--tolerance", "-1"], "--tolerance -1"),
        (["--tolerance", "x"], "--tolerance"),
        (["--order", "4"], "--order"),
        (["--order", "two"], "--order"),
        (["--max-iterations", "0"], "--max-iterations"),
        (["--words", "0"], "--words"),
        (["--start", "cold"], "--start"),
        (["--input-format", "xml"], "'penn'"),
        (["--neighborhood", "trans2"], "did you mean 'trans1'?"),
        (["--neighbourhood", "trans2"], "did you mean 'trans1'?"),
        (["--nonsense"], "No such option: --nonsense"),
        (["surplus"], "surplus"),
    ],
)
def test_bad_options(refused, options, message):
    assert message in refused("tagger", "train", "sample", *options)


@pytest.mark.parametrize("name", ["weights.npz", "words.syms", "model.json"])
@pytest.mark.parametrize("size", [0, 100])
def test_truncated_models(refused, model, tmp_path, name, size):
    broken = tmp_path / "broken"
    shutil.copytree(model, broken)
    os.truncate(broken / name, size)
    for command in (
        ["tagger", "tag", broken],
        ["tagger", "evaluate", broken, "sample"],
        ["info", broken],
    ):
        assert str(broken / name) in refused(*command)


def test_a_model_without_its_manifest(refused, model, tmp_path):
    shutil.copytree(model, tmp_path / "broken")
    (tmp_path / "broken" / "model.json").unlink()
    for command in (["tagger", "tag", tmp_path / "broken"], ["info", tmp_path / "broken"]):
        assert "model.json: missing" in refused(*command)


@pytest.mark.parametrize("size", [3, 40, 200])
@pytest.mark.parametrize("verb", ["info", "draw"])
def test_truncated_machines(refused, tmp_path, verb, size):
    path = tmp_path / "x.fst"
    write_fst(neighborhood("trans1")(["natural", "language", "is", "fun"]).to_fst(), path)
    os.truncate(path, size)
    assert str(path) in refused("machine", verb, path)


def test_outputs_that_cannot_be_written(refused, model, tmp_path):
    (tmp_path / "file").write_text("")
    for command in (
        ["tagger", "export", model, tmp_path / "file"],
        ["quickstart", "--output", tmp_path / "file"],
        ["quickstart", "--output", tmp_path / "file" / "below"],
        ["neighborhood", "draw", "trans1", "a b", "--output", tmp_path / "file" / "x.svg"],
    ):
        assert str(tmp_path / "file") in refused(*command)


def test_a_real_process_refuses_in_one_line(process, tmp_path):
    write_fst(neighborhood("trans1")(["hello", "world"]).to_fst(), tmp_path / "cut.fst")
    os.truncate(tmp_path / "cut.fst", 200)
    for arguments in (
        (b"info", os.fsencode(tmp_path / "cut.fst")),
        (b"neighborhood", b"trans1", b"a \xff"),
    ):
        running = process(*map(os.fsdecode, arguments))
        out, err = running.communicate(timeout=patience(60))
        assert (running.returncode, out) == (2, b"")
        assert err.startswith(b"fstce: ") and err.count(b"\n") == 1


@pytest.mark.parametrize(
    ("file", "verb"),
    [
        ("t.jsonl", ("neighborhood", "pairs", "trans1", "t.jsonl", "-o", "./t.jsonl")),
        (
            "t.jsonl",
            ("neighborhood", "pairs", "trans1", "sample", "-d", "t.jsonl", "-o", "t.jsonl"),
        ),
        ("t.far", ("neighborhood", "lattice", "trans1", "--text", "t.far", "-o", "t.far")),
        ("t.txt", ("tagger", "ask", "no-model", "t.txt", "-o", "link.txt")),
    ],
)
def test_what_is_read_is_not_replaced(fstce, tmp_path, monkeypatch, file, verb):
    """Pairs and lattices took the place of their own text."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).write_text("we fish\n")
    (tmp_path / "link.txt").symlink_to(file)
    code, _, err = fstce(*verb)
    assert code == 2 and "is what is read here, and would be replaced" in err
    assert (tmp_path / file).read_text() == "we fish\n"
