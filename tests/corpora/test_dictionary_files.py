"""Tagging dictionaries as people have them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from fstce.corpora import TagDictionary
from fstce.corpora.dictionary_files import is_dictionary
from fstce.errors import DictionaryError, ParameterError

EXPECTED = {"saw": ("NN", "VBD"), "the": ("DT",)}
ENTRIES = [
    {"word": "saw", "pos": "NN"},
    {"word": "saw", "pos": "VBD"},
    {"word": "the", "pos": "DT"},
]
FILES = {
    "blanks.tsv": "saw\tNN VBD\nthe\tDT\n",
    "commas.tsv": "saw\tNN,VBD\nthe\tDT\n",
    "both.tsv": "saw\tNN, VBD\nthe\tDT\n",
    "counts.tsv": "saw\tNN\t3\nsaw\tVBD\t2\nthe\tDT\t9\n",
    "bars.tsv": "saw\tNN|VBD\nthe\tDT\nsun\tNN\nsat\tVBD\n",
    "slashes.tsv": "saw\tNN/VBD\nthe\tDT\nsun\tNN\nsat\tVBD\n",
    "semicolons.tsv": "saw\tNN;VBD\nthe\tDT\nsun\tNN\nsat\tVBD\n",
    "known.tsv": "saw\tNN|VBD\nthe\tDT\nsaws\tNN|VBD\n",
    "known slashes.tsv": "saw\tNN/VBD\nthe\tDT\n",
    "Excel.csv": "sep=;\nword;tag\nsaw;NN\nsaw;VBD\nthe;DT\n",
    "remarks.tsv": "saw\tNN VBD # of wood\nthe\tDT  # article\n",
    "lookup.tsv": "saw\tsaw<NN><sg>/see<VBD>\nthe\tthe<DT>\n",
    "header.tsv": "word\tcount\tpos\nsaw\t3\tNN\nsaw\t2\tVBD\nthe\t9\tDT\n",
    "plain.csv": "saw,NN\nsaw,VBD\nthe,DT\n",
    "quoted.csv": 'saw,"NN,VBD"\nthe,DT\n',
    "null.jsonl": "\n".join(map(json.dumps, [*ENTRIES, {"word": "wug", "pos": None}])),
    "header.csv": "Form,Tag\nsaw,NN|VBD\nthe,DT\n",
    "slashes.csv": "Form,Tag\nsaw,NN/VBD\nthe,DT\nsun,NN\nsat,VBD\n",
    "rows.json": json.dumps(ENTRIES),
    "wiktextract.jsonl": "\n".join(map(json.dumps, ENTRIES)),
    "forms.jsonl": json.dumps({"word": "the", "pos": "DT"})
    + "\n"
    + json.dumps({"word": "saw", "pos": "NN", "forms": [{"form": "saw", "tags": ["plural"]}]})
    + "\n"
    + json.dumps({"word": "see", "pos": "VBD", "forms": [{"form": "saw"}]}),
    "unimorph": "see\tsaw\tVBD;PST;1\nsaw\tsaw\tNN;SG\nthe\tthe\tDT;DEF\n",
    "wiktionary.tsv": "English\tsaw\tNN\t# A tool.\nEnglish\tsaw\tVBD\t# Past.\nEnglish\tthe\tDT\t# x\n",
    "hfst-lookup.txt": "saw\tsaw+NN+Sg\t0.0\nsaw\tsee+VBD\t1.5\n\nthe\tthe+DT\t0.0\n\nwug\twug+?\tinf\n\n",
    "flookup": "saw\tsaw+NN\nsaw\tsee+VBD\n\nthe\tthe+DT\n\nwug\t+?\n\n",
    "flookup.tsv": "saw\tsaw[NN][Sg]\nsaw\tsee[VBD]\nthe\tthe[DT]\n",
    "optimized": "saw\tsaw<NN>\nsaw\tsee<VBD>\n\nthe\tthe<DT>\n\nwug\twug\t+?\n\n",
    "lt-expand": "saw:saw<NN><sg>\nsaw:>:see<VBD>\nwugs:<:wug<NN>\nthe:the<DT>+x<NN>\nold saw:saw<NN>\n",
}


@pytest.mark.parametrize("name", FILES)
def test_all_say_the_same(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    assert is_dictionary(str(path))
    found = dict(TagDictionary.from_file(path))
    assert {word: found[word] for word in EXPECTED} == EXPECTED


@pytest.mark.parametrize("name", sorted(FILES.keys() - {"plain.csv", "quoted.csv", "Excel.csv"}))
def test_what_a_file_holds_says_that_it_is_one(tmp_path: Path, name: str) -> None:
    """`NOUN VERB` of a list that was called .txt was the tag NOUN_VERB, NOUN|VERB one tag."""
    path = tmp_path / "words.txt"
    path.write_text(FILES[name], encoding="utf-8")
    assert is_dictionary(str(path))
    found = dict(TagDictionary.from_file(path))
    assert {word: found[word] for word in EXPECTED} == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        "the\tDT\ndog\tNN\n\na\tDT\n",
        "the\tDT\ndog\tNN\nand\tCC\nthe\tDT\ncat\tNN\n",
        "the dog\tder Hund\na cat\teine Katze\n",
        '{"words": ["the", "dog"], "pos": ["DT", "NN"]}\n',
        "word\tlemma\tpos\nthe\tthe\tDT\n",
        "the/DT dog/NN\n",
    ],
)
def test_texts_are_no_dictionaries(tmp_path: Path, text: str) -> None:
    path = tmp_path / "text.txt"
    path.write_text(text, encoding="utf-8")
    assert not is_dictionary(str(path))


def test_compressed_and_corpora(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv.gz"
    path.write_bytes(gzip.compress(FILES["blanks.tsv"].encode()))
    assert is_dictionary(str(path))
    assert dict(TagDictionary.from_file(path)) == EXPECTED
    corpus = tmp_path / "text.pos"
    corpus.write_text("the/DT saw/NN\n")
    assert not is_dictionary(str(corpus))
    assert not is_dictionary("sample")


def test_a_comma_and_a_bar_are_tags_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(",\t,\nsaw\tNN , VB\n")
    assert TagDictionary.from_file(tmp_path / "a.tsv")["saw"] == (",", "NN", "VB")


def test_a_comma_among_marks_belongs_to_its_tag(tmp_path: Path) -> None:
    """`$,` of the STTS was the tag $, and `J,----` of Prague's treebank two tags, in silence."""
    (tmp_path / "a.tsv").write_text(",\t$,\naby\tJ,----\nsaw\tNN, VB\n")
    listed = dict(TagDictionary.from_file(tmp_path / "a.tsv"))
    assert listed == {",": ("$,",), "aby": ("J,----",), "saw": ("NN", "VB")}


