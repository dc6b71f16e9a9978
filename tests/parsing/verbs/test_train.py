"""`fstce parser train`."""

import re
import signal

import numpy as np
import pytest
from patience import patience

from fstce import DependencyParser
from fstce.corpora import dependency_corpus, read_corpus
from fstce.estimation.objective import GaussianPrior
from fstce.evaluation import attach_next, attachment

QUICK = ("--max-iterations", "5")


def field(out, name):
    return next(
        line.removeprefix(name).strip() for line in out.splitlines() if line.startswith(f"{name} ")
    )


def scores(out):
    """The rows of the table of scores: directed, undirected, root, exact."""
    names = ("attach to next", "attach to previous", "untrained", "trained", "model")
    return {
        name: line.removeprefix(name).split()
        for line in out.splitlines()
        for name in names
        if line.startswith(name)
    }


def cyclic(text):
    """The same sentences, in each of which the first two words are each other's heads."""
    lines = []
    for line in text.splitlines():
        columns = line.split("\t")
        if len(columns) == 10 and columns[1] != "sleep":
            columns[6] = "2" if columns[0] == "1" else "1"
        lines.append("\t".join(columns) + "\n")
    return "".join(lines)


def test_the_model_is_what_the_library_trains(fstce, treebank, prepared, tmp_path):
    options = ("--neighborhood", "DEL1WORD", "--sigma2", "0.5", *QUICK)
    assert fstce("parser", "train", treebank, *options, "--output", tmp_path / "m").code == 0
    own = DependencyParser("del1word", sigma2=0.5, max_iterations=5).fit([s.tags for s in prepared])
    found = DependencyParser.load(tmp_path / "m")
    assert found.model_.tags == own.model_.tags
    assert np.array_equal(found.theta_, own.theta_)


def test_the_default_sees_the_words(fstce, treebank, prepared, tmp_path):
    assert fstce("parser", "train", treebank, *QUICK, "-o", tmp_path / "m").code == 0
    own = DependencyParser(max_iterations=5)
    own.fit([s.tags for s in prepared], words=[s.words for s in prepared])
    assert np.array_equal(DependencyParser.load(tmp_path / "m").theta_, own.theta_)


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--rules", "penn"),
        ("-c", "em"),
        ("-n", "trans1"),
    ],
)
def test_the_charts_are_counted_whatever_is_made_of_their_sums(fstce, treebank, options):
    out = fstce("parser", "train", treebank, *QUICK, *options).out
    assert re.search(r"^charts +\d+, \d+ of them distinct, with [\d,]+ hyperedges$", out, re.M)
    assert "none are needed" in fstce("parser", "train", treebank, *QUICK, "-c", "joint").out


@pytest.mark.parametrize("kind", ["auto", "trans1"])
def test_a_budget_bounds_all_charts_and_changes_no_bit(fstce, treebank, tmp_path, kind):
    for name, budget in (("a", ()), ("b", ("--memory", "1M"))):
        assert (
            fstce(
                "parser", "train", treebank, "-n", kind, *QUICK, *budget, "-o", tmp_path / name
            ).code
            == 0
        )
    weights = [DependencyParser.load(tmp_path / name).theta_.tobytes() for name in "ab"]
    assert weights[0] == weights[1]


def test_the_report(fstce, treebank, tmp_path):
    code, out, err = fstce(
        "parser", "train", treebank, "-n", "trans1", "--max-length", 4, "-o", tmp_path / "m"
    )
    parser = DependencyParser.load(tmp_path / "m")
    assert code == 0
    assert field(out, "read") == "9 sentences"
    # Without punctuation the first has three words; those of five words are left out.
    assert field(out, "corpus") == "7 sentences, 19 words, 11 tags"
    assert "left out of 9 sentences: 2 of more than 4 words\n" in err
    assert re.fullmatch(r"14, \d+ of them distinct, with [\d,]+ hyperedges", field(out, "charts"))
    assert (
        field(out, "size") == f"{parser.model_.size} features, 11 tags" == "341 features, 11 tags"
    )
    assert re.search(r"[\d.]+ s to build the charts, [\d.]+ s to train", field(out, "time"))
    assert (
        field(out, "objective")
        == f"contrastive {parser.training_.objective:,.2f} nats with the prior"
    )
    assert field(out, "saved in") == str(tmp_path / "m")
    assert "iteration   0  objective" in err
    assert "the trees of the corpus were used for these scores and nothing else" in err


