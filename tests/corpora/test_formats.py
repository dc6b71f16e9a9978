"""Formats by suffixes and first lines."""

from __future__ import annotations

import io

import pytest

from fstce.corpora import read_corpus
from fstce.corpora.formats import known_format, recognized
from fstce.errors import CorpusError


@pytest.mark.parametrize(
    ("suffixes", "expected"),
    [
        (".mrg .prd .psd .penn .MRG", "penn"),
        (".conllu", "conllu"),
        (".conll .conllx .dp", "conllx"),
        (".pos .tagged", "tagged"),
        (".txt .doc .md", None),
    ],
)
def test_the_suffix_says_the_format(suffixes: str, expected: str | None) -> None:
    assert {known_format(f"x.y{suffix}") for suffix in suffixes.split()} == {expected}


def test_compression_is_no_format() -> None:
    assert [known_format(f"a.{name}") for name in ("mrg.gz", "conllu.xz", "pos.BZ2", "txt.gz")] == [
        "penn",
        "conllu",
        "tagged",
        None,
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["", "( (S (NP (DT the)"], "penn"),
        (["(S (NP (DT the) (NN dog)))"], "penn"),
        (["(())"], "penn"),
        (["("], "penn"),
        (["(see (Smith 2005)) and more."], "plain"),
        (["(or so) he said"], "plain"),
        (["# a comment", "# sent_id = 1", "1\tx"], "conllu"),
        (["1-2\tdu" + "\t_" * 8], "conllu"),
        (["the/DT dog/NN ./."], "tagged"),
        (["the_DT dog_NN ._."], "tagged"),
        (["<doc>", "<s>", "the\tDT\tthe"], "vertical"),
        (["#\t#"], "vertical"),
        (["the dog\tDOG"], "plain"),
        (["and/or"], "plain"),
        (["snake_case names"], "plain"),
        (["# hash first", "plain"], "plain"),
        (["word\ttag"], "table"),
        ([], "plain"),
    ],
)
def test_the_first_lines_say_the_format(lines: list[str], expected: str) -> None:
    format, again = recognized(iter(enumerate(lines, 1)), "a")
    assert (format, [line for _, line in again]) == (expected, lines)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("A title\nthe/DT dog/NN barks/VBZ ./.\nit/PRP rains/VBZ\n", "tagged"),
        ("A title\n\n(S (NP (NN dog)) (VP (VBZ barks)))\n", "penn"),
        ("A title\n1\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_\n", "conllu"),
        ('A title\n{"words": ["dog"], "tags": ["NN"]}\n', "jsonl"),
    ],
)
def test_a_title_before_another_format_is_named(text: str, format: str) -> None:
    """All was read as running text."""
    line = len(text.split("\n\n")) + 1
    with pytest.raises(CorpusError, match=f":{line}: other text before lines .* {format}; take"):
        read_corpus(io.StringIO(text))


@pytest.mark.parametrize("numbers", [(0, 1), (1, 2)])
def test_columns_with_numbers_before_them_are_named(numbers: tuple[int, int]) -> None:
    first, second = numbers
    with pytest.raises(CorpusError, match="tags or numbers in the first column"):
        read_corpus(io.StringIO(f"{first}\tthe\tDT\n{second}\tdog\tNN\n"))


def test_tags_of_claws_have_digits() -> None:
    (sentence,) = read_corpus(io.StringIO("The_AT0 dog_NN1 barks_VVZ ._PUN\n"))
    assert sentence.tags == ("AT0", "NN1", "VVZ", "PUN")


def test_text_between_the_tokens_of_cg_begins_its_stream() -> None:
    """As hfst-tokenise --giella-cg writes it of words that it does not know."""
    text = ':oh \\n\n"<the>"\n\t"the" Det\n: \n"<dog>"\n\t"dog" N\n'
    (sentence,) = read_corpus(io.StringIO(text))
    assert (sentence.words, sentence.tags) == (("the", "dog"), ("Det", "N"))
