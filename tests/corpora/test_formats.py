"""Formats by suffix, and the files of a folder."""

from __future__ import annotations

import pytest

from fstce.corpora.formats import choose_members, known_format, recognized
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


def test_text_files_beside_a_treebank_are_passed_over() -> None:
    assert choose_members(["LICENSE.txt", "README.md", "a.conllu"], None, "f") == (["a.conllu"], "conllu")
    assert choose_members(["LICENSE.txt", "a.conllu"], "plain", "f") == (["LICENSE.txt"], "plain")
    assert choose_members(["a.txt", "b.md"], None, "f") == (["a.txt"], "plain")


def test_untagged_trees_are_passed_over_beside_tagged_ones() -> None:
    assert choose_members(["a.mrg", "a.prd"], "penn", "f") == (["a.mrg"], "penn")
    assert choose_members(["a.prd", "b.psd"], None, "f") == (["a.prd", "b.psd"], "penn")


def test_several_formats_need_a_choice() -> None:
    with pytest.raises(CorpusError, match=r"f: files of several formats \(penn, tagged\); choose one"):
        choose_members(["a.mrg", "a.pos"], None, "f")
    assert choose_members(["a.mrg", "a.pos"], "tagged", "f") == (["a.pos"], "tagged")


@pytest.mark.parametrize(
    ("format", "sought"), [(None, r"\.mrg .*\.conllu .*\.txt"), ("conllx", r"\.conll \.conllx \.dp$")]
)
def test_a_folder_without_a_readable_file_says_what_was_sought(format: str | None, sought: str) -> None:
    with pytest.raises(CorpusError, match=rf"f: no file to read; sought the suffixes {sought}"):
        choose_members(["README.doc"], format, "f")


def test_every_file_is_taken_where_the_format_is_given_and_no_suffix_known() -> None:
    assert choose_members(["LICENSE", "a.xyz", "b"], "penn", "f") == (["a.xyz", "b"], "penn")


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
    format, again = recognized(iter(enumerate(lines, 1)))
    assert (format, [line for _, line in again]) == (expected, lines)