def test_the_scores_are_of_all_trees_that_are_short_enough(fstce, treebank, prepared, tmp_path):
    out = fstce("parser", "train", treebank, *QUICK, "-o", tmp_path / "m").out
    parser, gold = DependencyParser.load(tmp_path / "m"), [s.heads for s in prepared]
    rows = scores(out)
    trained = attachment(gold, parser.predict([s.tags for s in prepared]))
    assert rows["trained"] == [f"{value:.1f}" for value in trained[:4]]
    following = attachment(gold, [attach_next(len(heads)) for heads in gold])
    assert rows["attach to next"] == [f"{value:.1f}" for value in following[:4]]
    assert set(rows) == {"attach to next", "attach to previous", "untrained", "trained"}
    assert f"% of {sum(map(len, prepared))} words" in out and "root of 9 sentences" in out


def test_trees_change_nothing_of_unsupervised_training(fstce, treebank, tmp_path):
    """Neither wrong heads nor cyclic ones do; these are only not scored."""
    (tmp_path / "wrong.conllu").write_text(cyclic(treebank.read_text()))
    for path, name in ((treebank, "a"), (tmp_path / "wrong.conllu", "b")):
        code, out, err = fstce("parser", "train", path, *QUICK, "-o", tmp_path / name)
        assert code == 0, err
    thetas = [DependencyParser.load(tmp_path / name).theta_ for name in "ab"]
    assert np.array_equal(*thetas)
    assert "root of 1 sentences" in out
    assert re.search(
        r"not scored, as the heads are no tree: .*wrong\.conllu:\d+.* \(and 7 more such", err
    )


def test_supervised_training_leaves_out_what_is_not_projective(fstce, treebank, prepared, tmp_path):
    code, _, err = fstce("parser", "train", treebank, "--criterion", "joint", "-o", tmp_path / "m")
    assert code == 0
    assert "left out: 1 tree, not projective" in err
    assert "the trees of the corpus were used for training and these scores and nothing else" in err
    found = DependencyParser.load(tmp_path / "m")
    own = DependencyParser(criterion="joint").fit(
        [s.tags for s in prepared], [s.heads for s in prepared]
    )
    assert found.n_skipped_ == 1
    assert np.array_equal(found.theta_, own.theta_)


def test_supervised_training_drops_heads_that_are_no_tree(fstce, treebank, tmp_path):
    path = tmp_path / "two.conllu"
    path.write_text(
        treebank.read_text()
        + "1\ta\t_\t_\tDT\t_\t2\t_\t_\t_\n2\tb\t_\t_\tNN\t_\t1\t_\t_\t_\n\n"
        + "1\ta\t_\t_\tDT\t_\t0\t_\t_\t_\n2\tb\t_\t_\tNN\t_\t0\t_\t_\t_\n"
    )
    code, out, err = fstce("parser", "train", path, "-c", "joint", "-o", tmp_path / "m")
    assert code == 0
    assert "left out of 11 sentences: 2 whose heads are no tree\n" in err
    assert "run in a cycle" in err and "(and 1 more such sentence)" in err
    assert field(out, "corpus").startswith("9 sentences")


def test_a_corpus_without_trees_cannot_supervise(fstce, corpus):
    code, _, err = fstce("parser", "train", corpus, "--criterion", "conditional")
    assert code == 2 and err.count("\n") == 1
    assert f"{corpus}:1" in err


def test_tagged_text_without_trees_has_no_scores(fstce, corpus, tmp_path):
    code, out, err = fstce("parser", "train", corpus, *QUICK, "-o", tmp_path / "m")
    assert code == 0
    assert "directed" not in out and "scores" not in err


def test_plain_text_is_refused(fstce, tmp_path):
    (tmp_path / "t.txt").write_text("the dog barks\nthe cat barks .\n")
    code, _, err = fstce("parser", "train", tmp_path / "t.txt")
    assert code == 2 and "t.txt:1: the sentence has no tags; tag it first" in err


@pytest.mark.parametrize(("options", "column"), [([], None), (["--tag-column", "upos"], "upos")])
def test_what_the_grammar_sees(fstce, treebank, tmp_path, options, column):
    path = tmp_path / "upos.conllu"
    path.write_text(
        re.sub(
            r"\t_\t([^\t]+)\tA=b", lambda m: f"\tX{len(m[1])}\t{m[1]}\tA=b", treebank.read_text()
        )
    )
    assert fstce("parser", "train", path, *QUICK, *options, "-q", "-o", tmp_path / "m").code == 0
    seen = dependency_corpus(read_corpus(path, tag_column=column))
    tags = {tag for sentence in seen for tag in sentence.tags}
    assert set(DependencyParser.load(tmp_path / "m").model_.tags) == tags


