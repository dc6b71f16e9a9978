"""Tagging dictionaries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fstce.corpora import Sentence, TagDictionary
from fstce.corpora.dictionary import dictionary_of
from fstce.corpora.words import check_aligned
from fstce.errors import CorpusError, DictionaryError, ParameterError

_TAGS = ["CC", "DT", "NN", "VB"]
_DICTIONARIES = st.builds(
    TagDictionary,
    st.dictionaries(
        st.sampled_from(["a", "b", "c", "#"]), st.sets(st.sampled_from(_TAGS), min_size=1)
    ),
    tagset=st.just(_TAGS),
    open_class=st.sets(st.sampled_from(_TAGS), min_size=1),
    unseen=st.sampled_from(["open", "all"]),
)
_CORPUS = [
    Sentence(["the", "saw", "saw", "it"], tags=["DT", "NN", "VBD", "PRP"]),
    Sentence(["it", "saw", "the", "wug"], tags=["PRP", "VBD", "DT", "NN"]),
    Sentence(["gosh"], tags=["UH"]),
]


def test_lookup_and_membership() -> None:
    dictionary = TagDictionary({"saw": ["VBD", "NN", "NN"], "the": "DT"}, open_class=["NN"])
    assert dict(dictionary) == {"saw": ("NN", "VBD"), "the": ("DT",)}
    assert dictionary.tagset == ("DT", "NN", "VBD")
    assert (dictionary.lookup("wug"), "wug" in dictionary, dictionary.get("wug")) == (
        ("NN",),
        False,
        None,
    )
    assert [dictionary.is_ambiguous(word) for word in ("saw", "the", "wug")] == [True, False, False]
    assert repr(dictionary) == "TagDictionary(2 words, 3 tags, unseen='open')"


def test_words_not_listed_take_the_open_class_or_all_tags() -> None:
    words = {"saw": ["VBD", "NN"], "the": ["DT"]}
    assert TagDictionary(words, open_class="NN").lookup("wug") == ("NN",)
    assert TagDictionary(words, open_class="NN", unseen="all").lookup("wug") == ("DT", "NN", "VBD")
    assert TagDictionary(words).lookup("wug") == ("DT", "NN", "VBD")


def test_a_complete_dictionary_of_a_corpus() -> None:
    dictionary = TagDictionary.from_corpus(_CORPUS)
    assert dict(dictionary) == {
        "the": ("DT",), "saw": ("NN", "VBD"), "it": ("PRP",), "wug": ("NN",), "gosh": ("UH",)
    }  # fmt: skip
    assert (dictionary.open_class, dictionary.unseen) == (("NN", "UH"), "open")
    assert dictionary.lookup("blick") == ("NN", "UH")
    assert dictionary.ambiguity(_CORPUS) == pytest.approx(12 / 9)


def test_dilution_by_first_sentences_keeps_the_tags_of_all() -> None:
    dictionary = TagDictionary.from_corpus(_CORPUS, first=1)
    assert set(dictionary) == {"the", "saw", "it"}
    assert dictionary.lookup("gosh") == ("DT", "NN", "PRP", "UH", "VBD")
    assert dictionary["saw"] == ("NN", "VBD")


def test_dilution_by_count() -> None:
    dictionary = TagDictionary.from_corpus(_CORPUS, min_count=3)
    assert dict(dictionary) == {"saw": ("NN", "VBD")}
    assert dictionary.lookup("the") == ("DT", "NN", "PRP", "UH", "VBD")
    assert TagDictionary.from_corpus(_CORPUS, first=2, min_count=2)["it"] == ("PRP",)


@given(st.integers(1, 4), st.integers(1, 4))
def test_less_of_the_corpus_never_narrows_a_word_that_it_leaves_out(
    first: int, min_count: int
) -> None:
    diluted = TagDictionary.from_corpus(_CORPUS, first=first, min_count=min_count)
    full = TagDictionary.from_corpus(_CORPUS)
    assert diluted.tagset == full.tagset
    assert set(diluted) <= set(full)
    for word in full:
        assert (
            set(diluted.lookup(word)) <= set(full[word])
            if word in diluted
            else diluted.lookup(word) == full.tagset
        )


@given(_DICTIONARIES)
def test_a_dictionary_survives_json(dictionary: TagDictionary) -> None:
    assert TagDictionary.from_dict(json.loads(json.dumps(dictionary.to_dict()))) == dictionary


def test_equality_sees_the_rule_for_unseen_words() -> None:
    one = TagDictionary({"a": "NN", "b": "DT"})
    assert one == TagDictionary({"b": "DT", "a": ["NN"]})
    assert one == {"a": ("NN",), "b": ("DT",)}
    assert one != TagDictionary({"a": "NN", "b": "DT"}, unseen="all")
    assert one != TagDictionary({"a": "NN", "b": "DT"}, open_class="NN")


def test_coerce() -> None:
    dictionary = TagDictionary({"a": "NN"})
    assert TagDictionary.coerce(dictionary) is dictionary
    assert TagDictionary.coerce({"a": "NN", "b": {"NN", "DT"}})["b"] == ("DT", "NN")
    with pytest.raises(DictionaryError, match="mapping from words to tags, not list"):
        TagDictionary.coerce([("a", "NN")])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mapping": {"a": []}, "tagset": ["NN"]}, "word 'a' has no tags"),
        (
            {"mapping": {"a": "VDB"}, "tagset": ["NN", "VBD"]},
            "word 'a': tag 'VDB' .* nearest is 'VBD'",
        ),
        (
            {"mapping": {"a": "NN"}, "open_class": ["XY"]},
            "open class: tag 'XY' is not in the tagset",
        ),
        ({"mapping": {"a b": "NN"}}, "word 'a b': a word .* holds no white space"),
        ({"mapping": {"": "NN"}}, "word '': a word is not empty"),
        ({"mapping": {"<s>": "NN"}}, "word '<s>': a word is .* not reserved"),
        ({"mapping": {"a": "N N"}}, "tag 'N N': a tag .* holds no white space"),
        ({"mapping": {"a": "<s>"}}, "tag '<s>': a tag is .* not reserved"),
        ({"mapping": {}}, "needs at least one tag"),
    ],
)
def test_what_a_dictionary_refuses(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(DictionaryError, match=message):
        TagDictionary(**arguments)


def test_parameters_out_of_range() -> None:
    with pytest.raises(
        ParameterError, match="unseen='al': choose one of open, all; did you mean 'all'"
    ):
        TagDictionary({"a": "NN"}, unseen="al")
    with pytest.raises(ParameterError, match="first=0"):
        TagDictionary.from_corpus(_CORPUS, first=0)
    with pytest.raises(ParameterError, match="min_count=0"):
        TagDictionary.from_corpus(_CORPUS, min_count=0)


def test_corpora_that_give_no_dictionary() -> None:
    with pytest.raises(DictionaryError, match=r"a\.txt:7: no tags to make a dictionary of"):
        TagDictionary.from_corpus([Sentence(["a"], source="a.txt:7")])
    with pytest.raises(DictionaryError, match="no sentence to make a dictionary of"):
        TagDictionary.from_corpus([])
    with pytest.raises(CorpusError, match="there is no sentence"):
        TagDictionary({"a": "NN"}).ambiguity([])
    with pytest.raises(DictionaryError, match="needs the entry 'words'"):
        TagDictionary.from_dict({"tagset": ["NN"]})


def test_the_treebank_sample(nltk_treebank: list[Sentence]) -> None:
    dictionary = TagDictionary.from_corpus(nltk_treebank)
    assert (len(dictionary), len(dictionary.tagset)) == (11_968, 45)
    assert all(
        set(s.tags or ()) <= {t for w in s for t in dictionary[w]} for s in nltk_treebank[:100]
    )
    assert "." not in dictionary.open_class


TOKENS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("NV")), min_size=1, max_size=4)


@given(st.lists(TOKENS, min_size=1, max_size=4))
def test_the_dictionary_is_that_of_the_corpus(corpus: list[list[tuple[str, str]]]) -> None:
    rows, tags = ([[token[i] for token in sentence] for sentence in corpus] for i in (0, 1))
    check_aligned(rows, tags)
    found = dictionary_of(rows, [*tags, ["X"]])
    complete = TagDictionary.from_corpus([Sentence(*pair) for pair in zip(rows, tags, strict=True)])
    assert {word: found[word] for word in found} == {word: complete[word] for word in complete}
    assert found.tagset == complete.tagset


@pytest.mark.parametrize("symbol", ["<n>", "+n", "[n]"])
def test_a_letter_of_a_lemma_is_no_tag(symbol: str) -> None:
    analyses = {"una": [("u", "n", "o", "<det>")], "nono": [("n", "o", "n", "o", symbol)]}
    rule = {"n": "NOUN", "det": "DET", "<n>": "NOUN"}
    found = TagDictionary.from_analyser(
        lambda word: analyses.get(word, []), ["una", "nono"], tag=rule
    )
    assert dict(found) == {"una": ("DET",), "nono": ("NOUN",)}


def test_words_of_a_text_are_listed_in_its_order_whatever_the_hashes() -> None:
    """What is learned of a dictionary depends on the order of its words, to the bit."""
    code = (
        "from fstce import TagDictionary; listed = TagDictionary({w: 'D' for w in 'abcdef'}); "
        "print(*listed.for_text([[w] for w in 'FCBEAD']))"
    )
    for seed in ("1", "2", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code]
        printed = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        assert printed.decode().split() == [*"abcdef", *"FCBEAD"]


def test_a_list_of_pairs_says_nothing_of_how_often() -> None:
    pairs = [Sentence([word], tags=[tag]) for word, tag in (("saw", "NN"), ("saw", "VBD"))]
    assert not TagDictionary.from_corpus(pairs, counts=True).counts
    assert TagDictionary.from_corpus([*pairs, pairs[0]], counts=True).counts["saw"] == {
        "NN": 2,
        "VBD": 1,
    }
