"""`fstce tagger dictionary`, and what `train` says of a dictionary before anything is built."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fstce.corpora import TagDictionary

TEXT = "The old clock stopped .\nthe clock RANG 12 times .\n"
LOOKUP = """the	the+Det	0.0

clock	clock+N+Sg	0.0
clock	clock+V	0.5

rang	ring+V	0.0

wug	wug+?	inf
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "lookup.txt").write_text(LOOKUP)
    (tmp_path / "map.tsv").write_text("Det\tDET\nN\tNOUN\n")
    return tmp_path


def test_a_dictionary_of_an_analyser_as_lt_print_writes_it(fstce: Any, folder: Path) -> None:
    """It knew no word, for ε was a letter."""
    arcs = ["0\t1\tT\tt", "0\t1\tt\tt", "1\t2\th\th", "2\t3\te\te", "3\t4\tε\t<det>"]
    lines = "".join(f"{arc}\t0.000000\t\n" for arc in arcs)
    (folder / "x.att").write_text(f"{lines}4\t0.000000\n")
    given = ["tagger", "dictionary", folder / "x.att", folder / "text.txt"]
    assert fstce(*given, "-o", folder / "w.tsv").code == 0
    assert TagDictionary.from_file(folder / "w.tsv")["the"] == ("det",)


def test_a_dictionary_of_a_lookup(fstce: Any, folder: Path) -> None:
    given = ["tagger", "dictionary", folder / "lookup.txt", folder / "text.txt"]
    code, out, err = fstce(
        *given, "-o", folder / "w.tsv", "--tag-map", folder / "map.tsv", "--json"
    )
    assert code == 0
    found = TagDictionary.from_file(folder / "w.tsv")
    assert dict(found) == {
        ".": ("PUNCT",),
        "12": ("NUM",),
        "RANG": ("V",),
        "The": ("DET",),
        "clock": ("NOUN", "V"),
        "rang": ("V",),
        "the": ("DET",),
    }
    record = json.loads(out)
    assert (record["words"], record["listed"], record["with_one_tag"]) == (11, 8, 6)
    assert list(record["commonest_unlisted"]) == ["old", "stopped", "times"]
    assert "the map has nothing for V" in err and "lacks common words" in err
    code, _, err = fstce(*given, "-o", folder / "w.tsv")
    assert code == 2 and "is there already" in err


def test_counts_stay_and_slips_go(fstce: Any, folder: Path) -> None:
    (folder / "a.tsv").write_text("clock\tN:99 V:1\nthe\tD:9\n")
    code, out, _ = fstce(
        "tagger", "dictionary", folder / "a.tsv", folder / "text.txt", "-o", folder / "w.tsv"
    )
    assert code == 0 and "listed in another case" in out
    found = TagDictionary.from_file(folder / "w.tsv")
    assert found["clock"] == ("N",) and found.counts["the"] == {"D": 9}


def test_train_maps_the_tags_of_a_dictionary(fstce: Any, folder: Path) -> None:
    given = ("-d", folder / "lookup.txt", "--tag-map", folder / "map.tsv", "--max-iterations", 1)
    code, _, err = fstce(
        "tagger", "train", folder / "text.txt", *given, "-o", folder / "m", "-n", "trans1"
    )
    assert code == 0, err
    out = fstce("tagger", "tag", folder / "m", folder / "text.txt").out
    assert {token.rpartition("/")[2] for token in out.split()} <= {
        "DET",
        "NOUN",
        "V",
        "PUNCT",
        "NUM",
    }


def test_train_adds_marks_and_numbers_as_this_verb_does(fstce: Any, folder: Path) -> None:
    """A full stop that the dictionary lacked could have any tag."""
    (folder / "a.tsv").write_text("the\tDET\nold\tADJ\nclock\tNOUN\nrang\tVERB\n,\tPUNCT\n6\tNUM\n")
    given = ("-d", folder / "a.tsv", "-o", folder / "m", "--max-iterations", 2, "-n", "trans1")
    code, _, err = fstce("tagger", "train", folder / "text.txt", *given)
    assert code == 0 and "added to the dictionary: 2 marks and numbers of the text" in err
    tokens = fstce("tagger", "tag", folder / "m", folder / "text.txt", "--tokenized").out.split()
    assert (tokens.count("./PUNCT"), tokens.count("12/NUM")) == (2, 1)


def test_train_refuses_what_lists_nothing(fstce: Any, folder: Path) -> None:
    (folder / "d.tsv").write_text("DET\tThe the\nN\tclock times\n")
    code, _, err = fstce(
        "tagger", "train", folder / "text.txt", "-d", folder / "d.tsv", "-o", folder / "m"
    )
    said = f"d.tsv: lists 0 of 11 words of {folder}/text.txt; the columns look swapped"
    assert code == 2 and said in err
    assert not (folder / "m").exists()
    code, _, err = fstce("info", folder / "text.txt", "-d", folder / "d.tsv")
    assert code == 2 and "the columns look swapped" in err


def test_a_csv_is_written_as_one(fstce, corpus, tmp_path):
    """It had tabs and lines of comments, which a table of commas read as words."""
    output = tmp_path / "words.csv"
    assert fstce("tagger", "dictionary", corpus, corpus, "-q", "-o", output).code == 0
    lines = output.read_text().splitlines()
    assert lines[0] == "word,tags" and '",",' in "\n".join(lines)
    listed = TagDictionary.from_file(output)
    assert dict(listed) == dict(TagDictionary.from_file(_as_tsv(fstce, corpus, tmp_path)))


def _as_tsv(fstce, corpus, tmp_path):
    path = tmp_path / "words.tsv"
    assert fstce("tagger", "dictionary", corpus, corpus, "-q", "-o", path).code == 0
    return path


def test_a_dictionary_is_a_file(fstce: Any, folder: Path) -> None:
    """Of standard input ``saw TAB NOUN VERB`` was a text, whose tag is NOUN_VERB."""
    for verb in ("dictionary", "train"):
        source = ["-", folder / "text.txt"] if verb == "dictionary" else [folder / "text.txt"]
        options = ["-o", folder / verb, *(["-d", "-"] if verb == "train" else [])]
        code, _, err = fstce("tagger", verb, *source, *options, stdin=b"clock\tNOUN VERB\n")
        assert code == 2 and "a dictionary is read from a file" in err


def test_what_is_struck_is_said(fstce: Any, folder: Path) -> None:
    (folder / "counts.tsv").write_text("the\tDET:990 NOUN:3\nclock\tNOUN:5 VERB:4\n")
    given = ["tagger", "dictionary", folder / "counts.tsv", folder / "text.txt"]
    code, _, err = fstce(*given, "-o", folder / "w.tsv")
    assert code == 0 and "struck: 2 tags of less than 2 % of a word's tokens" in err
