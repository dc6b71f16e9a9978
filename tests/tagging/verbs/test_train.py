"""`fstce tagger train`."""

import re
import signal

import numpy as np
import pytest
from patience import patience

from fstce import TagDictionary, Tagger

QUICK = ("--order", "2", "--max-iterations", "3", "--jobs", "1")


def field(out, name):
    return next(
        line.split(maxsplit=len(name.split()))[-1]
        for line in out.splitlines()
        if line.startswith(name)
    )


def test_the_model_is_what_the_library_trains(fstce, corpus, sentences, tmp_path):
    options = (
        "--order",
        "2",
        "--sigma2",
        "0.5",
        "--neighborhood",
        "DEL1WORD",
        "--max-iterations",
        "4",
    )
    assert fstce("tagger", "train", corpus, *options, "--output", tmp_path / "m").code == 0
    found = Tagger.load(tmp_path / "m")
    own = Tagger("del1word", order=2, sigma2=0.5, max_iterations=4)
    own.fit(sentences, dictionary=TagDictionary.from_corpus(sentences))
    assert np.array_equal(found.theta_, own.theta_)
    assert found.predict(sentences) == own.predict(sentences)


def test_the_report(fstce, corpus, sentences, tmp_path):
    code, out, err = fstce("tagger", "train", corpus, *QUICK, "--output", tmp_path / "m")
    tagger = Tagger.load(tmp_path / "m")
    words = sum(map(len, sentences))
    assert code == 0
    assert field(out, "corpus").startswith(f"60 sentences, {words} words")
    assert field(out, "ambiguity") == f"{tagger.dictionary_.ambiguity(sentences):.2f} tags a word"
    assert re.fullmatch(r"180 with [\d,]+ states and [\d,]+ arcs", field(out, "automata"))
    assert re.search(r"[\d.]+ s to build the automata, [\d.]+ s to train", field(out, "time"))
    assert field(out, "iterations") == "11 (iteration limit)"  # three trainings of three, from 0
    assert (
        field(out, "objective")
        == f"contrastive {tagger.training_.objective:,.2f} nats with the prior"
    )
    assert field(out, "saved in") == str(tmp_path / "m")
    assert f"no --dictionary: it is read off the tags of {corpus}" in err
    assert "iteration   0  objective" in err
    assert "were used for the dictionary and these scores and nothing else" in err


def test_accuracies_of_a_tagged_corpus(fstce, corpus, sentences, tmp_path):
    out = fstce("tagger", "train", corpus, *QUICK, "--output", tmp_path / "m").out
    tagger = Tagger.load(tmp_path / "m")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
    gold = [sentence.tags for sentence in sentences]
    assert rows["trained"][1] == f"{100 * tagger.score(sentences, gold):.1f}"
    assert set(rows) >= {"random", "untrained"}


def test_options_reach_the_model(fstce, corpus, tmp_path):
    options = (
        "--sigma2",
        "none",
        "--spelling",
        "--start",
        "random",
        "--seed",
        "7",
        "--tolerance",
        "0.01",
    )
    assert fstce("tagger", "train", corpus, *QUICK, *options, "-q", "-o", tmp_path / "m").code == 0
    found = Tagger.load(tmp_path / "m")
    wanted = {
        "sigma2": None,
        "spelling": True,
        "start": "random",
        "seed": 7,
        "tolerance": 0.01,
        "order": 2,
    }
    assert {name: found.get_params()[name] for name in wanted} == wanted
    assert "spelling" in {name[0] for name in found.features_.names}


def test_tags_outside_the_dictionary_prevent_only_the_accuracy(fstce, corpus, tmp_path, sentences):
    (tmp_path / "d.tsv").write_text("Clara\tNNP NN\nthe\tNN\n.\tNN\n")
    code, out, err = fstce(
        "tagger", "train", corpus, *QUICK, "-d", tmp_path / "d.tsv", "-o", tmp_path / "m"
    )
    assert code == 0 and (tmp_path / "m").is_dir()
    assert "untrained" not in out
    assert f"no accuracy: {corpus}:1: " in err


