"""Pairs of a sentence and a neighbor: the filters against enumeration, and who reads the file."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce import TagDictionary, neighborhood
from fstce.corpora import sample
from fstce.errors import NeighborhoodError
from fstce.neighborhoods.pairs import change, difference, may_share_tags, pairs

TEXT = [sentence.words for sentence in sample()[:12] if len(sentence) <= 8]
DICTIONARY = TagDictionary.from_corpus(sample())
LISTS = {"a": ("X",), "b": ("Y",), "c": ("X", "Y"), "d": ("Z",), "e": ()}
SENTENCES = st.lists(st.sampled_from("abcde"), max_size=5).map(tuple)


@pytest.mark.parametrize("name", ["trans1", "del1word", "del1subseq", "window3", "punc1"])
def test_without_filters_they_are_all_neighbors_but_the_text(name):
    found = list(pairs(neighborhood(name), TEXT))
    expected = {
        (" ".join(words), " ".join(bad))
        for words in TEXT
        for bad in neighborhood(name)(words).strings()
    }
    text = {" ".join(words) for words in TEXT}
    assert {(row["sentence_good"], row["sentence_bad"]) for row in found} == {
        pair for pair in expected if pair[1] not in text
    }
    assert [row["pair_id"] for row in found] == [str(i) for i in range(len(found))]
    for row in found:
        good = row["sentence_good"].split()
        good[row["place"] : row["place"] + len(row["good"])] = row["bad"]
        assert " ".join(good) == row["sentence_bad"] and row["UID"] == name


def sequences(words):
    """The sequences of tags that words may have, each repeated tag counted once."""
    ways = itertools.product(*(LISTS[word] for word in words))
    return {tuple(tag for tag, _ in itertools.groupby(way)) for way in ways}


@given(SENTENCES, SENTENCES)
def test_shared_tags_are_those_of_enumeration(good, bad):
    assert may_share_tags(good, bad, LISTS.__getitem__) == bool(sequences(good) & sequences(bad))


@given(SENTENCES, SENTENCES)
def test_the_difference_is_what_makes_one_of_the_other(good, bad):
    place, mine, other = difference(good, bad)
    assert good[:place] + other + good[place + len(mine) :] == bad
    assert (mine, other) == ((), ()) if good == bad else not (mine and other) or mine[0] != other[0]


@pytest.mark.parametrize(
    ("good", "bad", "name"),
    [
        ("a", "", "deletion"),
        ("ab", "", "deletion"),
        ("", "a", "insertion"),
        ("a", "b", "substitution"),
        ("ab", "ba", "transposition"),
        ("abc", "cab", "movement"),
        ("abc", "bca", "movement"),
        ("abcd", "dcba", "reordering"),
        ("ab", "cd", "several"),
    ],
)
def test_the_change_has_a_name(good, bad, name):
    assert change(tuple(good), tuple(bad)) == name


def test_a_class_and_a_dictionary_leave_out_pairs():
    everything = list(pairs(neighborhood("trans1"), TEXT))
    of_the = list(pairs(neighborhood("trans1"), TEXT, changed={"the"}))
    assert 0 < len(of_the) < len(everything)
    assert all("the" in (*row["good"], *row["bad"]) for row in of_the)
    by_tags = list(pairs(neighborhood("trans1"), TEXT, tags=DICTIONARY.lookup))
    left = {row["sentence_bad"] for row in everything} - {row["sentence_bad"] for row in by_tags}
    assert left
    for row in everything:
        shares = may_share_tags(
            tuple(row["sentence_good"].split()),
            tuple(row["sentence_bad"].split()),
            DICTIONARY.lookup,
        )
        assert (row["sentence_bad"] in left) == shares


def test_what_cannot_be_listed_is_refused():
    for name, message in (("length", "any word"), ("training-set", "one set of sentences")):
        with pytest.raises(NeighborhoodError, match=message):
            list(pairs(neighborhood(name), TEXT))
    long = [f"w{i}" for i in range(500)]
    with pytest.raises(NeighborhoodError, match="125,250 neighbors, more than 100,000"):
        list(pairs(neighborhood("del1subseq"), [long]))


def test_repeated_sentences_and_none():
    assert list(pairs(neighborhood("trans1"), [])) == []
    once, twice = (list(pairs(neighborhood("trans1"), [["a", "b"]] * n)) for n in (1, 2))
    assert once == twice and len(once) == 1


@pytest.fixture
def written(fstce, tmp_path):
    """A file of pairs as the verb writes it."""
    (tmp_path / "text").write_text("the old cat sat .\nthe cat sat .\n")
    done = fstce(
        "neighborhood", "pairs", "del1word", tmp_path / "text", "-o", tmp_path / "pairs.jsonl"
    )
    assert (done.code, done.out) == (0, "") and "pairs of 2 sentences" in done.err
    return tmp_path / "pairs.jsonl"


def test_the_verb_writes_what_the_library_finds(fstce, written, tmp_path):
    rows = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    assert rows == list(
        pairs(
            neighborhood("del1word"),
            [line.split() for line in (tmp_path / "text").read_text().splitlines()],
        )
    )
    assert "the cat sat ." not in {row["sentence_bad"] for row in rows}  # the text has it
    piped = fstce(
        "neighborhood", "pairs", "del1word", "-", "-q", stdin=(tmp_path / "text").read_bytes()
    )
    assert piped.out == written.read_text(encoding="utf-8")
    (tmp_path / "tags.tsv").write_text("the\tDT\nold\tJJ\ncat\tNN\nsat\tVBD\n.\t.\n")
    options = ("--dictionary", tmp_path / "tags.tsv", "--changed", "function-words", "-q")
    done = fstce("neighborhood", "pairs", "del1word", tmp_path / "text", *options)
    assert [json.loads(line)["good"] for line in done.out.splitlines()] == [["the"], ["the"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("length", "text"), "any word in its neighbors"),
        (("trans1", "none"), "no such file"),
        (("trans1", "text", "-o", "pairs.txt"), "use .jsonl"),
        (("trans1", "text", "--changed", "wordless"), "no class of words 'wordless'"),
    ],
)
def test_what_is_wrong_is_one_line_and_no_file(fstce, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("the cat sat .\n")
    code, out, err = fstce("neighborhood", "pairs", *options, "--tokenized")
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_lm_eval_reads_the_file(written):
    """As a task of BLiMP's kind: two choices, the good one first."""
    tasks = pytest.importorskip("lm_eval.api.task")
    task = tasks.ConfigurableTask(
        config={
            "task": "fstce_pairs",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"validation": str(written)}},
            "validation_split": "validation",
            "output_type": "multiple_choice",
            "doc_to_text": "",
            "doc_to_target": 0,
            "doc_to_choice": "{{[sentence_good, sentence_bad]}}",
        }
    )
    doc = next(iter(task.validation_docs()))
    assert task.doc_to_choice(doc) == [doc["sentence_good"], doc["sentence_bad"]]


def test_minicons_scores_the_file(written):
    """With a model of random weights: that the good sentence is no likelier is what it is for."""
    scorer = pytest.importorskip("minicons.scorer")
    transformers = pytest.importorskip("transformers")
    rows = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    words = sorted({word for row in rows for word in row["sentence_good"].split()})
    tokenizers = pytest.importorskip("tokenizers")
    level = tokenizers.models.WordLevel({word: i for i, word in enumerate(["<s>", *words])}, "<s>")
    tokenizer = tokenizers.Tokenizer(level)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", pad_token="<s>", eos_token="<s>"
    )
    size = transformers.GPT2Config(vocab_size=len(words) + 1, n_embd=8, n_layer=1, n_head=1)
    model = scorer.IncrementalLMScorer(transformers.GPT2LMHeadModel(size), "cpu", tokenizer=fast)
    for side in ("sentence_good", "sentence_bad"):
        assert len(model.sequence_score([row[side] for row in rows])) == len(rows)
