"""`fstce parser parse`."""

import io
import re
import signal

import pytest
from patience import patience

from fstce import DependencyParser
from fstce.console import streams
from fstce.corpora import Sentence, dependency_corpus, read_corpus
from fstce.corpora.links import tree_text
from fstce.corpora.passages import Passage
from fstce.errors import MachineError
from fstce.parsing.verbs import parse as trees

TAGGED = "the/DT old/JJ dog/NN barks/VBZ ././.\n"
OUTSIDE = "1\ta\t_\t_\tDT\t_\t9\t_\t_\t_\n\n"
UNTAGGED = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
DOTS = "# dots\n1\t.\t_\t_\t.\t_\t0\troot\t_\t_\n\n"
CYCLE = "1\ta\t_\t_\tDT\t_\t2\t_\t_\t_\n2\tdog\t_\t_\tNN\t_\t1\t_\t_\t_\n\n"
ODD = """\
# newdoc
# text = vámonos
1-2\tvámonos\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\tx=1
2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t0:root\t_
2.1\tloud\t_\t_\t_\t_\t_\t_\t2:adv\t_

"""


def columns(text, *wanted):
    """The wanted columns of the word rows."""
    rows = [line.split("\t") for line in text.splitlines() if re.match(r"\d+\t", line)]
    return [tuple(row[place] for place in wanted) for row in rows]


def heads_of(text):
    return [s.heads for s in read_corpus(io.StringIO(text), format="conllu")]


def own_heads(parser, path, **prepare):
    prepared = dependency_corpus(read_corpus(path), heads="ignored", **prepare)
    found = parser.predict([s.tags for s in prepared])
    return [s.restore(heads) for s, heads in zip(prepared, found, strict=True)]


# --- CoNLL -----------------------------------------------------------------------------------------------


def test_conllu_has_the_parsers_heads_and_everything_else_as_it_was(
    fstce, grammar, parser, treebank
):
    code, out, err = fstce("parser", "parse", grammar, treebank)
    before = treebank.read_text()
    assert code == 0 and err == "parsed 9 sentences\n"
    assert heads_of(out) == own_heads(parser, treebank)
    assert columns(out, 0, 1, 2, 3, 4, 5, 8, 9) == columns(before, 0, 1, 2, 3, 4, 5, 8, 9)
    assert [line for line in out.splitlines() if not line[:1].isdigit()] == [
        line for line in before.splitlines() if not line[:1].isdigit()
    ]
    assert {("0", "root")} == {pair for pair in columns(out, 6, 7) if pair[0] == "0"}


def test_parsing_again_changes_nothing(fstce, grammar, treebank):
    once = fstce("parser", "parse", grammar, treebank).out
    assert (
        fstce("parser", "parse", grammar, "--input-format", "conllu", stdin=once.encode()).out
        == once
    )


def test_ranges_empty_nodes_and_comments_stay(fstce, grammar, tmp_path):
    path = tmp_path / "odd.conllu"
    path.write_text(ODD + "# between\n\n\n" + ODD.rstrip("\n"), encoding="utf-8")
    out = fstce("parser", "parse", grammar, path).out
    expected = re.sub(r"\t\d\t(nsubj|root)\t[^\t]*\t", "\t?\t?\t?\t", path.read_text() + "\n")
    assert re.sub(r"\t\d\t(dep|root|nsubj)\t[^\t]*\t", "\t?\t?\t?\t", out) == expected


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (OUTSIDE, "head 9 of word 1 is outside its sentence of 1 words"),
        (UNTAGGED, "the sentence has no tags"),
        (DOTS, "nothing but punctuation"),
        ("1\tthe dog\n\n", "columns where CoNLL-U has 10"),
        ("1\t<s>\t_\t_\tDT\t_\t0\t_\t_\t_\n\n", "'<s>' is a reserved symbol"),
    ],
)
def test_what_cannot_be_parsed_is_passed_through(fstce, grammar, parser, tmp_path, block, reason):
    path = tmp_path / "bad.conllu"
    path.write_text(CYCLE + block + CYCLE)
    code, out, err = fstce("parser", "parse", grammar, path)
    (heads,) = parser.predict([["DT", "NN"]])
    rows = "".join(
        f"{n}\t{word}\t_\t_\t{tag}\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
        for n, (word, tag, head) in enumerate(
            zip(("a", "dog"), ("DT", "NN"), heads, strict=True), 1
        )
    )
    assert code == 0
    assert out == f"{rows}\n{block}{rows}\n"
    warning, told = err.splitlines()
    assert re.match(r"passed through unparsed: .*bad\.conllu:[45]: ", warning) and reason in warning
    assert told == "parsed 2 sentences, 1 passed through unparsed"