def test_an_output_that_cannot_be_written_is_found_before_training(
    fstce, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(Tagger, "compile", lambda *_, **__: pytest.fail("training began"))
    (tmp_path / "file").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("")
    for name, message in (
        ("file", "is a file; name a folder"),
        ("full", "holds 'thesis.txt' and no fstce model"),
        ("missing/model", "there is no folder"),
        ("file/model", "there is no folder"),
    ):
        code, out, err = fstce("tagger", "train", corpus, "--output", tmp_path / name)
        assert (code, out) == (2, "")
        assert message in err and len(err.splitlines()) == 1


def test_a_read_only_place_is_found_before_training(fstce, corpus, tmp_path, monkeypatch):
    def refuse(self, *_, **__):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    code, _, err = fstce("tagger", "train", corpus, "--output", tmp_path / "m")
    assert code == 2
    assert (
        err
        == f"fstce: {tmp_path / 'm'}: cannot be saved (Permission denied); choose another folder\n"
    )


def test_ctrl_c_saves_the_best_weights_so_far(process, tmp_path):
    command = (
        "--sigma2",
        "1000",
        "--tolerance",
        "0",
        "--max-iterations",
        "100000",
        "--words",
        "3000",
        "-n",
        "trans1",
    )
    training = process("tagger", "train", "sample", *command, "-o", tmp_path / "m")
    lines = iter(training.stderr.readline, b"")
    assert any(line.startswith(b"iteration  10") for line in lines)
    training.send_signal(signal.SIGINT)
    _, err = training.communicate(timeout=patience(60))
    last = err.decode().splitlines()[-1]
    assert training.returncode == 130
    assert re.fullmatch(
        rf"fstce: interrupted after \d+ iterations; the best weights so far are saved in {tmp_path / 'm'}"
        r"; go on with: fstce tagger train sample .* --resume",
        last,
    )
    assert b"Traceback" not in err
    assert Tagger.load(tmp_path / "m").training_.stopped == "interrupted"


def test_ctrl_c_without_an_output(fstce, corpus, monkeypatch):
    def interrupt(self, step):
        if step.iteration == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("fstce.console.progress.TrainingShown.__call__", interrupt)
    code, _, err = fstce("tagger", "train", corpus, "--order", "2", "--jobs", "1")
    assert code == 130
    assert (
        err.splitlines()[-1]
        == "fstce: interrupted after 2 iterations; nothing is saved, as no --output was given"
    )


def test_ctrl_c_before_training(fstce, corpus, tmp_path, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(Tagger, "compile", interrupt)
    code, _, err = fstce("tagger", "train", corpus, "-o", tmp_path / "m")
    assert code == 130 and not (tmp_path / "m").exists()
    assert (
        err.splitlines()[-1]
        == "fstce: interrupted before the end of the first iteration; nothing is saved"
    )


def test_what_auto_stands_for_is_told(fstce, tmp_path):
    text, dictionary = tmp_path / "text.txt", tmp_path / "words.tsv"
    text.write_text("the cat saw a dog\n")
    dictionary.write_text("the\tD\ncat\tN\nsaw\tV N\na\tD\n")
    arguments = ("tagger", "train", text, "-d", dictionary, "--max-iterations", 1)
    assert (
        "auto: contrasted with sub1band and trans1, averaged with an HMM\n" in fstce(*arguments).err
    )
    assert (
        "auto: contrasted with sub1band and trans1\n" in fstce(*arguments, "--features", "form").err
    )
    assert "auto:" not in fstce(*arguments, "--neighborhood", "del1word").err

    dictionary.write_text("cat\tN\nsaw\tV N\n")
    assert (
        "averaged with an HMM, which counts half, since less than half of the text is listed\n"
        in fstce(*arguments).err
    )


@pytest.mark.parametrize("group", [("tagger",), ("parser", "--criterion", "contrastive")])
def test_nothing_is_learnt_where_nothing_is_exchanged(fstce, tmp_path, group):
    """In silence it converged after no iteration, and saved what it had not learned."""
    name, *options = group
    neighborhood = ("--neighborhood", "trans1 & del1word", "--output", tmp_path / "model")
    code, _, err = fstce(name, "train", "sample", *options, *neighborhood)
    assert code == 2
    assert (
        "sample: nothing to learn: what each sentence is contrasted with is the sentence alone"
        in err
    )
    assert not (tmp_path / "model").exists()


def test_what_is_no_size_is_refused_before_anything_is_read(fstce):
    code, _, err = fstce("tagger", "train", "none.txt", "--memory", "2X")
    assert code == 2 and "memory='2X': give a size" in err
