"""What is trained on, what is held out, which dictionary; and when that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fstce.corpora import Sentence, TagDictionary, coarse_map, sample
from fstce.errors import CorpusError, ParameterError
from fstce.reproduction.material import corpus, digest, dilution, material

SIZE = sum(map(len, sample()))


@pytest.fixture
def tagged(tmp_path: Path) -> Callable[..., str]:
    """A tagged file of these lines."""

    def write(*lines: str, name: str = "text.pos") -> str:
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(tmp_path / name)

    return write


@settings(max_examples=25, deadline=None)
@given(st.integers(1, SIZE + 100), st.integers(1, SIZE // 2))
def test_the_first_sentences_are_trained_on_and_the_last_held_out(
    words: int, held_out: int
) -> None:
    whole = corpus("sample", False)
    text = material("sample", False, words, held_out, "full")
    n, m = len(text.train), len(text.held_out)
    assert n + m <= len(whole)
    # The very objects, so that equal sentences are told apart.
    assert all(a is b for a, b in zip(text.train, whole[:n], strict=True))
    assert all(a is b for a, b in zip(text.held_out, whole[-m:], strict=True))
    held = sum(map(len, text.held_out))
    assert held >= held_out > held - len(text.held_out[0])
    assert text.words == sum(map(len, text.train))
    assert text.words >= words or n + m == len(whole)
    assert text.words - len(text.train[-1]) < words


def test_the_gold_tags_are_those_of_the_sentences() -> None:
    text = material("sample", False, 300, 100, "full")
    assert text.gold == [sentence.tags for sentence in text.train]
    assert text.held_out_gold == [sentence.tags for sentence in text.held_out]
    assert len(text.held_out_gold[0]) == len(text.held_out[0])


def test_coarse_tags_are_images_of_the_fine_ones() -> None:
    fine, coarse = (
        material("sample", False, 300, 100, "full"),
        material("sample", True, 300, 100, "full"),
    )
    image = coarse_map()
    assert coarse.gold == [tuple(image[tag] for tag in row) for row in fine.gold]
    assert [s.words for s in coarse.train] == [s.words for s in fine.train]
    assert set(coarse.dictionary.tagset) == {image[tag] for tag in fine.dictionary.tagset}


@pytest.mark.parametrize(("spelt", "first", "least"), [("first:2", 2, 1), ("count:2", None, 2)])
def test_rare_in_the_training_text_is_any_tag_and_else_the_tags_are_all_of_the_corpus(
    spelt: str, first: int | None, least: int
) -> None:
    """What is rare is counted in the text that is trained on, not in the corpus (2005a, §5.2)."""
    text, whole = material("sample", False, 300, 100, spelt), TagDictionary.from_corpus(sample())
    words = [word for sentence in text.train[:first] for word in sentence.words]
    for word in whole:
        tags = whole[word] if words.count(word) >= least else whole.tagset
        assert text.dictionary.lookup(word) == tuple(tags), word
    assert any(word in whole and word not in words for word in text.held_out[0].words)


def test_the_dictionary_is_of_the_whole_corpus(tagged: Callable[..., str]) -> None:
    """Also of words that are neither trained on nor held out, as in the paper."""
    spec = tagged("a/D b/N", "c/V", "d/N")
    text = material(spec, False, 2, 1, "full")
    assert ([str(s) for s in text.train], [str(s) for s in text.held_out]) == (["a b"], ["d"])
    assert text.dictionary == {"a": ("D",), "b": ("N",), "c": ("V",), "d": ("N",)}


def test_the_first_sentences_of_a_diluted_dictionary_still_give_all_tags(
    tagged: Callable[..., str],
) -> None:
    dictionary = material(tagged("a/D b/N", "c/V", "d/N"), False, 2, 1, "first:1").dictionary
    assert set(dictionary) == {"a", "b"}
    assert dictionary.lookup("c") == ("D", "N", "V")


@pytest.mark.parametrize(
    "spelt",
    [
        "",
        "Full",
        "first",
        "first:",
        "first:0",
        "first:-3",
        "count:x",
        "count:1.5",
        "count:²",
        "last:5",
        "500",
    ],
)
def test_misspelt_dictionaries(spelt: str) -> None:
    for question in (dilution, lambda text: material("sample", False, 100, 100, text)):
        with pytest.raises(ParameterError, match=r"give full, first:N .* or count:N") as caught:
            question(spelt)
        assert repr(spelt) in str(caught.value)


def test_a_corpus_without_tags_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("it rains\n")
    with pytest.raises(CorpusError, match=r"raw\.txt:1: the sentence has no tags"):
        material(str(tmp_path / "raw.txt"), False, 1, 1, "full")


def test_a_corpus_too_small_to_hold_out_of(tagged: Callable[..., str]) -> None:
    spec = tagged("a/D b/N", "c/V")
    with pytest.raises(
        CorpusError, match=r"too few sentences .* hold out 1,000 words; hold out fewer"
    ):
        material(spec, False, 1, 1_000, "full")
    assert material(spec, False, 1, 1, "full").words == 2


def test_another_tagset_has_no_coarse_classes(tagged: Callable[..., str]) -> None:
    spec = tagged("the/AT dog/NN barks/VBZ", "yes/RB")
    with pytest.raises(CorpusError, match=r"the/AT: .* leave out Table 3 \(--dictionaries none\)"):
        corpus(spec, True)
    assert len(corpus(spec, False)) == 2


@pytest.mark.parametrize(
    "other",
    [
        [Sentence(["ax", "c"], tags=["D", "V"]), Sentence(["d"], tags=["N"])],
        [Sentence(["a", "c"], tags=["D", "N"]), Sentence(["d"], tags=["N"])],
        [Sentence(["a", "c", "d"], tags=["D", "V", "N"])],
        [Sentence(["d"], tags=["N"]), Sentence(["a", "c"], tags=["D", "V"])],
        [Sentence(["a", "c"], tags=["D", "V"])],
    ],
    ids=["word", "tag", "boundary", "order", "end"],
)
def test_the_digest_tells_texts_apart(other: list[Sentence]) -> None:
    text = [Sentence(["a", "c"], tags=["D", "V"]), Sentence(["d"], tags=["N"])]
    assert digest(text) == digest(
        [Sentence(s.words, tags=s.tags, source="elsewhere") for s in text]
    )
    assert digest(text) != digest(other)


def test_universal_tags_are_coarse(tagged: Callable[..., str]) -> None:
    spec = tagged("the/DET dog/NOUN barks/VERB", "yes/INTJ")
    assert corpus(spec, True) == corpus(spec, False)


def test_the_column_of_the_tags(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text("1\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n\n")
    assert [corpus(str(path), False, column)[0].tags for column in (None, "upos")] == [
        ("NN",),
        ("NOUN",),
    ]


def test_sentences_are_drawn_by_a_seed() -> None:
    ordered = material("sample", False, 300, 150, "full")
    drawn = material("sample", False, 300, 150, "full", draw=1)
    assert drawn == material("sample", False, 300, 150, "full", None, 1)
    assert drawn.train != ordered.train
    assert drawn.dictionary == ordered.dictionary
    assert not {s.source for s in drawn.train} & {s.source for s in drawn.held_out}
    assert drawn.train != material("sample", False, 300, 150, "full", draw=2).train


def test_a_lexicon_adds_tags_to_known_words(tmp_path: Path) -> None:
    lexicon = tmp_path / "more.tsv"
    lexicon.write_text("the\tDET N\nzebra\tN\noven\tNOISE N\n", encoding="utf-8")
    plain = material("sample", True, 300, 150, "full")
    more = material("sample", True, 300, 150, "full", lexicon=str(lexicon))
    assert more.dictionary["the"] == ("DET", "N")
    assert "zebra" not in more.dictionary
    assert more.dictionary["oven"] == plain.dictionary["oven"] == ("N",)
    assert more.dictionary.tagset == plain.dictionary.tagset
    lexicon.write_text("the\tDT NNP\noven\tN\n", encoding="utf-8")
    fine = material("sample", False, 300, 150, "full", lexicon=str(lexicon))
    assert fine.dictionary["the"] == ("DT", "NNP") and fine.dictionary["oven"] == ("NN",)