def test_options_reach_the_model(fstce, treebank, tmp_path):
    options = (
        *("--criterion", "em", "--smoothing", "0.5", "--start", "random", "--seed", "7"),
        *("--annealing", "0.5,1", "--tolerance", "0.01", "--sigma2", "none"),
    )
    assert fstce("parser", "train", treebank, *QUICK, *options, "-q", "-o", tmp_path / "m") == (
        0,
        "",
        "",
    )
    found = DependencyParser.load(tmp_path / "m").get_params()
    wanted = {"criterion": "em", "smoothing": 0.5, "start": "random", "seed": 7}
    wanted |= {"annealing": (0.5, 1.0), "tolerance": 0.01, "sigma2": None, "max_iterations": 5}
    assert {name: found[name] for name in wanted} == wanted


def test_the_harmonic_start_is_also_the_untrained_row(fstce, treebank, prepared, tmp_path):
    options = ("--criterion", "em", "--start", "klein-manning", *QUICK)
    out = fstce("parser", "train", treebank, *options, "-o", tmp_path / "m").out
    rows, gold = [s.tags for s in prepared], [s.heads for s in prepared]
    own = DependencyParser(criterion="em", start="klein-manning")
    own.compile(rows)
    own.theta_ = own.initial_weights()
    assert scores(out)["untrained"][0] == f"{attachment(gold, own.predict(rows)).directed:.1f}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sigma2", "0"], "--sigma2 0: give a number above 0, or None"),
        (["--tolerance", "nan"], "--tolerance nan"),
        (["--max-length", "0"], "--max-length"),
        (["--start", "cold"], "--start cold: choose one of uniform, random, klein-manning"),
        (["--criterion", "most"], "--criterion most: choose one of auto, contrastive, em"),
        (["--criterion", "em", "--smoothing", "-1"], "--smoothing -1: give a number from 0"),
        (["--annealing", "x"], "--annealing x"),
        (["--neighborhood", "trnas1"], "did you mean 'trans1'?"),
        (["--tag-column", "upos"], "no UPOS here"),
    ],
)
def test_bad_options(fstce, treebank, options, message):
    code, _, err = fstce("parser", "train", treebank, *options, "--quiet")
    assert code == 2, err
    assert err.startswith("fstce: ") and err.count("\n") == 1
    assert message in err


def test_a_tagger_is_not_overwritten(fstce, treebank, tmp_path, corpus):
    options = ("--order", "1", "--max-iterations", "1", "-q", "-o", tmp_path / "m")
    assert fstce("tagger", "train", corpus, *options).code == 0
    code, _, err = fstce("parser", "train", treebank, "-o", tmp_path / "m")
    assert code == 2
    assert "holds a model of kind 'tagger'" in err


def test_ctrl_c_saves_the_best_weights_so_far(process, tmp_path):
    command = ("--sigma2", "1000", "--tolerance", "0", "--max-iterations", "100000")
    training = process("parser", "train", "sample", *command, "-o", tmp_path / "m")
    lines = iter(training.stderr.readline, b"")
    assert any(line.startswith(b"iteration  10") for line in lines)
    training.send_signal(signal.SIGINT)
    _, err = training.communicate(timeout=patience(60))
    saved = f"the best weights so far are saved in {tmp_path / 'm'}; go on with: fstce .* --resume"
    assert training.returncode == 130
    assert re.fullmatch(
        rf"fstce: interrupted after \d+ iterations; {saved}", err.decode().splitlines()[-1]
    )
    assert b"Traceback" not in err
    assert DependencyParser.load(tmp_path / "m").training_.stopped == "interrupted"