def test_conllx_and_the_older_columns(fstce, grammar, parser, tmp_path):
    wide = "1\ta\t_\tX\tDT\t_\t2\tNMOD\t_\t_\n2\tdog\t_\tX\tNN\t_\t0\tROOT\t_\t_\n\n"
    (tmp_path / "wide.conll").write_text(wide)
    (tmp_path / "narrow.dp").write_text("a\tDT\t2\ndog\tNN\t0\n\n#\t#\t0\n")
    ((one, two),) = parser.predict([["DT", "NN"]])
    found = fstce("parser", "parse", grammar, tmp_path / "wide.conll").out
    assert columns(found, 1, 3, 4, 6) == [("a", "X", "DT", str(one)), ("dog", "X", "NN", str(two))]
    code, out, err = fstce("parser", "parse", grammar, tmp_path / "narrow.dp")
    assert code == 0 and "1 of 3 words have 1 tag that training did not see (#)" in err
    assert columns(out, 0, 1, 4, 6) == [
        ("1", "a", "DT", str(one)), ("2", "dog", "NN", str(two)), ("1", "#", "#", "0")
    ]  # fmt: skip


def test_the_files_of_a_folder_lose_nothing(fstce, grammar, parser, treebank):
    out = fstce("parser", "parse", grammar, treebank.parent).out
    assert heads_of(out) == own_heads(parser, treebank)
    assert out == fstce("parser", "parse", grammar, treebank).out


# --- Other input -----------------------------------------------------------------------------------------


def test_tagged_text_from_standard_input(fstce, grammar, parser):
    code, out, err = fstce("parser", "parse", grammar, stdin=TAGGED.encode())
    (heads,) = parser.predict([["DT", "JJ", "NN", "VBZ"]])
    assert code == 0 and err == "parsed 1 sentence\n"
    # The full stop attaches to the word before it.
    assert heads_of(out) == [(*heads, 4)]
    assert columns(out, 1, 4) == [tuple(token.rsplit("/", 1)) for token in TAGGED.split()]


def test_penn_trees(fstce, grammar, parser, tmp_path):
    path = tmp_path / "t.mrg"
    path.write_text("( (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ barks)) (. .)) )\n")
    (heads,) = parser.predict([["DT", "NN", "VBZ"]])
    assert heads_of(fstce("parser", "parse", grammar, path).out) == [(*heads, 3)]


def test_plain_text_is_refused(fstce, grammar, tmp_path):
    (tmp_path / "t.txt").write_text("the dog barks\nthe cat barks .\n")
    code, _, err = fstce("parser", "parse", grammar, tmp_path / "t.txt")
    assert code == 2 and "t.txt:1: the token 'the' is not of the form word/TAG" in err
    code, _, err = fstce("parser", "parse", grammar, tmp_path / "t.txt", "--input-format", "plain")
    assert code == 2 and "plain text has no tags: tag it first" in err


def test_lines_come_out_in_order_across_batches(fstce, grammar, monkeypatch):
    monkeypatch.setattr(streams, "BATCH", 3)
    lines = [f"w{i}/NN dog/NN barks/VBZ" if i % 3 else f"w{i}/. ././." for i in range(20)]
    _, out, err = fstce("parser", "parse", grammar, stdin="\n".join(lines).encode())
    assert re.findall(r"^1\t(w\d+)\t", out, re.MULTILINE) == [f"w{i}" for i in range(20)]
    assert err.count("nothing but punctuation") == 7


def test_a_sentence_that_is_too_large_does_not_keep_others_back(
    fstce, grammar, parser, monkeypatch
):
    predict = DependencyParser.predict

    def limited(self, rows):
        if any(len(row) > 3 for row in rows):
            raise MachineError("sentence 1: a chart of 1e9 hyperedges")
        return predict(self, rows)

    monkeypatch.setattr(DependencyParser, "predict", limited)
    text = "dogs/NNS bark/VBP\n" + TAGGED + "\ncats/NNS sleep/VBP\n"
    code, out, err = fstce("parser", "parse", grammar, stdin=text.encode())
    pair = predict(parser, [["NNS", "VBP"]])[0]
    assert code == 0
    assert [s.heads for s in read_corpus(io.StringIO(out), format="conllu")] == [pair, None, pair]
    assert (
        "passed through unparsed: <stream>:2: sentence 1: a chart of 1e9 hyperedges"
        in err.splitlines()
    )
    assert "parsed 2 sentences, 1 passed through unparsed" in err


