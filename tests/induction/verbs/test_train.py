"""`fstce induction train`, and `parse` with what it learned."""

import contextlib
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from patience import patience

from fstce.corpora import iter_corpus, parse_tree
from fstce.errors import ModelFileError
from fstce.induction.inducer import DirectedAlignment
from fstce.induction.learner import Induction

TEXT = (
    "the dog of the man sleeps .\nthe cat of the girl sleeps .\nwe saw the old dog of the man .\n"
)
SMALL = ("--context-fraction", "0.2")


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def induced(fstce, text, tmp_path):
    assert fstce("induction", "train", text, *SMALL, "-q", "-o", tmp_path / "m") == (0, "", "")
    return tmp_path / "m"


def own(**parameters):
    rows = [line.split() for line in TEXT.splitlines()]
    return DirectedAlignment(**{"context_fraction": 0.2, **parameters}).fit(rows)


def field(out, name):
    return next(
        line.removeprefix(name).strip() for line in out.splitlines() if line.startswith(f"{name} ")
    )


def test_the_model_is_what_the_library_learns(induced):
    loaded = DirectedAlignment.load(induced)
    assert loaded.get_params() == own().get_params()
    assert str(loaded.grammar_) == str(own().grammar_)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (["--system", "da"], {"system": "da"}),
        (["-s", "da-cluster"], {"system": "da-cluster"}),
        (["--iterations", "1"], {"iterations": 1}),
        (["--punctuation", "none"], {"punctuation": "none"}),
        (["--punctuation", "{marks}"], {"punctuation": ("!", "sleeps")}),
        (["--no-refresh"], {"refresh": False}),
        (["--max-length", "2", "--min-count", "1"], {"max_length": 2, "min_count": 1}),
    ],
)
def test_options_reach_the_inducer(fstce, text, tmp_path, options, wanted):
    (tmp_path / "marks.txt").write_text("sleeps\n! !\n", encoding="utf-8")
    given = [option.format(marks=tmp_path / "marks.txt") for option in options]
    assert fstce("induction", "train", text, *SMALL, "-q", "-o", tmp_path / "m", *given).code == 0
    loaded = DirectedAlignment.load(tmp_path / "m")
    assert (
        loaded.get_params() == DirectedAlignment(**{"context_fraction": 0.2, **wanted}).get_params()
    )
    assert str(loaded.grammar_) == str(own(**wanted).grammar_)


def test_the_defaults_are_the_librarys(fstce, text, tmp_path):
    fstce("induction", "train", text, "-q", "-o", tmp_path / "m")
    assert DirectedAlignment.load(tmp_path / "m").get_params() == DirectedAlignment().get_params()


def test_the_report(fstce, text):
    code, out, _ = fstce("induction", "train", text, *SMALL)
    assert code == 0
    assert field(out, "trained on") == "3 sentences, 23 words"
    assert field(out, "context units") == "2: the of"
    grammar = own().grammar_
    assert field(out, "iterations") == f"{len(grammar.steps)} (no pattern)"
    assert field(out, "size").startswith(f"{len(grammar.classes)} classes, ")
    assert field(out, "saved in") == "nowhere; give --output FOLDER"
    row = next(line for line in out.splitlines() if line.startswith("C1 "))
    assert " ".join(row.split()) == "C1 [the _] </s> 3 the girl sleeps | the man | the man sleeps"
    assert "unlabelled" not in out


def test_trees_are_not_looked_at_and_iterations_are_shown(fstce, tmp_path):
    code, out, err = fstce(
        "induction", "train", "sample", "--iterations", "60", "-o", tmp_path / "m"
    )
    assert code == 0 and "branching" not in out
    assert re.search(r"\[50/60\]  C\d+: .*\d+×  at most", err)


class TestResume:
    def test_in_parts_as_in_one(self, fstce, tmp_path):
        for folder, counts in (("parts", (10, 20, 20)), ("whole", (20,))):
            for place, count in enumerate(counts):
                resume = ["--resume"] if place else []
                options = ("--iterations", count, "-q", "-o", tmp_path / folder, *resume)
                assert fstce("induction", "train", "sample", *options).code == 0
        found = [(tmp_path / name / "grammar.npz").read_bytes() for name in ("parts", "whole")]
        assert found[0] == found[1]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--max-length", "3"], "begun with max_length=5, not 3"),
            (["--system", "da"], "begun with system='da-stop', not 'da'"),
        ],
    )
    def test_other_options(self, fstce, text, induced, options, message):
        code, _, err = fstce(
            "induction", "train", text, *SMALL, "--resume", "-o", induced, *options
        )
        assert code == 2 and f"--resume: the model in {induced}: " in err and message in err

    def test_fewer_iterations(self, fstce, text, induced):
        before = (induced / "model.json").read_bytes()
        code, out, err = fstce(
            "induction", "train", text, *SMALL, "--resume", "-o", induced, "--iterations", "2"
        )
        done = len(own().grammar_.steps)
        assert done > 2 and (code, out) == (2, "") and err.count("\n") == 1
        assert (
            f"iterations=2: this grammar was trained for {done} already; give {done} or more" in err
        )
        assert (induced / "model.json").read_bytes() == before

    def test_another_text(self, fstce, induced):
        code, _, err = fstce(
            "induction", "train", "-", *SMALL, "--resume", "-o", induced, stdin=b"another text\n"
        )
        assert code == 2 and "was begun with another text" in err

    def test_no_model(self, fstce, text, tmp_path):
        assert (
            "no such folder"
            in fstce("induction", "train", text, "--resume", "-o", tmp_path / "none").err
        )
        assert "name its folder" in fstce("induction", "train", text, "--resume").err