def test_ctrl_c_before_training(fstce, treebank, tmp_path, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(DependencyParser, "compile", interrupt)
    code, _, err = fstce("parser", "train", treebank, "-o", tmp_path / "m")
    assert code == 130 and not (tmp_path / "m").exists()
    assert (
        err.splitlines()[-1]
        == "fstce: interrupted before the end of the first iteration; nothing is saved"
    )


@pytest.mark.parametrize("language", ["English", "Turkish"])
def test_universal_dependencies(fstce, shared_data, tmp_path, language):
    """A published treebank trains, parses and scores with no option of its own."""
    folder = shared_data / "ud" / f"UD_{language}-Atis"
    if not folder.is_dir():
        pytest.skip(f"no {folder.name}")
    (test,) = folder.glob("*test.conllu")
    code, out, err = fstce("parser", "train", test, "--max-iterations", 5, "-o", tmp_path / "m")
    assert code == 0, err
    assert float(scores(out)["trained"][0]) > 0
    parsed = fstce("parser", "parse", tmp_path / "m", test)
    assert parsed.code == 0 and "parsed 586 sentences" in parsed.err
    (tmp_path / "parsed.conllu").write_text(parsed.out, encoding="utf-8")
    gold, found = read_corpus(test), read_corpus(tmp_path / "parsed.conllu")
    assert [s.words for s in gold] == [s.words for s in found]
    code, out, _ = fstce("parser", "evaluate", tmp_path / "m", test)
    everything = dependency_corpus(gold)
    own = attachment([s.heads for s in everything], [s.heads for s in dependency_corpus(found)])
    assert code == 0 and scores(out)["model"][0] == f"{own.directed:.1f}"


@pytest.mark.parametrize("criterion", ["auto", "joint"])
def test_a_sentence_that_is_too_long_is_named_by_file_and_line(
    fstce, treebank, tmp_path, criterion
):
    rows = [f"{n}\tw\t_\t_\tNN\t_\t{n - 1}\t_\t_\t_\n" for n in range(1, 501)]
    path = tmp_path / "long.conllu"
    path.write_text(f"{treebank.read_text()}\n{''.join(rows)}\n")
    code, _, err = fstce("parser", "train", path, "--max-length", 600, "-c", criterion, *QUICK)
    assert code == 2
    assert re.search(r"^fstce: .*long\.conllu:\d+, 500 words: sentence \d+: a chart of", err, re.M)
    assert err.endswith("; --max-length leaves longer sentences out\n")


def test_what_else_goes_wrong_with_a_sentence_is_not_its_length(fstce, treebank, tmp_path):
    author = tmp_path / "foreign.py"
    lines = "import pynini", "def build(symbols):", '    return pynini.accep("ab")'
    author.write_text("\n".join(lines), encoding="utf-8")
    code, _, err = fstce("parser", "train", treebank, "-n", author)
    assert (code, "is no word of the sentence" in err, "--max-length" in err) == (2, True, False)


def test_ctrl_c_in_the_first_iteration_keeps_the_model_of_before(
    fstce, treebank, tmp_path, monkeypatch
):
    """Weights after no iteration took the place of a trained model."""
    command = ("parser", "train", treebank, "-c", "contrastive", "-n", "trans1", "-q")
    assert fstce(*command, "-o", tmp_path / "m").code == 0
    trained = (tmp_path / "m" / "weights.npz").read_bytes()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(GaussianPrior, "__call__", interrupt)
    code, _, err = fstce(*command, "-o", tmp_path / "m")
    assert code == 130 and "before the end of the first iteration; nothing is saved" in err
    assert (tmp_path / "m" / "weights.npz").read_bytes() == trained


def test_a_handful_of_trees_beside_the_text(fstce, treebank, prepared, tmp_path):
    sentences = treebank.read_text().strip().split("\n\n")
    few = tmp_path / "few.conllu"
    few.write_text("\n\n".join(sentences[:3]) + "\n\n")
    options = ("--labelled", few, "--max-iterations", 3, "-o", tmp_path / "m")
    assert fstce("parser", "train", treebank, *options).code == 0
    parser = DependencyParser.load(tmp_path / "m")
    assert parser.n_labelled_ == 3 and parser.recipe.structural_bias == -0.1
    assert re.search(r"beside the text +3 trees", fstce("info", tmp_path / "m").out)

    wrong = fstce("parser", "train", treebank, "-c", "joint", *options[:-1], tmp_path / "n")
    assert wrong.code == 2 and "'joint' learns from heads" in wrong.err

    few.write_text(sentences[7] + "\n\n")
    crossing = fstce("parser", "train", treebank, *options[:-1], tmp_path / "n")
    assert crossing.code == 2 and f"{few}: no tree is projective" in crossing.err


def test_trees_that_are_all_none_are_said_to_be(fstce, tmp_path):
    text = tmp_path / "roots.conllu"
    text.write_text("1\ta\t_\tDET\t_\t_\t0\t_\t_\t_\n2\tb\t_\tNOUN\t_\t_\t0\t_\t_\t_\n\n" * 3)
    code, _, err = fstce("parser", "train", text, "-o", tmp_path / "m")
    assert code == 0 and "not scored, as the heads are no tree" in err
