"""`fstce tagger train`."""

import re
import signal

import numpy as np
import pytest
from patience import patience

from fstce import TagDictionary, Tagger
from fstce.corpora import coarse_map
from fstce.corpora.coverage import without_slips
from fstce.tagging.answers import NOISE

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


def test_a_dictionary_table_and_raw_text(fstce, tmp_path):
    (tmp_path / "d.tsv").write_text("the\tD\nsaw\tN V\ncat\tN\n")
    (tmp_path / "t.txt").write_text("the cat saw the saw\nthe saw saw the cat\n")
    code, out, err = fstce(
        "tagger",
        "train",
        tmp_path / "t.txt",
        "-d",
        tmp_path / "d.tsv",
        *QUICK,
        "-o",
        tmp_path / "m",
    )
    assert code == 0
    assert Tagger.load(tmp_path / "m").dictionary_ == TagDictionary.from_file(tmp_path / "d.tsv")
    assert "untrained" not in out and "dictionary" not in err


def test_the_dictionary_says_the_rule_for_other_words(fstce, tmp_path):
    (tmp_path / "d.tsv").write_text("# open_class\tN\nthe\tD\nsaw\tN V\n")
    (tmp_path / "t.txt").write_text("the wug\nthe saw\n")
    files = (tmp_path / "t.txt", "-d", tmp_path / "d.tsv", "-o", tmp_path / "m")
    command = ("tagger", "train", *files, *QUICK, "-q")
    assert fstce(*command) == (0, "", "")
    assert Tagger.load(tmp_path / "m").dictionary_.lookup("wug") == ("N",)


def test_dilution(fstce, corpus, sentences, tmp_path):
    assert (
        fstce("tagger", "train", corpus, *QUICK, "--min-count", 3, "-q", "-o", tmp_path / "m").code
        == 0
    )
    known = Tagger.load(tmp_path / "m").dictionary_
    assert known == TagDictionary.from_corpus(sentences, min_count=3)
    assert known.unseen == "all"


def test_a_dictionary_from_another_corpus(fstce, corpus, sentences, tmp_path):
    (tmp_path / "t.txt").write_text("\n".join(map(str, sentences[:5])))
    assert (
        fstce(
            "tagger", "train", tmp_path / "t.txt", "-d", corpus, *QUICK, "-q", "-o", tmp_path / "m"
        ).code
        == 0
    )
    learned = Tagger.load(tmp_path / "m").dictionary_
    assert learned == without_slips(TagDictionary.from_corpus(sentences, counts=True), NOISE)
    assert learned.counts


def test_coarse_tags(fstce, corpus, tmp_path):
    assert (
        fstce("tagger", "train", corpus, *QUICK, "--coarse", "-q", "-o", tmp_path / "m").code == 0
    )
    assert set(Tagger.load(tmp_path / "m").tags_) <= set(coarse_map().values())


def test_the_first_words(fstce, corpus, sentences, tmp_path):
    out = fstce("tagger", "train", corpus, *QUICK, "--words", len(sentences[0]) + 1).out
    assert field(out, "corpus").startswith("2 sentences")
    assert field(out, "saved in") == "nowhere; give --output FOLDER"


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


def test_an_analyser_is_a_dictionary(fstce, tmp_path):
    """As foma writes AT&T text: analyses above, words below."""
    arcs = "0\t1\t@0@\td\n1\t2\t+D\t@0@\n0\t3\tc\tc\n3\t2\t+N\t@0@\n2\n"
    (tmp_path / "x.att").write_text(arcs)
    (tmp_path / "t.txt").write_text("d c\nd c\n")
    for place, tags in ((tmp_path / "x.att", {"D", "N"}), (f"{tmp_path}/x.att:\\+.", {"+D", "+N"})):
        code, _, err = fstce(
            "tagger", "train", tmp_path / "t.txt", "-d", place, "-o", tmp_path / "m"
        )
        assert code == 0, err
        assert set(Tagger.load(tmp_path / "m").tags_) == tags


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


def test_a_dictionary_as_features_constrains_nothing(fstce, tmp_path):
    (tmp_path / "few.pos").write_text("the/D dog/N runs/V\na/D cat/N sees/V\n" * 2)
    (tmp_path / "d.tsv").write_text("the\tX\na\tX\ndog\tY\nfox\tY\ncat\tY\nruns\tY Z\nsees\tZ\n")
    options = ("-d", tmp_path / "d.tsv", "--dictionary-as", "features", "-o", tmp_path / "m")
    done = fstce("tagger", "train", tmp_path / "few.pos", "-c", "conditional", *options)
    assert done.code == 0 and "constrain nothing" in done.err
    tagger = Tagger.load(tmp_path / "m")
    assert tagger.tags_ == ("D", "N", "V")
    assert tagger.predict([["the", "fox", "runs"]]) == [["D", "N", "V"]]

    shown = fstce("info", tmp_path / "m").out
    assert "gazetteer           {" in shown and max(map(len, shown.splitlines())) < 100

    for criterion in ("contrastive", "joint"):
        chosen = ("-c", criterion, *options)
        refused = fstce("tagger", "train", tmp_path / "few.pos", *chosen)
        assert refused.code == 2 and "a supervised criterion learns them" in refused.err


def test_what_is_no_size_is_refused_before_anything_is_read(fstce):
    code, _, err = fstce("tagger", "train", "none.txt", "--memory", "2X")
    assert code == 2 and "memory='2X': give a size" in err