def test_words_of_several_parts_are_no_tokens(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("New York,NNP\nsaw,NN\n")
    assert set(TagDictionary.from_file(tmp_path / "a.csv")) == {"saw"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "word,pos\nsaw\n", r"a\.csv:2: 1 columns, but the tags are in 2"),
        ("a.json", "{", r"a\.json: is no JSON"),
        ("a.json", "[" * 100_000, r"a\.json: is no JSON"),
        ("a.json", '{"a":' * 100_000, r"a\.json: is no JSON"),
        ("a.json", '[{"word": "saw", "pos": [3]}]', r"a\.json: entry 1: '\[3\]' are no tags"),
        ("a.json", '[{"word": "saw"}]', "is no object with word and pos"),
        ("a.csv", "New York,NNP\n", "lists no word"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DictionaryError, match=message):
        TagDictionary.from_file(tmp_path / name)


def test_a_field_without_end_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("word,tag\nsaw,NN\n" + "x" * 200_000)
    with pytest.raises(DictionaryError, match=r"a\.csv:3: no row of a table \(field larger"):
        TagDictionary.from_file(tmp_path / "a.csv")


@pytest.mark.parametrize("header", ["", "word;tags\n"])
def test_columns_with_semicolons_between(tmp_path: Path, header: str) -> None:
    (tmp_path / "d.csv").write_text(f'{header}clock;NN\nstopped;VBD VBN\n"a;b";NN\nthe;"DT,CD"\n')
    found = TagDictionary.from_file(tmp_path / "d.csv")
    assert dict(found.items()) == {
        "clock": ("NN",),
        "stopped": ("VBD", "VBN"),
        "a;b": ("NN",),
        "the": ("CD", "DT"),
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "saw\tN:45 V:3\nthe\tD\n"),
        ("a.csv", "word,tag,count\nsaw,N,40\nsaw,V,3\nsaw,N,5\nthe,D,1\n"),
    ],
)
def test_how_often_a_word_has_its_tags(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    found = TagDictionary.from_file(tmp_path / name)
    assert dict(found) == {"saw": ("N", "V"), "the": ("D",)} and found.counts["saw"] == {
        "N": 45,
        "V": 3,
    }
    found.to_tsv(tmp_path / "b.tsv")
    assert TagDictionary.from_file(tmp_path / "b.tsv") == found


def test_an_order_of_tags(tmp_path):
    (tmp_path / "a.tsv").write_text("saw\tV > N\nthe\tD\n")
    found = TagDictionary.from_file(tmp_path / "a.tsv")
    assert found.usual == {"saw": "V"} and found["saw"] == ("N", "V")
    found.to_tsv(tmp_path / "b.tsv")
    assert TagDictionary.from_file(tmp_path / "b.tsv") == found


def test_what_is_no_count(tmp_path):
    (tmp_path / "a.csv").write_text("word,tag,count\nsaw,N,many\n")
    with pytest.raises(DictionaryError, match=r"a\.csv:2: 'many' is no count of 'N'"):
        TagDictionary.from_file(tmp_path / "a.csv")
    for counts in ({"saw": {"V": 1}}, {"saw": {"N": -1}}, {"saw": {"N": 0}}, {"wug": {"N": 1}}):
        with pytest.raises((DictionaryError, ParameterError), match="counts"):
            TagDictionary({"saw": "N"}, ["N", "V"], counts=counts)


def test_pieces_of_words_and_names_of_tables_are_no_words(tmp_path: Path) -> None:
    entries = [
        {
            "word": "go",
            "pos": "verb",
            "forms": [
                {"form": "went", "tags": ["past"]},
                {"form": "no-table-tags", "tags": ["table-tags"]},
                {"form": "en-conj", "tags": ["inflection-template"]},
                {"form": "-"},
            ],
        },
        {"word": "-ness", "pos": "suffix"},
        {"word": "ness", "pos": "suffix"},
        {"word": "-ish", "pos": "adj"},
        {"word": "-", "pos": "punct"},
        {"word": "half-baked", "pos": "adj"},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, entries)))
    found = TagDictionary.from_file(tmp_path / "a.jsonl")
    assert dict(found) == {
        "go": ("verb",),
        "went": ("verb",),
        "-": ("punct",),
        "half-baked": ("adj",),
    }