def test_ctrl_c_saves_what_was_learnt(process, fstce, tmp_path):
    rng = random.Random(0)
    line = " ".join(f"w{int(rng.paretovariate(0.7))}" for _ in range(60_000))
    (tmp_path / "long.txt").write_text(line + "\n", encoding="utf-8")
    begun = process(
        *("induction", "train", tmp_path / "long.txt", "--no-refresh"),
        *("--iterations", "5000", "-o", tmp_path / "m"),
    )
    while b"[50/" not in begun.stderr.readline():
        assert begun.poll() is None
    begun.send_signal(signal.SIGINT)
    _, err = begun.communicate(timeout=patience(60))
    assert begun.returncode == 130
    assert b"; go on with: fstce induction train " in err
    loaded = DirectedAlignment.load(tmp_path / "m")
    assert 50 <= len(loaded.grammar_.steps) < 5000 and loaded.stopped_ == "interrupted"
    options = ("--iterations", len(loaded.grammar_.steps) + 5, "--no-refresh", "--resume", "-q")
    # Another limit and all else as before: it goes on.
    assert (
        fstce("induction", "train", tmp_path / "long.txt", *options, "-o", tmp_path / "m").code == 0
    )
    assert (
        len(DirectedAlignment.load(tmp_path / "m").grammar_.steps) == len(loaded.grammar_.steps) + 5
    )


SAVING = """
import sys
from fstce.induction import inducer as induction_checkpoints
from fstce.cli.main import main
induction_checkpoints.PAUSE, induction_checkpoints.SHARE = 0.0, 1e9
main(sys.argv[1:])
"""


def test_killed_again_and_again_it_ends_as_if_it_had_gone_on(fstce, tmp_path):
    """Saving after every iteration, so that most of the kills hit a save."""
    options = ["sample", "--iterations", "150", "-q", "-o", str(tmp_path / "m")]
    done = [0]
    for resume in ([], ["--resume"], ["--resume"]):
        child = subprocess.Popen(
            [sys.executable, "-c", SAVING, "induction", "train", *options, *resume]
        )
        end = time.monotonic() + patience(60)
        while done[-1] == max(done[:-1], default=0) and time.monotonic() < end:
            time.sleep(0.05)
            with contextlib.suppress(ModelFileError):
                done[-1] = len(DirectedAlignment.load(tmp_path / "m").grammar_.steps)
        child.kill()
        assert child.wait() == -signal.SIGKILL
        done.append(done[-1])
    assert done[0] < done[1] < done[2] < 150
    assert fstce("induction", "train", *options, "--resume").code == 0
    assert fstce("induction", "train", *options[:-1], tmp_path / "whole").code == 0
    found = [
        {file.name: file.read_bytes() for file in (tmp_path / n).iterdir()} for n in ("m", "whole")
    ]
    assert found[0] == found[1]