def test_unseen_tags_are_counted(fstce, grammar):
    err = fstce(
        "parser", "parse", grammar, stdin=b"the/DT wug/QQ flies/RR\na/DT wug/QQ ././.\n"
    ).err
    assert "3 of 5 words have 2 tags that training did not see (QQ RR): they attach anywhere" in err
    assert "--tag-column" not in err
    assert "another --tag-column?" in fstce("parser", "parse", grammar, stdin=b"a/X b/Y\n").err
    assert fstce("parser", "parse", grammar, "--quiet", stdin=b"a/X b/Y\n").err == ""


# --- Output ----------------------------------------------------------------------------------------------


def test_trees_as_text(fstce, grammar, parser):
    out = fstce(
        "parser", "parse", grammar, "--output-format", "text", stdin=(TAGGED * 2 + "./.\n").encode()
    ).out
    words, tags = zip(*(token.rsplit("/", 1) for token in TAGGED.split()), strict=True)
    heads = (*parser.predict([tags[:-1]])[0], 4)
    assert out == (tree_text(words, heads, tags) + "\n\n") * 2 + ".\n\n"


def test_posteriors(fstce, grammar, parser, tmp_path):
    (tmp_path / "odd.conllu").write_text(ODD)
    for text in (ODD, "dogs/NNS bark/VBP ././.\n"):
        tagged = text is not ODD
        options = () if tagged else ("--input-format", "conllu")
        out = fstce("parser", "parse", grammar, "--proba", *options, stdin=text.encode()).out
        (table,) = parser.predict_proba([["NNS", "VBP"]])
        for place, (head, misc) in enumerate(columns(out, 6, 9)[:2]):
            said = f"HeadProbability={table[int(head), place]:.4f}"
            assert misc == (said if tagged or place else f"x=1|{said}")
        if tagged:
            assert columns(out, 9)[2] == ("_",)


@pytest.mark.parametrize("kind", ["tagged", "conllu"])
def test_the_k_best_trees(fstce, grammar, parser, kind):
    text = {"tagged": "dogs/NNS bark/VBP ././.\nsleep/VB\n", "conllu": ODD.rstrip("\n")}[kind]
    code, out, _ = fstce(
        "parser", "parse", grammar, "--k", 2, "--input-format", kind, stdin=text.encode()
    )
    best = parser.k_best([["NNS", "VBP"]], 2)[0]
    assert code == 0 and len(best) == 2
    assert [heads[:2] for heads in heads_of(out)[:2]] == [heads for heads, _ in best]
    weights = [float(weight) for weight in re.findall(r"# log_weight = (\S+)", out)]
    assert weights[:2] == pytest.approx([weight for _, weight in best], abs=1e-6)
    ranks = re.findall(r"# rank = (\d)", out)
    assert ranks == (["1", "2", "1"] if kind == "tagged" else ["1", "2"])


def test_a_grammar_that_allows_no_tree(fstce, tmp_path):
    """EM without smoothing gives zero to what it did not need: the chain is the stated rule."""
    parser = DependencyParser(criterion="joint", smoothing=0.0).fit(
        [["A", "B"], ["C"]], [(2, 0), (0,)]
    )
    parser.save(tmp_path / "m")
    code, out, _ = fstce("parser", "parse", tmp_path / "m", stdin=b"a/C a/C a/C\n")
    assert code == 0 and heads_of(out) == [(0, 1, 2)]
    code, out, err = fstce(
        "parser", "parse", tmp_path / "m", "--k", 2, stdin=b"a/C a/C a/C\na/A b/B\n"
    )
    assert "<stream>:1: the grammar allows no tree" in err
    assert [s.heads for s in read_corpus(io.StringIO(out), format="conllu")] == [None, (2, 0)]