def test_tagged_lines_of_json_and_streams_are_corpora(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"words": ["saw"], "tags": ["NN"]}\n')
    (tmp_path / "a.tsv").write_text("^saw/saw<n>$\n")
    assert not is_dictionary(str(tmp_path / "a.jsonl"))
    assert not is_dictionary(str(tmp_path / "a.tsv"))


@pytest.mark.parametrize(
    "words",
    [
        {"go": {"V": 1, "V:1": 1}, "up": {"V:1:1": 1}},
        {"go": {"V": 5}, "up": {"V:5": 2}, "in": {"V:05": 2}},
        {"go": {"V": 0.00001}, "up": ["V:1e-05"]},
    ],
)
def test_counts_that_are_spelt_as_tags_are_read_again(
    tmp_path: Path, words: dict[str, Any]
) -> None:
    counts = {word: tags for word, tags in words.items() if isinstance(tags, dict)}
    first = TagDictionary({word: [*tags] for word, tags in words.items()}, counts=counts)
    first.to_tsv(tmp_path / "b.tsv")
    assert TagDictionary.from_file(tmp_path / "b.tsv").to_dict() == first.to_dict()


def test_an_angle_bracket_may_be_a_tag(tmp_path: Path) -> None:
    words = {"x": ["A", ">", "B"], "y": [">", ">>"]}
    for dictionary in (TagDictionary(words), TagDictionary(words, usual={"x": "B"})):
        dictionary.to_tsv(tmp_path / "b.tsv")
        assert TagDictionary.from_file(tmp_path / "b.tsv").to_dict() == dictionary.to_dict()


def test_swapped_columns_with_repeated_tags_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("DT\tthe\nNN\tdog\nNN\tcat\nVB\tsee\nNN\that\nNN\tboy\n")
    with pytest.raises(DictionaryError, match=r"a\.tsv:3: the word 'NN' .*columns look swapped"):
        TagDictionary.from_file(tmp_path / "a.tsv")
    (tmp_path / "a.tsv").write_text("the\tDT\ndog\tNN\ndog\tVB\ncat\tNN\nhat\tNN\n")
    assert TagDictionary.from_file(tmp_path / "a.tsv")["dog"] == ("NN", "VB")


