"""Tagged sentences as numbers, against a loop over each sentence."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from oracles import tagged_features
from tagging_cases import CORPUS, DICTIONARY, ORDERS, contrast_of

from fstce.errors import CorpusError
from fstce.grammars import tag_ngrams
from fstce.machines.symbols import Symbols
from fstce.wfsa.compile import check_allowed, feature_counts, tokens
from fstce.wfsa.features import tag_pairs

GOLD = [
    ("D", "N", "V"),
    ("N", "V"),
    ("D", "N", "V"),
    ("V",),
    ("N", "V", "D"),
    ("N", "V"),
    ("V", "N"),
]
TAGS = ("D", "N", "V")
# Words that training did not see, one of them with a digit, and n-grams that it did not see.
UNSEEN = [("quux", "The"), ("The", "The", "x-9s")]
UNSEEN_GOLD = [("V", "D"), ("D", "D", "N")]


@st.composite
def tagged_corpora(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]], tuple[str, ...]]:
    """Sentences of one to five words, their tags, and a tagset of one to four."""
    tagset = "DNVX"[: draw(st.integers(1, 4))]
    pair = st.tuples(st.sampled_from("abc"), st.sampled_from(tagset))
    rows = draw(st.lists(st.lists(pair, min_size=1, max_size=5), min_size=1, max_size=5))
    return (
        [[w for w, _ in row] for row in rows],
        [[t for _, t in row] for row in rows],
        tuple(tagset),
    )


@given(tagged_corpora(), st.sampled_from(ORDERS))
def test_words_tags_and_ngrams_are_those_of_a_loop(corpus, order: int) -> None:
    sentences, gold, tagset = corpus
    symbols = Symbols("abc")
    tagged = tokens(sentences, gold, symbols, tagset, order)
    names = (*tagset, "<boundary>")
    expected = []
    for row in gold:
        padded = ["<boundary>"] * (order - 1) + row + ["<boundary>"]
        expected += [tuple(padded[i : i + order]) for i in range(len(row) + 1)]
    found = tag_ngrams.decode(tagged.ngram, len(tagset), order).tolist()
    assert [tuple(names[t] for t in ngram) for ngram in found] == expected
    assert [symbols.word(w) for w in tagged.word.tolist()] == [w for s in sentences for w in s]
    assert [tagset[t] for t in tagged.tag.tolist()] == [t for row in gold for t in row]


@pytest.mark.parametrize("spelling", [False, True], ids=["words", "spelling"])
@pytest.mark.parametrize("oov", [False, True], ids=["closed", "oov"])
@pytest.mark.parametrize("order", ORDERS)
def test_the_counts_of_the_features_are_added_up_by_name(
    order: int, oov: bool, spelling: bool
) -> None:
    features = contrast_of(
        "identity", order, spelling=spelling, oov=oov, sentences=CORPUS[2:3]
    ).features
    corpus, gold = CORPUS + UNSEEN, GOLD + UNSEEN_GOLD
    symbols = Symbols([*features.symbols, *(word for words in corpus for word in words)])
    counts, fixed = feature_counts(tokens(corpus, gold, symbols, TAGS, order), features, symbols)
    assert fixed == 0.0
    expected: Counter[tuple[str, ...]] = Counter()
    for words, tags in zip(corpus, gold, strict=True):
        for name, n in tagged_features(words, tags, order).items():
            unknown = name[0] == "word" and name[1] not in features.symbols
            expected[("word", "<unk>", name[2]) if unknown else name] += n
    names = features.names
    assert counts.tolist() == [expected[name] for name in names]
    lost = {name for name in expected if name not in set(names)}
    assert any(name[0] == "ngram" for name in lost) == (order > 1)
    assert (("word", "<unk>", "N") in lost) == (not oov)


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_counted_twice_counts_double(order: int) -> None:
    features = contrast_of("trans1", order).features
    once, twice = (
        feature_counts(
            tokens(CORPUS * n, GOLD * n, features.symbols, TAGS, order), features, features.symbols
        )[0]
        for n in (1, 2)
    )
    assert_array_equal(twice, 2 * once)
    assert once.sum() == 2 * sum(map(len, CORPUS)) + len(CORPUS)


def test_gold_that_the_dictionary_allows() -> None:
    symbols = Symbols(word for words in CORPUS for word in words)
    pairs = tag_pairs(symbols, symbols, DICTIONARY, TAGS)
    check_allowed(tokens(CORPUS, GOLD, symbols, TAGS, 2), pairs, symbols, TAGS)
    wrong = [*GOLD[:4], ("V", "V", "V"), ("D", "V"), GOLD[6]]
    with pytest.raises(
        CorpusError, match="B52s/V: the dictionary does not list this tag for the word"
    ):
        check_allowed(tokens(CORPUS, wrong, symbols, TAGS, 2), pairs, symbols, TAGS)


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([["D", "N"]], "2 sentences but 1 rows of tags; give each sentence its own"),
        ([["D", "N"], ["N"], ["N"]], "2 sentences but 3 rows of tags"),
        ([["D", "N"], ["N", "N"]], "sentence 2 has 1 words and 2 tags"),
        ([["D"], ["N"]], "sentence 1 has 2 words and 1 tags"),
        ([["D", "N"], ["Q"]], "sentence 2: the tag 'Q' is not in the dictionary's tagset"),
    ],
)
def test_tags_that_do_not_fit_are_named(gold, message: str) -> None:
    with pytest.raises(CorpusError, match=message):
        tokens([["The", "run"], ["run"]], gold, Symbols(["The", "run"]), TAGS, 2)


def test_numbers_are_wide_enough_for_many_tags() -> None:
    tags = [f"t{i}" for i in range(1000)]
    tagged = tokens([["a", "a", "a"]], [["t999"] * 3], Symbols(["a"]), tags, 3)
    decoded = tag_ngrams.decode(tagged.ngram, 1000, 3).tolist()
    assert decoded == [[1000, 1000, 999], [1000, 999, 999], [999, 999, 999], [999, 999, 1000]]
    assert tagged.ngram.dtype == tagged.word.dtype == tagged.tag.dtype == np.int64
