"""Machines over words: AT&T text, compiled files, classes, precomputed lattices; and their mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import oracles
import oracles_neighbors
import pynini
import pytest
from neighbor_cases import SENTENCE, strings

from fstce import neighborhood
from fstce.corpora import sample
from fstce.corpora.tables import bundled_rows
from fstce.errors import FstceError, MachineError, NeighborhoodError, ParameterError
from fstce.machines import (
    Symbols,
    arrays_to_fst,
    fst_to_arrays,
    write_far,
    write_fst,
)
from fstce.neighborhoods.word_machines import function_words, word_class

DEL1WORD = "0 0 ?:?\n0 1 ?:<epsilon>\n1 1 ?:?\n0\n1\n"


@pytest.mark.parametrize(
    "text",
    [
        DEL1WORD,
        "0 0 ?\n0 1 ? <eps>\n1 1 ? ?\n0\n1 0.0\n",
        "0\t0\t?\t?\n\n0\t1\t?\tε\n1\t1\t?\n1\n0\n",
        "3 3 ?\n3 9 ?:@0@\n9 9 ?\n3\n9\n",
    ],
)
def test_del1word_as_text(here: Path, text: str) -> None:
    (here / "mine.att").write_text(text)
    kind = neighborhood("mine.att")
    assert kind.equivariant
    for size in range(1, 5):
        for words in product("abc", repeat=size):
            assert strings("mine.att", words) == oracles.del1word(words)


def test_a_word_of_its_own_and_one_that_is_introduced(here: Path) -> None:
    (here / "mine.txt").write_text("0 0 ?\n0 1 the a\n1 1 ?\n0\n1\n")
    assert not neighborhood("mine.txt").equivariant
    assert strings("mine.txt") == {("see", "the", "dog"), ("see", "a", "dog")}
    assert strings("mine.txt", ["see", "it"]) == {("see", "it")}
    (lattice,) = neighborhood("mine.txt").expand([SENTENCE], Symbols(SENTENCE))
    assert lattice.strings() == [tuple(SENTENCE)]


def test_any_word_inserted_is_one_of_the_sentence(here: Path) -> None:
    (here / "mine.txt").write_text("0 1 ε:?\n0 1 ε\n1 1 ?\n1\n")
    assert strings("mine.txt", ["a", "b"], ["z"]) == {("a", "b"), ("a", "a", "b"), ("b", "a", "b")}


def test_an_introduced_word_is_not_any_word(here: Path) -> None:
    (here / "mine.txt").write_text("0 0 ?\n0 1 ε z\n0 1 ε ?\n0\n1\n")
    assert strings("mine.txt", ["a"]) == {("a",), ("a", "a"), ("a", "z")}


def test_one_word_into_any_and_any_into_one(here: Path) -> None:
    (here / "mine.txt").write_text("0 0 ?\n0 0 a ?\n0\n")
    assert strings("mine.txt", ["a", "b"]) == {("a", "b"), ("b", "b")}
    (here / "more.txt").write_text("0 0 ?\n0 0 ? a\n0\n")
    assert strings("more.txt", ["a", "b"]) == {("a", "b"), ("a", "a")}


def test_sigma_is_any_word_of_the_vocabulary(here: Path) -> None:
    (here / "length.txt").write_text("0 0 ?:<sigma>\n0\n")
    lattice = neighborhood("length.txt")(["a", "b"], ["c"])
    assert (
        lattice.arrays.ilabel.tolist() == neighborhood("length")(["a", "b"]).arrays.ilabel.tolist()
    )
    assert lattice.count() == 9
    (here / "copy.txt").write_text("0 0 <sigma>\n0\n")
    assert strings("copy.txt") == {tuple(SENTENCE)}


def test_classes_on_arcs(here: Path) -> None:
    (here / "animals.txt").write_text("dog\ncat\n")
    (here / "mine.att").write_text(
        "0 0 ?\n0 1 @animals.txt:<epsilon>\n0 1 @function-words @animals.txt\n0\n1\n"
    )
    assert strings("mine.att", ["the", "dog"]) == {("the", "dog"), ("the",)}
    (here / "same.att").write_text("0 1 ?\n1 1 ?\n0 0 @animals.txt @animals.txt\n0\n1\n")
    assert strings("same.att", ["dog", "cat"]) == {("dog", "cat")}
    (here / "swap.att").write_text("0 0 ?\n0 1 @animals.txt ε\n1 2 @animals.txt\n2 2 ?\n0\n2\n")
    assert strings("swap.att", ["dog", "cat"]) == {("dog", "cat"), ("cat",)}


def test_words_that_look_like_signs(here: Path) -> None:
    (here / "mine.att").write_text("0 0 ?\n0 0 \\? <eps>\n0 0 \\@home <eps>\n0 0 : <eps>\n0\n")
    words = ["@home", ":", "?", "x"]
    assert len(strings("mine.att", words)) == 8
    assert ("x",) in strings("mine.att", words)
    assert () not in strings("mine.att", words)


def test_a_class_that_is_no_text_is_named(here: Path) -> None:
    (here / "words.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(NeighborhoodError, match=r"words.txt:1: byte .* UTF-8"):
        neighborhood("restrict(trans1, words.txt)")


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("function-words", ["the", "The", "of"], ["dog", ",", "7"]),
        ("content-words", ["dog", "Run"], ["the", ",", "1,000"]),
        ("punctuation", [",", "--", "``", "$"], ["dog", "7", "n't"]),
        ("numbers", ["7", "1,000", "3.5"], ["seven", "7th", ","]),
    ],
)
def test_classes_of_words(name: str, inside: list[str], outside: list[str]) -> None:
    words = word_class(name.upper())
    assert [word for word in inside + outside if word in words] == inside


MISTAKES = {
    "a weight": ("0 0 ? ? 0.5\n0\n", r"mine.att:1: 5 fields; an arc is .* without a weight"),
    "a final weight": ("0 0 ?\n0 0.5\n", r"mine.att:2: a final state with '0.5'; .* no weights"),
    "a state that is none": ("0 0 ?\n0 x ?\n0\n", r"mine.att:2: 'x' is no state"),
    "a class of a long name": (
        f"0 0 ?\n0 0 @{'zoo' * 200}:ε\n0\n",
        r"mine.att: no class of words 'zoo",
    ),
    "an unknown class": ("0 0 ?\n0 0 @zoo:ε\n0\n", r"mine.att: no class of words 'zoo'"),
    "a flag": ("0 0 ?\n0 0 @P.A.x@ @P.A.x@\n0\n", r"mine.att: @P.A.x@ is a flag diacritic"),
    "several machines": ("0 0 ?\n0\n--\n0 0 ?\n0\n", r"mine.att:3: of several machines take one"),
    "nothing": ("", r"the builder accepts nothing"),
    "no final state": ("0 0 ?\n", r"sentence 1 .* accepts nothing"),
    "x is lost": ("0 1 ?:ε\n1 1 ?\n1\n", r"the sentence is not in its own neighborhood"),
    "without end": ("0 0 ?\n0 0 ε:?\n0\n", r"the neighborhood has a cycle, so it is infinite"),
    "no text": (b"\xff\xfe", r"mine.att: not UTF-8 text"),
    "no word": (
        b"0 0 ?\n0 0 ? a\x00\n0\n",
        r"mine.att: the label 'a\\x00' cannot be a word: it holds NUL",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_text_is_told(here: Path, mistake: str) -> None:
    text, message = MISTAKES[mistake]
    (here / "mine.att").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(FstceError, match=message):
        neighborhood("mine.att")(SENTENCE)


def compiled(words: Sequence[str] = ("?", "the", "a"), weight: str = "") -> pynini.Fst:
    """Copy, turn "the" into "a" at most once, copy: over a table with gaps and another order."""
    table = pynini.SymbolTable()
    table.add_symbol("<eps>", 0)
    for place, word in enumerate(words):
        table.add_symbol(word, 7 * place + 3)
    lines = "0 0 ?\n0 1 the a\n1 1 ?\n0\n1\n"
    compiler = pynini.Fst()
    ids = {word: label for label, word in table}
    for _ in range(2):
        compiler.add_state()
    compiler.set_start(0)
    for line in lines.splitlines():
        fields = line.split()
        if len(fields) == 1:
            compiler.set_final(int(fields[0]))
        else:
            labels = [ids[field] for field in fields[2:]] * (2 if len(fields) == 3 else 1)
            cost = pynini.Weight("tropical", weight or "0")
            compiler.add_arc(int(fields[0]), pynini.Arc(*labels, cost, int(fields[1])))
    compiler.set_input_symbols(table)
    compiler.set_output_symbols(table)
    return compiler


def test_a_compiled_transducer(here: Path) -> None:
    write_fst(compiled(), here / "mine.fst")
    assert strings("mine.fst") == {("see", "the", "dog"), ("see", "a", "dog")}
    assert strings("mine.fst | del1word") == strings("mine.fst") | oracles.del1word(SENTENCE)


def test_an_arc_of_weight_infinity_gives_no_neighbor(here: Path) -> None:
    """Its weight was dropped, and its words were neighbors."""
    fst = compiled()
    arrays = fst_to_arrays(fst)
    weights = np.where(arrays.source == arrays.next, 0.0, np.inf)
    final = np.zeros(len(arrays.final))
    endless = arrays_to_fst(arrays._replace(weight=weights, final=final))
    endless.set_input_symbols(fst.input_symbols()).set_output_symbols(fst.output_symbols())
    write_fst(endless, here / "mine.fst")
    assert strings("mine.fst") == {tuple(SENTENCE)}


def test_a_key_of_an_archive(here: Path) -> None:
    write_far({"k1": compiled(), "k2": compiled(["?", "a", "the"])}, here / "many.far")
    assert (
        strings("many.far:k1")
        == strings("many.far:k2")
        == {("see", "the", "dog"), ("see", "a", "dog")}
    )
    assert strings("many.far:k1 @ del1word") == strings("'many.far:k1' @ del1word")
    with pytest.raises(ParameterError, match=r"many.far holds 2 machines; none is 'k3': k1, k2"):
        neighborhood("many.far:k3")


def test_the_two_sides_may_have_symbols_of_their_own(here: Path) -> None:
    fst = compiled()
    other = pynini.SymbolTable()
    for label, word in fst.output_symbols():
        other.add_symbol({"a": "it"}.get(word, word), label)
    fst.set_output_symbols(other)
    write_fst(fst, here / "mine.fst")
    assert strings("mine.fst") == {("see", "the", "dog"), ("see", "it", "dog")}


def test_a_compiled_machine_with_weights_or_without_words_is_refused(here: Path) -> None:
    write_fst(compiled(weight="0.5"), here / "weights.fst")
    with pytest.raises(MachineError, match=r"weights.fst: the machine has weights"):
        neighborhood("weights.fst")
    bare = compiled()
    bare.set_input_symbols(None)
    bare.set_output_symbols(None)
    write_fst(bare, here / "bare.fst")
    with pytest.raises(MachineError, match=r"bare.fst: no symbols, so its words are unknown"):
        neighborhood("bare.fst")
    (here / "broken.fst").write_text("0 0 ?")
    with pytest.raises(MachineError, match=r"broken.fst: not an OpenFst machine"):
        neighborhood("broken.fst")


@pytest.mark.parametrize("name", ["function-words", "content-words", "punctuation"])
def test_words_of_a_class_are_deleted_and_no_others(name: str) -> None:
    words = ["The", "cat", "of", ",", "the", "7", "is", "n't", "--", "theory"]
    members = {
        "function-words": ["The", "of", "the", "is", "n't"],
        "content-words": ["cat", "theory"],
        "punctuation": [",", "--"],
    }
    expected = oracles_neighbors.without(words, members[name])
    assert strings(f"restrict(del1word, {name})", words) == expected


def test_the_list_of_function_words_holds_each_once_in_lower_case() -> None:
    words = [word for _, line in bundled_rows("function_words.tsv") for word in line.split(" ")]
    assert len(words) == len(set(words)) == len(function_words())
    assert all(word and word == word.lower() for word in words)


def test_the_list_of_function_words_agrees_with_the_tags_of_a_treebank() -> None:
    """Nearly all words with closed-class tags are listed, and hardly any with open-class tags."""
    closed = {"DT", "PRP", "PRP$", "CC", "MD", "TO", "WDT", "WP", "POS", "IN"}
    open_ = {"NN", "NNS", "NNP", "NNPS", "JJ", "VB", "VBG", "CD"}
    listed = {True: [0, 0], False: [0, 0]}
    for sentence in sample():
        for word, tag in zip(sentence, sentence.tags, strict=True):
            if tag in closed | open_:
                listed[tag in closed][word.lower() in function_words()] += 1
    assert listed[True][1] / sum(listed[True]) > 0.97
    assert listed[False][1] / sum(listed[False]) < 0.05