def test_a_table_says_which_tagset_it_has(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("form\tupos\txpos\nsaw\tNOUN\tNN\nsaw\tVERB\tVBD\n")
    found = TagDictionary.from_file(tmp_path / "a.tsv")
    assert (found.tag_column, found["saw"]) == ("upos", ("NOUN", "VERB"))
    other = TagDictionary.from_file(tmp_path / "a.tsv", "xpos")
    assert (other.tag_column, other["saw"]) == ("xpos", ("NN", "VBD"))
    found.to_tsv(tmp_path / "b.tsv")
    again = TagDictionary.from_file(tmp_path / "b.tsv")
    assert again == found and again.updated({"a": "X"}).tag_column == "upos"
    assert found.mapped({"NOUN": "N"}).tag_column == ""


def test_redirects_are_no_words_and_faults_have_their_entry(tmp_path: Path) -> None:
    entries = [{"word": "saw", "pos": "noun"}, {"title": "sawe", "redirect": "saw"}]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, entries)))
    assert dict(TagDictionary.from_file(tmp_path / "a.jsonl")) == {"saw": ("noun",)}
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, [*entries, {"word": "see"}])))
    with pytest.raises(DictionaryError, match=r"a\.jsonl: entry 3: .* no object with word and pos"):
        TagDictionary.from_file(tmp_path / "a.jsonl")


def test_a_row_of_unimorph_that_lacks_its_features_is_named(tmp_path: Path) -> None:
    """Behind the first lines, which show the form of a file."""
    path = tmp_path / "forms.tsv"
    rows = [f"run\trun{number}\tV;PST" for number in range(40)]
    path.write_text("\n".join([*rows, "run\trunning"]))
    with pytest.raises(DictionaryError, match=r"forms\.tsv:41: 2 columns, but the tags are in 3"):
        TagDictionary.from_file(path)


def test_segmented_forms_of_unimorph(tmp_path: Path) -> None:
    """Its features were taken for tags one by one."""
    (tmp_path / "a.tsv").write_text("see\tsaw\tV;PST\t|s|ee\ncat\tcats\tN;PL\tcat|s\n")
    found = TagDictionary.from_file(tmp_path / "a.tsv")
    assert dict(found) == {"saw": ("V",), "cats": ("N",)}


def test_the_suffix_of_json_may_be_in_capitals(tmp_path: Path) -> None:
    (tmp_path / "Wiki.JSONL").write_text('{"word": "owl", "pos": "noun"}\n')
    assert dict(TagDictionary.from_file(tmp_path / "Wiki.JSONL")) == {"owl": ("noun",)}


@pytest.mark.parametrize(
    "text", ["New York\tNNP\nsaw\tNN VBD\n", "word,tag\nNew York,NNP\nsaw,NN VBD\n"]
)
def test_words_of_several_parts_are_left_out_of_every_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / ("a.csv" if "," in text else "a.tsv")
    path.write_text(text)
    assert dict(TagDictionary.from_file(path)) == {"saw": ("NN", "VBD")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the\tDT 100\ndog\tNN 7 VB 1\n", "the word 'the' has the number 100 for a tag"),
        ("dog\t12\ncat\t3\n", "the word 'dog' has the number 12 for a tag"),
        ("1\tthe\tthe\tDT\n2\tdogs\tdog\tNN\n", "4 fields where two are due"),
        ("dogs\tnc\tdog\tmp\ncat\tnc\tcat\tms\n", "4 fields where two are due"),
        (
            "".join(f"w{i}\tl{i}\n" for i in range(200)),
            "200 tags of 200 words; the column holds no",
        ),
    ],
)
def test_a_column_that_holds_no_tags_is_named(tmp_path: Path, text: str, message: str) -> None:
    """Numbers and lemmas became tags."""
    (tmp_path / "a.tsv").write_text(text)
    with pytest.raises(DictionaryError, match=re.escape(message)):
        TagDictionary.from_file(tmp_path / "a.tsv")


