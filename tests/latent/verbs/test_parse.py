"""`fstce latent parse`, `fstce latent evaluate` and `fstce info` with grammars, products, files of trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fstce import GrammarProduct, LatentGrammar
from fstce.corpora import parse_tree, sample
from fstce.evaluation import evalb_scores

QUICK: dict[str, Any] = {
    "cycles": 1,
    "split_iterations": 4,
    "merge_iterations": 2,
    "smooth_iterations": 1,
}
LINE = "the lamp is small"


@pytest.fixture(scope="module")
def latent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("latent") / "m"
    LatentGrammar(**QUICK).fit(sample()[:80]).save(folder)
    return folder


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("latent") / "p"
    members = [LatentGrammar(**QUICK, seed=seed) for seed in (0, 1)]
    GrammarProduct(members, jobs=1).fit(sample()[:80]).save(folder)
    return folder


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.mrg"
    path.write_text(
        "".join(f"{sentence.tree}\n" for sentence in sample()[150:190]), encoding="utf-8"
    )
    return path


def test_a_tree_a_line(fstce: Any, latent: Path, product: Path) -> None:
    for folder, kind in ((latent, LatentGrammar), (product, GrammarProduct)):
        code, out, err = fstce("latent", "parse", folder, stdin=f"{LINE}\n\nshe walks .\n".encode())
        trees = kind.load(folder).predict([LINE.split(), ["she", "walks", "."]])
        assert code == 0 and [parse_tree(line) for line in out.splitlines()] == trees
        assert err.startswith("parsed 2 sentences")


def test_notations(fstce: Any, latent: Path) -> None:
    tree = LatentGrammar.load(latent).predict([LINE.split()])[0]
    assert fstce(
        "latent", "parse", latent, "--output-format", "text", "-q", stdin=LINE.encode()
    ).out == (f"{tree.pretty()}\n\n")
    code, _, err = fstce(
        "latent", "parse", latent, "--output-format", "conllu", stdin=LINE.encode()
    )
    assert code == 2 and "is not one of 'penn', 'text'" in err


def test_a_product_parses_as_it_was_saved(fstce: Any, product: Path, tmp_path: Path) -> None:
    loaded = GrammarProduct.load(product).set_params(combination="sum")
    loaded.save(tmp_path / "sum")
    out = fstce("latent", "parse", tmp_path / "sum", "-q", stdin=LINE.encode()).out
    assert [parse_tree(line) for line in out.splitlines()] == loaded.predict([LINE.split()])


def test_other_models(fstce: Any, grammar: Path, model: Path) -> None:
    for folder, kind, group in (
        (grammar, "dependency parser", "parser"),
        (model, "tagger", "tagger"),
    ):
        for command in (("parse", folder), ("evaluate", folder, "sample")):
            code, _, err = fstce("latent", *command, stdin=b"a\n")
            assert code == 2 and f"is a {kind}: use the verbs of fstce {group}" in err


def test_brackets_have_names(fstce: Any, latent: Path) -> None:
    tree = parse_tree(
        fstce("latent", "parse", latent, "-q", stdin=b"the ( old ) lamp [ 1(a) ]\n").out
    )
    assert tree.leaves() == (
        "the",
        "-LRB-",
        "old",
        "-RRB-",
        "lamp",
        "-LSB-",
        *["1", "-LRB-", "a", "-RRB-", "-RSB-"],
    )
    given = ("latent", "parse", latent, "-q", "--tokenized")
    assert parse_tree(fstce(*given, stdin=b"lamp [ 1(a) ]\n").out).leaves()[2] == "1-LRB-a-RRB-"


def test_words_of_a_treebank(fstce: Any, latent: Path, gold: Path) -> None:
    out = fstce("latent", "parse", latent, gold, "-q").out
    assert [parse_tree(line).leaves() for line in out.splitlines()] == [
        s.words for s in sample()[150:190]
    ]


def test_as_many_words_as_the_limit_and_one_more(fstce: Any, latent: Path, tmp_path: Path) -> None:
    assert LatentGrammar().max_length == 200
    LatentGrammar.load(latent).set_params(max_length=50).save(tmp_path / "m")
    text = " ".join(["the lamp is small ,"] * 10)
    given = f"{LINE}\n{text}\n{text} small\n".encode()
    code, out, err = fstce("latent", "parse", tmp_path / "m", stdin=given)
    assert (
        code == 0 and ":3: longer than the limit: given a flat tree\n" in err and ":2: " not in err
    )
    assert "parsed 3 sentences, " in err and "1 longer than the limit: given a flat tree" in err
    assert [len(parse_tree(line).leaves()) for line in out.splitlines()] == [4, 50, 51]


def test_strange_words(fstce: Any, latent: Path) -> None:
    words = ["𝔘𝔫𝔦", "\u200b", "étude", "🦜🦜", "نور", "\u202eabc"]
    out = fstce("latent", "parse", latent, "-q", "--tokenized", stdin=" ".join(words).encode()).out
    assert parse_tree(out).leaves() == tuple(words)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"the <s> lamp\n", ":1: '<s>' is a reserved"),
        (b"a \xff\n", ":1: byte 0xff"),
    ],
)
def test_bad_text(fstce: Any, latent: Path, text: bytes, message: str) -> None:
    code, _, err = fstce("latent", "parse", latent, stdin=text)
    assert code == 2 and message in err.splitlines()[-1]


def test_nothing_in_nothing_out(fstce: Any, latent: Path) -> None:
    assert fstce("latent", "parse", latent, stdin=b"") == (0, "", "parsed 0 sentences\n")


def test_a_bad_line_has_no_parse(fstce: Any, latent: Path) -> None:
    code, out, err = fstce("latent", "parse", latent, stdin=b"a lamp\nthe <s> lamp\nthe lamp\n")
    assert code == 0 and out.splitlines()[1] == "(())" and out.count("\n") == 3
    assert ":2: '<s>' is a reserved" in err and "written as (()), a failed parse" in err
    given = ("latent", "parse", latent, "--faulty", "raise")
    code, _, err = fstce(*given, stdin=b"a lamp\nthe <s> lamp\n")
    assert code == 2 and ":2: '<s>' is a reserved" in err


def test_evaluate_a_grammar(fstce: Any, latent: Path, gold: Path) -> None:
    code, out, err = fstce("latent", "evaluate", latent, gold, "--json")
    trees = [sentence.tree for sentence in sample()[150:190]]
    found = LatentGrammar.load(latent).predict([sentence.words for sentence in sample()[150:190]])
    total = evalb_scores(trees, found, disagreement="gold").total()
    record = json.loads(out)
    assert code == 0, err
    assert (
        record["all"]["f1"]["value"] == total.f1 and record["all"]["exact"]["value"] == total.exact
    )
    assert record["all"]["f1"]["low"] < total.f1 < record["all"]["f1"]["high"]
    assert record["max_length"] == 40 and record["short"]["sentences"] == 40


def test_evaluate_files_of_trees(fstce: Any, gold: Path, tmp_path: Path) -> None:
    parsed = tmp_path / "parsed.mrg"
    parsed.write_text(gold.read_text(encoding="utf-8").replace("(PP ", "(XP "), encoding="utf-8")
    code, out, _ = fstce("latent", "evaluate", parsed, gold, "--max-length", 8)
    rows = {line.split("  ")[0]: line.split()[-4:] for line in out.splitlines() if line}
    short = sum(len(sentence) <= 8 for sentence in sample()[150:190])
    assert code == 0 and "≤ 8 words" in out
    assert rows["sentences"][-2:] == [str(short), "40"]
    categories = json.loads(fstce("latent", "evaluate", parsed, gold, "--json").out)["by_category"]
    assert (categories["PP"]["f1"], categories["NP"]["f1"]) == (0.0, 100.0)
    code, out, _ = fstce("latent", "evaluate", gold, gold)
    assert [
        line.split()[2] for line in out.splitlines() if line.startswith(("labeled", "exact"))
    ] == ["100.0"] * 4


def test_what_parse_writes_evaluate_takes(
    fstce: Any, latent: Path, gold: Path, tmp_path: Path
) -> None:
    trees = gold.read_text(encoding="utf-8").splitlines(keepends=True)[:4]
    (tmp_path / "gold.mrg").write_text("".join(trees), encoding="utf-8")
    rows = [" ".join(sentence.words).encode() for sentence in sample()[150:154]]
    rows[1] += b" \xff"
    (tmp_path / "text").write_bytes(b"\n".join(rows) + b"\n")
    out = fstce("latent", "parse", latent, tmp_path / "text", "--tokenized").out
    assert [line == "(())" for line in out.splitlines()] == [False, True, False, False]
    (tmp_path / "parsed.mrg").write_text(out, encoding="utf-8")
    code, out, err = fstce(
        "latent", "evaluate", tmp_path / "parsed.mrg", tmp_path / "gold.mrg", "--json"
    )
    own = [LatentGrammar.load(latent).predict([sample()[i].words])[0] for i in (150, 152, 153)]
    total = evalb_scores(
        [sample()[i].tree for i in range(150, 154)], [own[0], None, *own[1:]], disagreement="gold"
    ).total()
    record = json.loads(out)["all"]
    assert code == 0 and total.sentences == 3
    assert record["f1"]["value"] == total.f1
    assert (record["sentences"], record["without_parse"]) == (4, 1)
    err = fstce("latent", "evaluate", tmp_path / "parsed.mrg", tmp_path / "gold.mrg").err
    assert "1 sentence without a parse: left out of all figures, as by EVALB" in err
    given = ("latent", "evaluate", tmp_path / "parsed.mrg", tmp_path / "gold.mrg", "-q")
    assert fstce(*given).err == ""


def test_trees_of_other_sentences(fstce: Any, gold: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.mrg"
    lines = gold.read_text(encoding="utf-8").splitlines(keepends=True)
    other.write_text("".join(lines[1:]), encoding="utf-8")
    code, _, err = fstce("latent", "evaluate", other, gold)
    assert code == 2 and "39 of 40 parses are errors" in err
    other.write_text("".join([*lines[1:], lines[0]]), encoding="utf-8")
    code, _, err = fstce("latent", "evaluate", other, gold)
    assert code == 2 and "sentence 1: " in err


SAMPLE = "(S (A (P this)) (B (Q is) (A (R a) (T test))))\n"
PARAMETERS = """# of the sample
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 1
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL T TT
EQ_WORD This this
"""
# A parser's lines, each for the sample sentence: errors and sentences without a parse, then
# matched, gold and predicted brackets and right tags of those that are scored.
LINES = {
    "(P this) (Q is) (R a) (T test)\n": (0, 0, 0, 4, 0, 4),
    "(S (A (P this)) (B (Q is) (A (R a) (TT test))))\n": (0, 0, 4, 4, 4, 4),
    "(S (A (P This)) (B (Q is) (A (R a) (U test))))\n": (0, 0, 4, 4, 4, 3),
    "\n": (0, 1, 0, 0, 0, 0),
    "(TOP )\n": (0, 1, 0, 0, 0, 0),
    "(())\n": (0, 1, 0, 0, 0, 0),
    "(S )\n": (0, 1, 0, 0, 0, 0),
    "(S (A (P this)) (B (Q was) (A (R a) (T test))))\n": (1, 0, 0, 0, 0, 0),
    "(S (A (P this)) (B (Q is) (V not) (A (R a) (T test))))\n": (1, 0, 0, 0, 0, 0),
    "(S (A (P this)) (B (Q is) (A (R a) (T test)))\n": (1, 0, 0, 0, 0, 0),
    "(TOP (S (A (P this)) (B (Q is) (A (R a) (T test)) (-NONE- *))))\n": (0, 0, 4, 4, 4, 4),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_fails_is_counted_as_evalb_does(fstce: Any, line: str, tmp_path: Path) -> None:
    gold, parsed, parameters = tmp_path / "gold.mrg", tmp_path / "parsed.mrg", tmp_path / "a.prm"
    gold.write_text(SAMPLE * 4)
    parsed.write_text(SAMPLE * 2 + line + SAMPLE)
    parameters.write_text(PARAMETERS)
    given = ("latent", "evaluate", parsed, gold, "--parameters", parameters, "--json")
    code, out, err = fstce(*given)
    errors, skipped, matched, in_gold, predicted, right = LINES[line]
    record = json.loads(out)["all"]
    assert code == 0
    assert (record["sentences"], record["errors"], record["without_parse"]) == (4, errors, skipped)
    assert record["precision"]["value"] == pytest.approx(100 * (12 + matched) / (12 + predicted))
    assert record["recall"]["value"] == pytest.approx(100 * (12 + matched) / (12 + in_gold))
    words = 12 + 4 * (not errors and not skipped)
    assert record["tagging_accuracy"]["value"] == pytest.approx(100 * (12 + right) / words)
    assert (f"{parsed}:3: " in err and "counted as an error" in err) == bool(errors)


def test_parses_that_are_missing_or_too_many(fstce: Any, tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text(SAMPLE * 3)
    parsed.write_text(SAMPLE * 2)
    code, out, err = fstce("latent", "evaluate", parsed, gold, "--json")
    assert code == 0 and json.loads(out)["all"]["without_parse"] == 1
    assert "1 sentence of 3 missing" in err
    parsed.write_text(SAMPLE * 4)
    code, out, err = fstce("latent", "evaluate", parsed, gold, "--json")
    assert code == 0 and json.loads(out)["all"]["sentences"] == 3
    assert f"{parsed}:4: 1 parse more than gold trees, left out" in err


def test_lines_with_several_roots_and_empty_lines_between(fstce: Any, tmp_path: Path) -> None:
    gold, parsed = tmp_path / "gold.mrg", tmp_path / "parsed.mrg"
    gold.write_text("(A (P a)) (B (Q b))\n\n" + SAMPLE + "\n" + SAMPLE)
    parsed.write_text("(S (A (P a)) (B (Q b)))\n\n" + SAMPLE + "\n(())\n")
    record = json.loads(fstce("latent", "evaluate", parsed, gold, "--json").out)["all"]
    assert (record["sentences"], record["without_parse"], record["errors"]) == (3, 1, 0)
    gold.write_text(SAMPLE * 3)
    parsed.write_text(f"{SAMPLE}\n" * 3)
    assert json.loads(fstce("latent", "evaluate", parsed, gold, "--json").out)["all"]["errors"] == 0


def test_what_is_no_file_of_parameters(fstce: Any, gold: Path, tmp_path: Path) -> None:
    (tmp_path / "a.prm").write_text("DELETE_LABEL TOP\nDELETE_LABELS X\n")
    code, _, err = fstce("latent", "evaluate", gold, gold, "--parameters", tmp_path / "a.prm")
    assert code == 2 and "a.prm:2: 'DELETE_LABELS X' is no parameter of EVALB" in err


def test_what_evaluate_refuses(fstce: Any, latent: Path, gold: Path, corpus: Path) -> None:
    code, _, err = fstce("latent", "evaluate", latent, corpus)
    assert code == 2 and "corpus.pos:1: has no phrase-structure tree" in err


def test_info(fstce: Any, latent: Path, product: Path) -> None:
    out = fstce("info", latent).out
    grammar = LatentGrammar.load(latent)
    assert f", {grammar.hierarchy_.finest.n_subcategories} subcategories\n" in out
    assert "cycles              1\n" in out
    members = [
        line for line in fstce("info", product).out.splitlines() if line.startswith("grammars ")
    ]
    assert [f"grammars {number}" in line for number, line in enumerate(members, 1)] == [True, True]
    assert "seed=1" in members[1] and "nats" in members[1]


def test_a_damaged_model(fstce: Any, tmp_path: Path) -> None:
    LatentGrammar(cycles=0).fit(sample()[:20]).save(tmp_path / "m")
    (tmp_path / "m" / "grammars.npz").write_bytes(b"PK")
    for command in (
        ("latent", "parse", tmp_path / "m"),
        ("info", tmp_path / "m"),
    ):
        code, _, err = fstce(*command, stdin=b"a\n")
        assert code == 2 and "grammars.npz: changed or cut off" in err
