"""Streams of readings: what tokens may be, what is learned of their words, what comes out."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from fstce import Tagger, TaggerProduct, read_corpus
from fstce.corpora.streams import StreamSentence
from fstce.errors import ParameterError
from fstce.tagging.readings import OfReadings, ReadingTags, rewritten
from fstce.wfsa.features import READINGS, word_of

UNITS = {
    "the": "the/the<det><def><sg>/the<det><def><pl>",
    "this": "this/this<det><dem><sg>",
    "these": "these/this<det><dem><pl>",
    "dog": "dog/dog<n><sg>/dog<vblex><inf>",
    "dogs": "dogs/dog<n><pl>/dog<vblex><pres>",
    "runs": "runs/run<vblex><pres>/run<n><pl>",
    "sheep": "sheep/sheep<n><sg>/sheep<n><pl>",
    "wug": "wug/*wug",
    "run": "run/run<vblex><inf>",  # of this token rules have left one reading
}
LINES = ["this dog runs", "these dogs runs", "the sheep runs", "the wug runs", "these sheep run"]


def stream(lines: list[str]) -> str:
    rows = (" ".join(f"^{UNITS[word]}$" for word in line.split()) for line in lines)
    return "".join(f"{row} ^./.<sent>$[]\n" for row in rows)


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> list[StreamSentence]:
    path = tmp_path_factory.mktemp("stream") / "text"
    path.write_text(stream(LINES * 3) + "^run/run<n><sg>/run<vblex><inf>$[]\n", encoding="utf-8")
    return list(read_corpus(path))  # type: ignore[arg-type]


def test_the_tag_of_a_reading(sentences: list[StreamSentence]) -> None:
    dog = sentences[0].tokens[1]
    assert ReadingTags("first").choices(dog) == ("n", "vblex")
    assert ReadingTags("full").choices(dog) == ("n.sg", "vblex.inf")
    assert ReadingTags({"n": "NOUN"}).choices(dog) == ("NOUN", "vblex")
    assert ReadingTags({"n": "NOUN"}).unmapped(sentences) == ["det", "sent", "vblex"]
    assert ReadingTags().choices(sentences[3].tokens[1]) == ()


def test_the_dictionary_of_a_stream_has_what_any_token_of_a_word_may_be(
    sentences: list[StreamSentence],
) -> None:
    entries = ReadingTags().dictionary(sentences)
    assert entries is not None
    assert entries["run"] == ("n", "vblex") and "wug" not in entries
    assert ReadingTags().dictionary([["a", "text"]]) is None


def test_a_token_has_its_own_readings_and_the_features_of_its_word(
    sentences: list[StreamSentence],
) -> None:
    tagger = Tagger("trans1", order=2).fit(sentences)
    words = {name[1] for name in tagger.weights() if name[0] == "word"}
    assert "run" in words and not any(READINGS in word for word in words)

    narrow, wide = sentences[4], sentences[-1]
    table = tagger.predict_proba([narrow])[0]
    assert table[2, tagger.tags_.index("vblex")] == pytest.approx(1.0)
    assert 0 < tagger.predict_proba([wide])[0][0, tagger.tags_.index("n")] < 1
    # as plain words they may be all that the dictionary lists
    assert tagger.predict_proba([list(narrow.words)])[0][2, tagger.tags_.index("vblex")] < 1


def test_answers_and_tokens_agree_where_they_can() -> None:
    entries = ReadingTags().dictionary([])
    assert entries is None
    from fstce import TagDictionary

    lookup = OfReadings(TagDictionary({"run": ("n", "vblex"), "dog": "n"}))
    symbol = f"dog{READINGS}n\u2062vblex"
    assert word_of(symbol) == "dog"
    symbols = [symbol, "run", f"dog{READINGS}adj", f"cat{READINGS}adj"]
    assert lookup.lookup_all(symbols) == [("n",), ("n", "vblex"), ("adj",), ("adj",)]


@pytest.mark.parametrize("kind", ["length", "trans1", "auto"])
def test_wildcards_stand_for_words_and_not_for_their_tokens(
    kind: str, sentences: list[StreamSentence]
) -> None:
    """At θ = 0 LENGTH sums over the words and their tags, however many tokens have fewer readings."""
    tagger = Tagger(kind, order=2, unknown_word_model=False)
    objective = tagger.compile(sentences)
    value, gradient = objective(np.zeros(tagger.features_.size))
    assert np.isfinite(value) and np.isfinite(gradient).all()
    if kind == "length":
        entries = tagger.dictionary_
        vocabulary = {word for sentence in sentences for word in sentence.words}
        pairs = sum(len(entries.lookup(word)) for word in vocabulary)
        taggings = [
            sum(
                np.log(len(ReadingTags().choices(t)) or len(entries.lookup("wug")))
                for t in s.tokens
            )
            for s in sentences
        ]
        words = sum(map(len, sentences))
        assert value == pytest.approx(sum(taggings) - words * np.log(pairs))


def test_best_readings_and_every_other_byte(sentences: list[StreamSentence]) -> None:
    tagger = Tagger(order=2, parts=".", reading_tags="full").fit(sentences)
    best = "".join(rewritten(tagger, sentences, "best", str))
    assert re.search(
        r"\^these/this<det><dem><pl>\$ \^sheep/sheep<n><..>\$ \^run/run<vblex><inf>\$", best
    )
    assert best.count("\n") == len(sentences) and "^wug/*wug$" in best
    ranked = "".join(rewritten(tagger, sentences, "ranked", str))
    assert sorted(ranked) == sorted("".join(sentence.written() for sentence in sentences))


def test_new_whole_readings_are_ranked_by_their_first_symbols(
    sentences: list[StreamSentence], tmp_path: Path
) -> None:
    """Several of them came out where the best one alone should."""
    tagger = Tagger(order=2, parts=".", reading_tags="full").fit(sentences)
    path = tmp_path / "new"
    path.write_text("^this/this<det><dem><sg>$ ^dog/dog<vblex><sub>/dog<n><du>$ ^x/x<q>/x<r>$\n")
    new = [row for row in read_corpus(path) if isinstance(row, StreamSentence)]
    (best,) = rewritten(tagger, new, "best", str)
    assert best == "^this/this<det><dem><sg>$ ^dog/dog<n><du>$ ^x/x<q>/x<r>$\n"
    (weighted,) = rewritten(tagger, new, "weighted", "{:.3f}".format)
    table = tagger.predict_proba(new)[0][1]
    noun = sum(p for tag, p in zip(tagger.tags_, table, strict=True) if tag.startswith("n."))
    assert f"/dog<n><du><W:{-np.log(noun):.3f}>/dog<vblex>" in weighted


def test_of_equal_readings_the_analysers_first_is_best(tmp_path: Path) -> None:
    """The tag that comes first in the tagset was taken, whatever the analyser said."""
    path = tmp_path / "s.txt"
    path.write_text("^we/we<prn>$ ^go/go<z>/go<a>$^./.<sent>$\n" * 3)
    sentences = [row for row in read_corpus(path) if isinstance(row, StreamSentence)]
    tagger = Tagger(criterion="em", start="uniform", max_iterations=1).fit(sentences)
    product = TaggerProduct([tagger, tagger])
    ways = [rewritten(product, sentences, order, str)[0] for order in ("best", "ranked")]
    assert "^go/go<z>$" in ways[0] and "^go/go<z>/go<a>$" in ways[1]


def test_weights_are_costs_of_the_tag(sentences: list[StreamSentence]) -> None:
    tagger = Tagger("trans1", order=2).fit(sentences)
    (weighted,) = rewritten(tagger, sentences[:1], "weighted", lambda nats: f"{nats:.3f}")
    cost = -np.log(tagger.predict_proba(sentences[:1])[0][1])
    for category in ("n", "vblex"):
        assert f"<{category}>" in weighted
        assert f"<W:{cost[tagger.tags_.index(category)]:.3f}>" in weighted


def test_is_saved_and_multiplied(sentences: list[StreamSentence], tmp_path: Path) -> None:
    tagger = Tagger(order=2, reading_tags={"n": "NOUN", "vblex": "VERB"}).fit(sentences)
    tagger.save(tmp_path / "model")
    loaded = Tagger.load(tmp_path / "model")
    assert loaded.predict(sentences) == tagger.predict(sentences)
    product = TaggerProduct([tagger, loaded])
    assert rewritten(product, sentences, "best", str) == rewritten(tagger, sentences, "best", str)


def test_tags_are_asked_for_once_and_not_by_the_token(sentences: list[StreamSentence]) -> None:
    asked = list[int]()

    class Counting(TaggerProduct):
        @property
        def tags_(self) -> tuple[str, ...]:
            asked.append(1)
            return super().tags_

    product = Counting([Tagger(order=2).fit(sentences)])
    rewritten(product, sentences, "weighted", str)
    assert len(asked) < sum(map(len, sentences)) / 4


def test_a_stream_of_unknown_words_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("^wug/*wug$ ^wag/*wag$[]\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="text:1: no token has a reading with a tag"):
        Tagger().fit(read_corpus(path, format="apertium"))


def test_what_is_certain_weighs_nothing(sentences: list[StreamSentence]) -> None:
    tagger = Tagger("length", order=2, reading_tags="full", parts=".").fit(sentences)
    blocks = "".join(rewritten(tagger, sentences, "weighted", "{:.0f}".format))
    assert "<W:-" not in blocks and "<W:0>" in blocks


def test_whole_readings_are_multiplied_by_what_their_first_symbols_are(
    sentences: list[StreamSentence],
) -> None:
    full = Tagger("length", order=2, parts=".", reading_tags="full").fit(sentences)
    first = Tagger("trans1", order=2).fit(sentences)
    for members in ([full, first], [first, full]):
        product = TaggerProduct(members)
        assert product.reading_tags == "full" and product.tags_ == full.tags_
        tables = zip(
            *(tagger.predict_proba(sentences) for tagger in (product, full, first)), strict=True
        )
        for table, of_full, of_first in tables:
            expected = np.zeros_like(of_full)
            for t, tag in enumerate(full.tags_):
                place = first.tags_.index(tag.split(".")[0])
                expected[:, t] = of_full[:, t] * of_first[:, place]
            expected /= expected.sum(axis=1, keepdims=True)
            assert table == pytest.approx(expected)


def test_whole_readings_start_with_what_is_believed_of_first_symbols(
    sentences: list[StreamSentence],
) -> None:
    """They started from equal weights, and were led astray where few words are in doubt."""
    whole = Tagger(reading_tags="full", parts=".", order=2, sigma2=0.5)
    whole.compile(sentences)
    whole.theta_ = whole.initial_weights()
    coarse = Tagger("length", order=2, sigma2=0.5).fit(sentences)

    text = [*sentences[:3], list(sentences[4].words)]
    first = [ReadingTags().of_full(tag) for tag in whole.tags_]
    of_first = np.array([[tag == symbol for symbol in coarse.tags_] for tag in first])
    for fine, believed in zip(whole.predict_proba(text), coarse.predict_proba(text), strict=True):
        np.testing.assert_allclose(fine @ of_first, believed, atol=1e-9)
    assert not np.allclose(whole.theta_, 0)

    at_random = Tagger(reading_tags="full", parts=".", order=2, start="random")
    at_random.compile(sentences)
    assert at_random.initial_weights().std() == pytest.approx(0.1, rel=0.2)


def test_answers_of_whole_readings_are_answers_of_first_symbols(
    sentences: list[StreamSentence],
) -> None:
    said = {"dog": ["n.sg"], "runs": {"n.pl": 3.0, "n.sg": 4.0, "vblex.pres": 1.0}}
    full = Tagger("length", order=2, parts=".", reading_tags="full")
    full.fit(sentences, answers=said)
    first = Tagger("length", order=2).fit(sentences, answers=said)
    assert full.dictionary_["dog"] == ("n.sg",) and first.dictionary_["dog"] == ("n",)
    assert first.dictionary_.counts["runs"] == {"n": 7.0, "vblex": 1.0}
    assert not any("." in tag for tag in first.tags_)
    words = [["a", "dog"]]
    plain = Tagger("length", order=2).fit(
        words, dictionary={"a": "det", "dog": ("n", "v")}, answers={"dog": "n.sg"}
    )
    assert "n.sg" in plain.tags_