# --- Errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--proba", "--output-format", "text"], "--proba has no place in text"),
        (["--k", "0"], "--k"),
        (["--tags", "word"], "No such option: --tags"),
        (["missing.conllu"], "missing.conllu: no such file"),
        (
            ["lattice.fst"],
            "lattice.fst: a machine, no text; a grammar parses sentences",
        ),
    ],
)
def test_bad_options(fstce, grammar, options, message):
    code, out, err = fstce("parser", "parse", grammar, *options, stdin=TAGGED.encode())
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert message in err


def test_a_tagger_cannot_parse(fstce, model):
    code, _, err = fstce("parser", "parse", model, stdin=TAGGED.encode())
    assert code == 2 and "is a tagger: use the verbs of fstce tagger" in err


def test_bad_text_is_named_after_what_came_before_it(fstce, grammar):
    given = (TAGGED + "barks\n").encode()
    code, out, err = fstce("parser", "parse", grammar, "--faulty", "raise", stdin=given)
    assert code == 2 and len(heads_of(out)) == 1
    assert "<stream>:2: the token 'barks' is not of the form word/TAG" in err
    code, out, err = fstce("parser", "parse", grammar, stdin=given)
    assert code == 0 and out.endswith("\n\nbarks\n")
    assert (
        "passed through unparsed: <stream>:2: the token 'barks' is not of the form word/TAG" in err
    )
    code, out, err = fstce("parser", "parse", grammar, "--faulty", "skip", stdin=given)
    assert code == 0 and "barks\n" not in out


def test_bytes_that_are_no_text_are_told(fstce, grammar):
    code, out, err = fstce("parser", "parse", grammar, stdin=TAGGED.encode() + b"na\xefve/JJ\n")
    bad = "na\udcefve/JJ\n"  # the byte 0xef
    assert code == 0 and out.endswith(bad) and len(heads_of(out.removesuffix(bad))) == 1
    assert "<stream>:2: byte 0xef" in err and "passed through unparsed" in err


def test_a_reader_that_goes_away_is_no_error(process, grammar):
    parsing = process("parser", "parse", grammar, "-", "--quiet")
    parsing.stdout.close()
    _, err = parsing.communicate(TAGGED.encode() * 2000, timeout=patience(60))
    assert err == b"" and parsing.returncode not in (0, 2)


def test_ctrl_c_is_one_line(process, grammar):
    parsing = process("parser", "parse", grammar)
    parsing.stdin.write(TAGGED.encode() * 600)
    parsing.stdin.flush()
    assert parsing.stdout.readline().startswith(b"1\t")
    parsing.send_signal(signal.SIGINT)
    _, err = parsing.communicate(timeout=patience(60))
    assert parsing.returncode == 130 and err == b"fstce: interrupted\n"


def test_trees_are_found_together_and_alone_alike(parser, monkeypatch):
    """The fallback for one large sentence gives what the batch gives."""
    text = [Passage(Sentence(["a", "b"], ["DT", "NN"])), Passage(Sentence(["c"], ["VB"]))]
    predict = parser.predict

    def never_together(rows):
        if len(rows) > 1:
            raise MachineError("too large")
        return predict(rows)

    together = trees.of_sentences(parser, text, None, True, "conllu")
    monkeypatch.setattr(parser, "predict", never_together)
    assert trees.of_sentences(parser, text, None, True, "conllu") == together
    assert "HeadProbability" in together[0].block and together[1].known == ("VB",)


def test_a_model_remembers_the_column_of_its_tags(fstce, treebank, tmp_path):
    path, model = tmp_path / "upos.conllu", tmp_path / "model"
    path.write_text(re.sub(r"\t_\t([^\t]+)\tA=b", r"\tX\1\t\1\tA=b", treebank.read_text()))
    train = ("parser", "train", path, "--tag-column", "upos", "--max-iterations", "2", "-q")
    assert fstce(*train, "--output", model).code == 0
    assert DependencyParser.load(model).tokenization_["tag_column"] == "upos"
    assert "did not see" not in fstce("parser", "parse", model, path).err
    assert "did not see" in fstce("parser", "parse", model, path, "--tag-column", "xpos").err


def test_a_text_without_tags_is_refused_with_advice(fstce, grammar):
    code, _, err = fstce("parser", "parse", grammar, stdin=b"The clock stopped.\n")
    assert code == 2 and "tag the text first (fstce tagger tag)" in err.splitlines()[-1]