def test_counts_in_brackets_are_counts(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("the\tDT(100)\ndog\tNN(7) VB(1)\n")
    dictionary = TagDictionary.from_file(tmp_path / "a.tsv")
    assert dictionary.counts["dog"] == {"NN": 7, "VB": 1}


@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_one_tag_with_marks_stays_one_and_that_is_said(tmp_path: Path, name: str) -> None:
    """In a .csv it was parted, and in a .tsv nothing was said."""
    rows = ["word,tag", "hus,NN|NEU|SIN", "bok,NN|UTR|SIN", "saw,NOUN|VERB"]
    text = "\n".join(rows)
    (tmp_path / name).write_text(text.replace(",", "\t") if name == "a.tsv" else text)
    with pytest.warns(UserWarning, match=r"tags like NN\|NEU\|SIN are read as one each"):
        listed = TagDictionary.from_file(tmp_path / name)
    assert listed["hus"] == ("NN|NEU|SIN",)
    assert listed["saw"] == ("NOUN|VERB",)  # a column is read in one way


def test_of_lists_with_counts_it_is_said_that_they_are_tags(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("word,tag,count\nsaw,NOUN|VERB,3\nsaw,NOUN,1\nthe,DET,9\n")
    with pytest.warns(UserWarning, match=r"tags like NOUN\|VERB are read as one each"):
        listed = TagDictionary.from_file(tmp_path / "a.csv")
    assert listed.counts["saw"] == {"NOUN": 1, "NOUN|VERB": 3}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("saw\tNN (45)\nthe\tDT (3)\n", "the word 'saw' has the number .45. for a tag"),
        ("saw\tNN:45|VB:3\nthe\tDT:9\n", "counts stand behind tags"),
        (
            "1\tthe\t69971\n2\tof\t36412\n3\tand\t28853\n",
            "numbers for words; write word, tab, tags",
        ),
        ("cats\tcat N\nthe\tthe D\ndogs\tdog N\nruns\trun V\n", "lemmas among the tags"),
        ("katt\tkatt.NN\nhund\thund.NN\nen\ten.DT\n", "lemmas among the tags"),
        ("cat\tcat{N}\ndog\tdog{N}\nthe\tthe{D}\n", "lemmas among the tags"),
        ("word\tfeats\nhus\tNeut\nbok\tUtr\n", "a header that names no column of tags"),
    ],
)
def test_what_is_no_tag_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """Each was a dictionary, in silence."""
    (tmp_path / "a.tsv").write_text(text)
    with pytest.raises(DictionaryError, match=rf"a\.tsv: .*{message}"):
        TagDictionary.from_file(tmp_path / "a.tsv")


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"word": "saw", "pos": "NN"}\n{"word": "the", "pos":\n')
    with pytest.raises(DictionaryError, match=r"a\.jsonl:2: is no JSON"):
        TagDictionary.from_file(tmp_path / "a.jsonl")


def test_a_tag_with_its_features_behind_blanks_is_suspected(tmp_path: Path) -> None:
    rows = [f"w{i}\tN {'sg' if i % 2 else 'pl'}\n" for i in range(40)]
    (tmp_path / "a.tsv").write_text("".join(rows) + "x\tV past\n")
    with pytest.warns(UserWarning, match=r"most tags stand only with others; .* join it"):
        TagDictionary.from_file(tmp_path / "a.tsv")


@pytest.mark.parametrize("cell", ["NN | VBD", "NN / VBD", "NN ; VBD", "NN; VBD", "NN, VBD;"])
def test_marks_between_blanks_are_no_tags(tmp_path: Path, cell: str) -> None:
    """`|` was a tag, and `NN;` another than NN."""
    (tmp_path / "a.tsv").write_text(f" saw \t{cell}\nthe\u00a0\tDT\n")
    assert dict(TagDictionary.from_file(tmp_path / "a.tsv")) == EXPECTED


@pytest.mark.parametrize("cell", ["[NN, VBD]", "['NN', 'VBD']", "{NN,VBD}", '"NN VBD"'])
def test_lists_in_brackets_are_refused(tmp_path: Path, cell: str) -> None:
    """`[NN` and `VBD]` were tags."""
    (tmp_path / "a.tsv").write_text(f"saw\t{cell}\nthe\tDT\n")
    with pytest.raises(DictionaryError, match="brackets or quotation marks around tags"):
        TagDictionary.from_file(tmp_path / "a.tsv")
    (tmp_path / "a.tsv").write_text("saw\tV[past] N{sg}\n[\t[\n")
    assert TagDictionary.from_file(tmp_path / "a.tsv")["saw"] == ("N{sg}", "V[past]")


def test_forms_that_there_are_not(tmp_path: Path) -> None:
    (tmp_path / "a.um").write_text("see\t—\tV;PST\nsee\tsaw\tV;PST\ncan\t-\tV;NFIN\ns\t-s\tN;PL\n")
    assert set(TagDictionary.from_file(tmp_path / "a.um")) == {"saw", "-s"}
    (tmp_path / "a.jsonl").write_text('{"word": "saw", "pos": "NN", "forms": null}\n')
    assert set(TagDictionary.from_file(tmp_path / "a.jsonl")) == {"saw"}
    (tmp_path / "a.jsonl").write_text('{"word": null, "pos": "NN"}\n')
    with pytest.raises(DictionaryError, match=r"entry 1: .* is no object with word and pos"):
        TagDictionary.from_file(tmp_path / "a.jsonl")
