"""The column that a tagger's tags came from: where they go, what they are compared with."""

from __future__ import annotations

import json

import pytest

from fstce.storage.folder import own_digest

WORDS = ["en", "gammal", "klocka", "stannade"]
UPOS = ["ART", "ADJEKT", "SUBST", "VERB"]  # none of them of Universal Dependencies but one
XPOS = ["dt", "jj", "nn", "vb"]


def block(words: slice) -> str:
    """A sentence of CoNLL-U of some of the words."""
    rows = enumerate(zip(WORDS[words], UPOS[words], XPOS[words], strict=True), 1)
    return "".join(f"{n}\t{w}\t_\t{u}\t{x}\t_\t_\t_\t_\t_\n" for n, (w, u, x) in rows) + "\n"


@pytest.fixture
def treebank(tmp_path):
    """Tags in both columns, of which the finer is the default."""
    path = tmp_path / "text.conllu"
    path.write_text(block(slice(None)) + block(slice(2, 4)))
    return path


@pytest.fixture
def model(fstce, treebank, tmp_path):
    path = tmp_path / "m"
    options = ("--order", "2", "--tag-column", "upos", "-q", "-o", path)
    assert fstce("tagger", "train", treebank, *options).code == 0
    return path


def cells(out, column):
    return [line.split("\t")[column] for line in out.splitlines() if line[:1].isdigit()]


@pytest.mark.parametrize("options", [(), ("--proba",)])
@pytest.mark.parametrize("is_plain", [False, True])
def test_tags_go_where_they_came_from(fstce, treebank, model, tmp_path, is_plain, options) -> None:
    """They were written as XPOS, next to the UPOS of the input."""
    text = treebank
    if is_plain:
        text = tmp_path / "text.txt"
        text.write_text(" ".join(WORDS) + "\n")
    code, out, err = fstce("tagger", "tag", model, text, "--output-format", "conllu", *options)
    assert code == 0, err
    assert cells(out, 3)[:4] == UPOS
    has_both = not is_plain and not options
    assert cells(out, 4)[:4] == (XPOS if has_both else ["_"] * 4)


def test_a_table_is_compared_by_the_same_column(fstce, model, tmp_path) -> None:
    table = tmp_path / "gold.csv"
    rows = zip(WORDS, XPOS, UPOS, strict=True)
    table.write_text("sentence,word,xpos,upos\n" + "".join(f"1,{w},{x},{u}\n" for w, x, u in rows))
    code, out, err = fstce("tagger", "evaluate", model, table, "--json")
    assert code == 0 and '"model": {"ambiguous": null, "all": 100.0}' in out
    code, _, err = fstce("tagger", "evaluate", model, table, "--tag-column", "xpos")
    assert code == 2 and "it is of XPOS: see --tag-column upos" in err


def test_gold_is_read_from_the_column_of_the_training(fstce, treebank, model) -> None:
    code, out, err = fstce("tagger", "evaluate", model, treebank, "--json")
    assert code == 0, err
    assert '"model": {"ambiguous": null, "all": 100.0}' in out
    code, _, err = fstce("tagger", "evaluate", model, treebank, "--tag-column", "xpos")
    assert code == 2
    assert "the tag 'dt' is not in the model's tagset of 4; it is of XPOS: see --tag-column" in err


def test_a_coarse_class_in_another_column_names_the_column(fstce, model, tmp_path) -> None:
    table = tmp_path / "gold.csv"
    table.write_text(
        "sentence,word,xpos,upos\n"
        + "".join(f"1,{word},V,{upos}\n" for word, upos in zip(WORDS, UPOS, strict=True))
    )
    code, _, err = fstce("tagger", "evaluate", model, table, "--tag-column", "xpos")
    assert code == 2 and "it is of XPOS: see --tag-column upos" in err


def test_labelled_sentences_of_other_tags_are_counted(fstce, treebank, tmp_path) -> None:
    words = tmp_path / "words.tsv"
    pairs = zip(WORDS, UPOS, strict=True)
    words.write_text("".join(f"{word}\t{tag}\n" for word, tag in pairs))
    code, _, err = fstce(
        *("tagger", "train", treebank, "-d", words, "--labelled", treebank, "--order", "2")
    )
    assert code == 0, err
    assert (
        "--labelled: 6 of 6 words have tags that the dictionary lacks, read from XPOS "
        "(--tag-column): dt jj nn vb\n"
    ) in err


def test_answers_for_words_that_the_text_lacks_are_named(fstce, treebank, tmp_path) -> None:
    answers = tmp_path / "answers.tsv"
    answers.write_text("Klocka\tnn\nkloka\tnn vb\n")
    code, _, err = fstce("tagger", "train", treebank, "--answers", answers, "--order", "2")
    assert code == 0, err
    assert "answers for 2 words\n" in err and "1 word of the answers the text lacks: kloka\n" in err


def test_a_column_that_is_none_is_refused_with_its_model(fstce, treebank, model) -> None:
    content = json.loads((model / "model.json").read_text())
    assert content["text"]["tag_column"] == "upos"
    content["text"]["tag_column"] = 7
    content["digest"] = own_digest(content)
    (model / "model.json").write_text(json.dumps(content))
    code, _, err = fstce("tagger", "evaluate", model, treebank)
    assert code == 2 and str(model) in err and "tag_column" in err


def test_a_tag_that_the_dictionary_lacks_is_of_no_other_column(fstce, tmp_path) -> None:
    (tmp_path / "text.tagged").write_text("klocka/NOUN stannade/VERB\n")
    options = ("--order", "2", "-q", "-o", tmp_path / "m")
    assert fstce("tagger", "train", tmp_path / "text.tagged", *options).code == 0
    gold = tmp_path / "gold.conllu"
    gold.write_text("1\toch\t_\tCCONJ\t_\t_\t_\t_\t_\t_\n\n")
    code, _, err = fstce("tagger", "evaluate", tmp_path / "m", gold)
    assert code == 2 and "'CCONJ' is not in the model's tagset" in err
    assert err.rstrip().endswith("no word of its dictionary has it")


@pytest.mark.parametrize("source", ["table", "treebank"])
def test_the_column_of_a_dictionary_is_remembered(fstce, treebank, tmp_path, source) -> None:
    """Tags of raw text went to XPOS, because not all of them are of Universal Dependencies."""
    (tmp_path / "raw.txt").write_text(" ".join(WORDS) + "\n" + " ".join(WORDS[::-1]) + "\n")
    dictionary = treebank
    if source == "table":
        dictionary = tmp_path / "words.csv"
        rows = [f"{word},{tag.lower()}" for word, tag in zip(WORDS, UPOS, strict=True)]
        dictionary.write_text("form,upos\n" + "\n".join(rows) + "\n")
    options = ("--order", "2", "-q", "--max-iterations", "2", "-o", tmp_path / "m")
    column = ("--tag-column", "upos") if source == "treebank" else ()
    code, _, err = fstce(
        "tagger", "train", tmp_path / "raw.txt", "-d", dictionary, *column, *options
    )
    assert code == 0, err
    out = fstce("tagger", "tag", tmp_path / "m", treebank, "--output-format", "conllu", "-q").out
    before = [line.split("\t") for line in treebank.read_text().splitlines() if "\t" in line]
    after = [line.split("\t") for line in out.splitlines() if "\t" in line]
    assert [row[4] for row in after] == [row[4] for row in before]
    assert [row[3].upper() for row in after] == [row[3].upper() for row in before]