class TestBadInput:
    @pytest.mark.parametrize(
        ("stdin", "message"),
        [
            (b"", "holds no sentence"),
            (b"\n\n", "holds no sentence"),
            (b". ,\n!\n", "nothing but punctuation in 2 sentences"),
            (b"the <s> dog\n", "reserved symbol"),
            (b"\xff\xfe\n", "utf-8"),
        ],
    )
    def test_texts(self, fstce, tmp_path, stdin, message):
        code, _, err = fstce("induction", "train", "-", "-o", tmp_path / "m", stdin=stdin)
        assert code == 2 and err.count("\n") == 1
        assert message in err
        assert not (tmp_path / "m").exists()

    def test_one_sentence_is_a_text(self, fstce, tmp_path):
        code, out, _ = fstce(
            "induction", "train", "-", "-o", tmp_path / "m", stdin=b"one sentence here\n"
        )
        assert code == 0
        assert field(out, "iterations") == "0 (no pattern)"
        assert (
            fstce("induction", "parse", tmp_path / "m", stdin=b"one thing here\n").out
            == "(TOP (W one) (W thing) (W here))\n"
        )

    def test_context_words_alone(self, fstce):
        options = ("--context-fraction", "1", "--min-count", "99")
        code, out, _ = fstce("induction", "train", "-", *options, stdin=b"a b a b\na b a b\n" * 5)
        assert code == 0
        assert field(out, "context units") == "2: a b"
        assert field(out, "iterations") == "0 (no pattern)"

    def test_a_line_of_50_thousand_words(self, fstce, tmp_path):
        path = tmp_path / "long.txt"
        path.write_text(" ".join(["the dog of a man"] * 10_000) + "\n", encoding="utf-8")
        code, out, _ = fstce(
            "induction", "train", path, "--iterations", "1", "-o", tmp_path / "m", *SMALL
        )
        assert code == 0
        assert field(out, "trained on") == "1 sentences, 50,000 words"
        assert field(out, "iterations") == "1 (iterations)"

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--context-fraction", "2"], "--context-fraction 2: give a number above 0 to 1"),
            (["--max-length", "0"], "--max-length 0: give a whole number from 1 to 50"),
            (["--top", "S"], "No such option: --top"),
            (["--system", "ccm"], "--system"),
            (["--punctuation", "nowhere"], "--punctuation nowhere: cannot be read"),
            (["--output", "{tmp}/text.txt"], "is what is read here, and would be replaced"),
            (["--punctuation", "tags"], "--punctuation tags: cannot be read"),
        ],
    )
    def test_options(self, fstce, text, tmp_path, options, message):
        given = [option.format(tmp=tmp_path) for option in options]
        code, _, err = fstce("induction", "train", text, *given)
        assert code == 2 and err.count("\n") == 1
        assert message in err


class TestParse:
    def test_trees_a_line(self, fstce, induced):
        code, out, err = fstce("induction", "parse", induced, stdin=TEXT.encode())
        rows = [line.split() for line in TEXT.splitlines()]
        assert code == 0 and err.startswith("parsed 3 sentences\nread as tokenized text")
        assert out.splitlines() == [str(tree) for tree in own().predict(rows)]

    def test_trees_as_text_and_quiet(self, fstce, induced):
        options = ("--output-format", "text", "--quiet")
        tree = own().predict([["the", "bird", "of", "the", "house"]])[0]
        assert fstce("induction", "parse", induced, *options, stdin=b"the bird of the house\n") == (
            0,
            f"{tree.pretty()}\n\n",
            "",
        )

    def test_a_treebank_has_its_tags(self, fstce, induced):
        lines = fstce("induction", "parse", induced, "sample").out.splitlines()
        assert [parse_tree(line).pos() for line in lines] == [
            s.tree.pos() for s in iter_corpus("sample")
        ]

    def test_brackets_are_spelt_as_in_treebanks(self, fstce, induced):
        out = fstce("induction", "parse", induced, stdin=b"we ( all ) sing (a)\n").out
        assert parse_tree(out).leaves() == (
            "we",
            "-LRB-",
            "all",
            "-RRB-",
            "sing",
            "-LRB-",
            "a",
            "-RRB-",
        )

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--k", "2"], "No such option: --k"),
            (["--output-format", "conllu"], "'conllu' is not one of 'penn', 'text'"),
        ],
    )
    def test_options_of_other_models(self, fstce, induced, options, message):
        code, out, err = fstce("induction", "parse", induced, *options, stdin=b"a b\n")
        assert (code, out) == (2, "")
        assert message in err

    def test_phrases_are_not_for_dependencies(self, fstce, grammar):
        code, _, err = fstce(
            "induction", "parse", grammar, "--output-format", "penn", stdin=b"a/DT\n"
        )
        assert code == 2 and "is a dependency parser: use the verbs of fstce parser" in err

    def test_what_stands_before_damage_is_parsed(self, fstce, induced):
        code, out, err = fstce(
            "induction", "parse", induced, "--faulty", "raise", "--tokenized", stdin=b"a b\n\xff\n"
        )
        assert code == 2 and "utf-8" in err
        assert out == "(TOP (W a) (W b))\n"


def test_ctrl_c_in_the_first_iteration_keeps_the_model_of_before(
    fstce, text, tmp_path, monkeypatch
):
    """A grammar without rules took the place of a trained one."""
    command = ("induction", "train", text, "-q", "-o", tmp_path / "m")
    assert fstce(*command).code == 0
    trained = (tmp_path / "m" / "rules.txt").read_bytes()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Induction, "run", interrupt)
    code, _, err = fstce(*command)
    assert code == 130 and "before the end of the first iteration; nothing is saved" in err
    assert (tmp_path / "m" / "rules.txt").read_bytes() == trained
