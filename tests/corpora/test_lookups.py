"""What lookups print, as dictionaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from fstce.corpora import TagDictionary, read_corpus
from fstce.corpora.dictionary_files import is_dictionary
from fstce.corpora.lookups import is_lookup
from fstce.errors import CorpusError, DictionaryError


def test_escapes_of_an_expansion_are_those_of_its_letters(tmp_path: Path) -> None:
    lines = (r"cats:cat<n><pl>", r"a\:b:a\:b<n>", r"\<x\>:\<x\><sym>")
    (tmp_path / "a.txt").write_text("\n".join(lines) + "\n")
    found = TagDictionary.from_file(tmp_path / "a.txt")
    assert dict(found) == {"cats": ("n",), "a:b": ("n",), "<x>": ("sym",)}


@pytest.mark.parametrize("weight", ["", "\t0", "\t0.5", "\t0,500000", "\t1e-05", "\tinf"])
@pytest.mark.parametrize("prompt", ["", "> "])
def test_weights_and_prompts_of_lookups(tmp_path: Path, weight: str, prompt: str) -> None:
    """Weights with a comma, as some languages write them, and the prompt were no lookup."""
    path = tmp_path / "a.txt"
    path.write_text(f"{prompt}dogs\tdog+N+Pl{weight}\n{prompt}dogs\tdog+V{weight}\n\n")
    assert TagDictionary.from_file(path)["dogs"] == ("N", "V")


@pytest.mark.parametrize(
    "line", ["#\thttp://a [1]", "From: Ann Lee <ann@example.org>", "Contact: <http://a.example>"]
)
def test_the_head_of_a_letter_is_no_expanded_dictionary(line: str) -> None:
    assert not is_lookup([line])


GENERATED = {
    "foma": "cat+N+Pl\tcats\n\nsee+V+Past\tsaw\n\nsaw+N+Sg\tsaw\n\nwug+N\t+?\n\n",
    "hfst": "cat+N+Pl\tcats\t0.0\n\nsee+V\tsaw\t0.0\n\nsaw+N\tsaw\t0.0\n\nwug+N\twug+N+?\tinf\n\n",
    "brackets": "cat[N][Pl]\tcats\nsee[V]\tsaw\nsaw[N]\tsaw\n",
    "symbols": "> cat<N><pl>\tcats\n> > see<V>\tsaw\nsaw<N>\tsaw\n",
}


@pytest.mark.parametrize("name", GENERATED)
def test_what_is_generated_has_the_word_behind_its_analysis(tmp_path: Path, name: str) -> None:
    """Analyses were listed as words, and their words as tags, in silence."""
    path = tmp_path / "a.txt"
    path.write_text(GENERATED[name])
    assert is_dictionary(str(path))
    assert dict(TagDictionary.from_file(path)) == {"cats": ("N",), "saw": ("N", "V")}
    with pytest.raises(CorpusError, match="words and their analyses"):
        read_corpus(path)


def test_words_whose_lemmas_are_others_are_looked_up(tmp_path: Path) -> None:
    """`go+V` was the tag of *went* where less than half of the analyses begin as their words."""
    (tmp_path / "a").write_text("went\tgo+V+Past\nam\tbe<v>\nevler\tev⟨N⟩⟨pl⟩\n", encoding="utf-8")
    listed = TagDictionary.from_file(tmp_path / "a")
    assert dict(listed) == {"went": ("V",), "am": ("v",), "evler": ("N",)}


@pytest.mark.parametrize("empty", ["wug\t\t0.0", "wug\t", "wug\t\t", "wug\t+?", "wug\twug+?\tinf"])
def test_a_row_without_an_analysis_lists_no_word(tmp_path: Path, empty: str) -> None:
    """An empty analysis made the table none of a lookup; the advice was what had been done."""
    path = tmp_path / "a"
    path.write_text(f"cats\tcat+N\t0.0\n\n{empty}\n\n")
    assert is_dictionary(str(path))
    assert dict(TagDictionary.from_file(path)) == {"cats": ("N",)}


def test_what_stands_for_many_words_lists_none(tmp_path: Path) -> None:
    """`0-9` was the tag of a regular expression of lttoolbox."""
    rows = ("__REGEXP__[0-9]+:__REGEXP__[0-9]+<num>", "cats:cat<n>", "x:x", "saw:see<v>")
    (tmp_path / "a").write_text("\n".join(rows))
    assert dict(TagDictionary.from_file(tmp_path / "a")) == {"cats": ("n",), "saw": ("v",)}


def test_a_line_that_is_no_row_is_named(tmp_path: Path) -> None:
    """Behind the first twenty it was left out in silence."""
    (tmp_path / "a").write_text("cats\tcat+N\n" * 30 + "cats cat+N\n")
    with pytest.raises(DictionaryError, match="a:31: no word, tab, analysis"):
        TagDictionary.from_file(tmp_path / "a")


def test_of_bytes_that_are_no_text_the_encoding_is_said(tmp_path: Path) -> None:
    """It was said to be no corpus, but a dictionary, as which it had been given."""
    (tmp_path / "a").write_bytes("été\tété+N\n".encode("latin-1"))
    assert is_dictionary(str(tmp_path / "a"))
    with pytest.raises(DictionaryError, match="a:1: byte 0xe9 is not valid utf-8"):
        TagDictionary.from_file(tmp_path / "a")
